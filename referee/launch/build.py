"""Building a bot: its manifest's build commands, one after the other, through the supervisor."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.launch.environment import build_environment
from referee.launch.launcher import Launcher, LaunchRequest, SpawnFailure
from referee.launch.limits import UNLIMITED

if TYPE_CHECKING:
    from referee.launch.manifest import BotManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """What came of it. `message` is empty if all went well; the logs hold the commands' output."""

    ok: bool
    message: str = ""
    logs: tuple[Path, ...] = ()
    tail: tuple[str, ...] = ()  # last lines of the command that failed


async def build(launcher: Launcher, manifest: BotManifest, *, timeout_s: float = 600.0) -> BuildResult:
    """Run the build commands of a bot in its folder until one fails; `timeout_s` bounds each of them."""
    logs: list[Path] = []
    for command in manifest.build:
        words = " ".join(command)
        process = await launcher.launch(
            LaunchRequest(
                label=f"{manifest.name}-build",
                argv=command,
                cwd=manifest.folder,
                env=build_environment(os.environ),
                limits=UNLIMITED,
            )
        )
        if isinstance(process, SpawnFailure):
            return BuildResult(ok=False, message=f"{manifest.name}: {process.message}", logs=tuple(logs))
        logs.append(process.log)
        try:
            how = await asyncio.wait_for(process.exited(), timeout_s)
        except TimeoutError:
            await launcher.end(process)
            message = f"{manifest.name}: '{words}' had not ended after {timeout_s:g} s"
            return BuildResult(ok=False, message=message, logs=tuple(logs), tail=tuple(process.stderr_tail()))
        except asyncio.CancelledError:
            await launcher.end(process, grace_s=0)
            raise
        if how.exit_code != 0:
            message = f"{manifest.name}: '{words}' {how}"
            return BuildResult(ok=False, message=message, logs=tuple(logs), tail=tuple(process.stderr_tail()))
    return BuildResult(ok=True, logs=tuple(logs))
