"""Exact numbers behind floats: the fraction that somebody meant when they typed ``1.35``."""

from fractions import Fraction
from math import floor, nextafter

__all__ = ["Number", "simplest_fraction"]

Number = int | float | Fraction


def simplest_fraction(value: Number) -> Fraction:
    """Return the fraction with the smallest denominator that rounds to ``value``.

    >>> simplest_fraction(1.35), simplest_fraction(400 / 3), simplest_fraction(7)
    (Fraction(27, 20), Fraction(400, 3), Fraction(7, 1))
    """
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if not isinstance(value, float):
        return Fraction(value)
    exact = Fraction(value)
    if exact.denominator == 1:
        return exact
    low = (exact + Fraction(nextafter(value, float("-inf")))) / 2
    high = (exact + Fraction(nextafter(value, float("inf")))) / 2
    simplest = _simplest_between(low, high) if value > 0 else -_simplest_between(-high, -low)
    # An end of the interval rounds to the even neighbour, which need not be `value`.
    return simplest if float(simplest) == value else exact


def _simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the simplest fraction in [low, high], 0 <= low < high, by continued fractions."""
    whole = floor(low)
    if whole == low:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / _simplest_between(1 / (high - whole), 1 / (low - whole))
