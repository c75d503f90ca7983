"""Predictor and FrozenModel: copies that learn nothing, for other threads to use while the original keeps learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, overload

from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.learners.base import Learner
from littlestone.models.model import Model

if TYPE_CHECKING:
    from littlestone.models.explanation import Explanation, Reasons

__all__ = ["FrozenModel", "Predictor", "freeze"]


class _Frozen:
    """What learns nothing any more, and says so."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        more = "; it is frozen: let the original learn, and freeze it again" if name.startswith("learn") else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{more}")


class Predictor(_Frozen):
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
                f"predict_proba: expected a learner with probabilities, got {self._learner!r}; a Model has them for "
                "every learner: freeze that"
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


class FrozenModel(_Frozen):
    """What a model would have decided when it was frozen, on raw input. It learns nothing; any number of threads ask.

    >>> import littlestone as ls
    >>> rows = [{"message": "win a prize", "class": "spam"}, {"message": "lunch at noon", "class": "ham"}] * 20
    >>> model = ls.Model.train(rows, label="class", text="message")
    >>> frozen = freeze(model)
    >>> _ = model.learn([row | {"class": "ham" if row["class"] == "spam" else "spam"} for row in rows] * 4)
    >>> model.predict_one("lunch at noon"), frozen.predict_one("lunch at noon"), frozen.trials
    ('spam', 'ham', 40)
    >>> frozen.probabilities_one("lunch at noon")["ham"] > 0.9
    True
    """

    __slots__ = ("_model",)

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise InvalidParameter(f"FrozenModel: expected a model, such as Model.train(...), got {model!r}")
        self._model = model.copy()

    def predict(self, raw: Any) -> NDArray[Any]:
        """Return the label of each row of raw input, as `Model.predict` does."""
        return self._model.predict(raw)

    def predict_one(self, row: Any) -> Any:
        """Return the label of one row: a dict of its columns, or a text where that is all there is."""
        return self._model.predict_one(row)

    def probabilities(self, raw: Any) -> Floats:
        """Return the probability of each label (columns, as in `labels`) for each row of raw input."""
        return self._model.probabilities(raw)

    def probabilities_one(self, row: Any) -> dict[Any, float]:
        """Return the probability of each label for one row."""
        return self._model.probabilities_one(row)

    def explain(self, row: Any = None, *, top: int = 20, **options: Any) -> Explanation | Reasons:
        """Return why it decides as it does on a row, or what it learned, as `Model.explain` does."""
        return self._model.explain(row, top=top, **options)

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, the negative one first; of many classes all, in the order in which they came."""
        return self._model.labels

    @property
    def trials(self) -> int:
        """From how many examples the model had learned."""
        return self._model.trials

    def __repr__(self) -> str:
        return f"FrozenModel({self._model!r})"


@overload
def freeze(learner: Learner) -> Predictor: ...
@overload
def freeze(learner: Model) -> FrozenModel: ...
def freeze(learner: Learner | Model) -> Predictor | FrozenModel:
    """Return the predictions of a learner or a model as they are now; to be called by the thread that learns.

    It costs a copy of the weights and of the table of names: for a million attributes about 1 ms for Winnow, 2 ms for
    the Perceptron, 30 ms more with names.

    >>> import littlestone as ls
    >>> freeze(ls.Winnow().begin(3))
    Predictor(Winnow(), after 0 trials)
    """
    if isinstance(learner, Model):
        return FrozenModel(learner)
    if not isinstance(learner, Learner):
        raise InvalidParameter(f"freeze: expected a learner or a model, such as Winnow(), got {learner!r}")
    return Predictor(learner)
