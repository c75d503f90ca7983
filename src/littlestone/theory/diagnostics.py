"""Diagnostics: is a learner additive, is it rotation invariant? With evidence, on examples that floats hold exactly.

Kivinen and Warmuth show that a learner that is additive from a zero start, or rotation invariant, needs a number of
mistakes linear in n on disjunctions: `teachers.Hadamard` is their adversary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import Learner
from littlestone.learners.knowledge import refuse_numbers

__all__ = ["Evidence", "additive", "rotation_invariant"]

SMALL = 1e-9

H4 = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], dtype=np.float64)


@dataclass(frozen=True)
class Evidence:
    """What was found: whether a property held on all trials, where it failed first, and how badly at worst.

    >>> import littlestone as ls
    >>> print(ls.diagnostics.additive(ls.Perceptron()))
    Perceptron(): additive on all 40 trials
    >>> found = ls.diagnostics.rotation_invariant(ls.Winnow())
    >>> found.holds, bool(found), found.what
    (False, False, 'rotation invariant')
    """

    learner: str
    what: str
    holds: bool
    trials: int
    trial: int | None  # the first that speaks against it
    size: float  # the largest relative distance from the span, or the share of predictions that differ

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return f"{self.learner}: {self.what} on all {self.trials} trials"
        return f"{self.learner}: not {self.what}: trial {self.trial} speaks against it ({self.size:.3g})"


def additive(learner: Learner, X: ArrayLike | None = None, y: ArrayLike | None = None) -> Evidence:
    """Tell whether the weights stay in the span of the examples: ``w_t - w_1 = sum of a_i x_i`` over the trials so far.

    Without ``X`` and ``y`` on 40 random rows of 64 attributes. The paper's example that Winnow is not additive needs a
    threshold above 3, for at 3 the second trial is no mistake:

    >>> import littlestone as ls
    >>> X, y = [[1, 1, 0], [1, 0, 1]], [1, 1]
    >>> additive(ls.Winnow(theta=3), X, y).holds
    True
    >>> found = additive(ls.Winnow(theta=4), X, y)  # w_3 - w_1 = (3, 1, 1)
    >>> found.holds, found.trial, round(float(found.size * np.sqrt(11)), 6)
    (False, 1, 0.57735)
    >>> print(additive(ls.Perceptron()))
    Perceptron(): additive on all 40 trials
    """
    player = _fresh(learner, "additive")
    rows, labels = _examples(X, y, 40, 64, learner) if X is None else _given(X, y)
    player.begin(rows.shape[1])
    start = _weights(player)
    basis = np.zeros((rows.shape[1], 0))
    worst, first = 0.0, None
    for t, row in enumerate(rows):
        player.learn(rows[t : t + 1], labels[t : t + 1])
        beside = row - basis @ (basis.T @ row)
        beside -= basis @ (basis.T @ beside)  # twice is enough
        if np.linalg.norm(beside) > SMALL * max(1.0, float(np.linalg.norm(row))):
            basis = np.column_stack([basis, beside / np.linalg.norm(beside)])
        moved = _weights(player) - start
        length = float(np.linalg.norm(moved))
        off = float(np.linalg.norm(moved - basis @ (basis.T @ moved))) / length if length > 0.0 else 0.0
        if off > SMALL and first is None:
            first = t
        worst = max(worst, off)
    return Evidence(repr(learner), "additive", first is None, len(rows), first, worst)


def rotation_invariant(
    learner: Learner, X: ArrayLike | None = None, y: ArrayLike | None = None, *, rotation: ArrayLike | None = None
) -> Evidence:
    """Tell whether the learner predicts the same when every example is rotated.

    Without ``rotation`` by a Hadamard matrix that floats hold exactly (of order 16 over 4; blocks of order 4 over 2 for
    learners that take no negative values), so that a difference is never one of rounding. Without ``X`` and ``y`` on
    400 random rows of 16 attributes.

    >>> import littlestone as ls
    >>> rotation_invariant(ls.Perceptron()).holds, rotation_invariant(ls.Winnow()).holds
    (True, False)
    """
    player, turned = _fresh(learner, "rotation_invariant"), _fresh(learner, "rotation_invariant")
    if learner.domain == "Boolean":
        raise InvalidParameter(
            f"rotation_invariant: {learner!r} takes Boolean rows alone, and only permutations keep rows Boolean"
        )
    rows, labels = _examples(X, y, 400, 16, learner) if X is None else _given(X, y)
    n = rows.shape[1]
    A = _rotation(n, learner) if rotation is None else np.asarray(rotation, dtype=np.float64)
    if A.shape != (n, n) or not np.allclose(A @ A.T, np.eye(n), atol=1e-12):
        raise InvalidParameter(f"rotation: expected an orthogonal matrix of {n} rows and columns, got shape {A.shape}")
    straight = player.begin(n, labels=(0, 1)).learn(rows, labels)
    rotated = turned.begin(n, labels=(0, 1)).learn(rows @ A.T, labels)
    different = np.flatnonzero(straight != rotated)
    first = int(different[0]) if len(different) else None
    return Evidence(repr(learner), "rotation invariant", first is None, len(rows), first, len(different) / len(rows))


def _fresh(learner: Learner, owner: str) -> Learner:
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"{owner}: expected a learner, such as Winnow(), got {learner!r}")
    refuse_numbers(owner, learner)
    if learner.trials:
        raise InvalidParameter(f"{owner}: expected a learner at its start, and this one has learned already")
    return learner.copy()


def _weights(player: Learner) -> Floats:
    found = player.hypothesis()
    if found is None:
        raise InvalidParameter(f"additive: expected a learner with weights, got {player!r}")
    return found.w


def _given(X: Any, y: Any) -> tuple[Floats, NDArray[np.int64]]:
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if rows.ndim != 2 or len(rows) == 0 or labels.shape != (len(rows),) or not np.isin(labels, (0, 1)).all():
        raise InvalidData("X, y: expected rows and as many labels, 0 or 1")
    return rows, labels.astype(np.int64)


def _examples(X: Any, y: Any, rows: int, n: int, learner: Learner) -> tuple[Floats, NDArray[np.int64]]:
    """Return random Boolean rows of a disjunction, whose rotations are not negative where that matters."""
    if y is not None:
        raise InvalidData("y: expected X as well; give both, or neither")
    del X
    rng = np.random.default_rng(0)
    if learner.domain == "any":
        found = (rng.random((rows, n)) < 0.3).astype(np.float64)
    else:
        kinds = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1]])
        chosen = rng.choice(6, size=(rows, n // 4), p=(0.5, 0.1, 0.1, 0.1, 0.1, 0.1))
        found = kinds[chosen].reshape(rows, n).astype(np.float64)
    return found, np.asarray(found[:, :3].any(axis=1), dtype=np.int64)


def _rotation(n: int, learner: Learner) -> Floats:
    """Return the rotation: H16/4 where it fits, else blocks of H4/2; what is left over stays as it is."""
    block = np.kron(H4, H4) / 4.0 if learner.domain == "any" and n % 16 == 0 else H4 / 2.0
    whole = n // len(block)
    A = np.eye(n)
    A[: whole * len(block), : whole * len(block)] = np.kron(np.eye(whole), block)
    return A
