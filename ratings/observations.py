"""Results in columns: what every fit reads.

A rating needs a few numbers of each board (who sat where, points, places, which deal), and there may be a
million boards. They are kept as numpy columns: about 60 bytes a seat, where a tuple of objects needs a
kilobyte.

Boards are sorted by deal, because boards of one deal hang together and every interval sums by deal; `number`
keeps the schedule order for the things that depend on it (online Elo, history).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ratings.arrays import Flags, Floats, Ints
from referee.records import BoardResult


class ResultError(ValueError):
    """A result that cannot be rated. The message is one sentence for the person who has to mend it."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Boards in columns. Build it with `from_boards`, `ratings.csv_results.read_csv` or `merged`.

    Row columns have one value a seat of a board; board `b` owns rows `start[b]` to `start[b + 1]`, by seat.
    """

    bots: tuple[str, ...]  # sorted by name; `bot` points here
    unit: str  # "board" or "match"
    rules: str  # digest of the rule set
    deal_ids: tuple[str, ...]
    match_ids: tuple[str, ...]
    # per row
    bot: Ints
    points: Floats  # score of the observation; fewer is better
    place: Ints
    autopilot: Flags
    # per board
    start: Ints  # one longer than the boards
    deal: Ints  # not decreasing
    match: Ints
    number: Ints  # position in schedule order
    round_number: Ints
    deals: Ints  # deals in the observation, 1 for a board

    @property
    def boards(self) -> int:
        """Number of rated observations."""
        return len(self.deal)

    @cached_property
    def seats(self) -> Ints:
        """Seats of each board."""
        return np.diff(self.start)

    @cached_property
    def board_of_row(self) -> Ints:
        """The board of each row."""
        return np.repeat(np.arange(self.boards, dtype=np.int32), self.seats)

    @cached_property
    def has_autopilot(self) -> Flags:
        """Whether any seat of a board was played by the referee."""
        return np.bincount(self.board_of_row, weights=self.autopilot, minlength=self.boards) > 0

    @cached_property
    def schedule_order(self) -> Ints:
        """Boards in schedule order."""
        return np.lexsort((self.deal, self.number))

    @cached_property
    def entries(self) -> Entries:
        """The (deal, bot) couples that occur."""
        key = self.deal[self.board_of_row].astype(np.int64) * len(self.bots) + self.bot
        couples, of_row = np.unique(key, return_inverse=True)
        deal, bot = np.divmod(couples, max(len(self.bots), 1))
        deal_start = np.searchsorted(deal, np.arange(len(self.deal_ids) + 1))
        return Entries(
            of_row=of_row.astype(np.int32),
            bot=bot.astype(np.int32),
            deal=deal.astype(np.int32),
            deal_start=deal_start.astype(np.int64),
        )

    @cached_property
    def deals_of_deal(self) -> Ints:
        """The deals that each of `deal_ids` stands for: 1, or as many as a match to a target score took at most."""
        most = np.zeros(len(self.deal_ids), dtype=np.int64)
        np.maximum.at(most, self.deal, self.deals)
        return most

    @property
    def deals_played(self) -> int:
        """Number of different deals."""
        return int(self.deals_of_deal.sum())

    def selected(self, boards: Flags) -> Observations:
        """The boards where `boards` is true, with the same bots (some may have none left)."""
        rows = boards[self.board_of_row]
        deals, deal = np.unique(self.deal[boards], return_inverse=True)
        matches, match = np.unique(self.match[boards], return_inverse=True)
        return Observations(
            bots=self.bots,
            unit=self.unit,
            rules=self.rules,
            deal_ids=tuple(self.deal_ids[code] for code in deals),
            match_ids=tuple(self.match_ids[code] for code in matches),
            bot=self.bot[rows],
            points=self.points[rows],
            place=self.place[rows],
            autopilot=self.autopilot[rows],
            start=np.concatenate(([0], np.cumsum(self.seats[boards]))).astype(np.int64),
            deal=deal.astype(np.int32),
            match=match.astype(np.int32),
            number=self.number[boards],
            round_number=self.round_number[boards],
            deals=self.deals[boards],
        )

    def until(self, round_number: int) -> Observations:
        """The results as they stood when round `round_number` had ended."""
        return self.selected(self.round_number <= round_number)


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The (deal, bot) couples of some observations, sorted by deal, then bot."""

    of_row: Ints  # the couple of each row
    bot: Ints
    deal: Ints
    deal_start: Ints  # deal d owns couples deal_start[d] to deal_start[d + 1]


class _Codes:
    """Numbers names by first appearance."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self.of.setdefault(name, len(self.of))


def from_boards(boards: Iterable[BoardResult]) -> Observations:
    """Put results into columns.

    Raises:
        ResultError: two units or two rule sets, or a board that contradicts itself.
    """
    bot_code, deal_code, match_code = _Codes(), _Codes(), _Codes()
    bot, place, seats = array("i"), array("i"), array("i")
    points, autopilot = array("d"), array("b")
    deal, match, round_number, deals, number = array("i"), array("i"), array("i"), array("i"), array("q")
    unit = rules = ""
    for board in boards:
        if not seats:
            unit, rules = board.unit, board.rules
        _check_pool(unit, rules, board)
        _check_board(board)
        bot.extend(map(bot_code, board.bots))
        points.extend(board.points)
        place.extend(board.places)
        autopilot.extend(board.autopilot)
        seats.append(len(board.bots))
        deal.append(deal_code(board.deal_id))
        match.append(match_code(board.match_id))
        number.append(board.number)
        round_number.append(board.round_number)
        deals.append(board.deals)
    return assemble(
        unit=unit,
        rules=rules,
        bots=tuple(bot_code.of),
        deal_ids=tuple(deal_code.of),
        match_ids=tuple(match_code.of),
        bot=np.array(bot, dtype=np.int32),
        points=np.array(points, dtype=np.float64),
        place=np.array(place, dtype=np.int32),
        autopilot=np.array(autopilot, dtype=np.bool_),
        seats=np.array(seats, dtype=np.int64),
        deal=np.array(deal, dtype=np.int32),
        match=np.array(match, dtype=np.int32),
        number=np.array(number, dtype=np.int64),
        round_number=np.array(round_number, dtype=np.int32),
        deals=np.array(deals, dtype=np.int32),
    )


def assemble(
    *,
    unit: str,
    rules: str,
    bots: Sequence[str],
    deal_ids: Sequence[str],
    match_ids: Sequence[str],
    bot: Ints,
    points: Floats,
    place: Ints,
    autopilot: Flags,
    seats: Ints,
    deal: Ints,
    match: Ints,
    number: Ints,
    round_number: Ints,
    deals: Ints,
) -> Observations:
    """Sort columns into the canonical order: bots by name, deals by id, boards by deal and match.

    The order in which results arrived is gone afterwards, so no number can depend on it.
    """
    bots, bot = _renumbered(bots, bot)
    deal_ids, deal = _renumbered(deal_ids, deal)
    match_ids, match = _renumbered(match_ids, match)
    order = np.lexsort((number, match, deal))
    first = np.concatenate(([0], np.cumsum(seats))).astype(np.int64)
    start = np.concatenate(([0], np.cumsum(seats[order]))).astype(np.int64)
    rows = np.repeat(first[:-1][order] - start[:-1], seats[order]) + np.arange(len(bot))
    return Observations(
        bots=bots,
        unit=unit,
        rules=rules,
        deal_ids=deal_ids,
        match_ids=match_ids,
        bot=bot[rows],
        points=points[rows],
        place=place[rows],
        autopilot=autopilot[rows],
        start=start,
        deal=deal[order],
        match=match[order],
        number=number[order],
        round_number=round_number[order],
        deals=deals[order],
    )


def merged(parts: Mapping[str, Observations]) -> Observations:
    """Pool several tournaments, given by name, as if one had followed the other.

    Deals and matches of different tournaments are kept apart even where their ids are equal.

    Raises:
        ResultError: the tournaments differ in unit or rule set, or there is none.
    """
    named = [(name, part) for name, part in parts.items() if part.boards]
    if not named:
        raise ResultError("there is no result to rate in any of the tournaments given")
    first_name, first = named[0]
    for name, part in named[1:]:
        for what, here, there in (("unit", part.unit, first.unit), ("rule set", part.rules, first.rules)):
            if here != there:
                raise ResultError(
                    f"{name} has {what} {here!r} but {first_name} has {there!r}: they are never pooled, "
                    f"rate them separately"
                )
    bot_code = _Codes()
    shifts = _shifts([part for _, part in named])
    return assemble(
        unit=first.unit,
        rules=first.rules,
        bot=np.concatenate(
            [np.array([bot_code(bot) for bot in part.bots], dtype=np.int32)[part.bot] for _, part in named]
        ),
        bots=tuple(bot_code.of),
        deal_ids=[f"{name}/{deal}" for name, part in named for deal in part.deal_ids],
        match_ids=[f"{name}/{match}" for name, part in named for match in part.match_ids],
        points=np.concatenate([part.points for _, part in named]),
        place=np.concatenate([part.place for _, part in named]),
        autopilot=np.concatenate([part.autopilot for _, part in named]),
        seats=np.concatenate([part.seats for _, part in named]),
        deal=np.concatenate([part.deal + shift[0] for (_, part), shift in zip(named, shifts, strict=True)]),
        match=np.concatenate([part.match + shift[1] for (_, part), shift in zip(named, shifts, strict=True)]),
        number=np.concatenate([part.number + shift[2] for (_, part), shift in zip(named, shifts, strict=True)]),
        round_number=np.concatenate(
            [part.round_number + shift[3] for (_, part), shift in zip(named, shifts, strict=True)]
        ),
        deals=np.concatenate([part.deals for _, part in named]),
    )


def _shifts(parts: Sequence[Observations]) -> list[tuple[int, int, int, int]]:
    """What to add to deal, match, number and round of each part so that it follows the parts before it."""
    shifts, deal, match, number, round_number = [], 0, 0, 0, 0
    for part in parts:
        shifts.append((deal, match, number, round_number))
        deal += len(part.deal_ids)
        match += len(part.match_ids)
        number += int(part.number.max()) + 1
        round_number += int(part.round_number.max()) + 1
    return shifts


def _renumbered(names: Sequence[str], codes: Ints) -> tuple[tuple[str, ...], Ints]:
    """Names in sorted order, and the codes that point at them there."""
    order = sorted(range(len(names)), key=names.__getitem__)
    position = np.empty(len(names), dtype=np.int32)
    position[order] = np.arange(len(names), dtype=np.int32)
    return tuple(names[index] for index in order), position[codes]


def _check_pool(unit: str, rules: str, board: BoardResult) -> None:
    for what, first, here in (("unit", unit, board.unit), ("rule set", rules, board.rules)):
        if first != here:
            raise ResultError(
                f"match {board.match_id} has {what} {here!r} but results before it have {first!r}: "
                f"they are never pooled, rate them separately"
            )


def _check_board(board: BoardResult) -> None:
    where = f"match {board.match_id}, deal {board.deal_id}"
    sizes = {len(board.bots), len(board.points), len(board.places), len(board.autopilot)}
    if len(sizes) != 1 or len(board.bots) < 2:
        raise ResultError(
            f"{where}: bots, points, places and autopilot must be one value a seat, two seats or more"
        )
    if not all(map(math.isfinite, board.points)):
        raise ResultError(f"{where}: points {board.points!r} hold a value that is no finite number")
    places = board.places
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise ResultError(f"{where}: places {places!r} are no ranking; bots that tie share one, as in 1, 1, 3, 4")
    if board.deals < 1:
        raise ResultError(f"{where}: deals is {board.deals}, at least 1 is needed")
