"""Who plays: manifests read, bots built, each shown to start, and those that cannot left out with a line."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.config.keys import ConfigError
from referee.executors.work import BotEntry
from referee.field import Origin
from referee.launch.build import build
from referee.launch.launcher import Launcher
from referee.launch.manifest import BotManifest, load_manifest, toolchain_missing
from referee.schedule.pairing import Entrant


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A bot that wants to play: a folder here or a name expected over the network."""

    name: str
    owner: str
    folder: Path | None
    is_house: bool = False
    origin: Origin = Origin()  # noqa: RUF009  frozen

    @property
    def entrant(self) -> Entrant:
        """The bot as the schedule knows it."""
        return Entrant(self.name, self.owner, self.is_house)

    @property
    def is_remote(self) -> bool:
        """Whether the bot dials in."""
        return self.folder is None


def candidates_of(
    bots: Sequence[tuple[Path | None, str | None, str | None]], house: Sequence[Path] = ()
) -> tuple[list[Candidate], dict[str, BotManifest]]:
    """Read the manifests of all bots.

    Args:
        bots: folder (None for a remote bot), name and owner; None: the manifest's.
        house: folders of the bots that fill tables.

    Raises:
        ManifestError: a folder or its bot.toml is wrong.
        ConfigError: two bots have the same name.
    """
    manifests: dict[str, BotManifest] = {}
    candidates: list[Candidate] = []
    wanted = [(*bot, False) for bot in bots] + [(folder, None, None, True) for folder in house]
    for folder, name, owner, is_house in wanted:
        if folder is None:
            candidates.append(Candidate(name=name or "", owner=owner or "", folder=None))
            continue
        manifest = load_manifest(folder)
        shown = name or (f"{manifest.name}-house" if is_house else manifest.name)
        if shown in manifests or any(c.name == shown for c in candidates):
            raise ConfigError(f"two bots are named {shown!r}: give one of them another name")
        manifests[shown] = manifest
        owned_by = manifest.owner if owner is None else owner
        origin = Origin(author=manifest.author, language=manifest.language)
        candidates.append(Candidate(name=shown, owner=owned_by, folder=folder, is_house=is_house, origin=origin))
    return candidates, manifests


def entries_of(candidates: Sequence[Candidate], tokens: Mapping[str, str]) -> tuple[BotEntry, ...]:
    """Say for each bot how it comes to the table."""
    return tuple(
        BotEntry(name=c.name, token=tokens[c.name])
        if c.folder is None
        else BotEntry(name=c.name, folder=str(c.folder))
        for c in candidates
    )


def new_tokens(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Draw a token for each remote bot."""
    return {c.name: secrets.token_urlsafe(24) for c in candidates if c.is_remote}


async def build_all(
    manifests: Mapping[str, BotManifest], log_dir: Path, say: Callable[[str], None]
) -> dict[str, str]:
    """Build the bots that need it; give for each that cannot be had the reason, in one line."""
    left_out: dict[str, str] = {}
    launcher: Launcher | None = None
    try:
        for name, manifest in manifests.items():
            missing = toolchain_missing(manifest)
            if missing is not None:
                left_out[name] = f"{name} is left out: {missing}"
                continue
            if not manifest.build:
                continue
            if launcher is None:
                launcher = Launcher(log_dir)
                await launcher.start()
            say(f"building {name}")
            result = await build(launcher, manifest)
            if not result.ok:
                tail = "".join(f"\n    {line}" for line in result.tail[-5:])
                left_out[name] = f"{name} is left out: it could not be built: {result.message}{tail}"
    finally:
        if launcher is not None:
            await launcher.close()
    return left_out
