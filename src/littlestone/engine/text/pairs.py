"""Pairs of the attributes that are on in a row, each with a column of its own from the moment it is first seen.

A key has two halves: (i, j), i < j, for a pair, (i, i) for a single attribute.
"""

from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import HALF, MOST, ONE, TWO, ZERO, Bytes, Columns, Floats, Ints, Words
from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import borrowed, prefetch

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
AHEAD = 32
COUNT, ROW, AT = range(3)  # of meta: how many columns there are, the row where it stopped, and where in it

DONE, NO_ROOM, LARGE = range(3)


class Rows(NamedTuple):
    """Rows to be expanded, and in which group each attribute is: bit 1, bit 2, both or none."""

    indptr: Ints
    indices: Columns
    values: Floats
    groups: Bytes


class Table(NamedTuple):
    """Keys with their columns: two words a slot, the key and its column plus one, and the key of each column.

    An empty slot has no column.
    """

    slots: Words
    members: Words


class Room(NamedTuple):
    """Room for what one row comes to."""

    keys: Words
    products: Floats
    found: Ints


class Expanded(NamedTuple):
    """Room for what all rows come to."""

    indptr: Ints
    indices: Columns
    values: Floats


@native
def _slot(key: np.uint64, mask: np.uint64) -> np.uint64:
    h = key * MULTIPLIER
    return (h ^ (h >> HALF)) & mask


@native
def sizes(indptr: Ints, indices: Columns, groups: Bytes, every: bool, counts: Ints) -> None:
    """Count what each row comes to: its attributes and their pairs."""
    for row in range(len(counts)):
        first, last = indptr[row], indptr[row + 1]
        size = last - first
        if every:
            counts[row] = size + size * (size - 1) // 2
        else:
            one = other = both = 0
            for k in range(first, last):
                group = groups[indices[k]]
                one += group == 1
                other += group == 2
                both += group == 3
            counts[row] = size + one * other + both * (one + other) + both * (both - 1) // 2


@native
def _keys(rows: Rows, row: int | np.int64, real: bool, every: bool, room: Room) -> tuple[int, int]:
    """Write the keys of a row and their values; return how many there are, and where one is too large, or -1."""
    indptr, indices, values, groups = rows
    keys, products, _ = room
    first, last, count = indptr[row], indptr[row + 1], 0
    for a in range(first, last):
        key = np.uint64(indices[a])
        keys[count] = (key << HALF) | key
        if real:
            products[count] = values[a]
        count += 1
    for a in range(first, last):
        left, one = np.uint64(indices[a]) << HALF, 0 if every else groups[indices[a]]
        if not every and one == 0:
            continue
        for b in range(a + 1, last):
            if every or (one | groups[indices[b]] == 3 and one > 0 and groups[indices[b]] > 0):
                if real:
                    product = values[a] * values[b]
                    if product == 0.0:
                        continue
                    if not abs(product) <= MOST:
                        return count, b
                    products[count] = product
                keys[count] = left | np.uint64(indices[b])
                count += 1
    return count, -1


@native
def _looked_up(count: int, table: Table, meta: Ints, room: Room) -> bool:
    """Write the columns of keys, in the upper half, and their places in the lower; new ones get the next columns.

    At least half of the slots are empty, so that every search ends: there, or after as many steps as there are columns.
    """
    slots, members = table
    keys, _, found = room
    mask = np.uint64(len(slots) // 2 - 1)
    for k in range(count):
        if k % AHEAD == 0:
            for i in range(k, min(k + AHEAD, count)):
                prefetch(slots, TWO * _slot(keys[i], mask))
        key = keys[k]
        slot = _slot(key, mask)
        while slots[TWO * slot + ONE] != ZERO and slots[TWO * slot] != key:
            slot = (slot + ONE) & mask
        column = slots[TWO * slot + ONE]
        if column == ZERO:
            new = meta[COUNT]
            if new >= len(members) or 4 * new >= len(slots):
                return False
            members[new] = key
            meta[COUNT] = new + 1
            column = np.uint64(new + 1)
            slots[TWO * slot], slots[TWO * slot + ONE] = key, column
        found[k] = ((np.int64(column) - 1) << 32) | k
    return True


@native
def expand(rows: Rows, real: bool, every: bool, table: Table, meta: Ints, room: Room, out: Expanded) -> int:
    """Expand rows from ``meta[ROW]`` on, to the end or to where there is no room in the table, or a large product."""
    rows, table, room, out = borrowed(rows), borrowed(table), borrowed(room), borrowed(out)
    row, found = meta[ROW], room.found
    while row < len(rows.indptr) - 1:
        count, large = _keys(rows, row, real, every, room)
        meta[ROW], meta[AT] = row, large
        if large >= 0:
            return LARGE
        if not _looked_up(count, table, meta, room):
            return NO_ROOM
        found[:count].sort()
        at = out.indptr[row]
        for k in range(count):
            out.indices[at + k] = found[k] >> 32
            if real:
                out.values[at + k] = room.products[found[k] & 0xFFFFFFFF]
        row += 1
        out.indptr[row] = at + count
    meta[ROW] = row
    return DONE


@native
def refill(table: Table, count: int) -> None:
    """Fill larger slots, which are empty."""
    slots, members = table
    mask = np.uint64(len(slots) // 2 - 1)
    for column in range(count):
        slot = _slot(members[column], mask)
        while slots[TWO * slot + ONE] != ZERO:
            slot = (slot + ONE) & mask
        slots[TWO * slot], slots[TWO * slot + ONE] = members[column], np.uint64(column + 1)
