"""What machines share when they check a state: a fact that must hold, and the error where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.rows import MOST_ATTRIBUTES

__all__ = [
    "COUNTS",
    "ENOUGH",
    "MOST_CLASSES",
    "REAL_ROWS",
    "ROWS",
    "Kinds",
    "Loaded",
    "Unsound",
    "ascending",
    "check_columns",
    "check_counts",
    "check_kinds",
    "check_numbers",
    "check_rows",
    "need",
    "within",
]

Loaded = Mapping[str, NDArray[Any]]  # a state that nobody has checked yet
Kinds = Mapping[str, tuple[str, int]]  # of each array the types that it may have, and its dimensions

COUNTS: Kinds = {"counts": ("<i8", 1)}
ROWS: Kinds = {"stored": ("<i8", 1), "attributes": ("<u4", 1), "size": ("<i8", 0), **COUNTS}
REAL_ROWS: Kinds = {**ROWS, "values": ("<f8", 1), "coefficients": ("<f8", 1)}
ENOUGH = 1 << 62  # no count comes so far, and what is added to it stays a number of 64 bits
MOST_CLASSES = (1 << 31) - 1


class Unsound(ValueError):
    """A state that no game leads to."""


def need(fact: Any, expected: str) -> None:
    """Refuse a state of which ``expected`` is not a fact."""
    if not fact:
        raise Unsound(f"expected {expected}, got something else")


def within(array: NDArray[Any], least: float, most: float) -> bool:
    """Tell whether all entries lie between two numbers, both among them; nothing as large as the array is made.

    >>> import numpy as np
    >>> within(np.array([1.0, np.nan]), 0.0, 2.0), within(np.array([1.0, 2.0]), 0.0, 2.0), within(np.zeros(0), 1.0, 1.0)
    (False, True, True)
    """
    return not array.size or bool(array.min() >= least and array.max() <= most)


def ascending(array: NDArray[Any]) -> bool:
    """Tell whether each entry is larger than the one before."""
    return bool((array[1:] > array[:-1]).all())


def check_kinds(kinds: Kinds, state: Loaded) -> None:
    """Check the types and the dimensions of these arrays."""
    for name, (types, dimensions) in kinds.items():
        array = state[name]
        need(array.ndim == dimensions, f"{name} of {dimensions} dimensions")
        need(array.dtype.newbyteorder("<").str in types.split(), f"{name} of {types}")


def check_numbers(array: NDArray[Any], name: str, *, infinite: bool) -> None:
    """Check that there is no NaN, nor, unless they may be, infinite ones; nothing as large as the array is made."""
    if array.dtype.kind == "f" and array.size:
        least, most = float(array.min()), float(array.max())  # a NaN is both
        need(not isnan(least) if infinite else isfinite(least) and isfinite(most), f"numbers in {name}")


def check_counts(state: Loaded, number: int) -> None:
    """Check an array of so many counts."""
    need(state["counts"].shape == (number,) and within(state["counts"], 0, ENOUGH), f"{number} counts of a game")


def check_columns(array: NDArray[Any], rows: int) -> None:
    """Check an array that has a column for each attribute, and a spare one."""
    need(array.shape[0] == rows, "a row for each kind of weight")
    need(1 <= array.shape[1] <= MOST_ATTRIBUTES + 1, "a column for each attribute, and a spare one")


def check_rows(state: Loaded) -> None:
    """Check stored rows: ascending attributes below the size, and a coefficient for each row."""
    ends, attributes, number = state["stored"], state["attributes"], len(state["coefficients"])
    size = int(state["size"])
    need(0 <= size <= MOST_ATTRIBUTES, "a number of attributes")
    need(len(ends) == number + 1 and ends[0] == 0 and ends[-1] == len(attributes), "a row for each mistake")
    need(not (ends[1:] < ends[:-1]).any() and within(attributes, 0, size - 1), "attributes that there are")
    inside = np.ones(len(attributes), dtype=np.bool_)
    inside[ends[:-1][ends[:-1] < len(attributes)]] = False
    need((attributes[1:] > attributes[:-1])[inside[1:]].all(), "ascending attributes")
