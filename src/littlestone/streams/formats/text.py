"""What the streams of text files share: blocks parsed in threads, labels and sizes found by a scan, bad lines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core import messages
from littlestone.core.block import Block
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.core.labels import BOTH, all_labels, distinct
from littlestone.core.messages import Message, Remedy
from littlestone.core.parameters import check_whole
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.streams.base import ReadStream
from littlestone.streams.formats.chunks import CHUNK, Parsed, number
from littlestone.streams.formats.outcomes import CLASSIFICATION, REGRESSION, are_numbers
from littlestone.streams.formats.reading_rules import listed
from littlestone.streams.sources.lines import lines_of
from littlestone.streams.sources.opened import BOM, Source
from littlestone.streams.sources.pieces import NOTHING, Spans, Sum, in_order

__all__ = ["TextOptions", "TextStream"]

THREADS = 2
FIRST_LINES = 1000  # of a pipe: in them is found out what nobody says
AT_SIGHT = ({-1.0, 1.0}, {0.0, 1.0})


P = TypeVar("P")


def _is_empty(piece: tuple[bytes, Sum]) -> bool:
    return not piece[0]


class TextOptions(TypedDict, total=False):
    """What every stream of a text file takes."""

    attributes: int | None
    labels: tuple[Any, ...] | None
    unlabelled: bool
    on_error: str
    task: str
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
        task: str = CLASSIFICATION,
        threads: int = THREADS,
    ) -> None:
        owner, found = type(self).__name__, Source.of(source)
        super().__init__(found.name, found, labels=labels, unlabelled=unlabelled, on_error=on_error, task=task)
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

    def _settled(self) -> bool:
        """Tell whether nothing has to be found out from the first lines of a pipe."""
        return self._labels is not None or self._task == REGRESSION

    def _recognise(self) -> None:
        """Settle the task by the first lines of a file; a pipe can be read only once, and has labels if nobody says.

        So no line of it is kept before it is known who wants to learn it.
        """
        self._task = CLASSIFICATION
        if self.again:
            with closing(self._parsed(counted=False, alone=True)) as chunks:
                first = next(chunks, None)
            y = np.zeros(0) if first is None else first.y[~np.isnan(first.y)]
            self._task = REGRESSION if are_numbers(y[:FIRST_LINES].tolist()) else CLASSIFICATION

    # What is known of the whole

    def scan(self) -> None:
        """Read a file once, for the number of attributes and the labels."""
        if not self.again:
            return
        width, seen = 0, np.zeros(0)
        numbered = self.task == REGRESSION
        for parsed in self._parsed(counted=False):
            width = max(width, parsed.width)
            if not numbered:
                seen = distinct(np.append(seen, parsed.y[~np.isnan(parsed.y)]))
        self._ended(width)
        if self.given_labels is None and not numbered:
            self._labels = self._all(seen)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew, which a pipe cannot."""
        rows, start, width = check_whole(type(self).__name__, "rows", rows), 0, 0
        numbered = self.task == REGRESSION
        first = self._look() if self.again else None
        for parsed in self._parsed(first=first):
            if self._labels is None and not numbered:
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
        labelled = self._labels is not None or self.task == REGRESSION
        if self.source.path is None and (not labelled or self._size is None):
            self.scan()  # now, for the place in an open file is shared with whoever asks for its size later
        elif not labelled:
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
                hold = 0 if self._settled() else FIRST_LINES
                lines = lines_of(self.source, file, CHUNK, hold=hold)
                marked = ((chunk, self.source.mark) for _, chunk in lines)
                ahead = self.source.again
                pieces = self._in_order(marked, lambda piece: piece, first, alone=alone, ahead=ahead, pauses=_is_empty)
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
        alone: bool, ahead: bool, pauses: Callable[[P], bool] = lambda _: False,
    ) -> Generator[Parsed]:  # fmt: skip
        """Yield the pieces in order, read and parsed in threads, after the first, which says what holds for all.

        A piece that ``pauses`` is none: what has come is yielded before more is waited for.
        """
        head = next((piece for piece in pieces if not pauses(piece)), None)
        if head is None:
            return

        def task(piece: P) -> Parsed | None:
            if pauses(piece):
                return None
            chunk, read_sum = read(piece)
            begun = None
            if piece is head:
                chunk = chunk.removeprefix(BOM)
                begun = self._begin(chunk)
            parsed = self._parse(chunk) if begun is None else begun
            parsed.sum = read_sum
            return parsed

        begun = task(head) if first is None else first
        assert begun is not None
        if alone or not self.again:  # a pipe may bring no more for long
            yield begun
        if not alone:
            known = [begun] if self.again else []
            found: Generator[Parsed | None] = in_order(
                task, pieces, self.threads, ahead=ahead, first=known, pauses=pauses
            )
            yield from (parsed for parsed in found if parsed is not None)

    def _numbered_lines(self, pieces: Iterator[Parsed], counted: bool) -> Iterator[Parsed]:
        line = 1
        for parsed in pieces:
            first, line = line, line + parsed.count
            found = self._placed(parsed, first)
            if self.on_error == "raise" and len(found.block):  # what came before a bad line comes first
                yield found
            for at, wrong in parsed.bad:
                self._refuse(wrong.after(f"{self.name}:{at + first - 1}: "), counted=counted)
            if self.on_error == "skip" or not len(found.block):
                yield found

    def _placed(self, parsed: Parsed, line: int) -> Parsed:
        """Return rows of which the lines are numbered, the first of which is ``line`` of the file."""
        parsed.lines += line - 1
        return parsed

    def _all(self, seen: NDArray[np.float64]) -> tuple[Any, ...]:
        try:
            known = self.met if all(isinstance(label, int | float) for label in self.met) else ()
            found = all_labels(seen) if len(known) < 2 else (*known, *distinct(seen))
            return tuple(dict.fromkeys(map(number, found)))
        except InvalidLabel:  # one label, and none that brings its other
            raise InvalidLabel(
                f"{self.name}: expected two labels, got only {number(seen[0])}", Remedy("give {labels}", labels=BOTH)
            ) from None

    def _labelled(self, block: Block, parsed: Parsed) -> Block:
        """Return the rows with their outcomes; -1 where a row has no label, all None where no row has one.

        Of numbers, NaN stands where a row has none.
        """
        if self.task == REGRESSION and self._labels != ():
            nothing = len(parsed.y) > 0 and bool(np.isnan(parsed.y).all())
            return replace(block, outcomes=None) if nothing else replace(block, outcomes=parsed.y, labels=())
        assert self._labels is not None
        if not self._labels:
            return replace(block, outcomes=None)
        y, labels = parsed.y, np.array(self._labels, dtype=np.float64)
        order, without = np.argsort(labels), np.isnan(y)
        codes = order[np.searchsorted(labels, y, sorter=order).clip(max=len(labels) - 1)].astype(np.int64)
        strange = (labels[codes] != y) & ~without
        if strange.any() and not self.again and self.given_labels is None:  # those of a pipe grow, as its names do
            self._labels += tuple(dict.fromkeys(map(number, y[strange].tolist())))
            return self._labelled(block, parsed)
        codes[without] = -1
        for row in np.flatnonzero(strange).tolist():
            first = Remedy("these came first; give {labels}", labels=BOTH)
            remedy = first if self.given_labels is None else "correct it"
            place, expected = f"{self.name}:{parsed.lines[row]}", f"expected a label among ({listed(self._labels)})"
            self._refuse(Message(f"{place}: {expected}, got {number(y[row])}", remedy), InvalidLabel)
        block = replace(block, outcomes=None if len(y) and without.all() else codes, labels=self._labels)
        return block.taken(np.flatnonzero(~strange)) if strange.any() else block


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
