"""What the kernel Perceptron's value is on sparse rows after 0^n and 1^n: the arithmetic of Theorem 6 and Remark 7."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

__all__ = ["Values"]


@dataclass(frozen=True)
class Values:
    """Rows with ``size`` of n attributes on, and the kernel 2^|x & y| or, not ``monotone``, 2^same(x, y).

    ``ratio`` is the learner's theta/eta: it predicts 1 where the sum of kernels, with signs, is at least that.

    >>> values = Values(320, 16, True, Fraction(0))
    >>> values.zeros, values.first, values.sets(overlap=4)
    (1, 65535, 4096)
    """

    n: int
    size: int
    monotone: bool
    ratio: Fraction

    @property
    def zeros(self) -> int:
        """The number of times 0^n is a mistake before anything else."""
        return floor(-self.ratio) + 1 if self.ratio <= 0 else 0

    @property
    def first(self) -> int:
        """The value at a set after the mistakes on 0^n and the one on 1^n."""
        return (1 << self.size) - self.zeros * (1 if self.monotone else 1 << (self.n - self.size))

    def exponent(self, shared: int) -> int:
        """Return the logarithm to the base 2 of the kernel at two sets with so many attributes in common."""
        return shared if self.monotone else max(0, self.n - 2 * self.size + 2 * shared)

    def sets(self, overlap: int) -> int:
        """Return how many sets are certainly mistakes, if no two share more than ``overlap``."""
        room = floor(self.first - self.ratio)
        return 0 if room < 0 else 1 + (room >> self.exponent(overlap))

    def overlap(self, sets: int) -> int:
        """Return the largest overlap with which so many sets are certainly mistakes; 0 if there is none.

        >>> Values(320, 16, True, Fraction(0)).overlap(3000), Values(256, 192, False, Fraction(0)).overlap(1500)
        (4, 154)
        """
        each = max(0, floor(self.first - self.ratio)) // max(1, sets - 1)
        exponent = max(0, each.bit_length() - 1)
        shared = exponent if self.monotone else (exponent - self.n + 2 * self.size) // 2
        return min(max(shared, 0), self.size - 1)

    def before(self, words: NDArray[np.uint64], row: NDArray[np.uint64]) -> int:
        """Return the value at ``row`` after mistakes on the sets ``words``, as bits; it is exact."""
        counts = np.bincount(np.bitwise_count(words & row).sum(axis=1, dtype=np.int64))
        return self.first - sum(int(counts[s]) << self.exponent(int(s)) for s in np.flatnonzero(counts))

    def mistakes(self, words: NDArray[np.uint64]) -> int:
        """Return on how many of the sets, one after another, the kernel Perceptron errs."""
        wrong, found = np.empty_like(words), 0
        for row in words:
            wrong[found] = row
            found += self.before(wrong[:found], row) >= self.ratio
        return found
