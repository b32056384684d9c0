"""The command line: the only place that joins the parts."""
