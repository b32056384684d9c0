"""What an audit says."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not what it has to be.

    `where` says where it stands: a match by its number and key, a file, a table of the store. `name` is the field.
    """

    where: str
    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.name}: {self.message}" if self.name else f"{self.where}: {self.message}"

    def to_json(self) -> dict[str, str]:
        """Give the difference as JSON values."""
        return {"where": self.where, "field": self.name, "message": self.message}


@dataclass(slots=True)
class AuditReport:
    """How much was checked, what differs, and what could not be checked."""

    root: str = ""  # over the records as they are
    matches: int = 0
    deals: int = 0
    decisions: int = 0
    differences: list[Difference] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)  # sentences

    def add(self, where: str, name: str, message: str) -> None:
        """Note a difference."""
        self.differences.append(Difference(where, name, message))

    def to_json(self) -> dict[str, object]:
        """Give the report as JSON values."""
        return {
            "ok": not self.differences,
            "root": self.root,
            "matches": self.matches,
            "deals": self.deals,
            "decisions": self.decisions,
            "differences": [difference.to_json() for difference in self.differences],
            "unchecked": self.unchecked,
        }
