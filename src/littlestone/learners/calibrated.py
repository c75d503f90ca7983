"""Calibrated: probabilities for a learner of two labels, from its activations, learned on-line."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.arrays import Floats, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.guard import learns
from littlestone.core.parameters import anything
from littlestone.engine.learning.classes import GENTLEST, LARGEST_LOG, LARGEST_SCALE, STEEPEST, WIDEST
from littlestone.learners.base import Learner
from littlestone.learners.composite import Composite, outcomes

__all__ = ["Calibrated"]


def _of_two_labels(owner: str, _name: str, value: Any) -> Learner:
    if not isinstance(value, Learner) or value.many_classes or value.predicts_numbers:
        raise InvalidParameter(f"{owner}: expected a learner of two labels, such as Winnow(), got {value!r}")
    return value


class Calibrated(Composite):
    """A learner of two labels, with probabilities: the sigmoid of ``e^g a / |a| + b``, Platt's scaling on-line.

    Here a is the activation, |a| the mean of its size so far; g and b begin at 0 and move on each trial, before the
    learner's update, down the gradient of the log loss, each by gradients over the root of the sum of their squares.
    Nothing is guaranteed of these numbers but that they rise with the activation. Learning goes row by row, some
    hundred times slower than `Learner.learn`, which it does not change: predictions, mistakes and bounds stay. A
    `littlestone.Model` has probabilities for every learner, of many classes too, and is faster.

    Example
    -------
    >>> import littlestone as ls
    >>> service = ls.Calibrated(ls.Perceptron(averaged=True))
    >>> _ = ls.play(service, ls.teachers.Disjunction(n=20, k=3, trials=400, noise=0.1))
    >>> service.predict_proba([[1, 1, 0] + 17 * [0], 20 * [0]]).round(2).tolist()
    [[0.06, 0.94], [0.67, 0.33]]

    Reference
    ---------
    Platt, "Probabilistic outputs for support vector machines", in Advances in Large Margin Classifiers (2000).
    """

    learner: Learner = anything(
        takes="Learner",
        kw_only=False,
        check=_of_two_labels,
        says="One of two labels; learners of many classes have a `predict_proba` of their own.",
    )

    def _prepare(self) -> None:
        super()._prepare()
        self._slope = self._shift = 0.0  # g and b
        self._squares = [0.0, 0.0]
        self._sizes, self._seen = 0.0, 0

    @property
    def inner(self) -> dict[str, Learner]:
        """The learner."""
        return {"learner": self.learner}

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn as `Learner.learn` does, and learn the scaling on the way; return the predictions."""
        # From the first row to the last nobody else uses the learner.
        return learns(self._learned)(self.learner, X, y, weight)

    def _learned(self, learner: Learner, X: Any, y: ArrayLike | None, weight: ArrayLike | None) -> NDArray[Any]:
        rows, after = Block.from_arrays(X), learner.copy()
        said = after.learn(rows, y, weight=weight)  # a refusal leaves no trace
        player, scaling = learner.copy(), self._numbers()
        try:
            if len(rows):
                self._learn_scaling(player.begin(after.n, after.labels), rows, y, weight)
            learner.become(after)
        except BaseException:
            self._restore(scaling)
            raise
        return said

    def _learn_scaling(self, player: Learner, rows: Block, y: ArrayLike | None, weight: ArrayLike | None) -> None:
        """Let a learner that is as it was play rows that nobody refuses, and learn the scaling on the way."""
        positive = outcomes(rows, y, player.labels)
        weights = None if weight is None else np.asarray(weight)
        labels = np.array(player.labels)
        for r, row in enumerate(rows.split(1)):
            self._move(float(player.activation(row)[0]), int(positive[r]))
            if r + 1 < len(rows):
                player.learn(row, labels[[int(positive[r])]], weight=None if weights is None else weights[r : r + 1])

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial, given as to `Learner.learn_one`, and learn the scaling from it."""
        activation = self.learner.activation_one(x)
        said = self.learner.learn_one(x, y)
        assert self.learner.labels is not None
        self._move(activation, int(bool(y == self.learner.labels[1])))
        return said

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the negative and the positive label (columns) for each row of ``X``."""
        return self._probabilities(self.learner.activation(X))

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """Return the probability of each label in one example, given as to `learn_one`."""
        shares = self._probabilities(np.array([self.learner.activation_one(x)]))[0]
        return dict(zip(self.labels or (0, 1), shares.tolist(), strict=True))

    def _probabilities(self, activations: Floats) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            exponents = self._scale() * activations + self._shift
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

    # What the learner has come to

    @property
    def trials(self) -> int:
        """How many examples the learner has learned from."""
        return self.learner.trials

    @property
    def mistakes(self) -> int:
        """How many of them it predicted wrongly."""
        return self.learner.mistakes

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The bound on the learner's mistakes."""
        return self.learner.guarantee

    # Written down

    def own_state(self) -> State:
        """Return the scaling."""
        return {"scaling": np.array(self._numbers())}

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return what goes on from this scaling."""
        made = cls(**{**params, **inner})
        numbers = state["scaling"]
        if numbers.dtype != np.float64 or numbers.shape != (6,) or not np.isfinite(numbers).all():
            raise InvalidModel("Calibrated: scaling: expected six finite numbers, got others")
        slope, _, *others, seen = numbers.tolist()
        if abs(slope) > LARGEST_LOG or min(others) < 0.0 or not 0 <= seen <= made.learner.trials or seen % 1:
            raise InvalidModel(f"Calibrated: scaling: expected the numbers of a game, got {numbers.tolist()}")
        made._restore(numbers.tolist())
        return made

    def _numbers(self) -> list[float]:
        return [self._slope, self._shift, *self._squares, self._sizes, self._seen]

    def _restore(self, numbers: list[float]) -> None:
        self._slope, self._shift, *self._squares, self._sizes, seen = numbers
        self._seen = int(seen)

    def __repr__(self) -> str:
        return f"Calibrated({self.learner!r}, after {self._seen} trials)"
