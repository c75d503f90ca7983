"""States of machines that keep numbers for each attribute: what their kernels take for granted."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.learning import duals as engine
from littlestone.machines.moments import MOST_COORDINATES
from littlestone.models.files._unsound import ENOUGH, Kinds, State, Test, columns, counts, need, within

__all__ = ["TESTS"]

SPARE_ROWS = 500  # of a polytope
AHEAD = 64  # states that a table may have beyond those that a game has reached
COUNTS = {"counts": ("<i8", 1)}
VECTORS = {"vectors": ("<f8", 2), "scalars": ("<f8", 1), **COUNTS}
MOMENTS = {"moments": ("<f8", 2), "constant": ("<f8", 1), **COUNTS}


def duals(learner: Any, machine: Any, state: State) -> None:
    """A layer for each kind of weight; a dual that is -inf has been eliminated."""
    del learner
    rule = machine.rule
    columns(state["weights"], 1 + int(rule.link.code != 0) + int(rule.averaged))
    need(state["weights"].dtype == rule.dtype, f"weights of {rule.dtype}")
    need(state["scalars"].shape == (7,), "seven numbers that move")
    need(
        rule.link.scale != engine.NORM or 0.0 < state["scalars"][engine.SHIFT] < inf, "a unit that weights are kept in"
    )
    counts(state, 4)


def exponents(learner: Any, machine: Any, state: State) -> None:
    """States are places in the table of exponents, of which the first is the start."""
    table, states, told = state["exponents"], state["states"], state["counts"]
    need(told.shape == (7,) and within(told[:4], 0, ENOUGH), "counts of a game")
    need(table.shape[1] == 2 and 1 <= len(table) <= 1 << 16 and not table[0].any(), "exponents, first the start")
    need(len(np.unique(table, axis=0)) == len(table), "each pair of exponents once")
    # Each update takes a state one step on; the table is made a few steps ahead.
    need(within(table, -int(told[1]) - AHEAD, int(told[1]) + AHEAD), "exponents that so many updates can reach")
    _ways(table[:, 0], table[:, 1], getattr(learner, "_kind", learner))
    need(len(states) <= MOST_ATTRIBUTES and within(states, 0, len(table) - 1), "states that are in the table")
    need(states.dtype.itemsize == 2 or len(table) <= 256, "states of two bytes where there are more than 256")
    bias, ruling, reason = told[4:].tolist()
    need(0 <= bias < len(table) if machine.rule.bias else bias == -1, "a state of the constant coordinate")
    need(-1 <= ruling <= 3 and 0 <= reason <= 2, "a ruling")


def _ways(p: Any, q: Any, learner: Any) -> None:
    """Check that exponents are among those to which promotions and demotions lead."""
    demotion = getattr(learner, "demotion", None)
    if demotion is None:
        need(not q.any(), "one exponent where a demotion is the reverse of a promotion")
        return
    need(within(p, 0, inf) and within(q, 0, inf), "exponents of two factors that only grow")
    need(demotion != 0 or not ((q > 1).any() or p[q == 1].any()), "one state of all that is eliminated")


def moments(learner: Any, machine: Any, state: State) -> None:
    """A mean and a variance (a weight and a sum of squares) of each attribute, held where the kernels hold them."""
    from littlestone.engine.learning import covariances as engine

    del learner, machine
    numbers, constant = state["moments"], state["constant"]
    columns(numbers, 2)
    need(constant.shape == (2,), "two numbers of the constant coordinate")
    most = 2.0 * engine.MOST
    need(within(numbers[0], -most, most) and abs(constant[0]) <= most, "means that are held")
    need(within(numbers[1], 0.0, inf) and constant[1] >= 0.0, "variances")
    counts(state, 3)


def full(learner: Any, machine: Any, state: State) -> None:
    """A covariance of all coordinates."""
    del machine
    size = state["moments"].shape[1] - 1 + int(learner.bias)
    need(state["factor"].shape == (size, size) and size <= MOST_COORDINATES, "a covariance of all coordinates")


def vectors(learner: Any, machine: Any, state: State) -> None:
    """Rows of columns, scalars and counts, as many as a new machine has."""
    del learner
    columns(state["vectors"], len(machine._columns))
    need(state["scalars"].shape == machine._scalars.shape, f"{len(machine._scalars)} numbers that move")
    counts(state, 4)


def stepping(learner: Any, machine: Any, state: State) -> None:
    """The scale and, for ROMMA, the square of the norm and the unit, in the ranges that its steps keep them in."""
    from littlestone.engine.learning import steps

    del learner
    constant, scale, square, unit, error = state["scalars"].tolist()
    need(1.0 / steps.LARGE <= scale <= steps.LARGE, "a scale that steps keep")
    if not machine.relaxing:
        need((unit, error) == (1.0, 0.0), "a margin of 1")
        return
    need(square == 0.0 or 1.0 / steps.LARGE <= square <= steps.LARGE, "a norm that steps keep")
    need(0.0 <= unit <= 2.0**500 and error >= 0.0, "a unit that steps keep")
    most = 2.0**20 * steps.LARGE**0.5 / scale  # a weight is no longer than all of them, but for rounding
    need(within(state["vectors"], -most, most) and abs(constant) <= most, "weights of that norm")
    need(square or (unit and not constant and not state["vectors"].any()), "weights of 0 before the first step")


def ball(learner: Any, machine: Any, state: State) -> None:
    """ALMA's unit is positive, and the power of its norm not negative."""
    del learner, machine
    _, _, unit, power, peak = state["scalars"].tolist()
    need(unit > 0.0 and power >= 0.0 and peak >= 0.0, "a norm")


def floored(learner: Any, machine: Any, state: State) -> None:
    """Weights between the floor and where they are held."""
    from littlestone.engine.learning import factors

    del learner
    need(within(state["vectors"], float(machine._rule[factors.FLOOR]), factors.MOST), "weights from the floor on")


def pairs(learner: Any, machine: Any, state: State) -> None:
    """Both models are positive, and held."""
    from littlestone.engine.learning import factors

    del learner, machine
    need(within(state["vectors"][1:], 0.0, factors.MOST), "two models that are held")
    need(within(state["scalars"][1:], 0.0, factors.MOST), "two models that are held")


def counted(learner: Any, machine: Any, state: State) -> None:
    """Counts of at most all examples that were counted."""
    del learner
    told = state["counts"]
    need(told.shape == (7,) and within(told[[0, 1, 2, 5, 6]], 0, ENOUGH), "counts of a game")
    need(told[3] == machine._counts[3] and told[4] == -1, "counts as the policy has them")


def classes(learner: Any, machine: Any, state: State) -> None:
    """How often each attribute was on in examples of each class."""
    del learner
    on, told = state["on"], state["counts"]
    need(on.shape == (machine.size, 2), "a count for each attribute and class")
    need(all(within(on[:, y], 0, int(told[5 + y])) for y in (0, 1)), "counts of at most all examples")


def agreements(learner: Any, machine: Any, state: State) -> None:
    """How often each attribute was on in positive examples, less how often in negative ones."""
    del learner
    net, told = state["net"], state["counts"]
    need(net.shape == (machine.size,) and within(net, -int(told[5]), int(told[6])), "counts of at most all examples")


def region(learner: Any, machine: Any, state: State) -> None:
    """A centre of all coordinates."""
    del learner
    need(state["centre"].shape == machine.centre.shape, "a centre of all coordinates")
    counts(state, 3)


def cuts(learner: Any, machine: Any, state: State) -> None:
    """An ellipsoid around it."""
    del learner, machine
    size = len(state["centre"])
    need(state["root"].shape == (size, size), "an ellipsoid in all coordinates")
    need(abs(int(state["exponent"])) < 1 << 30, "an exponent of a float")


def polytope(learner: Any, machine: Any, state: State) -> None:
    """Half-spaces around it: at least those of a cube, at most one more for each cut.

    Leverages sum to the number of coordinates, and rows of less than ``drop`` go, but where floats are too coarse.
    """
    del learner
    A, size, drop = state["A"], len(state["centre"]), machine._drop
    need(A.shape == (len(state["b"]), size), "a half-space a row")
    need(2 * size <= len(A) <= 2 * size + int(state["counts"][0]), "a half-space more for each cut")
    need(not drop or len(A) <= max(2 * size, size / drop) + SPARE_ROWS, "half-spaces that matter")


# By the class of the machine; those of its parents are tests of it, too
TESTS: dict[str, tuple[Kinds, Test]] = {
    "Duals": ({"weights": ("<f8 <f4", 2), "scalars": ("<f8", 1), **COUNTS}, duals),
    "Exponents": ({"states": ("|u1 <u2", 1), "exponents": ("<i8", 2), **COUNTS}, exponents),
    "Moments": (MOMENTS, moments),
    "Full": ({**MOMENTS, "factor": ("<f8", 2)}, full),
    "ColumnMachine": (VECTORS, vectors),
    "Stepping": (VECTORS, stepping),
    "Ball": (VECTORS, ball),
    "Floored": (VECTORS, floored),
    "Pairs": (VECTORS, pairs),
    "Counted": (COUNTS, counted),
    "Classes": ({"on": ("<i8", 2), **COUNTS}, classes),
    "Agreements": ({"net": ("<i8", 1), **COUNTS}, agreements),
    "Region": (COUNTS, region),
    "Cuts": ({"centre": ("<f8", 1), "root": ("<f8", 2), "exponent": ("<i8", 0), **COUNTS}, cuts),
    "Polytope": ({"centre": ("<f8", 1), "A": ("<f8", 2), "b": ("<f8", 1), **COUNTS}, polytope),
}
