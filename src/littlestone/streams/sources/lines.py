"""Blocks of whole lines: of a file large ones; of a pipe what is there, at once, and a fast one still fills them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import numpy as np

from littlestone.streams.sources.opened import Source, poller
from littlestone.streams.sources.pieces import BLOCK, LONGEST, NEW_LINE, Quiet, ended_early, too_long

__all__ = ["as_it_comes", "count_lines", "cut_lines", "lines_of", "whole_lines"]

PATIENCE = 0.001  # seconds that a block waits for more, while much comes at a time
MUCH = 1 << 14  # bytes: who brings fewer is slow, and gets an answer at once


def whole_lines(
    file: IO[bytes], size: int = BLOCK, *, longest: int = LONGEST, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    r"""Yield blocks of about ``size`` bytes, each of whole lines, with the number of its first line.

    Every line ends in a line feed, also a last one that had none, unless nobody waited for its end. A line of more
    than ``longest`` bytes is an error.

    >>> import io
    >>> list(whole_lines(io.BytesIO(b"one\ntwo\nthree"), 5))
    [(1, b'one\n'), (2, b'two\n'), (3, b'three\n')]
    """
    size = min(size, longest)  # so that only a line begun in an earlier block can be too long
    chunks = iter(lambda: file.read(size), b"")
    cut = cut_lines(chunks, getattr(file, "name", "file"), file, longest=longest, first=first)
    return ((line, block) for line, _, block in cut)


def cut_lines(
    chunks: Iterable[bytes], name: str, file: Any, *, longest: int = LONGEST, first: int = 1
) -> Iterator[tuple[int, int, bytes]]:
    r"""Yield the number of the first line, how many there are, and whole lines; where none come for now, b"".

    >>> list(cut_lines([b"one", b"\ntwo\nth", b"", b"ree"], "a file", None))
    [(1, 2, b'one\ntwo\n'), (3, 0, b''), (3, 1, b'three\n')]
    """
    line, begun, length = first, [b""], 0
    for chunk in chunks:
        if not chunk:
            yield line, 0, b""
            continue
        cut = chunk.rfind(b"\n") + 1
        head = chunk.find(b"\n") if cut else len(chunk)
        if length + head > longest:
            raise too_long(name, line, longest)
        if not cut:
            begun.append(chunk)
            length += len(chunk)
            continue
        block = b"".join((*begun, chunk[:cut]))
        count = count_lines(block)
        yield line, count, block
        line += count
        begun, length = [chunk[cut:]], len(chunk) - cut
    if length and not ended_early(file):
        yield line, 1, b"".join(begun) + b"\n"


def count_lines(block: bytes) -> int:
    """Return how many line feeds there are; bytes.count is slow."""
    return int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == NEW_LINE))


def lines_of(source: Source, file: IO[bytes], size: int = BLOCK, *, hold: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of whole lines of an open source, each with the number of its first line.

    Those of a file have about ``size`` bytes. A pipe's have what is there; before one would wait for more, an empty
    block comes, so that nobody keeps what has come already. Of a pipe the first ``hold`` lines are one block, however
    they come.
    """
    if source.again:
        return whole_lines(file, size)
    cut = cut_lines(as_it_comes(source, file, size, hold=hold), getattr(file, "name", "file"), file)
    return ((line, block) for line, _, block in cut)


def as_it_comes(source: Source, file: Any, size: int, *, hold: int = 0, pauses: bool = True) -> Iterator[bytes]:
    """Yield the bytes of a pipe as they come, and nothing (b"") before it must be waited for.

    Without ``pauses``, nothing only where the source was waited for as long as its patience says.
    """
    comes, held = _waiter(source), b""
    while True:
        if pauses and not hold and not comes(0.0):
            yield b""
        try:
            piece = file.read1(size)
        except Quiet:
            yield b""
            continue
        if not piece:
            break
        found, length = [piece], len(piece)
        while length < size and comes(PATIENCE if len(found[-1]) >= MUCH else 0.0):
            piece = file.read1(size - length)
            if not piece:
                break
            found.append(piece)
            length += len(piece)
        held += b"".join(found)
        if hold and held.count(b"\n") < hold and len(held) <= LONGEST:
            continue
        end = _end_of_line(held, hold)
        hold = 0
        yield held[:end]
        if held[end:]:
            yield held[end:]
        held = b""
    if held:
        yield held


def _end_of_line(data: bytes, number: int) -> int:
    """Return the place behind so many lines; all of the bytes, where there are fewer, or where nobody asks for any."""
    place = 0
    for _ in range(number):
        found = data.find(b"\n", place)
        if found < 0:
            return len(data)
        place = found + 1
    return place or len(data)


def _waiter(source: Source) -> Callable[[float], bool]:
    """Return what tells whether more comes within so many seconds; never, where the system cannot tell."""
    return poller(source.descriptor()) or (lambda _: False)
