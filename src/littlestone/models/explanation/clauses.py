"""Clauses: the attributes that alone, in pairs or in threes are enough for a positive prediction."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from littlestone.models.explanation._linear import Linear, plain
from littlestone.models.explanation._sets import minimal_sets

__all__ = ["Clause", "Clauses", "clauses"]

MOST = 2000  # attributes that are tried, the heaviest first
SURE = 1e-9  # relatively: what floats may be wrong by where many weights are summed to find where to look


@dataclass(frozen=True)
class Clause:
    """Attributes that reach the threshold when all of them are on, and not without any of them.

    ``slack`` is how much evidence against them they can stand; ``always`` whether it is sure that there is no more than
    that, whatever floats are rounded to; ``holds`` in how many of the examples that were played again all of
    them were on, where some were.
    """

    attributes: tuple[Hashable, ...]
    weight: float
    slack: float
    always: bool
    holds: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"attributes": plain(self.attributes), "weight": self.weight, "slack": self.slack,
                "always": self.always, "holds": self.holds}  # fmt: skip


@dataclass(frozen=True)
class Clauses:
    """Some of the clauses of a rule, and what is not among them.

    ``whole`` is True only where no others are, and where the learner's sums are exact: an example is then predicted
    positive iff all attributes of one of them are on. ``cut`` are the sizes of which there may be more; ``least`` and
    ``enough`` are numbers of attributes, fewer than the one never reach the threshold, and as many as the other always
    do (None: none do, or nobody can say, as where attributes may come that nobody has seen).
    """

    listed: tuple[Clause, ...]
    whole: bool
    max_size: int
    cut: tuple[int, ...]
    least: int | None
    enough: int | None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "listed": [clause.as_dict() for clause in self.listed], "whole": self.whole, "max_size": self.max_size,
            "cut": list(self.cut), "least": self.least, "enough": self.enough,
        }  # fmt: skip


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
        listed.append(
            Clause(
                tuple(rule.name(tried[i]) for i in chosen),
                _float(weight),
                _float(weight - rule.needed),
                _sure(rule, after),
            )
        )
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
