"""Axis-parallel boxes of a grid as concepts: a point is true of the boxes around it, a meet is a hull.

A hull from lo to hi has ``(lo+1) (m-hi)`` intervals around it in a dimension of m places, 0 to m-1. These factors,
those of all lo and then those of all hi, are the element: the hull of two is the smaller one of each factor.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf, log2, prod

import numpy as np

from littlestone.core.arrays import Ints
from littlestone.core.errors import TooLarge
from littlestone.engine.sets.box_sums import NONE, around
from littlestone.machines.sets.closures import Lattice

__all__ = ["Box", "BoxSums", "Boxes", "Hull", "Point", "box_numbers", "heaviest_boxes"]

Point = tuple[int, ...]
Hull = tuple[int, ...]
Box = tuple[tuple[int, int], ...]

SIEVED = 100  # elements: fewer are summed as fast exactly
MOST_BITS = 1000  # of a number that floats are to hold
ROUNDING = 2.3e-16
ERROR = 1e-9  # relative, of a sum: far more than rounding makes of it
AT_ONCE = 1 << 12  # boxes whose points are counted at a time


class Boxes(Lattice[Hull]):
    """All boxes of a grid with these sides.

    >>> grid = Boxes((4, 6))
    >>> a, b = grid.point((1, 5)), grid.point((2, 3))
    >>> hull = grid.meet(a, b)
    >>> grid.box(hull), grid.count(hull), grid.count(grid.top)  # 2 * 2 intervals around 1..2, 4 * 1 around 3..5
    (((1, 2), (3, 5)), 16, 210)
    """

    def __init__(self, sides: Sequence[int]) -> None:
        self.sides = tuple(sides)
        self.top = self.sides * 2  # no point yet
        self.number = prod(m * (m + 1) // 2 for m in self.sides)

    def point(self, x: Sequence[int]) -> Hull:
        """Return the element of a point."""
        return (*(at + 1 for at in x), *(m - at for m, at in zip(self.sides, x, strict=True)))

    def place(self, point: Hull) -> Point:
        """Return the point whose element this is."""
        return tuple(lo - 1 for lo in point[: len(self.sides)])

    def box(self, hull: Hull) -> Box:
        """Return the box that is the hull, lo and hi of each dimension."""
        d = len(self.sides)
        return tuple((lo - 1, m - hi) for lo, hi, m in zip(hull[:d], hull[d:], self.sides, strict=True))

    def meet(self, a: Hull, b: Hull) -> Hull:
        """Return the hull of both."""
        return tuple(map(min, a, b))

    def count(self, element: Hull) -> int:
        """Return the number of boxes around a hull."""
        return self.number if element == self.top else prod(element)

    def sieve(self, coefficients: Mapping[Hull, int]) -> Callable[[Hull], tuple[float, float]] | None:
        """Return a function that weighs in floats, where they are large enough."""
        largest, size = max(map(abs, coefficients.values())), len(coefficients)
        if size < SIEVED or sum(number.bit_length() for number in (largest, size, prod(self.top))) > MOST_BITS:
            return None
        hulls = np.array(list(coefficients), dtype=np.float64)
        weights = np.fromiter(map(float, coefficients.values()), np.float64, size)

        def weigh(z: Hull) -> tuple[float, float]:
            terms = weights * np.minimum(hulls, z).prod(axis=1)
            return float(terms.sum()), ROUNDING * (size + 2 * len(z) + 16) * float(np.abs(terms).sum())

        return weigh

    def inside(self, z: Hull, nets: Mapping[Hull, int], alpha: Fraction, cap: int | None = None) -> tuple[int, int]:
        """Return numerator and denominator of the sum of weights of the boxes around a point, by `box_numbers`."""
        at, p, q = self.place(z), alpha.numerator, alpha.denominator
        numbers = box_numbers(at, self.sides, [(self.place(x), net) for x, net in nets.items()], cap)
        least, most = min(0, *numbers), max(0, *numbers)
        total = sum(number * p ** (e - least) * q ** (most - e) for e, number in numbers.items())
        return total, p**-least * q**most


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


def box_numbers(
    z: Point, sides: Sequence[int], nets: Sequence[tuple[Point, int]], cap: int | None = None
) -> dict[int, int]:
    """Return how many boxes around ``z`` have which sum of the nets of the points in them.

    An interval around z has a left and a right part, so that in one dimension two lists of sums are multiplied; other
    dimensions are tried one pair of ends after the other, the ends between two points together. More than ``cap`` pairs
    are refused.

    >>> box_numbers((2,), (5,), [((1,), 1), ((2,), 1), ((4,), -1)])  # [2,2], [2,3]: 1; [0..1, 2..3]: 2; [2,4]: 0; ...
    {1: 4, 0: 1, 2: 4}
    """
    ends = [_ends(at, m, sorted({x[i] for x, _ in nets})) for i, (at, m) in enumerate(zip(z, sides, strict=True))]
    order = sorted(range(len(z)), key=lambda i: len(ends[i][0]) * len(ends[i][1]))  # the longest lists last
    work = prod(len(ends[i][0]) * len(ends[i][1]) for i in order[:-1])
    if cap is not None and work > cap:
        raise TooLarge(f"boxes: expected at most cap={cap:,} pairs of ends, got {work:,}; raise the cap")
    # Dimensions with one pair of ends only, however many there are, come first, and need no trying.
    ways = 1
    while len(order) > 1 and len(ends[order[0]][0]) == len(ends[order[0]][1]) == 1:
        i = order.pop(0)
        [(low, below)], [(high, above)] = ends[i]
        nets, ways = [(x, net) for x, net in nets if low <= x[i] <= high], ways * below * above
    turned = [(tuple(x[i] for i in order), net) for x, net in nets]
    found = _numbers([z[i] for i in order], [ends[i] for i in order], turned)
    return {total: number * ways for total, number in found.items()}


Ends = tuple[list[tuple[int, int]], list[tuple[int, int]]]


def _ends(z: int, m: int, places: Sequence[int]) -> Ends:
    """Return the lower and upper ends of intervals around z: those that add a place, and how many add no other."""
    lower = [*(at for at in places if at < z), z]
    upper = [z, *(at for at in places if at > z)]
    return (
        [(at, at - before) for at, before in zip(lower, [-1, *lower], strict=False)],
        [(at, after - at) for at, after in zip(upper, [*upper[1:], m], strict=True)],
    )


def _numbers(z: Sequence[int], ends: Sequence[Ends], nets: Sequence[tuple[Point, int]]) -> dict[int, int]:
    numbers: dict[int, int] = defaultdict(int)
    lower, upper = ends[0]
    if len(ends) == 1:
        at: dict[int, int] = defaultdict(int)
        for (x,), net in nets:
            at[x] += net
        left, right = _summed(at, lower[::-1], 0), _summed(at, upper, -at.get(z[0], 0))
        for a, ways in left.items():
            for b, more in right.items():
                numbers[a + b] += ways * more
        return dict(numbers)
    for lo, ways in lower:
        above = [(x, net) for x, net in nets if x[0] >= lo]
        for hi, more in upper:
            chosen = [(x[1:], net) for x, net in above if x[0] <= hi]
            for e, number in _numbers(z[1:], ends[1:], chosen).items():
                numbers[e] += number * ways * more
    return dict(numbers)


def _summed(at: Mapping[int, int], ends: Sequence[tuple[int, int]], total: int) -> dict[int, int]:
    """Return how many ends, going outwards, come to which sum."""
    numbers: dict[int, int] = defaultdict(int)
    for place, ways in ends:
        total += at.get(place, 0)
        numbers[total] += ways
    return numbers


def heaviest_boxes(nets: Mapping[Point, int], count: int, most: int) -> list[tuple[Box, int]]:
    """Return the boxes of the largest positive sums of nets; of boxes one within the other only the first.

    The hull of the points of positive nets in a box has as large a sum, so that only such hulls are compared; equal
    sums go by the number of places, then by position. More than ``most`` hulls are refused.

    >>> heaviest_boxes({(1,): 2, (3,): 1, (5,): -4, (8,): 1}, 10, 100)
    [(((1, 3),), 3), (((8, 8),), 1)]
    """
    if not nets:
        return []
    points, sums = np.array(list(nets), dtype=np.int64), np.array(list(nets.values()), dtype=np.int64)
    lo, hi = _hulls(points[sums > 0], most)
    net = np.concatenate(
        [_sums(lo[at : at + AT_ONCE], hi[at : at + AT_ONCE], points, sums) for at in range(0, len(lo), AT_ONCE)]
        or [np.zeros(0, dtype=np.int64)]
    )
    size = (hi - lo + 1.0).prod(axis=1)
    order = np.lexsort((*hi.T[::-1], *lo.T[::-1], size, -net))
    found: list[int] = []
    for b in order[net[order] > 0].tolist():
        within = (lo[found] <= lo[b]).all(axis=1) & (hi[b] <= hi[found]).all(axis=1)
        around = (lo[b] <= lo[found]).all(axis=1) & (hi[found] <= hi[b]).all(axis=1)
        if not (within | around).any():
            found.append(b)
            if len(found) == count:
                break
    return [(tuple(zip(lo[b].tolist(), hi[b].tolist(), strict=True)), int(net[b])) for b in found]


def _hulls(points: Ints, most: int) -> tuple[Ints, Ints]:
    """Return the hulls of all sets of points."""
    d = points.shape[1]
    hulls = np.zeros((0, 2 * d), dtype=np.int64)
    for x in points:
        more = np.hstack([np.minimum(hulls[:, :d], x), np.maximum(hulls[:, d:], x)])
        hulls = np.unique(np.vstack([hulls, more, np.tile(x, 2)]), axis=0)
        if len(hulls) > most:
            raise TooLarge(f"boxes: expected at most {most:,} hulls, got {len(hulls):,}")
    return hulls[:, :d], hulls[:, d:]


def _sums(lo: Ints, hi: Ints, points: Ints, sums: Ints) -> Ints:
    inside = np.ones((len(lo), len(points)), dtype=np.bool_)
    for i in range(points.shape[1]):
        inside &= (lo[:, i, np.newaxis] <= points[:, i]) & (points[:, i] <= hi[:, i, np.newaxis])
    net: Ints = inside @ sums
    return net
