"""The weights of all boxes around a point in floats, with a bound on their error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log2, prod

import numpy as np

from littlestone.engine.sets.box_sums import NONE, around
from littlestone.machines.sets.boxes import Point

__all__ = ["BoxSums"]

MOST_BITS = 1000  # of a number that floats are to hold
ERROR = 1e-9  # relative, of a sum: far more than rounding makes of it


class BoxSums:
    """Sums as `box_numbers` has them, in floats.

    >>> sums = BoxSums({(1,): 1, (2,): 1, (4,): -1}, (5,), 2.0, cap=100)
    >>> sums.value((2,))[0]  # 1 of weight 1, 4 of 2, 4 of 4
    25.0
    """

    def __init__(self, nets: Mapping[Point, int], sides: Sequence[int], alpha: float, cap: int) -> None:
        d = len(sides)
        self.sides, self.cap = np.array(sides, dtype=np.int64), cap
        self.points = np.array(list(nets), dtype=np.int64).reshape(len(nets), d)
        self.nets = np.array(list(nets.values()), dtype=np.int64)
        self.orders = np.argsort(self.points, axis=0, kind="stable").T.copy()
        self.least = int(self.nets[self.nets < 0].sum())
        most = int(self.nets[self.nets > 0].sum())
        self.powers = alpha ** np.arange(self.least, most + 1, dtype=np.float64)

    @staticmethod
    def fits(nets: Mapping[Point, int], sides: Sequence[int], alpha: float) -> bool:
        """Tell whether no number leaves the floats."""
        return sum(map(abs, nets.values())) * log2(alpha) + log2(prod(sides)) * 2 < MOST_BITS

    def value(self, z: Point) -> tuple[float, float]:
        """Return the sum of weights of the boxes around ``z`` and a bound on its error: infinite beyond the cap."""
        at = np.array(z, dtype=np.int64)
        total = around(at, self.sides, self.points, self.nets, self.orders, self.powers, -self.least, self.cap)
        return (0.0, inf) if total == NONE else (total, ERROR * total)
