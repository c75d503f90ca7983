"""Exact numbers behind floats: the fraction that somebody meant when they typed ``1.35``."""

from collections.abc import Iterable
from fractions import Fraction
from math import floor, inf, ldexp, nextafter

__all__ = ["Number", "digits_of", "simplest_fraction", "times_powers"]

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


def times_powers(factor: Fraction, *powers: tuple[Fraction, int]) -> float:
    """Return ``factor * base^exponent * ...`` as a float, for positive numbers and exponents of any size.

    Computed with 160 binary digits: the digits that huge exact fractions would have beyond them are not needed.

    >>> times_powers(Fraction(1), (Fraction(11, 10), 10_000), (Fraction(1, 7), 480))
    190454998.5799819
    """
    mantissa, exponent = _product(((factor, 1), *powers), 160)
    try:
        return ldexp(mantissa, exponent)
    except OverflowError:
        return inf


def digits_of(powers: Iterable[tuple[Fraction, int]], bits: int) -> tuple[int, int]:
    """Return a mantissa and an exponent of two for a product of positive ``base^exponent``, right to ``bits`` digits.

    It is never above the product, and below it by less than ``2^-bits`` of it.

    >>> digits_of([(Fraction(3, 2), 2), (Fraction(1, 9), 1)], 8)[0].bit_length() >= 8
    True
    """
    factors = list(powers)
    # Each step cuts off less than 2^(1-w) of a number of w digits, and what a square has lost counts as often as it is
    # used: in all less than 4 |exponent| + 4 times for each base.
    cuts = sum(4 * abs(count) + 4 for _, count in factors)
    return _product(factors, bits + cuts.bit_length() + 1)


def _product(powers: Iterable[tuple[Fraction, int]], bits: int) -> tuple[int, int]:
    """Return a mantissa of about so many binary digits, never too large, and the exponent of two."""
    mantissa, exponent = 1, 0
    for base, count in powers:
        square, left = _digits(base if count >= 0 else 1 / base, bits), abs(count)
        while left:
            if left & 1:
                mantissa, exponent = _times((mantissa, exponent), square, bits)
            left >>= 1
            if left:
                square = _times(square, square, bits)
    return mantissa, exponent


def _digits(value: Fraction, bits: int) -> tuple[int, int]:
    """Return a mantissa of so many binary digits, or one more, and the exponent of two."""
    shift = bits - value.numerator.bit_length() + value.denominator.bit_length()
    scaled = (value.numerator << max(shift, 0)) // (value.denominator << max(-shift, 0))
    return scaled, -shift


def _times(a: tuple[int, int], b: tuple[int, int], bits: int) -> tuple[int, int]:
    mantissa, exponent = a[0] * b[0], a[1] + b[1]
    extra = mantissa.bit_length() - bits
    return (mantissa >> extra, exponent + extra) if extra > 0 else (mantissa, exponent)
