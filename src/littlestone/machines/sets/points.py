"""The machine of Winnow over boxes: the points of all mistakes."""

from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.errors import InvalidData
from littlestone.core.rows import Rows
from littlestone.machines.sets.boxes import Box, Boxes, BoxSums, Hull, Point, heaviest_boxes
from littlestone.machines.sets.mapped_winnow import MappedWinnow, Rules, Sieve
from littlestone.machines.sound import Kinds, Loaded, need

__all__ = ["ROUNDING", "Points"]

ROUNDING = 1e-15  # relative, of theta in floats


class Points(MappedWinnow[Hull]):
    """The machine: points of a grid, and the hulls of those that were mistakes."""

    kinds: ClassVar[Kinds] = {**MappedWinnow.kinds, "stored": ("<i8", 2), "closed": ("<i8", 2)}

    def __init__(self, rules: Rules, grid: Boxes) -> None:
        super().__init__(rules, grid, len(grid.sides))
        self.grid, self._sides = grid, np.array(grid.sides, dtype=np.int64)

    def check_rows(self, rows: Rows) -> None:
        """Refuse points outside of the grid."""
        first, last = rows.indptr[0], rows.indptr[-1]
        columns = rows.indices[first:last]
        values = rows.values[first:last] if len(rows.values) else np.ones(len(columns))
        bad = np.flatnonzero(values >= self._sides[columns])
        if len(bad):
            at = int(bad[0])
            row, i = int(np.searchsorted(rows.indptr, first + at, side="right")) - 1, int(columns[at])
            raise InvalidData(
                f"{self.rules.owner}: row {row}, attribute {i}: expected a whole number from 0 to "
                f"{self._sides[i] - 1}, got {values[at]:g}; begin with larger sides"
            )

    def __getstate__(self) -> dict[str, Any]:
        """Leave what can be made again out of pickles and copies: it holds compiled things."""
        return {**self.__dict__, "_sieve": None}

    def sums(self, element: Hull) -> tuple[float, float]:
        """Return the value of a point in floats, from the points that are kept, and a bound on its error."""
        if self._sieve is None:
            nets, sides, alpha = self.points(), self.grid.sides, float(self.rules.alpha)
            fits = BoxSums.fits(nets, sides, alpha)
            around = BoxSums(nets, sides, alpha, self.rules.cap).value if fits else None
            self._sieve = Sieve(None if around is None else lambda z: around(self.grid.place(z)), self.theta)
        return (0.0, inf) if self._sieve.weigh is None else self._sieve.weigh(element)

    def _predicted(self, element: Hull) -> int:
        """Return the prediction: by floats, unless rounding could have made it."""
        if self._map is not None:
            return super()._predicted(element)
        value, error = self.sums(element)
        if abs(value - self.theta) > error + ROUNDING * self.theta:
            return int(value > self.theta)
        exact, theta = self.value(element).over(self.rules)
        return int(exact >= theta)

    def _run(self, element: Hull, outcome: int, times: int, rows: int) -> int:
        """Play equal rows in one go; a single one without a map needs no value."""
        if self._map is not None or rows > 1:
            return super()._run(element, outcome, times, rows)
        wrong = int(self._predicted(element) != outcome)
        if wrong and times:
            self.store(element, times if outcome else -times)
            self._counts[1] += 1
            self._counts[2 if outcome else 3] += 1
        self._counts[0] += 1
        return wrong

    def points(self) -> dict[Point, int]:
        """Return promotions less demotions of each point, where they differ."""
        return {self.grid.place(point): net for point, net in self.nets.items()}

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""
        self.check_rows(rows)
        return super().learn(rows, outcomes, importance)

    def predict(self, rows: Rows) -> Codes:
        """Return the prediction of each row; change nothing."""
        self.check_rows(rows)
        return super().predict(rows)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the value less theta, of each row: in floats, unless that is too near to 0."""
        self.check_rows(rows)
        if self._map is not None:
            return super().score(rows)
        predictions, activations = np.empty(len(rows.indptr) - 1, dtype=np.uint8), np.empty(len(rows.indptr) - 1)
        for r in range(len(predictions)):
            value, error = self.sums(self.at(rows, r))
            gap = value - self.theta
            if abs(gap) > error + ROUNDING * self.theta:
                predictions[r], activations[r] = gap > 0.0, gap
            else:
                one = rows.some(slice(r, r + 1))
                predictions[r : r + 1], activations[r : r + 1] = super().score(one)
        return predictions, activations

    def element(self, indices: Columns, values: Floats) -> Hull:
        """Return a point as an element."""
        x = np.zeros(self.size, dtype=np.int64)
        x[indices] = values if len(values) else 1
        return self.grid.point(x.tolist())

    def written(self, elements: list[Hull]) -> Ints:
        """Return hulls as rows of numbers."""
        return np.array(elements, dtype=np.int64).reshape(len(elements), 2 * self.size)

    def read(self, array: NDArray[Any]) -> list[Hull]:
        """Return hulls from rows of numbers."""
        return list(map(tuple, array.tolist()))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return 0 for each dimension: boxes have weights, dimensions have none."""
        return np.zeros(size), 0.0

    def heaviest(self, count: int) -> list[tuple[Box, int]]:
        """Return the heaviest boxes and their exponents of alpha."""
        return heaviest_boxes(self.points(), count, self.rules.cap)

    def _check_elements(self, name: str, state: Loaded) -> list[Hull]:
        """Return the points of the grid that are stored, or the hulls in the map: boxes of the grid, or all of it."""
        array, d, m = state[name], self.size, self._sides
        inside = array.shape[1] == 2 * d and bool(((array >= 1) & (array <= np.tile(m, 2))).all())
        both = array[:, :d] + array[:, d:] if inside else array
        if name == "stored":
            need(inside and (both == m + 1).all(), "stored points of the grid")
        else:
            boxes = inside and ((both <= m + 1).all(axis=1) | (array == np.tile(m, 2)).all(axis=1)).all()
            need(boxes, "closed hulls of the grid")
        return self.read(array)
