"""`hearts play`: one match at one table, between bots in folders and bots that dial in."""

from __future__ import annotations

import asyncio
import secrets
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ratings.text_width import fitted, width_of
from referee.cli.admission import Candidate, build_all, candidates_of, entries_of, new_tokens
from referee.cli.assets import bot_folder
from referee.cli.console import (
    JsonOption,
    QuietOption,
    StrictOption,
    count_text,
    emit,
    emit_json,
    fail,
    note,
    quoted,
    wrapped,
)
from referee.cli.errors import ExitCode, Failure
from referee.cli.invitation import invitation
from referee.cli.rules_option import RulesOption, SetOption, rules_with
from referee.executors.house import House
from referee.executors.work import HouseConfig, Unfit
from referee.floor import Voided
from referee.launch.manifest import load_manifest, toolchain_missing
from referee.launch.process_log import printable
from referee.launch.scratch import Scratch
from referee.record_json import record_to_json
from referee.records import DecidedBy, MatchRecord, MatchSpec, Ruling, TimeControl
from referee.rules import dealing
from referee.rules.ruleset import RuleSet
from referee.schedule.pairing import match_key

SEED_BITS = 32
_NAME_CELLS_MAX = 19  # with so much of a name the table fits 80 columns


def play(
    bots: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[BOT]...", help="Folders with a bot.toml, or names of sample bots, in seat order."),
    ] = None,
    deals: Annotated[int | None, typer.Option(min=1, help="Deals to play; default: one pass cycle.")] = None,
    to_target: Annotated[bool, typer.Option("--target", help="Play to the rule set's target instead.")] = False,
    rules: RulesOption = "american",
    settings: SetOption = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="Deal from this number; default: a new one.")
    ] = None,
    listen: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Wait here for remote bots, who take the seats left.")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate chain for --listen; `hearts cert`.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Key of the certificate.")] = None,
    lobby_s: Annotated[float, typer.Option(min=1, help="How long to wait for remote bots, in seconds.")] = 300,
    turn_ms: Annotated[int, typer.Option(min=1, help="Time for a turn, in milliseconds.")] = 1000,
    bank_ms: Annotated[int, typer.Option(min=0, help="Time beyond that for the whole match.")] = 5000,
    ruling: Annotated[Ruling, typer.Option(help="What the referee does about a fault.")] = Ruling.SUBSTITUTE,
    record: Annotated[Path | None, typer.Option(help="Write the record of the match to this file.")] = None,
    logs: Annotated[Path | None, typer.Option(help="Keep what the bots write to stderr in this folder.")] = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play one match and print its result."""
    if deals is not None and to_target:
        fail("--deals and --target exclude each other: give one")
    rule_set = rules_with(rules, settings)
    candidates = _candidates(bots or [], rule_set, has_remote=listen is not None)
    number = secrets.randbits(SEED_BITS) if seed is None else seed
    spec = _spec(candidates, rule_set, number, 0 if to_target else deals or rule_set.cycle_length)
    clock = TimeControl(turn_ms=turn_ms, bank_ms=bank_ms)
    with Scratch() as temporary:
        config = HouseConfig(
            rules=rule_set.to_dict(),
            ruling=ruling,
            faults_max=3,
            clock=clock,
            seed=dealing.integer_seed(number).hex(),
            salt="",
            commitment="",
            bots=(),
            log_dir=str(logs or temporary),
            listen=listen or "",
            tls_cert=str(tls_cert or ""),
            tls_key=str(tls_key or ""),
            lobby_s=lobby_s,
        )
        try:
            played = asyncio.run(_play(config, candidates, spec, quiet=quiet))
        except KeyboardInterrupt:
            note("stopped: a single match is not kept", quiet=quiet)
            raise typer.Exit(ExitCode.STOPPED) from None
    if record is not None:
        record.write_bytes(record_to_json(played) + b"\n")
    if as_json:
        emit_json(_as_json(played, number))
    else:
        emit(result_table(played, number))
    if record is not None:
        note(f"wrote {record}: hearts replay {quoted(record)}", quiet=quiet)
    if played.faults and logs is None:
        note("what the bots wrote to stderr was not kept: `--logs DIR` keeps it", quiet=quiet)
    if strict and played.faults:
        raise typer.Exit(ExitCode.FAULTS)


def _candidates(folders: Sequence[Path], rules: RuleSet, *, has_remote: bool) -> list[Candidate]:
    """Seat the folders in order; the same bot may sit more than once. Remote bots take the seats left."""
    left = rules.seats - len(folders)
    if left < 0 or (left and not has_remote):
        hint = "" if has_remote else ", or --listen HOST:PORT for remote bots"
        fail(
            f"{rules.name} is played by {rules.seats}, {count_text(len(folders), 'bot')} given: give as many{hint}"
        )
    times: Counter[str] = Counter()
    named: list[tuple[Path | None, str | None, str | None]] = []
    for folder in map(bot_folder, folders):
        name = load_manifest(folder).name
        times[name] += 1
        named.append((folder, name if times[name] == 1 else f"{name}-{times[name]}", None))
    named += [(None, f"remote-{number}", "") for number in range(1, left + 1)]
    return candidates_of(named)[0]


def _spec(candidates: Sequence[Candidate], rules: RuleSet, seed: int, deals: int) -> MatchSpec:
    names = tuple(candidate.name for candidate in candidates)
    key = match_key(f"play {rules.digest()} {seed} {names}", 0, 0, 0)
    return MatchSpec(key=key, number=0, round_number=0, board_set=0, attempt=0, rotation=0, bots=names, deals=deals)


async def _play(
    config: HouseConfig, candidates: Sequence[Candidate], spec: MatchSpec, *, quiet: bool
) -> MatchRecord:
    manifests = {c.name: load_manifest(c.folder) for c in candidates if c.folder is not None}
    left_out = await build_all(manifests, Path(config.log_dir), lambda text: note(text, quiet=quiet))
    if left_out:
        lacks_tools = any(toolchain_missing(manifests[name]) for name in left_out)
        raise Failure("; ".join(left_out.values()), ExitCode.UNFIT if lacks_tools else ExitCode.USAGE)
    tokens = new_tokens(candidates)
    async with House(_with_bots(config, candidates, tokens), say=note) as house:
        if tokens:
            note(f"waiting up to {config.lobby_s:g} s for {count_text(len(tokens), 'remote bot')}:", quiet=False)
            for name, token in tokens.items():
                note(invitation(name, house.listening, token, config.tls_cert), quiet=False)
        unfit = await asyncio.gather(*(house.ready(name, "r0") for name in spec.bots))
        outcome = next((one for one in unfit if one is not None), None) or await house.play(spec)
    match outcome:
        case Unfit():
            raise Failure(outcome.reason, ExitCode.UNFIT if outcome.is_host else ExitCode.USAGE)
        case Voided():
            raise Failure(f"the match is void: {outcome.reason}", ExitCode.UNFIT)
        case MatchRecord():
            return outcome


def _with_bots(config: HouseConfig, candidates: Sequence[Candidate], tokens: dict[str, str]) -> HouseConfig:
    return replace(config, bots=entries_of(candidates, tokens))


def result_table(record: MatchRecord, seed: int) -> str:
    """Write the result for people, at most 80 columns.

    Args:
        record: of the match.
        seed: the number it was dealt from.
    """
    names = record.spec.bots
    width = width_of(map(printable, names), low=4, high=_NAME_CELLS_MAX)
    lines = [
        f"{record.rules['name']} · {count_text(len(record.deals), 'deal')} · seed {seed}",
        "",
        f"  #  seat  {'bot':{width}}  score  a deal  moons  faults  median   slowest",
    ]
    for seat in sorted(range(len(names)), key=lambda s: (record.places[s], s)):
        times = [
            d.elapsed_us
            for deal in record.deals
            for d in deal.decisions
            if d.seat == seat and d.decided_by is DecidedBy.BOT
        ] or [0]
        total = record.totals[seat]
        moons = sum(deal.moon_seat == seat for deal in record.deals)
        faults = sum(fault.seat == seat for fault in record.faults)
        lines.append(
            f"{record.places[seat]:3}  {seat:4}  {fitted(printable(names[seat]), width)}  {total:5}"
            f"  {total / len(record.deals):6.2f}  {moons:5}  {faults:6}"
            f"  {statistics.median(times) / 1000:5.1f} ms {max(times) / 1000:6.1f} ms"
        )
    lines += [
        _sentence(f"fault: {names[fault.seat]}, deal {fault.deal_number}: {fault.kind.value}: {fault.message}")
        for fault in record.faults
    ]
    for seat, name in enumerate(names):
        if on_autopilot := [deal.deal_number for deal in record.deals if deal.autopilot[seat]]:
            last = "" if record.totals[seat] == max(record.totals) else ", and it is placed last whatever its score"
            lines.append(
                _sentence(f"autopilot: the referee played for {name} from deal {on_autopilot[0]} on{last}")
            )
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return wrapped(printable(text).replace("`", "'"))


def _as_json(record: MatchRecord, seed: int) -> dict[str, object]:
    return {
        "seed": seed,
        "rules": record.rules["name"],
        "deals": len(record.deals),
        "bots": [
            {"seat": seat, "bot": name, "place": record.places[seat], "score": record.totals[seat]}
            for seat, name in enumerate(record.spec.bots)
        ],
        "faults": [
            {"bot": record.spec.bots[f.seat], "deal": f.deal_number, "kind": f.kind.value, "message": f.message}
            for f in record.faults
        ],
    }
