"""Logs: a line of JSON for each request and event, and a file of what administrators did."""

from __future__ import annotations

import os
import sys
from asyncio import to_thread
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import IO, Any

import msgspec

__all__ = ["Audit", "Few", "Log"]

LEVELS = ("debug", "info", "warning", "error")
MOST_REFUSALS = 20  # lines a second for requests that were refused before they were anybody's


class Few:
    """Lets so many pass in each second, and counts the others.

    >>> few = Few(2, clock=lambda: 0.5)
    >>> [few.passes() for _ in range(5)], few.left_out()
    ([True, True, False, False, False], 0)
    >>> few.clock = lambda: 1.0
    >>> few.left_out(), few.left_out(), few.passes()
    (3, 0, True)
    """

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.clock = most, clock
        self._second, self._passed, self._others = int(clock()), 0, 0

    def passes(self) -> bool:
        """Tell whether one more may pass."""
        if (second := int(self.clock())) != self._second:
            self._second, self._passed = second, 0
        if self._passed >= self.most:
            self._others += 1
            return False
        self._passed += 1
        return True

    def left_out(self) -> int:
        """Return how many were left out in seconds that are over; each is told once."""
        if int(self.clock()) == self._second:
            return 0
        found, self._others = self._others, 0
        return found


class Log:
    """Writes lines of JSON: time, level, event, and what else is known. Who cannot be written to is left alone.

    >>> log = Log(sys.stdout, level="warning")
    >>> log.line("info", "request", status=200)
    >>> log.line("error", "worker", detail="it is started anew")  # doctest: +ELLIPSIS
    {"time":"...Z","level":"error","event":"worker","detail":"it is started anew"}
    """

    def __init__(self, out: IO[str] | None = None, *, level: str = "info") -> None:
        self._out, self._least = out, LEVELS.index(level)
        self._few = Few(MOST_REFUSALS)

    def wants(self, level: str) -> bool:
        """Tell whether lines of a level are written."""
        return LEVELS.index(level) >= self._least

    def line(self, level: str, event: str, **more: Any) -> None:
        """Write a line."""
        if self.wants(level):
            self._write({"time": _now(), "level": level, "event": event, **more})

    def refusal(self, **more: Any) -> None:
        """Write a line for a request that nobody is known to have made: only so many a second."""
        if left_out := self._few.left_out():
            self.line("warning", "refused", left_out=left_out)
        if self._few.passes():
            self.line("warning", "refused", **more)

    def _write(self, found: dict[str, Any]) -> None:
        out = sys.stderr if self._out is None else self._out
        try:
            out.write(msgspec.json.encode(found).decode() + "\n")
            out.flush()
        except (OSError, ValueError):
            pass


class Audit:
    """A file to which what administrators did is added, a line each, on the disk before they are answered.

    >>> import tempfile
    >>> audit = Audit(tempfile.mkdtemp())
    >>> audit.line("key", act="remove", model="mail")
    >>> b'"act":"remove","model":"mail"' in audit.path.read_bytes()
    True
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = Path(folder) / "audit.jsonl"
        self.few = Few(MOST_REFUSALS)

    async def act(self, key: str, *, refused: bool = False, **more: Any) -> None:
        """Add a line for an act in another thread; for ``refused`` ones, which anybody may send, so many a second."""
        passes = not refused or self.few.passes()
        await self.tell()
        if passes:
            await to_thread(self.line, key, **more)

    async def tell(self) -> None:
        """Add a line that says how many refused acts have none."""
        if left_out := self.few.left_out():
            await to_thread(self.line, "", act="refused", left_out=left_out)

    def line(self, key: str, **more: Any) -> None:
        """Add a line; raises OSError where that cannot be done."""
        handle = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            os.write(handle, msgspec.json.encode({"time": _now(), "key": key, **more}) + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
