"""Some rows of a table, by columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from littlestone.streams.formats.scanned import Raw

__all__ = ["TableRows"]


class TableRows(Raw):
    """Some rows of a table by columns; ``place`` names a row in messages."""

    def __init__(self, columns: dict[str, Any], count: int, place: Callable[[int], str]) -> None:
        self.columns, self.count, self.place = columns, count, place

    def __len__(self) -> int:
        return self.count

    def first(self, count: int) -> TableRows:
        """Return the first ``count`` rows."""
        return self.kept(np.arange(min(count, self.count)))

    def kept(self, rows: Sequence[int] | Any) -> TableRows:
        """Return some of the rows."""
        columns = {
            name: cells[rows] if isinstance(cells, np.ndarray) else [cells[row] for row in rows]
            for name, cells in self.columns.items()
        }
        return TableRows(columns, len(rows), lambda row: self.place(int(rows[row])))
