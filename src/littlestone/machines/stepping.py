"""Stepping: the machine of additive learners with a step of their own (PA, ROMMA, on-line gradient descent)."""

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import alma, factors, steps
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.sound import Loaded, need, within
from littlestone.parts.updates import Update

__all__ = ["Ball", "Floored", "Pairs", "Stepping"]

U, V = 2.0, 1.0  # both models of `Pairs` before the first trial
LEAST_UNIT = 2.0**-500  # beyond this ROMMA's weights are given in a unit of their own


class Stepping(ColumnMachine):
    """Weights that are a scale times one row of columns, moved by a learner's own kernel and parameters.

    A rule of the first order, which has no kernel, is called by its address. ``when`` is one of those in the engine's
    `rules`; ``moves_scale``: the kernel moves the scale and the unit, too.
    """

    def __init__(
        self, kernel: Kept, *own: float, when: int, radius: float = 0.0, bias: bool, moves_scale: bool = False
    ) -> None:
        super().__init__([0.0], [0.0, 1.0, 0.0, 1.0, 0.0])
        self._kernel, self.moves_scale = kernel, moves_scale
        self._rule = np.array([when, radius, bias, *own])

    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        v = self._used()[0]
        given = (*rows, outcomes, importance, v, self._rule, self._scalars, self._counts, predictions)
        if isinstance(self._kernel, Update):
            steps.learn(self._kernel.address, *given)
        else:
            self._kernel.code(*given)

    def _unit(self) -> float:
        return max(float(self._scalars[steps.UNIT]), LEAST_UNIT)

    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        steps.score(*rows, self._used()[0], self._scalars, predictions, activations)
        activations /= self._unit()

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""
        scale = float(self._scalars[steps.SCALE]) / self._unit()
        columns = np.minimum(np.arange(size), self.size)
        return self._columns[0, columns] * scale, float(self._scalars[steps.CONSTANT]) * scale

    def check(self, state: Loaded) -> None:
        """Check the scale and, for ROMMA, the square of the norm and the unit: steps keep them in these ranges."""
        super().check(state)
        constant, scale, square, unit, error = state["scalars"].tolist()
        need(1.0 / steps.LARGE <= scale <= steps.LARGE, "a scale that steps keep")
        if not self.moves_scale:
            need((unit, error) == (1.0, 0.0), "a margin of 1")
            return
        need(square == 0.0 or 1.0 / steps.LARGE <= square <= steps.LARGE, "a norm that steps keep")
        need(0.0 <= unit <= 2.0**500 and error >= 0.0, "a unit that steps keep")
        most = 2.0**20 * steps.LARGE**0.5 / scale  # a weight is no longer than all of them, but for rounding
        need(within(state["vectors"], -most, most) and abs(constant) <= most, "weights of that norm")
        need(square or (unit and not constant and not state["vectors"].any()), "weights of 0 before the first step")


class Ball(ColumnMachine):
    """Duals in the unit ball of a p-norm, and their weights."""

    def __init__(self, p: float, slack: float, rate: float, *, bias: bool) -> None:
        super().__init__([0.0] * (1 if p == 2.0 else 2), [0.0, 0.0, 1.0, 0.0, 0.0])
        self._rule = np.array([p, slack, rate, bias])

    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        used = self._used()
        v, z = used[0], used[-1]
        alma.learn(*rows, outcomes, importance, v, z, self._rule, self._scalars, self._counts, predictions)

    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        scale = self._scalars[alma.CONSTANT], alma.per_weight(self._rule, self._scalars)
        steps.score(*rows, self._used()[0], np.array(scale), predictions, activations)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""
        unit = alma.per_weight(self._rule, self._scalars)
        columns = np.minimum(np.arange(size), self.size)
        return self._columns[0, columns] * unit, float(self._scalars[alma.CONSTANT]) * unit

    def check(self, state: Loaded) -> None:
        """Check that the unit is positive, and the power of the norm not negative."""
        super().check(state)
        _, _, unit, power, peak = state["scalars"].tolist()
        need(unit > 0.0 and power >= 0.0 and peak >= 0.0, "a norm")


class Pairs(ColumnMachine):
    """Two models, u and v, and their difference."""

    def __init__(self, rule: list[float]) -> None:
        constant = [U - V, U, V] if rule[factors.BIAS] else [0.0, 0.0, 0.0]
        super().__init__([U - V, U, V], constant)
        self._rule = np.array(rule)

    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        factors.learn_modified(
            *rows, outcomes, importance, self._columns, self._rule, self._scalars, self._counts, predictions
        )

    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        factors.score_modified(*rows, self._columns[0], self._rule, self._scalars, predictions, activations)

    def divisor(self, values: Floats) -> float:
        """Return sum(x), the constant coordinate counted; 1 for a row of nothing."""
        return float(values.sum() + self._rule[factors.BIAS]) or 1.0

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return u - v - theta for ``size`` attributes, and for the constant coordinate (0 without one)."""
        theta = float(self._rule[factors.THETA])
        columns = np.minimum(np.arange(size), self.size)
        constant = float(self._scalars[0]) - theta if self._rule[factors.BIAS] else 0.0
        return self._columns[0, columns] - theta, constant

    def check(self, state: Loaded) -> None:
        """Check that both models are positive, and held."""
        super().check(state)
        need(within(state["vectors"][1:], 0.0, factors.MOST), "two models that are held")
        need(within(state["scalars"][1:], 0.0, factors.MOST), "two models that are held")


class Floored(ColumnMachine):
    """Weights that have a floor."""

    def __init__(self, theta: float, alpha: float, demotion: float, floor: float, w1: float) -> None:
        super().__init__([w1], [])
        self.theta = theta
        self._rule = np.array([theta, alpha, demotion, floor])

    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        w = self._columns[0]
        factors.learn_floored(*rows, outcomes, importance, w, self._rule, self._counts, predictions)

    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        steps.score(*rows, self._columns[0], np.array([0.0, 1.0]), predictions, activations)
        activations -= self.theta
        predictions[:] = activations >= 0.0

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes."""
        return self._columns[0, np.minimum(np.arange(size), self.size)], 0.0

    def check(self, state: Loaded) -> None:
        """Check that weights are between the floor and where they are held."""
        super().check(state)
        need(within(state["vectors"], float(self._rule[factors.FLOOR]), factors.MOST), "weights from the floor on")
