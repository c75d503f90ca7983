"""The best disjunction as a problem of covering positive rows by attributes that cost something; greedily."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Ints
from littlestone.core.parameters import check_whole
from littlestone.streams import Stream
from littlestone.theory.hindsight.comparator import Comparator, Reader, count_prefixes

__all__ = ["Cover", "Incidence", "greedy_order", "greedy_path", "pruned", "read"]


class Incidence(NamedTuple):
    """Which of ``m`` columns each row has: row r those in ``indices[indptr[r]:indptr[r + 1]]``.

    A sparse matrix of ones, without SciPy, which takes longer to import than a game to play.

    >>> rows = Incidence(np.array([0, 2, 3]), np.array([0, 2, 2]), 3)
    >>> rows.sums(np.array([1, 10, 100])).tolist(), rows.weighed(np.array([5, 7])).tolist()
    ([101, 100], [5, 0, 12])
    >>> [part.tolist() for part in rows.columns()]
    [[0, 1, 1, 3], [0, 0, 1]]
    """

    indptr: Ints
    indices: Ints
    m: int

    def sums(self, numbers: Ints) -> Ints:
        """Return, for each row, the sum of the numbers of its columns."""
        totals = np.append(0, numbers[self.indices].cumsum())
        found: Ints = totals[self.indptr[1:]] - totals[self.indptr[:-1]]
        return found

    def weighed(self, weight: Ints) -> Ints:
        """Return, for each column, the sum of the weights of the rows that have it."""
        found = np.zeros(self.m, dtype=np.int64)
        np.add.at(found, self.indices, np.repeat(weight, np.diff(self.indptr)))
        return found

    def columns(self) -> tuple[Ints, Ints]:
        """Return which rows have column i: those in ``rows[starts[i]:starts[i + 1]]``."""
        rows = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))
        starts = np.append(0, np.bincount(self.indices, minlength=self.m).cumsum())
        return starts, rows[np.argsort(self.indices, kind="stable")]


@dataclass(frozen=True, eq=False)
class Cover:
    """Choose columns; each costs ``cost``, and each row without a chosen column costs its ``weight``.

    A column is an attribute that can help, at ``positions`` of the stream; its cost is the number of negative rows
    that have it. A row is one of the different positive rows; ``hopeless`` positives have no column at all.

    Attributes with cost >= gain (the number of positive rows that have it) are left out: taking such an i out of a
    disjunction saves its cost and adds at most gain misses, so there is a best disjunction without it, and every best
    disjunction of the fewest attributes is without it.
    """

    positions: Ints
    cost: Ints
    rows: Incidence
    weight: Ints
    hopeless: int

    @property
    def m(self) -> int:
        """The number of columns."""
        return len(self.positions)

    def errors(self, columns: list[int]) -> int:
        """Return the attribute errors of a choice of columns."""
        chosen = np.zeros(self.m, dtype=np.int64)
        chosen[columns] = 1
        return int(self.cost @ chosen + self.weight[self.rows.sums(chosen) == 0].sum()) + self.hopeless


def read(reader: Reader) -> Cover:
    """Read a stream once, keeping only the different positive rows."""
    different: Counter[bytes] = Counter()
    counts = np.zeros((2, reader.n), dtype=np.int64)  # negative, positive rows with attribute i
    for block, codes in reader.blocks(boolean=True):
        if reader.n > counts.shape[1]:
            counts = np.pad(counts, ((0, 0), (0, reader.n - counts.shape[1])))
        part = block.indices[block.indptr[0] : block.indptr[-1]]
        np.add.at(counts, (np.repeat(codes, np.diff(block.indptr)), part), 1)
        _count_rows(different, part.tobytes(), block.indptr - block.indptr[0], codes)
    cost, gain = counts
    columns = np.flatnonzero(cost < gain)
    indptr, indices, weight = _arrays(different)
    del different
    to = np.full(len(cost) + 1, -1, dtype=np.int64)
    to[columns] = np.arange(len(columns))
    indptr, indices, weight = _narrowed(indptr, to[indices], weight)
    filled = np.diff(indptr) > 0
    hopeless = int(weight[~filled].sum())
    indptr = np.concatenate((indptr[:1], indptr[1:][filled]))
    return Cover(columns, cost[columns], Incidence(indptr, indices, len(columns)), weight[filled], hopeless)


def _count_rows(different: Counter[bytes], data: bytes, indptr: Ints, codes: NDArray[np.uint8]) -> None:
    ends = 4 * indptr
    positive = codes == 1
    pairs = zip(ends[:-1][positive].tolist(), ends[1:][positive].tolist(), strict=True)
    different.update(data[start:stop] for start, stop in pairs)


def _arrays(different: Counter[bytes]) -> tuple[Ints, Any, Ints]:
    """Return counted rows as CSR arrays and their counts."""
    lengths = np.fromiter((len(row) // 4 for row in different), dtype=np.int64, count=len(different))
    weight = np.fromiter(different.values(), dtype=np.int64, count=len(different))
    return np.append(0, lengths.cumsum()), np.frombuffer(b"".join(different), dtype=np.uint32), weight


def _narrowed(indptr: Ints, indices: Ints, weight: Ints) -> tuple[Ints, Ints, Ints]:
    """Take out the columns -1, and make one of the rows that have become equal."""
    if not (indices < 0).any():
        return indptr, indices, weight
    kept = indices >= 0
    ends = 4 * np.append(0, kept.cumsum())[indptr]
    data = indices[kept].astype(np.uint32).tobytes()
    merged: Counter[bytes] = Counter()
    for start, stop, times in zip(ends[:-1].tolist(), ends[1:].tolist(), weight.tolist(), strict=True):
        merged[data[start:stop]] += times
    indptr, columns, weight = _arrays(merged)
    return indptr, columns.astype(np.int64), weight


def greedy_path(stream: Stream, max_size: int | None = None) -> list[Comparator]:
    """Return disjunctions of 0, 1, 2, ... attributes, each the last one and the attribute that saves most.

    It ends with ``max_size`` attributes, or where no attribute saves attribute errors. The stream is read twice.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=1000, noise=0.01)
    >>> [(found.k, found.attribute_errors) for found in greedy_path(stream)]
    [(0, 431), (1, 174), (2, 66), (3, 18)]
    """
    most = None if max_size is None else check_whole("greedy_path", "max_size", max_size, least=0)
    reader = Reader("greedy_path", stream)
    cover = read(reader)
    order = cover.positions[greedy_order(cover, most)].tolist()
    return count_prefixes(reader, order, "greedy", last=False)


def greedy_order(cover: Cover, max_size: int | None = None) -> list[int]:
    """Return columns in the order of greedy choice, while one saves errors; of equal ones the first.

    What a column saves (the weight of the rows that it covers first, less its cost) only falls as others are chosen,
    so what was computed before is an upper bound: only the head of the heap need be looked at again.
    """
    starts, rows = cover.rows.columns()
    open_weight = cover.weight.copy()  # of the rows that nothing covers yet
    saved = cover.rows.weighed(cover.weight) - cover.cost
    heap = [(-int(s), i) for i, s in enumerate(saved)]
    heapify(heap)
    order: list[int] = []
    while heap and heap[0][0] < 0 and (max_size is None or len(order) < max_size):
        was, i = heap[0]
        covered = rows[starts[i] : starts[i + 1]]
        now = int(cover.cost[i] - open_weight[covered].sum())
        if now == was:
            order.append(i)
            open_weight[covered] = 0
            now = 0  # it saves nothing more
        heapreplace(heap, (now, i))
    return order


def pruned(cover: Cover, order: list[int]) -> list[int]:
    """Drop columns, the first of ``order`` first, where that saves errors or costs none."""
    starts, rows = cover.rows.columns()
    chosen = np.zeros(cover.m, dtype=np.int64)
    chosen[order] = 1
    times = cover.rows.sums(chosen)  # how often each row is covered
    kept = []
    for i in order:
        covered = rows[starts[i] : starts[i + 1]]
        alone = covered[times[covered] == 1]
        if int(cover.weight[alone].sum()) <= cover.cost[i]:
            times[covered] -= 1
        else:
            kept.append(i)
    return kept
