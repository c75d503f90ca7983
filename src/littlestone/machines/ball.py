"""The machine of ALMA: weights inside a ball."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.learning import alma
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.sound import Loaded, need

__all__ = ["Ball"]


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
        alma.score(*rows, self._used()[0], self._rule, self._scalars, predictions, activations)

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
