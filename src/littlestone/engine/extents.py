"""The set of attributes with the smallest sum over the rows that contain it: exact, by extents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from littlestone.errors import TooLarge

__all__ = ["smallest_sum"]


def smallest_sum(
    rows: Mapping[int, int], n: int, *, largest: int | None = None, most: int = 100_000
) -> tuple[int, int]:
    """Return the set d (a mask) with the smallest sum of numbers over the rows (masks) that contain d, and that sum.

    Of equal ones it is that of the fewest attributes, then of the smallest positions. The search goes by size and
    keeps one set for each extent, the rows that contain it: the first of the sets with one extent leads to the first
    best. More than ``most`` extents are refused.

    >>> smallest_sum({0b110: 2, 0b101: 3, 0b011: -1}, 3)  # {0} is in 101 and 011, {0, 1} in 011 alone
    (3, -1)
    """
    numbers: dict[int, int] = defaultdict(int)  # the rows that have each number, as bits
    for t, number in enumerate(rows.values()):
        numbers[number] |= 1 << t
    above = sum(bits for number, bits in numbers.items() if number > 0)
    columns = [sum((row >> i & 1) << t for t, row in enumerate(rows)) for i in range(n)]
    everything = (1 << len(rows)) - 1
    best, least = 0, _total(everything, numbers)
    level, seen, size = {everything: 0}, {everything}, 0
    while level and (largest is None or size < largest):
        size += 1
        following: dict[int, int] = {}
        for extent, chosen in level.items():
            if _total(extent & ~above, numbers) >= least:
                continue  # not even without all that is above 0
            for i, column in enumerate(columns):
                left = extent & column
                if left in seen or not extent & ~column & above:
                    continue  # an attribute is worth its place only if it sheds something
                found = chosen | 1 << i
                following[left] = _first(following.get(left, found), found)
        level = following
        seen |= level.keys()
        if len(seen) > most:
            raise TooLarge(f"smallest_sum: expected at most {most:,} extents, got more")
        sums = {chosen: _total(extent, numbers) for extent, chosen in level.items()}
        for chosen, number in sums.items():
            if number < least or (number == least and best.bit_count() == size and _first(best, chosen) == chosen):
                best, least = chosen, number
    return best, least


def _total(extent: int, numbers: Mapping[int, int]) -> int:
    return sum(number * (extent & bits).bit_count() for number, bits in numbers.items())


def _first(a: int, b: int) -> int:
    """Return which of two sets of one size comes first: the one with the lowest position that they differ in."""
    different = a ^ b
    return a if a & different & -different or not different else b
