"""Stepping: the machine of additive learners with a step of their own (PA, ROMMA, on-line gradient descent)."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import steps
from littlestone.machines.columns import ColumnMachine
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
