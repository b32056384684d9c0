"""Makes proto/vectors/legal_plays.json and scoring.json: `make vectors` writes them, a test compares.

The rulebook answers; the test beside this file asks the naive referee, written from docs/rules.md alone, whether it
would have answered the same.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from referee.rules.cards import Card, card_text
from referee.rules.deal import Deal, Phase
from referee.rules.presets import PRESETS, preset
from referee.rules.ruleset import FirstLead, RuleSet
from referee.rules.scoring import MatchScore
from tests.oracle.drive import numbers, shuffled_hands

Vector = dict[str, Any]

VECTORS = Path(__file__).parents[2] / "proto" / "vectors"
POSITIONS_OF_A_PRESET = 60
DEALS_LOOKED_AT = 24
SHORT_HISTORY = 60  # characters; positions with more are taken last, to keep the file small
SCORED_DEALS_OF_A_PRESET = 5
MATCHES_OF_A_SETTING = 8

MATCH_SETTINGS: tuple[Vector, ...] = (
    {},
    {"target": 10, "tie_break": "all_play_on"},
    {"target": 10, "tie_break": "tied_hand"},
    {"target": 10, "tie_break": "shared"},
    {"target": 10, "tie_break": "all_play_on", "score_floor": 0},
    {"target": 10, "tie_break": "tied_hand", "max_deals": 4},
)


def text(cards: Iterable[Card]) -> str:
    """Write cards as the vectors have them: `2C TD QS`."""
    return " ".join(map(card_text, cards))


def situation_of(deal: Deal, seat: int) -> str:
    """Name what kind of position it is, so that every kind is chosen and a failing one is understood."""
    hand, trick_size = deal.hands[seat], len(deal.played) % deal.rules.seats
    first = "first trick, " if not deal.winners else ""
    legal = set(deal.legal(seat))
    if trick_size == 0:
        if first and deal.rules.first_lead is FirstLead.LOWEST_CLUB:
            return "lead of the lowest club"
        broken = "broken" if deal.hearts_broken else "unbroken"
        return f"{first}lead, {broken}, " + ("all legal" if legal == set(hand) else "some not legal")
    suit = (deal.played[-trick_size] - 1) // 13
    held = {card for card in hand if (card - 1) // 13 == suit}
    if not held:
        return f"{first}void, " + ("all legal" if legal == set(hand) else "some not legal")
    return f"{first}follow suit" + ("" if legal == held else ", some barred")


def position_of(deal: Deal) -> Vector:
    """Describe the turn of the seat that is to play."""
    seat = deal.turn_seat
    return {
        "rules": deal.rules.name,
        "deal_number": deal.deal_number,
        "situation": situation_of(deal, seat),
        "seat": seat,
        "hand": text(deal.hands[seat]),
        "played": text(deal.played),
        "leaders": list(deal.leaders),
        "hearts_broken": deal.hearts_broken,
        "legal": text(deal.legal(seat)),
    }


def start_deal(rules: RuleSet, deal_number: int, rng: Random) -> Deal:
    """Deal, often lopsided, and pass at random."""
    hands, widow = shuffled_hands(rules.to_dict(), rng)
    deal = Deal(rules, deal_number=deal_number, hands=[numbers(hand) for hand in hands], widow=numbers(widow))
    for seat in deal.seats_to_act() if deal.phase is Phase.PASS else ():
        assert deal.pass_cards(seat, rng.sample(deal.hands[seat], rules.pass_count)) is None
    return deal


def legal_plays() -> list[Vector]:
    """Choose positions of every preset, as evenly over the situations as they occur; early ones first."""
    chosen = []
    for name in PRESETS:
        rng = Random(f"legal plays {name}")
        rules = preset(name)
        found: dict[str, list[Vector]] = defaultdict(list)
        for deal_number in range(1, DEALS_LOOKED_AT + 1):
            deal = start_deal(rules, deal_number, rng)
            while deal.phase is Phase.PLAY:
                position = position_of(deal)
                found[position["situation"]].append(position)
                assert deal.play(deal.turn_seat, rng.choice(deal.legal(deal.turn_seat))) is None
        for positions in found.values():
            rng.shuffle(positions)
            positions.sort(key=lambda position: len(position["played"]) > SHORT_HISTORY)
        kinds = sorted(found)
        turns = (found[kind][n] for n in range(10_000) for kind in kinds if n < len(found[kind]))
        chosen += [next(turns) for _ in range(POSITIONS_OF_A_PRESET)]
    return chosen


def taken_cards(deal: Deal, widow: Iterable[Card]) -> list[list[Card]]:
    """Say who took which cards, from the history of a finished deal."""
    seats = deal.rules.seats
    taken: list[list[Card]] = [[] for _ in range(seats)]
    table = list(widow)
    for number, winner in enumerate(deal.winners):
        table += deal.played[number * seats : (number + 1) * seats]
        if winner is not None:
            taken[winner] += table
            table = []
    return [sorted(cards) for cards in taken]


def scored_deal(rules: RuleSet, deal_number: int, rng: Random, *, hunter: int | None) -> Vector:
    """Play a deal; a hunter plays high and the others low, which makes moons."""
    hands, widow = shuffled_hands(rules.to_dict(), rng)
    deal = Deal(rules, deal_number=deal_number, hands=[numbers(hand) for hand in hands], widow=numbers(widow))
    for seat in deal.seats_to_act() if deal.phase is Phase.PASS else ():
        assert deal.pass_cards(seat, rng.sample(deal.hands[seat], rules.pass_count)) is None
    choice = None
    while deal.phase is Phase.PLAY:
        legal = deal.legal(deal.turn_seat)
        ranked = sorted(legal, key=lambda card: (card - 1) % 13)
        card = rng.choice(legal) if hunter is None else ranked[-1 if deal.turn_seat == hunter else 0]
        assert deal.play(deal.turn_seat, card) is None
    if deal.phase is Phase.MOON:
        choice = rng.choice(["add", "subtract"])
        assert deal.choose_moon(deal.turn_seat, choice) is None
    return {
        "rules": rules.name,
        "taken": [text(cards) for cards in taken_cards(deal, numbers(widow))],
        "moon_choice": choice,
        "points": list(deal.points),
        "moon_seat": deal.moon_seat,
        "scores": list(deal.scores),
    }


def scored_deals() -> list[Vector]:
    """Score deals of every preset, one moon at least where there are moons."""
    vectors: list[Vector] = []
    for name in PRESETS:
        rng = Random(f"scoring {name}")
        rules = preset(name)
        found: list[Vector] = []
        while rules.moon != "none" and len(found) < 2:
            vector = scored_deal(rules, 1, rng, hunter=rng.randrange(rules.seats))
            if vector["moon_seat"] is not None:
                found.append(vector)
        while len(found) < SCORED_DEALS_OF_A_PRESET:
            found.append(scored_deal(rules, len(found) + 1, rng, hunter=None))
        vectors += found
    return vectors


def scored_matches() -> list[Vector]:
    """Add invented scores up to the end of a match, or to twelve deals."""
    vectors = []
    for setting in MATCH_SETTINGS:
        rng = Random(f"matches {sorted(setting.items())}")
        for _ in range(MATCHES_OF_A_SETTING):
            rules = RuleSet.from_dict(setting, name="american", base=preset("american"))
            match = MatchScore(rules)
            scores: list[list[int]] = []
            totals: list[list[int]] = []
            while not match.is_over and len(scores) < 12:
                top = 40 if not setting else rng.choice([1, 3, 6])
                scores.append([rng.randint(-1, top) for _ in range(rules.seats)])
                match.add(scores[-1])
                totals.append(list(match.totals))
            vectors.append(
                {
                    "rules": "american",
                    "set": setting,
                    "scores": scores,
                    "totals": totals,
                    "places": list(match.places) if match.is_over else None,
                }
            )
    return vectors


def written(sections: dict[str, list[Vector]]) -> str:
    """Write one vector a line, so that a change shows as the lines it changes."""
    parts = []
    for name, vectors in sections.items():
        lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


@cache
def files() -> dict[str, str]:
    """Make the text of every file of this module."""
    return {
        "legal_plays.json": written({"positions": legal_plays()}),
        "scoring.json": written({"deals": scored_deals(), "matches": scored_matches()}),
    }


if __name__ == "__main__":
    for file_name, content in files().items():
        (VECTORS / file_name).write_text(content)
