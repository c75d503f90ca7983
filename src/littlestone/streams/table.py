"""CSV and TSV files as streams."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Unpack

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.streams._table import TableOptions, TableRows, TableStream, guessed
from littlestone.streams.opened import Source, plain_suffix, whole_lines

__all__ = ["CsvStream"]

BOM = b"\xef\xbb\xbf"
Refuse = Callable[[str], None]


class CsvStream(TableStream):
    r"""A CSV or TSV file with a header, in UTF-8.

    A column whose cells are all numbers is one attribute with a value, one of only True and False a Boolean
    attribute; every other column has an attribute ``column=value`` for each value. The whole file decides; of a pipe
    the first 1,000 rows. Cells that are empty, ?, NA, N/A, NaN, nan or null are missing. Spaces around a cell do not
    count; empty lines are skipped.

    Parameters
    ----------
    source : path, "-" for stdin, or a binary file
    delimiter : str or None
        None: a tab in a file called .tsv or .tab; else a comma or, where the header has none, a semicolon or a tab.
    quote : str or None
        None: ``"`` as in CSV, with ``""`` for a quote inside; in TSV quotes are characters like others. "": never.
    header : True, False or names
        False: there is none, columns are called 1, 2, 3, ...; names: there is none, and these are the columns'.
    label, text, ignore, numeric, categorical, weight, tag, missing, labels, unlabelled, on_error
        As in `TableStream`.

    Example
    -------
    >>> stream = CsvStream(io.BytesIO(b"colour,size,class\nred,1.5,yes\nblue,2,no\n"))
    >>> stream.names, stream.labels
    (('size', 'colour=red', 'colour=blue'), ('no', 'yes'))
    """

    def __init__(
        self, source: Any, *, delimiter: str | None = None, quote: str | None = None,
        header: bool | Sequence[str] = True, **options: Unpack[TableOptions],
    ) -> None:  # fmt: skip
        super().__init__("CsvStream", **options)
        self._source = source if isinstance(source, Source) else Source(source)
        self.again = self._source.again
        for name, value, most in (("delimiter", delimiter, 1), ("quote", quote, 1)):
            if value is not None and (not isinstance(value, str) or len(value) > most or value in {"\n", "\r"}):
                raise InvalidParameter(f"CsvStream: {name} must be one character, got {value!r}")
        if delimiter is not None and (not delimiter or delimiter == quote):
            raise InvalidParameter(f"CsvStream: delimiter must be one character, not the quote, got {delimiter!r}")
        self._delimiter, self._quote, self._header = delimiter, quote, header
        self._head: list[str] = []  # known once the file has been begun

    @property
    def name(self) -> str:
        """How errors call the file."""
        return self._source.name

    def _columns(self) -> Sequence[str]:
        return self._head

    def _guessed(self, raws: Iterable[TableRows], columns: Sequence[str]) -> Mapping[str, str]:
        return guessed(raws, columns, self._missing)

    def _raws(self, rows: int) -> Iterator[TableRows]:
        with self._source.open() as file:
            reader = _Reader(self.name, file, self._dialect)
            width = self._begun(reader)
            while not reader.ended:
                lines, cells = reader.some(rows, width, self._refuse)
                if cells:
                    yield self._rows(lines, cells)

    def _rows(self, lines: list[int], cells: list[list[str]]) -> TableRows:
        columns = dict(zip(self._head, zip(*cells, strict=True), strict=True))
        return TableRows(columns, len(cells), lambda row: f"{self.name}:{lines[row]}")

    def _begun(self, reader: _Reader) -> int:
        """Read the header, or count the columns of a file without one; return how many there are."""
        lines, cells = reader.some(1, None, self._raise)
        if not cells:
            raise InvalidData(f"{self.name}: expected a header and rows, got an empty file")
        if self._header is True:
            names: Sequence[Any] = [cell.strip() for cell in cells[0]]
        else:
            reader.back(lines[0], cells[0])
            names = range(1, len(cells[0]) + 1) if self._header is False else self._header
        self._head = [str(name) or str(at) for at, name in enumerate(names, start=1)]
        return len(self._head)

    def _raise(self, message: str) -> None:
        raise InvalidData(message)

    def _dialect(self, first: str) -> dict[str, Any]:
        """Return how rows are divided, given the first line."""
        tabs = plain_suffix(self.name) in {".tsv", ".tab"}
        delimiter = self._delimiter
        if delimiter is None:
            delimiter = "\t" if tabs else next((mark for mark in ",;\t" if mark in first), ",")
        quote = self._quote
        if quote is None:
            quote = "" if tabs or delimiter == "\t" else '"'
        if not quote:
            return {"delimiter": delimiter, "quoting": csv.QUOTE_NONE, "quotechar": None, "strict": True}
        return {"delimiter": delimiter, "quotechar": quote, "strict": True}


class _Reader:
    """Rows of cells with their line numbers."""

    def __init__(self, name: str, file: Any, dialect: Any) -> None:
        self.name, self.ended = name, False
        self._texts = _Texts(name, file)
        first = next(self._texts, "")
        self._reader = csv.reader(chain((first,), self._texts), **dialect(first))
        self._next = 1
        self._kept: list[tuple[int, list[str]]] = []

    def back(self, line: int, row: list[str]) -> None:
        """Take a row back, to be read again."""
        self._kept = [(line, row)]

    def some(self, count: int, width: int | None, refuse: Refuse) -> tuple[list[int], list[list[str]]]:
        """Return at most ``count`` rows with their line numbers; empty lines are no rows."""
        lines: list[int] = []
        rows: list[list[str]] = []
        while len(rows) < count:
            try:
                line, row = self._kept.pop() if self._kept else self._row()
            except StopIteration:
                self.ended = True
                break
            except csv.Error as error:
                refuse(f"{self.name}:{self._next}: expected a row of CSV, got one with an error: {_remedied(error)}")
                self._next = self._reader.line_num + 1
                continue
            if not row:
                continue
            if self._texts.strange and not _utf8(row):
                refuse(
                    f"{self.name}:{line}: expected text in UTF-8, got other bytes; convert the file (iconv -t UTF-8)"
                )
            elif width is not None and len(row) != width:
                refuse(
                    f"{self.name}:{line}: expected {width} cells, as the header has, got {len(row)}; "
                    "quote cells that contain the delimiter"
                )
            else:
                lines.append(line)
                rows.append(row)
        return lines, rows

    def _row(self) -> tuple[int, list[str]]:
        row = next(self._reader)
        line, self._next = self._next, self._reader.line_num + 1
        return line, row


class _Texts:
    """The lines of a file in UTF-8; ``strange`` once there were other bytes (which stand as surrogates) or zeros."""

    def __init__(self, name: str, file: Any) -> None:
        self._blocks = whole_lines(file)
        self._name, self.strange = name, False
        self._lines: Iterator[str] = iter(())

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for line in self._lines:
            return line
        first, block = next(self._blocks)
        if first == 1:
            if block.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise InvalidData(f"{self._name}:1: expected UTF-8, got UTF-16; convert the file (iconv -t UTF-8)")
            block = block.removeprefix(BOM)
        self.strange = self.strange or b"\0" in block
        try:
            text = block.decode()
        except UnicodeDecodeError:
            text, self.strange = block.decode(errors="surrogateescape"), True
        self._lines = io.StringIO(text, newline="\n")  # lines end at line feeds, and nowhere else
        return next(self._lines)


def _utf8(row: list[str]) -> bool:
    try:
        return b"\0" not in "".join(row).encode()
    except UnicodeEncodeError:
        return False


def _remedied(error: csv.Error) -> str:
    text = str(error)
    if "field larger" in text:
        return f"{text}; is a quote left open? (csv.field_size_limit raises the limit)"
    if "new-line" in text:
        return "a carriage return in the middle of a line; lines must end in \\n or \\r\\n"
    return f"{text}; double the quotes inside quoted cells, or say quote='' where quotes mean nothing"
