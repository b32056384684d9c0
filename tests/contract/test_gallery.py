"""The gallery of bad bots: for each one its verdict, who is blamed, the ruling and its place.

Each is a real process at a table with three honest ones. Whatever it does, the match ends in bounded time, the
others decide as beside an honest bot that plays the substituted cards, and no process is left.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from referee.executors.bot_pool import LOST_RUNNING_MAX
from referee.executors.house import House
from referee.executors.work import Unfit
from referee.records import DecidedBy, MatchRecord, Ruling, StrayKind, TimeControl
from tests.contract.gallery import (
    CLOCK,
    HONEST,
    Shown,
    bot_folder,
    choices,
    house_config,
    show,
    spec_of,
)

# Of the whole gallery; a machine that is busy with other work takes longer to start the processes.
SHOW_S_MAX = 100

ONCE, THRICE = 1, 3


def faults(what: str, times: int = THRICE, ruling: str = "substitute") -> str:
    return " ".join([f"{what}/bot/{ruling}"] * times)


#: name: (program, faults in a line, is it last?)
DECIDES = {
    # name                     faults                                              last
    "late-once":               (faults("timeout", ONCE),                           False),
    "late-on-the-pass":        (faults("timeout", ONCE),                           False),
    "late-always":             (faults("timeout"),                                 True),
    "silent":                  (faults("timeout"),                                 True),
    "wrong-turn-id":           (faults("timeout"),                                 True),
    "random-turn-id":          (faults("timeout"),                                 True),
    "twice":                   ("",                                                False),
    "before-being-asked":      ("",                                                False),
    "long-note":               ("",                                                False),
    "two-cards":               (faults("breach:WRONG_KIND"),                       True),
    "moon-choice":             (faults("breach:WRONG_KIND"),                       True),
    "four-cards":              (faults("breach:PASS_WRONG_COUNT"),                 True),
    "same-card-thrice":        (faults("breach:PASS_CARD_REPEATED"),               True),
    "unknown-card":            (faults("malformed"),                               True),
    "CARD_NOT_HELD":           (faults("breach:CARD_NOT_HELD", ONCE),              False),
    "MUST_FOLLOW_SUIT":        (faults("breach:MUST_FOLLOW_SUIT", ONCE),           False),
    "MUST_LEAD_LOWEST_CLUB":   (faults("breach:MUST_LEAD_LOWEST_CLUB", ONCE),      False),
    "NO_POINTS_ON_FIRST_TRICK": (faults("breach:NO_POINTS_ON_FIRST_TRICK", ONCE),  False),
    "HEARTS_NOT_BROKEN":       (faults("breach:HEARTS_NOT_BROKEN", ONCE),          False),
}  # fmt: skip

#: What a bot answered that answered nothing, kept in the record. A bot that is late answers when its turn is over.
STRAYS = {
    "late-once":          {StrayKind.LATE},
    "late-on-the-pass":   {StrayKind.LATE},
    "wrong-turn-id":      {StrayKind.UNKNOWN},
    "random-turn-id":     {StrayKind.UNKNOWN},
    "twice":              {StrayKind.REPEATED},
    "before-being-asked": {StrayKind.UNKNOWN},
}  # fmt: skip

STREAMS = {
    "undecodable":             (faults("malformed"),                               True),
    "hello-again":             (faults("malformed"),                               True),
    "one-megabyte":            (faults("resource"),                                True),
    "100000-decisions":        (faults("resource"),                                True),
    "129-decisions":           (faults("resource"),                                True),
    "flood":                   (faults("resource", ONCE, "forfeit"),               True),
    "empty-messages":          (faults("resource", ONCE, "forfeit"),               True),
    "reconnects-for-ever":     (faults("resource", ONCE, "forfeit"),               True),
    "never-reads":             (faults("timeout"),                                 True),
    "half-closes":             (faults("disconnect"),                              True),
    "two-streams":             ("",                                                False),
}  # fmt: skip

PROCESSES = {
    "exits-0":                 (faults("exit"),                                    True),
    "exits-3":                 (faults("exit"),                                    True),
    "aborts":                  (faults("exit"),                                    True),
    "stops":                   (faults("timeout"),                                 True),
    "dies-once":               ("",                                                False),
    "grandchildren":           ("",                                                False),
    "megabytes-on-stderr":     ("",                                                False),
}  # fmt: skip

#: name: (command, what the line that it leaves with says)
STARTS = {
    "not-there":         (("no-such-program",),                   "not-there: "),
    "not-executable":    (("./bot.toml",),                      "not-executable: "),
    "other-processor":   (("./alien",),                         "other-processor: "),
    "never-connects":    (("starts.py", "never-connects"),      "no hello within 9 s"),
    "says-nothing":      (("starts.py", "says-nothing"),        "no hello within 1000 ms"),
    "wrong-revision":    (("starts.py", "wrong-revision"),      "protocol revision 1 to 1, the bot 7 to 9"),
    "wrong-token":       (("starts.py", "wrong-token"),         "a token that is not expected was refused 1 times"),
    "exits-3":           (("starts.py", "exits-3"),             "it exited with code 3 before it said hello"),
    "exits-0":           (("starts.py", "exits-0"),             "it exited with code 0 before it said hello"),
    "aborts":            (("starts.py", "aborts"),              "it was killed by SIGABRT before it said hello"),
    "leaves-children":   (("starts.py", "leaves-children"),     "it exited with code 4 before it said hello"),
}  # fmt: skip


async def shown_in_time(root: Path, bad: Mapping[str, tuple[str, ...]], **settings: Ruling | TimeControl) -> Shown:
    return await asyncio.wait_for(show(root, bad, **settings), SHOW_S_MAX)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "expected"),
    [("decides.py", DECIDES), ("streams.py", STREAMS), ("processes.py", PROCESSES)],
    ids=["decisions", "streams", "processes"],
)
async def test_every_bad_bot_has_its_verdict_and_hurts_nobody_else(
    tmp_path: Path, program: str, expected: dict[str, tuple[str, bool]]
) -> None:
    shown = await shown_in_time(tmp_path, {name: (program, name) for name in expected})
    assert shown.baseline is not None

    verdicts = {name: shown.verdict(name) for name in expected}
    own_place = shown.baseline.places[0]
    assert verdicts == {
        name: (line, len(HONEST) + 1 if is_last else own_place) for name, (line, is_last) in expected.items()
    }
    for name in expected:
        record = shown.record(name)
        assert {fault.seat for fault in record.faults} <= {0}, name
        assert choices(record) == choices(shown.baseline), f"{name}: the others decided otherwise"
        assert record.totals == shown.baseline.totals, name
        taken_over = [d.decided_by for d in record.deals[-1].decisions if d.seat == 0]
        assert (DecidedBy.AUTOPILOT in taken_over) == expected[name][1], name
        strays = {stray.kind for stray in record.strays}
        assert strays == STRAYS.get(name, strays if expected[name][1] else set()), name
        assert {stray.seat for stray in record.strays} <= {0}, name
    assert shown.left == []


@pytest.mark.slow
async def test_a_bot_that_cannot_start_leaves_with_one_line_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "other-processor").mkdir()
    alien = tmp_path / "other-processor" / "alien"
    alien.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\x15\x00" + bytes(44))  # PowerPC
    alien.chmod(0o755)
    clock = TimeControl(turn_ms=2000, bank_ms=3000, start_ms=8_000, hello_ms=1_000)
    bad = {name: command for name, (command, _) in STARTS.items()} | {"slow-start": ("starts.py", "slow-start")}
    shown = await shown_in_time(tmp_path, bad, clock=clock)

    for name, (command, part) in STARTS.items():
        outcome = shown.outcomes[name]
        assert isinstance(outcome, Unfit), f"{name} has played"
        reason, *tail = outcome.reason.splitlines()
        assert part in reason, outcome.reason
        assert reason.startswith(f"{name}: ")
        assert not outcome.is_host
        if command[0] == "starts.py":
            assert f"starts.py {name})" in reason
        if name == "exits-3" and command[0] == "starts.py":
            assert tail[-1].endswith("model.bin: no such file")
    assert shown.verdict("slow-start")[0] == ""
    assert shown.left == []


@pytest.mark.slow
@pytest.mark.parametrize("ruling", [Ruling.REVOKE, Ruling.FORFEIT, Ruling.RETRY])
async def test_the_other_rulings_end_their_matches_too(tmp_path: Path, ruling: Ruling) -> None:
    bad = {name: ("decides.py", name) for name in ("two-cards", "silent", "CARD_NOT_HELD")}
    shown = await shown_in_time(tmp_path, bad, ruling=ruling)
    once = {
        Ruling.REVOKE: "breach:CARD_NOT_HELD/bot/revoke",
        Ruling.FORFEIT: "breach:CARD_NOT_HELD/bot/forfeit",
        Ruling.RETRY: "breach:CARD_NOT_HELD/bot/retry",
    }
    always = {
        Ruling.REVOKE: faults("breach:WRONG_KIND", 3, "revoke"),
        Ruling.FORFEIT: faults("breach:WRONG_KIND", 1, "forfeit"),
        Ruling.RETRY: faults("breach:WRONG_KIND", 2, "retry") + " " + faults("breach:WRONG_KIND", 1),
    }
    silence = {
        Ruling.REVOKE: faults("timeout", 3, "revoke"),
        Ruling.FORFEIT: faults("timeout", 1, "forfeit"),
        Ruling.RETRY: faults("timeout", 3),  # there is no clock left to ask again within
    }

    assert shown.verdict("CARD_NOT_HELD")[0] == once[ruling]
    assert shown.verdict("two-cards") == (always[ruling], 4)
    assert shown.verdict("silent") == (silence[ruling], 4)
    for name in bad:
        assert {fault.seat for fault in shown.record(name).faults} == {0}
    assert shown.left == []


@pytest.mark.slow
@pytest.mark.parametrize("restarts_max", [0, 7])
async def test_a_bot_that_ends_after_every_hello_is_started_three_times(tmp_path: Path, restarts_max: int) -> None:
    folders = {"gone": bot_folder(tmp_path, "gone", "starts.py", "exits-after-hello")}
    config = replace(house_config(tmp_path, folders, CLOCK, Ruling.SUBSTITUTE), restarts_max=restarts_max)
    async with House(config) as house:
        while not isinstance(line := await house._seat("gone", "r0"), Unfit):
            await line.is_ended.wait()

    assert line.reason.startswith(
        "gone: its process exited with code 5, the last of 3 that ended outside of a match, "
        "with no match of it begun between (command: "
    )
    assert len(list((tmp_path / "logs").glob("gone-r0-*.log"))) == LOST_RUNNING_MAX


@pytest.mark.slow
async def test_a_bot_that_is_killed_between_hello_and_match_is_started_anew_and_plays(tmp_path: Path) -> None:
    names = (*HONEST, "south")
    folders = {name: bot_folder(tmp_path, name, "honest.py") for name in names}
    config = replace(house_config(tmp_path, folders, CLOCK, Ruling.SUBSTITUTE), restarts_max=0)
    records = []
    async with House(config) as house:
        for number in range(LOST_RUNNING_MAX):  # matches between: no bot is ever lost so often running
            for _ in range(LOST_RUNNING_MAX - 1):
                line = await house._seat("south", "r0")
                assert not isinstance(line, Unfit)
                (process,) = [p for p in house.launcher.processes if p.label == "south-r0" and p.exit is None]
                os.kill(process.pid, signal.SIGKILL)
                await line.is_ended.wait()
            outcome = await house.play(replace(spec_of(names), key=f"match-{number}", number=number))
            assert isinstance(outcome, MatchRecord), outcome
            records.append(outcome)

    assert [record.faults for record in records] == [()] * LOST_RUNNING_MAX
