"""From deal means to a sentence: where the test stops, and what is said."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.answer import (
    SAME_DEALS_MIN,
    Answer,
    DuelResults,
    Estimate,
    Fixed,
    Question,
    first_decision,
    question_from_json,
    question_to_json,
)
from ratings.sequential import DEALS_MIN, Hypotheses, Verdict, deal_means, log_likelihood_ratio
from ratings.simulation import simulate
from referee.records import BoardResult
from tests.ratings.boards import board

SEED = 31

# By seat, as seated. With the seats exchanged "even" is the same at each seat, whoever sits there.
POINTS: dict[str, tuple[float, ...]] = {
    "better": (3.0, 4.0, 9.0, 10.0),
    "even": (3.0, 9.0, 4.0, 10.0),
    "worse": (9.0, 10.0, 3.0, 4.0),
}


def board_set(number: int, kinds: list[str]) -> list[BoardResult]:
    """One deal for each kind, as seated and with the seats exchanged; `kind` says how `new` does against `old`."""
    boards = []
    for deal, kind in enumerate(kinds):
        for rotation in range(2):
            points = POINTS[kind] if rotation == 0 or kind == "even" else POINTS[kind][2:] + POINTS[kind][:2]
            boards.append(
                board(
                    2 * number + rotation,
                    ("new", "new", "old", "old") if rotation == 0 else ("old", "old", "new", "new"),
                    points,
                    match_id=f"{number}/{rotation}",
                    deal_id=f"{number}.0.{deal}",
                    round_number=number,
                )
            )
    return boards


def results(kinds: list[list[str]], *, is_same: bool = False, order: list[int] | None = None) -> DuelResults:
    duel = DuelResults("new", "old")
    for number in order or range(len(kinds)):
        duel.add(number, board_set(number, kinds[number]), is_same=is_same)
    return duel


def mixed(sets: int, *, better: float, seed: int = 5) -> list[list[str]]:
    rng = Random(seed)
    return [[rng.choices(("better", "worse"), (better, 1 - better))[0] for _ in range(4)] for _ in range(sets)]


def test_a_better_bot_is_called_better_in_both_units_with_the_deals_it_took() -> None:
    answer = results(mixed(60, better=0.8)).answer(Hypotheses(high=100.0))

    assert answer.verdict is Verdict.BETTER
    assert answer.is_final
    assert 30 <= answer.deals < 240
    assert answer.llr is not None
    assert answer.llr >= Hypotheses().upper
    assert str(answer).startswith("new is better than old: +")
    assert str(answer).endswith(f"Elo of the placement score; stopped after {answer.deals} deals")
    assert " points a deal, +" in str(answer)


def test_when_the_other_bot_is_better_the_answer_says_so_from_its_side() -> None:
    answer = results(mixed(60, better=0.1)).answer(Hypotheses(high=100.0))

    assert answer.verdict is Verdict.NOT_BETTER
    assert answer.is_b_better
    assert str(answer).startswith("old is better than new: +")
    assert answer.elo.value is not None
    assert answer.elo.value < 0


def test_equal_bots_are_called_not_better() -> None:
    answer = results(mixed(200, better=0.5)).answer(Hypotheses(high=100.0))

    assert answer.verdict is Verdict.NOT_BETTER
    assert not answer.is_b_better
    assert str(answer).startswith("new is not better than old: ")


def test_the_answer_is_the_same_whatever_order_board_sets_end_in_and_whatever_comes_after() -> None:
    kinds = mixed(60, better=0.8)
    order = list(range(60))
    Random(1).shuffle(order)

    alone = results(kinds).answer(Hypotheses(high=100.0))
    sets = alone.deals // 4

    assert results(kinds, order=order).answer(Hypotheses(high=100.0)) == alone
    assert results(kinds[:sets]).answer(Hypotheses(high=100.0)) == alone
    assert not results(kinds[: sets - 1]).answer(Hypotheses(high=100.0)).is_final


def test_board_sets_behind_a_gap_do_not_count() -> None:
    kinds = mixed(60, better=0.8)

    answer = results(kinds, order=[0, 1, 3, 4, *range(6, 60)]).answer(Hypotheses(high=100.0))

    assert answer.deals == 8
    assert answer.verdict is Verdict.UNDECIDED


def asked_after_each(kinds: list[list[str]], order: list[int], question: Question) -> Answer:
    """The first answer that is final when the question is put after each arrival; the last one if none is."""
    duel = DuelResults("new", "old")
    answer = duel.answer(question)
    for number in order:
        duel.add(number, board_set(number, kinds[number]), is_same=kinds[number] == ["even"] * 4)
        answer = duel.answer(question)
        if answer.is_final:
            break
    return answer


@settings(max_examples=15, deadline=None)
@given(
    differs_from=st.sampled_from([0, 1, 25, 26, 30]),
    better=st.sampled_from([0.1, 0.5, 0.8]),
    question=st.sampled_from([Hypotheses(high=100.0), Hypotheses(high=1.0, unit="points"), Fixed(deals=101)]),
    chance=st.randoms(use_true_random=False),
)
def test_the_answer_does_not_depend_on_the_order_of_arrival(
    differs_from: int, better: float, question: Question, chance: Random
) -> None:
    kinds = [["even"] * 4] * differs_from + mixed(30 - differs_from, better=better)
    order = list(range(30))
    chance.shuffle(order)

    assert asked_after_each(kinds, order, question) == asked_after_each(kinds, list(range(30)), question)
    assert results(kinds, order=order).answer(question).to_json() == results(kinds).answer(question).to_json()


def test_identical_play_is_said_of_the_first_100_deals_whatever_was_under_way_then() -> None:
    same = [["even"] * 4] * 25

    for more in ([["even"] * 4] * 5, mixed(5, better=0.8)):
        duel = DuelResults("new", "old")
        for number, kinds in enumerate(same + more):
            duel.add(number, board_set(number, kinds), is_same=kinds == ["even"] * 4)
        assert str(duel.answer(Hypotheses())).endswith("played the same cards in all of 100 deals")


def test_a_board_set_that_will_never_be_played_is_no_gap() -> None:
    kinds = mixed(60, better=0.8)
    duel = results(kinds, order=[1, 2, 4, *range(7, 60)])

    assert [duel.answer(Fixed(deals=80), settled).deals for settled in (0, 1, 3, 4, 6, 7)] == [0, 8, 8, 12, 12, 80]
    assert duel.answer(Fixed(deals=80), math.inf) == duel.answer(Fixed(deals=80), 7)
    assert duel.deals == 4 * 56


def test_the_first_decision_is_the_one_that_looking_each_time_would_find() -> None:
    seed = 11
    print("seed", seed)
    rng = np.random.default_rng(seed)
    question = Hypotheses(high=40.0)
    for mean in (0.4, 0.5, 0.55, 0.6):
        means = rng.normal(mean, 0.25, 400)
        looks = np.arange(4, 401, 4)
        ratios = [log_likelihood_ratio(means[:deals], question) for deals in looks]
        expected = next(
            (
                index
                for index, (deals, ratio) in enumerate(zip(looks, ratios, strict=True))
                if deals >= DEALS_MIN and not question.lower < ratio < question.upper
            ),
            None,
        )

        assert first_decision(means, looks, question) == expected


def duel_means(elo: float, deals: int, rng: np.random.Generator) -> np.ndarray:
    results = simulate({"a": elo, "b": 0.0}, deals, rng, design="duel", luck=1.0, unlike=0.5)
    return deal_means(results, "a", "b", "elo")


def run(elo: float, rng: np.random.Generator) -> tuple[Verdict, int]:
    """The answer to 0 against 50 Elo when looked at after each board set, and the deals it took."""
    question, looks = Hypotheses(low=0, high=50), np.arange(4, 401, 4)
    means = duel_means(elo, 400, rng)
    decided = first_decision(means, looks, question)
    if decided is None:
        return Verdict.UNDECIDED, 400
    deals = int(looks[decided])
    is_better = log_likelihood_ratio(means[:deals], question) > 0
    return Verdict.BETTER if is_better else Verdict.NOT_BETTER, deals


def test_an_equal_bot_is_called_better_in_one_run_of_twenty_at_most() -> None:
    rng = np.random.default_rng(SEED)

    verdicts = [run(0.0, rng)[0] for _ in range(300)]

    # Three standard deviations above the nominal five per cent.
    assert verdicts.count(Verdict.BETTER) / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    assert verdicts.count(Verdict.UNDECIDED) <= 3


def test_a_better_bot_is_found_and_long_before_a_fixed_number_of_deals_would() -> None:
    rng = np.random.default_rng(SEED)

    runs = [run(50.0, rng) for _ in range(100)]

    assert [verdict for verdict, _ in runs].count(Verdict.BETTER) >= 85
    assert np.mean([deals for _, deals in runs]) < 150


def test_nothing_is_said_before_thirty_deals() -> None:
    kinds = [["better"] * 3 + ["even"]] * 8

    early, late = (results(kinds[:sets]).answer(Hypotheses(high=100.0)) for sets in (7, 8))

    assert (early.deals, early.verdict, early.llr) == (28, Verdict.UNDECIDED, None)
    assert early.progress().startswith("first look after 30 deals")
    assert (late.deals, late.verdict) == (32, Verdict.BETTER)


def test_identical_play_is_an_answer_and_not_a_number() -> None:
    enough = SAME_DEALS_MIN // 4
    answer = results([["even"] * 4] * enough, is_same=True).answer(Hypotheses())

    assert answer.verdict is Verdict.IDENTICAL
    assert str(answer) == "identical play: new and old played the same cards in all of 100 deals"
    assert not results([["even"] * 4] * (enough - 1), is_same=True).answer(Hypotheses()).is_final
    fixed = results([["even"] * 4] * 10, is_same=True).answer(Fixed(deals=40))
    assert fixed.verdict is Verdict.IDENTICAL


def test_bots_that_come_out_even_by_other_cards_are_not_identical() -> None:
    kinds = [["even"] * 4] * 40

    for question in (Hypotheses(), Fixed(deals=100)):
        answer = results(kinds, is_same=False).answer(question)
        assert answer.verdict is Verdict.UNDECIDED
        assert "are not told apart" in str(answer)


def test_a_fixed_number_of_deals_is_rounded_up_to_whole_board_sets_and_more_do_not_count() -> None:
    kinds = mixed(60, better=0.8)

    answer = results(kinds).answer(Fixed(deals=50))

    assert answer.deals == 52
    assert answer.verdict is Verdict.BETTER
    assert answer.llr is None
    assert str(answer).endswith("after 52 deals")
    assert not results(kinds[:12]).answer(Fixed(deals=50)).is_final


def test_a_fixed_number_of_deals_may_leave_the_question_open() -> None:
    answer = results(mixed(5, better=0.5)).answer(Fixed(deals=20, unit="points"))

    assert answer.verdict is Verdict.UNDECIDED
    assert answer.is_final


def test_nothing_played_is_no_answer() -> None:
    for question in (Hypotheses(), Hypotheses(unit="points", high=1.0), Fixed(deals=10)):
        answer = DuelResults("new", "old").answer(question)
        assert (answer.deals, answer.is_final, answer.elo.value) == (0, False, None)


@pytest.mark.parametrize(
    ("estimate", "text", "turned"),
    [
        (Estimate(35.2, 25.1, 45.3), "+35 ± 10", "-35 ± 10"),
        (Estimate(350.0, 280.0, 460.0), "+350 (+280 to +460)", "-350 (-460 to -280)"),
        (Estimate(350.0, 280.0, None), "+350 (+280 to no bound)", "-350 (no bound to -280)"),
        (Estimate(-0.2, -9.4, 9.0), "+0 ± 9", "+0 ± 9"),
        (Estimate(None, None, None), "no finite number", "no finite number"),
    ],
)
def test_an_estimate_reads_from_either_side(estimate: Estimate, text: str, turned: str) -> None:
    assert estimate.text(0) == text
    assert estimate.text(0, is_turned=True) == turned


def test_an_answer_as_json_has_the_question_and_the_sentence() -> None:
    data = results(mixed(60, better=0.8)).answer(Hypotheses(high=100.0)).to_json()

    assert data["verdict"] == "better"
    assert data["question"] == {
        "unit": "elo",
        "kind": "sequential",
        "low": 0.0,
        "high": 100.0,
        "alpha": 0.05,
        "beta": 0.05,
        "lower": Hypotheses().lower,
        "upper": Hypotheses().upper,
    }
    assert str(data["sentence"]).startswith("new is better than old")


@pytest.mark.parametrize("question", [Hypotheses(low=-5.0, unit="points"), Fixed(deals=40, unit="points")])
def test_a_question_reads_back_from_json(question: Question) -> None:
    assert question_from_json(question_to_json(question)) == question
