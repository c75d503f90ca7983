"""The minimal sets of weights that reach a threshold, found by size, the heaviest members first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

__all__ = ["Found", "minimal_sets"]

MOST_STEPS = 1 << 18  # places at which the search looks before it stops


class Found(NamedTuple):
    """Minimal sets of positions, by size; ``cut`` are the sizes of which there may be more than are listed."""

    sets: list[tuple[int, ...]]
    cut: list[int]


def minimal_sets(weights: Sequence[int], needed: int, *, tie: bool, max_size: int, count: int) -> Found:
    """Return the sets whose weights sum to ``needed`` or more (without ``tie``: to more), and of which no part does.

    ``weights`` are positive and descend. Sets go by size, up to ``max_size``; of one size, those of the heaviest
    members come first, and at most ``count`` are listed.

    >>> minimal_sets([9, 5, 4, 1], 9, tie=True, max_size=3, count=10)
    Found(sets=[(0,), (1, 2)], cut=[])
    """
    search = _Search(weights, needed if tie else needed + 1)
    if search.needed <= 0:
        return Found([()], [])
    found = Found([], [])
    for size in range(1, max_size + 1):
        listed: list[tuple[int, ...]] = []
        for chosen in search.of(size):
            if len(listed) == count:
                found.cut.append(size)
                break
            listed.append(chosen)
        else:
            if search.steps > MOST_STEPS:
                found.cut.append(size)
        found.sets.extend(listed)
    return found


class _Search:
    """Sets in descending order of weight: minimal iff they reach what is needed with their last member only."""

    def __init__(self, weights: Sequence[int], needed: int) -> None:
        self.weights, self.needed = weights, needed
        self.sums = [0, *accumulate(weights)]
        self.steps = 0

    def of(self, size: int) -> Iterator[tuple[int, ...]]:
        """Yield the minimal sets of this size."""
        self.steps = 0
        return self._longer((), 0, 0, size)

    def _longer(self, chosen: tuple[int, ...], total: int, start: int, left: int) -> Iterator[tuple[int, ...]]:
        weights, missing = self.weights, self.needed - total
        if left > 1:  # what reaches it already needs no more members
            start = bisect_left(weights, True, lo=start, key=lambda weight: weight < missing)
        for i in range(start, len(weights) - left + 1):
            self.steps += 1
            if self.sums[i + left] - self.sums[i] < missing or self.steps > MOST_STEPS:
                return
            if left == 1:
                yield (*chosen, i)
            else:
                yield from self._longer((*chosen, i), total + weights[i], i + 1, left - 1)
