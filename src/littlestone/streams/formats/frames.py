"""Columns of pandas and polars frames and of Arrow tables, imported only where they are already there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData
from littlestone.streams.formats.columns import CATEGORY, NUMBER

__all__ = ["ArrowColumns", "Columns", "PandasColumns", "PolarsColumns", "columns_of"]


class Columns:
    """A frame's columns: their names, their kinds (None: neither numbers nor text), and their cells."""

    names: list[str]
    kinds: list[str | None]
    types: list[str]
    rows: int

    def numbers(self, column: int, start: int, stop: int) -> NDArray[np.float64]:
        """Return some cells as numbers, NaN where one is missing."""
        raise NotImplementedError

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are, None where one is missing."""
        raise NotImplementedError


class PandasColumns(Columns):
    """The columns of a pandas frame."""

    def __init__(self, frame: Any) -> None:
        self.names, self.rows = [str(name) for name in frame.columns], len(frame)
        self._columns = [frame.iloc[:, at] for at in range(frame.shape[1])]
        self.types = [str(column.dtype) for column in self._columns]
        self.kinds = [self._kind(column.dtype) for column in self._columns]

    @staticmethod
    def _kind(dtype: Any) -> str | None:
        if dtype.kind in "biuf":
            return NUMBER
        return CATEGORY if dtype.kind in "OUT" and dtype.name != "interval" else None

    def numbers(self, column: int, start: int, stop: int) -> NDArray[np.float64]:
        """Return some cells as numbers, NaN where one is missing."""
        return np.asarray(self._columns[column].iloc[start:stop].to_numpy(dtype=np.float64, na_value=np.nan))

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are, None where one is missing."""
        part = self._columns[column].iloc[start:stop]
        missing = part.isna().to_numpy()
        return [None if gone else value for value, gone in zip(part.tolist(), missing, strict=True)]


class PolarsColumns(Columns):
    """The columns of a polars frame."""

    def __init__(self, frame: Any) -> None:
        self.names, self.rows = list(frame.columns), frame.height
        self._columns = frame.get_columns()
        self.types = [str(column.dtype) for column in self._columns]
        self.kinds = [self._kind(column.dtype) for column in self._columns]

    @staticmethod
    def _kind(dtype: Any) -> str | None:
        if dtype.is_numeric() or str(dtype) in {"Boolean", "Null"}:
            return NUMBER
        return CATEGORY if str(dtype).split("(")[0] in {"String", "Categorical", "Enum"} else None

    def numbers(self, column: int, start: int, stop: int) -> NDArray[np.float64]:
        """Return some cells as numbers, NaN where one is missing."""
        import polars as pl

        part = self._columns[column].slice(start, stop - start)
        return np.asarray(part.cast(pl.Float64).to_numpy())

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are, None where one is missing."""
        return list(self._columns[column].slice(start, stop - start).to_list())


class ArrowColumns(Columns):
    """The columns of an Arrow table or record batch."""

    def __init__(self, table: Any) -> None:
        self.names, self.rows = list(table.schema.names), table.num_rows
        self._columns = table.columns
        self.types = [str(column.type) for column in self._columns]
        self.kinds = [arrow_kind(column.type) for column in self._columns]

    def numbers(self, column: int, start: int, stop: int) -> NDArray[np.float64]:
        """Return some cells as numbers, NaN where one is missing."""
        part = self._columns[column].slice(start, stop - start)
        if str(part.type) == "bool":
            part = part.cast("int8")
        return np.asarray(part.cast("float64", safe=False), dtype=np.float64)

    def values(self, column: int, start: int, stop: int) -> list[Any]:
        """Return some cells as they are, None where one is missing."""
        return list(self._columns[column].slice(start, stop - start).to_pylist())


def arrow_kind(kind: Any) -> str | None:
    """Return what a column of an Arrow type is."""
    name = str(kind)
    if name.startswith(("int", "uint", "float", "double", "halffloat", "bool", "decimal", "null")):
        return NUMBER
    return CATEGORY if name.startswith(("string", "large_string", "dictionary")) else None


def columns_of(frame: Any) -> Columns:
    """Return the columns of a frame or table, whichever it is.

    >>> import pandas as pd
    >>> columns_of(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})).kinds
    ['number', 'category']
    """
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return PandasColumns(frame)
    if hasattr(frame, "get_columns") and hasattr(frame, "height"):
        return PolarsColumns(frame)
    if hasattr(frame, "schema") and hasattr(frame, "num_rows"):
        return ArrowColumns(frame)
    raise InvalidData(f"expected a pandas or polars frame or an Arrow table, got {type(frame).__name__}")
