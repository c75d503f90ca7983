"""Where columns stand among those that are known: they are sorted, and each has a rank."""

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import native

__all__ = ["look_up", "merge"]

Columns = NDArray[np.uint32]


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
