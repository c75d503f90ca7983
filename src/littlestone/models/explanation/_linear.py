"""What a learner with weights computes: literals by name, their weights as floats and exactly, and the threshold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.names import literal
from littlestone.learners import Bounded, Learner
from littlestone.learners.composite import Composite
from littlestone.streams.sources.opened import Source

__all__ = ["AsDict", "Linear", "Names", "check_names", "deciding", "linear", "plain", "read_names"]

Names = Sequence[Hashable] | None  # of columns, where the learner has no names of its own


@dataclass(frozen=True)
class Linear:
    """Predict 1 iff the weights of the literals that are on sum to ``needed`` (on equality: if ``tie``)."""

    name: Callable[[int], Hashable]
    weights: Floats
    constant: float
    theta: float
    needed: Fraction  # theta less the constant, and less what every example brings where negations are literals
    usual: float  # the weight of a new attribute, where it counts as neither for nor against
    exact: Callable[[int], Fraction]
    exponents: NDArray[np.int64] | None  # promotions and demotions of each, or the difference and 0
    apart: bool  # whether promotions and demotions are counted apart there
    tie: bool
    closed: bool  # whether no other attributes can count
    unseen: float  # the weight of any other attribute
    rounding: float  # the largest relative error of the learner's own sums; 0 where they are exact
    pruned: bool = False
    waiting: bool = False  # whether an attribute can be on that does not count yet


def deciding(learner: Learner) -> Learner:
    """Return the learner inside whose hypothesis decides alone, where a learner has such a one; else itself."""
    while isinstance(learner, Composite) and learner.explained is not None:
        learner = learner.explained
    return learner


def check_names(owner: str, names: Names, learner: Learner) -> None:
    """Refuse names given for a learner that has its own, or fewer names than attributes."""
    if learner.inner:
        raise InvalidParameter(
            f"{owner}: expected a learner with weights of its own, got {learner!r}; it is made of learners "
            f"({', '.join(learner.inner)}): give one of those"
        )
    if names is None:
        return
    if learner.vocabulary is not None:
        raise InvalidParameter(f"{owner}: names: expected none, since the model has names of its own; leave them out")
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise InvalidParameter(f"{owner}: names: expected a list of names by column, got {type(names).__name__}")
    size = max(learner.width, learner.n or 0)
    if len(names) < size:
        raise InvalidParameter(
            f"{owner}: names: expected one for each of the {size} attributes, got {len(names)}; is it the right list?"
        )


def read_names(source: Any, learner: Learner | None = None) -> list[str]:
    r"""Return the lines of a file, plain or compressed: a path, "-" or a binary file.

    With a learner, refuse fewer lines than it has attributes.

    >>> import io
    >>> read_names(io.BytesIO(b"rain\nwind\n"))
    ['rain', 'wind']
    """
    found = Source(source)
    with found.open() as file:
        text = file.read()
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise InvalidData(f"{found.name}:{line}: expected a name in UTF-8, got other bytes; convert the file") from None
    size = 0 if learner is None else max(learner.width, learner.n or 0)
    if len(lines) < size:
        raise InvalidData(
            f"{found.name}: expected a line for each of the model's {size} attributes, got {len(lines)} lines; "
            "is it the right file?"
        )
    return lines


def linear(learner: Learner, names: Names = None) -> Linear | None:
    """Return the linear rule of a learner; None where its prediction is none."""
    one = isinstance(learner, Bounded) and not learner.many_classes
    if not one and learner.hypothesis() is None:  # that of a bounded one, by position, may be of many weights
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
    pending = isinstance(learner, Bounded) and learner.eligible > 1  # a new attribute does not count at once
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
    """Return the rule with one literal for each attribute, the heavier: its weight is what it adds to the lighter."""
    both = rule.weights.reshape(2, n)
    heavier = np.argmax(both, axis=0)
    at, other = np.arange(n) + n * heavier, np.arange(n) + n * (1 - heavier)
    sure = sum((rule.exact(int(i)) for i in other), Fraction(0))
    return replace(
        rule,
        name=lambda i: rule.name(int(at[i])),
        weights=rule.weights[at] - rule.weights[other],
        needed=rule.needed - sure,
        exact=lambda i: rule.exact(int(at[i])) - rule.exact(int(other[i])),
        exponents=None if rule.exponents is None else rule.exponents[at],
        usual=0.0,
        unseen=0.0,
        pruned=False,
        waiting=False,
    )


class AsDict:
    """A dataclass whose fields go to JSON."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]


def plain(value: Any) -> Any:
    """Return a name, a label, a number or a result as JSON has it."""
    if isinstance(value, AsDict):
        return value.as_dict()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else _finite(value)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(part) for name, part in value.items()}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


def _finite(value: Fraction) -> float | str:
    try:
        return float(value)
    except OverflowError:
        return str(value)
