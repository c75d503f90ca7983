"""Quoted cells: a line feed within double quotes ends no row of a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from littlestone.streams.sources.opened import BOM

__all__ = ["ANY", "LINE_FEED", "Marks", "Quotes", "first_row"]

LINE_FEED = b"\n"
ANY = b",;\t"  # one of these stands between cells, as long as nobody knows which


@dataclass
class Marks:
    """How rows are divided, as far as whoever reads them knows by now: what may be changed between two pieces.

    ``between`` are the marks that may stand between cells, of which one in double quotes may have line feeds; none:
    a line is a row. ``alone``: the next row comes alone, for it says how the others are divided.
    """

    between: bytes = b""
    alone: bool = False


class Quotes:
    r"""Finds where rows end in bytes that come piece by piece; ``marks`` are those that may stand between cells.

    As the csv module has it, a quote opens a cell only where one begins; any other is a character of its cell. Two
    quotes within a quoted cell stand for one.

    >>> quotes = Quotes(b",")
    >>> quotes.last_end(b'5" disk,"one\n'), quotes.last_end(b'two"'), quotes.last_end(b'",3\n'), quotes.inside
    (0, 0, 0, True)
    >>> quotes.last_end(b'"\n4,\n5,'), quotes.first_end
    (5, 2)
    """

    def __init__(self, marks: bytes) -> None:
        self.inside = False  # whether a quoted cell is open
        self.first_end = 0  # the place behind the first line feed that ended a row in the last piece; 0: none did
        self._closed = False  # whether the last byte closed one, unless another quote follows
        self._first = self._begins = True  # whether nothing has come; a cell begins at the next byte
        self._marks = marks + LINE_FEED
        some = re.escape(self._marks)
        self._rest = re.compile(rb'[^"]*(?:""[^"]*)*("|\Z)')
        self._cell = re.compile(rb'(?<=[%s])"[^"]*(?:""[^"]*)*("|\Z)' % some)

    def last_end(self, piece: bytes) -> int:
        """Return the place behind the last line feed that ends a row; 0 where there is none."""
        self.first_end = 0
        if not piece:
            return 0
        found = self._begun(piece, len(BOM) if self._first and piece.startswith(BOM) else 0)
        if found is None:
            return 0
        at, end = found, 0
        for cell in self._cell.finditer(piece, at):
            end = self._behind(piece, at, cell.start(), end)
            at, self.inside = cell.end(), not cell[1]
            self._closed = at == len(piece) and not self.inside
        if not self.inside:
            end = self._behind(piece, at, len(piece), end)
        self._begins = piece[-1:] in self._marks
        return end

    def _begun(self, piece: bytes, at: int) -> int | None:
        """Return the place behind a cell that was open before, or begins ``at`` a place; None if it stays open."""
        quote = piece[at : at + 1] == b'"'
        self._first = False
        opened = not self.inside and quote and (self._closed or self._begins)
        self._closed = False
        if not self.inside and not opened:
            return 0
        rest = self._rest.match(piece, at + opened)
        assert rest is not None
        self.inside = not rest[1]
        self._closed = rest.end() == len(piece) and not self.inside
        self._begins = False
        return None if self.inside else rest.end()

    def _behind(self, piece: bytes, start: int, stop: int, before: int) -> int:
        found = piece.rfind(LINE_FEED, start, stop)
        if found < 0:
            return before
        self.first_end = self.first_end or piece.find(LINE_FEED, start, stop) + 1
        return found + 1


def first_row(data: bytes, between: bytes) -> int:
    r"""Return the place behind the first row of some whole lines; behind the first line, if a quote stays open.

    >>> first_row(b'a,"b\nc"\nd\n', b","), first_row(b'"a\nb\n', b",")
    (8, 3)
    """
    quotes = Quotes(between)
    if between and quotes.last_end(data):
        return quotes.first_end
    return data.find(LINE_FEED) + 1 or len(data)
