"""Stepping: the machine of additive learners with a step of their own (PA, ROMMA, on-line gradient descent)."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.learning import steps
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.sound import Loaded, need, within

__all__ = ["Stepping"]

LEAST_UNIT = 2.0**-500  # beyond this ROMMA's weights are given in a unit of their own


class Stepping(ColumnMachine):
    """Weights that are a scale times one row of columns."""

    def __init__(self, algorithm: int, *, rate: float = 1.0, radius: float = 0.0, bias: bool) -> None:
        super().__init__([0.0], [0.0, 1.0, 0.0, 1.0, 0.0])
        self._rule = np.array([algorithm, rate, radius, bias])

    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        v = self._used()[0]
        steps.learn(*rows, outcomes, importance, v, self._rule, self._scalars, self._counts, predictions)

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
        if int(self._rule[steps.ALGORITHM]) not in (steps.ROMMA, steps.AGGRESSIVE):
            need((unit, error) == (1.0, 0.0), "a margin of 1")
            return
        need(square == 0.0 or 1.0 / steps.LARGE <= square <= steps.LARGE, "a norm that steps keep")
        need(0.0 <= unit <= 2.0**500 and error >= 0.0, "a unit that steps keep")
        most = 2.0**20 * steps.LARGE**0.5 / scale  # a weight is no longer than all of them, but for rounding
        need(within(state["vectors"], -most, most) and abs(constant) <= most, "weights of that norm")
        need(square or (unit and not constant and not state["vectors"].any()), "weights of 0 before the first step")
