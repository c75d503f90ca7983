"""Memory: how much a process takes, and whether there is room for more."""

from __future__ import annotations

import ctypes
import gc
import os
from contextlib import suppress
from pathlib import Path

__all__ = ["FULL", "give_back", "no_room", "taken"]

FULL = 0.8  # of what a worker may take; above that it learns nothing more


def taken(process: int | str = "self") -> int:
    """Return how many bytes of memory a process takes; 0, where nobody says.

    >>> taken() >= 0, taken(-1)
    (True, 0)
    """
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def no_room(memory: int | None) -> str | None:
    """Return why nothing more can be learned by this process, if it takes nearly all of the memory that it may take.

    >>> no_room(None), no_room(1 << 60)
    (None, None)
    """
    if memory is None or (now := taken()) <= FULL * memory:
        return None
    most = int(FULL * memory)
    return f"expected room, at most {most:,} bytes taken, got {now:,}: remove a model or raise --memory ({memory:,})"


def give_back() -> None:
    """Give memory that is free back to the system, where that can be done."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
