"""Greedy covering: the disjunctions that grow by the attribute that helps most."""

from __future__ import annotations

from heapq import heapify, heapreplace

import numpy as np

from littlestone.core.parameters import check_whole
from littlestone.streams import Stream
from littlestone.theory.hindsight._cover import Cover, read
from littlestone.theory.hindsight._reader import Reader
from littlestone.theory.hindsight.comparator import Comparator, count_prefixes

__all__ = ["greedy_order", "greedy_path", "pruned"]


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
    columns = cover.rows.tocsc()
    indptr, rows = columns.indptr, columns.indices
    open_weight = cover.weight.copy()  # of the rows that nothing covers yet
    saved = cover.rows.T @ cover.weight - cover.cost
    heap = [(-int(s), i) for i, s in enumerate(saved)]
    heapify(heap)
    order: list[int] = []
    while heap and heap[0][0] < 0 and (max_size is None or len(order) < max_size):
        was, i = heap[0]
        covered = rows[indptr[i] : indptr[i + 1]]
        now = int(cover.cost[i] - open_weight[covered].sum())
        if now == was:
            order.append(i)
            open_weight[covered] = 0
            now = 0  # it saves nothing more
        heapreplace(heap, (now, i))
    return order


def pruned(cover: Cover, order: list[int]) -> list[int]:
    """Drop columns, the first of ``order`` first, where that saves errors or costs none."""
    columns = cover.rows.tocsc()
    chosen = np.zeros(cover.m, dtype=np.int64)
    chosen[order] = 1
    times = cover.rows @ chosen  # how often each row is covered
    kept = []
    for i in order:
        covered = columns.indices[columns.indptr[i] : columns.indptr[i + 1]]
        alone = covered[times[covered] == 1]
        if int(cover.weight[alone].sum()) <= cover.cost[i]:
            times[covered] -= 1
        else:
            kept.append(i)
    return kept
