"""Kernels for the tests of wrappers: they take, fail and wait as those of the engine hardly ever do."""

import numpy as np

from littlestone.engine.arrays import Columns, Cube, Floats, Grid, Ints, Read, Weights
from littlestone.engine.compiling import native


@native
def total(weights: Grid[Weights], by: Columns, given: Read[Floats], factor: float, flag: bool, number: int) -> float:
    """Write to the first array, and read all others."""
    found = 0.0
    for i in range(len(by)):
        weights[0, by[i]] += given[i]
        found += given[i] * factor
    return found + number + (1000.0 if flag else 0.0)


@native
def deep(grid: Cube[Ints], word: np.uint64) -> np.uint64:
    return word + np.uint64(grid[0, 0, 0])


@native
def several(a: int, b: float) -> tuple[int, float, bool]:
    return a + 1, b * 2.0, a > 0


@native
def failing(which: int) -> int:
    if which == 1:
        raise ValueError("it is one")
    if which == 2:
        raise OverflowError
    if which == 3:
        raise KeyError("a", 3)
    if which == 4:
        raise ArithmeticError(which)
    return which


@native
def shaped(given: Floats, count: int) -> int:
    given[:count] = np.zeros(count + 1)
    return count


@native
def shaped_too(given: Floats, count: int) -> int:
    """Fail in the same way: what Numba makes for it has the same name."""
    given[:count] = np.ones(count + 1)
    return count + 1


@native
def allocated(count: int) -> int:
    return len(np.empty(count))


@native
def waiting(steps: int) -> int:
    """Take a while; nothing here can be left out."""
    found = 0
    for i in range(steps):
        found = (found * 1664525 + i) % 4294967296
    return found
