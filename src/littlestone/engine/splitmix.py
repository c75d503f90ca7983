"""splitmix64: random words that depend on a seed, the number of a run and their own number alone."""

import numpy as np

from littlestone.engine.arrays import ONE
from littlestone.engine.compiling import inlined, native

__all__ = ["STEP", "key_of", "mixed", "word_of"]

STEP, MIX1, MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
N27, N30, N31 = np.uint64(27), np.uint64(30), np.uint64(31)


@inlined
def mixed(x: np.uint64) -> np.uint64:
    """Return 64 bits that look like nothing of the 64 given ones."""
    x = (x ^ (x >> N30)) * MIX1
    x = (x ^ (x >> N27)) * MIX2
    return x ^ (x >> N31)


@native
def key_of(seed: np.uint64, run: np.uint64) -> np.uint64:
    """Return where the random words of a run begin."""
    return mixed(mixed(seed + STEP) + (run + ONE) * STEP)


@native
def word_of(key: np.uint64, number: np.uint64) -> np.uint64:
    """Return a run's random word of this number."""
    return mixed(key + (number + ONE) * STEP)
