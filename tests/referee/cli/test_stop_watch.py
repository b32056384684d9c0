"""Stop rules: asked of whole board sets only, and met by a run of the sample bots."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratings.observations import from_boards
from ratings.plan import Sample, StopRule
from ratings.points import fit_points
from referee.cli.luck import controlled_of
from referee.cli.main import app
from referee.cli.stop_watch import StopWatch
from referee.cli.tournament_folder import TournamentFolder
from referee.config import ConfigError, TournamentConfig
from referee.config.keys import UNTIL
from referee.plan import Plan, plan_for
from referee.records import MatchRecord
from referee.schedule.pairing import Entrant
from referee.store.model import TournamentMeta
from referee.store.store import Store
from referee.tournament import Ending
from tests.referee.cli.matches import BOTS, play_match
from tests.referee.simulated import BOTS as SIMULATED
from tests.referee.simulated import AnyOrder, ordered, play_until

META = TournamentMeta(tournament="t", name="Cup", commitment="", config="{}", created_at="", software="")
SAMPLES = Path(__file__).parents[3] / "sample_bots/python"


def config(until: str, **more: object) -> TournamentConfig:
    return TournamentConfig.from_dict({"until": until, **more})


def plan_of(*remote: str) -> Plan:
    return Plan(
        tournament="t",
        entrants=[Entrant(name) for name in BOTS],
        remote=frozenset(remote),
        seats=4,
        deals=4,
        cycles=None,
        board_sets=12,
        in_flight_max=8,
    )


PLAN = plan_of()


@pytest.fixture(scope="module")
def played() -> list[MatchRecord]:
    """Twelve board sets, four deals each."""
    return [replace(play_match(board_set=s.board_set, seed=7 + s.rotation), spec=s) for s in PLAN.drawn_specs({})]


def test_only_whole_board_sets_are_asked(tmp_path: Path, played: list[MatchRecord]) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        watch = StopWatch(config("interval < 400"), store, PLAN)
        watch.take(played[:28])
        assert watch.look(7).words == "first look after 30 deals"
        watch.take([record for record in played[28:] if record.spec.rotation])

        assert watch.look(7).words == "first look after 30 deals"
        watch.take([record for record in played[28:] if not record.spec.rotation])

        assert watch.look(12).is_over
        assert "reached after 32 deals" in watch.look(12).words, "the first eight board sets are enough"
        assert watch.look(12).end == watch.ahead(8)


def test_a_resumed_run_stands_where_the_run_before_it_stood(tmp_path: Path, played: list[MatchRecord]) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        store.add_matches(played)

        watch = StopWatch(config("interval < 5"), store, PLAN)

    assert not watch.look(12).is_over
    assert watch.look(12).words.startswith("every interval within ± 5: about ")
    assert "deals to go, mostly for " in watch.look(12).words


def test_points_are_separated_as_the_table_has_them_with_the_control_variate(tmp_path: Path) -> None:
    """Every deal is played once, as where bots are remote: there the correction does not cancel."""
    plan = plan_of(*BOTS)
    specs = list(plan.drawn_specs({}))[:11]  # asked after the eleventh, and then not before the thirteenth
    records = [replace(play_match(board_set=s.board_set, seed=7 + s.board_set), spec=s) for s in specs]
    configured = config("separated", rank_by="points", control_variate=0.3)
    with Store.create(tmp_path / "t.db", META) as store:
        watch = StopWatch(configured, store, plan)
        store.add_matches(records)
        watch.take(records)
        words = watch.look(11).words
        results = from_boards(store.results())
        controlled = controlled_of(configured, store, results)
    assert controlled is not None

    corrected, plain = (
        str(StopRule.parse("separated").ask(fit_points(each), Sample.of(results), board_set=4))
        for each in (controlled.results, results)
    )

    assert words == corrected != plain


@pytest.mark.parametrize("seed", range(3))
async def test_where_a_tournament_ends_does_not_depend_on_kills_and_on_which_match_ends_first(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    ends = [await board_sets_played(tmp_path / name, chance, kills) for name, kills in (("calm", 0), ("killed", 5))]

    assert ends[0] == ends[1]
    assert ends[0] < 100


async def board_sets_played(folder: Path, chance: random.Random, kills: int) -> int:
    """Play until the stop rule is met, from the store alone after each kill, in any order of finishing."""
    order = ordered(until="interval < 120", board_sets=400)
    place = TournamentFolder(folder)
    place.create(order).close()
    ending = None
    while ending is not Ending.CLOSED:
        kill_at = chance.randrange(1, 40) if kills else None
        kills -= 1
        with place.open(order) as store:
            plan = plan_for(order, store, [(Entrant(name), False) for name in SIMULATED[:4]])
            executor = AnyOrder(order, place.seed(), chance=chance)
            ending = await play_until(plan, store, executor, StopWatch(order, store, plan), kill_at)
    with place.read() as store:
        board_sets = [int(board.deal_id.split(".")[0]) for board in store.results()]
    assert sorted(board_sets) == sorted(4 * list(range(max(board_sets) + 1)))
    return max(board_sets) + 1


def test_the_file_takes_exactly_what_the_rule_understands() -> None:
    for text in (
        "separated",
        "interval < 15",
        "interval<0.5e3",
        "interval < 0",
        "interval > 3",
        "soon",
        "interval <7.5",
    ):
        try:
            StopRule.parse(text)
            is_understood = True
        except ValueError:
            is_understood = False
        assert UNTIL.accepts(text) == is_understood, text


def test_with_a_stop_rule_the_amount_is_a_bound_and_may_be_left_out() -> None:
    assert (config("separated").cycles, config("separated").board_sets) == (None, 10_000)
    assert config("separated", cycles=3).cycles == 3
    assert config("separated", board_sets=50).board_sets == 50
    again = TournamentConfig.from_dict(json.loads(json.dumps(config("separated").to_dict())))
    assert again == config("separated")
    with pytest.raises(ConfigError, match='until = "soon" has to be "separated", or an interval in Elo such as'):
        config("soon")


def test_a_tournament_ends_when_its_intervals_are_narrow_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    bots = "".join(f'[[bot]]\npath = "{SAMPLES / name}"\n' for name in ("random", "low", "duck", "moon"))
    file.write_text(f'until = "interval < 200"\nseed = 3\n[clock]\nturn_ms = 20000\n{bots}')

    result = CliRunner().invoke(app, ["tournament", "run", str(file), "--json", "--workers", "1"])

    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["ending"] == "closed"
    with Store.open(TournamentFolder(tmp_path / "cup").store_file, read_only=True) as store:
        boards = store.results()
        assert [event.message for event in store.events(kind="finished")] == ["its goal is reached"]
    assert len(boards) == 4 * len({board.deal_id for board in boards}), "a board set that is not whole"
    assert 30 <= len({board.deal_id for board in boards}) < 400
    told = " ".join((tmp_path / "cup/standings.txt").read_text().split())
    assert "stopped by its own results, intervals a little too narrow: until interval < 200" in told
    page = (tmp_path / "cup/site/bots/duck.html").read_text()
    assert "<dt>Author</dt><dd>The Hearts Arena authors</dd>" in page, "bot.toml says so"
    assert "<dt>Version</dt><dd>1.0</dd>" in page, "its hello says so"
    again = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path / "cup"), "--json"])
    assert json.loads(again.stdout)["standings"] == json.loads(result.stdout)["standings"]
