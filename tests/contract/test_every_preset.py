"""Every preset over the wire: a board set to its end, revokes, and sample bots at large tables.

The bots of a board set read `legal` and nothing else, and what comes of it is judged again by the naive referee.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from hearts.v1 import card_pb2, rules_pb2, table_pb2
from referee.records import DealRecord, DecidedBy, MatchRecord, Ruling, TurnKind
from referee.rules.cards import CARDS, cards_text
from referee.rules.dealing import Dealt
from referee.rules.presets import PRESETS, preset
from tests.contract.bot_process import ROOT, BotProcess
from tests.contract.legal_bot import LegalBot
from tests.contract.real_referee import RealReferee, real_referee
from tests.naive.deal import NaiveDeal
from tests.oracle.rule_sets import PRESETS as WRITTEN

PYTHON = ROOT / "sample_bots/python"
CHOICES = {rules_pb2.MOON_CHOICE_ADD: "add", rules_pb2.MOON_CHOICE_SUBTRACT: "subtract"}
# Seat 0 holds all clubs of a deal in which nothing is passed: it leads every trick and takes it.
SURE_MOON = {4: Dealt(tuple(tuple(CARDS[low : low + 13]) for low in range(0, 52, 13)), ())}
WITH_CHOICE = [name for name in PRESETS if preset(name).moon == "choice"]


class Revoker(LegalBot):
    """Names a card that is not legal, held or not, as its fifth play."""

    def decide(self, turn: table_pb2.Turn) -> table_pb2.Decision:
        decision = super().decide(turn)
        if turn.kind == table_pb2.TURN_KIND_PLAY and self.asked[turn.kind] == 5:
            decision.cards[:] = [next(card for card in card_numbers() if card not in turn.legal)]
        return decision


def card_numbers() -> Sequence[card_pb2.Card.ValueType]:
    return [card for card in card_pb2.Card.values() if card]


@asynccontextmanager
async def arena(
    seats: int, address: str, make_bot: Callable[..., LegalBot] = LegalBot
) -> AsyncIterator[tuple[RealReferee, list[LegalBot]]]:
    """A referee with as many bots; `make_bot` makes the first. Every second bot, from the first, adds a moon."""
    names = [f"bot-{number}" for number in range(seats)]
    async with real_referee(names, address) as referee, asyncio.TaskGroup() as group:
        bots = [
            (LegalBot if number else make_bot)(referee.address, name, moon_choice=list(CHOICES)[number % 2])
            for number, name in enumerate(names)
        ]
        for bot in bots:
            group.create_task(bot.play())
        yield referee, bots
        await referee.end()


def judged_again(rules_name: str, deal: DealRecord) -> NaiveDeal:
    """The deal as the naive referee has it; what it would not take fails the test."""
    hands = [cards_text(hand) for hand in deal.hands]
    naive = NaiveDeal(WRITTEN[rules_name], deal.deal_number, hands, cards_text(deal.widow))
    for decision in deal.decisions:
        cards = cards_text(decision.cards)
        match decision.kind:
            case TurnKind.PASS:
                breach = naive.pass_cards(decision.seat, cards)
            case TurnKind.PLAY:
                breach = naive.play(decision.seat, cards[0])
            case TurnKind.MOON:
                breach = naive.choose_moon(decision.seat, str(decision.moon_choice))
        assert breach is None, f"{rules_name}, deal {deal.deal_number}: {decision}"
    if deal.revoked_seat is not None:
        naive.revoke(deal.revoked_seat)
    return naive


def assert_played_by_the_rules(rules_name: str, record: MatchRecord) -> None:
    totals = [0] * len(record.totals)
    for deal in record.deals:
        naive = judged_again(rules_name, deal)
        assert naive.scores == list(deal.scores)
        assert (naive.points(), naive.shooter) == (list(deal.points), deal.moon_seat)
        totals = [total + score for total, score in zip(totals, deal.scores, strict=True)]
    assert totals == list(record.totals)


@pytest.mark.parametrize("name", PRESETS)
async def test_a_board_set_is_played_to_its_end_over_the_wire(name: str, tmp_path: Path) -> None:
    rules = preset(name)
    dealt = SURE_MOON if name in WITH_CHOICE else None
    async with arena(rules.seats, f"unix:{tmp_path}/referee") as (referee, bots):
        records = await asyncio.gather(
            *(
                referee.play(rules, deals=rules.cycle_length, rotation=rotation, dealt=dealt)
                for rotation in range(rules.seats)
            )
        )

    for record in records:
        assert record.faults == ()
        assert {d.decided_by for deal in record.deals for d in deal.decisions} == {DecidedBy.BOT}
        assert [deal.hands for deal in record.deals] == [deal.hands for deal in records[0].deals]
        assert_played_by_the_rules(name, record)
    assert {record.spec.bots[0] for record in records} == {f"bot-{number}" for number in range(rules.seats)}
    plays = rules.seats * rules.cycle_length * rules.hand_size
    passes = rules.seats * sum(offset != 0 for offset in rules.pass_cycle)
    for number, bot in enumerate(bots):
        moons = bot.asked[table_pb2.TURN_KIND_MOON]
        assert bot.asked[table_pb2.TURN_KIND_PLAY] == plays
        assert bot.asked[table_pb2.TURN_KIND_PASS] == passes
        assert (moons > 0) == (name in WITH_CHOICE), f"bot {number} was asked about {moons} moons"


@pytest.mark.parametrize("name", WITH_CHOICE)
async def test_a_shooter_that_names_no_choice_gets_the_default_and_a_fault(name: str, tmp_path: Path) -> None:
    def undecided(address: str, token: str, **_: object) -> LegalBot:
        return LegalBot(address, token, moon_choice=rules_pb2.MOON_CHOICE_UNSPECIFIED)

    async with arena(4, f"unix:{tmp_path}/referee", undecided) as (referee, bots):
        record = await referee.play(preset(name), deals=4, dealt=SURE_MOON)

    [fault] = record.faults
    default = preset(name).moon_choice_default
    assert (fault.seat, fault.breach, fault.ruling) == (0, "MOON_CHOICE_UNKNOWN", Ruling.SUBSTITUTE)
    assert record.deals[3].decisions[-1].moon_choice == default
    assert record.deals[3].scores[0] == record.deals[3].points[0] - 26 - (26 if default == "subtract" else 0)
    assert bots[0].asked[table_pb2.TURN_KIND_MOON] == 1


@pytest.mark.parametrize(
    ("name", "deal_total"),
    [
        ("american", 26),
        ("spot", 117),
        ("black-maria", 43),
        ("british", 13),
        ("omnibus", 26),
        ("cancellation-8", 52),
    ],
)
async def test_a_revoke_ends_the_deal_over_the_wire_with_all_its_points_to_the_offender(
    name: str, deal_total: int, tmp_path: Path
) -> None:
    seats = preset(name).seats
    async with arena(seats, f"unix:{tmp_path}/referee", Revoker) as (referee, bots):
        record = await referee.play(preset(name), deals=2, ruling=Ruling.REVOKE)

    first, second = record.deals
    [fault] = record.faults
    assert (fault.seat, fault.deal_number, fault.kind.value, fault.ruling) == (0, 1, "breach", Ruling.REVOKE)
    assert set(fault.answer).isdisjoint(fault.legal)
    assert (first.revoked_seat, first.scores) == (0, (deal_total, *[0] * (seats - 1)))
    assert (first.moon_seat, second.revoked_seat) == (None, None)
    assert_played_by_the_rules(name, record)
    for seat, bot in enumerate(bots):
        told = [notice.deal_ended for notice in bot.notices if notice.HasField("deal_ended")]
        faults = [notice.fault for notice in bot.notices if notice.HasField("fault")]
        assert [tuple(ended.scores) for ended in told] == [first.scores, second.scores]
        assert [fault.ruling for fault in faults] == ([] if seat else [table_pb2.RULING_REVOKE])


@pytest.mark.parametrize(
    ("rules_name", "folders"),
    [
        ("cancellation-11", ["duck", "counter", "moon", "low", "random"] * 2 + ["duck"]),
        ("omnibus-choice", ["moon", "counter", "moon", "low"]),
    ],
)
async def test_the_sample_bots_as_processes_play_it_without_a_fault(
    rules_name: str, folders: list[str], tmp_path: Path
) -> None:
    names = [f"{folder}-{seat}" for seat, folder in enumerate(folders)]
    dealt = SURE_MOON if rules_name in WITH_CHOICE else None
    async with real_referee(names, f"unix:{tmp_path}/referee") as referee:
        with ExitStack() as stack:
            for name, folder in zip(names, folders, strict=True):
                stack.enter_context(BotProcess(PYTHON / folder, referee.address, HEARTS_TOKEN=name))
            record = await referee.play(preset(rules_name), deals=4, dealt=dealt)

    assert record.faults == ()
    assert {d.decided_by for deal in record.deals for d in deal.decisions} == {DecidedBy.BOT}
    assert (TurnKind.MOON in {d.kind for deal in record.deals for d in deal.decisions}) == (dealt is not None)
    assert_played_by_the_rules(rules_name, record)
