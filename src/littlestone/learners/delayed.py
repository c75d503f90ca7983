"""Delayed: labels that come later, by the name under which a prediction was asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import deepcopy
from functools import partial, wraps
from threading import RLock
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything, whole
from littlestone.core.waiting import Waiting
from littlestone.learners.base import Learner
from littlestone.learners.composite import FORWARDED, Composite
from littlestone.learners.knowledge import refuse_numbers

__all__ = ["Delayed"]

NO_ID: Any = object()


def _learner(owner: str, _name: str, value: Any) -> Learner:
    if not isinstance(value, Learner):
        raise InvalidParameter(f"{owner}: expected a learner, such as Winnow(), got {value!r}")
    refuse_numbers(owner, value)
    return value


class Delayed(Composite):
    """A learner whose labels come later: predict with an id now, learn by that id when the truth is known.

    ``mistakes`` counts the predictions that were *made* and turned out wrong, among ``trials`` whose labels have come.
    The learner's own count is of what it would have predicted when the label came; its bound, if it has one, is about
    that count. Mistakes that are made while labels are on their way come on top of it. One thread at a time is let in.

    Where labels come at once it is a learner as any other: `learn`, and `learn_one` with an example (a dict, a set, a
    list or an array; a tuple or a frozenset is taken for an id). What waits is a part of its state, and of its file.

    Example
    -------
    >>> import littlestone as ls
    >>> service = Delayed(ls.Winnow(theta=2), limit=1000)
    >>> service.predict_one({"rain", "wind"}, id="monday"), service.predict_one({"sun"}, id="tuesday")
    (1, 0)
    >>> service.learn_one("tuesday", 1)  # the prediction that was made
    0
    >>> service.learn_one("monday", 1), service.trials, service.mistakes, service.waiting
    (1, 2, 1, 0)
    """

    forwards = FORWARDED | {"tested_rows"}

    learner: Learner = anything(
        takes="Learner",
        kw_only=False,
        check=_learner,
        says="It learns from each example when its label comes, with the attributes that were given then.",
    )
    limit: int = whole(
        default=100_000, says="How many examples are remembered; beyond it the oldest is dropped, and counted."
    )

    def _prepare(self) -> None:
        super()._prepare()
        self._turns = RLock()

    def _check(self) -> None:
        self._waiting = Waiting("Delayed", self.limit)

    @property
    def inner(self) -> dict[str, Learner]:
        """The learner."""
        return {"learner": self.learner}

    def predict_one(self, x: Any, *, id: Hashable = NO_ID) -> Any:  # noqa: A002 - the word for it
        """Return the prediction of one example; with an ``id``, remember the example under it."""
        if id is NO_ID:
            return self.learner.predict_one(x)
        self._waiting.check_new(id)
        said = self.learner.predict_one(x)
        labels = self.learner.labels or (0, 1)
        self._waiting.add(id, x, labels.index(said) if said in labels else -1)
        return said

    def learn_one(self, x: Any, y: Any) -> Any:
        """Learn that the example of this id is ``y``; return the prediction that was made. A refusal forgets nothing.

        An example in the place of an id, as `predict_one` takes it, is predicted and learned at once.
        """
        if isinstance(x, Mapping | set | list | np.ndarray):
            before = self.learner.mistakes
            said = self.learner.learn_one(x, y)
            self._trials += 1
            self._mistakes += self.learner.mistakes - before
            return said
        asked = self._waiting.find(x)
        self.learner.learn_one(asked.x, y)
        self._waiting.forget(x)
        labels = self.learner.labels
        assert labels is not None
        self._trials += 1
        said = None if asked.said < 0 else labels[asked.said]
        self._mistakes += bool(said != y)  # NumPy labels compare to NumPy Booleans
        return said

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play rows whose labels come at once, as `Learner.learn` does; what waits goes on waiting."""
        trials, mistakes = self.learner.trials, self.learner.mistakes
        said = self.learner.learn(X, y, weight=weight)
        self._trials += self.learner.trials - trials
        self._mistakes += self.learner.mistakes - mistakes
        return said

    def forget(self, id: Hashable) -> None:  # noqa: A002
        """Forget an example whose label will not come."""
        self._waiting.forget(id)

    @property
    def waiting(self) -> int:
        """How many examples wait for their labels."""
        return len(self._waiting)

    @property
    def dropped(self) -> int:
        """How many examples were dropped because more than ``limit`` waited."""
        return self._waiting.dropped

    # What it has come to

    @property
    def guarantee(self) -> None:
        """None: no theorem is about labels that come later; the learner has its own."""
        return

    def __getattr__(self, name: str) -> Any:
        if name not in self.forwards:
            return super().__getattr__(name)
        with self._turns:
            found = getattr(self.learner, name)
        return partial(self._in_turn, found) if callable(found) else found

    # Written down

    def own_state(self) -> State:
        """Return the examples that wait, and how many were dropped."""
        return self._waiting.state()

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return what goes on with these examples waiting."""
        made = cls(**{**params, **inner})
        made._trials, made._mistakes = state["game"][:2].tolist()
        made._waiting = Waiting.from_state("Delayed", made.limit, state, len(made.labels or (0, 1)))
        return made

    # One thread after the other; copies and pickles have a lock of their own

    @classmethod
    def _guarded(cls, name: str, method: Any) -> Any:
        del name

        @wraps(method)
        def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
            return self._in_turn(method, self, *args, **kwargs)

        return guarded

    def _in_turn(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        with self._turns:
            return function(*args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = memo[id(self)] = type(self).__new__(type(self))
        with self._turns:
            made.__setstate__(deepcopy(self._parts(), memo))
        return made

    def __copy__(self) -> Self:
        return deepcopy(self)  # the learner is not to be shared

    def __getstate__(self) -> dict[str, Any]:
        with self._turns:
            return deepcopy(self._parts())

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts, _turns=RLock())

    def _parts(self) -> dict[str, Any]:
        return {name: part for name, part in vars(self).items() if name != "_turns"}

    def __repr__(self) -> str:
        return f"Delayed({self.learner!r}, {self.waiting} waiting, {self._trials} learned, {self.dropped} dropped)"
