"""Names in bytes to columns, exactly: a table that only grows; and rows brought into order.

Threads may `find` while another `add`s: a name half written is one not found.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.engine.arrays import HALF, LOW, ONE, ZERO, Bytes, Columns, Floats, Ints, Read, Whole, Words
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch

BASIS, PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)  # of Fowler, Noll and Vo
AHEAD = 32
UNKNOWN = 1 << 31  # the columns from here on are names that are not known yet, in the order in which they come


class Spelled(NamedTuple):
    """Names as words of some bytes: where each begins, how long it is, whose it is, its hash.

    ``owners`` are namespaces, 0 for none: that of number k stands from ``spaces[2 k - 2]`` to ``spaces[2 k - 1]``.
    """

    data: Read[Bytes]
    places: Columns
    lengths: Columns
    owners: Columns
    hashes: Words
    spaces: Ints


class Table(NamedTuple):
    """Names with their columns: column i is called ``pool[ends[i]:ends[i + 1]]``.

    ``slots`` holds a word each: the upper half of a name's hash, and its column plus one; 0 where there is no name.
    """

    slots: Words
    pool: Bytes
    ends: Ints


@inlined
def hashed(data: Bytes, first: Any, last: Any) -> np.uint64:
    """Return the hash of some bytes."""
    h = BASIS
    for p in range(first, last):
        h = (h ^ np.uint64(data[p])) * PRIME
    return h


@native
def sort(keys: Columns | Ints, values: Floats, first: Whole, last: Whole, real: bool) -> None:
    """Sort some keys and, if ``real``, their values: Shell's sort, with Knuth's steps, of the order of n^(3/2) at most.

    Equal keys may change places.
    """
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            key, value, j = keys[i], values[i] if real else 1.0, i - gap
            while j >= first and keys[j] > key:
                keys[j + gap] = keys[j]
                if real:
                    values[j + gap] = values[j]
                j -= gap
            keys[j + gap] = key
            if real:
                values[j + gap] = value
        gap //= 3


@native
def next_word(data: Bytes, p: np.uint64) -> np.uint64:
    """Return where the next word begins, or the line ends."""
    while data[p] == 32 or data[p] == 9 or data[p] == 13:
        p += ONE
    return p


@native
def _same(data: Bytes, at: np.uint64, stop: np.uint64, pool: Bytes, p: np.uint64) -> bool:
    while at < stop:
        if data[at] != pool[p]:
            return False
        at += ONE
        p += ONE
    return True


@native
def _seek(
    data: Bytes, first: np.uint64, last: np.uint64, at: np.uint64, stop: np.uint64, h: np.uint64, table: Table
) -> tuple[int | np.int64, np.uint64]:
    """Return the column of a name and its slot, or -1 and the slot that it may have.

    At least half of the slots are empty, so that every search ends: there, or after as many steps as names are known.
    """
    slots, pool, ends = table
    mask = np.uint64(len(slots) - 1)
    slot = (h ^ (h >> HALF)) & mask
    joined = last - first + ONE if last > first else ZERO
    length = np.int64(joined + stop - at)
    while True:
        word = slots[slot]
        if word == ZERO:
            return -1, slot
        if word >> HALF == h >> HALF:
            column = (word & LOW) - ONE
            p = np.uint64(ends[column])
            if (
                ends[column + ONE] - ends[column] == length
                and (joined == ZERO or pool[p + joined - ONE] == 94)
                and _same(data, first, last, pool, p)
                and _same(data, at, stop, pool, p + joined)
            ):
                return np.int64(column), slot
        slot = (slot + ONE) & mask


@native
def find(words: Spelled, table: Table, indices: Columns, missing: Columns) -> int:
    """Find the columns of names; return how many are not known, and write where they stand in ``missing``."""
    words, table = borrowed(words), borrowed(table)
    data, places, lengths, owners, hashes, spaces = words
    slots, pool, ends = table
    unknown, count, mask = 0, len(indices), np.uint64(len(slots) - 1)
    guesses = np.zeros(AHEAD, dtype=np.uint64)
    for k in range(count):
        if k % AHEAD == 0:  # touch what will be needed, for many names at once
            more = min(AHEAD, count - k)
            for i in range(more):
                h = hashes[k + i]
                guesses[i] = max(slots[(h ^ (h >> HALF)) & mask] & LOW, ONE) - ONE
            for i in range(more):
                prefetch(pool, np.uint64(ends[guesses[i]]))
        at, owner, first, last = np.uint64(places[k]), np.int64(owners[k]), ZERO, ZERO
        if owner > 0:
            first, last = np.uint64(spaces[2 * owner - 2]), np.uint64(spaces[2 * owner - 1])
        column, _ = _seek(data, first, last, at, at + np.uint64(lengths[k]), hashes[k], table)
        if column < 0:
            missing[unknown] = k
            column = UNKNOWN + unknown
            unknown += 1
        indices[k] = column
    return unknown


@native
def add(words: Spelled, table: Table, start: int, meta: Ints, columns: Columns) -> int:
    """Find the columns of names, from number ``start`` on, giving new ones the next; stop where there is no room.

    ``meta[0]`` is the number of columns.
    """
    data, places, lengths, owners, hashes, spaces = words
    slots, pool, ends = table
    for k in range(start, len(columns)):
        at, owner, first, last = np.uint64(places[k]), np.int64(owners[k]), ZERO, ZERO
        if owner > 0:
            first, last = np.uint64(spaces[2 * owner - 2]), np.uint64(spaces[2 * owner - 1])
        stop = at + np.uint64(lengths[k])
        column, slot = _seek(data, first, last, at, stop, hashes[k], table)
        if column < 0:
            column, p = meta[0], ends[meta[0]]
            length = np.int64(stop - at + last - first + ONE)
            if 2 * column >= len(slots) or column + 2 > len(ends) or p + length > len(pool):
                return k
            if owner > 0:
                for q in range(first, last):
                    pool[p] = data[q]
                    p += 1
                pool[p] = 94
                p += 1
            for q in range(at, stop):
                pool[p] = data[q]
                p += 1
            meta[0] += 1
            ends[column + 1] = p
            slots[slot] = (hashes[k] & ~LOW) | np.uint64(column + 1)  # last, for others may be looking
        columns[k] = column
    return len(columns)


@native
def rehash(table: Table, known: int) -> None:
    """Fill larger slots, which are empty."""
    slots, pool, ends = borrowed(table)
    mask = np.uint64(len(slots) - 1)
    for column in range(known):
        h = hashed(pool, ends[column], ends[column + 1])
        slot = (h ^ (h >> HALF)) & mask
        while slots[slot] != ZERO:
            slot = (slot + ONE) & mask
        slots[slot] = (h & ~LOW) | np.uint64(column + 1)


@native
def tidy(indptr: Ints, indices: Columns, values: Floats, real: bool, keys: Ints, sums: Floats) -> bool:
    """Sort each row, add up what comes twice and drop zeros, in place; return whether ``values`` are written.

    ``keys`` and ``sums`` have room for the longest row.
    """
    kept, first = 0, indptr[0]
    for row in range(len(indptr) - 1):
        last = indptr[row + 1]
        size, sound = last - first, True
        for i in range(first + 1, last):
            sound = sound and indices[i] > indices[i - 1]
        if real:
            for i in range(first, last):
                sound = sound and values[i] != 0.0
        if sound:
            if kept < first:
                for i in range(size):
                    indices[kept + i] = indices[first + i]
                    if real:
                        values[kept + i] = values[first + i]
            kept += size
        else:
            for i in range(size):
                keys[i] = (np.int64(indices[first + i]) << 32) | i  # the position makes it stable
                sums[i] = values[first + i] if real else 1.0
            sort(keys, sums, 0, size, False)
            i = 0
            while i < size:
                column, total = keys[i] >> 32, 0.0
                while i < size and keys[i] >> 32 == column:
                    total += sums[keys[i] & 0xFFFFFFFF]
                    i += 1
                if total != 1.0 and not real:
                    values[:] = 1.0  # also of the rows to come
                    real = True
                if total != 0.0:
                    indices[kept] = column
                    if real:
                        values[kept] = total
                    kept += 1
        first, indptr[row + 1] = last, kept
    return real
