"""Ledgers of Bayes-BEG: what the proofs of Theorems 3 and 4 of Helmbold, Panizza and Warmuth count."""

from __future__ import annotations

from math import e, floor, log, log1p
from typing import NamedTuple

__all__ = [
    "Ledger",
    "Parameters",
    "theorem3_c",
    "theorem3_ledger",
    "theorem3_parameters",
    "theorem4_factors",
    "theorem4_ledger",
    "theorem4_parameters",
    "theorem4_vote",
]


class Parameters(NamedTuple):
    """Bayes-BEG's parameters with nothing left open."""

    beta1: float
    beta0: float
    gamma: float
    theta: float


class Ledger(NamedTuple):
    """Promotions of a relevant attribute are limited, and a demotion takes from the total weight.

    So ``M <= start/fall + (1 + rise/fall) P`` with P promotions, P <= k cap where there is no noise.

    >>> import littlestone as ls
    >>> ledger = ls.bounds.Ledger(start=100.0, rise=100.0, fall=50.0, cap=7)
    >>> ledger.mistakes(promotions=2 * ledger.cap)
    44.0
    """

    start: float
    """The total weight at the start."""
    rise: float
    """What a promotion adds to it, at most."""
    fall: float
    """What a demotion takes from it, at least."""
    cap: int
    """How often a relevant attribute is promoted, at most."""

    def mistakes(self, promotions: int) -> float:
        """Return the bound on the mistakes, given one on the promotions."""
        return self.start / self.fall + (1.0 + self.rise / self.fall) * promotions


def theorem3_c(n: int) -> float:
    """Return c = ((e+1)/(e-1))^(1/n); the paper's later "c = (e+1)/(e-1)" is a misprint that breaks the bound."""
    return float(((e + 1.0) / (e - 1.0)) ** (1.0 / n))


def theorem3_parameters(n: int) -> Parameters:
    """Return the parameters of Theorem 3; theta, n ln c, is ln((e+1)/(e-1)) without rounding through c."""
    c = theorem3_c(n)
    return Parameters(1.0 + c, 0.0, c / (1.0 + c), log((e + 1.0) / (e - 1.0)))


def _cap(odds: float, factor: float) -> int:
    """Return how many powers of the factor, from the 0th on, are <= odds; rounding never makes it smaller."""
    return max(0, floor(log(odds) / log(factor) + 1e-12) + 1)


def theorem3_ledger(n: int) -> Ledger:
    """Return Theorem 3's ledger: the total of z = ln(1 + (1+c) odds), of which a promotion adds at most c theta.

    >>> ledger = theorem3_ledger(100)
    >>> round(ledger.start / ledger.fall, 3), round(1 + ledger.rise / ledger.fall, 4), ledger.cap
    (2.601, 2.0077, 6)
    """
    c, theta = theorem3_c(n), theorem3_parameters(n).theta
    start = n * log1p((1.0 + c) / (n - 1))
    return Ledger(start, c * theta, theta, _cap(2.0 * (n - 1) / ((1.0 + c) * (e - 1.0)), 1.0 + c))


class Factors(NamedTuple):
    """Theorem 4's numbers: the factors of the odds, q, a, and the odds beyond which nothing is promoted."""

    beta1: float
    beta0: float
    q: float
    a: float
    most: float


def theorem4_factors(n: int) -> Factors:
    """Return ``a = (q^(3/2) - 1 + epsilon)/(1+q)``, q = 1.6, epsilon = 0.9, and what follows from it.

    >>> [round(number, 4) for number in theorem4_factors(10)]
    [1.7399, 0.2791, 1.6, 0.7399, 0.5012]
    """
    q, epsilon = 1.6, 0.9
    a = (q**1.5 - 1.0 + epsilon) / (1.0 + q)
    beta1, beta0 = 1.0 + a, 1.0 - a * q ** (-0.5 / (n - 1))
    ratio = q ** ((n - 0.5) / (n - 1))
    return Factors(beta1, beta0, q, a, (ratio - 1.0) / (beta1 - ratio * beta0))


def theorem4_parameters(n: int) -> Parameters:
    """Return the parameters of Theorem 4."""
    beta1, beta0, q, *_ = theorem4_factors(n)
    odds = q ** (1.0 / (n - 1))
    return Parameters(beta1, beta0, odds / (1.0 + odds), n * log(q) / (n - 1))


def theorem4_vote(odds: float, factors: Factors) -> float:
    """Return ``ln((1 + beta1 odds) / (1 + beta0 odds))``: an attribute's vote, less what every attribute has."""
    return log1p(factors.beta1 * odds) - log1p(factors.beta0 * odds)


def theorem4_ledger(n: int) -> Ledger:
    """Return Theorem 4's ledger: the total of those votes.

    A mistake on a positive row has votes of at most ``ln q (n-1/2)/(n-1)`` together; they are concave in the odds, so
    a promotion adds at most a times that. A mistake on a negative row has votes above ``ln q n/(2(n-1))``, and each
    loses at least the fraction it loses at the largest odds there are, beta1 times those that are still promoted.

    >>> [round(theorem4_ledger(n).mistakes(0), 2) for n in (2, 10, 10**7)]
    [8.43, 9.45, 10.06]
    """
    factors = theorem4_factors(n)
    largest = factors.beta1 * factors.most
    least = 1.0 - theorem4_vote(factors.beta0 * largest, factors) / theorem4_vote(largest, factors)
    start = n * theorem4_vote(1.0 / (n - 1), factors)
    rise = factors.a * log(factors.q) * (n - 0.5) / (n - 1)
    fall = least * n * log(factors.q) / (2.0 * (n - 1))
    return Ledger(start, rise, fall, _cap(factors.most * (n - 1), factors.beta1))
