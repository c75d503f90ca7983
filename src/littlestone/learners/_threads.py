"""Rows scored side by side: compiled kernels hold no lock, so that plain threads will do."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from threading import Lock
from types import TracebackType
from typing import Any

__all__ = ["Turns", "in_threads"]

WORTH = 1 << 21  # steps of about a third of a nanosecond, for each thread: what starting threads costs is little of it


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


THREADS = _cores()


class Turns:
    """A lock that a copy does not share, so that what it guards can be copied and pickled."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return Turns, ()


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
