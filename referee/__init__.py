"""The referee of Hearts Arena: rules, tables, wire, tournaments."""
