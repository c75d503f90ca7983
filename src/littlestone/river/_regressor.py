"""A learner of numbers as a regressor of river: written once, for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, overload

import numpy as np

from littlestone.bounds import Bound, OpenBound
from littlestone.core.errors import UnknownSize
from littlestone.learners.composite import fresh
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.gradient_descent import GradientDescent
from littlestone.models.facade import called, described, initialiser, missing, of_regressor_name
from littlestone.river._frames import rows_of

try:
    from river import base
    from river.utils import dataframe
except ModuleNotFoundError as error:
    raise missing("river", "river") from error

__all__ = ["LearnerRegressor", "WrappedRegressor", "regressor"]


class LearnerRegressor(base.MiniBatchRegressor):
    """A regressor that plays the on-line game with one learner; see `regressor`, which makes them.

    >>> from littlestone.river import GradientDescentRegressor, LearnerRegressor
    >>> model = GradientDescentRegressor()
    >>> for x, y in [({"rooms": 2}, 1.0), ({"rooms": 4}, 2.0)] * 50:
    ...     model.learn_one(x, y)
    >>> isinstance(model, LearnerRegressor), round(model.predict_one({"rooms": 6}), 2)
    (True, 2.91)
    """

    _kind: ClassVar[type[Regressor]]
    n: int | None

    def _start(self) -> None:
        """Make the learner; river makes every model by its ``__init__``."""
        self._learner = self._new()
        if self.n is not None or not self._learner.needs_n:
            self._learner.begin(self.n)

    def _new(self) -> Regressor:
        return self._kind(**{name: getattr(self, name) for name in self._kind.parameter_names()})

    def learn_one(self, x: dict[base.typing.FeatureName, Any], y: base.typing.RegTarget) -> None:
        """Learn that the outcome of ``x`` is ``y``."""
        try:
            self._learner.learn_one(x, y)
        except UnknownSize as error:
            raise self._sized(error) from None

    def predict_one(self, x: dict[base.typing.FeatureName, Any], **kwargs: Any) -> base.typing.RegTarget:
        """Return the predicted number; nothing changes."""
        del kwargs
        try:
            return float(self._learner.predict_one(x))
        except UnknownSize as error:
            raise self._sized(error) from None

    def learn_many(self, X: Any, y: Any) -> None:
        """Learn the rows of a frame in the order in which they come: the same as `learn_one` on each."""
        rows = rows_of(type(self).__name__, dataframe.into_frame(X), self._learner.vocabulary)
        try:
            self._learner.learn(rows, np.asarray(y))
        except UnknownSize as error:
            raise self._sized(error) from None

    def predict_many(self, X: Any) -> Any:
        """Return the predicted number of each row, as a series of the kind of the frame."""
        frame = dataframe.into_frame(X)
        rows = rows_of(type(self).__name__, frame, self._learner.vocabulary)
        try:
            said = self._learner.predict(rows).tolist()
        except UnknownSize as error:
            raise self._sized(error) from None
        return dataframe.to_native_series(said, name=None, like=frame)

    @property
    def learner_(self) -> Regressor:
        """The learner itself: weights, loss, state."""
        return self._learner

    @property
    def loss(self) -> float:
        """What all examples so far have cost together: each was predicted before it was learned."""
        return self._learner.loss

    @property
    def weights(self) -> dict[Any, float]:
        """The weight of each attribute by name."""
        return self._learner.weights()

    @property
    def guarantee(self) -> Bound | OpenBound | Any:
        """The bound on the loss that the parameters buy; None where no theorem holds."""
        return self._learner.guarantee

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"n": 12} if cls._kind().needs_n else {}

    # Inside

    def _sized(self, error: UnknownSize) -> UnknownSize:
        return UnknownSize(
            f"{type(self).__name__}: the number of attributes is needed to resolve its parameters; give n=... "
            f"(at least as many as there will be names), or the parameters that are None [{error}]"
        )


class WrappedRegressor(LearnerRegressor):
    """A regressor whose parameter is a learner; it begins with a new one of the same parameters.

    Parameters
    ----------
    learner : Regressor
        It stays as it is: what it has learned is not taken over, and what is learned is in ``learner_``.
    n : int or None
        As that of other regressors.
    """

    def __init__(self, learner: Regressor, *, n: int | None = None) -> None:
        self.learner, self.n = learner, n
        self._start()

    def _new(self) -> Regressor:
        made = fresh(self.learner) if self.learner.trials else self.learner.copy()
        assert isinstance(made, Regressor)
        return made

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"learner": GradientDescent()}


EXAMPLE = """>>> from littlestone.river import {name}
>>> model = {made}
>>> for x, y in [({{"rooms": 1}}, 0.3), ({{"garden": 1}}, 0.7)] * 50:
...     model.learn_one(x, y)
>>> model.learner_.trials, type(model.predict_one({{"rooms": 1}}))
(100, <class 'float'>)"""
N = """n : int or None
    The number of attributes there will be at most, for parameters that depend on it; None: as many as come."""


@overload
def regressor(learner: Regressor | str) -> LearnerRegressor: ...
@overload
def regressor(learner: type[Regressor]) -> type[LearnerRegressor]: ...
def regressor(learner: type[Regressor] | Regressor | str) -> type[LearnerRegressor] | LearnerRegressor:
    """Return river's regressor of a learner of numbers: its parameters, and ``n``.

    A learner that is there already gives a model whose parameter it is; a name with parameters, such as
    "gradient-descent:eta=0.1", a model with these.

    >>> import littlestone as ls
    >>> model = regressor(ls.GradientDescent)(eta=0.25, bias=False)
    >>> for x, y in [({"rooms": 1}, 1.0), ({"rooms": 1, "garden": 1}, 3.0)]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"garden": 1}), model.weights, model.loss
    (1.25, {'rooms': 1.75, 'garden': 1.25}, 7.25)
    """
    if isinstance(learner, Regressor):
        return WrappedRegressor(learner)
    if not isinstance(learner, type):
        made: LearnerRegressor = of_regressor_name("littlestone.river", learner)
        return made
    body = {
        "__doc__": described(learner, N, "", EXAMPLE, "n=3"),
        "__module__": "littlestone.river",
        "__init__": initialiser(learner, {"n": None}, lambda self: self._start()),
        "_kind": learner,
    }
    return type(called(learner), (LearnerRegressor,), body)
