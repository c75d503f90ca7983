"""`Hashed`: a stream whose attributes are hashed to a fixed number of columns, with their collisions counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Words
from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidData
from littlestone.core.labels import distinct
from littlestone.core.parameters import check_whole
from littlestone.engine.text import hashing as engine
from littlestone.streams.base import Stream
from littlestone.streams.wrappers.wrapped import WrappedStream

__all__ = ["MOST_BITS", "Hashed", "Seen", "folded", "hashed_column"]

MOST_BITS = 30


class Hashed(WrappedStream):
    r"""A stream whose attributes are hashed to ``2^bits`` columns; names are not kept.

    A name's hash is FNV-1a (64 bits) of its text in UTF-8, then the finalizer of MurmurHash3; its column is the upper
    ``bits`` of it. An attribute without a name is called by its number. The hash has no seed and does not depend on
    where a name was read. Where attributes of one row share a column their values are added up in the order of their
    hashes, and a sum of 0 is dropped; in a row whose values are all 1 the column is 1: it stays Boolean.

    ``attributes`` is how many different ones have been on in the rows read so far, ``columns`` how many columns they
    share, ``collisions`` the difference. Attributes are distinguished by their 64-bit hashes, which take 16 to 64 bytes
    each; the probability that two of a million have the same hash is 3e-8.

    Parameters
    ----------
    stream : any stream; Vowpal Wabbit text is hashed while it is parsed, and never has a table of names
    bits : int from 1 to 30

    Example
    -------
    >>> import io
    >>> from littlestone.streams import VWStream
    >>> stream = Hashed(VWStream(io.BytesIO(b"1 |word sun rain:0.5\n-1 |word snow\n")), bits=4)
    >>> [block] = stream.blocks()
    >>> block.indices.tolist(), block.n_attributes, block.names
    ([1, 13, 9], 16, None)
    >>> stream.attributes, stream.collisions, hashed_column("word^sun", 4)
    (3, 0, 1)
    """

    names = None

    def __init__(self, stream: Stream, *, bits: int) -> None:
        self.bits = check_whole("Hashed", "bits", bits, most=MOST_BITS)
        self._seen, self._itself = Seen(), isinstance(stream, HashesItself)
        super().__init__(stream.hashed(self.bits, self._seen) if isinstance(stream, HashesItself) else stream)
        self.n_attributes = 1 << self.bits

    @property
    def attributes(self) -> int:
        """How many different attributes have been on so far."""
        return len(self._seen)

    @property
    def columns(self) -> int:
        """How many columns they share."""
        return self._seen.columns(self.bits)

    @property
    def collisions(self) -> int:
        """How many attributes share a column with one that was there before."""
        return self.attributes - self.columns

    def read_as(self) -> dict[str, Any]:
        """Return how the stream was read, and to how many bits it is hashed."""
        return {**self.stream.read_as(), "hash_bits": self.bits}

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time."""
        if self._itself:
            yield from self.stream.blocks(rows)
            return
        known = _Hashes()
        for block in self.stream.blocks(rows):
            names = self.stream.names if block.names is None else block.names
            indices = block.indices[block.indptr[0] : block.indptr[-1]]
            found, new = folded(block, known.of(indices, names), self.bits, self._seen)
            self._seen.add(new)
            yield replace(found, names=None, n_attributes=self.n_attributes)

    def __repr__(self) -> str:
        return f"Hashed({self.stream!r}, bits={self.bits})"


@runtime_checkable
class HashesItself(Protocol):
    """A stream that hashes while it reads."""

    def hashed(self, bits: int, seen: Seen) -> Stream:
        """Return the stream with hashed columns; ``seen`` counts attributes."""


class Seen:
    """A set of hashes that only grows; any thread may ask while one adds."""

    def __init__(self) -> None:
        self._table, self._count, self._lock = np.zeros(1 << 12, dtype=np.uint64), 0, Lock()

    def __len__(self) -> int:
        return self._count

    def __getstate__(self) -> tuple[Words, int]:
        return self._table, self._count

    def __setstate__(self, state: tuple[Words, int]) -> None:
        (self._table, self._count), self._lock = state, Lock()

    def columns(self, bits: int) -> int:
        """Return how many columns of so many bits the hashes have."""
        hashes = self._table[self._table > 0]
        return len(distinct(hashes >> np.uint64(64 - bits)))

    def unseen(self, hashes: Words) -> Words:
        """Return the hashes that are not here, some perhaps more than once."""
        missing = np.empty_like(hashes)
        return missing[: engine.unseen(hashes, self._table, missing)].copy()

    def add(self, hashes: Words) -> None:
        """Take hashes in."""
        with self._lock:
            while len(hashes):
                room = len(self._table) // 2 - self._count
                if room <= 0:
                    table = np.zeros(2 * len(self._table), dtype=np.uint64)
                    engine.add(self._table[self._table > 0], table)
                    self._table = table
                    continue
                self._count += engine.add(hashes[:room], self._table)
                hashes = hashes[room:]


def hashed_column(name: Hashable, bits: int) -> int:
    """Return the column that `Hashed` gives a name, or a number.

    >>> hashed_column("sun", 18), hashed_column(7, 18) == hashed_column("7", 18)
    (185719, True)
    """
    bits = check_whole("hashed_column", "bits", bits, most=MOST_BITS)
    return int(_hashes([name])[0] >> np.uint64(64 - bits))


def folded(block: Block, hashes: Words, bits: int, seen: Seen) -> tuple[Block, Words]:
    """Return a block whose non-zeros have these hashes, which are used up, hashed; and hashes not seen yet."""
    first, last = block.indptr[0], block.indptr[-1]
    real = block.values is not None
    values = block.values[first:last].copy() if block.values is not None else np.empty(len(hashes))
    indptr, indices = block.indptr - first, np.empty(len(hashes), dtype=np.uint32)
    different, ones = engine.fold(indptr, hashes, values, real, bits, indices)
    kept = int(indptr[-1])
    found = replace(
        block, indptr=indptr, indices=indices[:kept], values=None if ones else values[:kept], names=None, checked=True
    )
    if found.values is not None and not bool((np.abs(found.values) <= LARGEST_VALUE).all()):
        place = found.find(~(np.abs(found.values) <= LARGEST_VALUE))
        raise InvalidData(f"{place} after hashing: expected values that add up to at most 1e100; scale them first")
    return found, seen.unseen(hashes[:different])


class _Hashes:
    """The hashes of attributes by their columns; names may grow."""

    def __init__(self) -> None:
        self._names, self._known = 0, np.zeros(0, dtype=np.uint64)

    def of(self, indices: NDArray[np.uint32], names: Sequence[Hashable] | None) -> Words:
        """Return the hashes of attributes, by name or, where they have none, by number."""
        if names is None:
            hashes = np.empty(len(indices), dtype=np.uint64)
            engine.hash_numbers(indices, hashes)
            return hashes
        if len(names) > self._names:
            self._known = np.append(self._known, _hashes(names[self._names :]))
            self._names = len(names)
        found: Words = self._known[indices]
        return found


def _hashes(names: Iterable[Hashable]) -> Words:
    encoded = [(name if isinstance(name, str) else str(name)).encode("utf-8", "surrogatepass") for name in names]
    ends = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    hashes = np.empty(len(encoded), dtype=np.uint64)
    engine.hash_names(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends, hashes)
    return hashes
