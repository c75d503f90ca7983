"""Box Winnow: Winnow over all axis-parallel boxes of a grid, exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Labels
from littlestone.core.parameters import anything, check_whole, choice, number, whole
from littlestone.core.rational import Number, readable, simplest_fraction
from littlestone.core.rows import Rows, one_row, parts
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.sets.boxes import Box, Boxes
from littlestone.machines.sets.mapped_winnow import Rules
from littlestone.machines.sets.points import Points

__all__ = ["BoxWinnow"]

CAP = 1 << 20
LARGEST_SIDE = 1 << 53  # whole numbers beyond are not all floats
MOST_DIMENSIONS = 10_000  # the numbers of boxes have many times as many bits
BACKENDS = ("local", "map")


def _sides(owner: str, name: str, value: Any) -> int | tuple[int, ...]:
    if isinstance(value, int | np.integer):
        return check_whole(owner, name, value, most=LARGEST_SIDE)
    if isinstance(value, list | tuple | np.ndarray) and len(value):
        return tuple(check_whole(owner, name, side, most=LARGEST_SIDE) for side in value)
    raise InvalidParameter(f"{owner}: {name} must be a whole number or a tuple of them, got {value!r}")


class BoxWinnow(Learner):
    """Winnow with a weight for every axis-parallel box of a grid: it learns unions of boxes, and of intervals.

    A row is a point whose coordinates are whole numbers, 0 to m-1 in a dimension of side m; a sparse row leaves out
    those that are 0. Every box has the weight 1 at first. The value of a point is the sum of the weights of all boxes
    around it; predict 1 iff it is at least theta. On a mistake each of these weights is multiplied by alpha (promotion)
    or 1/alpha (demotion). None of the N = prod m(m+1)/2 weights is written down: a sum over the hulls of the points of
    mistakes gives the same number, exactly.

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
    narrow = True
    exchangeable = False  # each dimension may have a side of its own
    tells_n = ("stored", (-1, "2n"))
    sides: int | tuple[int, ...] = anything(
        default=1024,
        takes="int >= 1, or a tuple of them",
        check=_sides,
        says="The side of each dimension; an int is that of all.",
    )
    alpha: Number = number(
        default=2, above=1, says="The promotion factor, taken as the simplest fraction that rounds to it."
    )
    theta: Number | None = number(default=None, above=0, says="The threshold; None: N, the number of boxes.")
    cap: int = whole(
        default=CAP,
        says='The most elements of the map, or, with "local", the most pairs of ends that are tried for a point. A '
        "block that needs more is refused as a whole. At the default a single point can take half a second: in "
        "more than a few dimensions lower it.",
    )
    backend: str = choice(
        default="local",
        among=BACKENDS,
        says='"local": only the points of mistakes are kept, and the boxes around a point are counted to predict it; '
        "in one dimension in linear time, in d dimensions up to P^(2d-1) steps for P points, mostly in floats. "
        '"map": a map of all hulls of those points, kept from trial to trial. The predictions are the same.',
    )

    def _needs_n(self) -> bool:
        return True

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        if (n is None or not fix) and self._machine is None and isinstance(self.sides, tuple):
            n = len(self.sides)  # a frame may have fewer of the names, or more
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
        machine.check_rows(rows)
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
        return of_kind(machine, Points), next(parts(block, None))[0]

    def _points(self) -> Points:
        return of_kind(self._started(None, fix=False)[0], Points)
