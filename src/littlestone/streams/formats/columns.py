"""Columns of a table and what their cells become: a value, one attribute a category, or a bag of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.words import Tokeniser
from littlestone.streams.formats.growing import Names, Part
from littlestone.streams.formats.reading_rules import FALSE, TRUE, number, sound

__all__ = [
    "CATEGORY",
    "IDENTIFIER",
    "IGNORED",
    "NOT_OF_KIND",
    "NUMBER",
    "TEXT",
    "TRUTH",
    "attribute",
    "floats",
    "named",
    "numbers",
    "numeric",
    "refusal",
    "stripped",
]

NUMBER, TRUTH, CATEGORY, TEXT = "number", "truth", "category", "text"
IDENTIFIER, IGNORED = "id", "ignored"  # columns that are left out: seen to be one, or told to be
ONE, ZERO = ("1", "1.0"), ("0", "0.0")  # what True and False are to another program
NOT_OF_KIND = ("expected a number", "expected True or False")  # of a cell that refutes a guess
Cells = Any  # a sequence of str or None; or an array of floats, NaN where a value is missing


def numbers(cells: Cells, missing: frozenset[Any]) -> Floats | None:
    """Return the values of a column of numbers, NaN where one is missing; None if some cell is none.

    >>> numbers(["1", "", "2.5"], frozenset([""])), numbers(["1", "b"], frozenset())
    (array([1. , nan, 2.5]), None)
    """
    if isinstance(cells, np.ndarray):
        return None if np.isinf(cells).any() or (np.abs(cells) > LARGEST_VALUE).any() else cells
    values = None if numeric(missing) else floats(cells)
    if values is not None and bool((np.abs(values) <= LARGEST_VALUE).all()):
        return values
    read = [np.nan if stripped(cell) in missing else number(cell) for cell in cells]
    for value, cell in zip(read, cells, strict=True):
        if value is None or not (sound(value) or stripped(cell) in missing):
            return None
    return np.array(read, dtype=np.float64)


def numeric(missing: frozenset[Any]) -> bool:
    """Tell whether some number means that a value is missing."""
    return any(isinstance(cell, str) and _finite_number(cell) for cell in missing)


def _finite_number(cell: str) -> bool:
    value = number(cell)
    return value is not None and isfinite(value)


def floats(cells: Cells) -> Floats | None:
    """Return the values of cells that are all numbers, fast; None if some is not."""
    try:
        if "_" not in "\0".join(cells):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    except (TypeError, ValueError):
        pass
    return None


def refusal(kind: str, cell: Any, missing: frozenset[Any]) -> str | None:
    """Say what was expected in place of a cell, or nothing if it is sound."""
    if isinstance(cell, float):
        if kind == TRUTH and not (cell != cell or cell in {0.0, 1.0}):  # noqa: PLR0124 - nan is not itself
            return NOT_OF_KIND[1]
        return None if cell != cell or sound(cell) else _finite(cell)  # noqa: PLR0124
    if kind in {CATEGORY, TEXT} or stripped(cell) in missing:
        return None
    if kind == TRUTH:
        return None if cell.strip() in {*TRUE, *FALSE, *ONE, *ZERO} else NOT_OF_KIND[1]
    value = number(cell)
    if value is None:
        return NOT_OF_KIND[0]
    return None if sound(value) else _finite(value)


def named(
    columns: Iterable[tuple[str, str, Cells]],
    codes: dict[str, dict[Any, int]],
    names: Names,
    missing: frozenset[Any],
    words: Tokeniser,
) -> list[Part]:
    """Return the entries of columns of categories, truth and text (name, kind, cells); ``codes``: by column, by cell.

    New names get their columns row by row, then from left to right: the order does not depend on how rows come in
    blocks.
    """
    bags = []
    for name, kind, cells in columns:
        known = codes.setdefault(name, {} if kind == TEXT else dict.fromkeys(missing, -1))
        bags.append((name, kind, _bags(cells, missing, words) if kind == TEXT else cells, known))
    new = [
        (row, position, key)
        for position, (_, kind, cells, known) in enumerate(bags)
        for row, key in _unseen(cells, known, kind)
    ]
    for _, position, key in sorted(new, key=lambda entry: entry[:2]):
        name, kind, _, known = bags[position]
        if key not in known:
            known[key] = attribute(name, kind, key, names, missing)
    return [_entries(cells, known, kind) for _, kind, cells, known in bags]


def _bags(cells: Cells, missing: frozenset[Any], words: Tokeniser) -> list[list[str]]:
    return [[] if stripped(cell) in missing else words(cell) for cell in cells]


def _unseen(cells: Sequence[Any], known: Mapping[Any, int], kind: str) -> list[tuple[int, Any]]:
    """Return the cells (of text: the words) without a column, with the row of their first appearance."""
    new = set(chain.from_iterable(cells) if kind == TEXT else cells) - known.keys()
    if not new:
        return []
    if kind == TEXT:
        return [(row, word) for row, bag in enumerate(cells) for word in bag if word in new]
    first: dict[Any, int] = {}
    for row, cell in enumerate(cells):
        if cell in new:
            first.setdefault(cell, row)
    return [(row, cell) for cell, row in first.items()]


def attribute(name: str, kind: str, key: Any, names: Names, missing: frozenset[Any]) -> int:
    """Return the column of a cell, -1 where it has none."""
    value = stripped(key)
    if kind == TEXT:
        return names.column(f"{name}={key}")
    if value in missing or (kind == TRUTH and (value in FALSE or value in ZERO)):
        return -1
    return names.column(name if kind == TRUTH else f"{name}={value}")


def _entries(cells: Sequence[Any], known: Mapping[Any, int], kind: str) -> Part:
    if kind == TEXT:
        lengths = np.fromiter(map(len, cells), np.int64, len(cells))
        flat = list(chain.from_iterable(cells))
        return np.repeat(np.arange(len(cells)), lengths), _looked_up(flat, known), None
    columns = _looked_up(cells, known)
    rows = np.flatnonzero(columns >= 0)
    return rows, columns[rows], None


def _looked_up(cells: Sequence[Any], known: Mapping[Any, int]) -> NDArray[np.int64]:
    return np.fromiter(map(known.__getitem__, cells), np.int64, len(cells))


def stripped(cell: Any) -> Any:
    """Return a cell without spaces around it."""
    return cell.strip() if isinstance(cell, str) else cell


def _finite(value: float) -> str:
    return "expected a finite number" if value in {np.inf, -np.inf} else "expected a number of at most 1e100"
