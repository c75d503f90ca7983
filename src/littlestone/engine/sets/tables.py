"""A count for each set of attributes: how often each count occurs among the sets that miss a row, and changing those.

All subsets of n attributes are the numbers below 2^n; those that miss a row are the subsets of what is ``free``: loops
go through each of them once, and there are no more than counts. Sets of bounded size are listed, as bits in 64-bit
words.
"""

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.arrays import Bools, Grid, Ints, Places, Words
from littlestone.engine.compiling import native

__all__ = ["listed_missing", "listed_sets", "shift", "tally"]

Counts = NDArray[np.int16] | Places


@native
def tally(counts: Counts, free: int, origin: int, histogram: Ints) -> None:
    """Add the counts of all subsets of ``free`` to a histogram, whose place ``origin`` is that of 0."""
    run = ~free & (free + 1)  # the subsets of the lowest bits, where those are free, lie side by side
    high = free & ~(run - 1)
    s = 0
    while True:
        for at in range(s, s + run):
            histogram[int(counts[at]) + origin] += 1
        s = (s - high) & high
        if s == 0:
            return


@native
def shift(counts: Counts, free: int, by: int) -> None:
    """Add ``by`` to the counts of all subsets of ``free``."""
    run = ~free & (free + 1)
    high = free & ~(run - 1)
    s = 0
    while True:
        for at in range(s, s + run):
            counts[at] += by
        s = (s - high) & high
        if s == 0:
            return


@native
def listed_missing(sets: Grid[Words], row: Words, missing: Bools) -> None:
    """Tell for each listed set whether it has nothing in common with the row."""
    for i in range(len(sets)):
        common = np.uint64(0)
        for word in range(len(row)):
            common |= sets[i, word] & row[word]
        missing[i] = common == np.uint64(0)


def listed_sets(n: int, largest: int) -> Words:
    """Return all sets of at most ``largest`` of n attributes, by size and then by positions.

    >>> listed_sets(3, 2).ravel().tolist()
    [0, 1, 2, 4, 3, 5, 6]
    """
    from itertools import chain, combinations

    words = max(1, -(-n // 64))
    sets: Words = np.zeros((1, words), dtype=np.uint64)
    found = [sets]
    for size in range(1, min(largest, n) + 1):
        members = np.fromiter(chain.from_iterable(combinations(range(n), size)), dtype=np.int64).reshape(-1, size)
        sets = np.zeros((len(members), words), dtype=np.uint64)
        rows = np.arange(len(members))
        for place in members.T:
            sets[rows, place >> 6] |= np.uint64(1) << (place & 63).astype(np.uint64)
        found.append(sets)
    return np.concatenate(found)
