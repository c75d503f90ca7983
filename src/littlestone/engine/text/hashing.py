"""Attributes hashed to a fixed number of columns, and the different ones counted.

A name's hash is that of Fowler, Noll and Vo (FNV-1a, 64 bits) over its bytes, then the last mixing of MurmurHash3; its
column is the upper ``bits`` of it. A number is hashed as its decimal digits.
"""

from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import HALF, ONE, ZERO, Bytes, Columns, Floats, Ints, Read, Words
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch
from littlestone.engine.text.names import BASIS, PRIME, hashed

TEN, DIGIT, ALL_BITS, SHIFT = np.uint64(10), np.uint64(48), np.uint64(64), np.uint64(33)
FOUR, LAST = np.uint64(4), np.uint64(15)  # bits of a digit, and the last of them
FIRST, SECOND = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)  # of MurmurHash3's finalizer
AHEAD = 32
FEW, CROWD = 12, 12  # hashes that are sorted by insertion alone; and those in one bucket that are too many


class Room(NamedTuple):
    """Room for the hashes of one row, their values, and where the buckets of their order begin."""

    keys: Words
    sums: Floats
    places: Ints


@native
def _mixed(h: np.uint64) -> np.uint64:
    h = (h ^ (h >> SHIFT)) * FIRST
    h = (h ^ (h >> SHIFT)) * SECOND
    return h ^ (h >> SHIFT)


@native
def mix(hashes: Words) -> None:
    """Turn hashes of Fowler, Noll and Vo into the final ones."""
    for k in range(len(hashes)):
        hashes[k] = _mixed(hashes[k])


@native
def hash_names(text: Read[Bytes], ends: Ints, hashes: Words) -> None:
    """Hash the names from ``text[ends[k]]`` to ``text[ends[k + 1]]``."""
    text = borrowed(text)
    for k in range(len(hashes)):
        hashes[k] = _mixed(hashed(text, ends[k], ends[k + 1]))


@native
def hash_numbers(numbers: Columns, hashes: Words) -> None:
    """Hash numbers as names of decimal digits."""
    for k in range(len(numbers)):
        number, digits, count, h = np.uint64(numbers[k]), ZERO, 0, BASIS
        while number > ZERO or count == 0:  # at most ten times; the last digit is found first, and hashed last
            digits = (digits << FOUR) | number % TEN
            number //= TEN
            count += 1
        for _ in range(count):
            h = (h ^ (DIGIT + (digits & LAST))) * PRIME
            digits >>= FOUR
        hashes[k] = _mixed(h)


@native
def _sort(hashes: Words, values: Floats, real: bool) -> None:
    """Sort hashes, keeping the order of equal ones (Shell's sort is not stable: few are moved, so by insertion)."""
    for i in range(1, len(hashes)):
        h, j = hashes[i], i - 1
        if hashes[j] <= h:
            continue
        value = values[i] if real else 1.0
        while j >= 0 and hashes[j] > h:
            hashes[j + 1] = hashes[j]
            if real:
                values[j + 1] = values[j]
            j -= 1
        hashes[j + 1] = h
        if real:
            values[j + 1] = value


@native
def _spread(hashes: Words, values: Floats, first: np.int64, last: np.int64, real: bool, room: Room) -> bool:
    """Bring a row's hashes nearly into order: into as many buckets as there are hashes, which lie evenly among them.

    Equal ones keep their order. Where too many fall into one bucket, say False, and change nothing.
    """
    keys, sums, places = room
    count = last - first
    size = np.uint64(count)
    for b in range(count + 1):
        places[b] = 0
    for i in range(first, last):
        b = ((hashes[i] >> HALF) * size) >> HALF
        places[b + ONE] += 1
        if places[b + ONE] > CROWD:
            return False
    for b in range(count):
        places[b + 1] += places[b]
    for i in range(first, last):
        b = ((hashes[i] >> HALF) * size) >> HALF
        at = places[b]
        places[b] = at + 1
        keys[at] = hashes[i]
        if real:
            sums[at] = values[i]
    for i in range(count):
        hashes[first + i] = keys[i]
        if real:
            values[first + i] = sums[i]
    return True


@native
def fold(indptr: Ints, hashes: Words, values: Floats, real: bool, bits: int, indices: Columns) -> tuple[int, bool]:
    """Turn rows of hashes into rows of columns, in place; return how many different hashes stay, and if all are 1.

    In each row: values of equal hashes, which are one attribute, are added up, and zeros dropped. If all that is left
    is 1, the row is Boolean, and a column is 1 where any of its attributes is; else values of one column are added up
    in the order of their hashes, and zeros dropped. The different hashes come first in ``hashes``.
    """
    shift, kept, found, first, ones = ALL_BITS - np.uint64(bits), 0, 0, indptr[0], True
    longest = 0
    for row in range(len(indptr) - 1):
        longest = max(longest, indptr[row + 1] - indptr[row])
    room = Room(
        np.empty(longest, dtype=np.uint64), np.empty(longest if real else 0), np.empty(longest + 1, dtype=np.int64)
    )
    for row in range(len(indptr) - 1):
        last = indptr[row + 1]
        if last - first > FEW and not _spread(hashes, values, first, last, real, room):
            order = np.argsort(hashes[first:last], kind="mergesort")
            hashes[first:last] = hashes[first:last][order]
            if real:
                values[first:last] = values[first:last][order]
        _sort(hashes[first:last], values[first:last] if real else values, real)
        begin, boolean, i = found, True, first
        while i < last:
            h, total = hashes[i], 0.0
            while i < last and hashes[i] == h:
                total += values[i] if real else 1.0
                i += 1
            if total != 0.0:
                boolean = boolean and total == 1.0
                hashes[found] = h
                values[found] = total
                found += 1
        i = begin
        while i < found:
            column, total = hashes[i] >> shift, 0.0
            while i < found and hashes[i] >> shift == column:
                total += values[i]
                i += 1
            if boolean:
                total = 1.0
            if total != 0.0:
                indices[kept] = column
                values[kept] = total
                ones = ones and total == 1.0
                kept += 1
        first, indptr[row + 1] = last, kept
    return found, ones


@inlined
def _slot(h: np.uint64, table: Words, mask: np.uint64) -> np.uint64:
    """Return where a hash is in a table, or an empty slot.

    At least half of the slots are empty, so that every search ends: there, or after as many steps as hashes are known.
    """
    slot = h & mask
    while table[slot] != ZERO and table[slot] != h:
        slot = (slot + ONE) & mask
    return slot


@native
def unseen(hashes: Words, table: Words, missing: Words) -> int:
    """Write those hashes that are not in the table to ``missing``, perhaps more than once; return how many."""
    table = borrowed(table)
    count, mask = 0, np.uint64(len(table) - 1)
    for k in range(len(hashes)):
        if k % AHEAD == 0:
            for i in range(k, min(k + AHEAD, len(hashes))):
                prefetch(table, hashes[i] & mask)
        h = max(hashes[k], ONE)
        if table[_slot(h, table, mask)] == ZERO:
            missing[count] = h
            count += 1
    return count


@native
def add(hashes: Words, table: Words) -> int:
    """Put hashes into a table that has room for all of them; return how many were new (0 counts as 1)."""
    table = borrowed(table)
    new, mask = 0, np.uint64(len(table) - 1)
    for k in range(len(hashes)):
        h = max(hashes[k], ONE)
        slot = _slot(h, table, mask)
        if table[slot] == ZERO:
            table[slot] = h
            new += 1
    return new
