"""Dicts as rows of a table, by the rules of CSV."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Unpack

import numpy as np

from littlestone.core.errors import InvalidData
from littlestone.core.labels import plain
from littlestone.core.messages import Message, Remedy, did_you_mean, shown
from littlestone.streams.formats.columns import IGNORED
from littlestone.streams.formats.table import TableOptions, TableStream
from littlestone.streams.formats.table_rows import TableRows

__all__ = ["PAUSE", "RecordStream"]

PAUSE = (-1, None)  # no row
TOO_LONG = 4096  # bits of a whole number


class RecordStream(TableStream):
    """Rows of a table as dicts from the names of the columns to their values; the options are those of `TableStream`.

    A value is a number, a text, True or False; None and NaN are missing. A number, a truth value and a text that says
    the same in a CSV file are the same here. All rows have the keys of the first, in any order. A list can be read
    again; of an iterator the first 1,000 rows decide what the columns are, and memory is constant.

    >>> rows = [{"colour": "red", "size": 1.5, "class": "yes"}, {"colour": None, "size": "2", "class": "no"}]
    >>> stream = RecordStream(rows)
    >>> stream.names, stream.labels, next(stream.blocks()).indices.tolist()
    (('size', 'colour=red'), ('no', 'yes'), [0, 1, 0])
    """

    _place = "{}: row {}"  # the source and the row

    def __init__(self, records: Iterable[Mapping[str, Any]], **options: Unpack[TableOptions]) -> None:
        super().__init__(type(records).__name__, None, **options)
        self._records = records
        self.again = iter(records) is not records
        self._used = False
        self._head: list[str] = []
        self._names: frozenset[str] = frozenset()  # the same

    def _columns(self) -> Sequence[str]:
        return self._head

    def _rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows with their numbers, from the beginning; `PAUSE` before more must be waited for."""
        if self._used and not self.again:
            raise InvalidData(f"{self.name}: it can be read only once, and has been; give a list")
        self._used = True
        return enumerate(self._records)

    def _where(self, at: int) -> str:
        return self._place.format(self.name, at)

    def _raws(self, rows: int) -> Generator[TableRows]:
        found = self._rows()
        label: str | None = None
        first = True
        for some in _batches(found, rows):
            if some and first:
                self._begin(*some[0])
                label, first = self._labels_from(), False
            yield self._table([row for row in some if self._sound(*row)], label)
        if first:  # no row at all: whatever is known of the columns
            self._head = sorted(self._roles)
            if not self._head:
                raise InvalidData(f"{self.name}: expected rows, got none")

    def _begin(self, at: int, record: Any) -> None:
        if not isinstance(record, Mapping) or not record or not all(isinstance(name, str) for name in record):
            problem = f"{self._where(at)}: expected a dict from names of columns to values, got {shown(record)}"
            raise InvalidData(problem)
        self._head, self._names = list(record), frozenset(record)

    def _labels_from(self) -> str | None:
        return self._label_column(self._head) if self.labelled else None

    def _sound(self, at: int, record: Any) -> bool:
        """Tell whether a row has all columns and no other; refuse it if not."""
        if isinstance(record, Mapping) and record.keys() == self._names:
            return self.on_error == "raise" or self._readable(at, record)
        self._refuse(self._unlike(record).after(f"{self._where(at)}: "))
        return False

    def _unlike(self, record: Any) -> Message:
        if not isinstance(record, Mapping):
            return Message(f"expected a dict, got {shown(record)}")
        lacking = [name for name in self._head if name not in record]
        if lacking:
            return Message(f"expected a value of {lacking[0]!r}, got none", "say None where it is missing")
        other = next(name for name in record if name not in self._head)
        close = did_you_mean(str(other), self._head)
        return Message(f"expected the columns of the first row, got {other!r} too", *([close] if close else []))

    def _table(self, rows: list[tuple[int, Any]], label: str | None) -> TableRows:
        numbers = [at for at, _ in rows]
        as_it_is = {label, self._tag}
        columns = {
            name: [plain(record[name]) for _, record in rows] if name in as_it_is else self._cells(name, rows)
            for name in self._head
            if self._kinds.get(name) != IGNORED
        }
        place, source = self._place, self.name  # rows are kept by the stream, and are not to keep it
        return TableRows(columns, len(rows), lambda row: place.format(source, numbers[row]))

    def _cells(self, name: str, rows: list[tuple[int, Any]]) -> list[str | None]:
        cells = []
        for at, record in rows:
            value = record[name]
            read = READ.get(type(value)) or _reader(value)
            if read is None:
                raise InvalidData(self._unreadable(at, name, value))
            cells.append(read(value))
        return cells

    def _readable(self, at: int, record: Mapping[str, Any]) -> bool:
        for name, value in record.items():
            if self._kinds.get(name) != IGNORED and type(value) not in READ and _reader(value) is None:
                self._refuse(self._unreadable(at, name, value))
                return False
        return True

    def _unreadable(self, at: int, name: str, value: Any) -> Message:
        expected = "expected a number, a text, True, False or None"
        problem = f"{self._where(at)}: column {name!r}: {expected}, got {shown(value)}"
        return Message(problem, Remedy("leave it out ({ignore})", ignore=[name]))


def _batches(rows: Iterable[tuple[int, Any]], size: int) -> Iterator[list[tuple[int, Any]]]:
    """Yield rows so many at a time; at a pause those that there are, and then none."""
    some: list[tuple[int, Any]] = []
    wrong: InvalidData | None = None
    try:
        for row in rows:
            if row is PAUSE:
                yield some
                yield (some := [])
                continue
            some.append(row)
            if len(some) == size:
                yield some
                some = []
    except InvalidData as error:
        wrong = error
    if some:  # what came before a bad row comes first
        yield some
    if wrong is not None:
        raise wrong


def _float(value: float) -> str | None:
    return None if value != value else repr(float(value))  # noqa: PLR0124 - nan is not itself


def _int(value: int) -> str:
    return str(int(value)) if int(value).bit_length() < TOO_LONG else "inf"


READ: dict[type, Callable[[Any], str | None]] = {
    str: lambda value: value, int: _int, float: _float, bool: str, type(None): lambda _: None,
}  # fmt: skip


def _reader(value: Any) -> Callable[[Any], str | None] | None:
    """Return what makes a cell of a value of another type."""
    if isinstance(value, np.bool_):
        return str
    if isinstance(value, str):
        return str
    if isinstance(value, int | np.integer):
        return _int
    if type(value).__name__ == "NAType":  # pandas' own, without importing it
        return lambda _: None
    if isinstance(value, Decimal):
        return lambda number: None if number.is_nan() else _float(float(number))
    return _float if isinstance(value, float | np.floating) else None
