"""What the streams of text files share: blocks parsed in threads, labels and sizes found by a scan, bad lines."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core import messages
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import BOTH, all_labels
from littlestone.core.messages import Message, Remedy
from littlestone.core.parameters import check_whole
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.streams.base import Stream
from littlestone.streams.formats.reading_rules import listed
from littlestone.streams.sources.in_order import in_order
from littlestone.streams.sources.opened import Source, whole_lines
from littlestone.streams.sources.spans import Spans
from littlestone.streams.sources.sums import NOTHING, Sum

__all__ = ["Complaint", "Parsed", "Spaces", "TextStream", "number", "shown"]

CHUNK = 1 << 21  # bytes parsed at once: what comes of them stays in the cache
THREADS = 2
REMEMBERED = 5  # bad lines that are kept, of those that were skipped
BOM = b"\xef\xbb\xbf"
AT_SIGHT = ({-1.0, 1.0}, {0.0, 1.0})


class Sized(Protocol):
    """A room of a size."""

    size: int


S = TypeVar("S", bound=Sized)
P = TypeVar("P")


Complaint = tuple[int, Message]  # a line of a chunk, and what is wrong with it


@dataclass
class Parsed:
    """A block of rows whose labels are still numbers (NaN: none), and the bad lines among them."""

    block: Block
    y: NDArray[np.float64]
    lines: NDArray[np.int64]  # the line of each row, the first of the chunk being 1
    width: int = 0  # the largest index plus one, also of a value 0
    bad: list[Complaint] = field(default_factory=list)
    count: int = 0  # how many lines there are
    sum: Sum = NOTHING  # of the bytes of the chunk; or of all that were read so far


class Spaces(Generic[S]):
    """Rooms that threads take and leave; a room has the ``size`` it was made for."""

    def __init__(self, make: Callable[[int], S]) -> None:
        self._make, self._free = make, deque[S]()

    def taken(self, size: int) -> S:
        """Return a room for ``size`` bytes, a new one if none is free."""
        try:
            room = self._free.pop()
        except IndexError:
            return self._make(max(size, CHUNK) * 9 // 8)  # a chunk ends with a line: the next one may be longer
        return room if room.size >= size else self._make(size * 9 // 8)

    def left(self, room: S) -> None:
        """Let others have a room, unless it is larger than most need."""
        if room.size <= 2 * CHUNK:
            self._free.append(room)


class TextStream(Stream):
    """Examples in the lines of a text file; a concrete stream says how a chunk of whole lines is parsed."""

    def __init__(
        self,
        source: Any,
        *,
        attributes: int | None,
        labels: tuple[Any, ...] | None,
        unlabelled: bool,
        on_error: str,
        threads: int,
    ) -> None:
        owner = type(self).__name__
        if on_error not in {"raise", "skip"}:
            raise InvalidParameter(f"{owner}: on_error must be 'raise' or 'skip', got {on_error!r}")
        self._source = source if isinstance(source, Source) else Source(source)
        self.name, self.on_error, self.unlabelled = self._source.name, on_error, bool(unlabelled)
        self.threads = check_whole(owner, "threads", threads)
        self.attributes = None if attributes is None else check_whole(owner, "attributes", attributes)
        if self.attributes is not None and self.attributes > MOST_ATTRIBUTES:
            raise InvalidParameter(f"{owner}: attributes must be at most {MOST_ATTRIBUTES}, got {attributes}")
        self._labels = None if labels is None else _numbers(owner, labels)
        self._told = self._labels is not None
        self._width: int | None = None  # as a scan has found it
        self.skipped = 0
        self.complaints: list[str] = []

    # What a concrete stream says

    @abstractmethod
    def _begin(self, chunk: bytes) -> None:
        """Settle, from the first chunk, what holds for all of them."""

    @abstractmethod
    def _parse(self, chunk: bytes) -> Parsed:
        """Parse a chunk of whole lines; in any thread, changing nothing."""

    def _finish(self, parsed: Parsed) -> Block:
        """Return the rows of a chunk, in order, with the attributes known by now."""
        return replace(parsed.block, n_attributes=self._size())

    def _found(self, width: int) -> int:
        """Return the number of attributes after a whole pass, in which the largest index was ``width`` - 1."""
        return width

    # What is known of the whole

    @property
    def n_attributes(self) -> int | None:  # type: ignore[override]
        """The number of attributes: as given, else the largest index; a file is scanned for it, a pipe cannot be."""
        if self._size() is None and self._source.again:
            self.scan()
        return self._size()

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first: as given, else those of the file, which is scanned for them."""
        if self._labels is None and self._source.again:
            self.scan()
        return self._labels or (0, 1)

    @property
    def again(self) -> bool:  # type: ignore[override]
        """Whether it can be read again."""
        return self._source.again

    def scan(self) -> None:
        """Read the file once, for the number of attributes and the labels."""
        width, seen = 0, np.zeros(0)
        for parsed in self._parsed(counted=False):
            width = max(width, parsed.width)
            seen = np.union1d(seen, parsed.y[~np.isnan(parsed.y)])
        self._width = self._found(width)
        if not self._told:
            self._labels = self._all(seen)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew, which a pipe cannot."""
        rows, start, width = check_whole(type(self).__name__, "rows", rows), 0, 0
        if self._source.again:
            self._look()
        for parsed in self._parsed():
            if self._labels is None:
                self._labels = self._all(parsed.y[~np.isnan(parsed.y)])
            block = self._labelled(self._finish(parsed), parsed)
            yield from replace(block, start=start).split(rows)
            start, width = start + len(block), max(width, parsed.width)
        self._width = self._found(width)  # a whole pass tells it, too

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    # Inside

    def _size(self) -> int | None:
        return self._width if self.attributes is None else self.attributes

    def _look(self) -> None:
        """Know the labels before the first block of a file: at sight from its first rows, else by a scan."""
        if self._source._path is None and (self._labels is None or self._size() is None):
            self.scan()  # now, for the place in an open file is shared with whoever asks for its size later
        elif self._labels is None:
            with closing(self._parsed(counted=False)) as chunks:
                y = next((parsed.y for parsed in chunks), np.zeros(0))
            seen = y[~np.isnan(y)]
            if set(np.unique(seen).tolist()) in AT_SIGHT:
                self._labels = self._all(seen)
            else:
                self.scan()

    def _parsed(self, *, counted: bool = True) -> Generator[Parsed]:
        """Yield the chunks in order, bad lines raised or skipped and, if they are to be, counted."""
        if counted:
            self.skipped, self.complaints = 0, []
        plain = self._source.plain()
        with self._source.open() if plain is None else plain as file:
            if plain is None:
                marked = ((chunk, self._source.mark) for _, chunk in whole_lines(file, CHUNK))
                for parsed in self._in_order(marked, lambda piece: piece, counted, ahead=self._source.again):
                    self._source.given(parsed.sum)
                    yield parsed
                return
            spans, read = Spans(plain, self.name, CHUNK, summing=self._source.summing), NOTHING
            for parsed in self._in_order(iter(spans), spans.read, counted, ahead=False):
                read = read.then(*parsed.sum)
                self._source.given(read)
                plain.seek(read.size)  # nobody reads from there: it says how far we are
                yield parsed

    def _in_order(
        self, pieces: Iterator[P], read: Callable[[P], tuple[bytes, Sum]], counted: bool, *, ahead: bool
    ) -> Generator[Parsed]:
        """Yield the pieces in order, read and parsed in threads, after the first, which says what holds for all."""
        line = 1
        for piece in pieces:
            first, read_sum = read(piece)
            chunk = first.removeprefix(BOM)
            self._begin(chunk)
            parsed = self._parse(chunk)
            parsed.sum = read_sum
            line += parsed.count
            yield self._judged(parsed, line - parsed.count, counted)
            break

        def task(piece: P) -> Parsed:
            chunk, read_sum = read(piece)
            parsed = self._parse(chunk)
            parsed.sum = read_sum
            return parsed

        for parsed in in_order(task, pieces, self.threads, ahead=ahead):
            line += parsed.count
            yield self._judged(parsed, line - parsed.count, counted)

    def _judged(self, parsed: Parsed, line: int, counted: bool) -> Parsed:
        """Number the lines, the first of which is ``line`` of the file; raise or count the bad ones."""
        parsed.lines += line - 1
        for at, wrong in parsed.bad:
            self._skip(InvalidData(wrong.after(f"{self.name}:{at + line - 1}: ")), counted)
        return parsed

    def _skip(self, error: InvalidData | InvalidLabel, counted: bool = True) -> None:
        if self.on_error == "raise":
            raise error
        self.skipped += counted
        if counted and len(self.complaints) < REMEMBERED:
            self.complaints.append(error.message)

    def _all(self, seen: NDArray[np.float64]) -> tuple[Any, ...]:
        try:
            return tuple(number(label) for label in all_labels(seen))
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
        order = np.argsort(labels)
        codes = order[np.searchsorted(labels, y, sorter=order).clip(max=len(labels) - 1)].astype(np.int64)
        strange = labels[codes] != y
        without = np.isnan(y)
        codes[without] = -1
        strange &= ~without
        kept: NDArray[np.bool_] = ~strange
        for row in np.flatnonzero(strange).tolist():
            self._skip(
                InvalidLabel(
                    f"{self.name}:{parsed.lines[row]}: expected a label among ({listed(self._labels)}), "
                    f"got {number(y[row])}",
                    "correct it" if self._told else Remedy("these came first; give {labels}", labels=BOTH),
                )
            )
        block = replace(block, outcomes=None if len(y) and without.all() else codes, labels=self._labels)
        return block if kept.all() else _some(block, kept)


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


def _some(block: Block, kept: NDArray[np.bool_]) -> Block:
    """Return some rows of a block."""
    parts = [block[row : row + 1] for row in np.flatnonzero(kept).tolist()]
    return Block.joined(parts) if parts else block[:0]
