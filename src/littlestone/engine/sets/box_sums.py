"""The weights of all boxes around a point in floats, from the points of mistakes: all terms are positive."""

import numpy as np

from littlestone.engine.arrays import Bools, Floats, Grid, Ints
from littlestone.engine.compiling import native

__all__ = ["NONE", "around"]

NONE = -1.0  # the sum that is too much work


@native
def _spread(z: int, order: Ints, places: Ints) -> tuple[int, int, int]:
    """Return where the points beyond z begin in an order, and how many distinct places are below and beyond."""
    begin, below, beyond = 0, 0, 0
    for j in range(len(order)):
        at = places[order[j]]
        new = j == 0 or at != places[order[j - 1]]
        if at < z:
            below += new
        elif at > z:
            beyond += new
        begin += at <= z
    return begin, below, beyond


@native
def _part(
    z: int, side: int, way: int, order: Ints, begin: int, places: Ints, inside: Bools,
    nets: Ints, powers: Floats, zero: int,
) -> float:  # fmt: skip
    """Return the sum over the ends on one side (way 1: above, -1: below) of an interval around z."""
    total, last, exponent = 0.0, z, zero
    j = begin if way > 0 else begin - 1
    while 0 <= j < len(order):
        if inside[order[j]]:
            at = places[order[j]]
            if at != last:
                total += powers[exponent] * abs(at - last)
                last = at
            exponent += nets[order[j]]
        j += way
    return total + float(powers[exponent]) * (side - last if way > 0 else last + 1)


@native
def _choose(z: int, begin: int, which: int, way: int, order: Ints, places: Ints, side: int) -> tuple[int, int]:
    """Return the end of number ``which``, counted from z outwards, and how many are alike."""
    end, seen = z, 0
    j = begin if way > 0 else begin - 1
    while 0 <= j < len(order):
        at = places[order[j]]
        if at != end:
            if seen == which:
                return end, abs(at - end)
            end = at
            seen += 1
        j += way
    return end, side - end if way > 0 else end + 1


@native
def _advance(which: Ints, spread: Ints) -> bool:
    """Go on to the next pair of ends along an axis; False after the last, which the first follows."""
    which[1] += 1
    if which[1] > spread[2]:
        which[1] = 0
        which[0] += 1
    if which[0] > spread[1]:
        which[0] = 0
        return False
    return True


@native
def around(
    z: Ints, sides: Ints, points: Grid[Ints], nets: Ints, orders: Grid[Ints], powers: Floats, zero: int, cap: int
) -> float:
    """Return the sum: along the axis of the most ends by two products, along the others end by end."""
    d = len(z)
    spreads = np.empty((d, 3), dtype=np.int64)
    for i in range(d):
        spreads[i, 0], spreads[i, 1], spreads[i, 2] = _spread(z[i], orders[i], points[:, i])
    axis = np.argmax((spreads[:, 1] + 1.0) * (spreads[:, 2] + 1.0))
    work = 1.0
    for i in range(d):
        if i != axis:
            work *= (spreads[i, 1] + 1.0) * (spreads[i, 2] + 1.0)
    if work > cap:
        return NONE
    others = np.array([i for i in range(d) if i != axis], dtype=np.int64)
    which = np.zeros((d, 2), dtype=np.int64)
    inside = np.ones((d, len(points)), dtype=np.bool_)  # which points the ends chosen along the first axes leave
    ways = np.ones(d)
    order, begin, places = orders[axis], spreads[axis, 0], points[:, axis]
    total, level = 0.0, 0
    while level >= 0:  # once for each choice of ends along the other axes: ``work`` times, which is at most the cap
        for at in range(level, d - 1):
            i = others[at]
            lo, few = _choose(z[i], spreads[i, 0], which[i, 0], -1, orders[i], points[:, i], sides[i])
            hi, more = _choose(z[i], spreads[i, 0], which[i, 1], 1, orders[i], points[:, i], sides[i])
            ways[at + 1] = ways[at] * few * more
            for q in range(len(points)):
                inside[at + 1, q] = inside[at, q] and lo <= points[q, i] <= hi
        left = _part(z[axis], sides[axis], -1, order, begin, places, inside[d - 1], nets, powers, zero)
        right = _part(z[axis], sides[axis], 1, order, begin, places, inside[d - 1], nets, powers, zero)
        total += ways[d - 1] * left * right
        level = d - 2  # the next choice of ends, along the last axes first
        while level >= 0 and not _advance(which[others[level]], spreads[others[level]]):
            level -= 1
    return total
