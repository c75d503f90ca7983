"""The indices of CSR rows brought into order, looking at long arrays some at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidData

__all__ = ["in_order", "neighbours", "pieces"]


def in_order(indptr: Ints, indices: NDArray[Any], values: Floats | None) -> tuple[NDArray[Any], Floats | None]:
    """Sort the indices within each row where they are not sorted; refuse an index that comes twice."""
    starts = indptr[1:-1]
    falls = sum(int(np.count_nonzero(a >= b)) for a, b in neighbours(indices))
    inner = starts[(starts > 0) & (starts < len(indices))]
    inner = inner[np.flatnonzero(np.diff(inner, prepend=0))]  # an empty row starts where the next one does
    if falls == int(np.count_nonzero(indices[inner - 1] >= indices[inner])):
        return indices, values  # all falls are from one row to the next
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((indices, rows))
    indices = indices[order]
    twice = (indices[1:] == indices[:-1]) & (rows[1:] == rows[:-1])
    if twice.any():
        at = int(np.flatnonzero(twice)[0])
        raise InvalidData(
            f"row {rows[at]}: expected each attribute at most once, got attribute {indices[at]} twice; "
            "add the values up, or call sum_duplicates() on a SciPy matrix"
        )
    return indices, None if values is None else values[order]


def pieces(numbers: NDArray[Any], size: int = 1 << 16) -> Iterator[NDArray[Any]]:
    """Yield an array some at a time, so that what is computed of it stays in the cache and takes no memory."""
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def neighbours(numbers: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield each number but the last, and the one after it."""
    yield from zip(pieces(numbers[:-1]), pieces(numbers[1:]), strict=True)
