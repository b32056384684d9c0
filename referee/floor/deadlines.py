"""Which turns have run out of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.floor.match_run import MatchRun
from referee.floor.seated_bot import SeatedBot
from referee.table.turns import Turn


@dataclass(frozen=True, slots=True)
class Expired:
    """A turn that was not answered in time, and what its seat is charged for it."""

    turn: Turn
    elapsed_us: int
    lag_us: int


def expired_turns(bot: SeatedBot, runs: Mapping[int, MatchRun], now_ns: int, stalled_ns: int) -> list[Expired]:
    """Find the pending turns of a bot whose clock has run out.

    Late and missing are one rule, so a silence is measured as the message that would end it now: it could answer
    `share` turns. The wait may be as long as all of them may take, and the bank once; what goes beyond is charged
    to each. A single turn waits no longer than the bot's whole load of tables may take. Of a bot that has ended for
    good everything has run out.

    Args:
        bot: whose.
        runs: the matches, by id.
        now_ns: the time.
        stalled_ns: the referee's own lag up to now; it moves every deadline.
    """
    expired: list[Expired] = []
    share = max(1, min(len(bot.pending), bot.batch_max))
    for turn in bot.pending.values():
        run = runs[turn.match_id]
        turn_ns = run.turn_us * 1000
        waited_ns = now_ns - max(turn.handed_ns, bot.last_arrival_ns)
        whole_ns = now_ns - turn.handed_ns
        spent_ns = turn.spent_us * 1000
        is_early = waited_ns + spent_ns <= share * turn_ns and whole_ns + spent_ns <= bot.tables_max * turn_ns
        if is_early and not bot.is_gone:
            if not spent_ns:
                break  # the turns behind this one were handed over later still
            continue
        lag_ns = stalled_ns - max(turn.stalled_ns, bot.last_stalled_ns)
        bank_ns = run.bank_us[turn.ask.seat] * 1000 + max(0, spent_ns - turn_ns)
        is_silent = waited_ns - lag_ns + spent_ns > share * turn_ns + bank_ns
        is_starved = whole_ns - (stalled_ns - turn.stalled_ns) + spent_ns > bot.tables_max * turn_ns + bank_ns
        if bot.is_gone or is_silent or is_starved:
            if is_silent:
                # The others are reckoned at their full time, so that the charge is over what was allowed.
                charged_ns = waited_ns - (share - 1) * turn_ns - (lag_ns - lag_ns // share)
            else:
                charged_ns = whole_ns if is_starved else waited_ns // share
            expired.append(Expired(turn, max(0, charged_ns) // 1000, lag_ns // share // 1000))
    return expired
