"""What the streams of text files share: blocks parsed in threads, labels and sizes found by a scan, bad lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core import messages
from littlestone.core.arrays import Bytes, Floats, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.core.labels import BOTH, all_labels, distinct
from littlestone.core.messages import Message, Remedy
from littlestone.core.parameters import check_whole
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.text import numbers as engine
from littlestone.engine.text.numbers import Known
from littlestone.streams.base import ReadStream
from littlestone.streams.formats.reading_rules import listed
from littlestone.streams.sources.opened import BOM, Source
from littlestone.streams.sources.pieces import NOTHING, Spans, Sum, in_order, whole_lines

__all__ = ["ChunkReader", "Parsed", "Spaces", "TextOptions", "TextStream", "number", "read", "shown"]

CHUNK = 1 << 21  # bytes parsed at once: what comes of them stays in the cache
THREADS = 2
NOTHING_KNOWN = np.zeros(0, dtype=np.int64), np.zeros(0)
AT_SIGHT = ({-1.0, 1.0}, {0.0, 1.0})


Complaint = tuple[int, Message]  # a line of a chunk, and what is wrong with it
P = TypeVar("P")


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


class TextOptions(TypedDict, total=False):
    """What every stream of a text file takes."""

    attributes: int | None
    labels: tuple[Any, ...] | None
    unlabelled: bool
    on_error: str
    threads: int


class TextStream(ReadStream):
    """Examples in the lines of a text file; a concrete stream says how a chunk of whole lines is parsed."""

    source: Source

    def __init__(
        self,
        source: Any,
        *,
        attributes: int | None = None,
        labels: tuple[Any, ...] | None = None,
        unlabelled: bool = False,
        on_error: str = "raise",
        threads: int = THREADS,
    ) -> None:
        owner, found = type(self).__name__, Source.of(source)
        super().__init__(found.name, found, labels=labels, unlabelled=unlabelled, on_error=on_error)
        self.threads = check_whole(owner, "threads", threads)
        self.attributes = None if attributes is None else check_whole(owner, "attributes", attributes)
        if self.attributes is not None and self.attributes > MOST_ATTRIBUTES:
            raise InvalidParameter(f"{owner}: attributes must be at most {MOST_ATTRIBUTES}, got {attributes}")
        self._labels = None if labels is None else _numbers(owner, labels)
        self._size = self.attributes
        self._read_whole = False  # whether some pass came to the end

    # What a concrete stream says

    @abstractmethod
    def _begin(self, chunk: bytes) -> Parsed | None:
        """Settle, from the first chunk, what holds for all of them; return it, if it was parsed on the way."""

    @abstractmethod
    def _parse(self, chunk: bytes) -> Parsed:
        """Parse a chunk of whole lines; in any thread, changing nothing."""

    def _finish(self, parsed: Parsed) -> Block:
        """Return the rows of a chunk, in order, with the attributes known by now."""
        return replace(parsed.block, n_attributes=self._size)

    def _found(self, width: int) -> int:
        """Return the number of attributes after a whole pass, in which the largest index was ``width`` - 1."""
        return width

    # What is known of the whole

    def scan(self) -> None:
        """Read a file once, for the number of attributes and the labels."""
        if not self.again:
            return
        width, seen = 0, np.zeros(0)
        for parsed in self._parsed(counted=False):
            width = max(width, parsed.width)
            seen = distinct(np.append(seen, parsed.y[~np.isnan(parsed.y)]))
        self._ended(width)
        if self.given_labels is None:
            self._labels = self._all(seen)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew, which a pipe cannot."""
        rows, start, width = check_whole(type(self).__name__, "rows", rows), 0, 0
        first = self._look() if self.again else None
        for parsed in self._parsed(first=first):
            if self._labels is None:
                self._labels = self._all(parsed.y[~np.isnan(parsed.y)])
            block = self._labelled(self._finish(parsed), parsed)
            yield from replace(block, start=start).split(rows)
            start, width = start + len(block), max(width, parsed.width)
        self._ended(width)

    # Inside

    def _ended(self, width: int) -> None:
        """Know what a whole pass tells, in which the largest index was ``width`` - 1."""
        self._read_whole = True
        if self.attributes is None:
            self._size = self._found(width)

    def _look(self) -> Parsed | None:
        """Know the labels before the first block of a file: at sight from its first chunk, else by a scan.

        Return the first chunk, if it was parsed and no more.
        """
        if self.source.path is None and (self._labels is None or self._size is None):
            self.scan()  # now, for the place in an open file is shared with whoever asks for its size later
        elif self._labels is None:
            with closing(self._parsed(counted=False, alone=True)) as chunks:
                first = next(chunks, None)
            seen = np.zeros(0) if first is None else first.y[~np.isnan(first.y)]
            if set(distinct(seen).tolist()) in AT_SIGHT:
                self._labels = self._all(seen)
                return first
            self.scan()
        return None

    def _parsed(self, *, counted: bool = True, first: Parsed | None = None, alone: bool = False) -> Generator[Parsed]:
        """Yield the chunks in order, bad lines raised or skipped and, if they are to be, counted.

        ``first`` is the first chunk, where it was parsed before; it is yielded ``alone`` if nobody wants the others.
        """
        if counted:
            self._forget()
        plain = self.source.plain()
        with self.source.open() if plain is None else plain as file:
            if plain is None:
                marked = ((chunk, self.source.mark) for _, chunk in whole_lines(file, CHUNK))
                pieces = self._in_order(marked, lambda piece: piece, first, alone=alone, ahead=self.source.again)
                for parsed in self._numbered_lines(pieces, counted):
                    self.source.given(parsed.sum)
                    yield parsed
                return
            spans, read = Spans(plain, self.name, CHUNK, summing=self.source.summing), NOTHING
            pieces = self._in_order(iter(spans), spans.read, first, alone=alone, ahead=False)
            for parsed in self._numbered_lines(pieces, counted):
                read = read.then(*parsed.sum)
                self.source.given(read)
                plain.seek(read.size)  # nobody reads from there: it says how far we are
                yield parsed

    def _in_order(
        self, pieces: Iterator[P], read: Callable[[P], tuple[bytes, Sum]], first: Parsed | None, *,
        alone: bool, ahead: bool,
    ) -> Generator[Parsed]:  # fmt: skip
        """Yield the pieces in order, read and parsed in threads, after the first, which says what holds for all."""
        head = next(pieces, None)
        if head is None:
            return

        def task(piece: P) -> Parsed:
            chunk, read_sum = read(piece)
            begun = None
            if piece is head:
                chunk = chunk.removeprefix(BOM)
                begun = self._begin(chunk)
            parsed = self._parse(chunk) if begun is None else begun
            parsed.sum = read_sum
            return parsed

        begun = task(head) if first is None else first
        if alone or not self.again:  # a pipe may bring no more for long
            yield begun
        if not alone:
            yield from in_order(task, pieces, self.threads, ahead=ahead, first=[begun] if self.again else [])

    def _numbered_lines(self, pieces: Iterator[Parsed], counted: bool) -> Iterator[Parsed]:
        line = 1
        for parsed in pieces:
            line += parsed.count
            yield self._judged(parsed, line - parsed.count, counted)

    def _judged(self, parsed: Parsed, line: int, counted: bool) -> Parsed:
        """Number the lines, the first of which is ``line`` of the file; raise or count the bad ones."""
        parsed.lines += line - 1
        for at, wrong in parsed.bad:
            self._refuse(wrong.after(f"{self.name}:{at + line - 1}: "), counted=counted)
        return parsed

    def _all(self, seen: NDArray[np.float64]) -> tuple[Any, ...]:
        try:
            found = all_labels(seen) if len(self.met) < 2 else (*self.met, *distinct(seen))
            return tuple(dict.fromkeys(map(number, found)))
        except InvalidLabel:  # one label, and none that brings its other
            raise InvalidLabel(
                f"{self.name}: expected two labels, got only {number(seen[0])}", Remedy("give {labels}", labels=BOTH)
            ) from None

    def _labelled(self, block: Block, parsed: Parsed) -> Block:
        """Return the rows with their outcomes; -1 where a row has no label, all None where no row has one."""
        assert self._labels is not None
        if not self._labels:
            return replace(block, outcomes=None)
        y, labels = parsed.y, np.array(self._labels, dtype=np.float64)
        order, without = np.argsort(labels), np.isnan(y)
        codes = order[np.searchsorted(labels, y, sorter=order).clip(max=len(labels) - 1)].astype(np.int64)
        strange = (labels[codes] != y) & ~without
        codes[without] = -1
        for row in np.flatnonzero(strange).tolist():
            first = Remedy("these came first; give {labels}", labels=BOTH)
            remedy = first if self.given_labels is None else "correct it"
            place, expected = f"{self.name}:{parsed.lines[row]}", f"expected a label among ({listed(self._labels)})"
            self._refuse(Message(f"{place}: {expected}, got {number(y[row])}", remedy), InvalidLabel)
        block = replace(block, outcomes=None if len(y) and without.all() else codes, labels=self._labels)
        return block.taken(np.flatnonzero(~strange)) if strange.any() else block


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


def _numbers(owner: str, labels: Any) -> tuple[Any, ...]:
    if isinstance(labels, tuple) and not labels:
        return ()  # nobody wants to know them
    sound = isinstance(labels, tuple | list) and len(labels) >= 2
    if not sound or not all(isinstance(label, int | float) and np.isfinite(label) for label in labels):
        got = messages.shown(labels)
        raise InvalidParameter(f"{owner}: labels must be a tuple of numbers, the negative one first, got {got}")
    if len(set(labels)) < len(labels):
        raise InvalidParameter(f"{owner}: labels must be different, got {messages.repeated(labels)} twice")
    return tuple(labels)
