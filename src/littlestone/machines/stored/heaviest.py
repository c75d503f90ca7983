"""The conjunctions of the largest weight: a search that goes where the weight can still be large."""

from heapq import heappop, heappush, heappushpop
from itertools import combinations, pairwise

import numpy as np

from littlestone.core.arrays import Columns, Ints
from littlestone.core.errors import TooLarge

__all__ = ["heaviest"]

Conjunction = tuple[int, ...]  # literal 2i is attribute i, 2i + 1 its negation; in order

MOST = 1 << 19  # conjunctions that are looked at


class _Extents:
    """Which rows have a literal, as the bits of a whole number; and what a set of rows weighs."""

    def __init__(self, indptr: Ints, indices: Columns, coefficients: Ints) -> None:
        rows = np.repeat(np.arange(len(coefficients)), np.diff(indptr))
        order = np.argsort(indices, kind="stable")
        self._rows = rows[order]
        columns, first = np.unique(indices[order], return_index=True)
        self._parts = dict(zip(columns.tolist(), pairwise([*first.tolist(), len(order)]), strict=True))
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
            first, last = self._parts.get(literal // 2, (0, 0))
            found = self._bits(self._rows[first:last])
            self._kept[literal] = found = self.every ^ found if literal & 1 else found
        return found

    def of_all(self, literals: tuple[int, ...]) -> int:
        """Return the rows in which all of them hold."""
        found = self.every
        for literal in literals:
            found &= self.of(literal)
        return found

    def bound(self, rows: int) -> int:
        """Return the sum of the positive coefficients of some rows."""
        return sum([c * (rows & mask).bit_count() for c, mask in self._up])

    def weight(self, rows: int) -> int:
        """Return the sum of the coefficients of some rows."""
        return self.bound(rows) + sum([c * (rows & mask).bit_count() for c, mask in self._down])


class _Best:
    """The best conjunctions so far: by weight, then the shorter, then that of the smaller literals."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._heap: list[tuple[int, int, Conjunction]] = []  # the worst first

    def add(self, weight: int, chosen: Conjunction) -> None:
        entry = weight, -len(chosen), tuple(-literal for literal in chosen)
        if len(self._heap) < self.count:
            heappush(self._heap, entry)
        else:
            heappushpop(self._heap, entry)

    def hopeless(self, bound: int, size: int) -> bool:
        """Tell whether no conjunction of ``size`` or more literals and at most this weight can be among them."""
        return bound <= 0 or (len(self._heap) == self.count and (bound, -size) < self._heap[0][:2])

    def listed(self) -> list[tuple[Conjunction, int]]:
        return [(tuple(-literal for literal in chosen), weight) for weight, _, chosen in sorted(self._heap)[::-1]]


def heaviest(
    indptr: Ints, indices: Columns, coefficients: Ints, *, n: int, negated: bool, count: int, sizes: range
) -> list[tuple[Conjunction, int]]:
    """Return the conjunctions of the largest positive weight: the sum of the coefficients of the rows they hold in.

    Of equal weights the shorter comes first, then that of the smaller literals. A conjunction that holds in the same
    rows as a part of it is left out. More literals hold in fewer rows: what the positive coefficients sum to is a bound
    on the weight of all longer ones.
    """
    extents, best = _Extents(indptr, indices, coefficients), _Best(count)
    seen = np.unique(indices).tolist()
    literals = [2 * i + sign for i in range(n) for sign in (0, 1)] if negated else [2 * i for i in seen]
    if 0 in sizes and extents.weight(extents.every) > 0:
        best.add(extents.weight(extents.every), ())
    # What was too light with a part of a conjunction is not tried with the whole.
    queue: list[tuple[int, Conjunction, int, list[int], int]] = [
        (-extents.bound(extents.every), (), extents.every, literals, 0)
    ]
    looked = 0
    while queue:
        bound, chosen, rows, candidates, first = heappop(queue)
        size = len(chosen) + 1
        if size >= sizes.stop or best.hopeless(-bound, size):
            continue
        looked += len(candidates) - first
        if looked > MOST:
            raise TooLarge(f"heaviest: more than {MOST:,} conjunctions would be looked at; lower count or max_size")
        left: list[tuple[int, int, int]] = []
        for literal in candidates[first:]:
            within = rows & extents.of(literal)
            most = extents.bound(within)
            if best.hopeless(most, size) or (size - 1 in sizes and _repeats(extents, chosen, rows, literal, within)):
                continue
            weight = extents.weight(within)
            if weight > 0:
                best.add(weight, (*chosen, literal))
            left.append((literal, within, most))
        candidates = [literal for literal, _, _ in left]
        for i, (literal, within, most) in enumerate(left, start=1):
            heappush(queue, (-most, (*chosen, literal), within, candidates, i))
    return best.listed()


def _repeats(extents: _Extents, chosen: Conjunction, rows: int, literal: int, within: int) -> bool:
    """Tell whether a conjunction holds in the same rows as a part of it."""
    own, parts = extents.of(literal), combinations(chosen, max(len(chosen) - 1, 0))
    return within == rows or any(part != chosen and extents.of_all(part) & own == within for part in parts)
