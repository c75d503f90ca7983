"""What the tests of states share: a fact that is needed, and the error where it is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from littlestone.core.rows import MOST_ATTRIBUTES

__all__ = [
    "ENOUGH",
    "Kinds",
    "State",
    "Test",
    "Unsound",
    "ascending",
    "columns",
    "counts",
    "need",
    "within",
]

State = Mapping[str, NDArray[Any]]
Kinds = Mapping[str, tuple[str, int]]  # of each array the types that it may have, and its dimensions
Test = Callable[[Any, Any, State], None]  # of a learner, a machine of it (perhaps a new one), and a state

ENOUGH = 1 << 62  # no count comes so far, and what is added to it stays a number of 64 bits


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


def counts(state: State, number: int) -> None:
    """Check an array of so many counts."""
    need(state["counts"].shape == (number,) and within(state["counts"], 0, ENOUGH), f"{number} counts of a game")


def columns(array: NDArray[Any], rows: int) -> None:
    """Check an array that has a column for each attribute, and a spare one."""
    need(array.shape[0] == rows, "a row for each kind of weight")
    need(1 <= array.shape[1] <= MOST_ATTRIBUTES + 1, "a column for each attribute, and a spare one")
