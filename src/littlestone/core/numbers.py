"""What theorems are given and what they give: numbers that are checked, logarithms that do not overflow."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from math import ceil, comb, inf, isfinite, isnan, log, log1p, pi
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.rational import Number

__all__ = ["checked", "conjunctions", "ln", "ln_choices", "plain", "snapped", "steps"]


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
