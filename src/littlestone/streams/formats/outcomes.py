"""Outcomes: labels that are numbers, for regressors; how they are read, and when they are recognised."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.errors import InvalidParameter
from littlestone.core.labels import plain
from littlestone.core.messages import Message, Remedy, did_you_mean, shown
from littlestone.streams.formats.reading_rules import number

__all__ = [
    "AUTO",
    "CLASSIFICATION",
    "REGRESSION",
    "TASKS",
    "are_numbers",
    "check_task",
    "of_cell",
    "of_cells",
    "outcome_refusal",
]

CLASSIFICATION, REGRESSION, AUTO = "classification", "regression", "auto"
TASKS = (CLASSIFICATION, REGRESSION, AUTO)
FEW, MANY, SHARE = 2, 100, 0.2  # different labels: two are always classes; so many whole ones are hardly any
AS_LABELS = Remedy("say {task} if these are labels", task=CLASSIFICATION)
SCALED = "drop, fill or scale such outcomes"


def check_task(owner: str, task: Any, labels: Any) -> str:
    """Return the task; refuse another word, and labels where there are none."""
    if task not in TASKS:
        close = did_you_mean(str(task), TASKS)
        raise InvalidParameter(
            f"{owner}: task must be {', '.join(map(repr, TASKS[:-1]))} or {AUTO!r}, got {shown(task)}",
            *([close] if close else []),
        )
    if labels is not None and len(labels) and task == REGRESSION:
        raise InvalidParameter(
            f"{owner}: labels: expected none, for numbers have no labels, got {shown(labels)}",
            Remedy("say {task} or leave them out", task=CLASSIFICATION),
        )
    return CLASSIFICATION if task == AUTO and labels is not None else str(task)


def are_numbers(cells: Iterable[Any]) -> bool:
    """Tell whether labels are rather numbers to be predicted: the rule by which regression is recognised.

    All of them are numbers, more than two of them are different, and either some are not whole, or more than 100 are
    different, and these are more than a fifth of all. So 0 and 1, -1 and 1, any two numbers, grades, and the numbers of
    a hundred classes are labels.

    >>> are_numbers(["0.5", "1.25", "3"]), are_numbers([0, 1, 1, 0]), are_numbers([0.5, 0.75]), are_numbers([1, 2, 3])
    (True, False, False, False)
    >>> are_numbers(range(101)), are_numbers([*range(101)] * 5), are_numbers(["1.5", "2.5", "b"])
    (True, False, False)
    """
    there = [cell for cell in cells if not _is_nothing(cell)]
    found = [None if isinstance(cell, bool) else of_cell(cell) for cell in there]
    different = {value for value in found if value is not None and isfinite(value)}
    if None in found:
        return False
    if len(different) <= FEW:
        return False
    return any(value != int(value) for value in different) or len(different) > max(MANY, SHARE * len(found))


def of_cell(cell: Any) -> float | None:
    """Return the number that a cell says; None: it says none.

    >>> of_cell(" 1.5"), of_cell(2), of_cell("many"), of_cell(None)
    (1.5, 2.0, None, None)
    """
    if isinstance(cell, str):
        return number(cell)
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return float("inf")


def of_cells(cells: Any, missing: frozenset[Any] = frozenset()) -> Floats | None:
    """Return cells as numbers; None if some cell is none, or is missing, infinite or too large.

    >>> of_cells(["1", " 2.5"]), of_cells(["1", "nan"]), of_cells([1.0, None])
    (array([1. , 2.5]), None, None)
    """
    if isinstance(cells, np.ndarray):
        found = cells
    else:
        try:
            found = np.fromiter(map(float, cells), np.float64, len(cells))
        except (TypeError, ValueError, OverflowError):
            return None
        if any(isinstance(cell, str) and ("_" in cell or cell.strip() in missing) for cell in cells):
            return None
    return found if bool((np.abs(found) <= LARGEST_VALUE).all()) else None


def outcome_refusal(found: Any, missing: frozenset[Any], *, file: bool) -> Message | None:
    """Say what was expected in place of an outcome; None: it is sound. ``file``: it is one of a file."""
    cell = plain(found)
    bare = cell.strip() if isinstance(cell, str) else cell
    if _is_nothing(cell) or bare in missing:
        predicting = [Remedy("say {unlabelled} to predict", unlabelled=True)] if file else []
        return Message(f"expected a number as outcome, got {cell!r}", *predicting, "leave the row out")
    value = of_cell(cell)
    if value is None:
        return Message(f"expected a number as outcome, got {shown(cell)}", "correct it", AS_LABELS)
    if not isfinite(value):
        return Message(f"expected a finite number as outcome, got {shown(cell)}", SCALED)
    if abs(value) > LARGEST_VALUE:
        return Message(f"expected an outcome of at most 1e100, got {shown(cell)}", SCALED)
    return None


def _is_nothing(cell: Any) -> bool:
    return cell is None or cell != cell  # noqa: PLR0124 - nan is not itself
