"""Rows of CSV: whole blocks by a kernel, and by the csv module where that finds something strange."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData
from littlestone.core.messages import Message, Remedy
from littlestone.engine.text import csv as engine
from littlestone.streams.sources.lines import lines_of
from littlestone.streams.sources.opened import BOM, Source
from littlestone.streams.sources.pieces import BLOCK, ended_early

__all__ = ["PAUSE", "CsvRows", "Rows", "Tokens", "refused"]

NEW_LINE, NEVER = np.uint8(10), 256  # a quote that no byte is
Refuse = Callable[[str], None]
Rows = tuple[list[int], list[Any]]  # line numbers, columns of cells
PAUSE: Rows = [], []


class Tokens(NamedTuple):
    """Rows with their line numbers: cell c of row r is ``data[starts[c, r]:ends[c, r]]``."""

    lines: NDArray[np.int64]
    data: NDArray[np.uint8]
    starts: NDArray[np.uint32]
    ends: NDArray[np.uint32]


def refused(message: str) -> NoReturn:
    """Refuse a row."""
    raise InvalidData(message)


class CsvRows:
    """The rows of a file with their line numbers; empty lines are no rows.

    ``dialect`` gives the csv module's parameters, once the first line is known.
    """

    def __init__(self, source: Source, file: Any, dialect: Callable[[str], dict[str, Any]]) -> None:
        self.name = source.name
        self._lines = _Lines(source.name, file, lines_of(source, file, BLOCK))
        self._dialect = dialect(self._lines.peek())
        self._reader = csv.reader(self._lines, **self._dialect)
        self._next = 1
        self._kept: list[tuple[int, list[str]]] = []

    def first(self) -> tuple[int, list[str]] | None:
        """Return the first row, which may be the header; None if there is none."""
        found = None
        while found is None and (self._kept or self._lines.begun or self._lines.wait()):  # blank lines may come first
            found = next(self._some(1, None, refused), None)
        self._lines.rest()
        return found

    def back(self, line: int, row: list[str]) -> None:
        """Take a row back, to be read again."""
        self._kept = [(line, row)]

    def columns(self, rows: int, width: int, refuse: Refuse) -> Iterator[Rows | Tokens]:
        """Yield all rows by columns: a block's at a time, or at most ``rows`` of a block that is not quite sound.

        `PAUSE` comes before more must be waited for.
        """
        while True:
            if not (self._kept or self._lines.load()):
                if not self._lines.paused:
                    return
                yield PAUSE
                continue
            if not self._kept and not self._lines.begun:
                meta = np.zeros(engine.SIZE, dtype=np.int64)
                tokens = _tokens(self._lines.block, width, self._dialect, meta)
                if tokens is not None:
                    if len(tokens.lines):
                        yield tokens._replace(lines=tokens.lines + self._next)
                    self._next += int(meta[engine.LINES])
                    self._lines.drop()
                    continue
            found: list[tuple[int, list[str]]] = []
            wrong: InvalidData | None = None
            try:
                for row in self._some(rows, width, refuse):
                    found.append(row)  # noqa: PERF402 -- rows before an error are wanted
            except InvalidData as error:
                wrong = error
            if found:  # an error in these rows comes first
                yield [line for line, _ in found], list(zip(*(row for _, row in found), strict=True))
            if wrong is not None:
                raise wrong

    def _some(self, count: int, width: int | None, refuse: Refuse) -> Iterator[tuple[int, list[str]]]:
        """Yield at most ``count`` rows by the csv module, up to the end of a block."""
        while count:
            try:
                line, row = self._kept.pop() if self._kept else self._row()
            except StopIteration:
                return
            except csv.Error as error:
                if self._lines.ended_early:
                    return  # in the middle of a row
                where = f"{self.name}:{self._next}: expected a row of CSV, got one with an error: "
                self._next += self._lines.taken
                refuse(_remedied(error).after(where))
                continue
            if not row:
                continue
            if self._lines.strange and not _utf8(row):
                refuse(f"{self.name}:{line}: expected text in UTF-8, got other bytes; convert it (iconv -t UTF-8)")
            elif width is not None and len(row) != width:
                refuse(
                    f"{self.name}:{line}: expected {width} cells, as the header has, got {len(row)}; "
                    "quote cells that contain the delimiter"
                )
            else:
                count -= 1
                yield line, row

    def _row(self) -> tuple[int, list[str]]:
        self._lines.taken = 0
        row = next(self._reader)
        line = self._next
        self._next += self._lines.taken
        return line, row


class _Lines:
    """Lines for the csv module: those of one block, and of the next only in the middle of a row.

    ``taken`` counts the lines of the row; ``strange`` is whether the block has zeros, or bytes that are not UTF-8
    (which stand as surrogates).
    """

    def __init__(self, name: str, file: Any, blocks: Iterator[tuple[int, bytes]]) -> None:
        self._blocks, self._name, self._file = blocks, name, file
        self.block, self.strange, self.taken = b"", False, 0
        self.paused = False  # whether there is no block because nothing has come for now
        self._lines: io.StringIO | None = None

    def load(self) -> bool:
        """Have a block whose lines are not all taken; tell whether there is one."""
        if not self.block:
            first, self.block = next(self._blocks, (0, b""))
            self.paused = bool(first) and not self.block
            if first == 1:
                if self.block.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise InvalidData(f"{self._name}:1: expected UTF-8, got UTF-16; convert it (iconv -t UTF-8)")
                self.block = self.block.removeprefix(BOM)
            self._lines = None
        return bool(self.block)

    def wait(self) -> bool:
        """Do what `load` does, however long a block is in coming."""
        while not self.load():
            if not self.paused:
                return False
        return True

    def drop(self) -> None:
        """Be done with the block."""
        self.block, self._lines = b"", None

    @property
    def begun(self) -> bool:
        """Whether some lines of the block may have been taken, and not all of them."""
        return self._lines is not None

    @property
    def ended_early(self) -> bool:
        """Whether the lines end here only because waiting for more was interrupted."""
        return ended_early(self._file) and not self.block

    def rest(self) -> None:
        """Make what is left of the block a block of its own."""
        if self._lines is not None:
            self.block, self._lines = self._lines.read().encode(errors="surrogateescape"), None

    def peek(self) -> str:
        """Return the first line."""
        self.wait()
        return self.block.split(b"\n", 1)[0].decode(errors="replace")

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            if self._lines is None:
                if not self.block and (self.taken == 0 or not self.wait()):
                    raise StopIteration
                self._lines = self._decoded()
            for line in self._lines:
                self.taken += 1
                return line
            self.drop()

    def _decoded(self) -> io.StringIO:
        self.strange = self.strange or b"\0" in self.block
        try:
            text = self.block.decode()
        except UnicodeDecodeError:
            text, self.strange = self.block.decode(errors="surrogateescape"), True
        return io.StringIO(text, newline="\n")  # lines end at line feeds, and nowhere else


def _tokens(block: bytes, width: int, dialect: dict[str, Any], meta: NDArray[np.int64]) -> Tokens | None:
    """Return the cells of a block that is sound as far as a kernel can tell; else None."""
    mark, quote = dialect["delimiter"].encode(), (dialect["quotechar"] or "").encode()
    if len(mark) > 1 or len(quote) > 1 or b"\0" in block:
        return None
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError:
            return None
    size, quoted = len(block), bool(quote) and quote in block
    data = np.empty(2 * size if quoted else size, dtype=np.uint8)  # unquoted text goes behind
    data[:size] = np.frombuffer(block, dtype=np.uint8)
    most = int(np.count_nonzero(data[:size] == NEW_LINE))
    starts, ends = np.empty((width, most), dtype=np.uint32), np.empty((width, most), dtype=np.uint32)
    lines, marks = np.empty(most, dtype=np.int64), (mark[0], quote[0] if quote else NEVER, csv.field_size_limit())
    if not engine.tokens(data, size, *marks, starts, ends, lines, meta):
        return None
    rows = int(meta[engine.ROWS])
    data = data[: meta[engine.SPARE]]
    data.flags.writeable = False
    return Tokens(lines[:rows], data, starts[:, :rows], ends[:, :rows])


def _utf8(row: list[str]) -> bool:
    try:
        return b"\0" not in "".join(row).encode()
    except UnicodeEncodeError:
        return False


def _remedied(error: csv.Error) -> Message:
    text = str(error)
    if "field larger" in text:
        return Message(text, "is a quote left open? (csv.field_size_limit raises the limit)")
    if "new-line" in text:
        return Message("a carriage return in the middle of a line", "lines must end in \\n or \\r\\n")
    never = Remedy("say {quote} where quotes mean nothing", quote="")
    return Message(text, "double the quotes inside quoted cells", never)
