"""Boolean rows with few attributes on among many: for each attribute, the stored rows that have it.

Row numbers of attribute i are ``pool[start[i] : start[i] + length[i]]``; a list that outgrows its capacity moves to the
end of the pool. Levels and histograms are those of `bits`.
"""

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Grid, Ints, Places
from littlestone.engine.compiling import native


@native
def room(indices: Columns, length: Ints, capacity: Ints) -> int:
    """Return how much of the pool one more row may take."""
    needed = 0
    for i in indices:
        if length[i] == capacity[i]:
            needed += max(4, 2 * capacity[i])
    return needed


@native
def append(place: int, indices: Columns, start: Ints, length: Ints, capacity: Ints, pool: Places, end: int) -> int:
    """Enter one row; return the new end of the pool."""
    for i in indices:
        if length[i] == capacity[i]:
            for j in range(length[i]):
                pool[end + j] = pool[start[i] + j]
            start[i], capacity[i] = end, max(4, 2 * capacity[i])
            end += capacity[i]
        pool[start[i] + length[i]] = place
        length[i] += 1
    return end


@native
def fill(indptr: Ints, indices: Columns, start: Ints, length: Ints, pool: Places) -> None:
    """Enter all rows where there is room for them."""
    for r in range(len(indptr) - 1):
        for j in range(indptr[r], indptr[r + 1]):
            i = indices[j]
            pool[start[i] + length[i]] = r
            length[i] += 1


@native
def count(
    indptr: Ints, indices: Columns, start: Ints, length: Ints, pool: Places, coefficients: Ints, sizes: Ints,
    stored: int, on: Ints, negated: bool, hist: Grid[Ints],
) -> None:  # fmt: skip
    """Add all stored rows to the histogram of each row."""
    common = np.zeros(stored, dtype=np.int32)
    for r in range(len(hist)):
        common[:] = 0
        for j in range(indptr[r], indptr[r + 1]):
            i = np.int64(indices[j])
            if i < len(start):
                for p in range(start[i], start[i] + length[i]):
                    common[pool[p]] += 1
        for place in range(stored):
            level = on[r] + sizes[place] - 2 * common[place] if negated else np.int64(common[place])
            hist[r, level] += coefficients[place]


@native
def correct(
    row: Columns,
    coefficient: int,
    indptr: Ints,
    indices: Columns,
    on: Ints,
    negated: bool,
    marks: Bytes,
    hist: Grid[Ints],
) -> None:
    """Add one row to the histograms of others; ``marks``: a byte an attribute, all 0."""
    for i in row:
        marks[i] = 1
    for r in range(len(hist)):
        common = 0
        for j in range(indptr[r], indptr[r + 1]):
            i = np.int64(indices[j])
            if i < len(marks):
                common += marks[i]
        hist[r, len(row) + on[r] - 2 * common if negated else common] += coefficient
    for i in row:
        marks[i] = 0


# Attributes by rank: the columns that are known are sorted, and each has a rank


@native
def look_up(known: Columns, ranks: Columns, columns: Columns, found: Columns) -> bool:
    """Write the rank of each column, of unknown ones as many as are known; tell whether all are known."""
    all_known = True
    for j in range(len(columns)):
        low, high = 0, len(known)
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < columns[j]:
                low = middle + 1
            else:
                high = middle
        there = low < len(known) and known[low] == columns[j]
        found[j] = ranks[low] if there else len(known)
        all_known &= there
    return all_known


@native
def merge(known: Columns, ranks: Columns, new: Columns, all_known: Columns, all_ranks: Columns) -> None:
    """Write the columns that are known and new ones, which have the next ranks, in order; and their ranks."""
    i = j = 0
    for at in range(len(all_known)):
        if j == len(new) or (i < len(known) and known[i] < new[j]):
            all_known[at], all_ranks[at] = known[i], ranks[i]
            i += 1
        else:
            all_known[at], all_ranks[at] = new[j], len(known) + j
            j += 1
