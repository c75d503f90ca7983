"""Directed Drift on data at hand: pass after pass, until a hypothesis agrees with every row, or no more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds.fang_venkatesh import Mode
from littlestone.core.block import Block
from littlestone.core.parameters import check_whole
from littlestone.learners.directed_drift import DirectedDrift

__all__ = ["Search", "search"]


@dataclass(frozen=True, eq=False)
class Search:
    """What came of a search: whether the hypothesis ``w`` agrees with every row, and what it cost."""

    converged: bool
    w: NDArray[np.int8] = field(repr=False)
    passes: int
    tested: int
    mistakes: int
    errors: int  # rows that w has wrong
    learner: DirectedDrift = field(repr=False)


def search(
    X: Any,
    y: ArrayLike | None = None,
    *,
    mode: Mode = "single",
    batch: int | None = None,
    seed: int = 0,
    passes: int = 100,
) -> Search:
    """Look for weights in {-1, +1} that agree with every row, by Directed Drift, in at most ``passes`` passes.

    ``X`` has rows of signs or Boolean ones; ``y`` their labels (None: all positive). Where no such weights exist, or
    none is found, the result says so, with its counters; `drift.consistent_vector`, ``strict``, decides which it is.

    >>> import numpy as np
    >>> from littlestone.theory.drift import search
    >>> rng = np.random.default_rng(1)
    >>> target, X = rng.choice([-1, 1], 9), rng.choice([-1, 1], (200, 9))
    >>> found = search(X, X @ target >= 0)
    >>> found.converged, bool((found.w == target).all())
    (True, True)
    >>> search(np.array([[1, 1, 1], [-1, -1, -1]])).converged  # no w has both positive
    False
    """
    passes = check_whole("search", "passes", passes)
    rows = Block.from_arrays(X)
    labels = np.ones(len(rows), dtype=bool) if y is None else np.asarray(y)
    learner = DirectedDrift(mode=mode, batch=batch, seed=seed)
    errors, made = -1, 0
    while errors != 0 and made < passes:
        learner.learn(rows, labels)
        errors, made = int(np.count_nonzero(learner.predict(rows) != labels)), made + 1
    hypothesis = learner.hypothesis()
    assert hypothesis is not None
    w = hypothesis.w.astype(np.int8)
    return Search(errors == 0, w, made, learner.tested, learner.mistakes, errors, learner)
