"""What the checks of several papers do: teach rows to a learner, look at its weights, cut many runs into pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import littlestone as ls
from littlestone.core.arrays import Floats

__all__ = ["blocks", "each", "mistakes", "weights"]


def mistakes(learner: ls.Learner, X: ArrayLike, y: ArrayLike, labels: tuple[int, int] = (0, 1)) -> int:
    """Teach a new learner these rows, and return its mistakes.

    >>> mistakes(ls.Elimination(), np.eye(4, dtype=bool), [0, 0, 1, 1])
    2
    """
    rows = np.asarray(X)
    learner.begin(rows.shape[1], labels=labels).learn(rows, np.asarray(y, dtype=np.int64))
    return int(learner.mistakes)


def weights(learner: ls.Learner, *, bias: bool = False) -> Floats:
    """Return the weights of a learner that has begun; with ``bias`` that of the constant coordinate, too."""
    hypothesis = learner.hypothesis()
    assert hypothesis is not None
    return np.append(hypothesis.w, -hypothesis.theta) if bias else hypothesis.w


def blocks(runs: int, block: int) -> list[dict[str, int]]:
    """Return pieces of so many runs.

    >>> blocks(12, 5)
    [{'first': 0, 'runs': 5}, {'first': 5, 'runs': 5}, {'first': 10, 'runs': 2}]
    """
    return [{"first": first, "runs": min(block, runs - first)} for first in range(0, runs, block)]


def each(block: int = 0, **axes: str | Sequence[Any]) -> Callable[..., list[dict[str, Any]]]:
    """Return pieces for `in_pieces`: one for each combination of these axes, with the other parameters.

    An axis is a sequence, or the name of a parameter that is one or a number of runs; with ``block`` the runs of each
    combination are cut into blocks.

    >>> each(n="ns", run="runs")(ns=[8, 16], runs=1, k=3)
    [{'n': 8, 'run': 0, 'k': 3}, {'n': 16, 'run': 0, 'k': 3}]
    """

    def pieces(**sizes: Any) -> list[dict[str, Any]]:
        values = [sizes[axis] if isinstance(axis, str) else axis for axis in axes.values()]
        several = [range(value) if isinstance(value, int) else value for value in values]
        cut = blocks(sizes["runs"], block) if block else [{}]
        used = {axis for axis in axes.values() if isinstance(axis, str)}
        others = {name: value for name, value in sizes.items() if name not in used}
        return [dict(zip(axes, at, strict=True)) | others | own for at in product(*several) for own in cut]

    return pieces
