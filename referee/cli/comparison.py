"""A comparison as a tournament: what was ordered, in which folder, and whether that may go on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ratings.answer import Fixed, Question, question_from_json, question_to_json
from referee.cli.assets import bot_folder
from referee.cli.errors import Failure
from referee.cli.tournament_folder import TournamentFolder
from referee.config.keys import NAME_CHARS_MAX
from referee.config.tournament import TournamentConfig
from referee.draws import now_utc
from referee.launch.manifest import BotManifest, load_manifest
from referee.plan import tournament_id
from referee.records import TimeControl
from referee.rules.ruleset import RuleSet
from referee.schedule.duel import duel
from referee.store.making import url_with_schema
from referee.store.model import Event
from referee.store.store import Store

TABLES = 8  # matches in flight in each worker: what is under way when the test stops is played in vain


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Which of two bots is asked about, what is asked, and the tournament that answers."""

    config: TournamentConfig
    question: Question

    @property
    def a(self) -> str:
        """The bot that is asked about."""
        return self._name(0)

    @property
    def b(self) -> str:
        """The bot it is held against."""
        return self._name(1)

    def _name(self, index: int) -> str:
        return self.config.bots[index].shown

    def content(self) -> dict[str, str]:
        """Say which programs take part: the content of each bot's folder, by name."""
        return {bot.shown: load_manifest(bot.path).content_hash for bot in self.config.bots if bot.path is not None}


def ordered(
    bots: Sequence[Path],
    field: Sequence[Path],
    rules: RuleSet,
    question: Question,
    *,
    deals_max: int,
    seed: int | None,
    clock: TimeControl,
) -> Comparison:
    """Make a comparison of what was asked for on the command line.

    Raises:
        ManifestError: a bot's folder is wrong.
        ScheduleError: the rules have an odd number of seats.
    """
    folders = [bot_folder(folder).absolute() for folder in (*bots, *field)]
    names = names_of([load_manifest(folder) for folder in folders])
    next(duel(names[0], names[1], rules.seats, company=names[2:]))  # complain before anything is made
    deals = question.deals if isinstance(question, Fixed) else deals_max
    config = TournamentConfig.from_dict(
        {
            "name": f"{names[0]} against {names[1]}"[:NAME_CHARS_MAX].strip(),
            "schedule": "duel",
            "rated": False,
            "board_sets": math.ceil(deals / rules.cycle_length),
            "seed": seed,
            "tables": TABLES,
            "show_names": False,  # a bot that knows its copy at the table might play into its hands
            "bot": [{"path": str(path), "name": name} for path, name in zip(folders, names, strict=True)],
        }
    )
    return Comparison(config=replace(config, rules=rules, clock=clock), question=question)


def names_of(manifests: Sequence[BotManifest]) -> list[str]:
    """Name the bots: as they do themselves, with the version where names are shared, numbered where both agree."""
    plain = [manifest.name for manifest in manifests]
    full = [
        f"{manifest.name} {manifest.version}" if plain.count(manifest.name) > 1 else manifest.name
        for manifest in manifests
    ]
    names: list[str] = []
    for name in full:
        number = 1 + full[: len(names)].count(name)
        ending = "" if number == 1 else f"-{number}"
        names.append(name[: NAME_CHARS_MAX - len(ending)].strip() + ending)
    return names


def default_folder(comparison: Comparison) -> Path:
    """Name the folder of a comparison that was given none: in the current one, after its bots."""
    return Path(f"{comparison.a}-against-{comparison.b}".replace(" ", "-"))


def begun(place: TournamentFolder) -> Comparison:
    """Read the comparison in a folder.

    Raises:
        Failure: there is none.
    """
    config = place.config()
    with place.open(config, read_only=True) as store:
        events = store.events(kind="question")
    if not events:
        raise Failure(f"{place.path}: is no folder of a comparison: `hearts tournament resume` goes on with others")
    raw = events[-1].data["question"]
    assert isinstance(raw, dict)
    return Comparison(config=config, question=question_from_json(raw))


def open_store(place: TournamentFolder, comparison: Comparison) -> Store:
    """Open the store of a comparison, or make it, and see that it is this comparison's.

    Raises:
        Failure: the folder holds another comparison, or one of other programs.
        StoreError: the store cannot be used.
    """
    if not place.is_begun(comparison.config.store):
        store = place.create(comparison.config)
    else:
        _check_same(place, comparison)
        store = place.open(place.config())
    try:
        _check_question(place, comparison, store)
    except BaseException:  # on Ctrl-C, too, the writer's lock has to go
        store.close()
        raise
    return store


def _check_question(place: TournamentFolder, comparison: Comparison, store: Store) -> None:
    """Write down what is asked, and of which programs; refuse to go on where either has changed."""
    data = {"question": question_to_json(comparison.question), "content": comparison.content()}
    asked = store.events(kind="question")[-1:]
    if not asked and store.finished_count():
        raise Failure(f"{place.path}: holds a tournament: give another --dir")
    if not asked or (asked[0].data != data and not store.finished_count()):  # a bot that could not start was mended
        store.add_event(Event(at=now_utc(), kind="question", message=str(comparison.question), data=data))
    elif asked[0].data["question"] != data["question"]:
        raise Failure(
            f"{place.path}: asks another question ({asked[0].message}), and one chosen after the first results "
            "would have other errors than it says: give the same, or another --dir"
        )
    elif asked[0].data["content"] != data["content"]:
        raise Failure(
            f"{place.path}: a bot has changed since this comparison began: put it back, or give another --dir"
        )


def _check_same(place: TournamentFolder, comparison: Comparison) -> None:
    """Refuse to go on with a comparison that was ordered otherwise; a seed or store that is unsaid is as it was."""
    config = place.config()
    before, now = config.to_dict(), comparison.config.to_dict()
    if comparison.config.store is not None:
        now["store"] = url_with_schema(comparison.config.store, tournament_id(config, place.seed()))
    for key in ("seed", "store"):
        if now[key] is None:
            before[key] = None
    for key in ("bot", "rules", "clock", "seed", "board_sets", "store"):
        if before.get(key) != now[key]:
            what = "number of deals" if key == "board_sets" else key
            raise Failure(f"{place.path}: holds a comparison with another {what}: give another --dir")
