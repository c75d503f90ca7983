"""Ranks: columns numbered as they first come, so that what is kept for them takes room for those alone."""

import numpy as np

from littlestone.core.arrays import Columns
from littlestone.engine.sets.postings import look_up, merge

__all__ = ["Ranks"]


class Ranks:
    """The columns that have come so far; the first has rank 0, and none ever loses its rank.

    >>> ranks = Ranks(np.array([7, 4_000_000_000], dtype=np.uint32))
    >>> ranks.of(np.array([4_000_000_000, 5], dtype=np.uint32)).tolist()  # one that has not come has the next rank
    [1, 2]
    """

    def __init__(self, columns: Columns) -> None:
        self.columns: Columns = columns[:0].copy()  # by rank
        self._sorted = self.columns, self.columns  # and their ranks: one thing, for whoever reads it meanwhile
        self.add(columns)

    def __len__(self) -> int:
        return len(self.columns)

    def of(self, columns: Columns) -> Columns:
        """Return the rank of each column; what has not come has the rank that the next one will have."""
        found = np.empty(len(columns), dtype=np.uint32)
        look_up(*self._sorted, columns, found)
        return found

    def add(self, columns: Columns) -> Columns:
        """Have ranks for these columns, too; return them."""
        found, (known, ranks) = np.empty(len(columns), dtype=np.uint32), self._sorted
        if look_up(known, ranks, columns, found):
            return found
        new = np.unique(columns[found == len(known)])
        longer = np.empty(len(known) + len(new), dtype=np.uint32), np.empty(len(known) + len(new), dtype=np.uint32)
        merge(known, ranks, new, *longer)
        self.columns = np.concatenate((self.columns, new))
        self._sorted = longer
        return self.of(columns)
