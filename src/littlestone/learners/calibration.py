"""Calibrated: probabilities for a learner of two labels, from its activations, learned on-line."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.guard import Guarded, Users, learns
from littlestone.core.rows import check_importance
from littlestone.engine.learning.classes import GENTLEST, LARGEST_LOG, LARGEST_SCALE, STEEPEST, WIDEST
from littlestone.learners.base import Learner

__all__ = ["Calibrated"]


class Calibrated(Guarded):
    """A learner of two labels, with probabilities: the sigmoid of ``e^g a / |a| + b``, Platt's scaling on-line.

    Here a is the activation, |a| the mean of its size so far; g and b begin at 0 and move on each trial, before the
    learner's update, down the gradient of the log loss, each by gradients over the root of the sum of their squares.
    Nothing is guaranteed of these numbers but that they rise with the activation. Learning goes row by row, some
    hundred times slower than `Learner.learn`, which it does not change: predictions, mistakes and bounds stay.

    Parameters
    ----------
    learner : Learner
        One of two labels; learners of many classes have a `predict_proba` of their own.

    Example
    -------
    >>> import numpy as np, littlestone as ls
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((400, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1) ^ (rng.random(400) < 0.1)
    >>> service = Calibrated(ls.Perceptron(averaged=True))
    >>> _ = service.learn(X, y)
    >>> p = service.predict_proba(X[:5])
    >>> p.shape, bool((p.argmax(axis=1) == y[:5]).all()), bool(p.max() < 0.99)
    ((5, 2), True, True)

    Reference
    ---------
    Platt, "Probabilistic outputs for support vector machines", in Advances in Large Margin Classifiers (2000).
    """

    def __init__(self, learner: Learner) -> None:
        if not isinstance(learner, Learner) or learner.many_classes:
            raise InvalidParameter(f"Calibrated: expected a learner of two labels, such as Winnow(), got {learner!r}")
        self._users = Users()
        self.learner = learner
        self._slope = self._shift = 0.0  # g and b
        self._squares = [0.0, 0.0]
        self._sizes, self._seen = 0.0, 0

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn as `Learner.learn` does, and learn the scaling on the way; return the predictions."""
        return _learned(self.learner, self, X, y, weight)

    def _learn_row(self, row: Block, outcome: np.integer[Any], importance: Floats) -> NDArray[Any]:
        learner = self.learner
        self._move(float(learner.activation(row)[0]), int(outcome))
        told = np.array(learner.labels)[[int(outcome)]]
        return learner.learn(row, told, weight=importance if len(importance) else None)

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial, given as to `Learner.learn_one`, and learn the scaling from it."""
        activation = self.learner.activation_one(x)
        outcome, _ = self.learner._outcome(y)
        said = self.learner.learn_one(x, y)
        self._move(activation, int(outcome[0]))
        return said

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the learner's predictions; nothing changes."""
        return self.learner.predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the negative and the positive label (columns) for each row of ``X``."""
        with np.errstate(over="ignore", under="ignore"):
            exponents = self._scale() * self.learner.activation(X) + self._shift
        positive = 0.5 * (1.0 + np.tanh(0.5 * exponents))
        return np.stack((1.0 - positive, positive), axis=1)

    def _scale(self) -> float:
        return min(exp(self._slope) * self._seen / self._sizes, LARGEST_SCALE) if self._sizes > 0.0 else 1.0

    def _move(self, activation: float, outcome: int) -> None:
        if self._sizes > 0.0:
            term = min(max(self._scale() * activation, -STEEPEST), STEEPEST)
            error = 0.5 * (1.0 + float(np.tanh(0.5 * (term + self._shift)))) - outcome
            self._slope = self._stepped(0, self._slope, error * term)
            self._shift = self._stepped(1, self._shift, error)
        self._seen += 1
        self._sizes += min(abs(activation), WIDEST)

    def _stepped(self, which: int, value: float, gradient: float) -> float:
        if abs(gradient) <= GENTLEST:
            return value
        self._squares[which] += gradient * gradient
        return min(max(value - gradient / sqrt(self._squares[which]), -LARGEST_LOG), LARGEST_LOG)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the scaling and the learner's state, as arrays."""
        return {**self.learner.state(), "scaling": np.array(self._numbers())}

    @classmethod
    def from_state(cls, learner: Learner, state: dict[str, NDArray[Any]]) -> Calibrated:
        """Return what goes on where `state` was taken, for a learner with these parameters."""
        made = cls(type(learner).from_state(learner.params(), state))
        made._restore(state["scaling"].tolist())
        return made

    def _numbers(self) -> list[float]:
        return [self._slope, self._shift, *self._squares, self._sizes, self._seen]

    def _restore(self, numbers: list[float]) -> None:
        self._slope, self._shift, *self._squares, self._sizes, seen = numbers
        self._seen = int(seen)

    def __repr__(self) -> str:
        return f"Calibrated({self.learner!r}, after {self._seen} trials)"


@learns  # from the first row to the last nobody else uses the learner
def _learned(
    learner: Learner, service: Calibrated, X: Any, y: ArrayLike | None, weight: ArrayLike | None
) -> NDArray[Any]:
    """Play each row in turn, and learn the scaling on the way; return the predictions."""
    block, _ = learner._aligned(X)
    codes, labels = learner._outcomes(block, y)
    importance = check_importance(block.weights if weight is None else weight, len(block))
    before, scaling = vars(learner.copy()) | {"_users": learner._users}, service._numbers()
    try:
        learner._scored(block)
        learner._labels = labels
        said = [service._learn_row(block[r : r + 1], codes[r], importance[r : r + 1]) for r in range(len(block))]
    except BaseException:  # the rows before a refusal, too, leave no trace
        vars(learner).update(before)
        service._restore(scaling)
        raise
    return np.concatenate(said) if said else learner._decoded(codes)
