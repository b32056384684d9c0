"""An organiser's corrections: rows of their own, applied whenever results are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from sqlalchemy import ColumnElement, Connection, Select, insert, or_, select

from referee.store.model import Correction, CorrectionKind, StoreError, reading_row
from referee.store.schema import attempts, corrections, faults, matches, seats


def add(connection: Connection, correction: Correction) -> int:
    """Append a correction and return its number.

    Raises:
        StoreError: nobody signed it, or what it corrects is not in the store.
    """
    _check(connection, correction)
    row = {
        "kind": correction.kind.value,
        "bot": correction.bot,
        "key": correction.key,
        "fault": correction.fault,
        "reverses": correction.reverses,
        "who": correction.who,
        "why": correction.why,
        "at": correction.at,
    }
    number: int = connection.execute(insert(corrections).values(row).returning(corrections.c.id)).scalar_one()
    return number


def _check(connection: Connection, correction: Correction) -> None:
    if not correction.who.strip() or not correction.why.strip():
        raise StoreError(f"correction {correction.kind.value!r} lacks who or why: both are kept with it")
    match correction.kind:
        case CorrectionKind.WITHDRAW:
            bots = connection.scalars(select(seats.c.bot).distinct()).all()
            if correction.bot not in bots:
                known = ", ".join(sorted(bots)) or "none yet"
                raise StoreError(f"no bot {correction.bot!r} has finished a match here: the bots are {known}")
        case CorrectionKind.ANNUL:
            if not connection.scalar(select(matches.c.id).where(matches.c.key == correction.key)):
                raise StoreError(
                    f"no finished match has the key {correction.key!r}: see `hearts tournament status`"
                )
        case CorrectionKind.OVERRULE:
            query = select(faults.c.id).where(
                faults.c.key == correction.key,
                faults.c.position == correction.fault,
                faults.c.match_id.is_not(None),
            )
            if not connection.scalar(query):
                raise StoreError(
                    f"match {correction.key!r} has no fault at position {correction.fault!r}, counted from 0"
                )
        case CorrectionKind.REVERSE:
            if correction.reverses not in {each.number for each in read_all(connection)}:
                raise StoreError(f"no correction has the number {correction.reverses!r} to be reversed")
        case _:
            assert_never(correction.kind)


def standing(connection: Connection) -> list[Correction]:
    """The corrections in force, in the order they were made: those reversed are gone, and so are the reversals."""
    return in_force(read_all(connection))


def read_all(connection: Connection) -> list[Correction]:
    """Every correction ever made."""
    found = []
    for row in connection.execute(select(corrections).order_by(corrections.c.id)):
        with reading_row("corrections", row.id):
            correction = Correction(
                kind=CorrectionKind(row.kind),
                who=row.who,
                why=row.why,
                at=row.at,
                bot=row.bot,
                key=row.key,
                fault=row.fault,
                reverses=row.reverses,
                number=row.id,
            )
        found.append(correction)
    return found


def in_force(made: Iterable[Correction]) -> list[Correction]:
    """Those of the corrections that no later one in force reverses."""
    reversed_numbers: set[int | None] = set()
    kept = []
    for correction in sorted(made, key=lambda each: each.number, reverse=True):
        if correction.number in reversed_numbers:
            continue
        if correction.kind is CorrectionKind.REVERSE:
            reversed_numbers.add(correction.reverses)
        else:
            kept.append(correction)
    return kept[::-1]


def left_out(connection: Connection) -> Select[tuple[int]]:
    """A query for the finished matches that do not count: annulled, of a withdrawn bot, of a voided board set."""
    made = standing(connection)
    keys = [each.key for each in made if each.kind is CorrectionKind.ANNUL]
    bots = [each.bot for each in made if each.kind is CorrectionKind.WITHDRAW]
    voided = select(attempts.c.id).where(
        attempts.c.whole_board_set,
        attempts.c.board_set == matches.c.board_set,
        attempts.c.attempt == matches.c.attempt,
    )
    conditions: list[ColumnElement[bool]] = [voided.exists()]
    if keys:
        conditions.append(matches.c.key.in_(keys))
    if bots:
        conditions.append(matches.c.id.in_(select(seats.c.match_id).where(seats.c.bot.in_(bots))))
    return select(matches.c.id).where(or_(*conditions))
