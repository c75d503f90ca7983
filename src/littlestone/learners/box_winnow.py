"""Box Winnow: Winnow over all axis-parallel boxes of a grid, exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.block import Block
from littlestone.bounds import Bound
from littlestone.engine.boxes import Box, Boxes, Hull, Point, heaviest_boxes
from littlestone.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.learners._edge import Rows, one_row, parts
from littlestone.learners._labels import Labels
from littlestone.learners._mapped_winnow import MappedWinnow, Rules, Sieve
from littlestone.learners._parameters import check_number, check_whole
from littlestone.learners._whole import readable
from littlestone.learners.base import Learner
from littlestone.learners.machine import Codes, Floats, Hypothesis, Machine
from littlestone.rational import Number, simplest_fraction

__all__ = ["BoxWinnow"]

CAP = 1 << 20
LARGEST_SIDE = 1 << 53  # whole numbers beyond are not all floats
MOST_DIMENSIONS = 10_000  # the numbers of boxes have many times as many bits
ROUNDING = 1e-15  # relative, of theta in floats
BACKENDS = ("local", "map")


class BoxWinnow(Learner):
    """Winnow with a weight for every axis-parallel box of a grid: it learns unions of boxes, and of intervals.

    A row is a point whose coordinates are whole numbers, 0 to m-1 in a dimension of side m; a sparse row leaves out
    those that are 0. Every box has the weight 1 at first. The value of a point is the sum of the weights of all boxes
    around it; predict 1 iff it is at least theta. On a mistake each of these weights is multiplied by alpha (promotion)
    or 1/alpha (demotion). None of the N = prod m(m+1)/2 weights is written down: a sum over the hulls of the points of
    mistakes gives the same number, exactly.

    Parameters
    ----------
    sides : int >= 1, or a tuple of them
        The side of each dimension; an int is that of all.
    alpha : number > 1
        The promotion factor, taken as the simplest fraction that rounds to it.
    theta : number > 0, or None
        The threshold; None: N, the number of boxes.
    cap : int
        The most elements of the map, or, with "local", the most pairs of ends that are tried for a point. A block that
        needs more is refused as a whole. At the default a single point can take half a second: in more than a few
        dimensions lower it.
    backend : "local" or "map"
        "local": only the points of mistakes are kept, and the boxes around a point are counted to predict it; in one
        dimension in linear time, in d dimensions up to P^(2d-1) steps for P points, mostly in floats. "map": a map of
        all hulls of those points, kept from trial to trial. The predictions are the same.

    The number of dimensions must be known: from an array, from ``begin(n)`` or from the sides. Example weights are
    whole numbers. `value` gives the exact value of a point, `heaviest` the union of boxes that the learner has come to
    believe, `sets` the size of the map (of "local": the number of distinct points kept). A dimension has no weight of
    its own: `weights` gives 0 for each, `hypothesis` None.

    Bound
    -----
    On a union of k boxes: ``alpha/(alpha-1) N/theta + k (alpha+1) (1 + log_alpha theta)`` mistakes, see
    `bounds.winnow_theorem2`; at alpha 2, theta N it is 2 + 3k (1 + log2 N).

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import BoxWinnow
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 1000, (2000, 1))
    >>> y = (X[:, 0] >= 100) & (X[:, 0] < 300) | (X[:, 0] >= 700) & (X[:, 0] < 800)
    >>> learner = BoxWinnow(sides=1000)
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, round(learner.guarantee.at(k=2).value, 1)
    (58, 121.6)
    >>> [box for box, weight in learner.heaviest(2)]
    [((701, 799),), ((102, 299),)]

    Reference
    ---------
    Maass and Warmuth, "Efficient learning with virtual threshold gates", Information and Computation 141 (1998), for
    boxes with virtual weights; the map is of this package.
    """

    domain = "whole"
    exchangeable = False  # each dimension may have a side of its own

    def __init__(
        self,
        *,
        sides: int | Sequence[int] = 1024,
        alpha: Number = 2,
        theta: Number | None = None,
        cap: int = CAP,
        backend: str = "local",
    ) -> None:
        super().__init__()
        owner = self._owner
        check_number(owner, "alpha", alpha, above=1.0)
        if theta is not None:
            check_number(owner, "theta", theta, above=0.0)
        if backend not in BACKENDS:
            raise InvalidParameter(f"{owner}: backend must be 'local' or 'map', got {backend!r}")
        self.sides: int | tuple[int, ...]
        if isinstance(sides, int | np.integer):
            self.sides = check_whole(owner, "sides", sides, most=LARGEST_SIDE)
        elif isinstance(sides, list | tuple | np.ndarray) and len(sides):
            self.sides = tuple(check_whole(owner, "sides", side, most=LARGEST_SIDE) for side in sides)
        else:
            raise InvalidParameter(f"{owner}: sides must be a whole number or a tuple of them, got {sides!r}")
        self.alpha, self.theta, self.cap, self.backend = alpha, theta, check_whole(owner, "cap", cap), backend

    def _needs_n(self) -> bool:
        return True

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        if n is None and self._machine is None and isinstance(self.sides, tuple):
            n = len(self.sides)
        return super()._started(n, fix=fix)

    def _sides(self, n: int) -> tuple[int, ...]:
        sides = (self.sides,) * n if isinstance(self.sides, int) else self.sides
        if len(sides) != n:
            raise InvalidParameter(f"{self._owner}: it has {len(sides)} sides, got n={n}; give as many as dimensions")
        return sides

    def _build(self, n: int | None) -> Machine:
        if (n or 0) > MOST_DIMENSIONS:
            raise TooLarge(
                f"{self._owner}: expected at most {MOST_DIMENSIONS:,} dimensions, got {n:,}; choose attributes first"
            )
        grid = Boxes(self._sides(n or 0))
        theta = Fraction(grid.number) if self.theta is None else simplest_fraction(self.theta)
        rules = Rules(self._owner, simplest_fraction(self.alpha), theta, self.cap, self.backend, "raise cap")
        return Points(rules, grid)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors:
            return None
        number = Boxes(self._sides(n)).number
        return bounds.winnow_theorem2(n=number, k=k, alpha=self.alpha, theta=self.theta)

    def _aligned(self, X: Any) -> tuple[Block, Sequence[Hashable]]:
        block, new = super()._aligned(X)
        n = len(self.sides) if isinstance(self.sides, tuple) else self._n
        if n is not None and block.names is None and block.n_attributes is not None and block.n_attributes != n:
            raise InvalidData(f"{self._owner}: expected points of {n} coordinates, got rows of {block.n_attributes}")
        return block, new

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows of ``X``; nothing changes."""
        machine, rows = self._read(X)
        return (self._labels or Labels()).decode(machine.predict(rows))

    def hypothesis(self) -> Hypothesis | None:
        """None: a vote among boxes is no linear threshold function."""
        return None

    @property
    def sets(self) -> int:
        """The number of elements of the map; of the local backend, that of distinct points that are kept."""
        return len(self._points()) if self._machine else 0

    def value(self, x: Any) -> Fraction:
        """Return the sum of the weights of all boxes around a point, given as to `learn_one`; exact."""
        if isinstance(x, np.ndarray):
            machine, rows = self._read(one_row(x))
        else:
            machine = self._points()
            rows = self._named(x, self._n)[1]
        machine.check(rows)
        return machine.value(machine.at(rows, 0)).exact(machine.rules.alpha)

    def heaviest(self, count: int = 10) -> list[tuple[Box, Fraction | float]]:
        """Return the heaviest boxes, lo and hi (both inside) of each dimension, with their weights.

        Only boxes that weigh more than at first are listed, each the smallest of its weight around its promoted points;
        of boxes one within the other only the heavier. A weight of thousands of digits is a float.
        """
        machine = self._points()
        try:
            found = machine.heaviest(check_whole(self._owner, "count", count))
        except TooLarge:
            raise TooLarge(
                f"{self._owner}: the heaviest boxes are among more than cap={self.cap:,} hulls; raise cap, or ask "
                "value(x) of points"
            ) from None
        return [(box, readable(machine.rules.alpha, net)) for box, net in found]

    def _read(self, X: Any) -> tuple[Points, Rows]:
        block, machine, _ = self._asked(X)
        assert isinstance(machine, Points)
        return machine, next(parts(block, None))[0]

    def _points(self) -> Points:
        machine, _ = self._started(None, fix=False)
        assert isinstance(machine, Points)
        return machine


class Points(MappedWinnow[Hull]):
    """The machine: points of a grid, and the hulls of those that were mistakes."""

    def __init__(self, rules: Rules, grid: Boxes) -> None:
        super().__init__(rules, grid, len(grid.sides))
        self.grid, self._sides = grid, np.array(grid.sides, dtype=np.int64)

    def check(self, rows: Rows) -> None:
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
            from littlestone.engine.box_sums import BoxSums  # compiled

            nets, sides, alpha = self.points(), self.grid.sides, float(self.rules.alpha)
            fits = BoxSums.fits(nets, sides, alpha)
            around = BoxSums(nets, sides, alpha, self.rules.cap).value if fits else None
            self._sieve = Sieve(None if around is None else lambda z: around(self.grid.place(z)), self.theta)
        return (0.0, inf) if self._sieve.weigh is None else self._sieve.weigh(element)

    def _says(self, element: Hull) -> int:
        """Return the prediction: by floats, unless rounding could have made it."""
        if self._map is not None:
            return super()._says(element)
        value, error = self.sums(element)
        if abs(value - self.theta) > error + ROUNDING * self.theta:
            return int(value > self.theta)
        exact, theta = self.value(element).over(self.rules)
        return int(exact >= theta)

    def _run(self, element: Hull, outcome: int, times: int, rows: int) -> int:
        """Play equal rows in one go; a single one without a map needs no value."""
        if self._map is not None or rows > 1:
            return super()._run(element, outcome, times, rows)
        wrong = int(self._says(element) != outcome)
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
        self.check(rows)
        return super().learn(rows, outcomes, importance)

    def predict(self, rows: Rows) -> Codes:
        """Return the prediction of each row; change nothing."""
        self.check(rows)
        return super().predict(rows)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the value less theta, of each row: in floats, unless that is too near to 0."""
        self.check(rows)
        if self._map is not None:
            return super().score(rows)
        predictions, activations = np.empty(len(rows.indptr) - 1, dtype=np.uint8), np.empty(len(rows.indptr) - 1)
        for r in range(len(predictions)):
            value, error = self.sums(self.at(rows, r))
            gap = value - self.theta
            if abs(gap) > error + ROUNDING * self.theta:
                predictions[r], activations[r] = gap > 0.0, gap
            else:
                one = Rows(rows.indptr[r : r + 2], rows.indices, rows.values)
                predictions[r : r + 1], activations[r : r + 1] = super().score(one)
        return predictions, activations

    def element(self, indices: NDArray[np.uint32], values: Floats) -> Hull:
        """Return a point as an element."""
        x = np.zeros(self.size, dtype=np.int64)
        x[indices] = values if len(values) else 1
        return self.grid.point(x.tolist())

    def written(self, elements: list[Hull]) -> NDArray[np.int64]:
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
