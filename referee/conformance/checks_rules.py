"""Checks of what a bot decides: legal in every corner and preset, the same again, in time."""

from __future__ import annotations

import statistics
from collections.abc import AsyncIterator, Sequence

from referee.conformance.deals import TrialDeal, corner_deals, preset_deals
from referee.conformance.findings import Finding, Grade
from referee.conformance.laboratory import Asked, Broken, Laboratory
from referee.conformance.playing import TURN_MS, Situation, described, play

BROKEN_MAX = 3  # deals in a row that could not be played
AGAIN_MAX = 60  # turns that are asked a second time


async def corners(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """A deal for each corner of the rules."""
    async for finding in _deals(laboratory, corner_deals(), "corner"):
        yield finding


async def presets(laboratory: Laboratory, *, quick: bool) -> AsyncIterator[Finding]:
    """A deal of each preset, or of some."""
    async for finding in _deals(laboratory, preset_deals(quick=quick), "preset"):
        yield finding


async def _deals(laboratory: Laboratory, deals: Sequence[TrialDeal], check: str) -> AsyncIterator[Finding]:
    broken_in_a_row = 0
    for deal in deals:
        name = f"{check}: {deal.title}"
        try:
            finding = await _one_deal(laboratory, deal, name)
            broken_in_a_row = 0
        except Broken as broken:
            finding = Finding(check=name, grade=Grade.FAIL, message=str(broken), lines=broken.lines)
            broken_in_a_row += 1
        yield finding
        if broken_in_a_row == BROKEN_MAX:
            message = f"left out after {BROKEN_MAX} deals in a row that could not be played"
            yield Finding(check=f"{check}s", grade=Grade.SKIPPED, message=message)
            return


async def _one_deal(laboratory: Laboratory, deal: TrialDeal, check: str) -> Finding:
    count = 0
    faulty: list[Situation] = []
    async for situation in play(laboratory, deal):
        count += 1
        if situation.fault is not None:
            faulty.append(situation)
    if not faulty:
        return Finding(check=check, grade=Grade.PASS, message=f"{count} turns, all legal")
    first = faulty[0]
    assert first.fault is not None
    more = f" ({len(faulty)} of {count} turns)" if len(faulty) > 1 else ""
    return Finding(
        check=check,
        grade=Grade.FAIL,
        message=f"{first.fault.breach or 'no decision'}: {first.fault.message}{more}",
        turn=first.number,
        lines=described(first),
    )


async def same_again(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """The same turns once more: in another order, and to a fresh process."""
    before = _spread(laboratory.asked, AGAIN_MAX)
    in_order = await _differing(laboratory, list(reversed(before)))
    how = await laboratory.end()
    if how is not None and how.exit_code == -9:
        yield Finding(
            check="ends when asked",
            grade=Grade.ADVICE,
            message="it had to be killed, since it did not end on SIGTERM: that is how a bot is stopped",
        )
    else:
        yield Finding(check="ends when asked", grade=Grade.PASS, message="it ended on SIGTERM")
    fresh = await _differing(laboratory, before)
    yield _same("same decisions out of order", in_order, len(before), "asked again in another order")
    yield _same("same decisions in a new process", fresh, len(before), "asked again by a new process of the bot")


def _same(check: str, differing: Sequence[Asked], count: int, how: str) -> Finding:
    if not differing:
        return Finding(check=check, grade=Grade.PASS, message=f"{count} turns asked again, decided the same")
    return Finding(
        check=check,
        grade=Grade.ADVICE,
        message=(
            f"{len(differing)} of {count} turns were decided otherwise when {how}: it remembers, or draws "
            "randomness from elsewhere than turn_seed, so a match cannot be played again exactly"
        ),
        turn=differing[0].number,
    )


async def _differing(laboratory: Laboratory, turns: Sequence[Asked]) -> list[Asked]:
    found = []
    for asked in turns:
        reply = await laboratory.ask(asked.number, asked.question)
        laboratory.asked.pop()  # not a turn of its own
        if reply.answer != asked.reply.answer:
            found.append(asked)
    return found


def _spread(asked: Sequence[Asked], count: int) -> list[Asked]:
    """At most `count` of the turns, evenly from all that were asked."""
    step = max(1, -(-len(asked) // count))
    return list(asked[::step])


def decision_time(laboratory: Laboratory) -> Finding:
    """How long it thought, over all turns that were asked one at a time."""
    times = sorted(asked.elapsed_us for asked in laboratory.asked)
    if not times:
        return Finding(check="decision time", grade=Grade.SKIPPED, message="no turn was answered")
    slowest = max(laboratory.asked, key=lambda asked: asked.elapsed_us)
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    figures = (
        f"median {statistics.median(times) / 1000:.1f} ms, 99 of 100 within {p99 / 1000:.1f} ms, "
        f"slowest {times[-1] / 1000:.1f} ms, over {len(times)} turns"
    )
    if times[-1] > TURN_MS * 1000:
        return Finding(
            check="decision time",
            grade=Grade.ADVICE,
            message=f"{figures}: more than the usual {TURN_MS} ms draws on the bank",
            turn=slowest.number,
        )
    return Finding(check="decision time", grade=Grade.PASS, message=figures)


def memory(laboratory: Laboratory) -> Finding:
    """The most memory that a process of the bot used."""
    used_kb = max((how.memory_kb_max for how in laboratory.exits), default=0)
    limit_mb = laboratory.manifest.limits.memory_mb
    if not used_kb:
        return Finding(
            check="memory", grade=Grade.SKIPPED, message="no process of it has ended, so none was measured"
        )
    figures = f"{used_kb / 1024:.0f} MB at most" + (f" of {limit_mb} MB" if limit_mb else "")
    if limit_mb and used_kb > limit_mb * 1024 * 8 // 10:
        return Finding(
            check="memory",
            grade=Grade.ADVICE,
            message=f"{figures}: close to the limit; raise [limits] memory_mb in bot.toml or use less",
        )
    return Finding(check="memory", grade=Grade.PASS, message=figures)
