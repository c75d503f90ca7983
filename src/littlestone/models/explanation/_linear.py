"""What a learner with weights computes: literals by name, their weights as floats and exactly, and the threshold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.names import literal
from littlestone.learners import Bounded, Learner

__all__ = ["Linear", "check_names", "linear", "plain"]


@dataclass(frozen=True)
class Linear:
    """Predict 1 iff the weights of the literals that are on sum to ``needed`` (on equality: if ``tie``)."""

    name: Callable[[int], Hashable]
    weights: Floats
    constant: float
    theta: float
    needed: Fraction  # theta less the constant, and less what every example brings where negations are literals
    usual: float  # the weight of an attribute that nobody has seen, where it counts as neither for nor against
    exact: Callable[[int], Fraction]
    exponents: NDArray[np.int64] | None  # promotions and demotions of each, or the difference and 0
    apart: bool  # whether promotions and demotions are told apart there
    tie: bool
    closed: bool  # whether no attributes but these can count
    unseen: float  # what an attribute weighs that is not among these
    rounding: float  # relatively: what its own sums may be wrong by; 0 where they are exact
    pruned: bool = False
    waiting: bool = False  # whether an attribute can be on that does not count yet


def check_names(owner: str, names: Sequence[Hashable] | None, learner: Learner) -> None:
    """Refuse names given for a learner that has its own, or fewer names than attributes."""
    if learner.inner:
        raise InvalidParameter(
            f"{owner}: expected a learner with weights of its own, got {learner!r}; it is made of learners "
            f"({', '.join(learner.inner)}): give one of those"
        )
    if names is None:
        return
    if learner.vocabulary is not None:
        raise InvalidParameter(f"{owner}: names: the model has names of its own; leave them out")
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise InvalidParameter(f"{owner}: names: expected a list of names, one a column, got {type(names).__name__}")
    size = max(learner.width, learner.n or 0)
    if len(names) < size:
        raise InvalidParameter(
            f"{owner}: names: expected one for each of the {size} attributes, got {len(names)}; is it the right list?"
        )


def linear(learner: Learner, names: Sequence[Hashable] | None = None) -> Linear | None:
    """Return the linear rule of a learner; None where its prediction is none."""
    if not isinstance(learner, Bounded) and learner.hypothesis() is None:  # whose weights by position may be many
        return None
    weights, constant, theta = _parts(learner)
    if not np.isfinite(np.append(weights, [constant, theta])).all():
        raise InvalidParameter(
            f"explain: expected finite weights, got {learner!r} with others; let it learn again from scaled rows"
        )
    machine = learner.machine
    assert machine is not None
    columns, keys = np.arange(len(weights)), None
    if isinstance(learner, Bounded):
        keys, columns, weights = _counting(learner)
    exactly, unseen = machine.exactly(columns, weights, constant), machine.unseen()
    usual = 0.0 if (weights < 0.0).any() else unseen
    n = len(weights) // 2 if learner.negations else None
    words = learner.vocabulary
    pending = isinstance(learner, Bounded) and learner.eligible > 1  # one that nobody has seen does not count at once
    closed = learner.negations or pending or (keys is None and learner.n is not None and len(weights) == learner.n)

    def name(i: int) -> Hashable:
        if keys is not None:
            return keys[i] if names is None else names[keys[i]]  # type: ignore[no-any-return]
        if names is None:
            return literal(words, n, i)
        return names[i] if n is None or i < n else f"not {names[i - n]}"

    found = Linear(
        name, weights, constant, theta, exactly.theta - exactly.constant, usual, exactly.weight, exactly.exponents,
        exactly.apart, bool(learner.tie), closed, unseen, exactly.rounding,
        isinstance(learner, Bounded) and learner.pruned > 0, pending,
    )  # fmt: skip
    return found if n is None else _netted(found, n)


def _parts(learner: Learner) -> tuple[Floats, float, float]:
    """Return the weights, the constant and theta; of a bounded learner no more than what is kept."""
    if not isinstance(learner, Bounded) or learner.machine is None:
        return learner.coordinates()
    return _counting(learner)[2], learner.machine.weights(0)[1], learner.machine.theta


def _counting(learner: Bounded) -> tuple[list[Any], NDArray[np.int64], Floats]:
    """Return the attributes of a bounded learner that count in the next example, their slots and their weights."""
    keys, slots, weights, counts = learner.kept()
    return [keys[i] for i in np.flatnonzero(counts).tolist()], slots[counts], weights[counts]


def _netted(rule: Linear, n: int) -> Linear:
    """Return the rule in the heavier literal of each attribute: one of the two is on, so that the lighter is sure."""
    both = rule.weights.reshape(2, n)
    heavier = np.argmax(both, axis=0)
    at, other = np.arange(n) + n * heavier, np.arange(n) + n * (1 - heavier)
    sure = sum((rule.exact(int(i)) for i in other), Fraction(0))
    return Linear(
        lambda i: rule.name(int(at[i])), rule.weights[at] - rule.weights[other], rule.constant, rule.theta,
        rule.needed - sure, 0.0, lambda i: rule.exact(int(at[i])) - rule.exact(int(other[i])),
        None if rule.exponents is None else rule.exponents[at], rule.apart, rule.tie, rule.closed,
        0.0, rule.rounding,
    )  # fmt: skip


def plain(value: Any) -> Any:
    """Return a name, a label or a number as JSON has it."""
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else _finite(value)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


def _finite(value: Fraction) -> float | str:
    try:
        return float(value)
    except OverflowError:
        return str(value)
