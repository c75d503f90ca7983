"""Whole numbers of any size: as arrays that can be written down, as floats that can be read, as example weights."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData
from littlestone.core.rational import times_powers

__all__ = ["MOST_TIMES", "check_counted", "decoded", "encoded", "quotient", "readable", "whole_times"]

MOST_BITS = 4096  # of a fraction that is printed
MOST_TIMES = 1000  # that an example is counted
TINY = float(np.finfo(np.float64).tiny)


def encoded(numbers: Iterable[int]) -> NDArray[np.uint8]:
    """Return whole numbers of any size as rows of bytes, the lowest first."""
    given = list(numbers)
    width = max((number.bit_length() for number in given), default=0) // 8 + 1
    data = b"".join(number.to_bytes(width, "little", signed=True) for number in given)
    return np.frombuffer(data, dtype=np.uint8).reshape(len(given), width).copy()


def decoded(rows: NDArray[np.uint8]) -> list[int]:
    """Return the whole numbers that `encoded` wrote down.

    >>> decoded(encoded([0, -1, 2**100])) == [0, -1, 2**100]
    True
    """
    return [int.from_bytes(row.tobytes(), "little", signed=True) for row in rows]


def quotient(numerator: int, denominator: int) -> float:
    """Return a quotient as a float of the same sign: the largest one where it is larger, never 0 unless it is.

    >>> quotient(1, 3), quotient(-(10**400), 7), quotient(1, 10**400)
    (0.3333333333333333, -1.7976931348623157e+308, 2.2250738585072014e-308)
    """
    try:
        value = numerator / denominator
    except OverflowError:
        return sys.float_info.max if numerator > 0 else -sys.float_info.max
    if numerator and abs(value) < TINY:
        return TINY if numerator > 0 else -TINY
    return value


def readable(base: Fraction, exponent: int) -> Fraction | float:
    """Return a power that can be printed: Python writes down no whole number of more than 4,300 digits.

    >>> readable(Fraction(3, 2), -2), readable(Fraction(2), 10**6)
    (Fraction(4, 9), 1.7976931348623157e+308)
    """
    if abs(exponent) * max(base.numerator, base.denominator).bit_length() < MOST_BITS:
        return base**exponent
    return min(max(times_powers(Fraction(1), (base, exponent)), TINY), sys.float_info.max)


def check_counted(owner: str, importance: NDArray[np.float64], reason: str) -> None:
    """Refuse weights other than 0 and 1, where a row counts or does not."""
    odd = np.flatnonzero((importance != 0.0) & (importance != 1.0))
    if len(odd):
        raise InvalidData(
            f"{owner}: weight: row {odd[0]}: expected 0 or 1, for {reason}, got {importance[odd[0]]:g}; "
            "repeat the row instead"
        )


def whole_times(owner: str, importance: NDArray[np.float64], rows: int, most: int = MOST_TIMES) -> list[int]:
    """Return how often each row counts; refuse weights that are no whole numbers up to ``most``."""
    if len(importance) == 0:
        return [1] * rows
    odd = (importance != np.floor(importance)) | (importance > most)
    if odd.any():
        row = int(np.flatnonzero(odd)[0])
        raise InvalidData(
            f"{owner}: weight: row {row}: rows are counted, exactly, so that a weight is a whole number up to "
            f"{most}, got {importance[row]:g}; round the weights"
        )
    return [int(weight) for weight in importance]
