"""How the ratings came to be: each bot's after each round, for plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ratings.csv_writing import csv_lines
from ratings.standings import HistoryPoint


def history_csv(points: Iterable[HistoryPoint]) -> str:
    """One line a round and bot; the Elo of a bot that has no number yet is empty."""
    return csv_lines(("round", "boards", "bot", "elo", "low", "high", "online_elo"), _rows(points))


def _rows(points: Iterable[HistoryPoint]) -> Iterator[tuple[object, ...]]:
    for point in points:
        for bot, online in sorted(point.online_elo.items()):
            numbers = [f"{value:.2f}" for value in point.elo.get(bot, ())] or [""] * 3
            yield point.round_number, point.boards, bot, *numbers, f"{online:.2f}"


def history_json(points: Iterable[HistoryPoint]) -> dict[str, object]:
    """The same as JSON values: `elo` is null for a bot that has no number yet."""
    return {
        "history": [
            {
                "round": point.round_number,
                "boards": point.boards,
                "bots": [_bot(point, bot) for bot in sorted(point.online_elo)],
            }
            for point in points
        ]
    }


def _bot(point: HistoryPoint, bot: str) -> dict[str, object]:
    elo, low, high = point.elo.get(bot, (None, None, None))
    return {"bot": bot, "elo": elo, "low": low, "high": high, "online_elo": point.online_elo[bot]}
