"""The database of the journal: its tables, and how it is opened so that what is committed stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["FORMAT", "NAME", "Connect", "begin", "connect", "reader"]

FORMAT = 1
NAME = "journal.db"

Connect = Callable[[Path], Any]  # a connection of sqlite3, or of apsw

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, name TEXT, options BLOB, removed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY, model INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, kind TEXT NOT NULL,
  body BLOB, salts BLOB, time REAL NOT NULL, digest BLOB NOT NULL, chain BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS entries_of ON entries (model, first);
CREATE INDEX IF NOT EXISTS begins_of ON entries (model, first) WHERE kind = 'begin';
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, key BLOB NOT NULL, request BLOB NOT NULL, answer BLOB);
CREATE TABLE IF NOT EXISTS amendments (
  model INTEGER NOT NULL, number INTEGER NOT NULL, seq INTEGER NOT NULL, label BLOB, PRIMARY KEY (model, number)
  ) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (
  model INTEGER NOT NULL, number INTEGER NOT NULL, seq INTEGER NOT NULL, pinned INTEGER NOT NULL, digest BLOB NOT NULL,
  signature BLOB NOT NULL, build TEXT NOT NULL, time REAL NOT NULL, PRIMARY KEY (model, number)) WITHOUT ROWID;
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open the database for the one that writes."""
    return sqlite3.connect(path, timeout=10.0, isolation_level=None, cached_statements=64)


def reader(folder: Path) -> sqlite3.Connection:
    """Open the database of a folder for one that only reads, while another process may write."""
    found = sqlite3.connect(
        f"{(folder / NAME).resolve().as_uri()}?mode=ro", uri=True, timeout=10.0, isolation_level=None
    )
    found.execute("PRAGMA query_only=ON")
    return found


def begin(connection: Any, synchronous: str = "FULL") -> None:
    """Make the tables, and see to it that a commit is on the disk, and that what is deleted is overwritten.

    >>> with connect(Path(":memory:")) as made:
    ...     begin(made)
    ...     made.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    (1,)
    """
    for pragma in (
        "journal_mode=WAL", f"synchronous={synchronous}", "secure_delete=ON", "wal_autocheckpoint=4000", "fullfsync=ON",
        "checkpoint_fullfsync=ON", "temp_store=MEMORY", "cache_size=-32000", "journal_size_limit=67108864",
    ):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}").fetchall()
    for statement in filter(str.strip, TABLES.split(";")):
        connection.execute(statement)
    connection.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (FORMAT,))
