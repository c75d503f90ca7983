"""What the checks share: vertices of the cube, and runs of Directed Drift with one thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.theory.drift import Simulation, simulate

__all__ = ["cube", "half_space", "mean_of", "played", "spread"]


def cube(n: int) -> NDArray[np.int8]:
    """Return all vertices of {-1,+1}^n, one a row."""
    bits = np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1
    return np.asarray(np.where(bits == 1, 1, -1), dtype=np.int8)


def half_space(n: int, *, strict: bool = False) -> NDArray[np.int8]:
    """Return the vertices whose product with (1, ..., 1) is not negative; ``strict``: is positive."""
    vertices = cube(n)
    return np.asarray(vertices[vertices.sum(axis=1) >= (1 if strict else 0)])


def played(seed: int, n: int, mode: Any = "single", batch: int | None = None, **options: Any) -> Simulation:
    """Return runs of Directed Drift; experiments of other sizes have other random numbers."""
    own = np.random.SeedSequence([seed, n, batch or 0, len(mode)]).generate_state(1, np.uint64)
    return simulate(n, mode, batch, seed=int(own[0]), threads=1, **options)


def mean_of(numbers: Sequence[float] | NDArray[Any]) -> float:
    """Return the mean as a plain number."""
    return float(np.mean(numbers))


def spread(numbers: Sequence[float] | NDArray[Any], digits: int = 3) -> str:
    """Return the mean with its standard error, as a text."""
    values = np.asarray(numbers, dtype=np.float64)
    return f"{values.mean():,.{digits}f} ± {values.std(ddof=1) / len(values) ** 0.5:.{digits}f}"
