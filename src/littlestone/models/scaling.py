"""Scaling: columns of real numbers in units of their own spread, learned on-line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidModel

__all__ = ["Scale", "Scaling"]

FARTHEST = 10.0  # standard deviations: where values are held
MOST = 1e140  # its square is still a number


class Scale(NamedTuple):
    """How a column is scaled now: ``(value - mean) / deviation``, held in [-10, 10]."""

    mean: float
    deviation: float  # 0: all values so far are equal, and count as 0


class Scaling:
    """The columns of real numbers of a table, each in standard deviations from its mean, as far as they are known.

    A value is scaled by the mean and the standard deviation of the values *before* it in its column, so that a row is
    predicted as it is learned; then it counts itself. The first value, and values as long as all are equal, are 0, as
    a missing value is: it stands at the mean. What is learned of a weight stays when a scale moves: a weight speaks of
    standard deviations, whatever they are, and after some hundred rows they hardly move. Values are held within 10
    standard deviations.

    The sums are added up value by value, from the column's first value, in the order of the rows: the bits do not
    depend on how rows come in blocks.

    >>> import littlestone as ls
    >>> scaling = Scaling(["size"])
    >>> block = replace(ls.from_arrays([[10.0], [14.0], [12.0], [16.0]], [0, 1, 0, 1]).block, names=("size",))
    >>> scaling.learned(block).values.tolist()  # of the first three nothing is left
    [2.449489742783178]
    >>> scaling["size"]
    Scale(mean=13.0, deviation=2.23606797749979)
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        self._counts = np.zeros(len(self.columns), dtype=np.int64)
        self._sums = np.zeros((3, len(self.columns)))  # the first value; of what others have more, the sum and squares

    def __getitem__(self, column: str) -> Scale:
        return self._scale(self.columns.index(column))

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.from_state(self.columns, self.state())

    def learned(self, block: Block) -> Block:
        """Return rows as they are learned, each by the rows before it, and count them."""
        values = _values(block)
        for at, entries in self._entries(block):
            values[entries] = self._counted(at, values[entries])
        return _with(block, values)

    def scaled(self, block: Block) -> Block:
        """Return rows as they are predicted; nothing changes."""
        values = _values(block)
        for at, entries in self._entries(block):
            values[entries] = _held(values[entries], *self._scale(at))
        return _with(block, values)

    def undone(self, column: str, value: float) -> float:
        """Return what a scaled value of a column stands for in its own units."""
        scale = self[column]
        return scale.mean + scale.deviation * value

    def _entries(self, block: Block) -> Iterator[tuple[int, Ints]]:
        """Yield each column with the places of its entries, in the order of the rows."""
        names = block.names
        if names is None or not len(block):
            return
        first = int(block.indptr[0])
        indices = block.indices[first:]
        known = {name: at for at, name in enumerate(self.columns)}
        left = len(known)
        for column, name in enumerate(names):  # columns of numbers stand first
            if not left:
                break
            if name in known:
                left -= 1
                yield known[str(name)], np.flatnonzero(indices == column)

    def _counted(self, at: int, values: Floats) -> Floats:
        """Return the values of a column, each scaled by those before it, and count them."""
        if not len(values):
            return values
        if not self._counts[at]:
            self._sums[0, at] = values[0]
        first, total, squares = self._sums[:, at].tolist()
        more = np.clip(values - first, -MOST, MOST)
        totals, all_squares = np.cumsum(np.append(total, more)), np.cumsum(np.append(squares, more * more))
        counts = np.maximum(self._counts[at] + np.arange(len(values)), 1)
        means = totals[:-1] / counts
        deviations = np.sqrt(np.maximum(all_squares[:-1] / counts - means * means, 0.0))
        self._counts[at] += len(values)
        self._sums[1:, at] = totals[-1], all_squares[-1]
        return _held(values, first + means, deviations)

    def _scale(self, at: int) -> Scale:
        first, total, squares = self._sums[:, at].tolist()
        count = max(int(self._counts[at]), 1)
        mean = total / count
        return Scale(first + mean, float(np.sqrt(max(squares / count - mean * mean, 0.0))))

    # Written down

    def state(self) -> State:
        """Return the counts and sums of all columns."""
        return {"scaled": self._counts.copy(), "sums": self._sums.copy()}

    @classmethod
    def from_state(cls, columns: Sequence[str], state: Mapping[str, NDArray[Any]]) -> Self:
        """Go on from what `state` gave; refuse what no game leads to."""
        made = cls(columns)
        if len(set(made.columns)) < len(made.columns):
            raise InvalidModel("scaling: expected each column once, got one twice")
        counts, sums = state["scaled"], state["sums"]
        sound = counts.dtype == np.int64 and counts.shape == (len(made.columns),) and bool((counts >= 0).all())
        if not sound or sums.dtype != np.float64 or sums.shape != (3, len(counts)) or not np.isfinite(sums).all():
            raise InvalidModel("scaling: expected the counts and sums of each scaled column, got others")
        if (sums[2] < 0.0).any() or (sums[:, counts == 0] != 0.0).any():
            raise InvalidModel("scaling: expected sums of squares and of values that came, got others")
        made._counts, made._sums = counts.copy(), sums.copy()
        return made


def _values(block: Block) -> Floats:
    first = int(block.indptr[0])
    return np.ones(len(block.indices) - first) if block.values is None else block.values[first:].copy()


def _with(block: Block, values: Floats) -> Block:
    first = int(block.indptr[0])
    indptr, indices, kept = block.indptr - first, block.indices[first:], values != 0.0
    if not kept.all():  # blocks have no stored zeros
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept)))[indptr]
        indices, values = indices[kept], values[kept]
    return replace(block, indptr=indptr, indices=indices, values=values, checked=True)


def _held(values: Floats, means: Any, deviations: Any) -> Floats:
    """Return values in standard deviations from the mean; without a deviation they count as 0."""
    spread = np.where(np.asarray(deviations) > 0.0, deviations, np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.clip((values - means) / spread, -FARTHEST, FARTHEST))
