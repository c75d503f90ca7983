"""Checks of parameters, one sentence each: whose, which, what was expected, what came."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean

__all__ = [
    "check_flag",
    "check_number",
    "check_numbers",
    "check_whole",
    "promised",
    "unknown_parameter",
]


def check_number(
    owner: str, name: str, value: Any, *, above: float = -inf, below: float = inf, ends: str = "()"
) -> None:
    """Refuse what is not a finite number between ``above`` and ``below``; ``ends``: which of them count, as in "[)"."""
    number = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if number and value and value not in (inf, -inf) and (_size(value) < 1e-100 or _size(value) > 1e100):
        raise InvalidParameter(f"{owner}: {name} must be 0 or of a size from 1e-100 to 1e100, got {repr(value)[:40]}")
    if (
        number
        and isfinite(_size(value))
        and (above <= value if ends[0] == "[" else above < value)
        and (value <= below if ends[1] == "]" else value < below)
    ):
        return
    if (above, below) == (-inf, inf):
        expected = "a finite number"
    elif below == inf:
        expected = f"a number {'>=' if ends[0] == '[' else '>'} {above:g}"
    else:
        expected = f"a number in {ends[0]}{above:g}, {below:g}{ends[1]}"
    raise InvalidParameter(f"{owner}: {name} must be {expected}, got {value!r}")


def check_numbers(owner: str, name: str, values: Any) -> None:
    """Refuse a list or an array of which one entry is not a finite number; a long one of floats is seen at once."""
    floats = values.dtype.kind == "f" if isinstance(values, np.ndarray) else {*map(type, values)} == {float}
    if floats:
        sizes = np.abs(np.asarray(values, dtype=np.float64))
        odd = np.flatnonzero(~((sizes == 0.0) | ((sizes >= 1e-100) & (sizes <= 1e100))))
        values = [values[at] for at in odd[:1].tolist()]
    for value in values:
        check_number(owner, name, value)


def _size(value: Any) -> float:
    try:
        return abs(float(value))
    except OverflowError:
        return inf


def check_whole(owner: str, name: str, value: Any, *, least: int = 1, most: float = inf) -> int:
    """Refuse what is not a whole number from ``least`` to ``most``."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    upper = "" if most == inf else f" and <= {most:g}"
    raise InvalidParameter(f"{owner}: {name} must be a whole number >= {least}{upper}, got {value!r}")


def promised(owner: str, k: int | None, n: float = inf, attribute_errors: int = 0) -> dict[str, float]:
    """Return what a constructor from theory was told of its target: nothing of k, if that was not given."""
    errors: dict[str, float] = {"attribute_errors": attribute_errors}
    return errors if k is None else {"k": check_whole(owner, "k", k, most=n), **errors}


def check_flag(owner: str, name: str, value: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidParameter(f"{owner}: {name} must be True or False, got {value!r}")


def unknown_parameter(owner: str, name: str, known: list[str]) -> InvalidParameter:
    """Return the error about a parameter that nobody knows, with those it may have been meant for."""
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    remedy = did_you_mean(name, known)
    return InvalidParameter(f"{owner}: no parameter {name!r}; {f'{remedy} ' if remedy else ''}{takes}")
