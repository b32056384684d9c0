"""`hearts plan`: how many deals it takes to tell bots apart, by the results of a pilot."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len
from scipy.special import ndtri, stdtrit

from ratings.bradley_terry import fit_bradley_terry
from ratings.fit import Fit
from ratings.plan import DealsToGo, Sample, plan_separation
from ratings.points import fit_points
from ratings.text_width import cut, fitted, width_of
from referee.cli.console import JsonOption, QuietOption, emit, emit_json, fail, note, wrapped
from referee.cli.result_files import pooled, pooled_control, read_all

PAIRS_SHOWN_MAX = 30
_NAMES_CELLS_MAX = 23  # with so much of two names the table fits 80 columns
APART_MIN, APART_MAX = 0.001, 10_000  # less would take more deals than can be counted; nobody is further apart


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlan:
    """What two bots need. Deals are counted from the first, those of the pilot included."""

    a: str
    b: str
    difference: float  # as it stands
    margin: float  # half of its 95 % interval
    deals: int  # to tell the difference asked for from zero, by a test of this pair alone
    deals_as_it_stands: int | None  # the same for the difference as it stands; None where there is none


def plan(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="The pilot: folders of tournaments, or CSV files.")
    ],
    apart: Annotated[
        float, typer.Option("--apart", metavar="X", help="The difference to be told, in Elo or with --points.")
    ] = 20.0,
    in_points: Annotated[bool, typer.Option("--points", help="Plan for points a deal instead of Elo.")] = False,
    bots: Annotated[
        list[str] | None, typer.Option("--bot", metavar="NAME", help="Only pairs with this bot; several times.")
    ] = None,
    power: Annotated[float, typer.Option("--power", help="Chance to tell bots apart that differ so much.")] = 0.8,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Say how many deals it takes until the table marks any two bots as separated that differ by X.

    The table judges all pairs together (Holm's correction), so that takes more than a test of one pair alone, for
    which the deals are said pair by pair. The deals that come are taken to be like those of the pilot: the same
    bots, seats and design. Half the difference costs four times the deals.
    """
    if not apart > 0:
        fail(f"--apart {apart:g}: give a difference above zero, such as --apart 20")
    if not APART_MIN <= apart <= APART_MAX:
        fail(f"--apart {apart:g}: give a difference from {APART_MIN:g} to {APART_MAX:g}, such as --apart 20")
    if not 0.5 <= power < 1:
        fail(f"--power {power:g}: give a chance from 0.5 to below 1, such as --power 0.8")
    files = read_all(paths)
    results, controlled = pooled(files), pooled_control(files)
    if in_points:
        fit = fit_points(results if controlled is None else controlled.results)
    else:
        fit = fit_bradley_terry(results)
    for bot in bots or ():
        if bot not in fit.bots:
            fail(f"--bot {bot}: there is no result of it; the bots are {', '.join(fit.bots)}")
    sample, unit = Sample.of(results), "points a deal" if in_points else "Elo"
    whole = plan_separation(fit, sample, apart, power=power)
    pairs = pairs_of(fit, sample, apart, power, bots or ())
    if as_json:
        emit_json(_as_json(whole, pairs, unit, apart, power))
        return
    note(f"pilot: {results.boards:,} results of {sample.amount:,} different {sample.noun}", quiet=quiet)
    emit(_text(whole, pairs, unit, apart, power))


def pairs_of(fit: Fit, sample: Sample, apart: float, power: float, wanted: Collection[str]) -> list[PairPlan]:
    """Plan each pair of rated bots, the dearest first.

    Args:
        fit: of the pilot.
        sample: how much is behind it.
        apart: the difference to be told, in the fit's unit.
        power: chance to tell it.
        wanted: only pairs with one of these bots, if any are named.
    """
    se, quantile = fit.difference_se(), float(ndtri(0.975) + ndtri(power))
    half = stdtrit(fit.difference_freedom(), 0.975) * se
    deals = sample.amount
    plans = []
    for i, j in combinations([index for index in range(len(fit.bots)) if fit.rated[index]], 2):
        a, b = (i, j) if fit.value[i] >= fit.value[j] else (j, i)
        if wanted and not {fit.bots[a], fit.bots[b]} & set(wanted):
            continue
        difference = float(fit.value[a] - fit.value[b])
        plans.append(
            PairPlan(
                a=fit.bots[a],
                b=fit.bots[b],
                difference=difference,
                margin=float(half[a, b]),
                deals=_deals(deals, float(se[a, b]), quantile, apart),
                deals_as_it_stands=_deals(deals, float(se[a, b]), quantile, difference) if difference else None,
            )
        )
    return sorted(plans, key=lambda plan: (-plan.deals, plan.a, plan.b))


def _deals(deals: int, se: float, quantile: float, difference: float) -> int:
    return max(2, round(deals * (quantile * se / difference) ** 2))


def _text(whole: DealsToGo, pairs: list[PairPlan], unit: str, apart: float, power: float) -> str:
    digits = 0 if unit == "Elo" else 2
    names = [_names(pair) for pair in pairs[:PAIRS_SHOWN_MAX]]
    width = width_of(names, low=4, high=_NAMES_CELLS_MAX)
    noun = whole.noun
    lines = [
        wrapped(f"{whole} (chance {100 * power:g} %)"),
        "",
        f"{'pair':{width}}  {'now':>8}  {'±':<6} {f'{noun} for {apart:g}':>16}  {f'{noun} as it stands':>20}",
    ]
    for pair, named in zip(pairs, names, strict=False):
        stands = "–" if pair.deals_as_it_stands is None else f"{pair.deals_as_it_stands:,}"
        lines.append(
            f"{fitted(named, width)}  {pair.difference:>+8.{digits}f}  {pair.margin:<6.{digits}f}"
            f" {pair.deals:>16,}  {stands:>20}"
        )
    if len(pairs) > PAIRS_SHOWN_MAX:
        more = len(pairs) - PAIRS_SHOWN_MAX
        lines.append(f"and {more} pairs that need fewer deals; --bot NAME shows those of one bot")
    lines.append(f"in {unit}; {noun} in all, those of the pilot included")
    lines.append(wrapped("by a test of each pair alone; to be separated on the table takes the number above"))
    return "\n".join(lines)


def _names(pair: PairPlan) -> str:
    both = f"{pair.a}, {pair.b}"
    if cell_len(both) <= _NAMES_CELLS_MAX:
        return both
    half = (_NAMES_CELLS_MAX - 2) // 2
    return f"{cut(pair.a, half)}, {cut(pair.b, half)}"


def _as_json(whole: DealsToGo, pairs: list[PairPlan], unit: str, apart: float, power: float) -> dict[str, object]:
    return {
        "unit": unit,
        "apart": apart,
        "power": power,
        "counted": whole.noun,
        "deals_now": whole.deals_now,
        "deals_more": whole.deals_more,
        "slowest": list(whole.slowest),
        "sentence": str(whole),
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "difference": pair.difference,
                "margin": pair.margin,
                "deals": pair.deals,
                "deals_as_it_stands": pair.deals_as_it_stands,
            }
            for pair in pairs
        ],
    }
