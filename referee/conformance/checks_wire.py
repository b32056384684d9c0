"""Checks of how a bot speaks: hello, many tables, ids, what it cannot know, lost connections, farewells."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from referee.conformance.deals import corner_deals
from referee.conformance.findings import Finding, Grade
from referee.conformance.laboratory import INSTANCE, Broken, Laboratory
from referee.conformance.playing import start_of
from referee.launch.manifest import VERSION_DEFAULT
from referee.wire.scripted import PROTOCOL, Question

_AWAY_S = 1  # a bot in a process of its own waits by the real clock, so the referee is really away

SLOW_START_MS = 5_000
TABLES_TRIED = 256  # the most that one message of a referee carries
PER_MESSAGE = 64
IDS = (4_294_967_295, 1, 3_000_000_000, 7)
SURPLUS_S = 0.2  # within which an answer that nobody asked for would come


async def hello(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """Start, metadata and hello of the first stream."""
    stream = await laboratory.ready()
    seen = laboratory.hello
    assert seen is not None
    is_slow = laboratory.start_ms > SLOW_START_MS
    yield Finding(
        check="start",
        grade=Grade.ADVICE if is_slow else Grade.PASS,
        message=f"said hello {laboratory.start_ms} ms after its start" + (", of 30000 ms" if is_slow else ""),
    )
    yield _token(laboratory, stream.metadata)
    if not seen.protocol_min <= PROTOCOL <= seen.protocol_max:
        span = f"{seen.protocol_min} to {seen.protocol_max}"
        yield Finding(
            check="protocol revision",
            grade=Grade.FAIL,
            message=f"its hello offers protocol_min {span} protocol_max; referees speak {PROTOCOL}",
        )
    else:
        yield Finding(check="protocol revision", grade=Grade.PASS, message=f"speaks revision {PROTOCOL}")
    missing = [key for key in ("bot_name", "bot_version", "sdk") if not getattr(seen, key)]
    said = f"{seen.bot_name or 'no name'} {seen.bot_version}, {seen.sdk or 'no sdk'}, {seen.tables_max} tables"
    if missing:
        yield Finding(
            check="hello",
            grade=Grade.ADVICE,
            message=f"its hello leaves out {', '.join(missing)}, which records keep",
        )
    elif laboratory.manifest.version not in (VERSION_DEFAULT, seen.bot_version):
        yield Finding(
            check="hello",
            grade=Grade.ADVICE,
            message=(
                f"its hello says version {seen.bot_version!r}, bot.toml {laboratory.manifest.version!r}: "
                "records keep what the hello says"
            ),
        )
    elif seen.tables_max > laboratory.manifest.tables_max:
        yield Finding(
            check="hello",
            grade=Grade.ADVICE,
            message=(
                f"its hello asks for {seen.tables_max} tables, tables_max in bot.toml allows "
                f"{laboratory.manifest.tables_max}: the smaller number counts"
            ),
        )
    else:
        yield Finding(check="hello", grade=Grade.PASS, message=said)


def _token(laboratory: Laboratory, metadata: dict[str, str]) -> Finding:
    expected = f"Bearer {laboratory.token}"
    said = metadata.get("authorization", "")
    if said != expected:
        what = "no authorization" if not said else "another authorization than 'Bearer ' and the token"
        return Finding(
            check="token",
            grade=Grade.FAIL,
            message=f"the metadata of its call has {what}: send `authorization: Bearer $HEARTS_TOKEN`",
        )
    if metadata.get("hearts-instance", "") != INSTANCE:
        return Finding(
            check="token",
            grade=Grade.ADVICE,
            message="it does not send HEARTS_INSTANCE as `hearts-instance`: two processes of it look like one",
        )
    return Finding(check="token", grade=Grade.PASS, message="token and instance are in the metadata of the call")


async def tables(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """As many turns at once as it asks for."""
    await laboratory.ready()
    assert laboratory.hello is not None
    wanted = min(laboratory.hello.tables_max, laboratory.manifest.tables_max)
    if wanted == 1:
        yield Finding(check="many tables", grade=Grade.PASS, message="it asks for one turn at a time")
        return
    count = min(wanted, TABLES_TRIED)
    before = laboratory.asked
    if not before:
        yield Finding(check="many tables", grade=Grade.SKIPPED, message="no turn was answered yet")
        return
    chosen = [before[index % len(before)] for index in range(count)]
    questions = [(laboratory.next_id(), asked.question) for asked in chosen]
    stream = await laboratory.ready()
    for start in range(0, count, PER_MESSAGE):
        stream.ask(*questions[start : start + PER_MESSAGE])
    replies, _ = await laboratory.answers([turn_id for turn_id, _ in questions], f"{count} turns at once")
    others = [
        asked
        for (turn_id, _), asked in zip(questions, chosen, strict=True)
        if replies[turn_id].answer != asked.reply.answer
    ]
    if others:
        yield Finding(
            check="many tables",
            grade=Grade.ADVICE,
            message=(
                f"of {count} turns at once {len(others)} were decided otherwise than one at a time: "
                "tables must not share what is remembered"
            ),
            turn=others[0].number,
        )
    else:
        yield Finding(check="many tables", grade=Grade.PASS, message=f"answered {count} turns at once, each once")


async def turn_ids(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """Ids in no order, up to the largest, and one that is asked again after it was answered."""
    question = _any_question(laboratory)
    stream = await laboratory.ready()
    for turn_id in (*IDS, IDS[0]):
        stream.ask((turn_id, question))
        again = " a second time, as after a reconnect" if turn_id == IDS[0] else ""
        await laboratory.answers({turn_id}, f"the turn with id {turn_id}{again}")
    surplus = asyncio.ensure_future(stream.hear())
    await asyncio.wait({surplus}, timeout=SURPLUS_S)
    if surplus.done():
        heard = surplus.result()
        if heard is not None:
            laboratory.take(heard, set(), {})
    surplus.cancel()
    yield Finding(
        check="turn ids", grade=Grade.PASS, message="repeats any id, and answers a turn that is asked again"
    )


async def unknown(laboratory: Laboratory) -> AsyncIterator[Finding]:
    """What a later revision may send: fields, notices and kinds of turns that no bot knows today."""
    question = _any_question(laboratory)
    stream = await laboratory.ready()
    stream.tell_known(start_of(corner_deals()[0]))
    yield await _goes_on(laboratory, question, "notices", "took one notice of each kind")
    stream = await laboratory.ready()
    stream.tell_unknown()
    yield await _goes_on(
        laboratory, question, "unknown notices", "ignores notices and messages that it does not know"
    )
    yield await _goes_on(
        laboratory, question, "unknown fields", "ignores fields that it does not know", strange=True
    )
    stream = await laboratory.ready()
    strange_id, turn_id = laboratory.next_id(), laboratory.next_id()
    stream.ask_unknown_kind(strange_id, (turn_id, question))
    noted = len(laboratory.oddities)
    try:
        await laboratory.answers({turn_id}, "the turn behind one of an unknown kind")
    except Broken as broken:
        yield Finding(check="unknown kinds of turn", grade=Grade.FAIL, message=str(broken), lines=broken.lines)
        return
    del laboratory.oddities[noted:]  # whether it answers the unknown kind is its own affair
    yield Finding(
        check="unknown kinds of turn", grade=Grade.PASS, message="goes on behind a turn of an unknown kind"
    )


async def _goes_on(
    laboratory: Laboratory, question: Question, check: str, good: str, *, strange: bool = False
) -> Finding:
    try:
        await laboratory.ask(0, question, strange=strange)
        laboratory.asked.pop()
    except Broken as broken:
        return Finding(check=check, grade=Grade.FAIL, message=f"after these, {broken}", lines=broken.lines)
    return Finding(check=check, grade=Grade.PASS, message=good)


async def reconnect(laboratory: Laboratory, *, quick: bool) -> AsyncIterator[Finding]:
    """A stream that breaks in mid-deal, a referee that drains, and one that is away for a second."""
    yield await _comes_back(laboratory, "reconnect", "break", "when its stream broke in mid-deal")
    yield await _comes_back(laboratory, "draining", "drain", "after the farewell DRAINING")
    if not quick:
        yield await _comes_back(laboratory, "referee restarts", "restart", "when the referee was away for a second")


async def _comes_back(laboratory: Laboratory, check: str, how: str, when: str) -> Finding:
    """Have an open turn, lose the stream, and see whether the same turn is answered on the next one."""
    before = next((each for each in reversed(laboratory.asked)), None)
    if before is None:
        return Finding(check=check, grade=Grade.SKIPPED, message="no turn was answered yet")
    stream = await laboratory.ready()
    if how == "drain":
        stream.farewell("DRAINING", "The referee stops; play goes on later.")
    elif how == "restart":
        await laboratory.referee.stop()
        await asyncio.sleep(_AWAY_S)
        await laboratory.referee.start()
    else:
        stream.ask((laboratory.next_id(), before.question))
        stream.break_off()
    try:
        await laboratory.greet(laboratory.patience.return_ms)
        reply = await laboratory.ask(before.number, before.question)
        laboratory.asked.pop()
    except Broken as broken:
        return Finding(
            check=check, grade=Grade.FAIL, message=f"it did not come back {when}: {broken}", lines=broken.lines
        )
    if reply.answer != before.reply.answer:
        return Finding(
            check=check,
            grade=Grade.ADVICE,
            message=f"it came back {when}, but decided the open turn otherwise than before",
            turn=before.number,
        )
    return Finding(check=check, grade=Grade.PASS, message=f"it came back {when} and decided the same")


async def farewells(laboratory: Laboratory, *, quick: bool) -> AsyncIterator[Finding]:
    """The end of play, and of a bot that is sent away."""
    yield await _ends(laboratory, "farewell", "DONE", "when all was played")
    if quick:
        return
    yield await _ends(laboratory, "sent away", "REMOVED", "when it was sent away")
    yield await _ends(laboratory, "taken over", "FENCED", "when a newer stream had taken over")
    stream = await laboratory.ready()
    stream.turn_away("this referee expects no bot with that token")
    how = await laboratory.exit_within(laboratory.patience.return_ms)
    good = how is not None
    yield Finding(
        check="wrong token",
        grade=Grade.PASS if good else Grade.ADVICE,
        message="it ended when its token was refused"
        if good
        else "it dials on when its token is refused: end with a sentence, since it would be refused again",
    )


async def _ends(laboratory: Laboratory, check: str, reason: str, when: str) -> Finding:
    stream = await laboratory.ready()
    stream.farewell(reason, "All was played.")
    how = await laboratory.exit_within(laboratory.patience.end_ms)
    if how is None:
        await laboratory.end()
        return Finding(
            check=check, grade=Grade.FAIL, message=f"it did not end within {laboratory.patience.end_ms} ms {when}"
        )
    if how.exit_code != 0:
        return Finding(check=check, grade=Grade.ADVICE, message=f"it {how} {when}: end with code 0")
    return Finding(check=check, grade=Grade.PASS, message=f"it ended {when}")


def oddities(laboratory: Laboratory) -> Sequence[Finding]:
    """What was seen on the side, each once with how often."""
    counts: dict[str, int] = {}
    for text in laboratory.oddities:
        counts[text] = counts.get(text, 0) + 1
    return [
        Finding(check="manners", grade=Grade.FAIL, message=text + (f" ({count} times)" if count > 1 else ""))
        for text, count in counts.items()
    ]


def _any_question(laboratory: Laboratory) -> Question:
    if not laboratory.asked:
        raise Broken("no turn was answered before, so there is none to ask again")
    return laboratory.asked[-1].question
