"""A match record as text of at most 80 columns. Pure: the same record gives the same text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from ratings.text_width import cut, fitted, width_of
from referee.cli.replay_view import passed_by, scene_of, tricks_of
from referee.launch.process_log import printable
from referee.records import DealRecord, DecidedBy, DecisionRecord, Fault, MatchRecord, StrayKind, TurnKind
from referee.rules.cards import RANKS, SUITS, card_text, rank_of, suit_of
from referee.rules.ruleset import RuleSet

WIDTH = 80
_DIRECTIONS = {0: "hold: nothing is passed", 1: "pass to the left", -1: "pass to the right"}
_MARKS = {DecidedBy.BOT: " ", DecidedBy.SUBSTITUTE: "*", DecidedBy.AUTOPILOT: "!"}
_STRAYS = {
    StrayKind.LATE: "after the turn was over",
    StrayKind.REPEATED: "to a turn answered before",
    StrayKind.UNKNOWN: "to a turn never asked",
}
_WIDE_SEATS_MAX = 4  # with so few there is room for a longer name above each column
_WITH_TIMES_SEATS_MAX = 6  # with more seats the times go to a line of their own


def render(record: MatchRecord, whole: MatchRecord | None = None, *, is_single: bool = False) -> str:
    """The whole match: header, and of each deal the hands, passes, tricks, faults and scores.

    Args:
        record: what is shown.
        whole: the record of which it is a part: faults keep the numbers they have there.
        is_single: the match is of no tournament, so it has no number or round.
    """
    replay = _Replay(record, whole or record)
    lines = replay.header(is_single=is_single)
    for deal in record.deals:
        lines += ["", *replay.deal(deal)]
    return _joined(lines)


def render_fault(record: MatchRecord, number: int, stderr: Sequence[str] | None) -> str:
    """One fault with all its evidence.

    Args:
        record: of the match.
        number: of the fault, from 1.
        stderr: lines that the bot wrote meanwhile; None where they are not to be had.
    """
    return _joined(_Replay(record, record).evidence(number, stderr))


def hand_text(cards: Iterable[int]) -> str:
    """Cards by suit, high to low: `C AT52  D -  H Q  S KJ`."""
    held = sorted(cards, key=rank_of, reverse=True)
    suits = ["".join(RANKS[rank_of(card) - 2] for card in held if suit_of(card) == s) for s in range(4)]
    return "  ".join(f"{letter} {ranks or '-'}" for letter, ranks in zip(SUITS, suits, strict=True))


def ms_text(elapsed_us: int) -> str:
    """Microseconds as milliseconds in at most four characters: `0.4`, `12`, `9999`, `12s`."""
    if elapsed_us < 9_950:
        return f"{elapsed_us / 1000:.1f}"
    if elapsed_us < 9_999_500:
        return f"{elapsed_us / 1000:.0f}"
    return f"{elapsed_us / 1_000_000:.0f}s"


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _wrapped(text: str, indent: int) -> list[str]:
    return wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))


def _folded(text: str) -> list[str]:
    """A line that a bot wrote, whole and with its own blanks: where a traceback points stands at its end."""
    return wrap(
        text, WIDTH, initial_indent="  ", subsequent_indent="    ", drop_whitespace=False, replace_whitespace=False
    )


def _cards(cards: Iterable[int]) -> str:
    return " ".join(card_text(card) if 1 <= card <= 52 else str(card) for card in cards) or "nothing"


class _Replay:
    """Renders the parts of one record; what they share is its rules and the names at its seats."""

    def __init__(self, record: MatchRecord, whole: MatchRecord) -> None:
        self._record = record
        self._values = RuleSet.from_dict(record.rules).values
        self._names = [f"{seat} {printable(bot)}" for seat, bot in enumerate(record.spec.bots)]
        self._name_width = width_of(self._names, low=8, high=24)
        self._cell = 10 if len(self._names) <= _WIDE_SEATS_MAX else 9  # a card, its time and a gap
        self._fault_numbers = {id(fault): number for number, fault in enumerate(whole.faults, start=1)}

    def header(self, *, is_single: bool) -> list[str]:
        record, spec, clock = self._record, self._record.spec, self._record.clock
        length = "to the target" if spec.deals == 0 else f"{spec.deals} deal{'s' * (spec.deals != 1)}"
        name, lag = printable(str(record.rules.get("name"))), ms_text(record.lag_us_max)
        place = f"round {spec.round_number} · board set {spec.board_set}"
        numbers = f"Match {spec.number} · {place}, rotation {spec.rotation}, attempt {spec.attempt}"
        lines = [
            *([] if is_single else [numbers]),
            f"key {printable(spec.key)}",
            f"{name} · {length} · ruling {record.ruling.value}",
            f"{clock.turn_ms} ms a turn, bank {clock.bank_ms} ms",
            f"{printable(record.started_at)} · took {record.duration_ms} ms · worst lag of the referee {lag} ms",
        ]
        lines = [line for text in lines for line in _wrapped(text, 0)]
        lines += ["", f"seat bot{'':<{self._name_width - 4}}version    content      place  total  faults"]
        for seat, name in enumerate(self._names):
            faults = sum(fault.seat == seat for fault in record.faults)
            version, content = printable(record.versions[seat]), printable(record.content[seat])[:10] or "remote"
            lines.append(
                f"   {fitted(name, self._name_width)} "
                f"{fitted(version, 10)} {content:<10} "
                f"{record.places[seat]:>7} {record.totals[seat]:>6} {faults:>7}"
            )
        for seat, name in enumerate(self._names):
            if strays := self._strays(seat):
                lines += _wrapped(f"answers of {name} to no open turn, harmless: {strays}", 3)
        return lines

    def _strays(self, seat: int) -> str:
        return ", ".join(f"{s.count} {_STRAYS[s.kind]}" for s in self._record.strays if s.seat == seat)

    def deal(self, deal: DealRecord) -> list[str]:
        heading = f"Deal {deal.deal_number} · {self._direction(deal)} · dealer {self._names[deal.dealer]}"
        lines = [cut(heading, WIDTH)]
        lines += self._hands(deal)
        passes = passed_by(deal)
        if passes:
            lines.append("  passes")
            lines += [self._pass(deal, passes[seat]) for seat in sorted(passes)]
            lines += self._remarks(list(passes.values()))
        lines += self._tricks(deal)
        for decision in deal.decisions:
            if decision.kind is TurnKind.MOON:
                by = "" if decision.decided_by is DecidedBy.BOT else f" ({decision.decided_by.value})"
                lines.append(f"  {self._names[decision.seat]} chooses to {decision.moon_choice}{by}")
                lines += self._remarks([decision])
        decided = {(decision.seat, decision.turn_number) for decision in deal.decisions}
        for fault in self._record.faults:
            if fault.deal_number == deal.deal_number and (fault.seat, fault.turn_number) not in decided:
                lines += self._fault(fault)
        return lines + self._scores(deal)

    def _direction(self, deal: DealRecord) -> str:
        offset, seats = deal.pass_offset, len(self._names)
        if offset % seats and 2 * offset % seats == 0:
            return "pass across"
        return _DIRECTIONS.get(offset, f"pass {abs(offset)} to the {'left' if offset > 0 else 'right'}")

    def _hands(self, deal: DealRecord) -> list[str]:
        if not any(deal.hands):
            return []
        lines = ["  hands before the pass" if deal.pass_offset else "  hands"]
        for name, hand in zip(self._names, deal.hands, strict=True):
            if hand:
                lines.append(f"  {fitted(name, self._name_width)}  {hand_text(hand)}")
        if deal.widow:
            lines.append(f"  {'widow':<{self._name_width}}  {_cards(deal.widow)}")
        return lines

    def _pass(self, deal: DealRecord, decision: DecisionRecord) -> str:
        giver = fitted(self._names[decision.seat], self._name_width)
        taker = self._names[(decision.seat + deal.pass_offset) % len(self._names)]
        by = "" if decision.decided_by is DecidedBy.BOT else f" ({decision.decided_by.value})"
        ms = f"  {ms_text(decision.elapsed_us)} ms" if decision.elapsed_us else ""
        text = f"  {giver}  {_cards(decision.cards)} to {taker}"
        return cut(text, WIDTH - len(by) - len(ms)) + by + ms

    def _tricks(self, deal: DealRecord) -> list[str]:
        tricks = tricks_of(deal)
        if not tricks:
            return []
        lines = [self._columns()]
        for number, trick in enumerate(tricks):
            winner = deal.winners[number] if number < len(deal.winners) else None
            is_whole = len(trick) == len(self._names)
            lines += self._trick(number + 1, trick, winner, is_whole=is_whole)
            lines += self._remarks(trick)
        return lines

    def _columns(self) -> str:
        if len(self._names) > _WITH_TIMES_SEATS_MAX:
            return "  #  " + "".join(f"{seat:<5}" for seat in range(len(self._names))) + "won by"
        return "  #  " + "".join(fitted(name, self._cell - 1) + " " for name in self._names) + "won by"

    def _trick(self, number: int, trick: list[DecisionRecord], winner: int | None, *, is_whole: bool) -> list[str]:
        by_seat = {play.seat: play for play in trick}
        is_narrow = len(self._names) > _WITH_TIMES_SEATS_MAX
        cells, times = "", ""
        for seat in range(len(self._names)):
            play = by_seat.get(seat)
            card, ms = "    ", ""
            if play is not None:
                lead = ">" if play is trick[0] else " "
                card = f"{lead}{card_text(play.cards[0])}{_MARKS[play.decided_by]}"
                ms = ms_text(play.elapsed_us) if play.elapsed_us else ""
            cells += f"{card} " if is_narrow else f"{card}{ms:>4}".ljust(self._cell)
            times += f"{ms:>4} "
        points = sum(self._values[play.cards[0]] for play in trick)
        if winner is not None:
            sign = f" {points:+d}" if points else ""
            won = cut(self._names[winner], WIDTH - 4 - len(cells) - len(sign)) + sign
        else:
            won = "carried on" if is_whole else "not finished"
        lines = [f"{number:>3} {cells}{won}"]
        if is_narrow and times.strip():
            lines.append(f" ms {times}")
        return lines

    def _remarks(self, decisions: Sequence[DecisionRecord]) -> list[str]:
        """Notes of bots, and the faults that led to a decision of the referee's."""
        lines = []
        for decision in decisions:
            for fault in self._record.faults:
                if (fault.seat, fault.turn_number) == (decision.seat, decision.turn_number):
                    lines += self._fault(fault)
            if decision.note:
                lines += _wrapped(f"{self._names[decision.seat]}: “{printable(decision.note)}”", 6)
        return lines

    def _fault(self, fault: Fault) -> list[str]:
        answered = f"answered {_cards(fault.answer)}" if fault.answer else "no cards answered"
        legal = f", legal {_cards(fault.legal)}" if fault.legal else ""
        clock = f", {ms_text(fault.elapsed_us)} of {ms_text(fault.allowed_us)} ms"
        head = f"! fault {self._fault_numbers[id(fault)]}: {self._what(fault)}"
        return [*_wrapped(head, 4), *_wrapped(f"{answered}{legal}{clock}", 6)]

    def _what(self, fault: Fault) -> str:
        breach = f" {fault.breach}" if fault.breach else ""
        ruling = f", ruling {fault.ruling.value}" if fault.ruling else ""
        return f"{self._names[fault.seat]}, {fault.kind.value}{breach}, blamed on the {fault.blame.value}{ruling}"

    def _scores(self, deal: DealRecord) -> list[str]:
        lines = [f"  {'scores':<{self._name_width}}  taken  score  total"]
        for seat, name in enumerate(self._names):
            remarks = []
            if deal.moon_seat == seat:
                remarks.append("shot the moon")
            if deal.revoked_seat == seat:
                remarks.append("revoked")
            if deal.autopilot[seat]:
                remarks.append("autopilot")
            lines.append(
                f"  {fitted(name, self._name_width)} {deal.points[seat]:>6} "
                f"{deal.scores[seat]:>+6} {deal.totals[seat]:>6}  {', '.join(remarks)}"
            )
        return lines

    def evidence(self, number: int, stderr: Sequence[str] | None) -> list[str]:
        """One fault: what the bot knew, what it answered, what was legal, the clock, what it wrote."""
        record = self._record
        fault = record.faults[number - 1]
        lines = _wrapped(f"Fault {number} of {len(record.faults)}: {self._what(fault)}", 0)
        kind = fault.turn_kind.value if fault.turn_kind else "no turn open"
        lines.append(f"match {record.spec.number}, deal {fault.deal_number}, turn {fault.turn_number} ({kind})")
        lines += ["", *_wrapped(printable(fault.message), 0), "", *self._knew(fault)]
        answer = _cards(fault.answer) if fault.answer else "no cards"
        lines += _wrapped(f"answered  {answer}", 0) + _wrapped(f"legal     {_cards(fault.legal)}", 0)
        lines.append(
            f"clock     {ms_text(fault.elapsed_us)} ms of {ms_text(fault.allowed_us)} ms, without "
            f"{ms_text(fault.lag_us)} ms of the referee's own lag"
        )
        if strays := self._strays(fault.seat):
            lines += _wrapped(f"strays    {strays} (answers of the match to no open turn, harmless)", 0)
        if fault.exit_code is not None:
            lines.append(f"process   ended with exit code {fault.exit_code}")
        if fault.stderr_window is not None:
            file, first, last = fault.stderr_window
            lines += ["", *_wrapped(f"stderr    {printable(file)}, bytes {first} to {last}", 0)]
            shown = (
                ["(no such file: nothing was written, or it was removed)"]
                if stderr is None
                else list(stderr) or ["(nothing was written)"]
            )
            lines += [part for line in shown for part in _folded(printable(line))]
        return lines

    def _knew(self, fault: Fault) -> list[str]:
        scene = scene_of(self._record, fault)
        if scene is None:
            return []
        scores = ", ".join(f"{name} {score}" for name, score in zip(self._names, scene.scores, strict=True))
        lines = [f"hand      {hand_text(scene.hand)}"]
        if scene.passed:
            lines.append(f"passed    {_cards(scene.passed)}, received {_cards(scene.received)}")
        lines += _wrapped(f"scores    {scores}", 0)
        lines += ["played    " + ("nothing yet" if not scene.tricks else "")]
        for number, trick in enumerate(scene.tricks, start=1):
            cards = ", ".join(f"{cut(self._names[p.seat], 12)} {card_text(p.cards[0])}" for p in trick)
            lines += _wrapped(f"{number:>2}  {cards}", 4)
        return lines
