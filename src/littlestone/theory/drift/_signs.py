"""Examples with coordinates in {-1,+1}, however they are given, and reflected where they are labelled negative."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData, InvalidLabel

__all__ = ["reflected_examples", "signs"]

Signs = NDArray[np.int8]
REMEDY = "make signs of them first, as np.where(X >= 0.5, 1, -1)"


def signs(owner: str, name: str, X: Any) -> Signs:
    """Return rows of -1 and +1, given as such or as Booleans (0 or False is -1); refuse all else, saying where."""
    try:
        rows = np.asarray(X)
    except ValueError:  # rows of different lengths
        raise InvalidData(f"{owner}: expected {name} of rows of one length, got rows of several") from None
    if rows.ndim != 2 or rows.dtype.kind not in "biuf" or rows.shape[1] == 0:
        raise InvalidData(
            f"{owner}: expected {name} as rows of n >= 1 numbers, got {rows.dtype} of shape {rows.shape}; of a sparse "
            "matrix take .toarray()"
        )
    plus, minus, zero = rows == 1, rows == -1, rows == 0
    strange = ~(plus | minus | zero)
    if not strange.any() and minus.any():
        strange = zero
    if strange.any():
        row, column = np.argwhere(strange)[0]
        expected = "-1 or +1, as before," if minus.any() else "-1 or +1, or 0 or 1,"
        raise InvalidData(
            f"{owner}: {name}, row {row}, column {column}: expected {expected} got {rows[row, column]}; {REMEDY}"
        )
    return np.where(plus, np.int8(1), np.int8(-1))


def reflected_examples(owner: str, X: Any, y: Any) -> Signs:
    """Return u = y x for each labelled example (footnote 1 of the paper), or X where there are no labels."""
    rows = signs(owner, "X", X)
    if y is None:
        return rows
    labels = np.asarray(y)
    if labels.shape != (len(rows),):
        raise InvalidLabel(f"{owner}: expected a label for each of {len(rows)} rows, got y of shape {labels.shape}")
    return rows * signs(owner, "y", labels[:, np.newaxis])
