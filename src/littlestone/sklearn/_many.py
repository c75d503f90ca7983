"""A learner of many classes as a classifier of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidLabel
from littlestone.core.labels import plain
from littlestone.sklearn._classifier import TINY, LearnerClassifier

__all__ = ["ManyClassifier"]


class ManyClassifier(LearnerClassifier):
    """A classifier whose learner takes many classes: a column of `decision_function` for each of `classes_`."""

    def decision_function(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of each row (rows) in each class (columns): the largest is predicted.

        Of two classes, as everywhere in scikit-learn, how much higher the second one is: one number a row, positive
        where `predict` gives ``classes_[1]``.
        """
        block = self._rows(X)
        activations = np.asarray(self.learner_.activation(block))
        if len(self.classes_) > 2:
            return activations
        gap = activations[:, 1] - activations[:, 0]
        gap[activations[:, 1] == activations[:, 0]] = -TINY  # the first wins, and two infinite ones have no difference
        return np.asarray(gap)

    def predict_proba(self, X: Any) -> Floats:
        """Return a probability for each row and class, as `WinnerTakesAll.predict_proba` does."""
        block = self._rows(X)
        found: Floats = self.learner_.predict_proba(block)  # type: ignore[attr-defined]
        return found

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
