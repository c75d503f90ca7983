"""Rows scored side by side: compiled kernels hold no lock, so that plain threads will do."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise

__all__ = ["in_threads"]

WORTH = 1 << 21  # steps of about a third of a nanosecond, for each thread: what starting threads costs is little of it


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


THREADS = _cores()


def in_threads(task: Callable[[int, int], None], rows: int, work: int) -> None:
    """Do ``task(start, stop)`` for all rows, in several threads where there is much ``work`` a row."""
    threads = min(THREADS, rows, rows * work // WORTH)
    if threads <= 1:
        task(0, rows)
        return
    from concurrent.futures import ThreadPoolExecutor

    edges = [rows * i // threads for i in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(task, start, stop) for start, stop in pairwise(edges)]:
            done.result()
