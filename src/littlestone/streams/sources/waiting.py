"""Waiting for the bytes of a pipe, which may never come: whoever takes signals can put an end to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

__all__ = ["Interrupted", "ended_early", "interruptible", "waiting"]


class Interrupted(Exception):
    """An end was put to the waiting for a pipe."""


class _Waits:
    now = False  # whether the main thread, to which signals come, waits
    over = False  # whether it is to wait no more


@contextmanager
def waiting() -> Iterator[None]:
    """Wait for a pipe here: Interrupted is raised as soon as nobody wants to wait any more."""
    if current_thread() is not main_thread():
        yield
        return
    before, _Waits.now = _Waits.now, True
    try:
        if _Waits.over:
            raise Interrupted
        yield
    finally:
        _Waits.now = before


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Give what a signal handler calls to put an end to all waiting for pipes, as long as this context lasts.

    >>> with interruptible() as end:
    ...     end()  # nobody waits
    ...     try:
    ...         with waiting():
    ...             print("never")
    ...     except Interrupted:
    ...         print("at once")
    at once
    """

    def end() -> None:
        _Waits.over = True
        if _Waits.now:
            raise Interrupted

    try:
        yield end
    finally:
        _Waits.over = False


def ended_early(file: Any) -> bool:
    """Tell whether a file, or the one that it reads from, is a pipe of which somebody did not wait for the end."""
    return bool(getattr(getattr(file, "raw", file), "ended_early", False))
