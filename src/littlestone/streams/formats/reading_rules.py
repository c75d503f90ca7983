"""The rules by which cells of tables become attributes and labels: one place for CSV, Parquet, frames and JSON."""

from __future__ import annotations

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
    "label_column",
    "number",
    "number_or_text",
    "read_labels",
]

LABEL_NAMES = ("label", "class", "target", "y")
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "null")
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")


def number(cell: str) -> float | None:
    """Return what a cell says if it is a number, as Python reads one (without underscores); None if it is not.

    >>> number(" 1e3 "), number("1_000"), number("abc")
    (1000.0, None, None)
    """
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


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
