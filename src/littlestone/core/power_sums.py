"""The sign of a sum of powers, exactly, at a cost that hardly depends on the exponents.

A weight of Winnow's is ``w1 alpha^p``, and p goes on growing with the game. As fractions such weights would grow with
it, and so would the cost of each trial. Here a sum is first taken with a few hundred binary digits and a bound on their
error, which nearly always tells its sign. What is left is a sum that vanishes, or nearly so. Whether it vanishes is
found out by divisibility: where exponents of a number g leave a gap so wide that the terms below it could not make up a
multiple of what divides the terms above it, both parts must vanish, each for itself. So only terms whose exponents are
close together are ever written out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm, log2, prod
from operator import sub

from littlestone.core.rational import Powers, digits_of, times

__all__ = ["PowerSums"]

Exponents = tuple[int, ...]
Terms = dict[Exponents, int]  # the coefficient of each product of powers
Term = tuple[int, Exponents]

FIRST = 192  # binary digits that nearly always tell
WRITTEN_OUT = 1 << 13  # binary digits up to which a sum is written out at once
MOST_DIGITS = 1 << 22  # and beyond which it is not: no game comes near, but a forged model may
SMALL_PRIME, LARGE_PRIME = (1 << 61) - 1, (1 << 2203) - 1


class PowerSums:
    """Signs of sums ``c1 b1^p1 b2^q1 + c2 b1^p2 b2^q2 + ...`` of powers of some positive bases.

    >>> tenth = PowerSums([Fraction(11, 10)])
    >>> tenth.sign({(-10**9,): Fraction(1), (0,): Fraction(3), (1,): Fraction(-30, 11)})  # the last two cancel out
    1
    >>> tenth.sign({(1 - 10**9,): Fraction(1), (-(10**9),): Fraction(-11, 10)})
    0
    """

    def __init__(self, bases: Sequence[Fraction]) -> None:
        self._bases = tuple(bases)
        self._factors = _coprime([part for base in bases for part in (base.numerator, base.denominator)])
        self._logs = [log2(factor) for factor in self._factors]
        self._inside = [[_times(base, factor) for factor in self._factors] for base in bases]
        # Each base with more digits than are wanted, so that their product has as many.
        self._powers = [Powers(base, FIRST + len(self._bases) + 1) for base in self._bases]

    def sign(self, terms: Mapping[Exponents, Fraction]) -> int:
        """Return 1, 0 or -1; ``terms`` has the coefficient of each product of powers, by its exponents."""
        unit = lcm(*(coefficient.denominator for coefficient in terms.values()))
        left: Terms = {powers: int(coefficient * unit) for powers, coefficient in terms.items() if coefficient}
        bits = FIRST
        while left:
            sign, large, small = self._weighed(left, bits)
            if sign:
                return sign
            if self._vanishes([(coefficient, self._split(powers)) for powers, coefficient in large.items()]):
                left, bits = small, FIRST
            else:
                bits *= 2
        return 0

    def _weighed(self, terms: Terms, bits: int) -> tuple[int, Terms, Terms]:
        """Return the sign as far as so many digits tell it, the terms that may cancel each other, and the smaller."""
        sizes = {powers: self._size(powers, coefficient, bits) for powers, coefficient in terms.items()}
        top = max(mantissa.bit_length() + exponent for mantissa, exponent in sizes.values())
        total, large, small = 0, Terms(), Terms()
        for powers, (mantissa, exponent) in sizes.items():
            shift = exponent - top + bits
            size = mantissa << shift if shift >= 0 else mantissa >> -shift
            total += size if terms[powers] > 0 else -size
            (large if size.bit_length() > bits // 2 else small)[powers] = terms[powers]
        # A term is too small by less than 2: 1 for the digits of its power, 1 for those that were shifted out.
        sure = abs(total) > 2 * len(terms)
        return (1 if total > 0 else -1) if sure else 0, large, small

    def _size(self, powers: Exponents, coefficient: int, bits: int) -> tuple[int, int]:
        """Return a mantissa and an exponent of two: a term's size, or less by less than 2^-bits of it."""
        if bits > FIRST:
            mantissa, exponent = digits_of(zip(self._bases, powers, strict=True), bits)
        else:
            mantissa, exponent = 1, 0
            for base, power in zip(self._powers, powers, strict=True):
                mantissa, exponent = times((mantissa, exponent), base.digits(power), bits + len(powers) + 3)
        return mantissa * abs(coefficient), exponent

    def _split(self, powers: Exponents) -> Exponents:
        """Return the exponents of the coprime factors in a product of powers."""
        return tuple(sum(count * inside[i] for count, inside in zip(powers, self._inside, strict=True))
                     for i in range(len(self._factors)))  # fmt: skip

    def _vanishes(self, terms: list[Term]) -> bool:
        """Tell whether terms of coefficients and exponents of the coprime factors sum to zero."""
        left = [terms]
        while left:
            part = _shifted(left.pop())
            if len(part) == 1 or self._residue(part, SMALL_PRIME):
                return False
            digits = max(map(self._length, part))
            parts = [part] if digits <= WRITTEN_OUT else self._parted(part)
            if len(parts) > 1:
                left += parts
            elif digits > MOST_DIGITS:
                if self._residue(part, LARGE_PRIME):
                    return False
            elif sum(c * prod(map(pow, self._factors, powers)) for c, powers in part):
                return False
        return True

    def _residue(self, terms: list[Term], prime: int) -> int:
        """Return the sum's remainder on division by a prime; where it is not 0, neither is the sum."""
        total = 0
        for c, powers in terms:
            for factor, power in zip(self._factors, powers, strict=True):
                c = c * pow(factor, power, prime) % prime  # noqa: PLW2901 - the product so far
            total += c
        return total % prime

    def _length(self, term: Term) -> float:
        """Return how many binary digits a term has, written out."""
        coefficient, powers = term
        return coefficient.bit_length() + self._product_length(powers)

    def _product_length(self, powers: Exponents) -> float:
        return sum((power * log for power, log in zip(powers, self._logs, strict=True)), 0.0)

    def _parted(self, terms: list[Term]) -> list[list[Term]]:
        """Return parts of a sum that vanishes only if each of them does, by the gaps in the exponents of some factor.

        Above a gap every term is a multiple of g^high. So must the sum below be, if both together vanish, and it can be
        so small that this leaves nothing but 0.
        """
        for i, log in enumerate(self._logs):
            order = sorted(terms, key=lambda term: term[1][i])
            parts: list[list[Term]] = [[]]
            longest, least = 0.0, order[0][1]
            for term in order:
                common = self._product_length(least)
                below = longest - common + len(parts[-1]).bit_length() + 1.0  # one more, for logarithms are rounded
                if parts[-1] and below < (term[1][i] - least[i]) * log:
                    parts.append([])
                    longest, least = 0.0, term[1]
                parts[-1].append(term)
                longest, least = max(longest, self._length(term)), tuple(map(min, least, term[1]))
            if len(parts) > 1:
                return parts
        return [terms]


def _shifted(terms: list[Term]) -> list[Term]:
    """Return terms without the powers that all of them have in common."""
    least = [min(column) for column in zip(*(powers for _, powers in terms), strict=True)]
    return [(c, tuple(map(sub, powers, least))) for c, powers in terms]


def _coprime(numbers: list[int]) -> list[int]:
    """Return numbers without common factors of which these are products of powers."""
    found: list[int] = []
    left = list(numbers)
    while left:
        number = left.pop()
        common = next((other for other in found if gcd(number, other) > 1), None)
        if number > 1 and common is None:
            found.append(number)
        elif common is not None:
            divisor = gcd(number, common)
            found.remove(common)
            left += [divisor, number // divisor, common // divisor]
    return sorted(found)


def _times(value: Fraction, factor: int) -> int:
    """Return how often a factor is in a fraction: in its numerator, or, less than never, in its denominator."""
    times = 0
    for number, step in ((value.numerator, 1), (value.denominator, -1)):
        while number % factor == 0:
            number, times = number // factor, times + step  # noqa: PLW2901 - what is left of it
    return times
