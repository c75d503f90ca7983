"""Columns: a machine whose weights are the columns of one array, the spare one last."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.rows import Rows, check_size

__all__ = ["ColumnMachine"]


class ColumnMachine(ABC):
    """A column an attribute, and after the last one the spare: what an attribute looks like that nobody has seen.

    Besides, scalars that move, and counts: trials, updates, promotions and demotions first.
    """

    takes_every_row = True

    theta = 0.0

    def __init__(self, spare: list[float], scalars: list[float]) -> None:
        self._columns = np.array(spare, dtype=np.float64)[:, np.newaxis]
        self._scalars = np.array(scalars, dtype=np.float64)
        self._counts = np.zeros(4, dtype=np.int64)
        self._size = 0

    @property
    def size(self) -> int:
        """How many attributes have weights of their own."""
        return self._size

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes: copies of the spare column, which stays the last."""
        old = self._size
        if size <= old:
            return
        check_size(size)
        if size >= self._columns.shape[1]:
            # Room for half as many again, so that growing costs a constant an attribute.
            wider = np.empty((self._columns.shape[0], size + 1 + old // 2))
            wider[:, : old + 1] = self._columns[:, : old + 1]
            self._columns = wider
        self._columns[:, old + 1 : size + 1] = self._columns[:, old : old + 1].copy()  # or NumPy copies it for each
        self._size = size

    def share(self, values: Floats) -> float:
        """Return what a row of these values is multiplied by before it is scored."""
        del values
        return 1.0

    def _used(self) -> Floats:
        return self._columns[:, : self._size + 1]

    @abstractmethod
    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        """Play a block, and write the predictions."""

    @abstractmethod
    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        """Write the predictions and w.x - theta of each row."""

    @abstractmethod
    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        self._learn(rows, outcomes, importance, predictions)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        predictions = np.empty(len(rows.indptr) - 1, dtype=np.uint8)
        activations = np.empty(len(predictions))
        self._score(rows, predictions, activations)
        return predictions, activations

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        updates, promotions, demotions = self._counts[1:4].tolist()
        return updates, promotions, demotions

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {"vectors": self._used().copy(), "scalars": self._scalars.copy(), "counts": self._counts.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self._columns = np.array(state["vectors"], dtype=np.float64, order="C")
        self._size = self._columns.shape[1] - 1
        self._scalars, self._counts = state["scalars"].copy(), state["counts"].copy()
