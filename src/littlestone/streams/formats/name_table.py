"""Names in bytes and their columns: a table that only grows, exact, searched by kernels."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.core.vocabulary import LaterNames
from littlestone.engine.text import names as engine
from littlestone.engine.text.names import Spelled, Table

__all__ = ["NameTable", "first_of"]


def first_of(words: Spelled, count: int, spaces: int) -> Spelled:
    """Return the first ``count`` names, and as many namespaces as there are, without copying them."""
    data, places, lengths, owners, hashes, all_spaces = words
    return Spelled(data, places[:count], lengths[:count], owners[:count], hashes[:count], all_spaces[: 2 * spaces])


def _some(words: Spelled, at: NDArray[np.uint32]) -> Spelled:
    """Return a copy of some names."""
    data, places, lengths, owners, hashes, spaces = words
    return Spelled(data, places[at], lengths[at], owners[at], hashes[at], spaces.copy())


class NameTable:
    """Names <-> columns; the first name gets column 0, a name never loses its column."""

    def __init__(self) -> None:
        self._arrays = Table(  # small, for a wide CSV has one of these a column
            slots=np.zeros(1 << 7, dtype=np.uint64),
            pool=np.zeros(1 << 9, dtype=np.uint8),
            ends=np.zeros(1 << 6, dtype=np.int64),
        )
        self._meta = np.zeros(1, dtype=np.int64)

    def __len__(self) -> int:
        return int(self._meta[0])

    def find(self, words: Spelled) -> tuple[NDArray[np.uint32], Spelled | None]:
        """Return the columns of names as far as they are known, and those that are not, which `add` gives columns.

        The columns of the latter are numbers of their own from ``engine.UNKNOWN`` on. Any thread may ask.
        """
        count = len(words.places)
        indices, missing = np.empty(count, dtype=np.uint32), np.empty(count, dtype=np.uint32)
        unknown = engine.find(words, self._arrays, indices, missing)
        return indices, _some(words, missing[:unknown]) if unknown else None

    def add(self, words: Spelled) -> NDArray[np.uint32]:
        """Return the columns of some names; new ones get the next."""
        columns, done = np.empty(len(words.places), dtype=np.uint32), 0
        while True:
            done = engine.add(words, self._arrays, done, self._meta, columns)
            if done == len(columns):
                return columns
            self._grow(words, done)

    def names(self) -> LaterNames:
        """Return all names in the order of their columns, to be made when they are asked for."""
        return LaterNames(self, 0, len(self))

    def some(self, start: int, stop: int) -> list[Hashable]:
        """Return the names of these columns."""
        arrays = self._arrays
        ends = arrays.ends[start : stop + 1].tolist()
        first, text = ends[0], arrays.pool[ends[0] : ends[-1]].tobytes()
        return [text[a - first : b - first].decode() for a, b in pairwise(ends)]

    def _grow(self, words: Spelled, k: int) -> None:
        """Make room for more names, in new arrays: other threads may still be reading the old ones."""
        slots, pool, ends = self._arrays
        count, owner = len(self), int(words.owners[k])
        if count >= MOST_ATTRIBUTES:
            raise InvalidData(f"expected at most {MOST_ATTRIBUTES} names, got more; are the names numbers of rows?")
        length = int(words.lengths[k]) + 1
        if owner:
            length += int(words.spaces[2 * owner - 1] - words.spaces[2 * owner - 2])
        if ends[count] + length > len(pool):
            pool = np.concatenate((pool, np.zeros(len(pool) + length, dtype=np.uint8)))
        if count + 2 > len(ends):
            ends = np.concatenate((ends, np.zeros_like(ends)))
        if 2 * count >= len(slots):
            slots = np.zeros(4 * len(slots), dtype=np.uint64)
            engine.rehash(Table(slots, pool, ends), count)
        self._arrays = Table(slots, pool, ends)
