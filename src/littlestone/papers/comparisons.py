"""Comparisons: a measured number beside the one that was claimed, and whether they agree."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from littlestone.core.errors import InvalidParameter

__all__ = [
    "ERRORS",
    "Comparison",
    "above",
    "at_least",
    "at_most",
    "below",
    "close",
    "deviation",
    "equal",
    "every",
    "less",
    "mean_is",
    "mean_within",
    "plain",
    "reference",
]

ERRORS = 5.0  # standard errors to each side: beyond them by chance once in a million, with 8 runs once in 600


@dataclass(frozen=True)
class Comparison:
    """One measured value and the expected one; ``exact`` where chance has no part in it.

    Made by the functions of this module, which decide ``holds``. One that is ``undecided`` does not hold, and does not
    refute either: its interval has numbers of both kinds.

    >>> from littlestone.papers.comparisons import equal
    >>> found = equal("mistakes", 4, 5)
    >>> found.what, found.measured, found.relation, found.expected, found.holds
    ('mistakes', 4, '=', 5, False)
    """

    what: str
    measured: Any
    relation: str
    expected: Any
    holds: bool
    exact: bool = True
    low: float | None = None
    high: float | None = None
    undecided: bool = False

    def __post_init__(self) -> None:
        try:
            json.dumps([self.measured, self.expected, self.low, self.high], allow_nan=False)
        except (TypeError, ValueError):
            raise InvalidParameter(
                f"comparison {self.what!r}: expected finite numbers, texts or lists of them, got {self.measured!r} "
                f"{self.relation} {self.expected!r}"
            ) from None


def plain(value: Any) -> Any:
    """Return a value as JSON has it; a rational is written as a text.

    >>> plain([np.int64(3), Fraction(7, 2), True])
    [3, '7/2', True]
    """
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    return value


def _exact(what: str, measured: Any, relation: str, expected: Any, holds: Any) -> Comparison:
    return Comparison(what, plain(measured), relation, plain(expected), bool(holds))


def equal(what: str, measured: Any, expected: Any) -> Comparison:
    """Compare exactly: whole numbers, rationals, texts, or lists of them; two empty lists are nothing to compare.

    >>> equal("mistakes", [1, 3], (1, 3)).holds, equal("mistakes", 3, 4).holds
    (True, False)
    """
    one, other = plain(measured), plain(expected)
    if one == other == []:
        raise InvalidParameter(f"comparison {what!r}: expected something to compare, got two empty lists")
    return _exact(what, one, "=", other, one == other)


def close(what: str, measured: float, expected: float, tolerance: float = 1e-9) -> Comparison:
    """Compare numbers that are equal but for rounding.

    >>> close("the norm", 0.1 + 0.2, 0.3).holds
    True
    """
    if not 0.0 <= tolerance < math.inf:
        raise InvalidParameter(f"comparison {what!r}: expected a tolerance of at least 0 and finite, got {tolerance}")
    holds = abs(measured - expected) <= tolerance
    return _exact(what, float(measured), f"= within {tolerance:g}", float(expected), holds)


def at_most(what: str, measured: Any, bound: Any) -> Comparison:
    """Compare with an upper bound, exactly."""
    return _exact(what, _number(what, measured), "<=", _number(what, bound), measured <= bound)


def at_least(what: str, measured: Any, bound: Any) -> Comparison:
    """Compare with a lower bound, exactly."""
    return _exact(what, _number(what, measured), ">=", _number(what, bound), measured >= bound)


def below(what: str, measured: Any, bound: Any) -> Comparison:
    """Compare with a number that must not be reached."""
    return _exact(what, _number(what, measured), "<", _number(what, bound), measured < bound)


def above(what: str, measured: Any, bound: Any) -> Comparison:
    """Compare with a number that must be passed."""
    return _exact(what, _number(what, measured), ">", _number(what, bound), measured > bound)


def _number(what: str, value: Any) -> Any:
    """Refuse lists and texts: Python orders them by what comes first, and the rest would not count."""
    if not isinstance(value, int | float | Fraction | np.integer | np.floating):
        raise InvalidParameter(f"comparison {what!r}: expected a number, got {value!r}")
    return value


def every(what: str, cases: Iterable[Any]) -> Comparison:
    """Compare the number of cases in which something holds with the number of all cases; none at all do not do.

    >>> found = every("rows", [True, True, False])
    >>> found.measured, found.expected, found.holds
    (2, 3, False)
    """
    flags = list(cases)
    other = [case for case in flags if not (isinstance(case, int | np.integer | np.bool_) and case in {0, 1})]
    if other:  # a text or a key would count as true
        raise InvalidParameter(f"comparison {what!r}: expected cases that are true or false, got {other[0]!r}")
    return _exact(what, sum(map(bool, flags)), "=", len(flags), flags and all(flags))


def _interval(what: str, numbers: ArrayLike, error: float = 0.0) -> tuple[float, float, float]:
    """Return the mean and `ERRORS` standard errors to each side, those of another mean added."""
    values = np.asarray(numbers, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise InvalidParameter(
            f"comparison {what!r}: expected two or more finite numbers, one a run, got {values.tolist()}"
        )
    if not 0.0 <= error < math.inf:
        raise InvalidParameter(f"comparison {what!r}: expected a standard error of at least 0 and finite, got {error}")
    mean, own = float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5
    half = ERRORS * math.hypot(own, error)
    return mean, mean - half, mean + half


def mean_is(what: str, numbers: ArrayLike, expected: float, error: float = 0.0) -> Comparison:
    """Compare the mean of two or more independent runs with an expected one, itself known up to a standard ``error``.

    >>> mean_is("mistakes", [9, 11, 10, 12], 10).holds, mean_is("mistakes", [9, 11, 10, 12], 20).holds
    (True, False)
    """
    mean, low, high = _interval(what, numbers, error)
    return Comparison(what, mean, "=", float(expected), bool(low <= expected <= high), False, low, high)


def reference(what: str, numbers: ArrayLike, mean: float, runs: int, digit: float = 0.0) -> Comparison:
    """Compare with the mean of so many runs, found beforehand; they are taken to spread as these do.

    ``digit`` is what the last digit of that mean is worth.
    """
    values = np.asarray(numbers, dtype=np.float64)
    error = float(np.hypot(values.std(ddof=1) / runs**0.5, digit / 2))
    return mean_is(f"{what}, reference", values, mean, error)


def deviation(numbers: ArrayLike, digits: int = 1) -> str:
    """Return a mean with its standard deviation as a text.

    >>> deviation([1, 2, 3])
    '2.0 ± 1.0'
    """
    values = np.asarray(numbers)
    return f"{values.mean():,.{digits}f} ± {values.std(ddof=1):,.{digits}f}"


def mean_within(what: str, numbers: ArrayLike, least: float, most: float) -> Comparison:
    """Tell whether the mean of independent runs lies between two numbers, with its interval.

    >>> mean_within("mistakes", [9, 11, 10, 12], 0, 20).holds
    True
    """
    if not -math.inf < least < most < math.inf:
        raise InvalidParameter(f"comparison {what!r}: expected two finite numbers, the less first, got {least}, {most}")
    mean, low, high = _interval(what, numbers)
    holds = bool(least <= low and high <= most)
    outside = high < least or low > most
    limits = f"{least:g} to {most:g}"
    return Comparison(what, mean, "within", limits, holds, False, low, high, undecided=not holds and not outside)


def less(what: str, one: ArrayLike, other: ArrayLike) -> Comparison:
    """Tell whether numbers are less than others in the mean, run by run on the same examples.

    The interval is that of the differences; one that holds 0 decides nothing, and then it is not confirmed.

    >>> less("Winnow and Perceptron", [10, 12, 11], [30, 29, 33]).holds
    True
    """
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if first.shape != second.shape:
        raise InvalidParameter(
            f"comparison {what!r}: expected as many numbers as others, got {first.shape} and {second.shape}"
        )
    mean, low, high = _interval(what, first - second)
    return Comparison(what, mean, "<", 0.0, high < 0.0, False, low, high, undecided=low < 0.0 <= high)
