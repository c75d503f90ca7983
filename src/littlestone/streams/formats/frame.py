"""Data frames (pandas, polars), Arrow tables and Parquet files as streams, by the rules of CSV."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Remedy, install
from littlestone.streams.formats.columns import CATEGORY, IGNORED, NUMBER, TRUTH
from littlestone.streams.formats.guessing import Guess
from littlestone.streams.formats.outcomes import REGRESSION
from littlestone.streams.formats.table import TableOptions, TableStream
from littlestone.streams.formats.table_rows import TableRows
from littlestone.streams.sources.opened import Source

__all__ = ["Columns", "Dense", "FrameStream", "ParquetStream", "columns_of"]


class Columns(ABC):
    """A frame's columns: names, types, kinds (None: neither numbers nor text), and cells."""

    def __init__(self, names: Iterable[Any], rows: int, columns: Sequence[Any], types: Sequence[Any]) -> None:
        self.names, self.rows, self._columns = [str(name) for name in names], rows, columns
        self.types, self.kinds = [str(kind) for kind in types], [self.kind(kind) for kind in types]

    @staticmethod
    @abstractmethod
    def kind(dtype: Any) -> str | None:
        """Return what a column of this type is."""

    @abstractmethod
    def numbers(self, column: int, start: int, stop: int) -> Floats:
        """Return some cells as numbers, NaN where one is missing."""

    @abstractmethod
    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are, None where one is missing."""


class _Pandas(Columns):
    def __init__(self, frame: Any) -> None:
        columns = [frame.iloc[:, at] for at in range(frame.shape[1])]
        super().__init__(frame.columns, len(frame), columns, [column.dtype for column in columns])

    @staticmethod
    def kind(dtype: Any) -> str | None:
        if dtype.kind == "b":
            return TRUTH
        if dtype.kind in "iuf":
            return NUMBER
        return CATEGORY if dtype.kind in "OUT" and dtype.name != "interval" else None

    def numbers(self, column: int, start: int, stop: int) -> Floats:
        return np.asarray(self._columns[column].iloc[start:stop].to_numpy(dtype=np.float64, na_value=np.nan))

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        part = self._columns[column].iloc[start:stop]
        return [None if gone else value for value, gone in zip(part.tolist(), part.isna().to_numpy(), strict=True)]


class _Polars(Columns):
    def __init__(self, frame: Any) -> None:
        columns = frame.get_columns()
        super().__init__(frame.columns, frame.height, columns, [column.dtype for column in columns])

    @staticmethod
    def kind(dtype: Any) -> str | None:
        if str(dtype) == "Boolean":
            return TRUTH
        if dtype.is_numeric() or str(dtype) == "Null":
            return NUMBER
        return CATEGORY if str(dtype).split("(")[0] in {"String", "Categorical", "Enum"} else None

    def numbers(self, column: int, start: int, stop: int) -> Floats:
        import polars as pl

        return np.asarray(self._columns[column].slice(start, stop - start).cast(pl.Float64).to_numpy())

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        return list(self._columns[column].slice(start, stop - start).to_list())


class _Arrow(Columns):
    def __init__(self, table: Any) -> None:
        super().__init__(table.schema.names, table.num_rows, table.columns, table.schema.types)

    @staticmethod
    def kind(dtype: Any) -> str | None:
        name = str(dtype)
        if name == "bool":
            return TRUTH
        if name.startswith(("int", "uint", "float", "double", "halffloat", "decimal", "null")):
            return NUMBER
        return CATEGORY if name.startswith(("string", "large_string", "dictionary")) else None

    def numbers(self, column: int, start: int, stop: int) -> Floats:
        part = self._columns[column].slice(start, stop - start)
        if str(part.type) == "bool":
            part = part.cast("int8")
        return np.asarray(part.cast("float64", safe=False), dtype=np.float64)

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        return list(self._columns[column].slice(start, stop - start).to_pylist())


def columns_of(frame: Any) -> Columns:
    """Return the columns of a frame or table, whichever it is.

    >>> import pandas as pd
    >>> columns_of(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})).kinds
    ['number', 'category']
    """
    if isinstance(frame, Columns):
        return frame
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return _Pandas(frame)
    if hasattr(frame, "get_columns") and hasattr(frame, "height"):
        return _Polars(frame)
    if hasattr(frame, "schema") and hasattr(frame, "num_rows"):
        return _Arrow(frame)
    raise InvalidData(f"expected a pandas or polars frame or an Arrow table, got {type(frame).__name__}")


class Dense(Columns):
    """The columns of an array of numbers, which need names."""

    def __init__(self, X: NDArray[Any], names: Sequence[str]) -> None:
        super().__init__(names, len(X), list(X.T), [X.dtype] * X.shape[1])

    @property
    def columns(self) -> list[str]:
        """The names, as frames have them."""
        return self.names

    @staticmethod
    def kind(dtype: Any) -> str | None:
        """Return what a column of this type is."""
        return TRUTH if dtype == "bool" else NUMBER

    def numbers(self, column: int, start: int, stop: int) -> Floats:
        """Return some cells."""
        return np.asarray(self._columns[column][start:stop], dtype=np.float64)

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are."""
        return list(self._columns[column][start:stop].tolist())


class _TypedStream(TableStream):
    """A table whose columns say what they are."""

    @abstractmethod
    def _types(self) -> tuple[list[str], list[str | None], list[str]]:
        """Return the names of the columns, their kinds, and the names of their types."""

    @abstractmethod
    def _parts(self, rows: int) -> Iterator[Columns]:
        """Yield the table in parts of any size."""

    def _columns(self) -> Sequence[str]:
        return self._types()[0]

    def _guess(self, column: str) -> Guess:
        kind, called = next((kind, called) for name, kind, called in zip(*self._types(), strict=True) if name == column)
        if kind is None:
            raise InvalidData(
                f"{self.name}: column {column!r}: expected numbers, Booleans or text, got {called}",
                Remedy("say {ignore} or {categorical}", ignore=[column], categorical=[column]),
            )
        return Guess(self._missing, kind, whole=called.lower().startswith(("int", "uint")))

    def _raws(self, rows: int) -> Generator[TableRows]:
        before, columns = 0, self._columns()
        if not columns:
            raise InvalidData(f"{self.name}: expected columns, got a table without any")
        label = self._label_column(columns)
        for part in self._parts(rows):
            for start in range(0, part.rows, rows):
                stop = min(part.rows, start + rows)
                cells = {
                    name: self._cells(part, at, start, stop, self._role(name, label, part.kinds[at]))
                    for at, name in enumerate(part.names)
                    if self._kinds.get(name) != IGNORED
                }
                yield TableRows(cells, stop - start, partial(self._place, before + start))
            before += part.rows

    def _place(self, first: int, row: int) -> str:
        return f"{self.name}: row {first + row}"

    def _role(self, name: str, label: str | None, kind: str | None) -> str:
        if name == label and self._task == REGRESSION and kind == NUMBER:
            return NUMBER
        if name in {label, self._tag}:
            return "as it is"
        role = self._kinds.get(name, NUMBER if name == self._weight else kind)
        if role == NUMBER and kind == TRUTH:  # a file would say True and False
            raise InvalidData(f"{self.name}: column {name!r}: expected numbers, got Booleans; convert the column")
        return NUMBER if role in {NUMBER, TRUTH} and kind in {NUMBER, TRUTH} else CATEGORY

    @staticmethod
    def _cells(part: Columns, at: int, start: int, stop: int, role: str) -> Any:
        if role == NUMBER:
            return part.numbers(at, start, stop)
        values = part.values(at, start, stop)
        if role == "as it is" or set(map(type, values)) <= {str, NoneType}:
            return values
        return [value if value is None or isinstance(value, str) else str(value) for value in values]


class FrameStream(_TypedStream):
    """A pandas or polars frame or an Arrow table; rows are converted block by block, never all at once.

    Columns of numbers and Booleans are attributes with values, columns of text have an attribute ``column=value`` for
    each value; the options are those of `TableStream`. NaN and None are missing.

    >>> import pandas as pd
    >>> stream = FrameStream(pd.DataFrame({"colour": ["red", None], "size": [1.5, 2.0], "class": ["yes", "no"]}))
    >>> stream.names, stream.labels, next(stream.blocks()).indices.tolist()
    (('size', 'colour=red'), ('no', 'yes'), [0, 1, 0])
    """

    def __init__(self, frame: Any, **options: Unpack[TableOptions]) -> None:
        self._frame = columns_of(frame)
        super().__init__(type(frame).__name__, None, **options)

    def _types(self) -> tuple[list[str], list[str | None], list[str]]:
        return self._frame.names, self._frame.kinds, self._frame.types

    def _parts(self, rows: int) -> Iterator[Columns]:
        del rows
        yield self._frame


class ParquetStream(_TypedStream):
    """A Parquet file, read batch by batch; the options are those of `TableStream`. Needs pyarrow.

    Columns that are ignored are not read at all.

    >>> import io, pyarrow, pyarrow.parquet as pq
    >>> file = io.BytesIO()
    >>> pq.write_table(pyarrow.table({"rain": [1, 0], "sky": ["grey", "blue"], "y": [1, 0]}), file)
    >>> ParquetStream(file, label="y").names
    ('rain', 'sky=grey', 'sky=blue')
    """

    source: Source

    def __init__(self, source: Any, **options: Unpack[TableOptions]) -> None:
        if isinstance(source, str) and source == "-":
            raise InvalidParameter("ParquetStream: expected a file, got stdin; the index of Parquet is at its end")
        name = source if isinstance(source, str | Path) else getattr(source, "name", type(source).__name__)
        super().__init__(str(name), Source(source), **options)
        self._file = source
        with self._sound(), self._opened() as file:
            schema = file.schema_arrow
            kinds = [_Arrow.kind(kind) for kind in schema.types]
            self._schema = list(schema.names), kinds, [str(kind) for kind in schema.types]

    def _opened(self) -> Any:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            needs = f"Parquet needs the package pyarrow: {install('arrow')}"
            raise InvalidData(f"{self.name}: {needs}") from None
        try:
            return pq.ParquetFile(self._file)
        except _damage() as error:
            raise InvalidData(f"{self.name}: expected a Parquet file, got {_first_line(error)}") from None

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Turn what is raised by damaged data inside the file into one error; few files have checksums."""
        try:
            yield
        except _damage() as error:
            raise InvalidData(f"{self.name}: expected sound Parquet data, got {_first_line(error)}") from None

    def _types(self) -> tuple[list[str], list[str | None], list[str]]:
        return self._schema

    def _parts(self, rows: int) -> Iterator[Columns]:
        wanted = [name for name in self._schema[0] if self._kinds.get(name) != IGNORED]
        with self._opened() as file:
            for batch in file.iter_batches(batch_size=rows, columns=wanted):
                yield _Arrow(batch)

    def _raws(self, rows: int) -> Generator[TableRows]:
        self.source.sum_all()
        with self._sound():
            yield from super()._raws(rows)


def _damage() -> tuple[type[BaseException], ...]:
    """Return what reading a damaged file raises."""
    arrow = sys.modules.get("pyarrow")
    return (OSError, UnicodeDecodeError, *([] if arrow is None else [arrow.ArrowException]))


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
