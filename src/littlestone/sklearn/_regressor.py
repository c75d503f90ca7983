"""A learner of numbers as a regressor of scikit-learn: written once, for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.games.game import play
from littlestone.games.loss_run import LossRun
from littlestone.learners.composite import fresh
from littlestone.learners.regressors.base import Regressor
from littlestone.models.facade import called, described, initialiser, missing, of_regressor_name
from littlestone.streams import ArrayStream

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils import Tags
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError as error:
    raise missing("sklearn", "scikit-learn") from error

__all__ = ["LearnerRegressor", "WrappedRegressor", "regressor"]


class LearnerRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor that plays the on-line game with one learner; see `regressor`, which makes them.

    >>> from littlestone.sklearn import GradientDescentRegressor, LearnerRegressor
    >>> model = GradientDescentRegressor(max_iter=100).fit([[1, 0], [0, 1]] * 10, [1.0, 2.0] * 10)
    >>> isinstance(model, LearnerRegressor), model.predict([[1, 0], [0, 1]]).round(3).tolist()
    (True, [1.0, 2.0])
    """

    _learner: ClassVar[type[Regressor]]
    _narrow: ClassVar[bool] = False
    learner_: Regressor
    n_iter_: int
    n_features_in_: int
    _run: LossRun | None
    max_iter: int

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything and play the rows in the order in which they come, ``max_iter`` times at most.

        It stops after a pass without updates, for the next one would be the same.
        """
        passes = check_whole(type(self).__name__, "max_iter", self.max_iter)
        stream = self._examples(X, y, reset=True)
        learner = self._made()
        runs = [play(learner, stream)]
        while len(runs) < passes and runs[-1].updates:
            runs.append(play(learner, stream))
        self.learner_, self.n_iter_, self._run = learner, len(runs), runs[-1]
        return self

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on with these rows, once, in the order in which they come."""
        first = not hasattr(self, "learner_")
        stream = self._examples(X, y, reset=first)
        learner = self._made() if first else self.learner_
        learner.learn(stream.block)
        self.learner_, self.n_iter_, self._run = learner, 1, None
        return self

    def predict(self, X: Any) -> Floats:
        """Return the predicted number of each row; nothing changes."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", accept_large_sparse=True, reset=False)
        return np.asarray(self.learner_.predict(_block(X)), dtype=np.float64)

    @property
    def coef_(self) -> Floats:
        """The weights, ``(n,)``, where the prediction is made of a linear function of the rows."""
        return self._linear()[0]

    @property
    def intercept_(self) -> float:
        """The constant of that function."""
        return self._linear()[1]

    @property
    def loss_(self) -> float:
        """What all trials so far have cost together: each row was predicted before it was learned."""
        check_is_fitted(self)
        return self.learner_.loss

    @property
    def guarantee_(self) -> Bound | OpenBound | Any:
        """The bound on the loss that the parameters buy; None: no theorem holds."""
        check_is_fitted(self)
        return self.learner_.guarantee

    @property
    def run_(self) -> LossRun:
        """What happened in the last pass of `fit`: losses, errors, ``curve()``, ``regret(u)``."""
        check_is_fitted(self)
        if self._run is None:
            raise AttributeError(f"{type(self).__name__}: run_ is of a fit, and it has gone on by partial_fit since")
        return self._run

    def __sklearn_tags__(self) -> Tags:
        """Say what kind of input is taken, as scikit-learn asks for it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._fresh().domain != "any"
        tags.regressor_tags.poor_score = self._narrow
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Leave the rows of the last fit out of a pickle."""
        state: dict[str, Any] = dict(super().__getstate__())  # a copy: it may be the very __dict__
        if state.get("_run") is not None:
            state["_run"] = replace(state["_run"], stream=None)
        return state

    # Inside

    def _fresh(self) -> Regressor:
        """Return a learner with these parameters."""
        return self._learner(**{name: getattr(self, name) for name in self._learner.parameter_names()})

    def _made(self) -> Regressor:
        """Return a learner that is ready for rows of so many features."""
        n = self.n_features_in_
        try:
            return self._fresh().begin(n)
        except InvalidParameter as error:
            raise InvalidParameter(f"{error} (n_features = {n})") from None

    def _examples(self, X: Any, y: Any, *, reset: bool) -> ArrayStream:
        given: tuple[Any, NDArray[Any]] = validate_data(
            self, X, y, accept_sparse="csr", accept_large_sparse=True, reset=reset, y_numeric=True
        )
        return ArrayStream(_block(given[0]).numbered(given[1]))

    def _linear(self) -> tuple[Floats, float]:
        check_is_fitted(self)
        hypothesis = self.learner_.hypothesis()
        if hypothesis is None:
            raise AttributeError(f"{type(self).__name__}: its prediction is not made of a linear function of the rows")
        return hypothesis.w, -float(hypothesis.theta)


class WrappedRegressor(LearnerRegressor):
    """A regressor whose parameter is a learner; `fit` begins with a new one of the same parameters.

    Parameters
    ----------
    learner : Regressor
        It stays as it is: what it has learned is not taken over, and what is learned is in ``learner_``.
    max_iter : int
        As that of other regressors.
    """

    def __init__(self, learner: Regressor, *, max_iter: int = 1) -> None:
        self.learner, self.max_iter = learner, max_iter

    def _fresh(self) -> Regressor:
        made = fresh(self.learner) if self.learner.trials else self.learner.copy()
        assert isinstance(made, Regressor)
        return made


def _block(X: Any) -> Block:
    """Return checked rows as the learner takes them."""
    if hasattr(X, "has_canonical_format") and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return Block.from_arrays(X)


EXAMPLE = """>>> from littlestone.sklearn import {name}
>>> model = {made}.fit([[1, 0], [0, 1]] * 20, [0.3, 0.7] * 20)
>>> model.predict([[1, 0], [0, 1]]).shape, model.learner_.trials
((2,), 40)"""
MAX_ITER = """max_iter : int
    How often `fit` plays the rows at most; it stops after a pass without updates. One pass is the on-line game."""
ATTRIBUTES = """Attributes
----------
n_features_in_, feature_names_in_, n_iter_
    As everywhere in scikit-learn.
coef_, intercept_
    The weights and the constant, where the prediction is made of a linear function of the rows.
learner_, run_
    The learner itself, and what happened in the last pass of `fit`.
loss_
    What all trials so far have cost together.
guarantee_
    The bound on the loss that the parameters buy, or None."""


@overload
def regressor(learner: Regressor | str) -> LearnerRegressor: ...
@overload
def regressor(learner: type[Regressor]) -> type[LearnerRegressor]: ...
def regressor(learner: type[Regressor] | Regressor | str) -> type[LearnerRegressor] | LearnerRegressor:
    """Return the regressor of a learner of numbers, with its parameters and `max_iter`.

    A learner that is there already gives an estimator whose parameter it is; a name with parameters, such as
    "gradient-descent:eta=0.1", an estimator with these.

    >>> import littlestone as ls
    >>> model = regressor(ls.GradientDescent)(eta=0.25).fit([[1, 0], [1, 1], [0, 1]], [1.0, 3.0, 2.0])
    >>> model.predict([[2, 2]]).tolist(), model.loss_
    ([5.75], 5.25)
    """
    if isinstance(learner, Regressor):
        return WrappedRegressor(learner)
    if not isinstance(learner, type):
        made: LearnerRegressor = of_regressor_name("littlestone.sklearn", learner)
        return made
    body = {
        "__doc__": described(learner, MAX_ITER, ATTRIBUTES, EXAMPLE),
        "__module__": "littlestone.sklearn",
        "__init__": initialiser(learner, {"max_iter": 1}),
        "_learner": learner,
        "_narrow": learner.narrow,
    }
    return type(called(learner), (LearnerRegressor,), body)
