"""What regressors compute with that keep some numbers an attribute: a weight, and what its rate depends on."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar

import numpy as np

from littlestone.core.arrays import Floats, State
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import adaptive as engine
from littlestone.machines.columns import Columns, widened
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_columns, check_counts, need, within
from littlestone.parts.losses import Loss

__all__ = ["Adaptive", "Normalized"]


class Adaptive(Columns):
    """Some numbers an attribute, ``start`` before the first trial, the weight first; a learner's kernels move them.

    ``least`` is the least that its second number can be, and ``totals`` what moves once a row. ``scoring``: the kernel
    that predicts; None: by w.x.
    """

    takes_every_row = True
    kinds: ClassVar[Kinds] = {"numbers": ("<f8", 2), "constant": ("<f8", 1), "totals": ("<f8", 1), **COUNTS}
    _updates = 0

    def __init__(
        self, loss: Loss, kernel: Kept, scoring: Kept | None, own: tuple[float, ...], start: tuple[float, ...], *,
        bias: bool, totals: int = 0,
    ) -> None:  # fmt: skip
        self._kernel, self._scoring = kernel, scoring
        self._own = np.array([loss.code, loss.at, loss.tie, bias, *own], dtype=np.float64)
        self._numbers = np.array([start], dtype=np.float64)
        self._constant = self._numbers.copy()
        self._totals, self._counts = np.zeros(totals), np.zeros(3, dtype=np.int64)
        self._bias, self._least = bias, float(start[1])

    def learn(self, rows: Rows, outcomes: Floats, importance: Floats) -> Floats:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes))
        self._kernel.code(
            *rows, outcomes, importance, self._numbers, self._constant, self._totals, self._counts, self._own,
            predictions,
        )  # fmt: skip
        return predictions

    def score(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return the predictions and the score of each row."""
        predictions, activations = np.empty(len(rows.indptr) - 1), np.empty(len(rows.indptr) - 1)
        code: Any = engine.score if self._scoring is None else self._scoring.code
        code(*rows, self._numbers, self._constant, self._own, predictions, activations)
        return predictions, activations

    def _widen(self, old: int, size: int) -> None:
        self._numbers = widened(self._numbers, old, size, axis=0)
        self._size = size

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""
        columns = np.minimum(np.arange(size), self.size)
        return self._weighed(self._numbers[columns]), float(self._weighed(self._constant)[0]) if self._bias else 0.0

    def _weighed(self, numbers: Floats) -> Floats:
        return numbers[:, 0].copy()

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {
            "numbers": self._numbers[: self.size + 1].T.copy(),  # a row each
            "constant": self._constant[0].copy(),
            "totals": self._totals.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._numbers = np.array(state["numbers"].T, dtype=np.float64, order="C")
        self._size = len(self._numbers) - 1
        self._constant = state["constant"][np.newaxis].copy()
        self._totals, self._counts = state["totals"].copy(), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check the numbers of each attribute, as kernels hold them."""
        super().check(state)
        check_columns(state["numbers"], self._numbers.shape[1])
        need(state["constant"].shape == self._constant[0].shape, "numbers of the constant coordinate")
        for numbers in (state["numbers"], state["constant"][:, np.newaxis]):
            need(within(numbers[0], -engine.MOST, engine.MOST), "weights that are held")
            need(within(numbers[1:2], self._least, inf) and within(numbers[2:], 0.0, inf), "numbers of a rate")
        need(state["totals"].shape == self._totals.shape and within(state["totals"], 0.0, inf), "totals of rows")
        check_counts(state, 3)


class Normalized(Adaptive):
    """Weights of attributes in the unit of their largest value so far, which is the third number of each."""

    def _weighed(self, numbers: Floats) -> Floats:
        unit = np.where(numbers[:, 2] > 0.0, numbers[:, 2], 1.0)
        with np.errstate(over="ignore"):
            return np.clip(numbers[:, 0] / unit, -engine.MOST, engine.MOST)
