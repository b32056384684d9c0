"""Playing one deal with the bot at one seat and the rulebook's own table as the judge."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial

from referee.conformance.deals import TURNS_PER_DEAL, TrialDeal
from referee.conformance.laboratory import Laboratory
from referee.records import Fault, FaultKind, MatchSpec, TurnKind
from referee.rules.cards import card_text
from referee.rules.dealing import integer_seed, turn_key, turn_seed
from referee.table import Answer, Ask, Table
from referee.table.asks import Failure
from referee.table.turns import MatchStart, Turn
from referee.wire.scripted import Question, Reply

FAULTS_MAX = 1_000  # the bot is to be asked to the end of the deal, whatever it does
TURN_MS, BANK_MS = 1000, 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One turn of the bot in a trial: what it knew and what became of it. `fault` is None if all was well."""

    number: int
    kind: TurnKind
    seat: int
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    trick: tuple[int, ...]
    leader: int | None
    reply: Reply | None
    fault: Fault | None


def table_of(deal: TrialDeal) -> Table:
    """The table of a trial deal; all its chance is the same every time."""
    spec = MatchSpec(
        key=f"trial {deal.number}",
        number=deal.number,
        round_number=0,
        board_set=0,
        attempt=0,
        rotation=0,
        bots=tuple("bot" if seat == deal.seat else f"other-{seat}" for seat in range(deal.rules.seats)),
        deals=1,
    )
    key = turn_key(integer_seed(deal.number), "", 0, 0, 1)
    return Table(
        spec,
        deal.rules,
        deal_cards=lambda _: deal.dealt,
        turn_seeds=lambda _: partial(turn_seed, key),
        faults_max=FAULTS_MAX,
    )


async def play(
    laboratory: Laboratory, deal: TrialDeal, *, last_turn: int | None = None, strange: bool = False
) -> AsyncIterator[Situation]:
    """Play the deal and yield each turn of the bot, with the fault it was, if it was one.

    Args:
        laboratory: of the bot.
        deal: to be played.
        last_turn: stop after the turn with this number.
        strange: send fields that no bot knows along with everything.

    Raises:
        Broken: the bot does not answer, or is gone.
    """
    table = table_of(deal)
    waiting = table.open().asks
    count = 0
    while waiting:
        ask = waiting.pop(0)
        if ask.seat != deal.seat:
            waiting += table.answer(ask.seat, filler(ask)).asks
            continue
        count += 1
        number = deal.number * TURNS_PER_DEAL + count
        show = _shown(ask, number)
        reply = await laboratory.ask(number, question_of(deal, ask), strange=strange)
        faults_before = len(table.faults)
        if isinstance(reply.answer, str):
            failure = Failure(FaultKind.MALFORMED, reply.answer, answer=reply.cards)
            step = table.fail(ask.seat, failure)
        else:
            step = table.answer(ask.seat, reply.answer)
        fault = table.faults[-1] if len(table.faults) > faults_before else None
        yield show(reply, fault)
        if number == last_turn:
            return
        waiting += step.asks


def question_of(deal: TrialDeal, ask: Ask) -> Question:
    """Write the turn of an ask as a referee would send it."""
    rules = deal.rules
    return Question.of(Turn(ask, deal.number, rules.name, rules.target, TURN_MS, BANK_MS, 0))


def start_of(deal: TrialDeal) -> MatchStart:
    """The notice with which the deal's match would begin."""
    return MatchStart(
        match_id=deal.number,
        seat=deal.seat,
        rules=deal.rules.to_dict(),
        bot_names=table_of(deal).spec.bots,
        deals=1,
        turn_ms=TURN_MS,
        bank_ms=BANK_MS,
        faults_max=3,
        ruling="substitute",
        commitment="",
    )


def filler(ask: Ask) -> Answer:
    """What the other seats do: something legal, drawn from the turn's seed."""
    if ask.kind is TurnKind.MOON:
        return Answer((), "add")
    first = ask.turn_seed % len(ask.legal)
    turned = [*ask.legal[first:], *ask.legal[:first]]
    return Answer(tuple(turned[: ask.deal.rules.pass_count if ask.kind is TurnKind.PASS else 1]))


def cards_of(cards: tuple[int, ...]) -> str:
    """Cards as a bot's author reads them; what is no card as its number."""
    return " ".join(card_text(card) if 1 <= card <= 52 else str(card) for card in cards) or "none"


def described(situation: Situation) -> tuple[str, ...]:
    """What the bot knew and did, a line each."""
    trick = cards_of(situation.trick) if situation.trick else "none yet: it leads"
    lines = [f"hand   {cards_of(situation.hand)}"]
    if situation.kind is TurnKind.PLAY:
        lines.append(f"trick  {trick}")
    if situation.kind is not TurnKind.MOON:
        lines.append(f"legal  {cards_of(situation.legal)}")
    lines.append(f"answer {_answer_text(situation.reply)}")
    return tuple(lines)


def _answer_text(reply: Reply | None) -> str:
    if reply is None:
        return "none"
    if isinstance(reply.answer, str) or reply.cards:
        return cards_of(reply.cards)
    return reply.answer.moon_choice or "nothing: neither a card nor a moon choice"


def _shown(ask: Ask, number: int) -> Callable[[Reply | None, Fault | None], Situation]:
    """Note what the seat knew, before the deal goes on."""
    deal = ask.deal
    length = len(deal.played) % deal.rules.seats
    return partial(
        _situation,
        number=number,
        kind=ask.kind,
        seat=ask.seat,
        hand=tuple(deal.hand(ask.seat)),
        legal=tuple(ask.legal),
        trick=tuple(deal.played[len(deal.played) - length :]),
        leader=deal.leaders[-1] if deal.leaders else None,
    )


def _situation(reply: Reply | None, fault: Fault | None, **known: object) -> Situation:
    return Situation(reply=reply, fault=fault, **known)  # type: ignore[arg-type]
