"""Trying out one bot: a scripted referee asks it everything that a tournament may, and a report says what it found.

Deals (`deals`) are played against the rulebook's own table (`playing`); a `Laboratory` keeps the bot's process
and its stream; the checks (`checks_rules`, `checks_wire`) make findings; `examination` runs them in order.
"""
