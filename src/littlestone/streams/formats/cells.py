"""Rows of CSV as bytes: cells are numbers and names by kernels, and become texts only where they must."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.engine.text import csv as engine
from littlestone.engine.text import names as names_engine
from littlestone.engine.text.names import Spelled
from littlestone.streams.formats.chunks import read
from littlestone.streams.formats.columns import NUMBER, TEXT, TRUTH, numbers, numeric
from littlestone.streams.formats.layout import Layout
from littlestone.streams.formats.name_table import NameTable
from littlestone.streams.formats.reading_rules import number, sound
from littlestone.streams.formats.table_rows import TableRows

__all__ = ["ByteRows", "CellTable", "Ready", "gathered", "prepared"]

NEW, NOTHING = -2, np.zeros(0, dtype=np.int64)


class ByteRows(TableRows):
    """Rows whose cells are places in bytes: cell c of row r is ``data[starts[c, r]:ends[c, r]]``."""

    def __init__(
        self, data: NDArray[np.uint8], starts: Any, ends: Any, heads: dict[str, int], place: Callable[[int], str]
    ) -> None:
        self.data, self.starts, self.ends, self.heads = data, starts, ends, heads  # heads: names in order, with places
        self.count, self.place = starts.shape[1], place
        self.ready: Ready | None = None

    @cached_property
    def columns(self) -> dict[str, Any]:  # type: ignore[override]
        """All cells as texts."""
        return {name: self.texts(name) for name in self.heads}

    def first(self, count: int) -> TableRows:
        """Return the first ``count`` rows."""
        return ByteRows(self.data, self.starts[:, :count], self.ends[:, :count], self.heads, self.place)

    def texts(self, name: str) -> list[str]:
        """Return the cells of one column."""
        at = self.heads[name]
        text, places = self._bytes, zip(self.starts[at].tolist(), self.ends[at].tolist(), strict=True)
        return [text[a:b].decode() for a, b in places]

    @cached_property
    def _bytes(self) -> bytes:
        return self.data.tobytes()

    def spelled(self, name: str) -> Spelled:
        """Return the cells of one column with their hashes."""
        at = self.heads[name]
        lengths, hashes = np.empty(self.count, dtype=np.uint32), np.empty(self.count, dtype=np.uint64)
        engine.hashes(self.data, self.starts[at], self.ends[at], lengths, hashes)
        return Spelled(self.data, self.starts[at], lengths, np.zeros(self.count, dtype=np.uint32), hashes, NOTHING)

    def numbers(self, name: str, missing: frozenset[Any]) -> Floats | None:
        """Return a column of numbers, NaN where one is missing; None if some cell is none."""
        at = self.heads[name]
        starts, ends = self.starts[at], self.ends[at]
        if numeric(missing):
            return numbers(self.texts(name), missing)
        values, odd = np.empty(self.count), np.empty(self.count, dtype=np.uint32)
        count = engine.numbers(self.data, starts, ends, "" in missing, values, odd)
        if count:
            rows = odd[:count]
            values[rows] = read(self.data, np.stack((starts[rows], ends[rows]), axis=1).astype(np.int64).ravel())
            for row in rows[np.isnan(values[rows])].tolist():  # not even a long number
                cell = self.data[starts[row] : ends[row]].tobytes().decode()
                value = None if cell.strip() in missing else number(cell)
                if cell.strip() not in missing and (value is None or not sound(value)):
                    return None
                values[row] = np.nan if value is None else value
        return None if (np.abs(values) > LARGEST_VALUE).any() else values


@dataclass
class CellTable:
    """The different cells of a column, and what each has become: an attribute's column, -1: none, -2: not yet."""

    table: NameTable = field(default_factory=NameTable)
    codes: Ints = field(default_factory=lambda: NOTHING)

    def settled(self, found: tuple[Any, Spelled | None]) -> tuple[Any, Any, Any]:
        """Return the numbers of all cells, those of them that have no code yet, and the rows where these come first."""
        ids, new = found
        if new is not None:
            columns, unknown = self.table.add(new), ids >= names_engine.UNKNOWN
            ids[unknown] = columns[ids[unknown] - np.uint32(names_engine.UNKNOWN)]
        if len(self.codes) < len(self.table):
            self.codes = np.append(self.codes, np.full(len(self.table) - len(self.codes), NEW, dtype=np.int64))
        if not (self.codes == NEW).any():
            return ids, NOTHING, NOTHING
        rows = np.flatnonzero(self.codes[ids] == NEW)
        uncoded, first = np.unique(ids[rows], return_index=True)
        return ids, uncoded, rows[first]

    def text(self, cell: int) -> Any:
        """Return a cell as it stands."""
        return self.table.some(cell, cell + 1)[0]


@dataclass
class Ready:
    """What can be known of rows without changing anything: numbers, and the cells that are known by now."""

    values: dict[str, Floats]
    cells: dict[str, tuple[Any, Spelled | None]]


def prepared(
    raw: ByteRows, layout: Layout, tables: dict[str, CellTable], others: tuple[str | None, ...], missing: frozenset[Any]
) -> Ready | None:
    """Read the numbers of rows and look their names up, in any thread; None if a number is none.

    ``others`` are the columns of labels, weights and of outcomes that are numbers, where there are any.
    """
    label, weight, outcome = others
    values: dict[str, Floats] = {}
    cells: dict[str, tuple[Any, Spelled | None]] = {}
    for name, kind in chain(layout.kinds.items(), ((label, TRUTH), (weight, NUMBER), (outcome, NUMBER))):
        if name is None or kind == TEXT:
            continue
        if kind == NUMBER:
            found = raw.numbers(name, layout.missing(name, missing))
            if found is None:
                return None
            values[name] = found
        else:
            cells[name] = tables.setdefault(name, CellTable()).table.find(raw.spelled(name))
    return Ready(values, cells)


def gathered(count: int, named: list[Ints], numeric: list[int], values: list[Floats], *, zeros: bool = False) -> Block:
    """Return columns as rows: of attributes that are on (-1: none), and of numbers with the attributes they belong to.

    A number that is 0 has no entry, unless ``zeros`` are kept.

    >>> block = gathered(2, [np.array([5, -1])], [3], [np.array([1.5, 2.0])])
    >>> block.indptr.tolist(), block.indices.tolist(), block.values.tolist()
    ([0, 2, 3], [3, 5, 3], [1.5, 1.0, 2.0])
    """
    cells = (len(named) + len(numeric)) * count
    indptr, indices, out = np.zeros(count + 1, dtype=np.int64), np.empty(cells, dtype=np.uint32), np.empty(cells)
    on = np.array(named, dtype=np.int64).reshape(len(named), count)
    table = np.array(values, dtype=np.float64).reshape(len(values), count)
    real = engine.gather(on, np.array(numeric, dtype=np.int64), table, zeros, indptr, indices, out)
    stored = int(indptr[-1])
    return Block(indptr, indices[:stored].copy(), out[:stored].copy() if real else None, checked=True)
