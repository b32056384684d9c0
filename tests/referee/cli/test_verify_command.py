"""How `hearts verify` shares its work out, and what it shows of it."""

from __future__ import annotations

import os

import pytest

from referee.cli.verify_command import Watch


def test_processes_go_by_how_much_there_is_to_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)

    assert [Watch(None, quiet=True).means(matches).processes for matches in (0, 500, 900, 90_000)] == [1, 1, 2, 4]
    assert Watch(3, quiet=True).means(1).processes == 3


def test_what_takes_longer_than_two_seconds_tells_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter([0.0, 1.0, 3.0, 3.0, 9.0, 9.0, 9.0, 9.0, 9.0])
    with Watch(1, quiet=False, now=lambda: next(seconds)) as watch:
        tell = watch.means(1_000).on_progress
        tell(100)
        assert capsys.readouterr().err == ""
        tell(300)
        tell(600)

    assert capsys.readouterr().err.startswith("600/1,000 matches, 50.0/s, 8s left\n")
