"""`counter` with some random cards: versions of one program, as an author has them who changes a little a day."""

from pathlib import Path

BOTS = Path(__file__).parents[2] / "sample_bots/python"
_MANIFEST = """\
name = "{name}"
version = "1.0"
language = "python"
run = ["python", "{bots}/wire_loop.py"]
tables_max = 256
"""
_STRATEGY = '''\
"""counter, but {per_cent} of 100 decisions are drawn at random, from the seed of the turn."""

import importlib.util
import random

from cards import choose_moon  # the wire loop asks this module for it

spec = importlib.util.spec_from_file_location("counter", "{bots}/counter/strategy.py")
counter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(counter)


def chance(turn):
    """The name goes in, so that two versions do not stumble at the same turn."""
    rng = random.Random(f"{name}/{{turn.turn_seed}}")
    return rng if 100 * rng.random() < {per_cent} else None


def choose_pass(turn):
    rng = chance(turn)
    return rng.sample(list(turn.legal), turn.pass_count) if rng else counter.choose_pass(turn)


def choose_card(turn):
    rng = chance(turn)
    return rng.choice(list(turn.legal)) if rng else counter.choose_card(turn)
'''


def bot_folder(name: str, work: Path) -> Path:
    """Give the folder of a sample bot, or for `counter-N` a new one with N per cent random decisions."""
    base, _, per_cent = name.partition("-")
    if not per_cent:
        return BOTS / base
    folder = work / name
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(_MANIFEST.format(name=name, bots=BOTS))
    (folder / "strategy.py").write_text(_STRATEGY.format(name=name, bots=BOTS, per_cent=per_cent))
    return folder
