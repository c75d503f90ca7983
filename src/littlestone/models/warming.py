"""warm_up: compile before the first call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.learners.base import Learner
from littlestone.learners.named import learner_of

__all__ = ["USUAL", "warm_up"]

USUAL = ("perceptron", "winnow", "balanced-winnow", "normalized-winnow", "thresholded-beg", "p-norm", "naive-bayes")

Named = str | Learner | type[Learner]


def warm_up(learners: Named | Iterable[Named] | None = None) -> None:
    """Compile, or fetch from Numba's cache, what learners need, so that no first call has to wait for it.

    ``learners`` are names as on the command line, classes, or learners (whose parameters are taken; they themselves
    learn nothing); None: those in ``USUAL``. Each plays a small game by blocks and by single examples, with Boolean
    rows and, where it takes them, values and weights. It takes some seconds where nothing is cached, else about a
    quarter of one.

    >>> warm_up("winnow")
    """
    several = USUAL if learners is None else learners
    for one in [several] if isinstance(several, str | Learner | type) else several:
        for real in (False, True):
            _play(_fresh(one), real=real)


def _fresh(learner: Any) -> Learner:
    if isinstance(learner, str):
        return learner_of(learner)
    if isinstance(learner, Learner):
        return type(learner)(**learner.params())
    if isinstance(learner, type) and issubclass(learner, Learner):
        return learner()
    raise InvalidParameter(f"warm_up: expected a learner, its class or its name, got {learner!r}")


def _play(learner: Learner, *, real: bool) -> None:
    """Play a small game, of Boolean rows or of real ones."""
    n = max([4, *(len(value) for value in learner.params().values() if isinstance(value, np.ndarray))])
    rows = np.arange(16)[:, np.newaxis] >> np.arange(n) % 4 & 1
    X: Any = rows.astype(bool)
    y = (rows[:, 0] | rows[:, 1]).astype(np.int64)
    if real:
        if learner.domain not in ("any", "non-negative"):
            return
        X = rows * 0.5
    named = learner.copy()
    for it in (learner.begin(n), *_wider(learner, n)):
        it.learn(X, y)
        it.learn(X, 1 - y)
        it.predict(X)
        it.activation(X)
        it.learn(X, y, weight=1.0 * (np.arange(16) % 2))
    names = [f"a{i}" for i in range(n)]
    named.begin(n, names=names, labels=(0, 1))
    for row, label in zip(X, y.tolist(), strict=True):
        example = {name: float(value) for name, value in zip(names, row, strict=True) if value}
        named.predict_one(example)
        named.learn_one(example, label)


def _wider(learner: Learner, n: int) -> list[Learner]:
    """Return the same learner with exponents of two bytes, as after many distinct weights."""
    if learner.machine is None or learner.machine.table is None:
        return []
    learner.learn(np.eye(n, dtype=bool), np.arange(n) % 2)
    state = learner.state()
    if "states" not in state:
        return []
    state["states"] = state["states"].astype(np.uint16)
    return [type(learner).from_state(learner.params(), state)]
