"""Calls with a token that nobody has: the organiser is told of them, however many they are, in a few lines."""

from __future__ import annotations

HOSTS_NAMED_MAX = 20


class WrongTokens:
    """Says when the organiser is told: of each new host, of the first so many of them, and of every tenfold."""

    def __init__(self) -> None:
        self._count = 0
        self._tell_at = 10
        self._hosts: set[str] = set()

    def line(self, peer: str) -> str:
        """Count a call from there, as grpc names it, and return a sentence about it or nothing."""
        self._count += 1
        host = peer.rpartition(":")[0]
        is_new = host not in self._hosts and len(self._hosts) < HOSTS_NAMED_MAX
        is_tenfold = self._count == self._tell_at
        if is_new:
            self._hosts.add(host)
        if is_tenfold:
            self._tell_at *= 10
        if not is_new and not is_tenfold:
            return ""
        so_far = f" ({self._count:,} such calls so far)" if self._count > 1 else ""
        return f"refused a bot from {peer or 'this machine'}: its token is unknown{so_far}"
