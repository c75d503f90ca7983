"""Clauses: the attributes that alone, in pairs or in threes are enough for a positive prediction."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple

import numpy as np

from littlestone.models.explanation._linear import AsDict, Linear

__all__ = ["Clause", "Clauses", "Found", "clauses", "minimal_sets"]

MOST_STEPS = 1 << 18  # places at which the search looks before it stops
MOST = 2000  # attributes that are tried, the heaviest first
SURE = 1e-9  # the largest relative error of a sum of many floats, which shows where to look


@dataclass(frozen=True)
class Clause(AsDict):
    """Attributes that reach the threshold when all of them are on, and not without any of them.

    ``slack`` is how much evidence against them they outweigh; ``always``: there is certainly no more than that, in
    spite of rounding; ``holds``: in how many of the examples that were learned again all of them were on.

    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=4)
    >>> for _ in range(3):
    ...     for x, y in [({"rain"}, 1), ({"rain", "wind"}, 1), ({"wind", "sun"}, 0), ({"snow", "ice"}, 1)]:
    ...         _ = learner.learn_one(x, y)
    >>> ls.explain(learner).clauses.listed[0]
    Clause(attributes=('rain',), weight=4.0, slack=0.0, always=True, holds=None)
    """

    attributes: tuple[Hashable, ...]
    weight: float
    slack: float
    always: bool
    holds: int | None = None


@dataclass(frozen=True)
class Clauses(AsDict):
    """Some of the clauses of a rule, and what is not among them.

    ``whole`` is True only where no others are, and where the learner's sums are exact: an example is then predicted
    positive iff all attributes of one of them are on. ``cut`` are the sizes of which there may be more; ``least`` and
    ``enough`` are numbers of attributes, fewer than the one never reach the threshold, and as many as the other always
    do (None: none do, or it is not known, as where new attributes may come).

    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=4)
    >>> for _ in range(3):
    ...     for x, y in [({"rain"}, 1), ({"rain", "wind"}, 1), ({"wind", "sun"}, 0), ({"snow", "ice"}, 1)]:
    ...         _ = learner.learn_one(x, y)
    >>> found = ls.explain(learner).clauses
    >>> found.whole, [clause.attributes for clause in found.listed]
    (False, [('rain',), ('wind', 'ice'), ('wind', 'snow'), ('ice', 'snow')])
    """

    listed: tuple[Clause, ...]
    whole: bool
    max_size: int
    cut: tuple[int, ...]
    least: int | None
    enough: int | None


def clauses(rule: Linear, *, max_size: int, count: int) -> Clauses:
    """Return the clauses of at most ``max_size`` attributes, at most ``count`` of each size, heavy members first.

    All is exact where the learner's own sums are: they are compared in whole numbers.
    """
    positive = np.flatnonzero(rule.weights > 0.0)
    order = positive[np.argsort(-rule.weights[positive], kind="stable")]
    tried = order[:MOST].tolist()
    against = sum((rule.exact(int(i)) for i in np.flatnonzero(rule.weights < 0.0)), Fraction(0))
    exact = [rule.exact(i) for i in tried]
    unit = lcm(rule.needed.denominator, *(weight.denominator for weight in exact))
    whole = [int(weight * unit) for weight in exact]
    found = minimal_sets(whole, int(rule.needed * unit), tie=rule.tie, max_size=max_size, count=count)
    listed = []
    for chosen in found.sets:
        weight = sum((exact[i] for i in chosen), Fraction(0))
        after = weight + against - rule.needed
        names = tuple(rule.name(tried[i]) for i in chosen)
        listed.append(Clause(names, _float(weight), _float(weight - rule.needed), _sure(rule, after)))
    least, enough = _numbers(rule, order.tolist(), signed=against < 0)
    reached = int(rule.needed * unit) + (0 if rule.tie else 1)
    cut = list(found.cut)
    if len(order) > MOST and found.sets != [()]:  # lighter ones were not tried
        cut = list(range(1 if whole[-1] >= reached else 2, max_size + 1))
    complete = not cut and against == 0 and (rule.closed or rule.unseen == 0.0) and rule.rounding == 0.0
    single = {chosen[0] for chosen in found.sets if len(chosen) == 1}
    rest = [whole[i] for i in range(len(whole)) if i not in single]
    bounded = sum(rest) < reached or sum(rest[-max_size:]) >= reached or found.sets == [()]
    return Clauses(tuple(listed), complete and bounded, max_size, tuple(cut), least, enough)


def _sure(rule: Linear, after: Fraction) -> bool:
    """Tell whether a clause holds with all that there is against it: by so much."""
    if not rule.closed and rule.unseen < 0.0:
        return False
    if rule.rounding == 0.0:
        return after > 0 or (rule.tie and after == 0)
    size = float(np.abs(np.append(rule.weights, [rule.constant, rule.theta])).sum())
    return size > 0.0 and _float(after) > rule.rounding * size


def _numbers(rule: Linear, order: list[int], *, signed: bool) -> tuple[int | None, int | None]:
    """Return how many attributes are needed at least, and how many are always enough."""
    if not rule.closed or rule.pruned or rule.rounding > 0.0:
        return None, None
    if rule.needed < 0 or (rule.needed == 0 and rule.tie):
        return 0, None
    heavy = [(float(rule.weights[i]), i) for i in order]
    least = _first(rule, heavy)
    some_do_not = signed or rule.waiting or len(order) < len(rule.weights)  # reach it, however many they are
    return least, None if some_do_not else _first(rule, heavy[::-1])


def _first(rule: Linear, weights: list[tuple[float, int]]) -> int | None:
    """Return how many of these weights, in their order, reach what is needed; None where they are many."""
    sums, needed = np.cumsum([weight for weight, _ in weights]), _float(rule.needed)
    low, high = (int(np.searchsorted(sums, needed * factor)) + 1 for factor in (1.0 - SURE, 1.0 + SURE))
    if low > min(len(weights), MOST):
        return None
    total = sum((rule.exact(i) for _, i in weights[: low - 1]), Fraction(0))
    for number in range(low, min(high, len(weights) + 1)):
        total += rule.exact(weights[number - 1][1])
        if total > rule.needed or (rule.tie and total == rule.needed):
            return number
    return high if high <= len(weights) else None


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float(np.finfo(np.float64).max) * (1 if value > 0 else -1)


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
