"""Random disjunctions without noise, on which upper bounds are tried."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Bools

__all__ = ["problem"]


def problem(rng: np.random.Generator) -> tuple[Bools, Bools, int, int]:
    """Return rows of random density, their labels by the first k attributes, n and k."""
    n = int(rng.integers(4, 40))
    k = int(rng.integers(1, n // 2 + 1))
    X = rng.random((int(rng.integers(50, 400)), n)) < rng.uniform(0.05, 0.6)
    return X, np.asarray(X[:, :k].any(axis=1)), n, k
