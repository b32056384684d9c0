"""The geometry of the charts: where lines, dots and words go. Drawing is the templates' affair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratings.standings import HistoryPoint, StandingsRow

LINES_MAX = 10  # in one chart; more cannot be told from each other
POINTS_MIN = 3  # fewer are no history
_LABEL_GAP = 15.0  # between the baselines of two labels


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high`, drawn over `length` units, with round numbers as ticks."""

    low: float
    high: float
    length: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Where a value is; beyond the ends it is held there."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(share * self.length, 1)


def axis_over(values: Iterable[float], length: float, *, ticks_max: int) -> Axis:
    """An axis that just holds all values and zero, with ticks at round numbers."""
    numbers = [0.0, *values]
    low, high = min(numbers), max(numbers)
    if low == high:
        high = 1.0
    step = _round_step((high - low) / ticks_max)
    first, last = math.ceil(low / step), math.floor(high / step)
    return Axis(low, high, length, tuple(step * number for number in range(first, last + 1)))


def _round_step(step: float) -> float:
    """The next of 1, 2, 5, 10, … that is not below."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval with its value; an end that is None is open: nothing bounds it there."""

    value: float | None
    low: float | None
    high: float | None


def elo_axis(rows: Sequence[StandingsRow], length: float) -> Axis:
    """The axis that all bars of a table share; mere bounds are left out, since they would flatten the others."""
    rated = [row for row in rows if row.elo is not None]
    ends = [end for row in rated for end in (row.elo_low, row.elo_high, row.elo) if end is not None]
    return axis_over(ends, length, ticks_max=4)


def bar_of(row: StandingsRow, axis: Axis) -> Bar | None:
    """The bar of one bot, in units of the axis; None where nothing is known."""
    if row.elo is None and row.elo_low is None and row.elo_high is None:
        return None
    return Bar(*(None if number is None else axis.at(number) for number in (row.elo, row.elo_low, row.elo_high)))


@dataclass(frozen=True, slots=True)
class Line:
    """The Elo of one bot over the rounds."""

    bot: str
    style: int  # colour and dashes, from 0
    path: str  # of SVG
    band: str  # of SVG: the interval
    end: tuple[float, float]
    label_y: float


@dataclass(frozen=True, slots=True)
class History:
    """A chart of ratings over rounds."""

    elo: Axis  # from the bottom up
    rounds: Axis
    lines: tuple[Line, ...]
    left_out: int  # bots that have no line


def history_chart(
    history: Sequence[HistoryPoint], bots: Sequence[str], *, width: float, height: float
) -> History | None:
    """Lines of the first bots; None where there are too few rounds to draw.

    The axis holds the values and not their intervals, since the early ones would flatten everything.
    """
    if len(history) < POINTS_MIN:
        return None
    drawn = [bot for bot in bots if sum(bot in point.elo for point in history) > 1][:LINES_MAX]
    if not drawn:
        return None
    values = (point.elo[bot][0] for point in history for bot in drawn if bot in point.elo)
    elo = axis_over(values, height, ticks_max=6)
    rounds = axis_over((float(point.boards) for point in history), width, ticks_max=6)
    labels = _spread([_last(history, bot, elo) for bot in drawn], height)
    lines = tuple(
        _line(history, bot, style, rounds, elo, label)
        for style, (bot, label) in enumerate(zip(drawn, labels, strict=True))
    )
    return History(elo, rounds, lines, len(bots) - len(drawn))


def _last(history: Sequence[HistoryPoint], bot: str, elo: Axis) -> float:
    value = next(point.elo[bot][0] for point in reversed(history) if bot in point.elo)
    return elo.length - elo.at(value)


def _line(history: Sequence[HistoryPoint], bot: str, style: int, rounds: Axis, elo: Axis, label_y: float) -> Line:
    known = [(rounds.at(point.boards), *point.elo[bot]) for point in history if bot in point.elo]

    def path(places: Iterable[tuple[float, float]]) -> str:
        return "M" + " L".join(f"{x:g},{elo.length - elo.at(value):g}" for x, value in places)

    upper = [(x, high) for x, _, _, high in known]
    lower = [(x, low) for x, _, low, _ in reversed(known)]
    return Line(
        bot=bot,
        style=style,
        path=path((x, value) for x, value, _, _ in known),
        band=path([*upper, *lower]) + " Z",
        end=(known[-1][0], round(elo.length - elo.at(known[-1][1]), 1)),
        label_y=label_y,
    )


def _spread(wanted: Sequence[float], height: float) -> list[float]:
    """Move labels apart so that none covers another, keeping their order."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    lowest = -math.inf
    for index in order:
        lowest = placed[index] = max(wanted[index], lowest + _LABEL_GAP)
    highest = height + _LABEL_GAP
    for index in reversed(order):
        highest = placed[index] = min(placed[index], highest - _LABEL_GAP)
    return [round(place, 1) for place in placed]
