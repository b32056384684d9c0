"""What an organiser decides: corrections, salt, closing; each kept in the store and told in the results."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.plan import salt_of
from tests.referee.cli.matches import illegal, late, play_match
from tests.referee.simulated import ordered, play_cup, play_on


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def joined(text: str) -> str:
    """The text without its line breaks."""
    return " ".join(text.split())


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("organiser") / "cup"
    asyncio.run(play_cup(folder, ordered(board_sets=6)))
    return folder


SIGNED = ("--by", "ada", "--why", "it looked at others' cards")


def test_a_withdrawn_bot_leaves_the_published_table_and_returns_when_that_is_reversed(cup: Path) -> None:
    table = (cup / "standings.csv").read_text()

    withdrawn = hearts("tournament", "withdraw", cup, "amy", *SIGNED)

    assert withdrawn.exit_code == 0, withdrawn.stderr
    assert max(map(len, withdrawn.stdout.replace(str(cup), "cup").splitlines())) <= 80
    assert "amy" not in (cup / "standings.csv").read_text()
    counted = [
        int(words)
        for words in re.findall(r"(\d+) boards taken out of the results, (\d+) left", joined(withdrawn.stdout))[0]
    ]
    assert sum(counted) == 6 * 4
    for name in ("standings.txt", "standings.md", "site/index.html"):
        told = " ".join((cup / name).read_text().split())
        assert "withdrawn: amy" in told
        assert f"{counted[1]} of 24 finished matches count" in told
    assert hearts("verify", cup).exit_code == 0
    number = json.loads(hearts("tournament", "corrections", cup, "--json").stdout)["corrections"][-1]["number"]
    assert hearts("tournament", "reverse", cup, number, *SIGNED).exit_code == 0
    assert (cup / "standings.csv").read_text() == table
    told = joined(hearts("tournament", "corrections", cup).stdout)
    assert f"{number}. withdraw amy, by ada at " in told
    assert f"{number + 1}. reverse {number}, by ada at " in told


FOUR = ("amy", "bob", "cyd", "dan")


@pytest.mark.parametrize("schedule", ["round-robin", "knockout"])
async def test_where_a_withdrawal_leaves_no_result_every_file_says_so_and_is_verified(
    schedule: str, tmp_path: Path
) -> None:
    folder = tmp_path / "cup"
    sizes = {"board_sets": 2} if schedule == "round-robin" else {"group_board_sets": 2}
    await play_cup(folder, ordered(schedule=schedule, **sizes), bots=FOUR)
    before = {path: path.read_bytes() for path in published_in(folder)}

    withdrawn = hearts("tournament", "withdraw", folder, "amy", *SIGNED)

    assert withdrawn.exit_code == 0
    assert "8 boards taken out of the results, 0 left" in joined(withdrawn.stdout)
    why = "withdrawn: amy; 0 of 8 finished matches count"
    assert f"no result: {why}; the table and the site say so in {folder}" in withdrawn.stderr
    for name in ("standings.txt", "standings.md", "site/index.html"):
        assert f"No result: {why}." in (folder / name).read_text().replace("\\", "")
    assert json.loads((folder / "standings.json").read_text()) == {
        "bots": [],
        "los": {},
        "warnings": [f"no result: {why}"],
    }
    assert (folder / "standings.csv").read_text().startswith("place,bot,elo,")
    assert "it looked at others" in (folder / "site/index.html").read_text(), "who withdrew it, and why"
    assert not list((folder / "site").glob("*/*.html")), "no page of a bot or a match stays"
    for path in (folder, folder / "site"):
        done = hearts("verify", path)
        assert done.exit_code == 0, done.stdout
    assert hearts("publish", folder).exit_code == 0
    assert hearts("verify", folder).exit_code == 0
    assert hearts("tournament", "reverse", folder, 1, *SIGNED).exit_code == 0
    assert (folder / "standings.csv").read_bytes() == before[folder / "standings.csv"]
    assert set(published_in(folder)) == set(before)
    assert hearts("verify", folder).exit_code == 0


def published_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in (".txt", ".md", ".csv", ".json", ".html")]


async def test_where_the_anchor_is_withdrawn_there_is_no_result_and_the_files_say_why(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    await play_cup(folder, ordered(board_sets=6, anchor="amy"))

    withdrawn = hearts("tournament", "withdraw", folder, "amy", *SIGNED)

    assert withdrawn.exit_code == 0
    told = (folder / "standings.txt").read_text()
    assert re.search(r"No result: .*'amy'.*; withdrawn: amy; \d+ of 24 finished matches count\.", told), told
    assert hearts("verify", folder).exit_code == 0


def test_a_match_is_annulled_by_its_number(cup: Path) -> None:
    done = hearts("tournament", "annul", cup, "3", *SIGNED, "--json")

    assert json.loads(done.stdout)["kind"] == "annul"
    assert hearts("verify", cup / "site").exit_code == 0


def test_a_fault_is_overruled_by_the_number_under_which_it_is_shown(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    with place.create(ordered()) as store:
        store.add_matches([play_match(number=5, misdeeds={30: late, 31: illegal})])
    first, second = (hearts("replay", place.path, "5", "--fault", number).stdout for number in (1, 2))
    assert ("low, timeout" in first, "counter, breach CARD_NOT_HELD" in second) == (True, True)

    done = hearts("tournament", "overrule", place.path, "5", "2", *SIGNED)

    assert "fault 2 of match 5, breach (CARD_NOT_HELD) of counter, is overruled" in joined(done.stdout)
    with place.read() as store:
        assert [(fault.bot, fault.overruled) for fault in store.faults()] == [("low", False), ("counter", True)]
    assert "1. overrule 0005" in (told := joined(hearts("tournament", "corrections", place.path).stdout))
    assert " fault 2, by ada at " in told
    (kept,) = json.loads(hearts("tournament", "corrections", place.path, "--json").stdout)["corrections"]
    assert kept["fault"] == 2
    assert hearts("tournament", "overrule", place.path, "5", "0", *SIGNED).exit_code == 2
    assert "has the faults 1 to 2" in hearts("tournament", "overrule", place.path, "5", "3", *SIGNED).stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("withdraw", "zoe"), "no bot 'zoe' has finished a match here"),
        (("annul", "999"), "match '999': no finished match has that number or key"),
        (("overrule", "0", "7"), "so there is no fault 7 to overrule: see `hearts replay "),
        (("reverse", "99"), "no correction has the number 99"),
    ],
)
def test_what_is_not_there_cannot_be_corrected(cup: Path, words: tuple[str, ...], sentence: str) -> None:
    done = hearts("tournament", words[0], cup, *words[1:], *SIGNED)

    assert done.exit_code == 2
    assert sentence in done.stderr


async def test_a_stopped_tournament_is_closed_for_good_and_verified(tmp_path: Path) -> None:
    config = ordered(board_sets=6, seed=None)
    place = TournamentFolder(tmp_path / "cup")
    with place.create(config) as store:
        await play_on(place, config, store, stop_after=8)

    closed = hearts("tournament", "close", place.path)

    assert closed.exit_code == 0, closed.stderr
    assert place.seed().hex() in closed.stdout
    assert hearts("verify", place.path / "site").exit_code == 0
    again, resumed = hearts("tournament", "close", place.path), hearts("tournament", "resume", place.path)
    assert "its seed is revealed" in again.stderr
    assert (resumed.exit_code, "closed and its seed is revealed" in resumed.stderr) == (2, True)


async def test_a_salt_is_taken_once_and_before_the_first_deal(tmp_path: Path) -> None:
    config = ordered(board_sets=2, seed=None)
    place = TournamentFolder(tmp_path / "cup")
    place.create(config).close()

    assert hearts("tournament", "salt", place.path, "lottery 3 17 22").exit_code == 0
    assert "salted already" in hearts("tournament", "salt", place.path, "another").stderr
    with place.open(config) as store:
        assert salt_of(config, store) == "lottery 3 17 22"
        await play_on(place, config, store)
    assert "cards have been dealt already" in hearts("tournament", "salt", place.path, "late").stderr
    assert hearts("verify", place.path).exit_code == 0


def test_a_secret_seed_that_others_may_read_is_not_dealt_from(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    place.create(ordered(seed=None)).close()
    place.seed_file.chmod(0o644)

    resumed = hearts("tournament", "resume", place.path)

    assert resumed.exit_code == 2
    assert (
        "may be read by others (mode 0644), who would know all deals: if nobody has read it, `chmod"
        in resumed.stderr
    )


def test_a_pause_is_a_file_that_a_run_looks_for(tmp_path: Path) -> None:
    place = TournamentFolder(tmp_path / "cup")
    place.create(ordered(board_sets=2)).close()

    assert hearts("tournament", "pause", place.path).exit_code == 0
    assert place.pause_file.exists()
    assert json.loads(hearts("tournament", "continue", place.path, "--json").stdout)["paused"] is False
    assert not place.pause_file.exists()
