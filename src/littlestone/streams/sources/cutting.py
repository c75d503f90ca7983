"""Rows of a live source, cut from its bytes as they come: a line that is none does not keep those behind it waiting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from littlestone.streams.sources.lines import count_lines
from littlestone.streams.sources.opened import BOM
from littlestone.streams.sources.pieces import LONGEST
from littlestone.streams.sources.quoted import LINE_FEED, Marks, Quotes

__all__ = ["Cut", "Cutter"]

LONGEST_ROW = 1 << 20  # bytes of a row of several lines: in a longer one a quote was left open


class Cut(NamedTuple):
    """Whole rows; or, of a line that is too long to be one, some bytes that are ``passed`` over."""

    data: bytes
    lines: int  # how many of them end here
    passed: bool = False


class Cutter:
    r"""Cuts bytes that come chunk by chunk into blocks of whole rows; what is cut depends on nothing but the bytes.

    ``marks`` say how they are divided; whoever takes a block may change them. A row of several lines that is longer
    than ``row`` bytes has a quote that was left open: its first line comes alone, and rows are looked for behind that.
    A line of more than ``longest`` bytes is passed over.

    >>> cutter = Cutter(Marks(b","))
    >>> [cut.data for chunk in (b'1,"one', b'\ntwo"\n2,', b"three") for cut in cutter.cut(chunk)], [*cutter.rest()]
    ([b'1,"one\ntwo"\n'], [Cut(data=b'2,three\n', lines=1, passed=False)])
    """

    def __init__(self, marks: Marks, *, longest: int = LONGEST, row: int = LONGEST_ROW) -> None:
        self._marks, self._longest, self._row = marks, longest, row
        self._passing = False  # whether this is a line that is too long
        self._begin()

    def _begin(self) -> None:
        """Be at the beginning of a row, of which nothing has come."""
        self._held, self._length, self._several = list[bytes](), 0, False
        self._between = self._marks.between
        self._quotes = Quotes(self._between) if self._between else None

    def cut(self, chunk: bytes) -> Iterator[Cut]:
        """Yield what one more chunk completes."""
        left = self._sliced(chunk)
        while left:
            yield from self._next(left.pop(), left)

    def rest(self) -> Iterator[Cut]:
        """Yield what is left at the end; a last line is given the line feed that it lacks."""
        if self._passing:
            yield Cut(b"", 1, passed=True)
        while self._length:
            data = b"".join(self._held)
            first = data.find(LINE_FEED) + 1
            if self._quotes is None or not self._quotes.inside or not 0 < first < len(data):
                data = data if data.endswith(LINE_FEED) else data + LINE_FEED
                self._begin()
                yield Cut(data, data.count(LINE_FEED))
                return
            self._begin()
            yield Cut(data[:first], 1)
            yield from self.cut(data[first:])

    def _sliced(self, data: bytes) -> list[bytes]:
        """Return bytes in chunks, the last one first, in each of which no row is too long."""
        size = self._row if self._marks.between else self._longest
        return [data[at : at + size] for at in reversed(range(0, len(data), size))]

    def _next(self, chunk: bytes, left: list[bytes]) -> Iterator[Cut]:
        if self._passing:
            yield from self._pass(chunk, left)
            return
        if not self._length and self._between != self._marks.between:
            self._begin()
        feed = chunk.find(LINE_FEED) + 1
        if not self._several and self._length + (feed - 1 if feed else len(chunk)) > self._longest:
            held, self._passing = b"".join(self._held), True
            self._begin()
            left.append(chunk)
            yield Cut(held, 0, passed=True)
            return
        first, last = self._ends(chunk, feed)
        self._several = self._several or 0 < feed != first
        if self._several and self._length + (first or len(chunk)) > self._row:
            yield self._given_up(chunk, left)
            return
        if not last:
            self._hold(chunk)
            return
        yield from self._given(chunk, first if self._marks.alone else last, left)

    def _pass(self, chunk: bytes, left: list[bytes]) -> Iterator[Cut]:
        """Pass over what belongs to a line that is too long."""
        end = chunk.find(LINE_FEED) + 1
        self._passing = not end
        if end and chunk[end:]:
            left.extend(self._sliced(chunk[end:]))
        yield Cut(chunk[: end or len(chunk)], int(end > 0), passed=True)

    def _ends(self, chunk: bytes, feed: int) -> tuple[int, int]:
        """Return the places behind the first and the last line feed that end rows."""
        begun = self._held[0] if self._held else chunk
        if self._marks.alone and begun[:9].removeprefix(BOM)[:1] == b"{":  # a line of JSON
            return feed, feed
        if self._quotes is None:
            return feed, chunk.rfind(LINE_FEED) + 1 if feed else 0
        last = self._quotes.last_end(chunk)
        return self._quotes.first_end, last

    def _given_up(self, chunk: bytes, left: list[bytes]) -> Cut:
        """Return the first line of a row that has become too long; the others are looked through anew."""
        data = b"".join((*self._held, chunk))
        end = data.find(LINE_FEED) + 1
        self._begin()
        left.extend(self._sliced(data[end:]))
        return Cut(data[:end], 1)

    def _given(self, chunk: bytes, end: int, left: list[bytes]) -> Iterator[Cut]:
        """Yield the rows up to a place, and keep the rest; anew, if rows are divided otherwise from here on."""
        alone = self._marks.alone
        data = b"".join((*self._held, chunk[:end]))
        rest = chunk[end:]
        if alone:
            self._begin()
        else:
            self._held, self._length, self._several = [], 0, False
            if rest:
                self._hold(rest)
                self._several = LINE_FEED in rest
        yield Cut(data, count_lines(data))
        if alone and rest:
            left.extend(self._sliced(rest))
        elif not alone and self._between != self._marks.between:
            self._begin()
            left.extend(self._sliced(rest))

    def _hold(self, chunk: bytes) -> None:
        self._held.append(chunk)
        self._length += len(chunk)
