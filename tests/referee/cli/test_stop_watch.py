"""Stop rules: asked of whole board sets only, and met by a run of the sample bots."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratings.plan import StopRule
from referee.cli.main import app
from referee.cli.stop_watch import StopWatch
from referee.cli.tournament_folder import TournamentFolder
from referee.config import ConfigError, TournamentConfig
from referee.config.keys import UNTIL
from referee.plan import Plan
from referee.records import MatchRecord
from referee.schedule.pairing import Entrant
from referee.store.model import TournamentMeta
from referee.store.store import Store
from tests.referee.cli.matches import BOTS, play_match

META = TournamentMeta(tournament="t", name="Cup", commitment="", config="{}", created_at="", software="")
SAMPLES = Path(__file__).parents[3] / "sample_bots/python"


def config(until: str, **more: object) -> TournamentConfig:
    return TournamentConfig.from_dict({"until": until, **more})


PLAN = Plan(
    tournament="t",
    entrants=[Entrant(name) for name in BOTS],
    remote=frozenset(),
    seats=4,
    deals=4,
    cycles=None,
    board_sets=12,
    in_flight_max=8,
)


@pytest.fixture(scope="module")
def played() -> list[MatchRecord]:
    """Twelve board sets, four deals each."""
    return [replace(play_match(board_set=s.board_set, seed=7 + s.rotation), spec=s) for s in PLAN.drawn_specs({})]


def test_only_whole_board_sets_are_asked(tmp_path: Path, played: list[MatchRecord]) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        watch = StopWatch(config("interval < 400"), store, PLAN)
        watch.take(played[:28])
        assert watch.look().words == "first look after 30 deals"
        watch.take([record for record in played[28:] if record.spec.rotation])

        assert watch.look().words == "first look after 30 deals"
        watch.take([record for record in played[28:] if not record.spec.rotation])

        assert watch.look().is_over
        assert "reached after 48 deals" in watch.look().words


def test_a_resumed_run_stands_where_the_run_before_it_stood(tmp_path: Path, played: list[MatchRecord]) -> None:
    with Store.create(tmp_path / "t.db", META) as store:
        store.add_matches(played)

        watch = StopWatch(config("interval < 5"), store, PLAN)

    assert not watch.look().is_over
    assert watch.look().words.startswith("every interval within ± 5: about ")
    assert "deals to go, mostly for " in watch.look().words


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
    bots = "".join(f'[[bot]]\npath = "{SAMPLES / name}"\n' for name in ("random", "low", "duck", "counter"))
    file.write_text(f'until = "interval < 100"\nseed = 3\n[clock]\nturn_ms = 20000\n{bots}')

    result = CliRunner().invoke(app, ["tournament", "run", str(file), "--json", "--workers", "1"])

    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["ending"] == "closed"
    with Store.open(TournamentFolder(tmp_path / "cup").store_file, read_only=True) as store:
        boards = store.results()
        assert [event.message for event in store.events(kind="finished")] == ["its goal is reached"]
    assert len(boards) == 4 * len({board.deal_id for board in boards}), "a board set that is not whole"
    assert 30 <= len({board.deal_id for board in boards}) < 400
    again = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path / "cup"), "--json"])
    assert json.loads(again.stdout)["standings"] == json.loads(result.stdout)["standings"]
