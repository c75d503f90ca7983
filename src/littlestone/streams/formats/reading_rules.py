"""The rules by which cells of tables become attributes and labels: one place for CSV, Parquet, frames and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from littlestone.core.block import LARGEST_VALUE
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Blank, Remedy, did_you_mean

__all__ = [
    "FALSE",
    "LABEL_NAMES",
    "MISSING",
    "TRUE",
    "is_code",
    "label_column",
    "number",
    "number_meant",
    "number_or_text",
    "read_labels",
]

LABEL_NAMES = ("label", "class", "target", "y")
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "null")
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")

_signs = re.compile(r"[\s$%\u20ac\u00a3\u00a5]")  # of money, and of percent
_whole = re.compile(r"[-+]?\d{1,3}([,.']\d{3})+").fullmatch  # thousands apart
_grouped = re.compile(r"([-+]?\d{1,3}(?:,\d{3})+)\.(\d+)").fullmatch
_grouped_by_points = re.compile(r"([-+]?\d{1,3}(?:\.\d{3})+),(\d+)").fullmatch
_real = re.compile(r"[-+]?\d+([.,]\d+)?").fullmatch


def number(cell: str) -> float | None:
    """Return what a cell says if it is a number, as Python reads one (without underscores); None if it is not.

    >>> number(" 1e3 "), number("1_000"), number("abc")
    (1000.0, None, None)
    """
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def is_code(cell: Any) -> bool:
    """Tell whether a cell is digits of which the first is a zero, such as a postal code: as a number it would lose it.

    >>> [is_code(cell) for cell in ("01234", "007", "0", "0.5", "10", "A07")]
    [True, True, False, False, False, False]
    """
    text = cell.strip() if isinstance(cell, str) else ""
    return len(text) > 1 and text[0] == "0" and text.isdecimal()


def number_meant(cell: Any) -> str | None:
    """Return how a cell would be written as a number, if it looks like one and is none; else None.

    >>> [number_meant(cell) for cell in ("$1234.56", "92%", "3,9", "1,234", "1.234,5", "7", "A7", "10.0.0.1")]
    ['1234.56', '92', '3.9', '1234', '1234.5', None, None, None]
    """
    if not isinstance(cell, str) or number(cell) is not None:
        return None
    bare = _signs.sub("", cell)
    if _whole(bare):
        return re.sub("[,.']", "", bare)
    for pattern, mark in ((_grouped, ","), (_grouped_by_points, ".")):
        found = pattern(bare)
        if found is not None:
            return f"{found[1].replace(mark, '')}.{found[2]}"
    return bare.replace(",", ".") if _real(bare) else None


def sound(value: float) -> bool:
    """Tell whether a learner can take the value."""
    return isfinite(value) and abs(value) <= LARGEST_VALUE


def number_or_text(cell: Any) -> Any:
    """Return a label as what it seems to be: 1 for "1" or "+1", 0.5 for "0.5", "ham" for " ham"."""
    if not isinstance(cell, str):
        return cell
    value = number(cell)
    if value is None or not isfinite(value):
        return cell.strip()
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def read_labels(cells: Iterable[Any]) -> dict[Any, Any]:
    """Return what each label of a file stands for: numbers if all are, True and False if all are, else their texts.

    >>> read_labels(["+1", "-1"]), read_labels(["1", "b"])
    ({'+1': 1, '-1': -1}, {'1': '1', 'b': 'b'})
    """
    found = {cell: number_or_text(cell) for cell in cells}
    if not any(isinstance(label, str) for label in found.values()):
        return found
    if all(cell in TRUE or cell in FALSE for cell in found.values()):
        return {cell: label in TRUE for cell, label in found.items()}
    return {cell: cell.strip() if isinstance(cell, str) else cell for cell in found}


def label_column(owner: str, columns: Sequence[str], label: str | None, labelled: bool) -> str | None:
    """Return the column of the labels: the one that is named, or called label, class, target or y, or the last.

    Without labels it is the column to be left out, if it is there, and never the last one by default.
    """
    if label is not None:
        if label not in columns and labelled:
            close = did_you_mean(label, columns)
            raise InvalidParameter(
                f"{owner}: expected a column {label!r} of labels, got {listed(columns)}",
                *([close] if close else []),
                Remedy("say {label}", label=Blank("COLUMN")),
                Remedy("{unlabelled} where there is none", unlabelled=True),
            )
        return label if label in columns else None
    lower = {column.lower(): column for column in reversed(columns)}
    known = next((lower[name] for name in LABEL_NAMES if name in lower), None)
    return known if known is not None or not labelled else columns[-1]


def listed(names: Sequence[Any]) -> str:
    """Return some names for a message."""
    return ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
