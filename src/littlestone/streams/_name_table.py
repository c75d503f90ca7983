"""Names in bytes and their columns: a table that only grows, exact, searched by a kernel."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import vw as engine
from littlestone.errors import InvalidData
from littlestone.learners._edge import MOST_ATTRIBUTES

__all__ = ["NameTable", "Spelled"]


class Spelled(NamedTuple):
    """Features as words of a chunk: where each name stands, whose it is, its hash; where the namespaces stand."""

    data: NDArray[np.uint8]
    places: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    owners: NDArray[np.uint32]
    hashes: NDArray[np.uint64]
    spaces: NDArray[np.int64]


class NameTable:
    """Names <-> columns; the first name gets column 0, a name never loses its column."""

    def __init__(self) -> None:
        self._table = np.zeros(1 << 12, dtype=np.int64)
        self._seen = np.zeros(1 << 12, dtype=np.uint64)
        self._pool = np.zeros(1 << 16, dtype=np.uint8)
        self._ends = np.zeros(1 << 12, dtype=np.int64)
        self._meta = np.zeros(1, dtype=np.int64)
        self._names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self._meta[0])

    def columns(self, words: Spelled) -> NDArray[np.uint32]:
        """Return the columns of some names; new ones get the next."""
        indices, done = np.empty(len(words.places), dtype=np.uint32), 0
        while True:
            done = engine.columns(
                words.data, done, words.places, words.lengths, words.owners, words.hashes, words.spaces,
                self._table, self._seen, self._pool, self._ends, self._meta, indices,
            )  # fmt: skip
            if done == len(indices):
                return indices
            self._grow(words, done)

    def names(self) -> tuple[str, ...]:
        """Return all names in the order of their columns."""
        known, count = len(self._names), len(self)
        if known < count:
            ends = self._ends[known : count + 1].tolist()
            text = self._pool[ends[0] : ends[-1]].tobytes()
            first = ends[0]
            self._names += tuple(text[a - first : b - first].decode() for a, b in pairwise(ends))
        return self._names

    def _grow(self, words: Spelled, k: int) -> None:
        """Make room for one more name at least, and then some."""
        count, owner = len(self), int(words.owners[k])
        if count >= MOST_ATTRIBUTES:
            raise InvalidData(f"expected at most {MOST_ATTRIBUTES} names, got more; are the names numbers of rows?")
        length = int(words.lengths[k]) + 1
        if owner:
            length += int(words.spaces[2 * owner - 1] - words.spaces[2 * owner - 2])
        if self._ends[count] + length > len(self._pool):
            self._pool = np.concatenate((self._pool, np.zeros(len(self._pool) + length, dtype=np.uint8)))
        if count + 2 > len(self._ends):
            self._ends = np.concatenate((self._ends, np.zeros_like(self._ends)))
        if 2 * count >= len(self._table):
            self._table = np.zeros(4 * len(self._table), dtype=np.int64)
            self._seen = np.zeros(len(self._table), dtype=np.uint64)
            engine.rehash(self._pool, self._ends, count, self._table, self._seen)
