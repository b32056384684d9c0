"""What the published site tells of a tournament besides its numbers, read from its store."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ratings.publish.details import FAULTS_SHOWN, BotNote, Details, FaultNote
from referee.cli.fault_report import fault_words
from referee.config.tournament import TournamentConfig
from referee.field import Origin, change_events, origins_of
from referee.plan import revealed_seed, salt_of
from referee.records import MatchRecord, Ruling
from referee.store.model import Attempt, Correction, CorrectionKind, Event, StoredFault
from referee.store.store import Store

REPLAYS = 24
"""How many matches a site shows card by card unless told otherwise."""

_VOIDS_SHOWN_MAX = 12  # match numbers in one sentence
_RULINGS = {
    Ruling.SUBSTITUTE: "The referee decides for it: the lowest legal card, or the three highest to pass",
    Ruling.REVOKE: "It takes all points of the deal, which ends there",
    Ruling.FORFEIT: "The referee plays for it to the end of the match, which counts as lost",
    Ruling.RETRY: "It is asked again while its clock runs",
}


def details_of(config: TournamentConfig, store: Store, *, trust: str) -> Details:
    """Collect what a reader has to know; the seed only once the store says that it is revealed."""
    finished = _last(store.events(kind="finished"))
    numbers = match_numbers(store)
    meta = store.tournament
    seed = revealed_seed(store)
    faults = store.faults()
    return Details(
        started_at=meta.created_at,
        finished_at=finished.at if finished else "",
        matches=len(numbers),
        rules_name=config.rules.name,
        rules=config.rules.to_dict(),
        card_values=config.rules.values,
        match_length=_match_length(config),
        ruling=_ruling(config),
        clock=config.clock,
        trust=trust,
        commitment=meta.commitment,
        seed=seed.hex() if seed else "",
        public_seed=config.seed,
        salt=salt_of(config, store),
        root=store.root(),
        has_records=seed is not None,
        software=meta.software,
        bots=_bot_notes(store),
        faults=tuple(_fault_notes(faults, numbers)),
        fault_counts=dict(sorted(Counter(fault.bot for fault in faults).items())),
        voided=tuple(_voids(store.attempts())),
        corrections=(*_changes(store), *_corrections(store, numbers)),
    )


def replays_of(store: Store, amount: int) -> Iterator[MatchRecord]:
    """The matches to show, in schedule order: up to half of them with faults, the others spread evenly.

    None before the seed is revealed: a deal is shown only when all tables have played it that ever will.
    """
    if revealed_seed(store) is None:
        return
    keys = list(match_numbers(store))
    faulty = {fault.key for fault in store.faults()}
    chosen = set(_spread([key for key in keys if key in faulty], amount // 2))
    chosen |= set(_spread([key for key in keys if key not in chosen], amount - len(chosen)))
    for key in keys:
        if key in chosen:
            yield store.record(key)


def match_numbers(store: Store) -> dict[str, int]:
    """Schedule number of each match that counts, by its key, in schedule order."""
    columns = store.result_columns()
    return {columns.match_ids[match]: number for match, number in zip(columns.match, columns.number, strict=True)}


def _spread(keys: Sequence[str], amount: int) -> list[str]:
    if len(keys) <= amount:
        return list(keys)
    return [keys[index * len(keys) // amount] for index in range(amount)]


def _last(events: Sequence[Event]) -> Event | None:
    return events[-1] if events else None


def _match_length(config: TournamentConfig) -> str:
    if config.match == "target":
        return f"A match goes on until somebody has {config.rules.target} points"
    if config.deals == 1:
        return "A match is one deal"
    return f"A match is {config.deals} deals, one for each way of passing"


def _ruling(config: TournamentConfig) -> str:
    text = _RULINGS[config.faults.ruling]
    if config.faults.ruling in (Ruling.SUBSTITUTE, Ruling.RETRY):
        text += f"; after {config.faults.faults_max} faults in a match it stays on autopilot to the end"
    return text


def _bot_notes(store: Store) -> dict[str, BotNote]:
    origins = origins_of(store)
    notes: dict[str, BotNote] = {}
    for bot, versions in store.versions().items():
        origin = origins.get(bot, Origin())
        known = tuple(version for version in versions if version)
        notes[bot] = BotNote(versions=known, author=origin.author, language=origin.language)
    return notes


def _fault_notes(faults: Sequence[StoredFault], numbers: dict[str, int]) -> Iterator[FaultNote]:
    """The first faults of each bot: a page shows no more of them, however many there are."""
    told: Counter[str] = Counter()
    for stored in faults:
        told[stored.bot] += 1
        if told[stored.bot] > FAULTS_SHOWN:
            continue
        fault = stored.fault
        yield FaultNote(
            bot=stored.bot,
            kind=fault.kind.value,
            breach=fault.breach,
            blame=fault.blame.value,
            message=fault.message,
            match=numbers.get(stored.key),
            number=stored.position + 1,
            deal_number=fault.deal_number,
            overruled=stored.overruled,
        )


def _voids(attempts: Sequence[Attempt]) -> Iterator[str]:
    """A sentence for each reason; those that differ in their numbers alone are one."""
    alike: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        alike.setdefault((re.sub(r"\d+", "0", attempt.reason), attempt.blame.value), []).append(attempt)
    for (_, blame), group in alike.items():
        numbers = [str(attempt.number) for attempt in group]
        shown = ", ".join(numbers[:_VOIDS_SHOWN_MAX]) + (", …" if len(numbers) > _VOIDS_SHOWN_MAX else "")
        matches = f"Match {shown}" if len(group) == 1 else f"{len(group):,} voids, of matches {shown}"
        such_as = "such as " if len({attempt.reason for attempt in group}) > 1 else ""
        yield f"{matches}: {such_as}{group[0].reason} (blamed on the {blame})"


def _changes(store: Store) -> Iterator[str]:
    for event in change_events(store):
        yield f"{event.message}, by {event.data['by']} at {event.at}: {event.data['why']}"


def _corrections(store: Store, numbers: dict[str, int]) -> Iterator[str]:
    for made in store.corrections():
        match made.kind:
            case CorrectionKind.WITHDRAW:
                what = f"{made.bot} withdrawn"
            case CorrectionKind.ANNUL:
                what = f"match {made.key} annulled"
            case CorrectionKind.OVERRULE:
                what = f"{_overruled(store, made, numbers)} overruled"
            case CorrectionKind.REVERSE:
                what = f"correction {made.reverses} reversed"
        yield f"{made.number}. {what}, by {made.who} at {made.at}: {made.why}"


def _overruled(store: Store, made: Correction, numbers: dict[str, int]) -> str:
    assert made.key is not None
    assert made.fault is not None
    words = fault_words(store.record(made.key), made.fault)
    return f"fault {made.fault + 1} of match {_name(made.key, numbers)}, {words},"


def _name(key: str | None, numbers: dict[str, int]) -> str:
    number = numbers.get(key or "")
    return str(key) if number is None else str(number)
