"""Amounts: losses of any size as a table or a sentence has them."""

from __future__ import annotations

from math import isfinite

__all__ = ["amount"]

LARGE, SMALL = 1e12, 0.01  # beyond these by a power of ten
WHOLE, TENTHS = 10_000, 100  # from here on no decimals, and one


def amount(value: float | None, nothing: str = "-") -> str:
    """Return an amount with some four digits, grouped; ``nothing`` where there is none.

    >>> amount(1234567.0), amount(12.3456789), amount(0.00012345), amount(0.0), amount(None)
    ('1,234,567', '12.35', '0.000123', '0', '-')
    """
    if value is None or not isfinite(value):
        return nothing if value is None else str(value)
    size = abs(value)
    if size >= LARGE or 0 < size < SMALL:
        return f"{value:.3g}"
    return f"{value:,.{0 if size >= WHOLE or value == 0 else 1 if size >= TENTHS else 2}f}"
