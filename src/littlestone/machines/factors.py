"""The machines of learners whose weights are multiplied: pairs of weights, and weights with a floor."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Floats
from littlestone.core.rows import Rows
from littlestone.engine.learning import factors
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.sound import Loaded, need, within

__all__ = ["Floored", "Pairs", "U", "V"]

U, V = 2.0, 1.0  # both models before the first trial


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

    def share(self, values: Floats) -> float:
        """Return 1 / sum(x), the constant coordinate counted; 1 for a row of nothing."""
        return 1.0 / (float(values.sum() + self._rule[factors.BIAS]) or 1.0)

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
        factors.score_floored(*rows, self._columns[0], self._rule, predictions, activations)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes."""
        return self._columns[0, np.minimum(np.arange(size), self.size)], 0.0

    def check(self, state: Loaded) -> None:
        """Check that weights are between the floor and where they are held."""
        super().check(state)
        need(within(state["vectors"], float(self._rule[factors.FLOOR]), factors.MOST), "weights from the floor on")
