"""Logs: a line of JSON for each request and event, and a file of what administrators did."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import IO, Any

import msgspec

__all__ = ["Audit", "Log"]

LEVELS = ("debug", "info", "warning", "error")
MOST_REFUSALS = 20  # lines a second for requests that were refused before they were anybody's


class Log:
    """Writes lines of JSON: time, level, event, and what else is known. Who cannot be written to is left alone.

    >>> log = Log(sys.stdout, level="warning")
    >>> log.line("info", "request", status=200)
    >>> log.line("error", "worker", detail="it is started anew")  # doctest: +ELLIPSIS
    {"time":"...Z","level":"error","event":"worker","detail":"it is started anew"}
    """

    def __init__(self, out: IO[str] | None = None, *, level: str = "info") -> None:
        self._out, self._least = out, LEVELS.index(level)
        self._second, self._lines, self._left_out = 0, 0, 0

    def wants(self, level: str) -> bool:
        """Tell whether lines of a level are written."""
        return LEVELS.index(level) >= self._least

    def line(self, level: str, event: str, **more: Any) -> None:
        """Write a line."""
        if self.wants(level):
            self._write({"time": _now(), "level": level, "event": event, **more})

    def refusal(self, **more: Any) -> None:
        """Write a line for a request that nobody is known to have made: only so many a second."""
        second = int(monotonic())
        if second != self._second:
            if self._left_out:
                self.line("warning", "refused", left_out=self._left_out)
            self._second, self._lines, self._left_out = second, 0, 0
        self._lines += 1
        if self._lines > MOST_REFUSALS:
            self._left_out += 1
        else:
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
