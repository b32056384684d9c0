"""A match record as tables: hands by suit, passes, and one line a trick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.records import DealRecord, DecidedBy, DecisionRecord, MatchRecord, TurnKind

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_SUITS = (("clubs", "♣"), ("diamonds", "♦"), ("hearts", "♥"), ("spades", "♠"))
_TEXT_FORM = "\ufe0e"  # asks for a sign of the text's colour, not for a picture


@dataclass(frozen=True, slots=True)
class CardView:
    """A card: its sign says the suit, the colour only repeats it."""

    rank: str
    suit: str  # such as "hearts"
    sign: str


@dataclass(frozen=True, slots=True)
class PlayView:
    """One card of a trick."""

    card: CardView
    leads: bool
    wins: bool
    by_referee: bool  # the bot had failed


@dataclass(frozen=True, slots=True)
class TrickView:
    """One line of the table; `plays` are by seat, None where a ruling ended the deal before."""

    number: int
    plays: tuple[PlayView | None, ...]
    winner: str | None
    points: int | None  # None where the values of cards are not known


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat had and got in a deal."""

    bot: str
    hand: tuple[tuple[CardView, ...], ...]  # by suit, high to low
    passed: tuple[CardView, ...]
    taker: str
    points: int
    score: int
    total: int
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealView:
    """One deal."""

    number: int
    direction: str
    seats: tuple[SeatView, ...]
    widow: tuple[CardView, ...]
    tricks: tuple[TrickView, ...]
    notes: tuple[tuple[str, str], ...]  # bot and what it wrote

    @property
    def has_substitute(self) -> bool:
        """Whether the referee played any card."""
        return any(play.by_referee for trick in self.tricks for play in trick.plays if play)


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """One seat over the whole match."""

    bot: str
    version: str
    place: int
    total: int
    faults: int
    longest_ms: float


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A whole match, and where its page is."""

    page: str
    record: MatchRecord
    seats: tuple[ReplaySeat, ...]
    deals: tuple[DealView, ...]
    faults: tuple[tuple[str, int, str], ...]  # bot, deal, what it failed in

    @property
    def has_moon(self) -> bool:
        """Whether anybody shot the moon."""
        return any(deal.moon_seat is not None for deal in self.record.deals)


def replay_view(record: MatchRecord, card_values: Sequence[int]) -> ReplayView:
    """Everything that a page shows of a match.

    Args:
        record: the match.
        card_values: points by card; empty where they are not known.
    """
    bots = record.spec.bots
    return ReplayView(
        page=f"{record.spec.number:05}-{record.spec.key[:8]}.html",
        record=record,
        seats=tuple(_replay_seat(record, seat) for seat in range(len(bots))),
        deals=tuple(_deal(record, deal, card_values) for deal in record.deals),
        faults=tuple((bots[fault.seat], fault.deal_number, fault.message) for fault in record.faults),
    )


def card_view(card: int) -> CardView:
    """The parts of a card 1..52."""
    suit, sign = _SUITS[(card - 1) // 13]
    return CardView(_RANKS[(card - 1) % 13], suit, sign + _TEXT_FORM)


def _replay_seat(record: MatchRecord, seat: int) -> ReplaySeat:
    times = [decision.elapsed_us for deal in record.deals for decision in deal.decisions if decision.seat == seat]
    return ReplaySeat(
        bot=record.spec.bots[seat],
        version=record.versions[seat],
        place=record.places[seat],
        total=record.totals[seat],
        faults=sum(fault.seat == seat for fault in record.faults),
        longest_ms=max(times, default=0) / 1000,
    )


def _deal(record: MatchRecord, deal: DealRecord, card_values: Sequence[int]) -> DealView:
    bots = record.spec.bots
    passes = {decision.seat: decision for decision in deal.decisions if decision.kind is TurnKind.PASS}
    plays = [decision for decision in deal.decisions if decision.kind is TurnKind.PLAY]
    return DealView(
        number=deal.deal_number,
        direction=_direction(deal, len(bots)),
        seats=tuple(_seat(record, deal, seat, passes.get(seat)) for seat in range(len(bots))),
        widow=_views(deal.widow),
        tricks=tuple(
            _trick(record, deal, start // len(bots), plays[start : start + len(bots)], card_values)
            for start in range(0, len(plays), len(bots))
        ),
        notes=tuple((bots[decision.seat], decision.note) for decision in deal.decisions if decision.note),
    )


def _seat(record: MatchRecord, deal: DealRecord, seat: int, passed: DecisionRecord | None) -> SeatView:
    bots = record.spec.bots
    remarks = []
    if deal.moon_seat == seat:
        remarks.append("shot the moon")
    if deal.revoked_seat == seat:
        remarks.append("broke a rule: all points")
    if deal.autopilot[seat]:
        remarks.append("on autopilot")
    return SeatView(
        bot=bots[seat],
        hand=tuple(_views(card for card in deal.hands[seat] if (card - 1) // 13 == suit) for suit in range(4)),
        passed=_views(passed.cards) if passed else (),
        taker=bots[(seat + deal.pass_offset) % len(bots)],
        points=deal.points[seat],
        score=deal.scores[seat],
        total=deal.totals[seat],
        remarks=tuple(remarks),
    )


def _trick(
    record: MatchRecord, deal: DealRecord, index: int, plays: Sequence[DecisionRecord], card_values: Sequence[int]
) -> TrickView:
    bots = record.spec.bots
    winner = deal.winners[index] if index < len(deal.winners) else None
    by_seat = {
        play.seat: PlayView(
            card=card_view(play.cards[0]),
            leads=play is plays[0],
            wins=play.seat == winner,
            by_referee=play.decided_by is not DecidedBy.BOT,
        )
        for play in plays
    }
    return TrickView(
        number=index + 1,
        plays=tuple(by_seat.get(seat) for seat in range(len(bots))),
        winner=None if winner is None else bots[winner],
        points=sum(card_values[play.cards[0]] for play in plays) if card_values else None,
    )


def _views(cards: Iterable[int]) -> tuple[CardView, ...]:
    return tuple(card_view(card) for card in sorted(cards, reverse=True))


def _direction(deal: DealRecord, seats: int) -> str:
    offset = deal.pass_offset % seats
    if offset == 0:
        return "nothing is passed"
    if 2 * offset == seats:
        return "passed across"
    if offset == 1:
        return "passed to the left"
    return "passed to the right" if offset == seats - 1 else f"passed {offset} seats to the left"
