"""`hearts verify`: a whole tournament is confirmed, and any changed byte of it is found and named."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table
from typer.testing import CliRunner, Result

from referee.audit import AuditReport, Means
from referee.cli.main import app
from referee.cli.tournament_folder import TournamentFolder
from referee.cli.verification import Given, verified
from referee.store import Event, check
from referee.store.rows import Row
from tests.referee.simulated import ordered, play_cup, play_on

CHANGES = 100
MATCHES = 12


def hearts(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = tmp_path_factory.mktemp("verify") / "cup"
    place = asyncio.run(play_cup(folder, ordered(board_sets=MATCHES // 4)))
    assert hearts("tournament", "export", folder, "--out", folder / "cup.jsonl", "--quiet").exit_code == 0
    return place


@pytest.fixture
def copy(cup: TournamentFolder, tmp_path: Path) -> TournamentFolder:
    shutil.copytree(cup.path, tmp_path / "cup")
    return TournamentFolder(tmp_path / "cup")


@pytest.fixture(scope="module")
def root(cup: TournamentFolder) -> str:
    return str(json.loads((cup.path / "site/data/tournament.json").read_text())["root"])


def test_folder_site_and_export_are_confirmed_with_one_root(cup: TournamentFolder, root: str) -> None:
    for path in (cup.path, cup.path / "site", cup.path / "cup.jsonl"):
        done = hearts("verify", path, "--root", root)
        assert done.exit_code == 0, done.stdout
        assert done.stdout == f"verified: 12 matches, 12 deals, 624 decisions; root\n  {root}\n"

    other = hearts("verify", cup.path / "cup.jsonl", "--root", "00" * 32)
    assert other.exit_code == 3
    assert f"root: they have {root}, published was {'00' * 32}" in other.stdout


def test_the_command_that_the_site_gives_verifies_it(
    cup: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (cup.path / "site/index.html").read_text(encoding="utf-8")
    (command,) = re.findall("<code>(hearts verify site .*)</code>", page)
    monkeypatch.chdir(cup.path)

    done = hearts(*command.split()[1:])

    assert done.exit_code == 0
    assert done.stdout.startswith("verified: ")


def verify(path: Path, root: str, scratch: Path, *, processes: int = 1) -> AuditReport:
    scratch.mkdir()
    try:
        return verified(path, Given(scratch=scratch, root=root, means=lambda _: Means(processes=processes)))
    finally:
        shutil.rmtree(scratch)


def test_several_processes_find_what_one_finds(copy: TournamentFolder, root: str, tmp_path: Path) -> None:
    file = copy.path / "cup.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[7] = lines[7].replace(b'"elapsed_us":', b'"elapsed_us":9', 1)
    file.write_bytes(b"".join(lines))

    alone = verify(file, root, tmp_path / "scratch")
    assert len(alone.differences) == 2
    assert verify(file, root, tmp_path / "scratch", processes=2) == alone
    assert verify(copy.path, root, tmp_path / "scratch", processes=2).differences == []


async def test_an_export_of_salted_deals_is_verified_by_seed_and_salt(tmp_path: Path) -> None:
    place, file = TournamentFolder(tmp_path / "cup"), tmp_path / "cup.jsonl"
    config = ordered(board_sets=1, seed=None)
    with place.create(config) as store:
        store.add_event(Event(at="2026-11-30T00:00:00Z", kind="salt", message="", data={"salt": "6 11 19"}))
        await play_on(place, config, store)
    hearts("tournament", "export", place.path, "--out", file)
    seed = ("--seed", place.seed().hex())

    assert hearts("verify", file, *seed, "--salt", "6 11 19").exit_code == 0
    unsalted = hearts("verify", file, *seed)
    assert unsalted.exit_code == 3
    assert "the seed deals" in unsalted.stdout
    assert "not dealt again" in hearts("verify", file).stderr


Rows = dict[tuple[str, object], tuple[object, ...]]


def rows_in(file: Path) -> Rows | None:
    """Every row of a database by its table and first columns, None where it cannot be read."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return {(name, number): row for name, found in rows.items() for number, row in enumerate(found)}


@contextmanager
def changed(file: Path, draw: random.Random) -> Iterator[int]:
    """Put another byte in some place of a file, tell the place, and put the old one back."""
    whole = file.read_bytes()
    place = draw.randrange(len(whole))
    other = (whole[place] + draw.randrange(1, 256)) % 256
    file.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
    yield place
    file.write_bytes(whole)


def names_of_line(file: Path, whole: bytes, place: int) -> list[str]:
    """What has to be said of a changed line: its number, and its match unless the key itself was hit."""
    number = whole[:place].count(b"\n") + 1
    line = whole.split(b"\n")[number - 1]
    names = [f"line {number}"]
    if b'"record_version"' in line:
        key = json.loads(line)["spec"]["key"]
        at = line.index(key.encode()) - 8
        hit = place - whole.rfind(b"\n", 0, place) - 1
        names += [] if at <= hit < at + 60 else [key]
    return names


def names_in_store(before: Rows, after: Rows | None, file: Path) -> list[str] | None:
    """What may be named of a changed store: tables with a changed row; None where no value changed."""
    if after is None:  # it cannot be read whole: the file, or a table with what is missing in it
        return [file.name, *sorted({table for table, _ in before})]
    rows = {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}
    return sorted({table for table, _ in rows}) or None


def test_each_of_100_changed_bytes_is_found_and_named(copy: TournamentFolder, root: str, tmp_path: Path) -> None:
    """A database has bytes that hold no value, such as free space: those that change no row are drawn again."""
    seed = random.randrange(2**32)
    draw = random.Random(seed)
    site = copy.path / "site"
    evidence = [site / "data/records.jsonl"] * 3 + [site / "data/tournament.json"]
    data = [path for path in sorted((site / "data").iterdir()) if path not in evidence]
    before = rows_in(copy.store_file)
    assert before is not None
    found = 0
    while found < CHANGES:
        file = draw.choices(
            [copy.store_file, copy.path / "cup.jsonl", draw.choice(evidence), draw.choice(data)], [4, 2, 3, 1]
        )[0]
        subject = {copy.store_file: copy.path, copy.path / "cup.jsonl": file}.get(file, site)
        whole = file.read_bytes()
        with changed(file, draw) as place:
            wanted: list[str] | None
            if file == copy.store_file:
                wanted = names_in_store(before, rows_in(file), file)
            elif file.suffix == ".jsonl":
                wanted = names_of_line(file, whole, place)
            else:
                wanted = [str(file)]
            if wanted is None:
                continue
            told = [str(each) for each in verify(subject, root, tmp_path / "scratch").differences]
        about = f"seed {seed}: byte {place} of {file.name}: {wanted} is to be named in {told}"
        if file == copy.store_file:
            assert any(name in each for name in wanted for each in told), about
        else:  # a byte that became a line's end has its line and its match named by the two halves
            assert all(any(name in each for each in told) for name in wanted), about
        found += 1


def test_a_match_that_points_to_other_rules_is_named(copy: TournamentFolder, root: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(copy.store_file)) as connection:
        connection.execute("UPDATE matches SET rule_set_id = 99 WHERE number = 2")
        connection.commit()

    told = [str(each) for each in verify(copy.path, root, tmp_path / "scratch").differences]

    assert any("match 2" in each and "matches.rule_set_id" in each for each in told), told


def test_a_match_that_an_index_lists_and_the_table_has_not_is_named(
    copy: TournamentFolder, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one changed byte of an index has it; `sqlite3` itself would not write such a file."""
    by_match = check._by_match

    def without_the_first(connection: Connection, table: Table, page: Sequence[int]) -> dict[int, list[Row]]:
        return by_match(connection, table, page[1:] if table.name == "matches" else page)

    monkeypatch.setattr(check, "_by_match", without_the_first)

    told = [str(each) for each in verify(copy.path, root, tmp_path / "scratch").differences]

    assert any("table matches of the store is damaged" in each for each in told), told


@pytest.mark.parametrize("change", ["kind = 'fjnished'", "data = '{\"seed\": 1x'", "data = '{}'"])
def test_a_changed_row_that_reveals_the_seed_is_named(
    change: str, copy: TournamentFolder, root: str, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(copy.store_file)) as connection:
        connection.execute(f"UPDATE events SET {change} WHERE kind = 'finished'")
        connection.commit()

    told = [str(each) for each in verify(copy.path, root, tmp_path / "scratch").differences]

    assert any("events row" in each for each in told), told


def test_a_store_of_an_older_version_is_not_called_changed_and_the_way_on_is_told(copy: TournamentFolder) -> None:
    with closing(sqlite3.connect(copy.store_file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.commit()

    done = hearts("verify", copy.path)

    assert (done.exit_code, done.stdout) == (2, ""), done.stdout
    assert "was written by an older version (form 0001" in done.stderr
    assert "open it once for writing, for instance with `hearts tournament resume`" in done.stderr


@pytest.mark.parametrize("name", ["standings.json", "standings.csv", "standings.txt", "site/index.html"])
def test_a_changed_rating_is_named_with_its_file_and_line(copy: TournamentFolder, name: str) -> None:
    file = copy.path / name
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("amy", "amx", 1), encoding="utf-8")

    done = hearts("verify", copy.path)

    assert done.exit_code == 3
    assert f"differs: {file}: line " in done.stdout
    assert "amx" in done.stdout


def rewritten(site: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Change what a site tells besides its records, leave its digests, and give what verifying it alone says."""
    file = site / "data/tournament.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    change(content["ledger"])
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    done = hearts("verify", site)
    assert done.exit_code == 3, done.stdout
    return str(done.stdout)


def test_a_site_alone_names_a_changed_value_of_its_configuration_with_both_values(copy: TournamentFolder) -> None:
    site = copy.path / "site"

    def change(ledger: dict[str, Any]) -> None:
        config = json.loads(ledger["tournament"]["config"])
        config["clock"]["turn_ms"] = 4321
        ledger["tournament"]["config"] = json.dumps(config)

    told = rewritten(site, change)

    named = f"differs: {site / 'data/tournament.json'}: tournament row 1: config.clock.turn_ms: 4321 is told, "
    assert f"{named}line 1 of data/records.jsonl has 1000" in told


def test_a_site_alone_names_a_changed_row_and_what_its_pages_say_instead(
    copy: TournamentFolder, tmp_path: Path
) -> None:
    signed = ("--by", "ada", "--why", "looked at cards")
    assert hearts("tournament", "withdraw", copy.path, "amy", *signed).exit_code == 0
    site = tmp_path / "site"
    shutil.copytree(copy.path / "site", site)
    assert hearts("verify", site).exit_code == 0

    told = rewritten(site, lambda ledger: ledger["corrections"][0].update(why="lost at cards"))

    assert f"differs: {site / 'data/tournament.json'}: corrections row 1: does not fit its digest" in told
    pages = [line for line in told.splitlines() if f"{site / 'index.html'}: line " in line]
    assert len(pages) == 1
    assert "looked" in pages[0]
    assert "lost" in pages[0]


def test_a_folder_names_a_changed_value_of_its_site_by_its_path(copy: TournamentFolder) -> None:
    site = copy.path / "site"

    def change(ledger: dict[str, Any]) -> None:
        event = next(each for each in ledger["events"] if each["kind"] == "started")
        data = json.loads(event["data"])
        data["admitted"][2]["owner"] = "eve"
        event["data"] = json.dumps(data)

    rewritten(site, change)
    told = hearts("verify", copy.path).stdout

    assert "events row 1: data.admitted[2].owner: 'eve' was published, not ''" in told
