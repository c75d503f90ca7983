"""The conjunctions of the largest weight: a search that goes where the weight can still be large."""

from __future__ import annotations

from bisect import insort
from heapq import heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from littlestone.errors import TooLarge

__all__ = ["heaviest"]

Ints = NDArray[np.int64]
Columns = NDArray[np.uint32]
Conjunction = tuple[int, ...]  # literal 2i is attribute i, 2i + 1 its negation; in order

MOST = 1 << 20  # conjunctions that are looked at


class _Extents:
    """Which rows have a literal, as the bits of a whole number; and what a set of rows weighs."""

    def __init__(self, indptr: Ints, indices: Columns, coefficients: Ints) -> None:
        rows = np.repeat(np.arange(len(coefficients)), np.diff(indptr))
        order = np.argsort(indices, kind="stable")
        self._rows, self._columns = rows[order], indices[order]
        self._number = len(coefficients)
        self.every = (1 << self._number) - 1
        self._kept: dict[int, int] = {}
        groups = {int(c): self._bits(np.flatnonzero(coefficients == c)) for c in np.unique(coefficients)}
        self._up = [(c, mask) for c, mask in groups.items() if c > 0]
        self._down = [(c, mask) for c, mask in groups.items() if c < 0]

    def _bits(self, rows: Ints) -> int:
        on = np.zeros(self._number, dtype=np.uint8)
        on[rows] = 1
        return int.from_bytes(np.packbits(on, bitorder="little").tobytes(), "little")

    def of(self, literal: int) -> int:
        """Return the rows in which a literal holds."""
        found = self._kept.get(literal)
        if found is None:
            first, last = np.searchsorted(self._columns, [literal // 2, literal // 2 + 1])
            found = self._bits(self._rows[first:last])
            self._kept[literal] = found = self.every ^ found if literal & 1 else found
        return found

    def of_all(self, literals: tuple[int, ...]) -> int:
        """Return the rows in which all of them hold."""
        found = self.every
        for literal in literals:
            found &= self.of(literal)
        return found

    def weight(self, rows: int) -> tuple[int, int]:
        """Return the sum of the coefficients of some rows, and that of the positive ones alone."""
        up = sum(c * (rows & mask).bit_count() for c, mask in self._up)
        return up + sum(c * (rows & mask).bit_count() for c, mask in self._down), up


def heaviest(
    indptr: Ints, indices: Columns, coefficients: Ints, *, n: int, negated: bool, count: int, sizes: range
) -> list[tuple[Conjunction, int]]:
    """Return the conjunctions of the largest positive weight: the sum of the coefficients of the rows they hold in.

    Of equal weights the shorter comes first, then that of the smaller literals. A conjunction that holds in the same
    rows as a part of it is left out. More literals hold in fewer rows: what the positive coefficients sum to is a bound
    on the weight of all longer ones.
    """
    extents = _Extents(indptr, indices, coefficients)
    seen = np.unique(indices).tolist()
    literals = [2 * i + sign for i in range(n) for sign in (0, 1)] if negated else [2 * i for i in seen]
    best: list[tuple[int, int, Conjunction]] = []  # (-weight, size, literals)

    def hopeless(bound: int, size: int) -> bool:
        return bound <= 0 or (len(best) == count and (-bound, size) > best[-1][:2])

    weight, bound = extents.weight(extents.every)
    if weight > 0 and 0 in sizes:
        best.append((-weight, 0, ()))
    queue: list[tuple[int, int, Conjunction, int]] = [(-bound, 0, (), extents.every)]
    looked = 0
    while queue:
        bound, size, chosen, rows = heappop(queue)
        if size + 1 >= sizes.stop or hopeless(-bound, size + 1):
            continue
        for literal in literals:
            if chosen and literal <= chosen[-1]:
                continue
            looked += 1
            within = rows & extents.of(literal)
            if within == rows:  # as many rows as without it
                continue
            weight, most = extents.weight(within)
            longer = (*chosen, literal)
            if hopeless(most, size + 1):
                continue
            if any(extents.of_all(part) == within for part in combinations(longer, size) if part != chosen):
                continue
            if weight > 0:
                insort(best, (-weight, size + 1, longer))
                del best[count:]
            heappush(queue, (-most, size + 1, longer, within))
        if looked > MOST:
            raise TooLarge(f"heaviest: more than {MOST:,} conjunctions would be looked at; lower count or max_size")
    return [(chosen, -weight) for weight, _, chosen in best]
