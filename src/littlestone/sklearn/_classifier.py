"""A learner as a classifier of scikit-learn: written once, for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.games.certificates import Certificate
from littlestone.games.game import play
from littlestone.games.run import Run
from littlestone.learners.base import Learner
from littlestone.models.calibration import Calibration
from littlestone.models.facade import described, initialiser, missing, of_labels, of_name
from littlestone.streams import ArrayStream

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import Tags
    from sklearn.utils.multiclass import check_classification_targets, type_of_target
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError as error:
    raise missing("sklearn", "scikit-learn") from error

__all__ = ["LearnerClassifier", "classifier"]


BOOLEAN = ("Boolean", "sign")  # domains in which an attribute is on or off
TINY = float(np.nextafter(0.0, 1.0))


class LearnerClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that plays the on-line game with one learner; see `classifier`, which makes them.

    >>> from littlestone.sklearn import LearnerClassifier, PerceptronClassifier
    >>> model = PerceptronClassifier().fit([[1, 0], [0, 1]] * 10, ["spam", "ham"] * 10)
    >>> isinstance(model, LearnerClassifier), model.run_.mistakes, model.coef_.tolist()
    (True, 2, [[1.0, -1.0]])
    """

    _learner: ClassVar[type[Learner]]
    _narrow: ClassVar[bool] = False
    classes_: NDArray[Any]
    learner_: Learner
    calibration_: Calibration
    n_iter_: int
    n_features_in_: int
    _run: Run | None
    max_iter: int
    binarize: float | None = None
    round_down: bool = False

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything and play the rows in the order in which they come, ``max_iter`` times at most.

        It stops after a pass without updates, for the next one would be the same. The probabilities are learned on the
        way; in more passes than one, from rows that the learner knows already.
        """
        passes = check_whole(type(self).__name__, "max_iter", self.max_iter)
        X, y = validate_data(self, X, y, accept_sparse="csr", accept_large_sparse=True)
        check_classification_targets(y)
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary" and not self._learner.many_classes:
            raise InvalidLabel(f"Only binary classification is supported. The type of the target is {kind}.")
        classes = np.unique(y)
        if len(classes) < 2:
            raise InvalidLabel(f"y: expected two classes, got one class: {classes[0]!r}")
        stream, learner = self._examples(X, y, classes), self._made(X.shape[1], classes)
        calibration = Calibration.of(learner)
        runs = [play(learner, stream, learn=calibration.learn)]
        while len(runs) < passes and runs[-1].updates:
            runs.append(play(learner, stream, learn=calibration.learn))
        self.classes_, self.learner_, self.calibration_, self.n_iter_ = classes, learner, calibration, len(runs)
        rows = stream if len(runs) == 1 else ArrayStream(Block.joined([stream.block] * len(runs)))
        self._run = Run.joined(runs, rows)
        return self

    def partial_fit(self, X: Any, y: Any, classes: ArrayLike | None = None) -> Self:
        """Go on with these rows, once, in the order in which they come.

        ``classes``, the labels of the whole stream, must be given in the first call.
        """
        first = not hasattr(self, "learner_")
        known = self._known(classes)
        X, y = validate_data(self, X, y, accept_sparse="csr", accept_large_sparse=True, reset=first)
        check_classification_targets(y)
        stream = self._examples(X, y, known)
        learner = self._made(X.shape[1], known) if first else self.learner_
        calibration = Calibration.of(learner) if first else self.calibration_
        play(learner, stream, learn=calibration.learn)
        self.classes_, self.learner_, self.calibration_ = known, learner, calibration
        self.n_iter_, self._run = 1, None
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of each row: positive where `predict` gives ``classes_[1]``.

        On a tie it is the least float there is, with the sign of the prediction.
        """
        block = self._rows(X)
        activation = np.asarray(self.learner_.activation(block))
        tie = activation == 0.0
        if tie.any():
            activation[tie] = np.where(self.learner_.predict(block)[tie] == 1, TINY, -TINY)
        return activation

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row; nothing changes."""
        block = self._rows(X)
        return np.asarray(self.classes_[self.learner_.predict(block).astype(np.intp)])

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class (columns, as in `classes_`) for each row; nothing changes.

        They were calibrated on-line, on rows before they were learned. The class that `predict` gives has the largest,
        on ties too: there by 1e-12.
        """
        block = self._rows(X)
        return self.calibration_.probabilities(self.learner_, block)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    @property
    def coef_(self) -> Floats:
        """The weights, ``(1, n)``, where the prediction is a linear threshold function of the rows."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Floats:
        """Minus theta, where the prediction is a linear threshold function of the rows."""
        return self._linear()[1]

    @property
    def guarantee_(self) -> Bound | OpenBound | None:
        """The bound on mistakes that the parameters buy, ``.at(k=5)`` for five attributes; None: no theorem holds."""
        check_is_fitted(self)
        return self.learner_.guarantee

    @property
    def run_(self) -> Run:
        """What happened in the last `fit`: mistakes, updates, `curve()`."""
        check_is_fitted(self)
        if self._run is None:
            raise AttributeError(f"{type(self).__name__}: run_ is of a fit, and it has gone on by partial_fit since")
        return self._run

    def certificate(self, comparator: Any, *, gamma: float | None = None, kind: str | None = None) -> Certificate:
        """Return the ledger of the learner's own proof, for the last `fit`, against ``comparator``.

        The arguments are those of `Run.certificate`. The rows of the last fit are played again: they are kept for this,
        by reference, but never pickled.
        """
        check_is_fitted(self)
        if self._run is None or self._run.played is None:
            raise InvalidParameter(
                f"{type(self).__name__}: a certificate is of the last fit, and its rows are not kept by partial_fit, "
                "nor in a pickle; fit again"
            )
        names = list(getattr(self, "feature_names_in_", ()))
        if isinstance(comparator, set | frozenset) and any(isinstance(name, str) for name in comparator):
            unknown = sorted(map(repr, comparator - set(names)))
            if unknown:
                raise InvalidData(f"certificate: expected names of features, got {', '.join(unknown)}")
            comparator = {names.index(name) for name in comparator}
        return self._run.certificate(comparator, gamma=gamma, kind=kind)

    def __sklearn_tags__(self) -> Tags:
        """Say what kind of input is taken, as scikit-learn asks for it."""
        tags = super().__sklearn_tags__()
        domain = self._fresh().domain
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = domain not in ("any", *BOOLEAN) or (domain in BOOLEAN and self.binarize is None)
        tags.classifier_tags.multi_class = self._learner.many_classes
        tags.classifier_tags.poor_score = self._narrow
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Leave the rows of the last fit out of a pickle."""
        state: dict[str, Any] = dict(super().__getstate__())  # a copy: it may be the very __dict__
        if state.get("_run") is not None:
            state["_run"] = replace(state["_run"], played=None)
        return state

    # Inside

    def _known(self, classes: ArrayLike | None) -> NDArray[Any]:
        """Return the labels, which the first call of `partial_fit` must be given."""
        before: NDArray[Any] | None = getattr(self, "classes_", None)
        if classes is None:
            if before is None:
                raise InvalidLabel("classes must be passed on the first call to partial_fit: all labels of the stream")
            return before
        given = np.unique(np.asarray(classes))
        if before is not None and not np.array_equal(given, before):
            raise InvalidLabel(f"classes: expected {before.tolist()}, as in the first call, got {given.tolist()}")
        if len(given) > 2 and not self._learner.many_classes:
            raise InvalidLabel(f"Only binary classification is supported. classes: expected two, got {len(given)}")
        if len(given) < 2:
            raise InvalidLabel(f"classes: expected the labels of at least two classes, got {given.tolist()}")
        return given

    def _fresh(self, **known: Any) -> Learner:
        """Return a learner with these parameters, but for those given here."""
        return self._learner(**{name: getattr(self, name) for name in self._learner.parameter_names()} | known)

    def _by_class(self, classes: NDArray[Any]) -> dict[str, Any]:
        """Return parameters of the learner that depend on the classes."""
        del classes
        return {}

    def _made(self, n: int, classes: NDArray[Any]) -> Learner:
        """Return a learner that is ready for rows of ``n`` features; its labels are positions in ``classes``."""
        learner = self._fresh(**self._by_class(classes))
        learner = of_labels(type(self).__name__, learner, many=self._learner.many_classes)
        try:
            return learner.begin(n, labels=tuple(range(len(classes))))
        except InvalidParameter as error:
            raise InvalidParameter(f"{error} (n_features = {n})") from None

    def _block(self, X: Any) -> Block:
        """Return checked rows as the learner takes them."""
        domain = self._fresh().domain
        if domain in BOOLEAN and self.binarize is not None:
            return Block.from_arrays(_on(X, self.binarize))
        if hasattr(X, "has_canonical_format") and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        values = X.data if hasattr(X, "tocsr") else X
        if domain != "any" and values.size and values.min() < 0:
            raise InvalidData(f"Negative values in data passed to {type(self).__name__}: it takes values >= 0")
        if domain == "whole" and self.round_down:
            X = X.floor() if hasattr(X, "tocsr") else np.floor(X)
        return Block.from_arrays(X)

    def _examples(self, X: Any, y: NDArray[Any], classes: NDArray[Any]) -> ArrayStream:
        codes = np.searchsorted(classes, y)
        strange = classes[np.minimum(codes, len(classes) - 1)] != y
        if strange.any():
            raise InvalidLabel(f"y: expected one of the classes {classes.tolist()}, got {y[strange][0]!r}")
        return ArrayStream(self._block(X).labelled(codes, tuple(range(len(classes)))))

    def _rows(self, X: Any) -> Block:
        check_is_fitted(self)
        return self._block(validate_data(self, X, accept_sparse="csr", accept_large_sparse=True, reset=False))

    def _linear(self) -> tuple[Floats, Floats]:
        check_is_fitted(self)
        hypothesis = self.learner_.hypothesis()
        if hypothesis is None:
            raise AttributeError(f"{type(self).__name__}: its prediction is no linear threshold function of the rows")
        return hypothesis.w[np.newaxis], np.array([-hypothesis.theta])


def _on(X: Any, threshold: float) -> Any:
    """Tell for each value whether it exceeds the threshold."""
    if not hasattr(X, "tocsr"):
        return np.asarray(threshold < X)
    if threshold < 0:
        raise InvalidParameter(f"binarize: expected a threshold >= 0 for sparse rows, got {threshold!r}")
    return threshold < X


EXAMPLE = """>>> from littlestone.sklearn import {name}
>>> model = {made}.fit([[1, 0], [0, 1]] * 20, ["spam", "ham"] * 20)
>>> model.predict([[1, 0], [0, 1]]).tolist()
['spam', 'ham']"""
PARAMETERS = {
    "max_iter": """max_iter : int
    How often `fit` plays the rows at most; it stops after a pass without updates. One pass is the on-line game.""",
    "binarize": """binarize : float or None
    An attribute is on where its value exceeds this, as in scikit-learn's BernoulliNB; None: the values must be 0 or 1.
    It does nothing where the learner takes real values.""",
    "round_down": """round_down : bool
    Round values down to whole numbers, the points of the grid; False: refuse others.""",
}
ATTRIBUTES = """Attributes
----------
classes_, n_features_in_, feature_names_in_, n_iter_
    As everywhere in scikit-learn; ``classes_[1]`` is the positive label.
coef_, intercept_
    The weights and minus theta, where the prediction is a linear threshold function of the rows.
learner_, calibration_, run_
    The learner itself, what makes probabilities of its scores, and what happened in the last `fit`.
guarantee_
    The bound on mistakes that the parameters buy, or None."""


@overload
def classifier(learner: Learner | str) -> LearnerClassifier: ...
@overload
def classifier(learner: type[Learner], *, narrow: bool | None = None) -> type[LearnerClassifier]: ...
def classifier(
    learner: type[Learner] | Learner | str, *, narrow: bool | None = None
) -> type[LearnerClassifier] | LearnerClassifier:
    """Return the classifier of a learner, with its parameters, `max_iter` and what its domain asks for.

    One of many classes becomes a `ManyClassifier`. A learner that is there already, such as ``Experts([...])``, gives
    an estimator whose parameter it is; a name with parameters, such as "winnow:alpha=1.5", an estimator with these.

    ``narrow``: its targets are disjunctions or have positive weights, so that it does poorly on two round clouds of
    points, which is what the tag ``poor_score`` means; None: as the learner has it.

    >>> from littlestone.learners import Winnow
    >>> model = classifier(Winnow)(alpha=1.5).fit([[1, 1, 0], [0, 0, 1], [1, 0, 0]], ["yes", "no", "yes"])
    >>> model.predict([[1, 0, 1]]).tolist(), model.coef_.tolist(), model.run_.mistakes
    (['yes'], [[2.25, 1.5, 1.0]], 2)
    """
    from littlestone.sklearn._variants import ManyClassifier, wrapped

    if isinstance(learner, Learner):
        return wrapped(learner)
    if not isinstance(learner, type):
        made: LearnerClassifier = of_name("littlestone.sklearn", learner)
        return made
    domain = learner().domain
    more: dict[str, Any] = {"max_iter": 1}
    if domain in BOOLEAN:
        more["binarize"] = 0.0
    if domain == "whole":
        more["round_down"] = True
    body = {
        "__doc__": described(learner, "\n".join(PARAMETERS[name] for name in more), ATTRIBUTES, EXAMPLE),
        "__module__": "littlestone.sklearn",
        "__init__": initialiser(learner, more),
        "_learner": learner,
        "_narrow": learner.narrow if narrow is None else narrow,
    }
    base = ManyClassifier if learner.many_classes else LearnerClassifier
    return type(f"{learner.__name__}Classifier", (base,), body)
