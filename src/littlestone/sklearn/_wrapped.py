"""A learner that is there already, such as Experts of several, as a classifier of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from littlestone.core.arrays import Floats
from littlestone.learners.base import Learner
from littlestone.learners.composite import fresh
from littlestone.sklearn._classifier import LearnerClassifier
from littlestone.sklearn._many import ManyClassifier

__all__ = ["WrappedClassifier", "WrappedManyClassifier", "wrapped"]


class _Wraps(LearnerClassifier):
    """A classifier whose parameter is a learner; `fit` begins with a new one of the same parameters."""

    def __init__(
        self, learner: Learner, *, max_iter: int = 1, binarize: float | None = 0.0, round_down: bool = True
    ) -> None:
        self.learner, self.max_iter, self.binarize, self.round_down = learner, max_iter, binarize, round_down

    @property
    def _learner(self) -> Any:  # type: ignore[override]
        return self.learner

    def _fresh(self, **known: Any) -> Learner:
        del known
        return fresh(self.learner) if self.learner.trials else self.learner.copy()


class WrappedClassifier(_Wraps):
    """A classifier of a learner of two labels, such as ``Experts([...])`` or ``Calibrated(Winnow())``.

    Parameters
    ----------
    learner : Learner
        It stays as it is: what it has learned is not taken over, and what is learned is in ``learner_``.
    max_iter, binarize, round_down
        As those of other classifiers, where the learner's domain asks for them.
    """

    @available_if(lambda self: hasattr(self.learner, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of both classes (columns), where the learner has some: that of `Calibrated`."""
        block = self._rows(X)
        learner: Any = self.learner_
        return np.asarray(learner.predict_proba(block))


class WrappedManyClassifier(_Wraps, ManyClassifier):
    """A classifier of a learner of many classes, such as ``Delayed(WinnerTakesAll())``; see `WrappedClassifier`."""


def wrapped(learner: Learner) -> WrappedClassifier | WrappedManyClassifier:
    """Return the classifier of a learner that is there already."""
    return WrappedManyClassifier(learner) if learner.many_classes else WrappedClassifier(learner)
