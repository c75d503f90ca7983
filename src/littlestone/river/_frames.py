"""Frames as rows with names, for all models of river."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.vocabulary import Vocabulary
from littlestone.models.facade import missing

try:
    from river.utils import dataframe
except ModuleNotFoundError as error:
    raise missing("river", "river") from error

__all__ = ["rows_of"]


def rows_of(
    owner: str, frame: Any, known: Vocabulary | None, changed: Callable[[NDArray[Any]], NDArray[Any]] | None = None
) -> Block:
    """Return a frame's rows, by name; new names come in the order in which `learn_one` has them."""
    try:
        matrix: NDArray[Any] = dataframe.to_numpy(frame)
    except (TypeError, ValueError) as error:
        raise InvalidData(f"{owner}: X: expected numbers in every column, got {error}") from None
    columns = list(frame.columns)
    words = known or Vocabulary()
    names = [*(name for name in columns if name in words), *words.unseen(columns)]
    if names != columns:
        places = {name: i for i, name in enumerate(columns)}
        matrix = matrix[:, [places[name] for name in names]]
    bad = np.argwhere(~np.isfinite(matrix))
    if len(bad):
        row, column = bad[0]
        raise InvalidData(
            f"{owner}: row {row}, attribute {names[column]!r}: expected a finite number, got "
            f"{matrix[row, column]}; fill what is missing, or give such rows to learn_one as dicts without it"
        )
    # The width of a frame says nothing of how many names there will be.
    return replace(
        Block.from_arrays(matrix if changed is None else changed(matrix)), names=tuple(names), n_attributes=None
    )
