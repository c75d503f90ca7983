"""Numbers: the fraction behind a float, checked arguments of theorems, logarithms, and whole numbers of any size."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, comb, floor, inf, isfinite, isnan, ldexp, log, log1p, nextafter, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidData, InvalidParameter

__all__ = [
    "MOST_TIMES",
    "Number",
    "Powers",
    "check_counted",
    "checked",
    "conjunctions",
    "decoded",
    "digits_of",
    "encoded",
    "ln",
    "ln_choices",
    "plain",
    "quotient",
    "readable",
    "simplest_fraction",
    "snapped",
    "steps",
    "times",
    "times_powers",
    "whole_times",
]

MOST_BITS = 4096  # of a fraction that is printed
MOST_TIMES = 1000  # that an example is counted
TINY = float(np.finfo(np.float64).tiny)
LOW, MOST_COARSE = 8, 1024  # of `Powers`: 2^LOW fine ones are kept, and at most so many coarse ones
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


class Powers:
    """Powers of one positive number, of which many are asked for: one product each, from two that are kept.

    >>> tenth = Powers(Fraction(11, 10), 160)
    >>> mantissa, exponent = tenth.digits(5_000)
    >>> ldexp(mantissa, exponent) == times_powers(Fraction(1), (Fraction(11, 10), 5_000))
    True
    """

    def __init__(self, base: Fraction, bits: int) -> None:
        self._base, self._bits = base, bits
        self._fine: dict[int, tuple[int, int]] = {}  # by the lowest LOW binary digits of the exponent
        self._coarse: dict[int, tuple[int, int]] = {}  # by the others

    def digits(self, exponent: int) -> tuple[int, int]:
        """Return a mantissa and an exponent of two, as `digits_of` does."""
        return times(*self.factors(exponent), self._bits + 3)

    def factors(self, exponent: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the two powers that a power is the product of: that of its lowest LOW digits, and of the others."""
        low = exponent & (1 << LOW) - 1
        fine, coarse = self._fine.get(low), self._coarse.get(exponent - low)
        if fine is None:
            fine = self._fine[low] = digits_of([(self._base, low)], self._bits + 2)
        if coarse is None:
            if len(self._coarse) >= MOST_COARSE:
                self._coarse.clear()
            coarse = self._coarse[exponent - low] = digits_of([(self._base, exponent - low)], self._bits + 2)
        return fine, coarse


def _product(powers: Iterable[tuple[Fraction, int]], bits: int) -> tuple[int, int]:
    """Return a mantissa of about so many binary digits, never too large, and the exponent of two."""
    mantissa, exponent = 1, 0
    for base, count in powers:
        square, left = _digits(base if count >= 0 else 1 / base, bits), abs(count)
        while left:
            if left & 1:
                mantissa, exponent = times((mantissa, exponent), square, bits)
            left >>= 1
            if left:
                square = times(square, square, bits)
    return mantissa, exponent


def _digits(value: Fraction, bits: int) -> tuple[int, int]:
    """Return a mantissa of so many binary digits, or one more, and the exponent of two."""
    shift = bits - value.numerator.bit_length() + value.denominator.bit_length()
    scaled = (value.numerator << max(shift, 0)) // (value.denominator << max(-shift, 0))
    return scaled, -shift


def times(a: tuple[int, int], b: tuple[int, int], bits: int) -> tuple[int, int]:
    """Return the product of two numbers, each a mantissa and an exponent of two, cut to so many binary digits."""
    mantissa, exponent = a[0] * b[0], a[1] + b[1]
    extra = mantissa.bit_length() - bits
    return (mantissa >> extra, exponent + extra) if extra > 0 else (mantissa, exponent)


# What theorems are given and what they give


def checked(owner: str, name: str, annotation: str, value: Any) -> Any:
    """Return an argument as the plain number its annotation asks for: whole, a float, or any finite number."""
    if value is None and annotation.endswith("None"):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.integer | np.floating):
        raise InvalidParameter(f"{owner}: expected a number for {name}, got {value!r}")
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, float | np.floating):
        value = float(value)
        if not isfinite(value):
            raise InvalidParameter(f"{owner}: expected a finite number for {name}, got {value}")
    if annotation.startswith("int"):
        if value != int(value):
            raise InvalidParameter(f"{owner}: expected a whole number for {name}, got {value}")
        return int(value)
    if annotation.startswith("float"):
        try:
            return float(value)
        except OverflowError:
            raise InvalidParameter(f"{owner}: expected {name} in the range of floats") from None
    return value


def plain(owner: str, kind: str, compute: Callable[[], float]) -> float:
    """Return what a theorem says as a plain int or float: infinite where an upper bound leaves the floats.

    A lower bound or an exact value that does is refused, since it would claim too much.
    """
    try:
        value = compute()
    except (OverflowError, ZeroDivisionError):  # a divisor that underflows is a bound that overflows
        value = inf
    if not isinstance(value, int):
        value = inf if isnan(value) else snapped(float(value))
    elif abs(value) > sys.float_info.max:
        value = inf
    if kind != "upper" and value == inf:
        what = "the lower bound" if kind == "lower" else "the value"
        raise InvalidParameter(f"{owner}: expected numbers for which {what} is in the range of floats")
    return value


def snapped(value: float) -> float:
    """Return a number of mistakes that is whole but for rounding as the whole number: 2.9999999999999996 is 3."""
    whole = round(value) if isfinite(value) else value
    return float(whole) if abs(value - whole) <= 1e-12 * abs(value) else value


def ln(number: Number) -> float:
    """Return the natural logarithm of a positive number, also of one that no float can hold.

    >>> ln(Fraction(10**400, 3)), ln(1 + Fraction(1, 10**30))
    (919.93542490895, 1e-30)
    """
    if isinstance(number, float):
        return log(number)
    number = Fraction(number)
    if Fraction(1, 2) < number < 2:
        return log1p(float(number - 1))
    return log(number.numerator) - log(number.denominator)


def steps(ratio: Fraction, alpha: Fraction) -> int:
    """Return the least j >= 0 with alpha^j >= ratio: by logarithms, then exactly (where j is huge, a little too many).

    >>> steps(Fraction(1000), Fraction(10)), steps(Fraction(1001), Fraction(10)), steps(Fraction(1, 2), Fraction(10))
    (3, 4, 0)
    """
    if ratio <= 1:
        return 0
    j = ceil(ln(ratio) / ln(alpha))
    if j > 10_000:
        return j + 1 + j // 10**12
    while alpha**j < ratio:
        j += 1
    while j > 0 and alpha ** (j - 1) >= ratio:
        j -= 1
    return j


def ln_choices(n: int, k: int) -> float:
    """Return ``ln(C(n,0) + ... + C(n,k))``: exactly counted up to k = 1000, beyond that bounded from above.

    Stirling's formula (Robbins) exceeds ln C(n,k) by less than 1/6000 there. The terms of the sum fall backwards from
    C(n,k) at least as fast as (k/(n-k+1))^i, which bounds it by a geometric series; it is never more than 2^n.

    >>> ln_choices(4, 1) == log(5), ln_choices(10**9, 1) == log(10**9 + 1), round(ln_choices(10**9, 10**6))
    (True, True, 7907247)
    """
    if k <= 1000:
        term = total = 1
        for i in range(k):
            term = term * (n - i) // (i + 1)
            total += term
        return log(total)
    if 2 * k >= n:
        return n * log(2.0)
    last = k * (log(n) - log(k)) - (n - k) * log1p(-k / n) - 0.5 * log(2.0 * pi * k * (1.0 - k / n))
    return min(n * log(2.0), last + log(n - k + 1) - log(n - 2 * k + 1))


def conjunctions(n: int, *, literals: int = 1, max_size: int | None = None) -> int:
    """Return how many conjunctions of 1 to ``max_size`` of n attributes there are (literals 2: negated ones too).

    >>> [conjunctions(4, literals=literals, max_size=size) for literals in (1, 2) for size in (None, 2)]
    [15, 10, 80, 32]
    """
    if max_size is None or max_size >= n:
        all_of: int = (literals + 1) ** n
        return all_of - 1
    return sum(comb(n, size) * literals**size for size in range(1, max_size + 1))


# Whole numbers of any size: written down, read as floats, as weights of examples


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
