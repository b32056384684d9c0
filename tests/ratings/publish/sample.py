"""A small tournament that was really played, to be published by the tests."""

from __future__ import annotations

from dataclasses import replace

from ratings.observations import from_boards
from ratings.publish import BotNote, Details, FaultNote
from ratings.standings import Standings, compute_standings
from referee.record_json import board_results
from referee.records import BotReport, MatchRecord, TimeControl
from referee.rules.presets import preset
from tests.referee.cli.matches import illegal, play_match

HOSTILE = '<script>alert("x")</script>|_*&'
BOTS = ("duck", "low", HOSTILE, "moon")
RULES = preset("american")
DETAILS = Details(
    started_at="2026-11-30T03:10:00+00:00",
    finished_at="2026-11-30T04:12:00+00:00",
    matches=8,
    rules_name="american",
    rules=RULES.to_dict(),
    card_values=RULES.values,
    match_length="A match is 4 deals",
    ruling="The referee decides for it",
    clock=TimeControl(),
    trust="bots are trusted",
    commitment="c0" * 32,
    seed="5e" * 32,
    root="07" * 32,
    software="hearts-arena 0",
    bots={
        "duck": BotNote(versions=("1.0", "1.1"), author="Ada <b>& Co</b>", language="go"),
        "low": BotNote(versions=("1.3",)),
        HOSTILE: BotNote(author="Z" * 200),
    },
    faults=(
        FaultNote(
            bot=HOSTILE,
            kind="breach",
            breach="MUST_FOLLOW_SUIT",
            blame="bot",
            message="TC <b>does not</b> follow suit",
            match=0,
            number=1,
            deal_number=1,
            overruled=False,
        ),
    ),
    fault_counts={HOSTILE: 1},
    voided=("Match 3: the referee lagged",),
    corrections=("1. match annulled, by me: <why>",),
)


def played() -> list[MatchRecord]:
    """Eight matches over different deals; in the first one somebody breaks a rule."""
    records = []
    for number in range(8):
        record = play_match(
            bots=(*BOTS[number % 4 :], *BOTS[: number % 4]),
            number=number,
            board_set=number,
            misdeeds={9: illegal} if number == 0 else None,
        )
        records.append(replace(record, spec=replace(record.spec, round_number=number)))
    return records


def rated(records: list[MatchRecord]) -> Standings:
    """Their rating table, with reports and history."""
    return compute_standings(
        from_boards(board for record in records for board in board_results(record)),
        reports=[
            BotReport(bot=bot, matches=8, decisions=440, faults={"breach/bot": 1} if bot == HOSTILE else {})
            for bot in records[0].spec.bots
        ],
        history_points=8,
        labels=("rules: american",),
    )
