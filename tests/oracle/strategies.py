"""Hypothesis strategies: rule sets and deals. They shrink towards `american` and towards an even shuffle."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.oracle.rule_sets import FREE, PRESETS, STRUCTURE, RuleDict, playable_structures

STRUCTURES = playable_structures()


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleDict:
    """A preset, or any playable combination of the values in `rule_sets.py`."""
    if draw(st.booleans()):
        return PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    indices = draw(st.sampled_from(STRUCTURES))
    rules = {name: STRUCTURE[name][index] for name, index in zip(STRUCTURE, indices, strict=True)}
    return rules | {name: draw(st.sampled_from(values)) for name, values in FREE.items()}


def generators() -> st.SearchStrategy[Random]:
    """A seeded `Random`; the seed is shown when a test fails."""
    return st.integers(0, 2**32 - 1).map(Random)
