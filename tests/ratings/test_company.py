"""The company report: silent on a clean tournament, loud on a friend at the table and on a memory."""

import json
from dataclasses import replace

import numpy as np
import pytest

from ratings import company
from ratings import standings as standings_module
from ratings.company import CHANCE, find_company, find_memory
from ratings.markdown_table import markdown_text
from ratings.observations import Observations
from ratings.points import fit_points
from ratings.simulation import simulate
from ratings.standings import compute_standings
from ratings.text_table import render

POOL = {"a": 0.0, "b": 50.0, "c": 100.0, "d": 150.0, "e": 0.0, "f": 80.0}
SEED = 23


def with_a_friend(results: Observations, gift: float) -> Observations:
    """Where b sits with a, the third bots take `gift` points more each, as if b fed them."""
    points = results.points.copy()
    for board in range(results.boards):
        rows = slice(results.start[board], results.start[board + 1])
        seated = [results.bots[bot] for bot in results.bot[rows]]
        if "a" in seated and "b" in seated:
            points[rows] += [gift if bot not in ("a", "b") else 0.0 for bot in seated]
    return replace(results, points=points)


def test_an_honest_table_shows_something_as_often_as_the_level_says(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(SEED)
    tables = [(results, fit_points(results)) for results in (simulate(POOL, 60, rng, luck=1.0) for _ in range(80))]

    def fired() -> int:
        return sum(bool(find_company(*table) + find_memory(*table)) for table in tables)

    # One of 80 at the level of the product; 16 at one of 20 %, less what the correction gives away.
    assert company.ERROR == 0.01
    assert fired() <= 4
    monkeypatch.setattr(company, "ERROR", 0.2)
    assert 6 <= fired() <= 26


def test_a_friend_who_feeds_the_others_is_found_by_name() -> None:
    results = with_a_friend(simulate(POOL, 400, np.random.default_rng(SEED), luck=1.0), 4.0)

    findings = find_company(results, fit_points(results))

    assert ("a", "b") in {(finding.bot, finding.other) for finding in findings}
    assert str(findings[0]).startswith(f"{findings[0].bot} takes ")
    assert "when" in str(findings[0])


def test_a_bot_that_remembers_the_deal_is_found() -> None:
    results = simulate(POOL, 200, np.random.default_rng(SEED), luck=1.0)
    points = results.points.copy()
    later = np.arange(results.boards)[results.board_of_row] % 4 > 0
    points[(results.bot == results.bots.index("c")) & later] -= 2.0
    results = replace(results, points=points)

    findings = find_memory(results, fit_points(results))

    assert [finding.bot for finding in findings] == ["c"]
    assert findings[0].p_value <= company.ERROR
    assert "once it has seen the deal before" in str(findings[0])


def test_findings_stand_below_every_table_and_in_the_machine_form() -> None:
    results = with_a_friend(simulate(POOL, 400, np.random.default_rng(SEED), luck=1.0), 4.0)

    standings = compute_standings(results)

    assert standings.findings
    sentence = str(standings.findings[0])
    assert f"      ?  {sentence[:40]}" in render(standings)
    assert "- a takes " in markdown_text(standings)
    assert CHANCE == "chance does this in 1 of 100 honest tables: a question to the author, not a verdict"
    assert "      ?  chance does this in 1 of 100 honest tables" in render(standings)
    assert f"- {CHANCE}" in markdown_text(standings)
    found = json.loads(json.dumps(standings.to_json()))["findings"]
    assert [each["sentence"] for each in found] == [str(finding) for finding in standings.findings]
    assert {"kind", "bot", "other", "points", "p_value", "deals"} < found[0].keys()


def test_a_clean_table_is_silent_and_a_table_that_was_not_searched_says_so() -> None:
    results = simulate(POOL, 100, np.random.default_rng(SEED), luck=1.0)

    clean, unsearched = compute_standings(results), compute_standings(results, with_findings=False)

    assert clean.findings == ()
    assert "      ?  " not in render(clean)
    assert "chance does this" not in markdown_text(clean)
    assert "findings" not in clean.to_json()
    assert "      ?  gains by company and by memory were not looked for" in render(unsearched)


def test_very_many_boards_are_searched_only_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings_module, "EXTRAS_BOARDS_MAX", 50)
    results = simulate(POOL, 20, np.random.default_rng(SEED), luck=1.0)

    assert compute_standings(results).findings is None
    assert compute_standings(results, with_findings=True).findings == ()


def test_copies_of_two_bots_alone_at_a_table_raise_no_question() -> None:
    results = simulate({"a": 0.0, "b": 50.0}, 50, np.random.default_rng(SEED), design="duel")

    assert find_company(results, fit_points(results)) == ()
