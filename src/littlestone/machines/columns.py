"""Machines whose numbers grow with the attributes, those of a spare attribute last."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.rows import Rows, check_size
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_columns, check_counts, need

__all__ = ["PIECE", "ROUNDING", "ColumnMachine", "Columns", "pieces", "widened"]

ROUNDING = {"float64": 1e-9, "float32": 1e-5}  # relatively: what sums of many floats may be wrong by
PIECE = 1 << 16  # entries of a long array that are looked at together


def pieces(length: int) -> Iterator[slice]:
    """Yield the parts of a long array, one after another, so that nothing else as long as it is made."""
    for start in range(0, length, PIECE):
        yield slice(start, min(start + PIECE, length))


def widened(array: NDArray[Any], old: int, size: int, axis: int = 1) -> NDArray[Any]:
    """Return an array with numbers of ``size`` attributes, where it has ``old``; the newcomers' are the spare ones'.

    >>> widened(np.array([[1, 2, 9]]), 2, 4)[:, :5].tolist()
    [[1, 2, 9, 9, 9]]
    """
    every = (slice(None),) * axis
    if size >= array.shape[axis]:
        # Room for half as many again, so that growing costs a constant an attribute.
        wider = np.empty((*array.shape[:axis], size + 1 + old // 2, *array.shape[axis + 1 :]), dtype=array.dtype)
        wider[*every, : old + 1] = array[*every, : old + 1]
        array = wider
    array[*every, old + 1 : size + 1] = array[*every, old : old + 1].copy()  # or NumPy copies it for each
    return array


class Columns(Machine):
    """Numbers for each attribute, and after the last one's the spare ones: those of one that nobody has seen."""

    def grow(self, size: int) -> None:
        """Give numbers of their own to ``size`` attributes: copies of the spare ones, which stay the last."""
        if size > self.size:
            check_size(size)
            self._widen(self.size, size)

    @abstractmethod
    def _widen(self, old: int, size: int) -> None:
        """Have ``size`` attributes where there were ``old``, which are fewer."""

    def unseen(self) -> float:
        """Return what an attribute weighs that nobody has seen."""
        return float(self.weights(self.size + 1)[0][-1])

    def _rounding(self, weights: Floats, constant: float) -> float:
        del weights, constant
        return ROUNDING["float64"]


class ColumnMachine(Columns):
    """A column an attribute, and after the last one the spare: what an attribute looks like that nobody has seen.

    Besides, scalars that move, and counts: trials, updates, promotions and demotions first.
    """

    kinds: ClassVar[Kinds] = {"vectors": ("<f8", 2), "scalars": ("<f8", 1), **COUNTS}
    infinite = frozenset({"scalars"})
    takes_every_row = True
    said: ClassVar[type] = np.uint8  # the type of predictions

    def __init__(self, spare: list[float], scalars: list[float]) -> None:
        self._columns = np.array(spare, dtype=np.float64)[:, np.newaxis]
        self._scalars = np.array(scalars, dtype=np.float64)
        self._counts = np.zeros(4, dtype=np.int64)

    def _widen(self, old: int, size: int) -> None:
        self._columns = widened(self._columns, old, size)
        self._size = size

    def _used(self) -> Floats:
        return self._columns[:, : self._size + 1]

    @abstractmethod
    def _learn(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> None:
        """Play a block, and write the predictions."""

    @abstractmethod
    def _score(self, rows: Rows, predictions: Codes, activations: Floats) -> None:
        """Write the predictions and w.x - theta of each row."""

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions: NDArray[Any] = np.empty(len(outcomes), dtype=self.said)
        self._learn(rows, outcomes, importance, predictions)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        predictions: NDArray[Any] = np.empty(len(rows.indptr) - 1, dtype=self.said)
        activations = np.empty(len(predictions))
        self._score(rows, predictions, activations)
        return predictions, activations

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {"vectors": self._used().copy(), "scalars": self._scalars.copy(), "counts": self._counts.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self._columns = np.array(state["vectors"], dtype=np.float64, order="C")
        self._size = self._columns.shape[1] - 1
        self._scalars, self._counts = state["scalars"].copy(), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check that there are rows of columns, scalars and counts, as many as a new machine has."""
        super().check(state)
        check_columns(state["vectors"], len(self._columns))
        need(state["scalars"].shape == self._scalars.shape, f"{len(self._scalars)} numbers that move")
        check_counts(state, 4)
