"""Chunks of text files: read by kernels, which stop at a bad line, in rooms that threads take and leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bytes, Floats, Ints
from littlestone.core.block import Block
from littlestone.core.messages import Message
from littlestone.engine.text import numbers as engine
from littlestone.engine.text.numbers import Known
from littlestone.streams.sources.pieces import NOTHING, Sum

__all__ = ["CHUNK", "ChunkReader", "Parsed", "Space", "Spaces", "number", "read", "shown"]

CHUNK = 1 << 21  # bytes parsed at once: what comes of them stays in the cache
NOTHING_KNOWN = np.zeros(0, dtype=np.int64), np.zeros(0)

Complaint = tuple[int, Message]  # a line of a chunk, and what is wrong with it


class Space(Protocol):
    """Room for what the kernels make of a chunk: as large as ``size`` bytes need, ``spans`` for numbers not decided."""

    size: int
    spans: Ints


S = TypeVar("S", bound=Space)


@dataclass
class Parsed:
    """A block of rows whose labels are still numbers (NaN: none), and the bad lines among them."""

    block: Block
    y: NDArray[np.float64]
    lines: NDArray[np.int64]  # the line of each row, the first of the chunk being 1
    width: int  # the largest index plus one, also of a value 0
    count: int  # how many lines there are
    bad: list[Complaint]
    sum: Sum = NOTHING  # of the bytes of the chunk; or of all that were read so far


class Spaces(Generic[S]):
    """Rooms that threads take and leave; a room has the ``size`` it was made for."""

    def __init__(self, make: Callable[[int], S]) -> None:
        self._make, self._free = make, deque[S]()

    @contextmanager
    def room(self, size: int) -> Iterator[S]:
        """Give a room for ``size`` bytes; unless it is larger than most need, another thread has it afterwards."""
        room = self._taken(size)
        yield room
        if room.size <= 2 * CHUNK:
            self._free.append(room)

    def _taken(self, size: int) -> S:
        try:
            room = self._free.pop()
        except IndexError:
            wanted = size if size < CHUNK // 2 else max(size, CHUNK)  # a short one is the last
            return self._make(wanted * 9 // 8)  # a chunk ends with a line: the next one may be longer
        return room if room.size >= size else self._make(size * 9 // 8)


class ChunkReader(ABC, Generic[S]):
    """Reads the lines of one chunk by a kernel, which stops at a bad one and can be sent on behind it."""

    def __init__(self, chunk: bytes, space: S, size: int, settings: dict[int, int], *, stops: bool) -> None:
        self.chunk, self.space, self.stops = chunk, space, stops
        self.data = np.frombuffer(chunk, dtype=np.uint8)
        self.known, self.meta = Known(*NOTHING_KNOWN, space.spans), np.zeros(size, dtype=np.int64)
        self._settings = {engine.LINE: 1, engine.LARGEST: -1, **settings}  # what meta begins with

    @abstractmethod
    def go_on(self) -> int:
        """Let the kernel read from where it is; return what is wrong with the line where it stopped, 0 at the end."""

    @abstractmethod
    def error(self, code: int) -> Message:
        """Say what is wrong with the line where the kernel stopped."""

    def read(self) -> list[Complaint]:
        """Read all lines, or up to the first bad one; return what is wrong."""
        bad = self._read()
        while hard := int(self.meta[engine.HARD]):  # numbers that the kernel did not decide: know them, begin again
            words = self.space.spans[: 2 * hard]
            self.known = _knowing(self.known, words, read(self.data, words))
            bad = self._read()
        return bad

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.meta[engine.ROWS])

    @property
    def stored(self) -> int:
        """How many features they have."""
        return int(self.meta[engine.STORED])

    @property
    def place(self) -> int:
        """Where something is wrong."""
        return int(self.meta[engine.AT])

    def values(self, room: Floats) -> Floats | None:
        """Return the values of all features, if not all are 1."""
        return room[: self.stored].copy() if self.meta[engine.REAL] else None

    def span(self) -> tuple[int, int]:
        """Return the largest index plus one, and how many lines were read."""
        return int(self.meta[engine.LARGEST]) + 1, int(self.meta[engine.LINE]) - 1

    def restart(self) -> None:
        """Go to the first line."""
        self.meta[:] = 0
        self.meta[list(self._settings)] = list(self._settings.values())

    def skip(self) -> None:
        """Go behind the bad line."""
        self.meta[engine.POSITION] = self.chunk.index(b"\n", self.meta[engine.POSITION]) + 1
        self.meta[engine.LINE] += 1

    def _read(self) -> list[Complaint]:
        self.restart()
        bad = []
        while code := self.go_on():
            bad.append((int(self.meta[engine.LINE]), self.error(code)))
            if self.stops:
                break
            self.skip()
        return bad


def read(data: Bytes, words: Ints) -> NDArray[np.float64]:
    """Return the number from ``words[2 k]`` to ``words[2 k + 1]``, for each k; NaN where there is none.

    >>> text = np.frombuffer(b"1e-3|12345678901234567890123|0x10|", dtype=np.uint8)
    >>> read(text, np.array([0, 4, 5, 28, 29, 33])).tolist()
    [0.001, 1.2345678901234568e+22, nan]
    """
    known, out = Known(*NOTHING_KNOWN, np.empty(len(words), dtype=np.int64)), np.empty(len(words) // 2)
    while True:
        meta = np.zeros(engine.MORE, dtype=np.int64)
        engine.decimals(data, words, known, out, meta)
        if not meta[engine.HARD]:
            return out
        hard = known.spans[: 2 * meta[engine.HARD]]
        values = np.array([float(data[a:b].tobytes()) for a, b in hard.reshape(-1, 2).tolist()])
        known = _knowing(known, hard, values)


def _knowing(known: Known, words: Ints, values: Floats) -> Known:
    """Return the numbers that are known, and those of some words."""
    at, values = np.append(known.at, words[::2]), np.append(known.values, values)
    order = np.argsort(at)
    return Known(at[order], values[order], known.spans)


def number(value: Any) -> int | float:
    """Return a whole number as an int, any other as a float."""
    return int(value) if float(value).is_integer() else float(value)


def shown(chunk: bytes, at: int) -> str:
    """Return the word at a place, as an error shows it."""
    word = (chunk[at : at + 80].replace(b"\n", b" \n").split(maxsplit=1) or [b""])[0]
    if chunk[at : at + 1] in {b"\n", b""}:
        return "the end of the line"
    text = word[:40].decode(errors="backslashreplace")
    return repr(text + ("..." if len(word) > 40 else ""))
