"""Where a tournament keeps its finished matches: SQLite by default, PostgreSQL by URL.

Importing this package imports SQLAlchemy; commands do it when they need a store.
"""

from referee.store.model import (
    Attempt,
    Correction,
    CorrectionKind,
    Event,
    OlderStoreError,
    StoredFault,
    StoreError,
    TournamentMeta,
)
from referee.store.store import Store

__all__ = [
    "Attempt",
    "Correction",
    "CorrectionKind",
    "Event",
    "OlderStoreError",
    "Store",
    "StoreError",
    "StoredFault",
    "TournamentMeta",
]
