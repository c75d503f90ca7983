"""A closure map of sets in floats: values with a bound on their error, so that few of them must be computed exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.sets.sieve import weigh

__all__ = ["Sieve"]

WORD = 64
MOST_BITS = 1000  # of a number that floats are to hold
ROUNDING = 2.3e-16  # of one operation, a little more than 2^-52


class Sieve:
    """Sums over a map of sets (bits), as `Subsets.weigh` gives them, but in floats.

    >>> Sieve({0b111: 4, 0b011: -1}, [0, 1, 3, 7]).value(0b110)[0]  # 4 * 3 - 1 * 1
    11.0
    """

    def __init__(self, coefficients: Mapping[int, int], counts: Sequence[int]) -> None:
        self.words = (len(counts) - 1 + WORD - 1) // WORD
        self.keys = self._bits(coefficients)
        self.coefficients = np.fromiter(map(float, coefficients.values()), np.float64, len(coefficients))
        self.counts = np.array(counts, dtype=np.float64)

    @staticmethod
    def fits(coefficients: Mapping[int, int], counts: Sequence[int]) -> bool:
        """Tell whether no number leaves the floats."""
        largest = max(map(abs, coefficients.values()))
        return sum(number.bit_length() for number in (largest, len(coefficients), counts[-1])) < MOST_BITS

    def _bits(self, sets: Mapping[int, int] | list[int]) -> NDArray[np.uint64]:
        if self.words == 1:
            return np.fromiter(sets, np.uint64, len(sets)).reshape(-1, 1)
        data = b"".join(one.to_bytes(8 * self.words, "little") for one in sets)
        return np.frombuffer(data, dtype=np.uint64).reshape(len(sets), self.words)

    def value(self, z: int) -> tuple[float, float]:
        """Return the sum, and a bound on its error."""
        total, size = weigh(self.keys, self.coefficients, self._bits([z])[0], self.counts)
        return total, ROUNDING * (len(self.keys) + 16) * size
