"""Pairs of the attributes that are on in a row, each with a column of its own from the moment it is first seen.

``table`` has two words a slot: the key of a pair (i < j) or of a single attribute (i = j), and its column plus one; an
empty slot has no column. Column c has the key ``members[c]``.
"""

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import prefetch

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bits = NDArray[np.uint8]
Columns = NDArray[np.uint32]
Floats = NDArray[np.float64]

ZERO, ONE, TWO, HALF, LOW = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(32), np.uint64(0xFFFFFFFF)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
AHEAD = 32
MOST = 1e100
COUNT, ROW, AT = range(3)  # of meta: how many columns there are, the row where it stopped, and where in it

DONE, NO_ROOM, LARGE = range(3)


@native
def _slot(key: np.uint64, mask: np.uint64) -> np.uint64:
    h = key * MULTIPLIER
    return (h ^ (h >> HALF)) & mask


@native
def sizes(indptr: Ints, indices: Columns, groups: Bits, every: bool, counts: Ints) -> None:
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
def _keys(
    indices: Columns, values: Floats, first: int, last: int, real: bool, groups: Bits, every: bool, keys: Words,
    products: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Write the keys of a row and their values; return how many there are, and where one is too large, or -1."""
    count = 0
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
def _looked_up(keys: Words, count: int, table: Words, members: Words, meta: Ints, found: Ints) -> bool:
    """Write the columns of keys, in the upper half, and their places in the lower; new ones get the next columns.

    At least half of the slots are empty, so that every search ends: there, or after as many steps as there are columns.
    """
    mask = np.uint64(len(table) // 2 - 1)
    for k in range(count):
        if k % AHEAD == 0:
            for i in range(k, min(k + AHEAD, count)):
                prefetch(table, TWO * _slot(keys[i], mask))
        key = keys[k]
        slot = _slot(key, mask)
        while table[TWO * slot + ONE] != ZERO and table[TWO * slot] != key:
            slot = (slot + ONE) & mask
        column = table[TWO * slot + ONE]
        if column == ZERO:
            new = meta[COUNT]
            if new >= len(members) or 4 * new >= len(table):
                return False
            members[new] = key
            meta[COUNT] = new + 1
            column = np.uint64(new + 1)
            table[TWO * slot], table[TWO * slot + ONE] = key, column
        found[k] = ((np.int64(column) - 1) << 32) | k
    return True


@native
def expand(
    indptr: Ints, indices: Columns, values: Floats, real: bool, groups: Bits, every: bool, table: Words,
    members: Words, meta: Ints, keys: Words, products: Floats, found: Ints, out_ptr: Ints, out: Columns,
    out_values: Floats,
) -> int:  # fmt: skip
    """Expand rows from ``meta[ROW]`` on, to the end or to where there is no room in the table, or a large product."""
    row = meta[ROW]
    while row < len(indptr) - 1:
        count, large = _keys(indices, values, indptr[row], indptr[row + 1], real, groups, every, keys, products)
        meta[ROW], meta[AT] = row, large
        if large >= 0:
            return LARGE
        if not _looked_up(keys, count, table, members, meta, found):
            return NO_ROOM
        found[:count].sort()
        at = out_ptr[row]
        for k in range(count):
            out[at + k] = found[k] >> 32
            if real:
                out_values[at + k] = products[found[k] & 0xFFFFFFFF]
        row += 1
        out_ptr[row] = at + count
    meta[ROW] = row
    return DONE


@native
def refill(members: Words, count: int, table: Words) -> None:
    """Fill a larger table."""
    mask = np.uint64(len(table) // 2 - 1)
    for column in range(count):
        slot = _slot(members[column], mask)
        while table[TWO * slot + ONE] != ZERO:
            slot = (slot + ONE) & mask
        table[TWO * slot], table[TWO * slot + ONE] = members[column], np.uint64(column + 1)
