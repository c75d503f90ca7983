"""A plain file in pieces of whole lines, which threads read for themselves: nobody waits for a reader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO
from zlib import crc32

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.compressed import sentence
from littlestone.streams.sources.opened import LONGEST, too_long
from littlestone.streams.sources.sums import Sum

__all__ = ["Spans"]

PROBE = 1 << 12  # bytes in which the end of a line is looked for

Span = tuple[int, int]  # first byte, and the one behind the last


class Spans:
    r"""Pieces of about ``size`` bytes of an open file, each of whole lines.

    >>> import tempfile
    >>> with tempfile.TemporaryFile(buffering=0) as file:
    ...     _ = file.write(b"one\ntwo\nthree")
    ...     pieces = Spans(file, "a file", 2)
    ...     list(pieces), [pieces.read(piece)[0] for piece in pieces]
    ([(0, 4), (4, 8), (8, 13)], [b'one\n', b'two\n', b'three\n'])
    """

    def __init__(self, file: IO[bytes], name: str, size: int, *, summing: bool = False) -> None:
        self._file, self._name, self._size, self._summing = file.fileno(), name, size, summing
        self._end = os.fstat(self._file).st_size

    def __iter__(self) -> Iterator[Span]:
        start = 0
        while start < self._end:
            stop = self._line_end(start + self._size)
            if stop - start > LONGEST:
                self._check(start, stop)
            yield start, stop
            start = stop

    def read(self, span: Span) -> tuple[bytes, Sum]:
        """Return the bytes of a piece and their sum, 0 if nobody wants it; a last line is given the end it lacks."""
        start, stop = span
        data = self._at(start, stop - start)
        while len(data) < stop - start:
            more = self._at(start + len(data), stop - start - len(data))
            if not more:
                raise InvalidData(f"{self._name}: it became shorter while it was read; read it again when it is whole")
            data += more
        found = Sum(len(data), crc32(data) if self._summing else 0)
        return data if data.endswith(b"\n") else data + b"\n", found

    def _at(self, place: int, size: int) -> bytes:
        try:
            return os.pread(self._file, size, place)
        except OSError as error:
            raise InvalidData(sentence(self._name, error)) from None

    def _line_end(self, place: int) -> int:
        """Return the place behind the first line feed from the byte before ``place`` on."""
        place, size = place - 1, PROBE
        while place < self._end:
            data = self._at(place, size)
            found = data.find(b"\n")
            if found >= 0:
                return min(place + found + 1, self._end)
            if not data:
                break
            place, size = place + len(data), min(2 * size, 1 << 20)
        return self._end

    def _check(self, start: int, stop: int) -> None:
        """Refuse a line that is too long to be one."""
        before = self._at(start, self._size)
        begins = start + before.rfind(b"\n") + 1
        if stop - begins > LONGEST:
            lines = sum(self._at(place, 1 << 20).count(b"\n") for place in range(0, start, 1 << 20))
            lines -= self._at(start, (1 << 20) - start % (1 << 20)).count(b"\n") if start % (1 << 20) else 0
            raise too_long(self._name, 1 + lines + before.count(b"\n"), LONGEST)
