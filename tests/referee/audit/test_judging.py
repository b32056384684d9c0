"""A match judged again: what the table recorded is confirmed, and every lie in it is named."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.audit import judge
from referee.audit.confirming import is_confirmed
from referee.audit.judging import _Replay
from referee.record_json import RecordError, record_from_json, record_to_json
from referee.records import Blame, DealRecord, DecisionRecord, FaultKind, MatchRecord, Ruling
from referee.rules.dealing import integer_seed
from referee.rules.presets import PRESETS, preset
from tests.referee.cli.matches import Misdeed, illegal, late, play_match

SEED = integer_seed(7)
MISDEEDS: tuple[Misdeed, ...] = (late, illegal)


def found(record: MatchRecord) -> list[str]:
    return [difference.name for difference in judge(record, SEED, "")]


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_under_every_preset_is_confirmed(name: str) -> None:
    assert found(play_match(rules=preset(name), deals=2)) == []


@pytest.mark.parametrize("ruling", Ruling)
def test_faults_are_judged_again_with_their_rulings(ruling: Ruling) -> None:
    draw = random.Random(3)
    for _ in range(15):
        misdeeds = {draw.randrange(1, 220): draw.choice(MISDEEDS) for _ in range(draw.randrange(1, 6))}
        record = play_match(ruling=ruling, misdeeds=misdeeds)

        assert found(record) == [], misdeeds


@pytest.mark.parametrize("ruling", Ruling)
def test_seats_that_were_expelled_are_judged_again_whether_they_were_asked_then_or_not(ruling: Ruling) -> None:
    draw = random.Random(4)
    asked: set[bool] = set()
    for _ in range(25):
        expelled = {draw.randrange(1, 220): draw.randrange(4) for _ in range(draw.randrange(1, 4))}
        misdeeds = {draw.randrange(1, 220): draw.choice(MISDEEDS) for _ in range(draw.randrange(4))}
        record = play_match(ruling=ruling, misdeeds=misdeeds, expelled=expelled)
        asked |= {fault.turn_number > 0 for fault in record.faults if fault.kind is FaultKind.RESOURCE}

        assert found(record) == [], (misdeeds, expelled)

    assert asked == {False, True}


def test_an_expulsion_that_the_decisions_do_not_bear_out_is_named() -> None:
    record = play_match(expelled={30: 2})
    (fault,) = record.faults

    for lie in (replace(fault, deal_number=2), replace(fault, seat=1), replace(fault, deal_number=9)):
        assert found(replace(record, faults=(lie,))) == ["decisions"]
    assert found(replace(record, faults=(fault, fault))) == ["faults"]
    assert found(replace(record, faults=(replace(fault, blame=Blame.HOST),))) == ["faults[0].blame"]


def in_deal(change: Callable[[DealRecord], DealRecord]) -> Callable[[MatchRecord], MatchRecord]:
    return lambda record: replace(record, deals=(change(record.deals[0]), *record.deals[1:]))


def in_decision(index: int, **values: object) -> Callable[[MatchRecord], MatchRecord]:
    def change(deal: DealRecord) -> DealRecord:
        decisions: list[DecisionRecord] = list(deal.decisions)
        decisions[index] = decisions[index]._replace(**values)  # type: ignore[arg-type]
        return replace(deal, decisions=tuple(decisions))

    return in_deal(change)


@pytest.mark.parametrize(
    ("lie", "name"),
    [
        (in_deal(lambda deal: replace(deal, hands=(deal.hands[1], deal.hands[0], *deal.hands[2:]))), "hands[0]"),
        (in_deal(lambda deal: replace(deal, points=(26, 0, 0, 0))), "deals[1].points"),
        (in_deal(lambda deal: replace(deal, winners=(*deal.winners[:5], None, *deal.winners[6:]))), "winners"),
        (in_deal(lambda deal: replace(deal, autopilot=(True, False, False, False))), "autopilot"),
        (in_decision(20, cards=(1,)), "decisions"),
        (in_decision(20, seat=3), "decisions"),
        (in_decision(20, elapsed_us=6_000_001), "elapsed_us"),
        (lambda record: replace(record, places=record.places[::-1]), "places"),
        (lambda record: replace(record, totals=(0, 0, 52, 52)), "totals"),
        (lambda record: replace(record, deals=record.deals[:3]), "decisions"),
        (lambda record: replace(record, rules={"seats": 99}), "rules"),
        (lambda record: replace(record, rules=preset("three").to_dict()), "spec.bots"),
        (lambda record: replace(record, spec=replace(record.spec, board_set=-1)), "spec"),
        (lambda record: replace(record, spec=replace(record.spec, attempt=2**40)), "spec"),
    ],
)
def test_a_lie_is_named(lie: Callable[[MatchRecord], MatchRecord], name: str) -> None:
    names = found(lie(play_match()))

    assert any(name in each for each in names), names


def test_a_charge_that_the_rules_do_not_bear_out_is_named() -> None:
    record = play_match(misdeeds={30: illegal})
    (fault,) = record.faults
    innocent = replace(record, faults=(replace(fault, answer=fault.legal[:1]),))

    (difference,) = judge(innocent, SEED, "")

    assert "was legal" in difference.message


def test_without_a_seed_the_cards_still_have_to_be_a_pack() -> None:
    record = play_match()
    hands = record.deals[0].hands
    doubled = replace(record.deals[0], hands=((hands[1][0], *hands[0][1:]), *hands[1:]))

    (difference,) = judge(replace(record, deals=(doubled, *record.deals[1:])), None, "")

    assert "dealt more often" in difference.message


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_without_faults_is_confirmed_the_quick_way(name: str) -> None:
    rules = preset(name)

    assert is_confirmed(play_match(rules=rules, deals=2), rules)


def changed_somewhere(record: MatchRecord, draw: random.Random) -> MatchRecord | None:
    """The record with one value of it changed into one that a record can hold, None where it then holds none."""
    raw = json.loads(record_to_json(record))
    parent = raw["deals"][draw.randrange(len(raw["deals"]))] if draw.random() < 0.8 else raw
    while True:
        step = draw.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
        if not isinstance(parent[step], (dict, list)) or not parent[step]:
            break
        parent = parent[step]
    other = ["QS", "2C", None, True, "add", "autopilot", "play", [], [3], *range(-1, 5), 2**62, -(2**62)]
    parent[step] = draw.choice([value for value in other if value != parent[step]])
    try:
        return record_from_json(json.dumps(raw).encode())
    except RecordError:
        return None


def test_no_value_that_a_record_can_hold_stops_the_judge() -> None:
    seed = random.randrange(2**32)
    draw = random.Random(seed)
    record = play_match(deals=1, misdeeds={9: late, 30: illegal}, expelled={40: 1})
    judged = named = 0
    while judged < 300:
        changed = changed_somewhere(record, draw)
        if changed is None:
            continue
        judged += 1
        try:
            named += bool(found(changed))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {changed}") from error

    assert named > 100


def test_the_quick_way_confirms_nothing_that_the_table_would_not() -> None:
    seed = random.randrange(2**32)
    draw = random.Random(seed)
    record = play_match(rules=preset("american"), deals=2)
    rules = preset("american")
    refused = 0
    for _ in range(400):
        changed = changed_somewhere(record, draw)
        if changed is None or changed.rules != record.rules:
            continue
        if is_confirmed(changed, rules):
            assert list(_Replay(changed, rules, "").differences()) == [], f"seed {seed}"
        else:
            refused += 1

    assert refused > 20
