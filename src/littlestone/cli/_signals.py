"""Interrupts: the first finishes what is under way, the second stops at once."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Interrupts", "interrupts"]


class Interrupts:
    """Which signal has come, if any; its exit code is 128 more, as shells have it (130 for Ctrl-C)."""

    came: int | None = None

    def __init__(self, end: Callable[[], None] = lambda: None) -> None:
        self._end = end  # of what is waited for

    @property
    def code(self) -> int:
        """The exit code."""
        return 0 if self.came is None else 128 + self.came

    def __call__(self, number: int, frame: Any) -> None:
        """Remember the first one, and wait no longer for a pipe; leave at the second."""
        del frame
        if self.came is not None:
            os._exit(128 + number)
        self.came = number
        self._end()


@contextmanager
def interrupts() -> Iterator[Interrupts]:
    """Take SIGINT and SIGTERM while something is under way; a pipe that is read then ends with its last whole line."""
    from littlestone.streams.sources.waiting import interruptible

    with interruptible() as end:
        found = Interrupts(end)
        numbers = (signal.SIGINT, signal.SIGTERM)
        try:
            before = [signal.signal(number, found) for number in numbers]
        except ValueError:  # not the main thread: nothing to take
            yield found
            return
        try:
            yield found
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
