"""The tables of a store. Migrations create them; a test holds both to be the same.

The record of a match is the truth. Everything in `seats`, `boards`, `faults` and `thinking` follows from it and is
there so that standings and reports are answered without opening a single record.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = "0002"
"""The newest migration. Versions are numbers with leading zeros, so that newer is greater."""

# Named, so that a later migration can say which constraint it changes on every database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

tournament = Table(
    "tournament",  # exactly one row
    metadata,
    Column("tournament", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("software", Text, nullable=False),
)

rule_sets = Table(
    "rule_sets",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("digest"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # counted from 1 without gaps: repair walks it
    Column("key", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("round_number", Integer, nullable=False),
    Column("board_set", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("deals", Integer, nullable=False),  # of the spec: 0 means to the target
    Column("deals_played", Integer, nullable=False),
    Column("bots", Text, nullable=False),  # JSON list per seat; the same as in `seats`, in one value
    Column("rule_set_id", Integer, ForeignKey("rule_sets.id"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("duration_ms", BigInteger, nullable=False),
    Column("lag_us_max", BigInteger, nullable=False),
    UniqueConstraint("key"),
    Index(None, "number"),
    Index(None, "board_set"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("bot", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("autopilot", Boolean, nullable=False),
    Column("decisions", Integer, nullable=False),  # by the bot itself
    Column("max_us", BigInteger, nullable=False),
    Index(None, "bot"),
    sqlite_with_rowid=False,
)

boards = Table(
    "boards",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("deal_number", Integer, primary_key=True, autoincrement=False),  # 0 for a match to the target
    Column("points", Text, nullable=False),  # per seat, joined by commas; so are the places
    Column("places", Text, nullable=False),
    Column("autopilot", Text, nullable=False),  # a 0 or 1 per seat
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),  # with the digest once more, so that a record stands by itself
    Column("digest", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),  # canonical JSON, compressed by zlib
)

attempts = Table(
    "attempts",  # matches that were begun and voided
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("board_set", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("whole_board_set", Boolean, nullable=False),
    Column("blame", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Text, nullable=False),
)

faults = Table(
    "faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False),
    Column("position", Integer, nullable=False),  # among the faults of the match, from 0
    Column("match_id", Integer, ForeignKey("matches.id"), nullable=False),
    Column("bot", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("blame", Text, nullable=False),
    Column("detail", Text, nullable=False),  # the whole fault as canonical JSON
    Index(None, "key"),
)

thinking = Table(
    "thinking",  # how often each bot thought for how long, over all finished matches
    metadata,
    Column("bot", Text, primary_key=True),
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("decisions", BigInteger, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("data", Text, nullable=False),  # JSON object
)

corrections = Table(
    "corrections",  # append-only: nothing is ever updated or deleted here
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("bot", Text),
    Column("key", Text),
    Column("fault", Integer),
    Column("reverses", Integer, ForeignKey("corrections.id")),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("at", Text, nullable=False),
)
