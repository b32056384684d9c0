"""`hearts replay`: one match, or one fault of it, for people or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import JsonOption, QuietOption, count_text, emit, emit_json, fail, note, quoted
from referee.cli.errors import Failure
from referee.cli.replay_text import render, render_fault
from referee.cli.replay_view import check_seats, only_deal, seen_by
from referee.cli.tournament_folder import TournamentFolder
from referee.launch.process_log import read_log
from referee.plan import attempts_of, plan_of, revealed_seed, unrotated
from referee.record_json import RecordError, record_from_json, record_to_json
from referee.records import Fault, MatchRecord, MatchSpec
from referee.schedule.pairing import Seating, match_key
from referee.store import Store

_KEY_CHARS_MIN = 6  # of a key's beginning that is taken for the key


def replay(
    source: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A tournament's folder, or a file of records (JSON, or JSON Lines)."),
    ],
    match: Annotated[
        str | None,
        typer.Argument(metavar="[MATCH]", help="Which match: its number, or its key or the beginning of it."),
    ] = None,
    deal: Annotated[int | None, typer.Option("--deal", metavar="N", help="Only this deal, from 1.")] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="SEAT", help="Only what this seat knew: a bot's name, or a number from 0."),
    ] = None,
    fault: Annotated[
        int | None,
        typer.Option("--fault", metavar="N", help="Only this fault, from 1, with all its evidence."),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show a finished match: every trick, who took what, times, notes and faults.

    In a trick, > marks the card that was led, * one that the referee played for a seat after a fault and ! one
    played on autopilot; the number behind a card is the thinking time in milliseconds. It is blank
    where no time was taken, as on autopilot.
    """
    record = whole = find_record(source, match)
    check_seats(record)
    if source.is_dir() and _has_tables_to_come(source, record.spec):
        note(
            f"match {record.spec.number}: other tables have still to play these deals (board set "
            f"{record.spec.board_set} is not complete): show them to nobody who enters a bot",
            quiet=quiet,
        )
    if fault is not None:
        _show_fault(record, fault, source, as_json=as_json)
        return
    if deal is not None:
        if deal not in {each.deal_number for each in record.deals}:
            fail(f"--deal {deal}: the match has the deals 1 to {len(record.deals)}")
        record = only_deal(record, deal)
    if seat is not None:
        record = seen_by(record, seat_of(record, seat))
    if as_json:
        emit_json({"record": json.loads(record_to_json(record))})
    else:
        emit(render(record, whole, is_single=_is_single(source)))


def _has_tables_to_come(folder: Path, spec: MatchSpec) -> bool:
    """Whether the deals of a match are still to be played at other tables of its board set."""
    place = TournamentFolder(folder)
    with place.read() as store:
        if not store.events(kind="started") or revealed_seed(store) is not None:
            return False
        plan = plan_of(place.config(), store)
        if plan is None or attempts_of(store).get(spec.board_set, 0) > spec.attempt:  # which are dealt anew
            return False
        rotations = plan.rotations(Seating(spec.round_number, spec.board_set, unrotated(spec)))
        keys = {match_key(plan.tournament, spec.board_set, spec.attempt, rotation) for rotation in rotations}
        return not keys <= store.finished_keys()


def find_record(source: Path, match: str | None) -> MatchRecord:
    """Return the match that is meant, of a tournament's folder or a file of records."""
    if source.is_dir():
        with TournamentFolder(source).read() as store:
            return store.record(_key_in(store, match, source))
    records = _read_records(source)
    if match is None:
        if len(records) > 1:
            fail(f"{source}: holds {len(records)} matches: say which one, such as {records[0].spec.number}")
        return records[0]
    found = [each for each in records if _is_meant(match, each.spec.number, each.spec.key)]
    if len(found) != 1:
        numbers = _span([each.spec.number for each in records])
        fail(f"{source}: {len(found) or 'no'} matches fit {match!r}; it holds {numbers}")
    return found[0]


def _is_meant(match: str, number: int, key: str) -> bool:
    return match == str(number) or match == key or (len(match) >= _KEY_CHARS_MIN and key.startswith(match))


def _key_in(store: Store, match: str | None, source: Path) -> str:
    count = store.finished_count()
    if not count:
        fail(f"{source}: no match is finished yet")
    if match is None and count > 1:
        fail(
            f"{source}: holds {count_text(count, 'match')}: say which one, "
            f"such as `hearts replay {quoted(source)} 0`"
        )
    found = store.matches_meant(match or "")
    if len(found) == 1:
        return found[0][1]
    if not found:
        raise Failure(f"{source}: none of {count_text(count, 'finished match')} has the number or key {match!r}")
    raise Failure(f"{source}: {match!r} may be {found[0][1]}, {found[1][1]} or others: give more of the key")


def _span(numbers: list[int]) -> str:
    return f"{len(numbers)} matches, numbered {min(numbers)} to {max(numbers)}"


def _is_single(source: Path) -> bool:
    """Whether a file holds one record and nothing of a tournament, as `hearts play --record` writes it."""
    return source.is_file() and not _is_list(_filled(source.read_bytes()))


def _filled(data: bytes) -> list[bytes]:
    return [line for line in data.splitlines() if line.strip()]


def _is_list(lines: list[bytes]) -> bool:
    return len(lines) > 1 and lines[1].startswith(b"{")


def _read_records(file: Path) -> list[MatchRecord]:
    data = file.read_bytes()
    if data.startswith(b"SQLite format 3"):
        fail(f"{file}: is a tournament's store, not a file of records: give its folder, {file.parent}")
    lines = _filled(data)
    if not lines:
        fail(f"{file}: is empty, so there is no match in it")
    try:
        if _is_list(lines):
            # An export has a head and a tail about the records between them.
            return [record_from_json(line) for line in lines if b'"record_version"' in line]
        return [record_from_json(data)]
    except RecordError as error:
        raise Failure(f"{file}: {error}") from error


def seat_of(record: MatchRecord, text: str) -> int:
    """Return the seat that a bot's name or a number means."""
    bots = record.spec.bots
    if text in bots:
        if bots.count(text) > 1:
            seats = ", ".join(str(seat) for seat, bot in enumerate(bots) if bot == text)
            fail(f"--seat {text!r}: sits at the seats {seats}: give one of the numbers")
        return bots.index(text)
    if text.isdecimal() and int(text) < len(bots):
        return int(text)
    raise Failure(f"--seat {text!r}: give a number from 0 to {len(bots) - 1}, or one of {', '.join(bots)}")


def _show_fault(record: MatchRecord, number: int, source: Path, *, as_json: bool) -> None:
    if not 1 <= number <= len(record.faults):
        what = f"the match has the faults 1 to {len(record.faults)}" if record.faults else "the match has no faults"
        fail(f"--fault {number}: {what}")
    stderr = _stderr_of(record.faults[number - 1], source)
    if as_json:
        seat = record.faults[number - 1].seat
        emit_json(
            {
                "match": record.spec.number,
                "key": record.spec.key,
                "bot": record.spec.bots[seat],
                "fault": json.loads(record_to_json(record))["faults"][number - 1],
                "strays": {stray.kind.value: stray.count for stray in record.strays if stray.seat == seat},
                "stderr": stderr,
            }
        )
    else:
        emit(render_fault(record, number, stderr))


def _stderr_of(fault: Fault, source: Path) -> list[str] | None:
    """What the bot wrote meanwhile; None where the log is not there (any more)."""
    if fault.stderr_window is None:
        return None
    name, first, last = fault.stderr_window
    logs = TournamentFolder(source).logs if source.is_dir() else source.parent
    for file in (Path(name), logs / Path(name).name):
        if name and file.is_file():
            return read_log(file, first, last).decode("utf-8", "replace").splitlines()
    return None
