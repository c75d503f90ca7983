"""Primes, for constructions over finite fields."""

from math import isqrt

__all__ = ["is_prime"]


def is_prime(q: int) -> bool:
    """Tell whether q is prime, by division.

    >>> [q for q in range(20) if is_prime(q)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return q > 1 and all(q % p for p in range(2, isqrt(q) + 1))
