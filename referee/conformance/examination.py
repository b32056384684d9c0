"""The whole examination of a bot: it is built, started, and put through every check in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager

from referee.conformance import checks_rules, checks_wire
from referee.conformance.deals import TrialDeal
from referee.conformance.findings import Finding, Grade, Report
from referee.conformance.laboratory import QUICK, Broken, Laboratory, Patience
from referee.conformance.playing import Situation, play
from referee.launch.build import build
from referee.launch.launcher import Launcher
from referee.launch.manifest import BotManifest
from referee.launch.scratch import Scratch
from referee.wire.scripted import ScriptedReferee

QUICK_S = 8.5  # for everything after the build; what is left to ten seconds is for starting and ending

Section = Callable[[Laboratory], AsyncIterator[Finding]]


def sections(*, quick: bool) -> Mapping[str, Section]:
    """Every part of the examination by name, in its order. Those behind the first two ask turns that came there."""
    return {
        "hello": checks_wire.hello,
        "corners": checks_rules.corners,
        "presets": lambda laboratory: checks_rules.presets(laboratory, quick=quick),
        "tables": checks_wire.tables,
        "turn ids": checks_wire.turn_ids,
        "unknown": checks_wire.unknown,
        "reconnect": lambda laboratory: checks_wire.reconnect(laboratory, quick=quick),
        "same again": checks_rules.same_again,
        "farewells": lambda laboratory: checks_wire.farewells(laboratory, quick=quick),
    }


async def examine(
    manifest: BotManifest,
    *,
    quick: bool = False,
    only: Collection[str] = (),
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Examine a bot.

    Args:
        manifest: of the bot.
        quick: look at less, and stop after `QUICK_S`.
        only: names of sections; all of them if empty.
        say: told what is looked at.
    """
    began = time.monotonic()
    async with _launcher() as (launcher, address):
        findings = [await _built(launcher, manifest, say)]
        laboratory = Laboratory(manifest, launcher, ScriptedReferee(address), QUICK if quick else Patience())
        if findings[0].grade is not Grade.FAIL:
            await laboratory.referee.start()
            try:
                findings += await _all(laboratory, quick=quick, only=only, say=say)
            finally:
                await laboratory.end()
                await laboratory.referee.stop()
            findings += [*checks_wire.oddities(laboratory), checks_rules.decision_time(laboratory)]
            findings.append(checks_rules.memory(laboratory))
    return Report(
        bot=manifest.name,
        findings=tuple(findings),
        turns=len(laboratory.asked),
        elapsed_ms=round((time.monotonic() - began) * 1000),
    )


async def ask_again(manifest: BotManifest, deal: TrialDeal, turn_number: int) -> Situation | None:
    """Play a deal up to one turn and return what happened there; None if the deal had no such turn.

    Raises:
        Broken: the bot cannot be built or started, or did not answer.
    """
    async with laboratory_of(manifest) as laboratory:
        async for situation in play(laboratory, deal, last_turn=turn_number):
            if situation.number == turn_number:
                return situation
    return None


@asynccontextmanager
async def laboratory_of(manifest: BotManifest) -> AsyncIterator[Laboratory]:
    """Build a bot and have it where it can be asked; it is started with the first question.

    Raises:
        Broken: it cannot be built.
    """
    async with _launcher() as (launcher, address):
        built = await _built(launcher, manifest, lambda _: None)
        if built.grade is Grade.FAIL:
            raise Broken(built.message, built.lines)
        laboratory = Laboratory(manifest, launcher, ScriptedReferee(address))
        await laboratory.referee.start()
        try:
            yield laboratory
        finally:
            await laboratory.end()
            await laboratory.referee.stop()


@asynccontextmanager
async def _launcher() -> AsyncIterator[tuple[Launcher, str]]:
    """A launcher and the address of a socket, in a short-lived folder."""
    with Scratch() as folder:
        async with Launcher(folder) as launcher:
            yield launcher, f"unix:{folder}/referee"


async def _built(launcher: Launcher, manifest: BotManifest, say: Callable[[str], None]) -> Finding:
    if not manifest.build:
        return Finding(check="build", grade=Grade.PASS, message="nothing to build")
    say(f"building {manifest.name}")
    began = time.monotonic()
    result = await build(launcher, manifest)
    if not result.ok:
        return Finding(check="build", grade=Grade.FAIL, message=result.message, lines=result.tail[-10:])
    return Finding(check="build", grade=Grade.PASS, message=f"built in {time.monotonic() - began:.1f} s")


async def _all(
    laboratory: Laboratory, *, quick: bool, only: Collection[str], say: Callable[[str], None]
) -> list[Finding]:
    findings: list[Finding] = []
    ends_at = asyncio.get_running_loop().time() + QUICK_S if quick else None
    for name, section in sections(quick=quick).items():
        if only and name not in only:
            continue
        say(f"checking {name}")
        try:
            async with asyncio.timeout_at(ends_at):
                async for finding in section(laboratory):
                    findings.append(finding)  # noqa: PERF401  what was found before the time is up is kept
        except TimeoutError:
            message = f"the {QUICK_S:g} s of --quick were used up: without it, everything is looked at"
            findings.append(Finding(check=name, grade=Grade.SKIPPED, message=message))
            break
        except Broken as broken:
            findings.append(Finding(check=name, grade=Grade.FAIL, message=str(broken), lines=broken.lines))
            if name == "hello":
                break  # nothing else can be looked at
    return findings
