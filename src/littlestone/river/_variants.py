"""Classifiers of river for learners of many classes, and for learners that are there already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from river import base
from river.utils import dataframe

from littlestone.core.errors import InvalidLabel
from littlestone.core.labels import plain
from littlestone.learners.base import Learner
from littlestone.learners.composite import fresh
from littlestone.learners.perceptron import Perceptron
from littlestone.river._classifier import LearnerClassifier

__all__ = ["ManyClassifier", "WrappedClassifier", "WrappedManyClassifier", "wrapped"]


class ManyClassifier(LearnerClassifier):
    """A classifier whose learner takes many classes, which may come at any time.

    >>> from littlestone.river import AutoClassifier, ManyClassifier
    >>> model = AutoClassifier()
    >>> for x, y in [({"prize": 1}, "spam"), ({"lunch": 1}, "ham"), ({"goal": 1}, "news")] * 5:
    ...     model.learn_one(x, y)
    >>> isinstance(model, ManyClassifier), model.predict_one({"goal": 1})
    (True, 'news')
    """

    @property
    def _multiclass(self) -> bool:
        return True

    def _start(self) -> None:
        """Make the learner, which has the labels as they are."""
        self._make()
        learner = self._learner
        if self.labels is not None and not isinstance(self.labels, tuple | list):
            raise InvalidLabel(f"labels: expected the classes, such as ('red', 'green', 'blue'), got {self.labels!r}")
        if self.n is not None or not learner.needs_n:
            learner.begin(self.n, labels=self.labels)

    def learn_one(self, x: dict[base.typing.FeatureName, Any], y: base.typing.ClfTarget) -> None:
        """Learn that ``x`` is of class ``y``, a bool, a number or a string; all classes are of one kind."""
        self._learned(x, y)

    def predict_one(self, x: dict[base.typing.FeatureName, Any], **kwargs: Any) -> base.typing.ClfTarget | None:
        """Return the class of ``x``; None before any class is known."""
        del kwargs
        return self._learner.predict_one(self._taken(x)) if self._learner.labels else None

    def predict_proba_one(
        self, x: dict[base.typing.FeatureName, Any], **kwargs: Any
    ) -> dict[base.typing.ClfTarget, float]:
        """Return the probability of each class that is known, calibrated on-line."""
        del kwargs
        if not self._learner.labels:
            return {}
        return self._calibration.probabilities_one(self._learner, self._taken(x))

    def learn_many(self, X: Any, y: Any) -> None:
        """Learn the rows of a frame in the order in which they come: the same as `learn_one` on each."""
        self._learned_many(X, np.array([plain(label) for label in np.asarray(y).tolist()], dtype=object))

    def predict_many(self, X: Any) -> Any:
        """Return the class of each row, as a series of the kind of the frame; None before any class is known."""
        frame = dataframe.into_frame(X)
        known = bool(self._learner.labels)
        classes = self._learner.predict(self._block(frame)).tolist() if known else [None] * len(frame)
        return dataframe.to_native_series(classes, name=None, like=frame)

    def predict_proba_many(self, X: Any) -> Any:
        """Return the probabilities of each row, a column a class, as in `predict_proba_one`."""
        frame = dataframe.into_frame(X)
        labels = self._learner.labels or ()
        shares: Any = self._calibration.probabilities(self._learner, self._block(frame)) if labels else None
        return dataframe.to_native_frame({label: shares[:, c] for c, label in enumerate(labels)}, like=frame)


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


class WrappedManyClassifier(_Wraps, ManyClassifier):
    """A classifier of a learner of many classes, such as ``Delayed(WinnerTakesAll())``; see `WrappedClassifier`."""


def wrapped(learner: Learner) -> WrappedClassifier | WrappedManyClassifier:
    """Return the classifier of a learner that is there already."""
    return WrappedManyClassifier(learner) if learner.many_classes else WrappedClassifier(learner)
