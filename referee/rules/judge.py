"""The rulebook as a service: one request about one deal in, one answer out (docs/judge.md).

Requests and answers are JSON objects as Python has them. Whatever a request holds is answered; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.rules.breach import Breach, explain
from referee.rules.cards import Card, cards_text, parse_card
from referee.rules.deal import NO_SEAT, Deal, Phase
from referee.rules.parameters import RulesError
from referee.rules.presets import rules_from
from referee.rules.shown import shown


@dataclass(kw_only=True, eq=False)
class _RefusedError(Exception):
    """Why judging stops here."""

    at: str  # rules, hands, pass or play
    message: str
    index: int | None = None
    seat: int | None = None
    card: object = None
    breach: Breach | None = None


def judge(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request.

    Judging stops at the first error; what went before it is answered. Where `passes` is missing and the deal has a
    pass, the answer is that of a deal nobody has passed in. A shooter without a `moon_choice` gets the rule set's
    `moon_choice_default`.

    Args:
        request: `rules`, `hands` and optionally `id`, `deal_number`, `dealer`, `widow`, `passes`, `plays` and
            `moon_choice`; other keys are ignored.

    Returns:
        The answer; `scores` is None until the deal is complete.
    """
    answer = _blank(request.get("id"))
    try:
        deal = _start(request)
        _follow(deal, request, answer)
    except _RefusedError as refusal:
        answer["error"] = {
            "at": refusal.at,
            "index": refusal.index,
            "seat": refusal.seat,
            "card": refusal.card,
            "breach": refusal.breach,
            "message": refusal.message,
        }
    return answer


def malformed(message: str) -> dict[str, Any]:
    """Answer to something that is no request: its `id` is unknown, so None.

    The error is said to be at the rules, which are the first thing looked for.
    """
    error = {"at": "rules", "index": None, "seat": None, "card": None, "breach": None, "message": message}
    return _blank(None) | {"error": error}


def _blank(request_id: object) -> dict[str, Any]:
    return {
        "id": request_id,
        "pass_offset": None,
        "leader": None,
        "legal": [],
        "winners": [],
        "hearts_broken": False,
        "points": [],
        "moon_seat": None,
        "scores": None,
        "complete": False,
        "error": None,
    }


def _start(request: Mapping[str, Any]) -> Deal:
    try:
        rules = rules_from(request.get("rules"))
    except RulesError as error:
        raise _RefusedError(at="rules", message=str(error)) from None
    number = _whole(request, "deal_number", 1)
    dealer = _whole(request, "dealer", None)
    hands = request.get("hands")
    if not isinstance(hands, list):
        raise _RefusedError(at="hands", message=f"hands = {shown(hands)} is not allowed: give a list for each seat")
    try:
        return Deal(
            rules,
            deal_number=number,
            dealer=dealer,
            hands=[_cards(hand, f"hands[{seat}]") for seat, hand in enumerate(hands)],
            widow=_cards([] if request.get("widow") is None else request["widow"], "widow"),
        )
    except ValueError as error:
        raise _RefusedError(at="hands", message=str(error)) from None


def _whole(request: Mapping[str, Any], key: str, default: int | None) -> Any:
    value = request.get(key)
    if value is None:
        return default
    if type(value) is not int:
        raise _RefusedError(at="hands", message=f"{key} = {shown(value)} is not allowed: give a whole number")
    return value


def _cards(value: object, name: str) -> list[Card]:
    if not isinstance(value, list):
        message = f"{name} = {shown(value)} is not allowed: give a list of cards, such as QS or TD"
        raise ValueError(message)  # noqa: TRY004  # the caller's data is at fault, not its code
    return [parse_card(card) for card in value]


def _follow(deal: Deal, request: Mapping[str, Any], answer: dict[str, Any]) -> None:
    """Replay the request's decisions, and write the state they lead to even where one is refused."""
    plays = request.get("plays")
    try:
        _pass(deal, request.get("passes"))
        if deal.phase is Phase.PASS and plays:
            raise _RefusedError(at="pass", message="passes are missing: give one list of cards for each seat")
        _play(deal, [] if plays is None else plays, answer["legal"])
        if deal.phase is Phase.MOON:
            _choose(deal, request.get("moon_choice"))
    finally:
        answer["pass_offset"] = deal.pass_offset
        answer["leader"] = deal.leaders[0] if deal.leaders else None
        answer["winners"] = deal.winners
        answer["hearts_broken"] = deal.hearts_broken
        answer["points"] = deal.points
        answer["moon_seat"] = deal.moon_seat
        if deal.phase is Phase.DONE:
            answer["scores"] = deal.scores
            answer["complete"] = True


def _pass(deal: Deal, passes: object) -> None:
    if passes is None or passes == []:
        return
    if not isinstance(passes, list):
        raise _RefusedError(
            at="pass", message=f"passes = {shown(passes)} is not allowed: give one list for each seat"
        )
    if deal.phase is not Phase.PASS:
        if any(passes):
            raise _RefusedError(
                at="pass", breach=Breach.WRONG_KIND, message="This deal is a hold: nothing is passed."
            )
        return
    seats = deal.rules.seats
    if len(passes) != seats:
        raise _RefusedError(at="pass", message=f"{len(passes)} passes were given for {seats} seats")
    for seat, texts in enumerate(passes):
        legal = deal.legal(seat)
        try:
            cards = _cards(texts, f"passes[{seat}]")
        except ValueError as error:
            raise _RefusedError(
                at="pass", index=seat, seat=seat, card=texts, breach=Breach.CARD_NOT_HELD, message=str(error)
            ) from None
        if breach := deal.pass_cards(seat, cards):
            message = explain(breach, legal)
            raise _RefusedError(at="pass", index=seat, seat=seat, card=texts, breach=breach, message=message)


def _play(deal: Deal, plays: object, legal_before: list[list[str]]) -> None:
    if not isinstance(plays, list):
        raise _RefusedError(
            at="play", message=f"plays = {shown(plays)} is not allowed: give a list of cards in order"
        )
    for index, text in enumerate(plays):
        seat = deal.turn_seat
        legal = deal.legal(seat) if deal.phase is Phase.PLAY else []
        if deal.phase is Phase.PLAY:
            legal_before.append(cards_text(legal))
        card, fault = _card_or_zero(text)
        breach = deal.play(seat, card)
        if breach:
            told = explain(breach, legal)
            if fault and breach is Breach.CARD_NOT_HELD:
                told = f"{fault}; legal: {', '.join(cards_text(legal))}."
            raise _RefusedError(
                at="play",
                index=index,
                seat=None if seat == NO_SEAT else seat,
                card=text,
                breach=breach,
                message=told,
            )
    if deal.phase is Phase.PLAY:
        legal_before.append(cards_text(deal.legal(deal.turn_seat)))


def _card_or_zero(text: object) -> tuple[Card, str]:
    """Card of a text; 0, which nobody holds, and a sentence without its end where it is none."""
    try:
        return parse_card(text), ""  # type: ignore[arg-type]  # it refuses what is no text
    except ValueError as error:
        return 0, str(error)


def _choose(deal: Deal, choice: object) -> None:
    shooter = deal.turn_seat
    breach = deal.choose_moon(shooter, str(deal.rules.moon_choice_default if choice is None else choice))
    if breach:
        index = len(deal.played)
        raise _RefusedError(
            at="play", index=index, seat=shooter, card=choice, breach=breach, message=explain(breach, ())
        )
