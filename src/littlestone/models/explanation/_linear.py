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
from littlestone.engine.learning import duals
from littlestone.learners import Bounded, Learner
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents
from littlestone.machines.moments import Moments
from littlestone.machines.power_table import Table

__all__ = ["Linear", "check_names", "linear", "plain"]

LARGE = 4096  # exponents beyond which a weight is taken as its float
ROUNDING = {"float64": 1e-9, "float32": 1e-5}  # relatively: what sums of many floats may be wrong by
WHOLE = {"float64": 2.0**53, "float32": 2.0**24}  # sums of whole numbers below this are exact in floats


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
    size = max(learner._width, learner.n or 0)
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
    machine = learner._machine
    columns, keys = np.arange(len(weights)), None
    if isinstance(learner, Bounded):
        keys, columns, weights = _counting(learner)
    exact, exponents, apart = _exactly(machine, weights, columns)
    fixed, exact_constant = Fraction(theta), Fraction(constant)
    if isinstance(machine, Exponents) and machine._duals is None:
        fixed = machine._exact_theta
        state = int(machine._counts[4])
        exact_constant = _written_out(machine.table, state, constant) if state >= 0 else Fraction(0)
    grows = isinstance(machine, Exponents | Duals | ColumnMachine)
    unseen = float(machine.weights(machine.size + 1)[0][-1]) if grows else 0.0  # type: ignore[union-attr]
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
        name, weights, constant, theta, fixed - exact_constant, usual, exact, exponents, apart, bool(learner.tie),
        closed, unseen, _rounding(learner, weights, constant, exponents),
        isinstance(learner, Bounded) and learner.pruned > 0, pending,
    )  # fmt: skip
    return found if n is None else _netted(found, n)


def _parts(learner: Learner) -> tuple[Floats, float, float]:
    """Return the weights, the constant and theta; of a bounded learner no more than what is kept."""
    if not isinstance(learner, Bounded):
        return learner._weights()
    machine, _ = learner._started(None, fix=False)
    return _counting(learner)[2], machine.weights(0)[1], machine.theta


def _counting(learner: Bounded) -> tuple[list[Any], NDArray[np.int64], Floats]:
    """Return the attributes of a bounded learner that count in the next example, their slots and their weights."""
    keys, slots, weights = learner._kept()
    counts = learner._counts_next(slots)
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


def _rounding(learner: Learner, weights: Floats, constant: float, exponents: NDArray[np.int64] | None) -> float:
    """Return how far the learner's own sums may be off, relatively; inf where nobody knows."""
    machine: Any = learner._machine
    if exponents is not None and np.abs(exponents).max(initial=0) <= LARGE and not machine.rule.certain:
        return 0.0  # it decides in rationals
    if isinstance(machine, Exponents):
        machine = machine._duals
    if isinstance(machine, ColumnMachine | Moments):
        return ROUNDING["float64"]
    if learner.averaged or not isinstance(machine, Duals) or machine.rule.certain:
        return float("inf")
    numbers = np.append(weights, [constant, machine.theta])
    kind = str(machine.rule.dtype)
    small = np.abs(numbers).sum() < WHOLE[kind] and bool((numbers == np.floor(numbers)).all())
    return 0.0 if small and machine.rule.link.scale == duals.UNSCALED else ROUNDING[kind]


def _exactly(
    machine: Any, weights: Floats, columns: NDArray[Any]
) -> tuple[Callable[[int], Fraction], NDArray[np.int64] | None, bool]:
    """Return the exact weights and, where the machine has them, the exponents of each."""
    if not isinstance(machine, Exponents) or machine._duals is not None:
        return (lambda i: Fraction(float(weights[i]))), None, False
    states = np.zeros(len(columns), dtype=np.int64)
    known = columns < machine.size
    states[known] = machine._states[columns[known]]
    table = machine.table
    pairs = np.array(table.exponents, dtype=np.int64)[states].reshape(-1, 2)

    def exact(i: int) -> Fraction:
        return _written_out(table, int(states[i]), float(weights[i]))

    demotion = getattr(table, "_demotion", None)
    return exact, pairs, demotion is not None and demotion > 0


def _written_out(table: Table, state: int, weight: float) -> Fraction:
    """Return the weight of a state as a fraction; the float that it is nearly where the fraction would be too long."""
    p, q = table.exponents[state]
    return table.weight(p, q) if max(abs(p), abs(q)) <= LARGE else Fraction(weight)


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
