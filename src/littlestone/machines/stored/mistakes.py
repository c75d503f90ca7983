"""Where a kernel learner keeps the Boolean rows it has missed: as bits or, where few of many are on, as lists."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from hashlib import blake2b
from typing import Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Columns, Ints, Words
from littlestone.core.rows import Rows
from littlestone.engine.arrays import LANES
from littlestone.engine.sets import bits, postings
from littlestone.machines.stored.ranks import Ranks

__all__ = ["Chunk", "Listed", "Packed", "Store", "prefers_lists"]

SPARSE = 0.75  # words for each attribute on beyond which lists are faster than bits (measured: 0.25 to 1.5)
FEW = 4  # words that are fast in any case
NO_ROWS = (np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32))


@dataclass
class Chunk:
    """Some rows that are scored together: their attributes, how many are on, and bits or ranks, as stores want them."""

    indptr: Ints
    indices: Columns
    on: Ints
    words: Words
    ranks: Columns | None = None  # of the attributes, where the store has ranks and has learned from these rows

    @classmethod
    def of(cls, rows: Rows, start: int, on: Ints, words: int) -> Self:
        """Return some rows from ``start`` on, of which it is known how many attributes are on."""
        indptr = rows.indptr[start : start + len(on) + 1]
        packed = bits.packed(indptr, rows.indices, words) if words else np.zeros((len(on), 0), dtype=np.uint64)
        return cls(indptr, rows.indices, on, packed)

    def row(self, r: int) -> Columns:
        """Return the attributes that are on in one row."""
        return self.indices[self.indptr[r] : self.indptr[r + 1]]


def _digest(row: Columns) -> bytes:
    """Return what tells rows apart, nearly always; the same in every process."""
    return blake2b(row.tobytes(), digest_size=8).digest()


def _longer(numbers: NDArray[np.generic], size: int) -> NDArray[np.generic]:
    """Return an array with room for ``size``, the rest 0."""
    more = np.zeros((max(size, 16), *numbers.shape[1:]), dtype=numbers.dtype)
    more[: len(numbers)] = numbers
    return more


class Store(ABC):
    """Stored rows in the order of their age, each with a coefficient; 0: forgotten, and gone at the next clearing."""

    words = 0  # of a row, where rows are bits

    def __init__(self, indptr: Ints, indices: Columns, coefficients: Ints) -> None:
        self.number = len(coefficients)
        self.coefficients: Ints = np.zeros(-(-max(self.number, 16) // LANES) * LANES, dtype=np.int64)
        self.coefficients[: self.number] = coefficients
        self.sizes: Ints = np.zeros(len(self.coefficients), dtype=np.int64)
        self.sizes[: self.number] = np.diff(indptr)
        self.live, self.on = self.number, len(indices)
        self.total = int(np.abs(self.coefficients).sum())
        self.largest = int(self.sizes.max())
        self._known: dict[bytes, int] | None = None  # where a row is, by its digest; None: nobody has asked

    @abstractmethod
    def count(self, chunk: Chunk, stored: int, negated: bool, hist: Ints, start: int, stop: int) -> None:
        """Add the rows in the first places to the histograms of the chunk's rows from ``start`` to ``stop``."""

    @abstractmethod
    def correct(
        self, chunk: Chunk, row: int | Columns, first: int, coefficient: int, negated: bool, hist: Ints
    ) -> None:
        """Add a row (of the chunk, or by its attributes) to the histograms of the chunk's rows from ``first`` on."""

    @abstractmethod
    def lists(self) -> tuple[Ints, Columns]:
        """Return the rows in all places, as CSR."""

    @abstractmethod
    def row(self, place: int) -> Columns:
        """Return the attributes of one stored row."""

    @abstractmethod
    def _enter(self, chunk: Chunk, r: int) -> None:
        """Put row r of the chunk into the next place."""

    @abstractmethod
    def _widen(self, places: int) -> None:
        """Make room for so many rows."""

    def append(self, chunk: Chunk, r: int, coefficient: int) -> None:
        """Store row r of the chunk."""
        if self.number == len(self.coefficients):
            places = 2 * self.number
            self._widen(places)
            self.coefficients, self.sizes = _longer(self.coefficients, places), _longer(self.sizes, places)  # type: ignore[assignment]
        self._enter(chunk, r)
        size = int(chunk.on[r])
        self.coefficients[self.number], self.sizes[self.number] = coefficient, size
        self.live += 1
        self.on += size
        self.total += abs(coefficient)
        self.largest = max(self.largest, size)
        self.number += 1

    def find(self, chunk: Chunk, r: int) -> int | None:
        """Return the place of a stored row that equals row r of the chunk."""
        if self._known is None:
            indptr, indices = self.lists()
            self._known = {_digest(indices[indptr[p] : indptr[p + 1]]): p for p in self.places().tolist()}
        active = chunk.row(r)
        place = self._known.setdefault(_digest(active), self.number)
        same = place < self.number and self.coefficients[place] != 0 and np.array_equal(self.row(place), active)
        return place if same else None

    def strengthen(self, place: int, coefficient: int) -> None:
        """Add to the coefficient of one stored row; it is forgotten where nothing is left."""
        before = int(self.coefficients[place])
        after = before + coefficient
        if after == 0:
            if self._known is not None:
                del self._known[_digest(self.row(place))]
            self.forget(place)
            return
        self.coefficients[place] = after
        self.total += abs(after) - abs(before)

    def forget(self, place: int) -> None:
        """Forget one stored row."""
        self.total -= abs(int(self.coefficients[place]))
        self.on -= int(self.sizes[place])
        self.live -= 1
        self.coefficients[place] = 0

    def places(self) -> Ints:
        """Return the places of the rows that are not forgotten, the oldest first."""
        return np.flatnonzero(self.coefficients[: self.number])

    def rows(self) -> tuple[Ints, Columns, Ints]:
        """Return the rows that are not forgotten, as CSR, and their coefficients."""
        indptr, indices = self.lists()
        coefficients = self.coefficients[: self.number]
        if self.live < self.number:
            kept = coefficients != 0
            lengths = np.diff(indptr)
            indices = indices[np.repeat(kept, lengths)]
            indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths[kept])))
            coefficients = coefficients[kept]
        return indptr, indices, coefficients.copy()

    def cluttered(self) -> bool:
        """Tell whether most rows are forgotten ones."""
        return self.number > 2 * self.live + 64


class Packed(Store):
    """Rows as bits."""

    def __init__(self, indptr: Ints, indices: Columns, coefficients: Ints, words: int) -> None:
        super().__init__(indptr, indices, coefficients)
        self.words = words
        self._tiles: Words = np.zeros((len(self.coefficients) // LANES, words, LANES), dtype=np.uint64)
        bits.put(bits.packed(indptr, indices, words), self._tiles, 0)

    def count(self, chunk: Chunk, stored: int, negated: bool, hist: Ints, start: int, stop: int) -> None:
        """Add the rows in the first places to the histograms of the chunk's rows from ``start`` to ``stop``."""
        bits.count(
            self._tiles, self.coefficients, self.sizes, stored, chunk.words[start:stop], chunk.on[start:stop],
            negated, hist[start:stop],
        )  # fmt: skip

    def correct(
        self, chunk: Chunk, row: int | Columns, first: int, coefficient: int, negated: bool, hist: Ints
    ) -> None:
        """Add a row to the histograms of the chunk's rows from ``first`` on."""
        if isinstance(row, int):
            word, on = chunk.words[row], int(chunk.on[row])
        else:
            word, on = bits.packed(np.array([0, len(row)]), row, self.words)[0], len(row)
        bits.correct(word, on, coefficient, chunk.words[first:], chunk.on[first:], negated, hist[first:])

    def lists(self) -> tuple[Ints, Columns]:
        """Return the rows in all places, as CSR."""
        rows = self._tiles.transpose(0, 2, 1).reshape(-1, self.words)[: self.number]
        on = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
        _, columns = np.nonzero(on)
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(self.sizes[: self.number])))
        return indptr, columns.astype(np.uint32)

    def row(self, place: int) -> Columns:
        """Return the attributes of one stored row."""
        words = np.ascontiguousarray(self._tiles[place // LANES, :, place % LANES])
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).astype(np.uint32)

    def _enter(self, chunk: Chunk, r: int) -> None:
        bits.put(chunk.words[r : r + 1], self._tiles, self.number)

    def _widen(self, places: int) -> None:
        self._tiles = _longer(self._tiles, places // LANES)  # type: ignore[assignment]


class Listed(Store):
    """Rows as lists of attributes, and for each attribute, by its rank, the rows that have it."""

    def __init__(self, indptr: Ints, indices: Columns, coefficients: Ints) -> None:
        super().__init__(indptr, indices, coefficients)
        self._indptr: Ints = np.zeros(len(self.coefficients) + 1, dtype=np.int64)
        self._indptr[: len(indptr)] = indptr
        self._indices = indices.copy()
        self._ranks = Ranks(indices)
        ranks = self._ranks.of(indices)
        self._length: Ints = np.bincount(ranks, minlength=1).astype(np.int64)
        self._capacity = self._length.copy()
        self._start: Ints = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(self._length)[:-1]))
        self._pool = np.zeros(len(indices), dtype=np.int32)
        self._length[:] = 0
        postings.fill(indptr, ranks, self._start, self._length, self._pool)
        self._end = len(indices)
        self._marks = np.zeros(len(self._start), dtype=np.uint8)

    def count(self, chunk: Chunk, stored: int, negated: bool, hist: Ints, start: int, stop: int) -> None:
        """Add the rows in the first places to the histograms of the chunk's rows from ``start`` to ``stop``."""
        postings.count(
            *self._ranked(chunk, start, stop), self._start, self._length, self._pool, self.coefficients,
            self.sizes, stored, chunk.on[start:stop], negated, hist[start:stop],
        )  # fmt: skip

    def _ranked(self, chunk: Chunk, start: int, stop: int) -> tuple[Ints, Columns]:
        """Return some rows of a chunk with the ranks of their attributes."""
        ends, first = chunk.indptr[start : stop + 1], chunk.indptr[0]
        if chunk.ranks is None:
            return ends - ends[0], self._ranks.of(chunk.indices[ends[0] : ends[-1]])
        return ends - first, chunk.ranks

    def _learning(self, chunk: Chunk) -> None:
        """Have ranks for all attributes of a chunk: they stay what they are while it is learned."""
        if chunk.ranks is None:
            chunk.ranks = self._ranks.add(chunk.indices[chunk.indptr[0] : chunk.indptr[-1]])

    def correct(
        self, chunk: Chunk, row: int | Columns, first: int, coefficient: int, negated: bool, hist: Ints
    ) -> None:
        """Add a row to the histograms of the chunk's rows from ``first`` on."""
        active = chunk.row(row) if isinstance(row, int) else row
        self._learning(chunk)
        others = self._ranked(chunk, first, len(chunk.on))
        postings.correct(
            self._ranks.of(active), coefficient, *others, chunk.on[first:], negated, self._marks, hist[first:]
        )

    def lists(self) -> tuple[Ints, Columns]:
        """Return the rows in all places, as CSR."""
        indptr = self._indptr[: self.number + 1].copy()
        return indptr, self._indices[: indptr[-1]].copy()

    def row(self, place: int) -> Columns:
        """Return the attributes of one stored row."""
        return self._indices[self._indptr[place] : self._indptr[place + 1]]

    def _enter(self, chunk: Chunk, r: int) -> None:
        self._learning(chunk)
        active = chunk.row(r)
        ranks = self._ranks.of(active)
        if len(self._ranks) > len(self._start):
            attributes = len(self._ranks) + len(self._start) // 2
            for name in ("_start", "_length", "_capacity", "_marks"):
                setattr(self, name, _longer(getattr(self, name), attributes))
        needed = self._end + postings.room(ranks, self._length, self._capacity)
        if needed > len(self._pool):
            self._pool = _longer(self._pool, 2 * needed)  # type: ignore[assignment]
        self._end = postings.append(
            self.number, ranks, self._start, self._length, self._capacity, self._pool, self._end
        )
        first = self._indptr[self.number]
        last = first + len(active)
        if last > len(self._indices):
            self._indices = _longer(self._indices, 2 * int(last))  # type: ignore[assignment]
        self._indices[first:last] = active
        self._indptr[self.number + 1] = last

    def _widen(self, places: int) -> None:
        self._indptr = _longer(self._indptr, places + 1)  # type: ignore[assignment]


def prefers_lists(words: int, on: int, rows: int) -> bool:
    """Tell whether lists are faster than bits: rows of so many words, ``on`` attributes on in all of them together."""
    return words * rows > SPARSE * on + FEW * rows
