"""Intervals of numbers: a column of real numbers as Boolean attributes, one an interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_numbers, check_whole

__all__ = ["Bins", "all_edges", "check_bins", "edges_of", "interval", "interval_names"]

Bins = int | Mapping[str, Sequence[float]] | None
MOST_BINS = 1000


def check_bins(owner: str, bins: Any) -> Bins:
    """Return the number of intervals, or the edges by column, as given; refuse all else."""
    if bins is None:
        return None
    if not isinstance(bins, Mapping):
        return check_whole(owner, "bins", bins, least=2, most=MOST_BINS)
    for column, edges in bins.items():
        if isinstance(edges, str) or not isinstance(edges, Sequence | np.ndarray) or not len(edges):
            raise InvalidParameter(f"{owner}: bins of {column!r}: expected a list of edges, got {edges!r}")
        check_numbers(owner, f"bins of {column!r}", list(edges))
        if any(low >= high for low, high in pairwise(edges)):
            raise InvalidParameter(f"{owner}: bins of {column!r}: expected edges that ascend, got {list(edges)!r}")
    return {str(column): [float(edge) for edge in edges] for column, edges in bins.items()}


def edges_of(values: Floats, bins: int) -> list[float]:
    """Return the edges of about ``bins`` intervals with equally many of the values, each edge being one of them.

    Where many values are equal there are fewer edges; none where all are equal, or where they are all 0 and 1, which
    are Boolean already.

    >>> edges_of(np.arange(1.0, 9.0), 4), edges_of(np.array([5.0, 5.0]), 4), edges_of(np.array([0.0, 1.0]), 2)
    ([3.0, 5.0, 7.0], [], [])
    """
    known = np.sort(values[np.isfinite(values)])
    if not len(known) or np.isin(known, (0.0, 1.0)).all():
        return []
    places = (np.arange(1, bins) * len(known)) // bins
    edges: list[float] = np.unique(known[places]).tolist()
    return [edge for edge in edges if edge > known[0]]


def interval_names(column: str, edges: Sequence[float]) -> list[str]:
    """Return the names of the intervals that edges make, from below.

    >>> interval_names("income", [10, 20, 90.5])
    ['income < 10', 'income in [10, 20)', 'income in [20, 90.5)', 'income >= 90.5']
    """
    shown = [repr(float(edge)).removesuffix(".0") for edge in edges]
    inner = [f"{column} in [{low}, {high})" for low, high in pairwise(shown)]
    return [f"{column} < {shown[0]}", *inner, f"{column} >= {shown[-1]}"]


def interval(values: Floats, edges: Sequence[float], first: int) -> Ints:
    """Return the attribute of each value, ``first`` being that of the lowest interval; -1 where a value is missing.

    >>> interval(np.array([5.0, 10.0, 99.0, np.nan]), [10.0, 20.0], first=7).tolist()
    [7, 8, 9, -1]
    """
    found = np.searchsorted(np.asarray(edges, dtype=np.float64), values, side="right") + first
    return np.where(np.isnan(values), -1, found).astype(np.int64)


def all_edges(columns: Iterable[tuple[str, Floats]], bins: Bins) -> dict[str, list[float]]:
    """Return the edges by column: those that are given, or those that the values of each column suggest."""
    if bins is None:
        return {}
    if isinstance(bins, Mapping):
        return {name: list(bins[name]) for name, _ in columns if name in bins}
    found = ((name, edges_of(values, bins)) for name, values in columns)
    return {name: edges for name, edges in found if edges}
