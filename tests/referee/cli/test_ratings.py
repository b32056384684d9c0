"""`hearts ratings` and `hearts publish`: tables of one tournament, of several, and of a CSV file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ratings.columns import from_columns
from ratings.control import with_control_variate
from ratings.csv_results import read_csv
from ratings.observations import from_boards
from ratings.points import fit_points
from ratings.standings import compute_standings
from ratings.text_table import render
from referee.cli.luck import controlled_of
from referee.cli.main import app
from referee.cli.ratings_command import RankBy, combined
from referee.cli.results import labels_of
from referee.cli.tournament_folder import TournamentFolder
from referee.config import TournamentConfig
from referee.records import BotReport
from referee.rules.dealing import deal_cards, deal_seed, integer_seed
from referee.rules.presets import preset
from referee.rules.reference import reference_scores
from referee.store.model import Event
from tests.referee.cli.matches import late, play_match

CSV = "match_id,deal_id,bot,seat,points,placement\n" + "".join(
    f"m{deal},d{deal},{bot},{seat},{points},{place}\n"
    for deal, order in enumerate(("abcd", "bacd", "abdc", "cabd", "dabc", "abcd"))
    for seat, (bot, points, place) in enumerate(zip(order, (0, 5, 8, 13), (1, 2, 3, 4), strict=True))
)


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def tournament(
    folder: Path,
    *,
    seed: int = 7,
    rules: str = "american",
    anchor: str | None = None,
    control_variate: float | None = None,
    matches: int = 8,
) -> Path:
    raw = {"name": "Cup", "seed": seed, "rules": rules, "anchor": anchor, "control_variate": control_variate}
    with TournamentFolder(folder).create(TournamentConfig.from_dict(raw)) as store:
        store.add_matches(
            [
                play_match(
                    number=number,
                    board_set=number // 4,
                    rotation=number % 4,
                    seed=seed,
                    rules=preset(rules),
                    misdeeds={30: late} if number == 0 else None,
                    bots=("duck", "low", "counter", "moon")[number % 4 :]
                    + ("duck", "low", "counter", "moon")[: number % 4],
                )
                for number in range(matches)
            ]
        )
    return folder


def test_a_csv_file_gives_the_fixed_machine_form(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(CSV, encoding="utf-8")

    data = json.loads(hearts("ratings", file, "--json", "--quiet").stdout)

    assert data == {"schema": 1, **json.loads(json.dumps(compute_standings(read_csv(file)).to_json()))}
    assert {bot["bot"] for bot in data["bots"]} == set("abcd")
    assert sum(bot["elo"] for bot in data["bots"]) == pytest.approx(0, abs=1e-6)


def test_a_tournament_is_rated_as_it_was_configured_unless_told_otherwise(tmp_path: Path) -> None:
    cup = tournament(tmp_path / "cup", anchor="low")
    place = TournamentFolder(cup)
    with place.open(place.config(), read_only=True) as store:
        results, reports = from_boards(store.results()), store.reports()
        labels = labels_of(place.config(), store)

    def table(anchor: str, rank_by: RankBy) -> str:
        return render(
            compute_standings(results, reports=reports, anchor=anchor, rank_by=rank_by.value, labels=labels)
        )

    done = hearts("ratings", cup)

    assert done.exit_code == 0
    assert done.stderr.startswith("rating 32 results\nonline Elo computed by the ")
    assert "package elo" in done.stderr
    assert hearts("ratings", cup, "--quiet").stderr == ""
    assert done.stdout == table("low", RankBy.ELO)
    assert hearts("ratings", cup, "--anchor", "duck").stdout == table("duck", RankBy.ELO)
    assert hearts("ratings", cup, "--rank-by", "points").stdout == table("low", RankBy.POINTS)


def test_csv_and_markdown_go_to_stdout_alone(tmp_path: Path) -> None:
    cup = tournament(tmp_path / "cup")

    assert hearts("ratings", cup, "--csv").stdout.startswith("place,bot,elo,")
    assert hearts("ratings", cup, "--md").stdout.count("\n| ") == 6
    both = hearts("ratings", cup, "--md", "--csv")
    assert (both.exit_code, both.stdout) == (2, "")


def test_faults_are_shown_beside_the_ratings(tmp_path: Path) -> None:
    rows = hearts("ratings", tournament(tmp_path / "cup")).stdout.splitlines()

    charged = {
        row.split()[-1]
        for row in rows
        if row.lstrip(" –≈0123456789").startswith(("duck", "low", "counter", "moon"))
    }
    assert charged == {"0", "1"}


def test_several_tournaments_are_pooled_and_their_faults_added(tmp_path: Path) -> None:
    first, second = tournament(tmp_path / "a"), tournament(tmp_path / "b", seed=8)

    text = hearts("ratings", first, second).stdout

    assert "64 boards" in text
    assert "public seed 7" in text
    assert "public seed 8" in text


def test_what_cannot_be_rated_together_is_refused(tmp_path: Path) -> None:
    first, second = tournament(tmp_path / "a"), tournament(tmp_path / "b", rules="spot")

    mixed = hearts("ratings", first, second)
    twice = hearts("ratings", first, first)

    assert (mixed.exit_code, twice.exit_code) == (2, 2)
    assert "they are never pooled" in mixed.stderr
    assert "is given twice" in twice.stderr


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, "cannot be read"),
        (lambda path: path.mkdir(), "is no folder of a tournament"),
        (lambda path: path.write_text("a,b\n1,2\n"), "column 'match_id' is missing"),
        (lambda path: path.write_text(CSV.replace(",13,4", ",13,5")), "does not fit the others at the table"),
    ],
)
def test_what_is_wrong_with_a_source_is_said(make: object, sentence: str, tmp_path: Path) -> None:
    assert callable(make)
    make(tmp_path / "results.csv")

    done = hearts("ratings", tmp_path / "results.csv", "--quiet")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "results.csv" in done.stderr
    assert sentence in done.stderr


def test_an_anchor_that_did_not_play_is_refused(tmp_path: Path) -> None:
    done = hearts("ratings", tournament(tmp_path / "cup"), "--anchor", "nobody")

    assert done.exit_code == 2
    assert "nobody" in done.stderr


def test_columns_give_the_same_table_as_objects(tmp_path: Path) -> None:
    place = TournamentFolder(tournament(tmp_path / "cup"))
    with place.open(place.config(), read_only=True) as store:
        by_object = compute_standings(from_boards(store.results()))
        by_column = compute_standings(from_columns(store.result_columns()))

    assert render(by_column) == render(by_object)
    assert by_column.to_json() == by_object.to_json()


def test_the_table_says_what_the_organiser_corrected(tmp_path: Path) -> None:
    cup, league = tournament(tmp_path / "cup", matches=9), tournament(tmp_path / "league", seed=8)
    assert hearts("tournament", "annul", cup, "8", "--by", "ann", "--why", "a mistake").exit_code == 0

    forms = [" ".join(hearts("ratings", cup, *form).stdout.split()) for form in ((), ("--md",))]
    status = " ".join(hearts("tournament", "status", cup).stdout.split())
    both = " ".join(hearts("ratings", cup, league).stdout.split())

    for form in forms:
        assert "annulled: 1 match · 8 of 9 finished matches count" in form
    assert "annulled: 1 match · 8 of 9 finished matches count" in status
    assert f"{cup}: annulled: 1 match" in both.replace("- ", "-"), "one of two tournaments alone"
    assert both.count("ruling: substitute") == 1, "what holds for both is said once"
    assert "annulled" not in hearts("ratings", league).stdout


@pytest.mark.parametrize(
    ("until", "question", "ending", "label"),
    [
        ("separated", None, None, "may stop by its own results: until separated"),
        ("separated", None, "closed", "stopped by its own results, intervals a little too narrow: until separated"),
        ("separated", None, "finished", "not stopped by its own results, but played to its end: until separated"),
        (None, "sequential", None, "may stop by its own results: the sequential test"),
        (None, "sequential", "closed", "stopped by its own results, intervals a little too narrow: the sequential"),
        (None, "fixed", "closed", None),
        (None, None, "finished", None),
    ],
)
def test_the_table_says_whether_its_own_results_ended_it(
    tmp_path: Path, until: str | None, question: str | None, ending: str | None, label: str | None
) -> None:
    config = TournamentConfig.from_dict({"name": "Cup", "seed": 7, "until": until})
    with TournamentFolder(tmp_path / "cup").create(config) as store:
        store.add_matches([play_match(number=number, rotation=number) for number in range(4)])
        if question is not None:
            store.add_event(Event(at="", kind="question", message="", data={"question": {"kind": question}}))
        if ending is not None:
            store.add_event(Event(at="", kind="finished", message="", data={"ending": ending}))

    text = " ".join(hearts("ratings", tmp_path / "cup").stdout.split())

    if label is None:
        assert "by its own results" not in text
    else:
        assert f" · {label}" in text


def test_luck_of_the_cards_is_taken_out_where_that_was_ordered(tmp_path: Path) -> None:
    place = TournamentFolder(tournament(tmp_path / "cup", control_variate=0.3, matches=6))
    config = place.config()
    with place.open(config, read_only=True) as store:
        results = from_boards(store.results())
        controlled = controlled_of(config, store, results)
    rules, seed = preset("american"), integer_seed(7)
    baseline = {}
    for deal_id in results.deal_ids:
        board_set, attempt, number = map(int, deal_id.split("."))
        dealt = deal_cards(rules, deal_seed(seed, "", board_set, attempt, number))
        dealer = (number - 1) % 4
        baseline[deal_id] = list(map(float, reference_scores(rules, number, dealer, dealt.hands, dealt.widow)))
    every_deal = with_control_variate(results, baseline, 0.3)

    text, data = hearts("ratings", place.path).stdout, json.loads(hearts("ratings", place.path, "--json").stdout)

    assert controlled is not None
    by_bot = dict(zip(results.bots, fit_points(every_deal.results).value, strict=True))
    assert {bot["bot"]: bot["points"] for bot in data["bots"]} == pytest.approx(by_bot)
    assert data["control_variate"] == controlled.to_json()
    assert data["control_variate"]["beta"] == 0.3
    assert "points corrected for the luck of the cards, beta 0.3 fixed beforehand" in " ".join(text.split())
    assert "points corrected for the luck" in hearts("ratings", place.path, "--md").stdout
    raw = json.loads(hearts("ratings", tournament(tmp_path / "raw", matches=6), "--json").stdout)
    assert "control_variate" not in raw
    for one, other in zip(sorted(raw["bots"], key=str), sorted(data["bots"], key=str), strict=True):
        assert (one["elo"], one["points_mean"]) == (other["elo"], other["points_mean"])


def test_a_plan_for_points_is_made_of_the_points_of_the_table(tmp_path: Path) -> None:
    folder = tournament(tmp_path / "cup", control_variate=0.3, matches=6)

    table = {bot["bot"]: bot["points"] for bot in json.loads(hearts("ratings", folder, "--json").stdout)["bots"]}
    pairs = json.loads(hearts("plan", folder, "--points", "--json").stdout)["pairs"]

    assert pairs
    for pair in pairs:
        assert pair["difference"] == pytest.approx(table[pair["a"]] - table[pair["b"]])


def test_in_whole_board_sets_the_control_variate_changes_nothing(tmp_path: Path) -> None:
    with_it = json.loads(hearts("ratings", tournament(tmp_path / "a", control_variate=0.3), "--json").stdout)
    without = json.loads(hearts("ratings", tournament(tmp_path / "b"), "--json").stdout)

    assert with_it["bots"] == without["bots"]


def test_points_with_and_without_control_variate_are_not_pooled(tmp_path: Path) -> None:
    first = tournament(tmp_path / "a", control_variate=0.3, matches=6)
    second = tournament(tmp_path / "b", control_variate=0.3, matches=6, seed=8)
    third = tournament(tmp_path / "c", seed=9)

    alike, mixed = hearts("ratings", first, second), hearts("ratings", first, third)

    assert "beta 0.3 fixed beforehand" in " ".join(alike.stdout.split())
    assert mixed.exit_code == 2
    assert "the control variates differ" in mixed.stderr


def test_reports_of_one_bot_are_added() -> None:
    one = BotReport(bot="a", matches=1, decisions=10, faults={"timeout/bot": 1}, p50_us=5, max_us=7)
    other = BotReport(bot="a", matches=2, decisions=20, faults={"breach/bot": 2, "timeout/bot": 3}, max_us=9)
    alone = BotReport(bot="b", matches=1, decisions=1, p50_us=3)

    assert combined([one, alone, other]) == [
        BotReport(bot="a", matches=3, decisions=30, faults={"breach/bot": 2, "timeout/bot": 4}, max_us=9),
        alone,
    ]


def test_publish_writes_the_table_and_names_the_files(tmp_path: Path) -> None:
    cup = tournament(tmp_path / "cup")

    done = hearts("publish", cup, "--out", tmp_path / "site", "--json")

    files = [Path(file) for file in json.loads(done.stdout)["files"]]
    assert files
    assert all(file.is_file() and file.is_relative_to(tmp_path / "site") for file in files)
    assert hearts("publish", cup).stdout.startswith("wrote ")
    assert hearts("publish", cup, "--quiet").stdout == hearts("publish", cup).stdout != "", (
        "a result is no progress"
    )


def test_the_table_as_of_a_round_has_the_results_up_to_it(tmp_path: Path) -> None:
    with TournamentFolder(tmp_path / "cup").create(TournamentConfig.from_dict({"name": "Cup", "seed": 7})) as store:
        records = [play_match(number=number, board_set=number, rotation=0) for number in range(3)]
        store.add_matches(
            [replace(r, spec=replace(r.spec, round_number=number)) for number, r in enumerate(records)]
        )

    data = json.loads(hearts("ratings", tmp_path / "cup", "--as-of", 1, "--json").stdout)
    history = json.loads(hearts("ratings", tmp_path / "cup", "--history", "--json").stdout)["history"]
    lines = hearts("ratings", tmp_path / "cup", "--history").stdout.splitlines()

    assert {row["deals"] for row in data["bots"]} == {8}
    assert [(point["round"], point["boards"]) for point in history] == [(0, 4), (1, 8), (2, 12)]
    assert lines[0] == "round,boards,bot,elo,low,high,online_elo"
    assert len(lines) == 1 + 3 * 4
    assert hearts("ratings", tmp_path / "cup", "--history", "--md").exit_code == 2
    late = hearts("ratings", tmp_path / "cup", "--as-of", 99_999)
    assert (late.exit_code, "the last round with a result is 2, counted from 0" in late.stderr) == (2, True)
