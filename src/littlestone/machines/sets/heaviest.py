"""The sets with the largest sums over the rows that contain them: exact, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from littlestone.core.errors import TooLarge
from littlestone.machines.sets.extents import by_number, total

__all__ = ["largest_sums"]


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
