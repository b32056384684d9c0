"""Faults planted in a copy of a sample bot, each with what `hearts check` has to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LOOP, STRATEGY, MANIFEST = "wire_loop.py", "strategy.py", "bot.toml"
DECIDE = "def choose_card(turn):\n"
PASS = "def choose_pass(turn):\n"
ANSWER = "def answer(turn):\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One fault: texts replaced by file, where it is looked for, and the finding that names it."""

    name: str
    changes: Mapping[str, tuple[str, str]]
    sections: tuple[str, ...] = ("corners",)
    check: str = "corner: "  # beginning of the finding's check
    grade: str = "fail"
    says: str  # part of its message
    is_quick: bool = False  # found in seconds, and so looked for by every `make test`


def play(body: str) -> dict[str, tuple[str, str]]:
    """The strategy's play, replaced."""
    return {STRATEGY: (DECIDE, f"{DECIDE}    {body}\n")}


def loop(old: str, new: str) -> dict[str, tuple[str, str]]:
    """A line of the wire loop, replaced."""
    return {LOOP: (old, new)}


PLANTS = [
    Plant(
        name="plays its first card whatever was led",
        changes=play("return turn.hand[0]"),
        says="MUST_FOLLOW_SUIT",
        is_quick=True,
    ),
    Plant(
        name="leads its highest heart at once",
        changes=play(
            "if not running_trick(turn) and len(turn.leaders) > 1:\n"
            "        return next((c for c in reversed(turn.hand) if SUIT[c] == HEARTS), turn.legal[0])"
        ),
        check="corner: hearts are not led before they are broken",
        says="HEARTS_NOT_BROKEN",
    ),
    Plant(
        name="does not know the two of clubs",
        changes=play("if not turn.played:\n        return turn.hand[-1]"),
        check="corner: the two of clubs leads the first trick",
        says="MUST_LEAD_LOWEST_CLUB",
    ),
    Plant(
        name="drops the queen of spades on the first trick",
        changes=play("if 0 < len(turn.played) < 4 and SUIT[turn.legal[0]] and 50 in turn.hand:\n        return 50"),
        check="corner: no points on the first trick",
        says="NO_POINTS_ON_FIRST_TRICK",
    ),
    Plant(
        name="passes two cards",
        changes={STRATEGY: (PASS, f"{PASS}    return turn.legal[:2]\n")},
        check="corner: three cards pass to the left",
        says="PASS_WRONG_COUNT",
        is_quick=True,
    ),
    Plant(
        name="passes the same card three times",
        changes={STRATEGY: (PASS, f"{PASS}    return [turn.legal[0]] * 3\n")},
        check="corner: three cards pass to the left",
        says="PASS_CARD_REPEATED",
    ),
    Plant(
        name="counts cards from zero",
        changes=play("return turn.legal[0] - 1"),
        says="no decision: card number 0 is not a card",
    ),
    Plant(
        name="answers a moon with nothing",
        changes=loop("moon_choice=strategy.choose_moon(turn))", "moon_choice=0)"),
        check="corner: the shooter of a moon chooses how it is scored",
        says="MOON_CHOICE_UNKNOWN",
    ),
    Plant(
        name="plays a card when asked about a moon",
        changes=loop("if turn.kind == TURN_KIND_PLAY:", "if turn.kind != TURN_KIND_PASS:"),
        check="corner: the shooter of a moon chooses how it is scored",
        says="its process exited with code 1",
    ),
    Plant(
        name="knows only four seats",
        changes=play("turn.scores[3]"),
        sections=("presets",),
        check="preset: black-maria-3",
        says="its process exited with code 1",
    ),
    Plant(
        name="always passes three cards",
        changes={STRATEGY: ("[-turn.pass_count :]", "[-3:]")},
        check="corner: five cards pass where the rules say so",
        says="PASS_WRONG_COUNT",
    ),
    Plant(
        name="counts its turns itself",
        changes=loop(ANSWER, f"{ANSWER}    turn.turn_id = turn.turn_id + 1\n"),
        check="manners",
        says="it answered a turn that was not asked of it",
    ),
    Plant(
        name="answers every turn twice",
        changes=loop("map(answer, turns)", "[answer(t) for t in turns for _ in (1, 2)]"),
        sections=("corners", "turn ids"),
        check="manners",
        says="it answered",
    ),
    Plant(
        name="answers only the first turn of a message",
        changes=loop("map(answer, turns)", "map(answer, turns[:1])"),
        sections=("corners", "tables"),
        check="tables",
        says="are missing within",
    ),
    Plant(
        name="mixes up its tables",
        changes=play(
            "import cards\n    cards.seen.append(turn.match_id)\n"
            "    if len(cards.seen) > 200:\n        return min(turn.legal)"
        )
        | {"cards.py": ("CLUBS,", "seen = []\nCLUBS,")},
        sections=("corners", "tables"),
        check="many tables",
        grade="advice",
        says="tables must not share what is remembered",
    ),
    Plant(
        name="dies of a notice without a body",
        changes=loop(
            "failures, farewell = 0, message.farewell",
            "failures, farewell = len([n.WhichOneof('body')[0] for n in message.notices]) * 0, message.farewell",
        ),
        sections=("corners", "unknown"),
        check="unknown notices",
        says="its process exited with code 1",
    ),
    Plant(
        name="dies of a kind of turn that it does not know",
        changes=loop(ANSWER, f"{ANSWER}    assert turn.kind in (1, 2, 3)\n"),
        sections=("corners", "unknown"),
        check="unknown kinds of turn",
        says="its process exited with code 1",
    ),
    Plant(
        name="gives up when its stream breaks",
        changes=loop("        failures += 1", "        break\n        failures += 1"),
        sections=("corners", "reconnect"),
        check="reconnect",
        says="it did not come back when its stream broke in mid-deal",
    ),
    Plant(
        name="takes draining for the end",
        changes=loop(", service.FAREWELL_REASON_DRAINING)", ",)"),
        sections=("corners", "reconnect"),
        check="draining",
        says="it did not come back after the farewell DRAINING",
    ),
    Plant(
        name="comes back after every farewell",
        changes=loop("while farewell.reason in COME_BACK and", "while"),
        sections=("farewells",),
        check="farewell",
        says="when all was played",
    ),
    Plant(
        name="says hello only on its first stream",
        changes=loop(
            "await stream.write(service.BotMessage(hello=hello))",
            "await stream.write(service.BotMessage(**({} if failures else {'hello': hello})))",
        ),
        sections=("corners", "reconnect"),
        check="reconnect",
        says="its first message has no hello",
    ),
    Plant(
        name="speaks another revision",
        changes=loop("protocol_min=1, protocol_max=1", "protocol_min=2, protocol_max=3"),
        sections=("hello",),
        check="protocol revision",
        says="2 to 3",
        is_quick=True,
    ),
    Plant(
        name="sends its token without the scheme",
        changes=loop('"Bearer " + token', '"" + token'),
        sections=("hello",),
        check="token",
        says="send `authorization: Bearer $HEARTS_TOKEN`",
    ),
    Plant(
        name="does not start",
        changes=loop("import asyncio", "import asyncoi"),
        sections=("hello",),
        check="hello",
        says="it did not dial the referee: its process exited with code 1",
        is_quick=True,
    ),
    Plant(
        name="never dials",
        changes=loop("    failures, farewell = 0, service.Farewell()", "    await asyncio.sleep(99)"),
        sections=("hello",),
        check="hello",
        says="it did not dial the referee within",
    ),
    Plant(
        name="thinks for ever about one turn",
        changes=play("while len(turn.hand) == 5:\n        pass"),
        says="it did not answer turn",
    ),
    Plant(
        name="draws lots without the turn's seed",
        changes=play("import random; return random.choice(turn.legal)"),
        sections=("corners", "same again"),
        check="same decisions in a new process",
        grade="advice",
        says="draws randomness from elsewhere than turn_seed",
    ),
    Plant(
        name="writes long notes",
        changes=loop("cards=[strategy.choose_card(turn)])", "cards=[strategy.choose_card(turn)], note='x' * 201)"),
        check="manners",
        says="a note of 201 bytes",
    ),
    Plant(
        name="ignores SIGTERM",
        changes=loop("lambda *_: sys.exit(0)", "lambda *_: None"),
        sections=("corners", "same again"),
        check="ends when asked",
        grade="advice",
        says="it did not end on SIGTERM",
    ),
    Plant(
        name="cannot be built",
        changes={MANIFEST: ("run =", 'build = ["python", "-c", "raise SystemExit(7)"]\nrun =')},
        sections=("hello",),
        check="build",
        says="exited with code 7",
    ),
    Plant(
        name="says nothing of itself",
        changes=loop("hello.bot_name, hello.bot_version, hello.tables_max", "_, _, hello.tables_max"),
        sections=("hello",),
        check="hello",
        grade="advice",
        says="leaves out bot_name, bot_version",
    ),
    Plant(
        name="says another version than its manifest",
        changes=loop('ABOUT["name"], ABOUT["version"]', 'ABOUT["name"], "0.9"'),
        sections=("hello",),
        check="hello",
        grade="advice",
        says="its hello says version '0.9', bot.toml '1.0'",
    ),
    Plant(
        name="holds more memory than it may",
        changes=play("import cards\n    cards.hoard.append(bytearray(200_000_000))")
        | {"cards.py": ("CLUBS,", "hoard = []\nCLUBS,")},
        says="its process exited with code 1",
    ),
]
