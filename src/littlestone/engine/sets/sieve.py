"""A closure map of sets in floats: values with a bound on their error, so that few of them must be computed exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import native

__all__ = ["weigh"]


@native
def weigh(
    keys: NDArray[np.uint64], coefficients: NDArray[np.float64], z: NDArray[np.uint64], counts: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the sum of coefficients times counts of what is common with z, and that of its terms' sizes."""
    total, size = 0.0, 0.0
    for e in range(len(keys)):
        common = np.int64(0)
        for w in range(len(z)):
            x = keys[e, w] & z[w]  # its bits, counted in pairs, in fours, in bytes
            x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
            x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
            x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            common += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
        term = coefficients[e] * counts[common]
        total += term
        size += abs(term)
    return total, size
