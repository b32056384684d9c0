"""`hearts plan`: deals to tell bots apart, from a pilot."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from rich.cells import cell_len
from scipy.special import stdtrit
from typer.testing import CliRunner, Result

from ratings.bradley_terry import fit_bradley_terry
from ratings.csv_results import read_csv
from referee.cli.main import app

SEED = 4


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def pilot(tmp_path: Path) -> Path:
    """Sixty deals of four bots; the first is somewhat better than the others."""
    rng = random.Random(SEED)
    lines = ["match_id,deal_id,bot,seat,points,placement"]
    for deal in range(60):
        points = {bot: rng.randrange(20) - 4 * (bot == "ada") for bot in ("ada", "bob", "cy", "di")}
        lines += [
            f"m{deal},d{deal},{bot},{seat},{value},{1 + sum(other < value for other in points.values())}"
            for seat, (bot, value) in enumerate(points.items())
        ]
    file = tmp_path / "pilot.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_half_the_difference_costs_four_times_the_deals(pilot: Path) -> None:
    wide, narrow = (json.loads(hearts("plan", pilot, "--apart", x, "--json").stdout) for x in (40, 20))

    assert wide["deals_now"] == narrow["deals_now"] == 60
    ratio = (narrow["deals_now"] + narrow["deals_more"]) / (wide["deals_now"] + wide["deals_more"])
    assert ratio == pytest.approx(4, rel=0.01)
    assert len(wide["pairs"]) == 6
    assert {pair["a"] for pair in wide["pairs"] if "ada" in (pair["a"], pair["b"])} == {"ada"}
    assert wide["sentence"].startswith("any two bots 40 apart separated: about ")


def test_the_dearest_pair_decides_and_to_separate_it_on_the_table_takes_more_than_to_test_it(pilot: Path) -> None:
    data = json.loads(hearts("plan", pilot, "--apart", 30, "--json").stdout)

    dearest = data["pairs"][0]
    assert set(data["slowest"]) == {dearest["a"], dearest["b"]}
    # Six pairs: 2.638 standard errors instead of 1.960, and 0.842 for a power of 80 % with both.
    wanted = dearest["deals"] * ((2.638 + 0.842) / (1.960 + 0.842)) ** 2
    assert data["deals_now"] + data["deals_more"] == pytest.approx(wanted, rel=0.002)


def test_the_margin_of_a_small_pilot_is_that_of_its_few_deals(pilot: Path) -> None:
    fit = fit_bradley_terry(read_csv(pilot))

    pair = json.loads(hearts("plan", pilot, "--json").stdout)["pairs"][0]

    i, j = fit.bots.index(pair["a"]), fit.bots.index(pair["b"])
    freedom = fit.difference_freedom()[i, j]
    assert freedom < 60
    assert pair["margin"] == pytest.approx(stdtrit(freedom, 0.975) * fit.difference_se()[i, j])


def test_the_text_fits_in_80_columns_whatever_the_names(pilot: Path) -> None:
    names = {"ada": "n" * 40, "bob": "日本語の" * 10, "cy": "m" * 40}
    text = pilot.read_text(encoding="utf-8")
    for short, name in names.items():
        text = text.replace(f",{short},", f",{name},")
    pilot.write_text(text, encoding="utf-8")

    lines = hearts("plan", pilot, "--apart", 20).stdout.splitlines()

    assert max(map(len, lines)) <= 80
    start = next(number for number, line in enumerate(lines) if line.startswith("pair "))
    assert len({cell_len(line) for line in lines[start + 1 : start + 7]}) == 1


def test_the_text_names_the_unit_and_only_the_pairs_asked_for(pilot: Path) -> None:
    result = hearts("plan", pilot, "--points", "--apart", 0.5, "--bot", "bob")

    assert result.exit_code == 0, result.stderr
    assert "deals for 0.5" in result.stdout
    assert result.stdout.count("bob, ") + result.stdout.count(", bob") >= 3
    assert "ada, cy" not in result.stdout
    assert "in points a deal; deals in all, those of the pilot included\n" in result.stdout
    assert "by a test of each pair alone; to be separated on the table takes the number above" in " ".join(
        result.stdout.split()
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--apart", "1e-300"], "--apart 1e-300: give a difference from 0.001 to 10000, such as --apart 20"),
        (["--apart", "inf"], "--apart inf: give a difference from 0.001 to 10000, such as --apart 20"),
        (["--apart", "0"], "--apart 0: give a difference above zero, such as --apart 20"),
        (["--power", "1"], "--power 1: give a chance from 0.5 to below 1"),
        (["--bot", "eve"], "--bot eve: there is no result of it; the bots are ada, bob, cy, di"),
    ],
)
def test_what_cannot_be_planned_is_a_sentence(pilot: Path, words: list[str], sentence: str) -> None:
    result = hearts("plan", pilot, *words)

    assert result.exit_code == 2
    assert sentence in result.stderr
