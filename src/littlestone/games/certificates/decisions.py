"""On which side of theta a score lies, decided from the rules of a game in as many digits as that takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

from littlestone.core.power_sums import PowerSums
from littlestone.core.rational import simplest_fraction
from littlestone.games.certificates.rules import Rules

__all__ = ["Moves", "sign"]

Moves = tuple[Fraction, Fraction]  # how far a coordinate was moved in promotions, and in demotions
Terms = dict[Moves, Fraction]  # the values of a row, summed over the coordinates that were moved equally far
Powers = dict[tuple[Fraction, ...], Fraction]  # coefficients by exponents

DIGITS = (30, 60, 120, 240, 480)  # decimal ones, one after another until the sign is certain
SPARE = 20  # digits more, for what is lost on the way: exponents stay far below 10^15
WRITTEN_OUT = 1 << 16  # binary digits of fractions that are compared exactly


def sign(rules: Rules, row: Terms, everything: Terms) -> int | None:
    """Return the sign of w.x - theta; None where no number of digits makes it certain.

    ``row`` has the values of a row by the moves of their coordinates, ``everything`` the number of all coordinates.
    """
    theta, start = simplest_fraction(rules.theta), simplest_fraction(rules.start)
    if rules.algorithm == "winnow":
        return _sign_of_powers(rules, _times(row, start), theta)
    if rules.algorithm == "normalized-winnow":
        return _sign_of_powers(rules, _plus(row, _times(everything, -theta)), Fraction(0))
    if rules.algorithm == "two-sided":
        mirrored = {(down, up): -value for (up, down), value in row.items()}
        return _sign_of_powers(rules, _times(_plus(row, mirrored), start), theta)
    if rules.algorithm == "thresholded-beg":
        return _sign_of_odds(rules, row, theta, start)
    if rules.algorithm == "bayes-beg":
        return _sign_of_votes(rules, row, theta, start)
    if rules.algorithm == "p-norm" and theta == 0:
        return _sign_of_norms(row, simplest_fraction(rules.p) - 1)
    return None


def _plus(one: Terms, other: Terms) -> Terms:
    return {moves: one.get(moves, Fraction(0)) + other.get(moves, Fraction(0)) for moves in {**one, **other}}


def _times(terms: Terms, factor: Fraction) -> Terms:
    return {moves: value * factor for moves, value in terms.items()}


def _sign_of_powers(rules: Rules, terms: Terms, theta: Fraction) -> int | None:
    """Return the sign of a sum of ``value up^a down^b``, less theta: exactly, where exponents are whole numbers."""
    up, down = rules.factors
    powers: Powers = {}
    for (a, b), value in terms.items():
        if down == 0 and b > 0:
            continue
        exponents = (a - b,) if up * down == 1 or down == 0 else (a, b)
        powers[exponents] = powers.get(exponents, Fraction(0)) + value
    bases = (up,) if up * down == 1 or down == 0 else (up, down)
    nothing = (Fraction(0),) * len(bases)
    powers[nothing] = powers.get(nothing, Fraction(0)) - theta
    powers = {exponents: value for exponents, value in powers.items() if value}
    if all(part.denominator == 1 for exponents in powers for part in exponents):
        return PowerSums(bases).sign({tuple(map(int, key)): value for key, value in powers.items()})
    return _by_digits(lambda: [_decimal(value) * _power(bases, exponents) for exponents, value in powers.items()])


def _sign_of_odds(rules: Rules, row: Terms, theta: Fraction, start: Fraction) -> int | None:
    """Return the sign of a sum of ``value odds / (1 + odds)``, less theta."""
    up, down = rules.factors

    def summed() -> list[Decimal]:
        odds = [_decimal(start) * _power((up, down), moves) for moves in row]
        shares = [_decimal(value) * one / (1 + one) for value, one in zip(row.values(), odds, strict=True)]
        return [*shares, -_decimal(theta)]

    found = _by_digits(summed)
    if found is None and _short(rules, row):
        odds = [start * up ** int(a) * down ** int(b) for a, b in row]
        gap = sum((value * one / (1 + one) for value, one in zip(row.values(), odds, strict=True)), -theta)
        return (gap > 0) - (gap < 0)
    return found


def _sign_of_votes(rules: Rules, row: Terms, theta: Fraction, start: Fraction) -> int | None:
    """Return the sign of a sum of Bayes-BEG's votes, less theta."""
    up, down = rules.factors
    gamma = simplest_fraction(rules.gamma)
    constant = gamma * (1 - down) / ((1 - gamma) * (up - 1))

    def summed() -> list[Decimal]:
        parts = [-_decimal(theta)]
        for moves, value in row.items():
            odds = _decimal(start) * _power((up, down), moves)
            vote = _decimal(constant) * (1 + _decimal(up) * odds) / (1 + _decimal(down) * odds)
            parts.append(_decimal(value) * vote.ln())
        return parts

    return _by_digits(summed)


def _sign_of_norms(row: Terms, power: Fraction) -> int | None:
    """Return the sign of a sum of ``value sign(z) |z|^power``."""
    sizes: dict[Fraction, Fraction] = {}
    for (up, down), value in row.items():
        z = up - down
        if z:
            sizes[abs(z)] = sizes.get(abs(z), Fraction(0)) + (value if z > 0 else -value)
    sizes = {size: value for size, value in sizes.items() if value}
    if power.denominator == 1 and power < 64:
        total = sum((value * size ** int(power) for size, value in sizes.items()), Fraction(0))
        return (total > 0) - (total < 0)
    if not sizes:
        return 0
    return _by_digits(lambda: [_decimal(value) * _power((size,), (power,)) for size, value in sizes.items()])


def _short(rules: Rules, row: Terms) -> bool:
    """Tell whether weights with these exponents can be written out as fractions."""
    if any(part.denominator != 1 for moves in row for part in moves):
        return False
    size = max((part.numerator.bit_length() + part.denominator.bit_length() for part in rules.factors), default=1)
    return len(row) * size * max((int(a + b) for a, b in row), default=0) <= WRITTEN_OUT


def _power(bases: Iterable[Fraction], exponents: Iterable[Fraction]) -> Decimal:
    """Return a product of powers; 0^0 is 1."""
    result = Decimal(1)
    for base, exponent in zip(bases, exponents, strict=True):
        if exponent and base == 0:
            return Decimal(0)
        result *= (_decimal(exponent) * _decimal(base).ln()).exp() if exponent else Decimal(1)
    return result


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _by_digits(terms: Callable[[], list[Decimal]]) -> int | None:
    """Return the sign of a sum of terms that are computed with ever more digits; None where none settle it."""
    for digits in DIGITS:
        with localcontext(prec=digits + SPARE):
            parts = terms()
            total, size = sum(parts, Decimal(0)), sum(map(abs, parts), Decimal(0))
            if abs(total) > size.scaleb(-digits):
                return 1 if total > 0 else -1
    return None
