"""Runs bad bots as real processes in a house, each at a table with three honest ones."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.executors.house import House
from referee.executors.work import BotEntry, HouseConfig, Unfit
from referee.floor import Voided
from referee.records import Fault, MatchRecord, MatchSpec, Ruling, TimeControl
from referee.rules import dealing
from referee.rules.presets import preset

BAD_BOTS = Path(__file__).parent / "bad_bots"
# In this deal cycle the first seat has an occasion for every breach, if all play as the referee would.
BOARD_SET = 21
DEALS = 4
CLOCK = TimeControl(turn_ms=2000, bank_ms=3000, start_ms=20_000, hello_ms=1_000)
HONEST = ("north", "east", "west")
VOIDS_MAX = 3


def bot_folder(root: Path, name: str, *run: str, owner: str = "") -> Path:
    """Write a bot.toml that runs a program of the gallery."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    argv = [sys.executable, str(BAD_BOTS / run[0]), *run[1:]] if run[0].endswith(".py") else list(run)
    # What a build makes is looked at when it is started, anything else when its bot.toml is read.
    build = 'build = ["true"]\n' if argv[0].startswith("./") else ""
    words = ", ".join(f'"{word}"' for word in argv)
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "the gallery"\nowner = "{owner or name}"\n'
        f'language = "python"\n{build}run = [{words}]\ntables_max = 256\n'
    )
    return folder


def house_config(root: Path, folders: dict[str, Path], clock: TimeControl, ruling: Ruling) -> HouseConfig:
    return HouseConfig(
        rules=preset("american").to_dict(),
        ruling=ruling,
        faults_max=3,
        clock=clock,
        seed=dealing.integer_seed(7).hex(),
        salt="",
        commitment="",
        bots=tuple(BotEntry(name=name, folder=str(folder)) for name, folder in folders.items()),
        log_dir=str(root / "logs"),
        restarts_max=1,
        reconnects_max=10,
    )


def spec_of(bots: Sequence[str], *, rotation: int = 0, board_set: int = BOARD_SET) -> MatchSpec:
    return MatchSpec(
        key="-".join(bots),
        number=0,
        round_number=1,
        board_set=board_set,
        attempt=0,
        rotation=rotation,
        bots=tuple(bots),
        deals=DEALS,
    )


@dataclass
class Shown:
    """What came of a gallery: by bot the record or why it did not play, and what was left."""

    outcomes: dict[str, MatchRecord | Unfit] = field(default_factory=dict)
    baseline: MatchRecord | None = None
    left: list[str] = field(default_factory=list)

    def record(self, name: str) -> MatchRecord:
        outcome = self.outcomes[name]
        assert isinstance(outcome, MatchRecord), outcome
        return outcome

    def verdict(self, name: str, seat: int = 0) -> tuple[str, int]:
        """The faults of the bad seat in a line, and its place."""
        record = self.record(name)
        return " ".join(fault_text(fault) for fault in record.faults if fault.seat == seat), record.places[seat]


def fault_text(fault: Fault) -> str:
    what = f"{fault.kind.value}:{fault.breach}" if fault.breach else fault.kind.value
    return f"{what}/{fault.blame.value}/{fault.ruling}"


def choices(record: MatchRecord, *, but_seat: int | None = None) -> list[tuple[int, str, tuple[int, ...]]]:
    """Every decision that was applied, in the order of the deal."""
    return [(d.seat, d.kind.value, d.cards) for deal in record.deals for d in deal.decisions if d.seat != but_seat]


def alive(marker: str) -> list[str]:
    """The processes that have `marker` in their environment or their working folder, as children inherit both."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            where = [(folder / "environ").read_bytes().decode(errors="replace"), str((folder / "cwd").readlink())]
            if any(marker in place for place in where) and int(folder.name) != os.getpid():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue  # it has ended meanwhile
    return found


async def show(
    root: Path,
    bad: Mapping[str, tuple[str, ...]],
    *,
    clock: TimeControl = CLOCK,
    ruling: Ruling = Ruling.SUBSTITUTE,
) -> Shown:
    """Play every bad bot once against the honest ones, all at the same time, and beside them the honest match."""
    folders = {name: bot_folder(root, name, "honest.py") for name in (*HONEST, "south")}
    folders |= {name: bot_folder(root, name, *run) for name, run in bad.items()}
    shown = Shown()
    async with House(house_config(root, folders, clock, ruling)) as house:
        address = house.socket_folder
        # All processes first: starting fifty of them takes the processor from those who play.
        unfit = await asyncio.gather(*(house.ready(name, "r0") for name in folders))
        shown.outcomes = {u.bot: u for u in unfit if u is not None}
        able = [name for name in ("south", *bad) if name not in shown.outcomes]
        outcomes = await asyncio.gather(*(until_it_counts(house, spec_of((name, *HONEST))) for name in able))
        shown.outcomes |= dict(zip(able, outcomes, strict=True))
    shown.baseline = shown.record("south")
    shown.left = alive(address)
    return shown


async def until_it_counts(house: House, spec: MatchSpec) -> MatchRecord | Unfit:
    """Play again what a stall of this very machine has voided, as the tournament does."""
    for _ in range(VOIDS_MAX):
        outcome = await house.play(spec)
        if not isinstance(outcome, Voided):
            return outcome
    raise AssertionError(f"void {VOIDS_MAX} times running: {outcome}")
