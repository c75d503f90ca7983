"""A learner that is there already, such as Experts of several, as a classifier of river."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from river import base
from river.utils import dataframe

from littlestone.learners.base import Learner
from littlestone.learners.composite import fresh
from littlestone.learners.perceptron import Perceptron
from littlestone.river._classifier import LearnerClassifier
from littlestone.river._many import ManyClassifier

__all__ = ["WrappedClassifier", "WrappedManyClassifier", "wrapped"]


class _Wraps(LearnerClassifier):
    """A classifier whose parameter is a learner; it begins with a new one of the same parameters."""

    def __init__(
        self, learner: Learner, *, n: int | None = None, labels: tuple[Any, ...] | None = None,
        binarize: float | None = 0.0, round_down: bool = True,
    ) -> None:  # fmt: skip
        self.learner, self.n, self.labels = learner, n, labels
        self.binarize, self.round_down = binarize, round_down
        self._start()

    def _new(self) -> Learner:
        return fresh(self.learner) if self.learner.trials else self.learner.copy()

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"learner": Perceptron()}


class WrappedClassifier(_Wraps):
    """A classifier of a learner of two labels, such as ``Experts([...])`` or ``Calibrated(Winnow())``.

    Parameters
    ----------
    learner : Learner
        It stays as it is: what it has learned is not taken over, and what is learned is in ``learner_``.
    n, labels, binarize, round_down
        As those of other classifiers, where the learner's domain asks for them.
    """

    def predict_proba_one(
        self, x: dict[base.typing.FeatureName, Any], **kwargs: Any
    ) -> dict[base.typing.ClfTarget, float]:
        """Return a score of each label; that of `Calibrated` is a probability."""
        if self._said is None or len(self._codes) == 1 or not hasattr(self._learner, "predict_proba_one"):
            return super().predict_proba_one(x, **kwargs)
        shares = self._learner.predict_proba_one(self._taken(x))
        return {self._said[code]: share for code, share in shares.items()}

    def predict_proba_many(self, X: Any) -> Any:
        """Return the scores of each row, a column a label, as in `predict_proba_one`."""
        if self._said is None or len(self._codes) == 1 or not hasattr(self._learner, "predict_proba"):
            return super().predict_proba_many(X)
        frame = dataframe.into_frame(X)
        shares = self._learner.predict_proba(self._block(frame))
        return dataframe.to_native_frame({said: shares[:, c] for c, said in enumerate(self._said)}, like=frame)


class WrappedManyClassifier(_Wraps, ManyClassifier):
    """A classifier of a learner of many classes, such as ``Delayed(WinnerTakesAll())``; see `WrappedClassifier`."""


def wrapped(learner: Learner) -> WrappedClassifier | WrappedManyClassifier:
    """Return the classifier of a learner that is there already."""
    return WrappedManyClassifier(learner) if learner.many_classes else WrappedClassifier(learner)
