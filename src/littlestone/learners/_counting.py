"""What learners that count have in common: lists of counts, and near-ties that are decided in whole numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import counts as engine
from littlestone.learners._edge import Rows, check_size
from littlestone.learners._whole import check_counted
from littlestone.learners.base import Learner

__all__ = ["Counted", "Counting", "distinct", "listed", "pieces"]

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Columns = NDArray[np.uint32]

TINY = 5e-324
PIECE = 1 << 16  # entries of a long array that are looked at together


def pieces(length: int) -> Iterator[slice]:
    """Yield the parts of a long array, one after another, so that nothing else as long as it is made."""
    for start in range(0, length, PIECE):
        yield slice(start, min(start + PIECE, length))


def listed(values: Ints, places: Ints, counted: Ints) -> Ints:
    """Write a list of attributes' counts as the engine keeps it, places and columns that were 0; return its ends."""
    distinct = np.unique(np.concatenate([np.unique(values[at]) for at in pieces(len(values))]))
    found = len(distinct)
    counted[engine.COUNT, :found] = distinct
    counted[engine.SMALLER, :found] = np.arange(-1, found - 1)
    counted[engine.LARGER, :found] = [*range(1, found), engine.NONE]
    for at in pieces(len(values)):
        places[at] = np.searchsorted(distinct, values[at])
        if found <= PIECE:
            counted[engine.MEMBERS, :found] += np.bincount(places[at], minlength=found)
    if found > PIECE:
        counted[engine.MEMBERS, :found] = np.bincount(places, minlength=found)
    return np.array([0, found - 1, engine.NONE, found], dtype=np.int64)


def distinct(counted: Ints, ends: Ints) -> list[tuple[int, int]]:
    """Return the distinct counts in ascending order, each with the number of its attributes."""
    found, at = [], int(ends[engine.LEAST])
    while at != engine.NONE:
        count, members, _, larger = counted[:, at].tolist()
        found.append((count, members))
        at = larger
    return found


class Counted(ABC):
    """The machine of a learner that counts over a fixed number of attributes."""

    def __init__(self, n: int | None, *, always: bool) -> None:
        assert n is not None, "learners that count need n"
        check_size(n)
        self.theta, self._n = 0.0, n
        self._counts = np.zeros(engine.SEEN_1 + 1, dtype=np.int64)
        self._counts[engine.ALWAYS], self._counts[engine.RULING] = always, -1

    @property
    def size(self) -> int:
        """How many attributes there are."""
        return self._n

    def grow(self, size: int) -> None:
        """Do nothing: every attribute has been counted from the start, and the edge refuses what lies beyond them."""
        assert size <= self._n

    @abstractmethod
    def _play(self, start: int, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> int:
        """Play from a row on; return the row that is a near-tie, or the number of rows."""

    @abstractmethod
    def _write_gaps(self, rows: Rows, gaps: Floats, near: Codes) -> None:
        """Write w.x - theta of each row, and whether it is a near-tie."""

    @abstractmethod
    def _sign(self, active: Columns) -> int:
        """Return the sign of w.x - theta, exactly."""

    @abstractmethod
    def _threshold(self) -> float:
        """Return theta."""

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        self._check(rows)
        predictions, row = np.empty(len(outcomes), dtype=np.uint8), 0
        while (row := self._play(row, rows, outcomes, importance, predictions)) < len(outcomes):
            self._counts[engine.RULING] = self._sign(rows.indices[rows.indptr[row] : rows.indptr[row + 1]]) > 0
        self.theta = self._threshold()
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        self._check(rows)
        gaps = np.empty(len(rows.indptr) - 1)
        near = np.empty(len(gaps), dtype=np.uint8)
        self._write_gaps(rows, gaps, near)
        for row in np.flatnonzero(near).tolist():
            sign = self._sign(rows.indices[rows.indptr[row] : rows.indptr[row + 1]])
            gaps[row] = sign * max(abs(gaps[row]), TINY)
        return (gaps > 0.0).astype(np.uint8), gaps

    def _check(self, rows: Rows) -> None:
        """See that the engine, which does not look, finds every column."""
        assert int(rows.indices[rows.indptr[0] : rows.indptr[-1]].max(initial=0)) < self._n

    def seen(self) -> tuple[int, int]:
        """Return how many negative and how many positive examples were counted."""
        zero, one = self._counts[[engine.SEEN_0, engine.SEEN_1]].tolist()
        return zero, one

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        updates, promotions, demotions = self._counts[: engine.DEMOTIONS + 1].tolist()
        return updates, promotions, demotions


class Counting(Learner):
    """A learner that counts Boolean attributes, those that are off too."""

    domain = "Boolean"
    _counts_all = True

    @property
    def tie(self) -> int:
        """0: predict 1 only where it is the more probable."""
        return 0

    def _needs_n(self) -> bool:
        return True

    def _check_weights(self, importance: Floats) -> None:
        check_counted(self._owner, importance, "it counts examples")
