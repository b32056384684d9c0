"""What one match record becomes in the tables. Pure: records in, rows out."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from referee.record_json import board_results, fault_to_json, record_digest, record_to_json, rules_digest
from referee.records import BoardResult, DecidedBy, MatchRecord
from referee.store import thinking

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MatchRows:
    """The rows of one match; `match["rule_set_id"]` is left to the writer."""

    match: Row
    seats: list[Row]
    boards: list[Row]
    record: Row
    faults: list[Row]
    thinking: dict[str, dict[int, int]]  # bot to bucket to decisions
    rules: tuple[str, str]  # digest and name


def rows_of(
    record: MatchRecord, match_id: int, *, body: bytes | None = None, packed: bytes | None = None
) -> MatchRows:
    """Everything that the store keeps of a finished match.

    Args:
        record: of the match.
        match_id: its number in the store.
        body: the record's canonical JSON where it is written already.
        packed: the same, compressed, where that is done already.
    """
    spec = record.spec
    body = record_to_json(record) if body is None else body
    digest = record_digest(body)
    packed = zlib.compress(body, 6) if packed is None else packed
    times = thinking_times(record)
    return MatchRows(
        match={
            "id": match_id,
            "key": spec.key,
            "number": spec.number,
            "round_number": spec.round_number,
            "board_set": spec.board_set,
            "attempt": spec.attempt,
            "rotation": spec.rotation,
            "deals": spec.deals,
            "deals_played": len(record.deals),
            "bots": json.dumps(spec.bots),
            "digest": digest,
            "started_at": record.started_at,
            "duration_ms": record.duration_ms,
            "lag_us_max": record.lag_us_max,
        },
        seats=_seat_rows(record, match_id, times),
        boards=[_board_row(board, match_id) for board in board_results(record)],
        record={"match_id": match_id, "key": spec.key, "digest": digest, "body": packed},
        faults=_fault_rows(record, match_id),
        thinking=_buckets(record, times),
        rules=(rules_digest(record.rules), str(record.rules.get("name", ""))),
    )


def _fault_rows(record: MatchRecord, match_id: int) -> list[Row]:
    return [
        {
            "key": record.spec.key,
            "position": position,
            "match_id": match_id,
            "bot": record.spec.bots[fault.seat],
            "kind": fault.kind.value,
            "blame": fault.blame.value,
            "detail": fault_to_json(fault).decode("utf-8"),
        }
        for position, fault in enumerate(record.faults)
    ]


def thinking_times(record: MatchRecord) -> list[list[int]]:
    """Per seat: the thinking time in microseconds of every decision that the bot itself made."""
    times: list[list[int]] = [[] for _ in record.spec.bots]
    for deal in record.deals:
        for decision in deal.decisions:
            if decision.decided_by is DecidedBy.BOT:
                times[decision.seat].append(decision.elapsed_us)
    return times


def _seat_rows(record: MatchRecord, match_id: int, times: list[list[int]]) -> list[Row]:
    return [
        {
            "match_id": match_id,
            "seat": seat,
            "bot": bot,
            "version": record.versions[seat],
            "content": record.content[seat],
            "place": record.places[seat],
            "total": record.totals[seat],
            "autopilot": record.autopilot[seat],
            "decisions": len(times[seat]),
            "max_us": max(times[seat], default=0),
        }
        for seat, bot in enumerate(record.spec.bots)
    ]


def _board_row(board: BoardResult, match_id: int) -> Row:
    is_board = board.unit == "board"
    return {
        "match_id": match_id,
        "deal_number": int(board.deal_id.rpartition(".")[2]) if is_board else 0,
        "points": ",".join(str(int(points)) for points in board.points),
        "places": ",".join(map(str, board.places)),
        "autopilot": "".join("01"[flag] for flag in board.autopilot),
    }


def _buckets(record: MatchRecord, times: list[list[int]]) -> dict[str, dict[int, int]]:
    """Thinking times by bot: a bot may hold several seats of a table."""
    by_bot: dict[str, list[int]] = {}
    for bot, seat_times in zip(record.spec.bots, times, strict=True):
        by_bot.setdefault(bot, []).extend(seat_times)
    return {bot: thinking.count(bot_times) for bot, bot_times in by_bot.items()}
