"""Calls with wrong tokens: anybody on the network can make them, and the organiser's screen stays readable."""

from __future__ import annotations

from referee.executors.wrong_tokens import HOSTS_NAMED_MAX, WrongTokens


def test_each_host_is_named_once_and_the_calls_are_counted_by_tens() -> None:
    tokens = WrongTokens()
    lines = [tokens.line(f"ipv4:10.0.0.{1 + (n >= 40)}:{n}") for n in range(1, 2_001)]

    assert [line for line in lines if line] == [
        "refused a bot from ipv4:10.0.0.1:1: its token is unknown",
        "refused a bot from ipv4:10.0.0.1:10: its token is unknown (10 such calls so far)",
        "refused a bot from ipv4:10.0.0.2:40: its token is unknown (40 such calls so far)",
        "refused a bot from ipv4:10.0.0.2:100: its token is unknown (100 such calls so far)",
        "refused a bot from ipv4:10.0.0.2:1000: its token is unknown (1,000 such calls so far)",
    ]


def test_no_number_of_hosts_fills_the_screen() -> None:
    tokens = WrongTokens()
    lines = [tokens.line(f"ipv6:%5B2001:db8::{n:x}%5D:7") for n in range(100_000)]

    assert len([line for line in lines if line]) <= HOSTS_NAMED_MAX + 5
    assert tokens._hosts == {f"ipv6:%5B2001:db8::{n:x}%5D" for n in range(HOSTS_NAMED_MAX)}
