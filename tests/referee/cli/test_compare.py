"""`hearts compare`: what it refuses, and what it says of the sample bots over the wire."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli.comparison import names_of
from referee.cli.errors import ExitCode
from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.launch.manifest import load_manifest
from referee.records import MatchRecord
from referee.store.model import UnreachableError
from referee.store.store import Store

BOTS = Path(__file__).parents[3] / "sample_bots/python"
HEARTS = str(Path(sys.executable).with_name("hearts"))
COUNTER, DUCK, LOW = (BOTS / name for name in ("counter", "duck", "low"))


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "no bots given: name two, NEW and OLD, or --dir DIR to go on with a comparison"),
        ([COUNTER], "1 bot given: name two, NEW and OLD; others go behind --field"),
        ([COUNTER, DUCK, LOW], "3 bots given: name two"),
        ([COUNTER, DUCK, "--sprt", "5"], "--sprt 5: write two numbers such as --sprt 0,10"),
        ([COUNTER, DUCK, "--points", "--sprt", "a,b"], "--sprt a,b: write two numbers such as --sprt 0,0.5"),
        ([COUNTER, DUCK, "--sprt", "10,0"], "the bounds of the test are 10 and 0: the first must be less"),
        ([COUNTER, DUCK, "--alpha", "0.7"], "alpha is 0.7: it is the chance of an error, between 0 and 0.5"),
        ([COUNTER, DUCK, "--sprt", "0,inf"], "are 0 and inf: give two between -1000 and 1000"),
        ([COUNTER, DUCK, "--sprt", "-1e308,0"], "are -1e+308 and 0: give two between -1000 and 1000"),
        ([COUNTER, DUCK, "--sprt", "nan,5"], "the bounds of the test are nan and 5: the first must be less"),
        ([COUNTER, DUCK, "--beta", "1e-320"], "nobody plays so many deals: give 0.000001 or more"),
        ([COUNTER, DUCK, "--fixed", "9" * 20], "Invalid value for '--fixed'"),
        ([COUNTER, DUCK, "--deals-max", "9" * 20], "Invalid value for '--deals-max'"),
        ([COUNTER, DUCK, "--fixed", "9", "--sprt", "0,9"], "--sprt and --fixed exclude each other: give one"),
        ([COUNTER, DUCK, "--fixed", "9", "--alpha", "0.05"], "--alpha and --fixed exclude each other: give one"),
        ([COUNTER, DUCK, "--fixed", "9", "--deals-max", "31"], "--deals-max and --fixed exclude each other"),
        ([COUNTER, DUCK, "--set", "seats=5", "--set", "leftover=widow"], "seats = 5: a duel gives each bot half"),
        ([COUNTER, BOTS / "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(
    words: list[object], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = hearts("compare", *words)

    assert result.exit_code != 0
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []


ORDERS = {
    "--field": DUCK,
    "--sprt": "5,50",
    "--points": None,
    "--alpha": 0.2,
    "--beta": 0.2,
    "--fixed": 8,
    "--deals-max": 40,
    "--rules": "spruce",
    "--set": "target=50",
    "--seed": 3,
    "--store": "postgresql://me@db.example/hearts",
    "--turn-ms": 7,
    "--bank-ms": 7,
}


@pytest.mark.parametrize("option", ORDERS)
def test_a_comparison_that_goes_on_takes_no_other_order(option: str, tmp_path: Path) -> None:
    value = ORDERS[option]

    result = hearts("compare", "--dir", tmp_path, option, *([] if value is None else [value]))

    assert result.exit_code == 2
    assert f"{option}: the comparison in {tmp_path} goes on as it was begun: leave this out" in result.stderr


def test_every_option_of_compare_either_orders_a_comparison_or_may_be_given_when_it_goes_on() -> None:
    text = hearts("compare", "--help").stdout

    assert set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE)) == {
        *ORDERS,
        *("--dir", "--workers", "--strict", "--json", "--quiet", "--help"),
    }


def test_bots_of_one_name_are_told_apart_by_version_or_number() -> None:
    counter, duck = load_manifest(COUNTER), load_manifest(DUCK)

    assert names_of([counter, duck]) == ["counter", "duck"]
    assert names_of([counter, counter, duck]) == ["counter 1.0", "counter 1.0-2", "duck"]


def test_duck_is_found_better_than_low_and_asking_again_plays_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "c"

    first = hearts("compare", DUCK, LOW, "--seed", 1, "--dir", folder, "--json", "--quiet", "--workers", 2)

    assert first.exit_code == 0, first.stderr
    data = json.loads(first.stdout)
    assert data["verdict"] == "better"
    assert 30 <= data["deals"] <= 300
    assert data["llr"] >= data["question"]["upper"]
    assert data["elo"]["low"] > 0
    assert data["faults"] == {"duck": 0, "low": 0}
    with Store.open(TournamentFolder(folder).store_file, read_only=True) as store:
        sets = [(board.deal_id, board.bots[:2]) for board in store.results()]
        assert [event.message for event in store.events(kind="finished")] == ["its goal is reached"]
    assert len(sets) == 2 * len({deal for deal, _ in sets}), "a board set that is not whole"
    rated = " ".join(hearts("ratings", folder).stdout.split())
    assert "stopped by its own results, intervals a little too narrow" in rated
    again = hearts("compare", "--dir", folder, "--quiet")
    assert " ".join(again.stdout.split()).startswith(f"{data['sentence']} asked: ")
    assert max(map(len, again.stdout.splitlines())) <= 80
    _refuses_another_order(folder)


def _refuses_another_order(folder: Path) -> None:
    for words, sentence in (
        ([DUCK, LOW, "--sprt", "0,5"], "asks another question (+0 against +10 Elo"),
        ([LOW, DUCK], "holds a comparison with another bot"),
        ([DUCK, LOW, "--seed", "2"], "holds a comparison with another seed"),
        ([DUCK, LOW, "--turn-ms", "50"], "holds a comparison with another clock"),
        ([DUCK, LOW, "--field", COUNTER], "holds a comparison with another bot"),
        ([DUCK, LOW, "--fixed", "50"], "holds a comparison with another number of deals"),
    ):
        result = hearts("compare", *words, "--dir", folder)
        assert result.exit_code != 0
        assert sentence in result.stderr, result.stderr
        assert "another --dir" in result.stderr


def test_a_bot_that_has_changed_is_another_bot(tmp_path: Path) -> None:
    for name in ("wire_loop.py", "cards.py", "memory.py"):
        shutil.copy(BOTS / name, tmp_path)
    shutil.copytree(BOTS / "gen", tmp_path / "gen")
    mine = shutil.copytree(LOW, tmp_path / "mine")
    command = ("compare", mine, DUCK, "--fixed", 4, "--dir", tmp_path / "c", "--seed", 3, "--workers", 1)
    done = hearts(*command)
    assert done.exit_code == 0, done.stderr
    (mine / "strategy.py").write_text((mine / "strategy.py").read_text() + "\n# better\n")

    result = hearts(*command)

    assert "a bot has changed since this comparison began" in result.stderr


def test_two_copies_of_a_deterministic_bot_play_identically(tmp_path: Path) -> None:
    result = hearts("compare", LOW, LOW, "--fixed", 8, "--dir", tmp_path / "c", "--workers", 1)

    assert result.stdout.startswith(
        "identical play: low 1.0 and low 1.0-2 played the same cards in all of 8 deals\n"
    )


def test_in_company_the_field_sits_between_the_two(tmp_path: Path) -> None:
    folder = tmp_path / "c"

    result = hearts(
        *("compare", COUNTER, LOW, "--field", DUCK, "--fixed", 4, "--dir", folder, "--workers", 1, "--points")
    )

    assert result.exit_code == 0, result.stderr
    assert "company: duck" in result.stdout
    with Store.open(TournamentFolder(folder).store_file, read_only=True) as store:
        tables = {board.bots for board in store.results()}
    assert tables == {("counter", "duck", "low", "duck"), ("low", "duck", "counter", "duck")}


def test_a_comparison_in_postgresql_goes_on_is_rated_and_verified_there(
    tmp_path: Path, postgres_database: str
) -> None:
    folder = tmp_path / "c"
    command = ["compare", LOW, DUCK, "--fixed", 8, "--seed", 3, "--turn-ms", 20000, "--workers", 1, "--dir", folder]

    first = hearts(*command, "--store", postgres_database, "--json")

    assert first.exit_code == 0, first.stderr
    assert not TournamentFolder(folder).store_file.exists()
    for words in ([*command, "--store", postgres_database], command, ["compare", "--dir", folder]):
        again = hearts(*words, "--json")
        assert again.exit_code == 0, again.stderr
        assert json.loads(again.stdout) == json.loads(first.stdout)
        assert "starting" not in again.stderr, "played again"
    for words in (["ratings", folder], ["verify", folder]):
        assert hearts(*words).exit_code == 0
    other = hearts(*command, "--store", postgres_database.replace("@/t", "@/another"))
    assert (other.exit_code, "holds a comparison with another store" in other.stderr) == (2, True), other.stderr


def test_a_comparison_in_postgresql_that_was_stopped_ends_as_one_in_a_file(
    tmp_path: Path, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["compare", LOW, DUCK, "--fixed", 8, "--seed", 3, "--turn-ms", 20000, "--workers", 1, "--json"]
    in_file = hearts(*command, "--dir", tmp_path / "file")
    add_matches, in_database = Store.add_matches, [*command, "--dir", tmp_path / "db", "--store", postgres_database]

    def lose(store: Store, records: Sequence[MatchRecord]) -> int:
        add_matches(store, records[:1])
        raise UnreachableError("store 'cup' cannot be reached")

    with monkeypatch.context() as broken:
        broken.setattr(Store, "add_matches", lose)
        lost = hearts(*in_database)
    assert lost.exit_code == ExitCode.UNFIT
    assert "all that was committed is safe: `hearts compare --dir " in " ".join(lost.stderr.split())

    first, second = json.loads(in_file.stdout), json.loads(hearts(*in_database).stdout)

    assert first.pop("folder") != second.pop("folder")
    assert first == second


def test_a_store_that_is_none_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    result = hearts("compare", LOW, DUCK, "--dir", tmp_path / "c", "--store", "mysql://db/c")

    assert result.exit_code == ExitCode.USAGE
    assert "--store" in result.stderr
    assert not (tmp_path / "c").exists()


def test_a_comparison_without_one_of_its_bots_is_none_and_goes_on_when_that_is_mended(tmp_path: Path) -> None:
    """Without OLD, the field bot would have taken its place."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old/bot.toml").write_text('name = "old"\nrun = ["false"]\n')
    command = [
        "compare",
        LOW,
        tmp_path / "old",
        "--field",
        DUCK,
        "--fixed",
        4,
        "--workers",
        1,
        "--dir",
        tmp_path / "c",
    ]

    refused = hearts(*command)

    said = " ".join(refused.stderr.split())
    assert refused.exit_code == ExitCode.USAGE
    assert "left out: old: it exited with code 1" in said
    assert (
        "duel: 2 of 3 bots can play, and it needs them all. Or mend who was left out: `hearts compare --dir" in said
    )
    assert finished(tmp_path / "c") == 0
    (tmp_path / "old/bot.toml").write_text('name = "old"\nrun = ["true"]\n')
    assert "a bot has changed" not in hearts(*command).stderr


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    result = hearts("compare", "--dir", tmp_path)

    assert "is no folder of a tournament" in result.stderr


def test_the_folder_of_a_bot_is_no_place_for_a_comparison(tmp_path: Path) -> None:
    """Its files would be the bot's, which would be another bot from then on."""
    (tmp_path / "bot.toml").write_text('name = "mine"\nrun = ["true"]\n')

    result = hearts("compare", tmp_path, DUCK, "--dir", tmp_path)

    assert (result.exit_code, "is the folder of a bot: give another one by --dir" in result.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["bot.toml"]


def finished(folder: Path) -> int:
    """How many matches are stored."""
    file = TournamentFolder(folder).store_file
    if not file.exists():
        return 0
    with Store.open(file, read_only=True) as store:
        return store.finished_count()


def begin_and_end(command: list[str], folder: Path, end: signal.Signals) -> int:
    """Begin or go on with a comparison, and send a signal as soon as something more is stored; the exit code."""
    before = finished(folder)
    with subprocess.Popen(
        [*command, "--dir", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while finished(folder) == before and process.poll() is None:
            time.sleep(0.02)  # another process has to come so far
        process.send_signal(end)
    return process.returncode


def answered(command: list[str], folder: Path) -> dict[str, object]:
    done = subprocess.run([*command, "--dir", str(folder)], capture_output=True, text=True, check=True)
    data: dict[str, object] = json.loads(done.stdout)
    assert data.pop("folder") == str(folder)
    return data


@pytest.mark.kills
@pytest.mark.timeout(600)
def test_one_worker_and_four_that_were_killed_give_the_same_answer(tmp_path: Path) -> None:
    """With four, 32 matches are under way at once, and more board sets end than the answer needs."""
    command = [HEARTS, "compare", str(DUCK), str(LOW), "--seed", "5", "--turn-ms", "20000", "--json"]
    assert begin_and_end([*command, "--workers", "4"], tmp_path / "four", signal.SIGKILL) == -signal.SIGKILL

    one, four = (
        answered([*command, "--workers", str(workers)], tmp_path / name)
        for name, workers in (("one", 1), ("four", 4))
    )

    assert one == four
    assert one["verdict"] == "better"
    assert finished(tmp_path / "four") > 2 * int(str(one["deals"])) // 4


@pytest.mark.kills
@pytest.mark.timeout(600)
def test_a_comparison_that_was_stopped_and_killed_gives_the_answer_of_one_that_was_not(tmp_path: Path) -> None:
    command = [HEARTS, "compare", str(DUCK), str(LOW)]
    command += ["--fixed", "40", "--seed", "5", "--turn-ms", "20000", "--workers", "1", "--json"]
    codes, done = [], []
    for end in (signal.SIGINT, signal.SIGKILL):
        codes.append(begin_and_end(command, tmp_path / "hurt", end))
        done.append(finished(tmp_path / "hurt"))

    whole, resumed = (answered(command, tmp_path / name) for name in ("whole", "hurt"))

    assert codes == [ExitCode.INTERRUPTED, -signal.SIGKILL]
    assert 0 < done[0] < done[1] < 20
    assert whole == resumed
    assert whole["deals"] == 40
