"""Predictor: a frozen copy of a learner, for other threads to use while it keeps learning."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.learners.base import Learner

__all__ = ["Predictor", "freeze"]


class Predictor:
    """What a learner would have predicted when it was frozen. It learns nothing, and any number of threads may ask it.

    Made by `freeze`, it owns copies of all it needs. Predictions run side by side, outside of Python's lock where they
    are compiled.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> learner.learn([[1, 0], [0, 1]], [1, 0]).tolist()
    [1, 1]
    >>> predictor = freeze(learner)
    >>> learner.learn([[0, 1]], [1]).tolist(), predictor.predict([[0, 1]]).tolist(), predictor.trials
    ([0], [0], 2)
    >>> learner.predict([[0, 1]]).tolist(), predictor.predict([[0, 1]]).tolist()
    ([1], [0])
    """

    __slots__ = ("_learner",)

    def __init__(self, learner: Learner) -> None:
        if not isinstance(learner, Learner):
            raise InvalidParameter(f"Predictor: expected a learner, such as Winnow(), got {learner!r}")
        self._learner = learner.copy()

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows of ``X``, as `Learner.predict` does."""
        return self._learner.predict(X)

    def activation(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of the rows of ``X``."""
        return self._learner.activation(X)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes, as `WinnerTakesAll.predict_proba` or `Calibrated` does."""
        if not hasattr(self._learner, "predict_proba"):
            raise InvalidParameter(
                f"predict_proba: expected a learner of many classes, or Calibrated, got {self._learner!r}"
            )
        found: Floats = self._learner.predict_proba(X)
        return found

    def predict_one(self, x: Any) -> Any:
        """Return the prediction of one example: a dict, a set, list or tuple of names, or a 1-D array."""
        return self._learner.predict_one(x)

    @property
    def labels(self) -> tuple[Any, ...] | None:
        """The negative and the positive label, or all classes, where they were known."""
        return self._learner.labels

    @property
    def trials(self) -> int:
        """From how many examples the learner had learned."""
        return self._learner.trials

    def __repr__(self) -> str:
        return f"Predictor({self._learner!r}, after {self.trials} trials)"


def freeze(learner: Learner) -> Predictor:
    """Return a learner's predictions as they are now; to be called by the thread that learns.

    It costs a copy of the weights and of the table of names: for a million attributes about 1 ms for Winnow, 2 ms for
    the Perceptron, 30 ms more with names.

    >>> import littlestone as ls
    >>> freeze(ls.Winnow().begin(3))
    Predictor(Winnow(), after 0 trials)
    """
    return Predictor(learner)
