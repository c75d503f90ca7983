"""CSV and TSV files as streams."""

from __future__ import annotations

import csv
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Unpack

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Blank, Remedy
from littlestone.streams.formats.binning import interval, interval_names
from littlestone.streams.formats.cells import ByteRows, Ready, gathered, prepared
from littlestone.streams.formats.columns import TEXT, TRUTH, attribute, refusal
from littlestone.streams.formats.csv_rows import PAUSE, CsvRows, Rows, Tokens, refused
from littlestone.streams.formats.growing import heard_of
from littlestone.streams.formats.header import check_header
from littlestone.streams.formats.layout import check_once, several
from littlestone.streams.formats.outcomes import REGRESSION
from littlestone.streams.formats.scanned import FIRST_ROWS, Pass, Raw
from littlestone.streams.formats.table import TableOptions, TableStream
from littlestone.streams.formats.table_rows import TableRows
from littlestone.streams.sources.opened import Source, plain_suffix
from littlestone.streams.sources.pieces import in_order

__all__ = ["CsvStream"]

THREADS = 2


class CsvStream(TableStream):
    r"""A CSV or TSV file with a header, in UTF-8.

    A column of numbers is one attribute with a value, one of only True and False a Boolean attribute, one of sentences
    a bag of words; an identifier is left out, and every other column has an attribute ``column=value`` for each value.
    The first 1,000 rows decide; where a later cell is not of the kind they suggest, the whole file does, unless it is a
    pipe. A first line that looks like data is refused, unless header=True. Cells that are empty, ?, NA, N/A, NaN, nan
    or null are missing. Spaces around a cell do not count; empty lines are skipped.

    Parameters
    ----------
    source : path, "-" for stdin, or a binary file
    delimiter : str or None
        None: a tab in a file called .tsv or .tab; else a comma or, where the header has none, a semicolon or a tab.
    quote : str or None
        None: ``"`` as in CSV, with ``""`` for a quote inside; in TSV quotes are characters like others. "": never.
    header : bool, names or None
        Whether the first line names the columns. None: it does, unless ``columns`` are given; False: columns are called
        1, 2, 3, ... ; names: as ``columns``.
    columns : names or None
        The names of the columns of a file without a header; a first line with just these names is one. With header=True
        they stand in place of those in the file.
    label, text, ngrams, tokens, lower, characters, ignore, numeric, categorical, truth, odd, bins, closed, weight, tag,
    missing, labels, unlabelled, on_error, task
        As in `TableStream`.

    Example
    -------
    >>> import io
    >>> stream = CsvStream(io.BytesIO(b"colour,size,class\nred,1.5,yes\nblue,2,no\n"))
    >>> stream.names, stream.labels
    (('size', 'colour=red', 'colour=blue'), ('no', 'yes'))
    """

    source: Source

    def __init__(
        self,
        source: Any,
        *,
        delimiter: str | None = None,
        quote: str | None = None,
        header: bool | Sequence[str] | None = None,
        columns: str | Sequence[str] | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        found = Source.of(source)
        super().__init__(found.name, found, **options)
        for name, value in (("delimiter", delimiter), ("quote", quote)):
            if value is not None and (not isinstance(value, str) or len(value) > 1 or value in {"\n", "\r"}):
                raise InvalidParameter(f"CsvStream: {name} must be one character, got {value!r}")
        if delimiter is not None and (not delimiter or delimiter == quote):
            raise InvalidParameter(f"CsvStream: delimiter must be one character, not the quote, got {delimiter!r}")
        if header is not None and not isinstance(header, bool):
            header, columns = None, header if columns is None else columns
        self._named = None if columns is None else several(columns)
        self._delimiter, self._quote, self._header = delimiter, quote, header
        self._head: list[str] = []  # known once the file has been begun
        self._places: dict[str, int] = {}  # of these names
        self.dividing: dict[str, str] = {}  # the delimiter and the quote, known then too

    def read_as(self) -> dict[str, Any]:
        """Return what the columns are and, where it was given, how rows are divided."""
        given: dict[str, Any] = {"quote": self._quote, "delimiter": self._delimiter, "columns": self._named}
        given["header"] = self._header if self._named or self._header is False else None
        given = {name: value for name, value in given.items() if value is not None}
        return {**super().read_as(), **given, "format": "tsv" if self._delimiter == "\t" else "csv"}

    def records(self) -> Iterator[tuple[int, dict[str, str]] | InvalidData]:
        """Yield each row as the texts of its cells, with its line, whatever they mean; what is wrong with one instead.

        What is known of the columns and of how rows are divided stands in ``columns`` and ``dividing`` from then on.
        """
        with self.source.open() as file:
            table, wrong = CsvRows(self.source, file, self._dialect), list[str]()
            if self._named is not None and self._header is False:  # a first row that is wrong is no more than that
                self._name(self._named)
            else:
                self._begin(table)
            check_once(self.name, self._head)
            for found in table.columns(FIRST_ROWS, len(self._head), wrong.append):
                yield from map(InvalidData, wrong)
                wrong.clear()
                lines = found.lines.tolist() if isinstance(found, Tokens) else found[0]
                cells = self._rows(found).columns
                for at, *row in zip(lines, *(cells[name] for name in self._head), strict=True):
                    yield at, dict(zip(self._head, row, strict=True))
            yield from map(InvalidData, wrong)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; none before the first row was asked for."""
        return tuple(self._head)

    def _columns(self) -> Sequence[str]:
        return self._head

    def _check_columns(self, columns: Sequence[str], first: Sequence[TableRows]) -> None:
        if self._header is None and self._named is None and not set(columns) <= self._roles:
            check_header(self.name, columns, first)
        super()._check_columns(columns, first)

    def _raws(self, rows: int) -> Generator[TableRows]:
        with self.source.open() as file:
            table = CsvRows(self.source, file, self._dialect)
            self._begin(table)
            skipped: list[str] = []
            for found in table.columns(rows, len(self._head), skipped.append if self.on_error == "skip" else refused):
                raw = self._rows(found)
                raw.refused = skipped.copy()  # to be counted when it is the turn of these rows
                skipped.clear()
                yield raw
            self.source.given(self.source.mark)  # before anybody is given a row of a file, it is read to its end
            if skipped:
                last = self._rows(PAUSE)
                last.refused = skipped
                yield last

    def _rows(self, found: Rows | Tokens) -> TableRows:
        if isinstance(found, Tokens):
            return ByteRows(found.data, found.starts, found.ends, self._places, self._placing(found.lines))
        lines, columns = found
        cells = dict(zip(self._head, columns or [[] for _ in self._head], strict=True))
        return TableRows(cells, len(lines), self._placing(lines))

    def _ready(self, raws: Generator[Raw], reading: Pass) -> Generator[Raw]:
        label, numbered = reading.layout.label if self.labelled else None, self.task == REGRESSION

        def task(raw: Raw) -> Raw:
            if isinstance(raw, ByteRows) and TEXT not in reading.layout.kinds.values():
                others = (None, self._weight, label) if numbered else (label, self._weight, None)
                raw.ready = prepared(raw, reading.layout, reading.tables, others, self._missing)
            return raw

        first = islice(raws, 1)  # of a small file it is all, and needs no threads
        ordered = in_order(task, raws, THREADS, ahead=self.again, pauses=lambda raw: not len(raw))
        with closing(raws), closing(ordered) as rest:
            for raw in chain(map(task, first), rest):
                for message in raw.refused:
                    self._refuse(message)
                yield raw

    def _block(self, raw: Any, reading: Pass) -> Block:
        block = None
        if isinstance(raw, ByteRows) and raw.ready is not None:
            block = self._gathered_cells(raw, raw.ready, reading)
        return super()._block(raw, reading) if block is None else block

    def _gathered_cells(self, raw: ByteRows, ready: Ready, reading: Pass) -> Block | None:
        """Return rows as a block; None if a cell is not what it should be, which is then found out row by row."""
        layout, tables, weight = self._begun(reading), reading.tables, self._weight
        if weight is not None and not bool((ready.values[weight] >= 0.0).all()):
            return None
        label, numbered = layout.label if self.labelled else None, self.task == REGRESSION
        if label is not None and numbered and bool(np.isnan(ready.values[label]).any()):
            return None
        settled = {name: tables[name].settled(found) for name, found in ready.cells.items()}
        for name, (_, new, _) in settled.items():
            for cell in map(tables[name].text, new.tolist()):
                if name == label and self._label_refusal(cell, reading) is not None:
                    return None
                if layout.kinds.get(name) == TRUTH and refusal(TRUTH, cell, self._missing) is not None:
                    return None
        named = [name for name in layout.kinds if name in settled]
        order = [
            (row, position, cell)
            for position, name in enumerate(named)
            for row, cell in zip(settled[name][2].tolist(), settled[name][1].tolist(), strict=True)
        ]
        for _, position, cell in sorted(order):
            name = named[position]
            text = tables[name].text(cell)
            tables[name].codes[cell] = attribute(name, layout.kinds[name], text, reading.names, self._missing)
        outcomes: Any = None
        if label is not None and numbered:
            outcomes = ready.values[label]
        elif label is not None:
            ids, new, _ = settled[label]
            tables[label].codes[new] = reading.book.encode(list(map(tables[label].text, new.tolist())))
            outcomes = tables[label].codes[ids]
        values = {name: cells for name, cells in ready.values.items() if name in layout.kinds}
        codes = [tables[name].codes[settled[name][0]] for name in named]
        for name, edges in layout.edges.items():
            codes.append(interval(values.pop(name), edges, reading.names.column(interval_names(name, edges)[0])))
        columns = [reading.names.column(name) for name in values]
        block = gathered(raw.count, codes, columns, list(values.values()), zeros=self.zeros)
        tags = None if self._tag is None else tuple(raw.texts(self._tag))
        weights = None if weight is None else ready.values[weight]
        start, reading.rows = reading.rows, reading.rows + raw.count
        block = heard_of(block, layout.always)
        known = () if label is not None and numbered else None
        return replace(block, start=start, outcomes=outcomes, labels=known, weights=weights, tags=tags)

    def _placing(self, lines: Any) -> Callable[[int], str]:
        name = self.name  # rows are kept by the stream, and are not to keep it
        return lambda row: f"{name}:{lines[row]}"

    def _begin(self, table: CsvRows) -> None:
        """Read the header, or count the columns of a file without one."""
        found = table.first()
        if found is None:
            raise InvalidData(f"{self.name}: expected a header and rows, got an empty file")
        line = [cell.strip() for cell in found[1]]
        header = self._is_header(line)
        if not header:
            table.back(*found)
        names: Sequence[Any] = line if header else range(1, len(line) + 1)
        if self._named is not None and (self._header is not None or not header):
            names = self._named
            if len(names) != len(line):
                raise InvalidData(
                    f"{self.name}:{found[0]}: expected {len(names)} cells, as many as names of columns are given, got "
                    f"{len(line)}",
                    Remedy("say {columns}", columns=Blank("NAMES")),
                )
        self._name(names)

    def _name(self, names: Sequence[Any]) -> None:
        self._head = [str(name) or str(at) for at, name in enumerate(names, start=1)]
        self._places = {name: at for at, name in enumerate(self._head)}

    def _is_header(self, line: list[str]) -> bool:
        """Tell whether the first line names the columns; it may, also where a caller or a model has named them."""
        if self._header is not None or self._named is None:
            return self._header is not False
        return line == self._named or (self._closed and self._needed() <= set(line))

    def _dialect(self, first: str) -> dict[str, Any]:
        """Return how rows are divided, given the first line."""
        tabs = plain_suffix(self.name) in {".tsv", ".tab"}
        delimiter = self._delimiter
        if delimiter is None:
            delimiter = "\t" if tabs else next((mark for mark in ",;\t" if mark in first), ",")
        quote = self._quote
        if quote is None:
            quote = "" if tabs or delimiter == "\t" else '"'
        self.dividing = {"delimiter": delimiter, "quote": quote}
        quoting = csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE
        return {"delimiter": delimiter, "quoting": quoting, "quotechar": quote or None, "strict": True}
