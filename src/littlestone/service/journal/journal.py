"""Journal: entries are appended, many in one commit; nothing is known of one whose commit failed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from littlestone.core.errors import InvalidModel
from littlestone.service.journal.entries import BEGINNING, Entry, Key, Sealed, linked
from littlestone.service.journal.keys import Keys
from littlestone.service.journal.schema import FORMAT, begin

__all__ = ["Draft", "Journal", "entries_of", "entry_at", "entry_of"]

COLUMNS = "seq, model, first, count, kind, body, salts, time, digest, chain"
INSERT = f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - of constants
PAGE = 256  # entries that are read at a time


class Draft(NamedTuple):
    """An entry that is to be appended."""

    model: int
    first: int
    size: int
    kind: str
    sealed: Sealed
    key: Key | None = None


class Journal:
    """What was accepted, in a database that this one alone writes; ``seq`` and ``chain`` are those of the last entry.

    >>> from pathlib import Path
    >>> from littlestone.service.journal.entries import encode, sealed
    >>> from littlestone.service.journal.schema import connect
    >>> journal = Journal(connect(Path(":memory:")))
    >>> with journal.transaction():
    ...     journal.append([Draft(1, 1, 2, "learn", sealed([encode("a"), encode("b")]))])
    >>> [(entry.seq, entry.first, entry.size) for entry in entries_of(journal.connection, 1)]
    [(1, 1, 2)]
    """

    def __init__(self, connection: Any, *, window: int = 100_000, synchronous: str = "FULL") -> None:
        self.connection = connection
        begin(connection, synchronous)
        (found,) = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        if found != FORMAT:
            raise InvalidModel(f"journal: expected one of format {FORMAT}, got {found}; is this littlestone too old?")
        self.keys = Keys(connection, window)
        self.seq, self.chain = self._head()

    def _head(self) -> tuple[int, bytes]:
        last = self.connection.execute("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        return (0, BEGINNING) if last is None else (last[0], bytes(last[1]))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Have all that is written inside on the disk when it ends, or nothing of it."""
        before = self.seq, self.chain
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.keys.write()
            self.connection.execute("COMMIT")
        except BaseException:
            self.seq, self.chain = before
            self.keys.undo()
            self._roll_back()
            raise
        self.keys.settle()

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def append(self, drafts: Sequence[Draft]) -> None:
        """Append entries, inside of a transaction."""
        now, rows = time.time(), []
        seq, chain = self.seq, self.chain
        for model, first, count, kind, seal, key in drafts:
            seq += 1
            chain = linked(chain, model, first, count, kind, seal.digest)
            rows.append((seq, model, first, count, kind, seal.body, seal.salts, now, seal.digest, chain))
            if key is not None:
                self.keys.add(seq, key)
        self.connection.executemany(INSERT, rows)
        self.seq, self.chain = seq, chain

    def close(self) -> None:
        """Let the database go."""
        self.connection.close()


def entries_of(
    connection: Any, model: int | None, after: int = 0, *, upto: int | None = None, page: int = PAGE
) -> Iterator[Entry]:
    """Yield entries in order: of one model those with events behind number ``after``, or all behind that seq.

    They are read page by page, so that nothing is held while they are used.
    """
    if model is None:
        last, where = after, "seq > ?"
        params: tuple[Any, ...] = ()
    else:
        later = "SELECT seq FROM entries WHERE model = ? AND first > ? ORDER BY first, seq LIMIT 1"
        last_before = "SELECT seq, first + count AS ends FROM entries WHERE model = ? AND first <= ? AND count > 0"
        within = f"SELECT seq FROM ({last_before} ORDER BY first DESC, seq DESC LIMIT 1) WHERE ends > ?"  # noqa: S608
        (start,) = connection.execute(
            f"SELECT min(seq) FROM (SELECT * FROM ({later}) UNION ALL SELECT * FROM ({within}))",  # noqa: S608
            (model, after, model, after, after + 1),
        ).fetchone()
        if start is None:
            return
        last, where, params = start - 1, "seq > ? AND +model = ?", (model,)
    while True:
        sql = f"SELECT {COLUMNS} FROM entries WHERE {where} ORDER BY seq LIMIT ?"  # noqa: S608 - of constants
        rows = connection.execute(sql, (last, *params, page)).fetchall()
        for row in rows:
            entry = Entry(*row)
            if upto is not None and entry.first > upto:
                return
            yield entry
        if len(rows) < page:
            return
        last = rows[-1][0]


def entry_at(connection: Any, seq: int) -> Entry | None:
    """Return the entry of this number."""
    row = connection.execute(f"SELECT {COLUMNS} FROM entries WHERE seq = ?", (seq,)).fetchone()  # noqa: S608 - of constants
    return None if row is None else Entry(*row)


def entry_of(connection: Any, model: int, number: int) -> Entry | None:
    """Return the entry that has a model's event of this number."""
    sql = f"SELECT {COLUMNS} FROM entries WHERE model = ? AND first <= ? AND count > 0 ORDER BY first DESC, seq DESC"  # noqa: S608
    row = connection.execute(f"{sql} LIMIT 1", (model, number)).fetchone()
    found = None if row is None else Entry(*row)
    return found if found is not None and number < found.first + found.size else None
