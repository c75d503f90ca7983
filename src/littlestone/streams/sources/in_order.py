"""Work on the pieces of a stream in threads, delivered in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TypeVar

from littlestone.core.errors import LittlestoneError

__all__ = ["in_order"]

T = TypeVar("T")
R = TypeVar("R")


def in_order(task: Callable[[T], R], items: Iterator[T], threads: int, *, ahead: bool) -> Iterator[R]:
    """Yield ``task(item)`` for all items in order, ``threads`` of them at work at once.

    With ``ahead`` the items too are taken in a thread, one in advance: not where taking one may wait for ever. An
    error of an item or a task is raised where its result would have come.

    >>> list(in_order(abs, iter([-1, 2, -3]), 2, ahead=True))
    [1, 2, 3]
    """
    if threads == 1:
        yield from map(task, items)
        return
    waiting: deque[Future[R]] = deque()
    broken: LittlestoneError | None = None
    with ThreadPoolExecutor(threads + ahead) as pool:
        source = _ahead(items, pool) if ahead else items
        try:
            while True:
                try:
                    item = next(source)
                except LittlestoneError as error:
                    broken = error
                    break
                except StopIteration:
                    break
                waiting.append(pool.submit(task, item))
                if len(waiting) > threads + 1:  # one more than is worked on: no thread waits while a result is used
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
    if broken is not None:
        raise broken


def _ahead(items: Iterator[T], pool: Executor) -> Iterator[T]:
    coming = pool.submit(_next, items)
    while found := coming.result():
        coming = pool.submit(_next, items)
        yield found[0]


def _next(items: Iterator[T]) -> tuple[T] | None:
    for item in items:
        return (item,)
    return None
