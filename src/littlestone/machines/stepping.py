"""Stepping: the machine of additive learners with a step of their own (PA, ROMMA, on-line gradient descent)."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.learning import steps
from littlestone.machines.columns import ColumnMachine

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
