"""Stepping: the machine of additive learners with a step of their own (PA, ROMMA, on-line gradient descent)."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import steps
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.sound import Loaded, need, within
from littlestone.parts.updates import Update

__all__ = ["Stepping"]

LEAST_UNIT = 2.0**-500  # beyond this ROMMA's weights are given in a unit of their own


class Stepping(ColumnMachine):
    """Weights that are a scale times one row of columns, moved by a learner's own kernel and parameters.

    A rule of the first order, which has no kernel, is called by its address. ``when`` is one of those in the engine's
    `rules`; ``relaxing``: the kernel moves the scale and the unit, too.
    """

    def __init__(
        self, kernel: Kept, *own: float, when: int, radius: float = 0.0, bias: bool, relaxing: bool = False
    ) -> None:
        super().__init__([0.0], [0.0, 1.0, 0.0, 1.0, 0.0])
        self._kernel, self.relaxing = kernel, relaxing
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
        if not self.relaxing:
            need((unit, error) == (1.0, 0.0), "a margin of 1")
            return
        need(square == 0.0 or 1.0 / steps.LARGE <= square <= steps.LARGE, "a norm that steps keep")
        need(0.0 <= unit <= 2.0**500 and error >= 0.0, "a unit that steps keep")
        most = 2.0**20 * steps.LARGE**0.5 / scale  # a weight is no longer than all of them, but for rounding
        need(within(state["vectors"], -most, most) and abs(constant) <= most, "weights of that norm")
        need(square or (unit and not constant and not state["vectors"].any()), "weights of 0 before the first step")
