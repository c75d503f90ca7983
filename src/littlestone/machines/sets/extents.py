"""Extents, the rows that contain a set: what such sums are at least, how many sets have which sum; exact."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from math import comb
from typing import NamedTuple

from littlestone.core.errors import TooLarge

__all__ = ["by_number", "components", "extent_counts", "largest_sums", "members", "smallest_sum", "total"]


def smallest_sum(
    rows: Mapping[int, int], n: int, *, largest: int | None = None, most: int = 100_000
) -> tuple[int, int]:
    """Return the set d (a mask) with the smallest sum of numbers over the rows (masks) that contain d, and that sum.

    Of equal ones it is that of the fewest attributes, then of the smallest positions. The search goes by size and
    keeps one set for each extent, the rows that contain it: the first of the sets with one extent leads to the first
    best. More than ``most`` extents are refused, and each level has others than those before.

    >>> smallest_sum({0b110: 2, 0b101: 3, 0b011: -1}, 3)  # {0} is in 101 and 011, {0, 1} in 011 alone
    (3, -1)
    """
    numbers = by_number(rows)
    above = sum(bits for number, bits in numbers if number > 0)
    columns = [sum((row >> i & 1) << t for t, row in enumerate(rows)) for i in range(n)]
    everything = (1 << len(rows)) - 1
    best, least = 0, total(everything, numbers)
    level, seen, size = {everything: 0}, {everything}, 0
    while level and (largest is None or size < largest):
        size += 1
        following: dict[int, int] = {}
        for extent, chosen in level.items():
            if total(extent & ~above, numbers) >= least:
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
        sums = {chosen: total(extent, numbers) for extent, chosen in level.items()}
        for chosen, number in sums.items():
            if number < least or (number == least and best.bit_count() == size and _first(best, chosen) == chosen):
                best, least = chosen, number
    return best, least


def members(mask: int) -> Iterator[int]:
    """Yield the positions of a mask's bits, the lowest first.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def components(nets: Mapping[int, int]) -> list[tuple[int, dict[int, int]]]:
    """Return the rows (masks, with their numbers) in groups that share nothing, each with its union.

    >>> components({0b00011: 1, 0b11000: -1, 0b00110: 2})
    [(7, {3: 1, 6: 2}), (24, {24: -1})]
    """
    parts: list[tuple[int, dict[int, int]]] = []
    for row, net in nets.items():
        union, together = row, {row: net}
        apart = []
        for part in parts:
            if part[0] & row:
                union, together = union | part[0], part[1] | together
            else:
                apart.append(part)
        parts = [*apart, (union, together)]
    return sorted(parts, key=lambda part: part[0])


def extent_counts(nets: Mapping[int, int], largest: int | None = None, most: int | None = None) -> dict[int, int]:
    """Return how many sets, not empty and of at most ``largest`` members, have each sum over the rows that contain it.

    Sets that no row contains are left out. Attributes of the same rows are taken together: 2^g - 1 ways to choose
    some of g of them. More than ``most`` extents are refused.

    >>> extent_counts({0b110: 2, 0b011: -1})  # {1}: 1; {2}, {1, 2}: 2; {0}, {0, 1}: -1
    {-1: 2, 1: 1, 2: 2}
    """
    columns: dict[int, int] = defaultdict(int)  # the rows of each attribute
    for t, row in enumerate(nets):
        for i in members(row):
            columns[i] |= 1 << t
    groups: dict[int, int] = defaultdict(int)
    for rows in columns.values():
        groups[rows] += 1
    bounded = largest is not None and largest < len(columns)
    extents = _bounded(groups, largest or 0, most) if bounded else _unbounded(groups, most)
    numbers = by_number(nets)
    counts: dict[int, int] = defaultdict(int)
    for extent, ways in extents:
        counts[total(extent, numbers)] += ways
    return dict(sorted(counts.items()))


def _unbounded(groups: Mapping[int, int], most: int | None) -> Iterator[tuple[int, int]]:
    """Yield each extent and how many sets have it."""
    ways: dict[int, int] = {}
    for column, g in groups.items():
        some = (1 << g) - 1
        more: dict[int, int] = {column: some}
        for extent, number in ways.items():
            left = extent & column
            if left:
                more[left] = more.get(left, 0) + number * some
        for left, number in more.items():
            ways[left] = ways.get(left, 0) + number
        _check_room(len(ways), most)
    yield from ways.items()


def _bounded(groups: Mapping[int, int], largest: int, most: int | None) -> Iterator[tuple[int, int]]:
    """Yield extents and how many sets of one size have it, size by size: at most ``largest`` members."""
    ways: list[dict[int, int]] = [{-1: 1}, *({} for _ in range(largest))]  # -1: every row contains the empty set
    for column, g in groups.items():
        for size in range(largest, 0, -1):
            level = ways[size]
            for chosen in range(1, min(g, size) + 1):
                times = comb(g, chosen)
                for extent, number in ways[size - chosen].items():
                    left = extent & column
                    if left:
                        level[left] = level.get(left, 0) + number * times
        _check_room(sum(map(len, ways)), most)
    for level in ways[1:]:
        yield from level.items()


def _check_room(extents: int, most: int | None) -> None:
    if most is not None and extents > most:
        raise TooLarge(f"extents: expected at most cap={most:,}, got {extents:,}; raise the cap")


def by_number(rows: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return each number that rows have, and which rows have it, as bits.

    >>> by_number({0b110: 2, 0b101: 3, 0b011: 2})
    [(2, 5), (3, 2)]
    """
    numbers: dict[int, int] = defaultdict(int)
    for t, number in enumerate(rows.values()):
        numbers[number] |= 1 << t
    return list(numbers.items())


def total(extent: int, numbers: list[tuple[int, int]]) -> int:
    """Return the sum of the numbers of the rows of an extent.

    >>> total(0b011, by_number({0b110: 2, 0b101: 3, 0b011: 2}))
    5
    """
    return sum(number * (extent & bits).bit_count() for number, bits in numbers)


def _first(a: int, b: int) -> int:
    """Return which of two sets of one size comes first: the one with the lowest position that they differ in."""
    different = a ^ b
    return a if a & different & -different or not different else b


# The largest sums, the best first


class Node(NamedTuple):
    """A set to be looked at: itself (``done`` 1), or all that is larger and begins with it (0); the least is first."""

    lost: int  # minus the sum, or minus what it is at most
    done: int
    size: int
    chosen: tuple[int, ...]
    extent: int  # the rows that contain it
    best: int  # the largest sum of a beginning of it


def largest_sums(
    rows: Mapping[int, int],
    n: int,
    count: int,
    *,
    largest: int,
    exactly: int | None = None,
    negations: bool = False,
    most: int = 1 << 21,
) -> list[tuple[tuple[int, ...], int]]:
    """Return up to ``count`` sets of members with the largest sums of numbers over the rows (masks) that contain them.

    Only those count, of 1 to ``largest`` members, whose sum is larger than that of every part but the empty one; or all
    of ``exactly`` so many members. Equal ones go by size, then by positions. ``negations``: i and i + n/2 exclude each
    other. A set can gain no more than by losing all negative numbers; a branch that cannot beat its own beginning, or
    that has a set found already as a part, is left. To look at more than ``most`` sets is refused.

    >>> largest_sums({0b011: 2, 0b110: -1, 0b111: 1}, 3, 3, largest=3)  # {0}: 3; {1}: 2; {0, 1}: 3 is no news
    [((0,), 3), ((1,), 2), ((2,), 0)]
    >>> largest_sums({0b011: 2, 0b110: -1, 0b111: 1}, 3, 2, largest=3, exactly=2)
    [((0, 1), 3), ((0, 2), 1)]
    """
    sums = by_number(rows)
    gains = [(number, bits) for number, bits in sums if number > 0]
    columns = [sum((row >> i & 1) << t for t, row in enumerate(rows)) for i in range(n)]
    found: list[tuple[int, ...]] = []
    masks: list[int] = []
    totals: list[int] = []
    floor = -sum(map(abs, rows.values())) - 1
    queue = [Node(0, 0, 0, (), (1 << len(rows)) - 1, floor)]
    steps = 0
    while queue and len(found) < count:
        node = heappop(queue)
        mask = sum(1 << i for i in node.chosen)
        if exactly is None and any(mask & part == part for part in masks):
            continue
        if node.done:
            found.append(node.chosen)
            masks.append(mask)
            totals.append(-node.lost)
            continue
        size = node.size + 1
        for i, extent in _longer(node, columns, negations):
            steps += 1
            reached, at_most = total(extent, sums), total(extent, gains)
            best = floor if exactly else max(node.best, reached)
            if size == exactly or (exactly is None and reached > node.best):
                heappush(queue, Node(-reached, 1, size, (*node.chosen, i), extent, reached))
            if size < (exactly or largest) and at_most > best:
                heappush(queue, Node(-at_most, 0, size, (*node.chosen, i), extent, best))
        if steps > most:
            raise TooLarge(f"largest_sums: expected at most {most:,} steps, got more")
    return list(zip(found, totals, strict=True))


def _longer(node: Node, columns: list[int], negations: bool) -> Iterator[tuple[int, int]]:
    """Yield the members that can follow, with the extent that is left."""
    half = len(columns) // 2
    for i in range(node.chosen[-1] + 1 if node.chosen else 0, len(columns)):
        left = node.extent & columns[i]
        if not (negations and i >= half and i - half in node.chosen):
            yield i, left
