"""What least squares compute with: the weights, and the inverse of A = a 1 + sum of x x' in factors."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from littlestone.core.arrays import Floats, State
from littlestone.core.rows import Rows
from littlestone.engine.learning import least_squares as engine
from littlestone.machines.columns import Columns
from littlestone.machines.moments import MOST_COORDINATES, check_full
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need, within

__all__ = ["LeastSquares"]


class LeastSquares(Columns):
    """The weights that fit the rows so far best, but for ``a`` times the square of their length.

    With ``foresees`` a prediction is made with the present row in A. The inverse of A is L' D L with ones on the
    diagonal of L: ``factor`` and ``variance``, whose entries after those of the last coordinate are the spare ones.
    """

    kinds: ClassVar[Kinds] = {
        "factor": ("<f8", 2), "variance": ("<f8", 1), "mean": ("<f8", 1), "totals": ("<f8", 1), **COUNTS,
    }  # fmt: skip
    _updates = 0

    def __init__(self, owner: str, a: float, *, foresees: bool, bias: bool) -> None:
        self._owner, self._bias, self._first = owner, int(bias), min(1.0 / a, engine.STEEP)
        self._kind = np.array([bias, 0, foresees], dtype=np.int64)
        self._totals, self._counts = np.zeros(2), np.zeros(3, dtype=np.int64)
        self._room(self._bias)

    def _room(self, size: int) -> None:
        """Make room for so many coordinates, of which nothing is known."""
        self._factor, self._mean = np.zeros((size, size)), np.zeros(size)
        self._variance = np.full(size + 1, self._first)

    @property
    def size(self) -> int:
        """How many attributes have weights of their own."""
        return int(self._kind[engine.SIZE])

    @property
    def log_det(self) -> float:
        """``ln det(A/a)``, which bounds on the regret of least squares have."""
        return float(self._totals[engine.LOG_DET])

    @property
    def largest(self) -> float:
        """The largest outcome so far, by its size."""
        return float(self._totals[engine.Y])

    def learn(self, rows: Rows, outcomes: Floats, importance: Floats) -> Floats:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes))
        engine.learn(
            *rows, outcomes, importance, self._factor, self._variance, self._mean, self._kind, self._totals,
            self._counts, predictions,
        )  # fmt: skip
        return predictions

    def score(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return the predictions of each row, twice."""
        predictions, activations = np.empty(len(rows.indptr) - 1), np.empty(len(rows.indptr) - 1)
        engine.score(*rows, self._factor, self._variance, self._mean, self._kind, predictions, activations)
        return predictions, activations

    def grow(self, size: int) -> None:
        """Give weights to ``size`` attributes; newcomers vary by themselves."""
        if size > self.size:
            check_full(self._owner, size, bias=bool(self._bias))
        super().grow(size)

    def _widen(self, old: int, size: int) -> None:
        before, after = old + self._bias, size + self._bias
        if after > len(self._mean):
            factor, variance, mean = self._factor, self._variance, self._mean
            self._room(min(after + before // 2, MOST_COORDINATES))
            self._factor[:before, :before], self._mean[:before] = factor[:before, :before], mean[:before]
            self._variance[:before] = variance[:before]
        self._kind[engine.SIZE] = size

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""
        known = self._mean[self._bias : self.size + self._bias]
        found = np.zeros(size)
        found[: self.size] = known[:size]
        return found, float(self._mean[0]) if self._bias else 0.0

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        used = self.size + self._bias
        return {
            "factor": self._factor[:used, :used].copy(),
            "variance": self._variance[:used].copy(),
            "mean": self._mean[:used].copy(),
            "totals": self._totals.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        used = len(state["mean"])
        self._room(used)
        self._factor[:], self._mean[:], self._variance[:used] = state["factor"], state["mean"], state["variance"]
        self._kind[engine.SIZE] = used - self._bias
        self._totals, self._counts = state["totals"].copy(), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check factors of all coordinates: L below its diagonal, and D no larger than it was."""
        super().check(state)
        factor, size = state["factor"], len(state["mean"])
        need(self._bias <= size <= MOST_COORDINATES, "a weight of each coordinate")
        need(factor.shape == (size, size) and within(factor, -engine.STEEP, engine.STEEP), "a factor that is held")
        need(not any(factor[k, k:].any() for k in range(size)), "a factor below its diagonal")
        variance = state["variance"]
        need(variance.shape == (size,) and within(variance, 0.0, self._first), "variances of all coordinates")
        need(within(state["mean"], -engine.MOST, engine.MOST), "weights that are held")
        need(state["totals"].shape == (2,) and within(state["totals"], 0.0, inf), "what was seen of rows and outcomes")
        check_counts(state, 3)
