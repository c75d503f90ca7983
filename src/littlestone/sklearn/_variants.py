"""Classifiers of scikit-learn for learners of many classes, and for learners that are there already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidLabel
from littlestone.core.labels import plain
from littlestone.learners.base import Learner
from littlestone.learners.composite import fresh
from littlestone.sklearn._classifier import TINY, LearnerClassifier

__all__ = ["ManyClassifier", "WrappedClassifier", "WrappedManyClassifier", "wrapped"]


class ManyClassifier(LearnerClassifier):
    """A classifier whose learner takes many classes: a column of `decision_function` for each of `classes_`.

    >>> from littlestone.sklearn import AutoClassifier, ManyClassifier
    >>> model = AutoClassifier().fit([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 10, ["ham", "news", "spam"] * 10)
    >>> isinstance(model, ManyClassifier), model.predict([[0, 1, 0]]).tolist()
    (True, ['news'])
    """

    def decision_function(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of each row (rows) in each class (columns): the largest is predicted.

        Of two classes, as everywhere in scikit-learn, how much higher the second one is: one number a row, positive
        where `predict` gives ``classes_[1]``. What `Auto` decides by are votes, of which most are unanimous: its rows
        are told apart by the logarithms of `predict_proba`.
        """
        block = self._rows(X)
        if self.calibration_.of_auto:
            activations = np.log(np.maximum(self.calibration_.probabilities(self.learner_, block), TINY))
        else:
            activations = np.asarray(self.learner_.activation(block))
        if len(self.classes_) > 2:
            return activations
        gap = activations[:, 1] - activations[:, 0]
        gap[activations[:, 1] == activations[:, 0]] = -TINY  # the first wins, and two infinite ones have no difference
        return np.asarray(gap)

    def _linear(self) -> tuple[Floats, Floats]:
        check_is_fitted(self)
        if not hasattr(self.learner_, "hypotheses"):
            raise AttributeError(f"{type(self).__name__}: what it predicts is not the highest of linear functions")
        found = self.learner_.hypotheses().values()
        w, theta = np.array([one.w for one in found]), np.array([one.theta for one in found])
        return (w, -theta) if len(w) > 2 else (w[1:] - w[:1], theta[:1] - theta[1:])

    def _by_class(self, classes: NDArray[Any]) -> dict[str, Any]:
        """Return the weights of classes by position, as the learner knows the labels."""
        weights = getattr(self, "class_weights", None)
        if not isinstance(weights, Mapping):
            return {}
        places = {plain(label): code for code, label in enumerate(classes)}
        strange = [label for label in weights if plain(label) not in places]
        if strange:
            raise InvalidLabel(
                f"class_weights: expected some of the classes {list(places)}, got {strange[0]!r}; name those alone"
            )
        return {"class_weights": {places[plain(label)]: weight for label, weight in weights.items()}}


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


class WrappedManyClassifier(_Wraps, ManyClassifier):
    """A classifier of a learner of many classes, such as ``Delayed(WinnerTakesAll())``; see `WrappedClassifier`."""


def wrapped(learner: Learner) -> WrappedClassifier | WrappedManyClassifier:
    """Return the classifier of a learner that is there already."""
    return WrappedManyClassifier(learner) if learner.many_classes else WrappedClassifier(learner)
