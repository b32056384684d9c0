"""Which rule sets can be played (R17), by the page."""

from __future__ import annotations

from tests.naive.cards import Rules, deal_total_of, moon_set_of, pack_of


def is_playable(rules: Rules) -> bool:
    """Say whether a rule set of well-formed values passes R17.1 to R17.8."""
    seats, packs, pack = rules["seats"], rules["packs"], pack_of(rules)
    hand, widow = divmod(len(pack), seats)
    both = set(rules["penalties"]) & set(rules["bonuses"])
    named = set(rules["penalties"]) | set(rules["bonuses"])
    return all(
        [
            (packs, seats) in [(1, n) for n in range(3, 8)] + [(2, n) for n in range(6, 12)],  # R17.1
            len(set(rules["removed"])) == len(rules["removed"]),  # R17.2
            hand >= 1,
            widow == 0 or rules["leftover"] == "widow",  # R17.3
            0 <= rules["pass_count"] <= hand,  # R17.4
            len(rules["pass_cycle"]) >= 1,
            all(abs(offset) < seats for offset in rules["pass_cycle"]),
            rules["first_lead"] != "lowest_club" or sum(card[1] == "C" for card in pack) > widow,  # R17.5
            all(value > 0 for value in rules["penalties"].values()),  # R17.6
            all(value < 0 for value in rules["bonuses"].values()),
            not both,
            not any(card[1] == "H" for card in named),
            deal_total_of(rules) >= 1,  # R17.7
            rules["moon"] != "subtract" or len(moon_set_of(rules)) != 1,
            rules["target"] >= 1,  # R17.8
            rules["max_deals"] is None or rules["max_deals"] >= 1,
            rules["moon_points"] == "deal_total" or rules["moon_points"] >= 1,
            rules["score_floor"] is None or rules["score_floor"] <= 0,
        ]
    )
