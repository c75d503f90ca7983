"""Keys: requests that are done once, over a window of the last ones."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from littlestone.service.journal.entries import Key

__all__ = ["Keys", "key_digest"]

SIZE = 16
ERASE = "UPDATE keys SET answer = NULL, request = zeroblob(16)"  # where what was asked is to be nowhere


def key_digest(secret: bytes, *parts: bytes | str) -> bytes:
    """Return a short digest of parts, whose lengths count; without the secret nobody can guess what they were.

    >>> key_digest(b"s", "a", "bc") == key_digest(b"s", "ab", "c"), len(key_digest(b"s", "a"))
    (False, 16)
    """
    found = blake2b(digest_size=SIZE, key=secret)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "big") + data)
    return found.digest()


class Keys:
    """The last ``window`` keys; the database has them in order, and memory finds them: an index there costs much."""

    def __init__(self, connection: Any, window: int) -> None:
        self.connection, self.window = connection, window
        found = connection.execute("SELECT id, key FROM keys ORDER BY id").fetchall()
        self._ids: dict[bytes, int] = {bytes(key): id for id, key in found}  # noqa: A001 - the word for it
        self._last = found[-1][0] if found else 0
        self._new: list[tuple[int, int, Key]] = []

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, key: bytes) -> tuple[bytes, bytes | None] | None:
        """Return the digest of what was asked under a key, and the answer: None if both were erased."""
        number = self._ids.get(key)
        if number is None:
            return None
        found = self.connection.execute("SELECT request, answer FROM keys WHERE id = ?", (number,)).fetchone()
        return None if found is None else (bytes(found[0]), None if found[1] is None else bytes(found[1]))

    def add(self, seq: int, key: Key) -> None:
        """Remember a key, once the transaction is done."""
        self._new.append((self._last + len(self._new) + 1, seq, key))

    def write(self) -> None:
        """Write down the new ones, and drop those that are older than the window."""
        if not self._new:
            return
        rows = [(number, seq, *key) for number, seq, key in self._new]
        self.connection.executemany("INSERT INTO keys (id, seq, key, request, answer) VALUES (?, ?, ?, ?, ?)", rows)
        self.connection.execute("DELETE FROM keys WHERE id <= ?", (self._new[-1][0] - self.window,))

    def erase(self, seqs: Iterable[int]) -> None:
        """Let nothing be left, inside of a transaction, of what was asked and answered in some entries."""
        wanted = set(seqs)
        between = self._from(min(wanted)), self._from(max(wanted) + 1)
        rows = self.connection.execute("SELECT id, seq FROM keys WHERE id >= ? AND id < ?", between).fetchall()
        self.connection.executemany(f"{ERASE} WHERE id = ?", [(id,) for id, seq in rows if seq in wanted])  # noqa: A001

    def _from(self, seq: int) -> int:
        """Return from where on keys are of this entry or a later one; both go up together, so no index is needed."""
        sql = "SELECT (SELECT min(id) FROM keys), (SELECT max(id) FROM keys)"  # at once they would be a scan
        first, last = self.connection.execute(sql).fetchone()
        low, high = (0, 0) if first is None else (first, last + 1)
        while low < high:
            middle = (low + high) // 2
            sql = "SELECT id, seq FROM keys WHERE id >= ? ORDER BY id LIMIT 1"
            id, of = self.connection.execute(sql, (middle,)).fetchone()  # noqa: A001 - the word for it
            low, high = (low, middle) if of >= seq else (id + 1, high)
        return low

    def undo(self) -> None:
        """Forget those that were not written."""
        self._new.clear()

    def settle(self) -> None:
        """Take the new ones for written."""
        for number, _, key in self._new:
            self._ids.pop(key.key, None)  # it goes to the end
            self._ids[key.key] = number
            self._last = number
        self._new.clear()
        while self._ids and self._ids[oldest := next(iter(self._ids))] <= self._last - self.window:
            del self._ids[oldest]
