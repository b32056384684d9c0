"""What every bot did besides scoring, beside the standings: decisions, thinking times, faults by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from textwrap import wrap

from rich.cells import cell_len

from ratings.text_width import fitted, width_of
from referee.cli.replay_text import WIDTH, ms_text
from referee.launch.process_log import printable
from referee.records import Blame, BotReport

_NAME_MIN, _NAME_MAX = 8, 22


def report_table(reports: Sequence[BotReport], whole: BotReport) -> str:
    """One row a bot and one of them all, at most 80 columns; without reports nothing."""
    if not reports:
        return ""
    width = width_of((printable(report.bot) for report in reports), low=_NAME_MIN, high=_NAME_MAX)
    header = f"{'bot':<{width}} {'matches':>8} {'decisions':>10} {'p50 ms':>7} {'p99 ms':>7} {'max ms':>7}  faults"
    lines = [header, "─" * len(header)]
    for report in (*reports, replace(whole, bot="all")):
        times = "".join(f" {ms_text(us):>7}" for us in (report.p50_us, report.p99_us, report.max_us))
        start = f"{fitted(printable(report.bot), width)} {report.matches:>8,} {report.decisions:>10,}{times}  "
        faults = _faults(report)
        if cell_len(start + faults) <= WIDTH:
            lines.append(start + faults)
        else:
            lines += [start, *wrap(faults, WIDTH, initial_indent="    ", subsequent_indent="    ")]
    return "\n".join(line.rstrip() for line in lines)


def report_json(reports: Sequence[BotReport], whole: BotReport) -> dict[str, object]:
    """The same as JSON values; faults are counted by kind/blame."""
    of_all = asdict(whole)
    del of_all["bot"]
    return {"bots": [asdict(report) for report in reports], "all": of_all}


def _faults(report: BotReport) -> str:
    """Counts by kind; whose fault it was is said where it was not the bot's."""
    parts = []
    for name, count in sorted(report.faults.items(), key=lambda item: (-item[1], item[0])):
        kind, _, blame = name.partition("/")
        parts.append(f"{count:,} {kind}" + (f" of the {blame}" if blame != Blame.BOT else ""))
    return ", ".join(parts) or "none"
