"""A learner as a classifier of river: written once, for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, UnknownSize
from littlestone.core.labels import plain
from littlestone.learners.base import Learner
from littlestone.models.calibration import Calibration
from littlestone.models.facade import described, initialiser, missing, of_labels, of_name
from littlestone.river._frames import rows_of

try:
    from river import base
    from river.utils import dataframe
except ModuleNotFoundError as error:
    raise missing("river", "river") from error

__all__ = ["LearnerClassifier", "classifier"]

BOOLEAN = ("Boolean", "sign")  # domains in which an attribute is on or off


class LearnerClassifier(base.MiniBatchClassifier):
    """A classifier that plays the on-line game with one learner; see `classifier`, which makes them.

    >>> from littlestone.river import LearnerClassifier, PerceptronClassifier
    >>> model = PerceptronClassifier()
    >>> for x, y in [({"prize": 1}, True), ({"lunch": 1}, False)] * 5:
    ...     model.learn_one(x, y)
    >>> isinstance(model, LearnerClassifier), model.predict_one({"lunch": 1})
    (True, False)
    """

    _kind: ClassVar[type[Learner]]
    n: int | None
    labels: tuple[Any, ...] | None
    binarize: float | None = None
    round_down: bool = False

    def _start(self) -> None:
        """Make the learner; river makes every model by its ``__init__``."""
        self._make()
        self._codes: dict[Any, bool] = {}  # what each label means
        self._answers: tuple[Any, Any] | None = None  # the labels for False and True
        if self.labels is not None:
            if not isinstance(self.labels, tuple | list) or len(self.labels) != 2 or len(set(self.labels)) != 2:
                raise InvalidLabel(f"labels: expected (negative, positive), got {self.labels!r}")
            self._take({plain(self.labels[0]): False, plain(self.labels[1]): True})
        if self.n is not None or not self._learner.needs_n:
            self._learner.begin(self.n, labels=(False, True))

    def _make(self) -> None:
        """Make the learner from the parameters."""
        self._learner = self._new()
        self._domain = self._learner.domain
        self._calibration = Calibration.of(self._learner)
        self._next_look = 0  # the trial that the calibration looks at next
        on_or_off = self.binarize is not None and self._domain in BOOLEAN
        self._as_is = not on_or_off and not (self.round_down and self._domain == "whole")

    def _new(self) -> Learner:
        learner = self._kind(**{name: getattr(self, name) for name in self._kind.parameter_names()})
        return of_labels(type(self).__name__, learner, many=self._kind.many_classes)

    def learn_one(self, x: dict[base.typing.FeatureName, Any], y: base.typing.ClfTarget) -> None:
        """Learn that ``x`` has the label ``y``, a bool, a number or a string."""
        code = self._codes.get(y)
        if code is not None:
            self._learned(x, code)
        else:
            codes = self._codes.copy()
            code = _meet(codes, y)
            self._learned(x, code)
            self._take(codes)

    def predict_one(self, x: dict[base.typing.FeatureName, Any], **kwargs: Any) -> base.typing.ClfTarget | None:
        """Return the label of ``x``; None before the first label has come."""
        del kwargs
        answers = self._answers
        return None if answers is None else answers[self._learner.predict_one(x if self._as_is else self._taken(x))]

    def predict_proba_one(
        self, x: dict[base.typing.FeatureName, Any], **kwargs: Any
    ) -> dict[base.typing.ClfTarget, float]:
        """Return the probability of each label, calibrated on-line; that of the prediction is the largest."""
        del kwargs
        if self._answers is None:
            return {False: 0.5, True: 0.5}
        if len(self._codes) == 1:
            return {self._answers[0]: 1.0}
        negative, positive = self._calibration.probabilities_one(self._learner, self._taken(x)).values()
        return {self._answers[0]: negative, self._answers[1]: positive}

    def learn_many(self, X: Any, y: Any) -> None:
        """Learn the rows of a frame in the order in which they come: the same as `learn_one` on each."""
        codes = self._codes.copy()
        outcomes = np.array([_meet(codes, label) for label in np.asarray(y).tolist()], dtype=np.bool_)
        self._learned_many(X, outcomes)
        self._take(codes)

    def predict_many(self, X: Any) -> Any:
        """Return the label of each row, as a series of the kind of the frame; None before the first label has come."""
        frame = dataframe.into_frame(X)
        if self._answers is None:
            return dataframe.to_native_series([None] * len(frame), name=None, like=frame)
        positive = self._learner.predict(self._block(frame))
        return dataframe.to_native_series([self._answers[code] for code in positive.tolist()], name=None, like=frame)

    def predict_proba_many(self, X: Any) -> Any:
        """Return the probabilities of each row, a column a label, as in `predict_proba_one`."""
        frame = dataframe.into_frame(X)
        if self._answers is None or len(self._codes) == 1:
            shares = {label: np.full(len(frame), p) for label, p in self.predict_proba_one({}).items()}
        else:
            found = self._calibration.probabilities(self._learner, self._block(frame))
            shares = dict(zip(self._answers, found.T, strict=True))
        return dataframe.to_native_frame(shares, like=frame)

    @property
    def learner_(self) -> Learner:
        """The learner itself: weights, mistakes, state."""
        return self._learner

    @property
    def weights(self) -> dict[Any, float]:
        """The weight of each attribute by name."""
        return self._learner.weights()

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The bound on mistakes that the parameters buy, once n is known; None where no theorem holds."""
        return self._learner.guarantee

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"n": 12} if cls._kind().needs_n else {}

    def _more_tags(self) -> set[str]:
        return {base.tags.POSITIVE_INPUT} if self._domain in ("non-negative", "whole") else set()

    # Inside

    def _learned(self, x: Any, code: Any) -> None:
        learner = self._learner
        try:
            if learner.trials < self._next_look:
                learner.learn_one(x if self._as_is else self._taken(x), code)
            else:
                self._calibration.learn_one(learner, self._taken(x), code)
                self._next_look = self._calibration.next_look(learner)
        except UnknownSize as error:
            raise self._sized(error) from None

    def _learned_many(self, X: Any, codes: NDArray[Any]) -> None:
        block, learner = self._block(dataframe.into_frame(X)), self._learner
        try:
            self._calibration.learn(learner, block, codes)
            self._next_look = self._calibration.next_look(learner)
        except UnknownSize as error:
            raise self._sized(error) from None

    def _sized(self, error: UnknownSize) -> UnknownSize:
        return UnknownSize(
            f"{type(self).__name__}: the number of attributes is needed to resolve its parameters; give n=... "
            f"(at least as many as there will be names), or the parameters that are None [{error}]"
        )

    def _take(self, codes: dict[Any, bool]) -> None:
        """Keep what the labels mean; while only one is known, it is every answer."""
        if codes:
            self._codes = codes
            known = {code: label for label, code in codes.items()}
            one = next(iter(codes))
            self._answers = (known.get(False, one), known.get(True, one))

    def _taken(self, x: Any) -> Any:
        """Return an example as the learner takes it."""
        if self._as_is:
            return x
        if self._domain in BOOLEAN:
            return {name: value > self.binarize for name, value in self._numbers(x)}
        return {name: floor(value) for name, value in self._numbers(x)}

    def _numbers(self, x: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the attributes of an example; refuse what cannot be compared."""
        if not isinstance(x, dict):
            raise InvalidData(f"{type(self).__name__}: expected one example as a dict, got {type(x).__name__}")
        for name, value in x.items():
            if isinstance(value, str) or not abs(value) < np.inf:
                raise InvalidData(f"{type(self).__name__}: attribute {name!r}: expected a finite number, got {value!r}")
            yield name, value

    def _block(self, frame: Any) -> Block:
        """Return a frame's rows, by name; new names come in the order in which `learn_one` has them."""
        return rows_of(type(self).__name__, frame, self._learner.vocabulary, self._changed)

    def _changed(self, matrix: NDArray[Any]) -> NDArray[Any]:
        """Return rows as the learner takes them."""
        if self.binarize is not None and self._domain in BOOLEAN:
            return np.asarray(matrix > self.binarize)
        return np.floor(matrix) if self.round_down and self._domain == "whole" else matrix


def _meet(codes: dict[Any, bool], y: Any) -> bool:
    """Return what a label means, and keep it in ``codes``: False and True, 0 and -1 and 1 are known at sight.

    Another label is the negative one if it is the first; a second takes what is left.
    """
    label = plain(y)
    if not isinstance(label, bool | int | float | str) or label != label:  # noqa: PLR0124 - nan is not itself
        raise InvalidLabel(f"y: expected a label that is a bool, int, float or str, got {y!r}")
    if label in codes:
        return codes[label]
    if len(codes) == 2:
        first, second = codes
        raise InvalidLabel(f"y: expected {first!r} or {second!r}, got a third label {label!r}")
    if codes and isinstance(next(iter(codes)), str) != isinstance(label, str):
        raise InvalidLabel(f"y: expected labels of one kind, got {next(iter(codes))!r} and {label!r}")
    if isinstance(label, bool) and not codes:
        codes.update({False: False, True: True})
    else:
        codes[label] = not next(iter(codes.values())) if codes else label == 1
    return codes[label]


EXAMPLE = """>>> from littlestone.river import {name}
>>> model = {made}
>>> for x, y in [({{"prize": 1}}, "spam"), ({{"lunch": 1}}, "ham")] * 50:
...     model.learn_one(x, y)
>>> model.predict_one({{"prize": 1}}), model.predict_one({{"lunch": 1}})
('spam', 'ham')"""
PARAMETERS = {
    "n": """n : int or None
    The number of attributes there will be at most, for parameters that depend on it; None: as many as come.""",
    "labels": """labels : (negative, positive) or None
    The two labels; None: True and 1 are positive, False, 0 and -1 negative, and of others the first is negative.""",
    "labels*": """labels : tuple or None
    Classes that are known beforehand; others may still come.""",
    "binarize": """binarize : float or None
    An attribute is on where its value exceeds this; None: the values must be 0 or 1. It does nothing where the learner
    takes real values.""",
    "round_down": """round_down : bool
    Round values down to whole numbers, the points of the grid; False: refuse others.""",
}


@overload
def classifier(learner: Learner | str) -> LearnerClassifier: ...
@overload
def classifier(learner: type[Learner]) -> type[LearnerClassifier]: ...
def classifier(learner: type[Learner] | Learner | str) -> type[LearnerClassifier] | LearnerClassifier:
    """Return river's classifier of a learner: its parameters, ``n``, ``labels`` and what its domain asks for.

    A learner that is there already, such as ``Experts([...])``, gives a model whose parameter it is; a name with
    parameters, such as "winnow:alpha=1.5", a model with these.

    >>> from littlestone.learners import Winnow
    >>> model = classifier(Winnow)(n=1000)
    >>> for x, y in [({"win": 1, "cash": 1}, "spam"), ({"lunch": 1}, "ham"), ({"cash": 1}, "spam")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cash": 1, "today": 1}), model.weights
    ('spam', {'cash': 1.0, 'win': 1.0, 'lunch': 2.0})
    """
    from littlestone.river._variants import ManyClassifier, wrapped

    if isinstance(learner, Learner):
        return wrapped(learner)
    if not isinstance(learner, type):
        made: LearnerClassifier = of_name("littlestone.river", learner)
        return made
    base_class = ManyClassifier if learner.many_classes else LearnerClassifier
    domain = learner().domain
    more: dict[str, Any] = {"n": None, "labels": None}
    if domain in BOOLEAN:
        more["binarize"] = 0.0
    if domain == "whole":
        more["round_down"] = True
    described_as = {"labels": "labels*"} if learner.many_classes else {}
    body = {
        "__doc__": described(
            learner, "\n".join(PARAMETERS[described_as.get(name, name)] for name in more), "", EXAMPLE, "n=3"
        ),
        "__module__": "littlestone.river",
        "__init__": initialiser(learner, more, lambda self: self._start()),
        "_kind": learner,
    }
    return type(f"{learner.__name__}Classifier", (base_class,), body)
