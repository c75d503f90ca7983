"""What can only be read from one end to the other: pipes, as they come, and compressed files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.lines import as_it_comes
from littlestone.streams.sources.opened import Source, poller
from littlestone.streams.sources.pieces import Sum, ended_early, waiting

__all__ = ["Flow", "brought_again"]


class Flow:
    r"""The bytes of a source as they come, and nothing (b"") where none have come for ``tick`` seconds.

    >>> reading, writing = os.pipe()
    >>> os.write(writing, b"one\n")
    4
    >>> with open(reading, "rb", buffering=0) as pipe:
    ...     chunks = iter(Flow(Source(pipe), tick=0.01, size=100))
    ...     next(chunks), next(chunks), os.write(writing, b"two"), os.close(writing), list(chunks)
    (b'one\n', b'', 3, None, [b'two'])
    """

    def __init__(self, source: Source, *, tick: float, size: int) -> None:
        self._source, self._tick, self._size = source, tick, size
        self._file: io.BufferedReader | None = None

    @property
    def ended_early(self) -> bool:
        """Whether it is a pipe of which nobody waited for the end."""
        return ended_early(self._file)

    def __iter__(self) -> Iterator[bytes]:
        if self._source.again:
            return self._whole()
        if self._source.path is None or self._source.begun:
            return self._pipe(self._source)
        return self._named_pipe(self._source.path)

    def _whole(self) -> Iterator[bytes]:
        with self._source.open() as self._file:
            broken = None
            while broken is None:
                chunk, broken = self._block(self._file)
                if not chunk and broken is None:
                    return
                yield chunk
            raise broken

    def _block(self, file: io.BufferedReader) -> tuple[bytes, InvalidData | None]:
        """Return as many bytes as are wanted; of a file that is broken those before, and what is wrong with it."""
        parts, left = list[bytes](), self._size
        try:
            while left:
                with waiting():
                    part = file.read1(left)
                if not part:
                    break
                parts.append(part)
                left -= len(part)
        except InvalidData as error:
            return b"".join(parts), error
        return b"".join(parts), None

    def _named_pipe(self, path: Path) -> Iterator[bytes]:
        with waiting():
            file = io.FileIO(os.fspath(path), opener=_at_once)
        with file:
            yield from self._pipe(Source(file))

    def _pipe(self, source: Source) -> Iterator[bytes]:
        comes = None if source.begun else poller(source.descriptor())
        while comes is not None:  # the first bytes say whether it is compressed
            with waiting():
                if comes(self._tick):
                    break
            yield b""
        source.patience = self._tick
        with source.open() as self._file:
            yield from as_it_comes(source, self._file, self._size, pauses=False)


def _at_once(path: str, flags: int) -> int:
    """Open a named pipe before anybody writes to it, where that can be waited for later."""
    if sys.platform != "linux":
        return os.open(path, flags)
    number = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(number, True)
    return number


def brought_again(chunks: Iterable[bytes], read: Sum, name: str, file: object) -> Iterator[bytes]:
    """Yield the bytes behind those that were read before; these must come again, and be the same."""
    left, crc = read.size, 0
    for chunk in chunks:
        if not left or not chunk:
            yield chunk
            continue
        crc = crc32(chunk[:left], crc)
        rest, left = chunk[left:], max(0, left - len(chunk))
        if not left and crc != read.crc:
            raise InvalidData(
                f"{name}: expected the {read.size} bytes that were read before (CRC-32 {read.crc:08x}), got others "
                f"(CRC-32 {crc:08x}); give the same data again, from their beginning"
            )
        if rest:
            yield rest
    if left and not ended_early(file):
        raise InvalidData(
            f"{name}: expected the {read.size} bytes that were read before, got {read.size - left}; "
            "give the same data again, from their beginning"
        )
