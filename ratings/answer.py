"""The answer to "is A better than B?": where the test stopped, and both units in words.

The deals are read in schedule order, whatever order they were played in: the test looks after each whole board set
and stops at the first look that decides. So a comparison that was killed and resumed gives the same answer, to the
digit, as one that was not, and matches still under way at that moment cannot change it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ratings.arrays import Floats, Ints
from ratings.observations import from_boards
from ratings.sequential import (
    DEALS_MIN,
    Hypotheses,
    Unit,
    Verdict,
    deal_means,
    decide_fixed,
    log_likelihood_ratio,
)
from referee.records import BoardResult

TREND_MIN = 0.5  # log-likelihood ratio under which its direction is chance
SAME_DEALS_MIN = 100  # of identical play, before a sequential test says so: then fewer than 3 in 100 deals differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """The question put to a number of deals that is fixed beforehand, answered by the 95 % interval in `unit`."""

    deals: int
    unit: Unit = "elo"

    def __str__(self) -> str:
        unit = "Elo of the placement score" if self.unit == "elo" else "points a deal"
        return f"{self.deals:,} deals, answered by the 95 % interval of {unit}"


Question = Hypotheses | Fixed


def question_to_json(question: Question) -> dict[str, object]:
    """Give a question as JSON values; `question_from_json` reads it back to an equal one."""
    kind = "fixed" if isinstance(question, Fixed) else "sequential"
    return {"kind": kind, **asdict(question)}


def question_from_json(raw: Mapping[str, Any]) -> Question:
    """Read what `question_to_json` wrote."""
    fields = {name: value for name, value in raw.items() if name != "kind"}
    return Fixed(**fields) if raw["kind"] == "fixed" else Hypotheses(**fields)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much better A is, with its 95 % interval; None where there is no finite number."""

    value: float | None
    low: float | None
    high: float | None

    def text(self, digits: int, *, is_turned: bool = False) -> str:
        """`+35 ± 10`, or both ends where they are not equally far; `is_turned` says it of B."""
        ends = (self.value, self.low, self.high)
        value, low, high = (None if end is None else -end if is_turned else end for end in ends)
        if is_turned:
            low, high = high, low
        if value is None:
            return "no finite number"
        if low is None or high is None:
            return f"{_signed(value, digits)} ({'no bound' if low is None else _signed(low, digits)} to " + (
                "no bound)" if high is None else f"{_signed(high, digits)})"
            )
        below, above = value - low, high - value
        if round(below, digits) == round(above, digits):
            return f"{_signed(value, digits)} ± {below:.{digits}f}"
        return f"{_signed(value, digits)} ({_signed(low, digits)} to {_signed(high, digits)})"

    def to_json(self) -> dict[str, float | None]:
        """Give the estimate as JSON values."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the deals so far say, and whether they are enough."""

    a: str
    b: str
    question: Question
    verdict: Verdict
    is_b_better: bool  # beyond "A is not better": the same test with the two exchanged says "better"
    deals: int  # that the answer rests on
    elo: Estimate
    points: Estimate
    llr: float | None  # None for a fixed number of deals, or before the first look

    @property
    def is_final(self) -> bool:
        """Whether nothing more needs to be played."""
        return self.verdict is not Verdict.UNDECIDED or (
            isinstance(self.question, Fixed) and self.deals >= self.question.deals
        )

    def __str__(self) -> str:
        """The answer in words, in one sentence."""
        if self.verdict is Verdict.IDENTICAL:
            return f"identical play: {self.a} and {self.b} played the same cards in all of {self.deals:,} deals"
        if self.verdict is Verdict.BETTER:
            claim = f"{self.a} is better than {self.b}"
        elif self.is_b_better:
            claim = f"{self.b} is better than {self.a}"
        elif self.verdict is Verdict.NOT_BETTER:
            claim = f"{self.a} is not better than {self.b}"
        else:
            claim = f"{self.a} and {self.b} are not told apart"
        turned = self.is_b_better and self.verdict is Verdict.NOT_BETTER
        ending = "stopped after" if self.is_final and isinstance(self.question, Hypotheses) else "after"
        return f"{claim}: {self._size(is_turned=turned)}; {ending} {self.deals:,} deals"

    def _size(self, *, is_turned: bool) -> str:
        points, elo = (self.points.text(2, is_turned=is_turned), self.elo.text(0, is_turned=is_turned))
        return f"{points} points a deal, {elo} Elo of the placement score"

    def progress(self) -> str:
        """Where the test stands, for the line that shows progress."""
        if isinstance(self.question, Fixed):
            return self._size(is_turned=False) if self.deals >= 2 else ""
        bounds = f"bounds {self.question.lower:+.2f} and {self.question.upper:+.2f}"
        if self.llr is None:
            return f"first look after {DEALS_MIN} deals, {bounds}"
        return f"log-likelihood ratio {self.llr:+.2f}, {bounds}{self._to_go(self.question)}"

    def _to_go(self, question: Hypotheses) -> str:
        """The deals that are missing if those to come are like those that were."""
        if self.llr is None or abs(self.llr) < TREND_MIN or self.is_final:
            return ""
        bound = question.upper if self.llr > 0 else question.lower
        return f", about {math.ceil(self.deals * (bound / self.llr - 1)):,} deals to go"

    def to_json(self) -> dict[str, object]:
        """Give the answer as JSON values."""
        question = question_to_json(self.question)
        if isinstance(self.question, Hypotheses):
            question |= {"lower": self.question.lower, "upper": self.question.upper}
        return {
            "a": self.a,
            "b": self.b,
            "verdict": self.verdict.value,
            "is_b_better": self.is_b_better,
            "deals": self.deals,
            "elo": self.elo.to_json(),
            "points": self.points.to_json(),
            "llr": self.llr,
            "question": question,
            "sentence": str(self),
        }


class DuelResults:
    """The whole board sets of a comparison, in whatever order they come.

    Args:
        a: the bot that is asked about.
        b: the bot it is held against.
    """

    def __init__(self, a: str, b: str) -> None:
        self.a = a
        self.b = b
        self._sets: dict[int, _Means] = {}

    def add(self, board_set: int, boards: Iterable[BoardResult], *, is_same: bool) -> None:
        """Take the boards of one board set.

        Args:
            board_set: its place in the schedule, from 0.
            boards: all of them: as seated, and with the seats exchanged.
            is_same: the same cards were played at each seat, before and after the exchange.
        """
        results = from_boards(boards)
        self._sets[board_set] = _Means(
            elo=deal_means(results, self.a, self.b, "elo"),
            points=deal_means(results, self.a, self.b, "points"),
            is_same=is_same,
        )

    @property
    def deals(self) -> int:
        """How many deals there are, those behind a gap or behind the answer among them."""
        return sum(len(means.elo) for means in self._sets.values())

    def answer(self, question: Question, settled: float = 0) -> Answer:
        """Say what the board sets without a gap before them say.

        Args:
            question: what is asked.
            settled: board sets at the schedule's beginning of which nothing is left to play: one that is missing
                among them, since its bot broke down or its match was annulled, will never be there, and is no gap.
        """
        whole: list[_Means] = []
        following = settled
        for board_set, means in sorted(self._sets.items()):
            if board_set > following:
                break
            whole.append(means)
            following = max(board_set + 1, settled)
        if isinstance(question, Fixed):
            return self._fixed(whole, question)
        return self._sequential(whole, question)

    def _fixed(self, whole: list[_Means], question: Fixed) -> Answer:
        ends = np.cumsum([len(means.elo) for means in whole], dtype=np.int64)
        count = min(len(whole), int(np.searchsorted(ends, question.deals)) + 1)
        used = whole[:count]
        deals = int(ends[count - 1]) if count else 0
        verdict = Verdict.UNDECIDED
        if deals >= question.deals:
            verdict = decide_fixed(_joined(used, question.unit), question.unit).verdict
            if verdict is Verdict.IDENTICAL and not _all_same(used):
                verdict = Verdict.UNDECIDED
        # With a 95 % interval on the other side of even, "not better" is "worse".
        return self._answer(used, question, verdict, None, is_b_better=verdict is Verdict.NOT_BETTER)

    def _sequential(self, whole: list[_Means], question: Hypotheses) -> Answer:
        ends = np.cumsum([len(getattr(means, question.unit)) for means in whole], dtype=np.int64)
        means = _joined(whole, question.unit)
        decides, same = first_decision(means, ends, question), _first_same(whole, ends)
        stop = min((look for look in (decides, same) if look is not None), default=len(whole) - 1)
        used = whole[: stop + 1]
        means = means[: ends[stop]] if used else means
        llr = log_likelihood_ratio(means, question) if len(means) >= DEALS_MIN else None
        verdict = Verdict.UNDECIDED
        if llr is not None and stop == decides:
            verdict = Verdict.BETTER if llr > 0 else Verdict.NOT_BETTER
        elif stop == same:
            verdict = Verdict.IDENTICAL
        turned = 1 - means if question.unit == "elo" else -means
        is_b_better = verdict is Verdict.NOT_BETTER and log_likelihood_ratio(turned, question) >= question.upper
        return self._answer(used, question, verdict, llr, is_b_better=is_b_better)

    def _answer(
        self, used: list[_Means], question: Question, verdict: Verdict, llr: float | None, *, is_b_better: bool
    ) -> Answer:
        elo = decide_fixed(_joined(used, "elo"), "elo")
        points = decide_fixed(_joined(used, "points"), "points")
        return Answer(
            a=self.a,
            b=self.b,
            question=question,
            verdict=verdict,
            is_b_better=is_b_better,
            deals=elo.deals,
            elo=Estimate(elo.difference, elo.low, elo.high),
            points=Estimate(points.difference, points.low, points.high),
            llr=llr,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Means:
    """The deal means of one board set; a deal that the referee had to finish has no points."""

    elo: Floats
    points: Floats
    is_same: bool


def first_decision(means: Floats, looks: Ints, hypotheses: Hypotheses) -> int | None:
    """Give the index of the first look at which the sequential test decides.

    Args:
        means: of the deals in schedule order.
        looks: how many deals have been seen at each look, not decreasing.
        hypotheses: the question.
    """
    n = looks.astype(np.float64)
    total, squares = (np.concatenate(([0.0], np.cumsum(x)))[looks] for x in (means, means**2))
    low, high = hypotheses.means
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (squares - total**2 / n) / (n - 1)
        llr = (high - low) * (2 * total - n * (low + high)) / (2 * variance)
    # A spread of nothing, but for rounding, is no evidence.
    decides = (n >= DEALS_MIN) & (variance > 1e-12) & ((llr >= hypotheses.upper) | (llr <= hypotheses.lower))
    return int(np.argmax(decides)) if decides.any() else None


def _first_same(sets: list[_Means], looks: Ints) -> int | None:
    """Give the index of the first look at which identical play may be said; None where it may not."""
    look = int(np.searchsorted(looks, SAME_DEALS_MIN))
    return look if look < len(sets) and _all_same(sets[: look + 1]) else None


def _joined(sets: list[_Means], unit: Unit) -> Floats:
    return np.concatenate([getattr(means, unit) for means in sets]) if sets else np.empty(0)


def _all_same(sets: list[_Means]) -> bool:
    return all(means.is_same for means in sets)


def _signed(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return f"{value:+}"
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # adding zero turns -0.0 into 0.0
