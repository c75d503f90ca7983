"""Delayed: labels that come later, by the name under which a prediction was asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy, deepcopy
from threading import RLock
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.learners.base import Learner

__all__ = ["Delayed"]


class _Asked(NamedTuple):
    x: Any
    said: int  # a position among the labels; -1: nothing, for no class was known


class Delayed:
    """A learner whose labels come later: predict with an id now, learn by that id when the truth is known.

    Parameters
    ----------
    learner : Learner
        It learns from each example when its label comes, with the attributes that were given then.
    limit : int >= 1
        How many examples are remembered; beyond it the oldest is dropped, and counted.

    ``mistakes`` counts the predictions that were *made* and turned out wrong, among ``trials`` whose labels have come.
    The learner's own count is of what it would have said when the label came, and no theorem is about the former:
    mistakes that are made while labels are on their way come on top of a bound. One thread at a time is let in.

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

    def __init__(self, learner: Learner, *, limit: int = 100_000) -> None:
        if not isinstance(learner, Learner):
            raise InvalidParameter(f"Delayed: expected a learner, such as Winnow(), got {learner!r}")
        self.learner, self.limit = learner, check_whole("Delayed", "limit", limit)
        self._asked: dict[Hashable, _Asked] = {}
        self._trials = self._mistakes = self._dropped = 0
        self._turns = RLock()

    def predict_one(self, x: Any, *, id: Hashable) -> Any:  # noqa: A002 - the word for it
        """Return the prediction of one example, and remember the example under ``id``."""
        with self._turns:
            try:
                known = id in self._asked
            except TypeError:
                raise InvalidData(f"Delayed: id: expected one that can be looked up (str, int), got {id!r}") from None
            if known:
                raise InvalidData(f"Delayed: id {id!r}: it waits for its label already; give each example its own")
            said = self.learner.predict_one(x)
            labels = self.learner.labels or (0, 1)
            self._asked[id] = _Asked(_kept(x), labels.index(said) if said in labels else -1)
            while len(self._asked) > self.limit:
                del self._asked[next(iter(self._asked))]
                self._dropped += 1
            return said

    def learn_one(self, id: Hashable, y: Any) -> Any:  # noqa: A002
        """Learn that the example ``id`` is ``y``; return the prediction that was made. A refusal forgets nothing."""
        with self._turns:
            asked = self._find(id)
            self.learner.learn_one(asked.x, y)
            del self._asked[id]
            labels = self.learner.labels
            assert labels is not None
            self._trials += 1
            said = None if asked.said < 0 else labels[asked.said]
            self._mistakes += bool(said != y)  # NumPy labels compare to NumPy Booleans
            return said

    def forget(self, id: Hashable) -> None:  # noqa: A002
        """Forget an example whose label will not come."""
        with self._turns:
            self._find(id)
            del self._asked[id]

    def _find(self, name: Hashable) -> _Asked:
        found = self._asked.get(name)
        if found is None:
            raise InvalidData(
                f"Delayed: id {name!r}: expected one that waits for its label, got one that was never asked, has been "
                f"learned, or was dropped ({self._dropped} were, beyond limit={self.limit})"
            )
        return found

    @property
    def waiting(self) -> int:
        """How many examples wait for their labels."""
        return len(self._asked)

    @property
    def dropped(self) -> int:
        """How many examples were dropped because more than ``limit`` waited."""
        return self._dropped

    @property
    def trials(self) -> int:
        """How many labels have come."""
        return self._trials

    @property
    def mistakes(self) -> int:
        """How many of their predictions, as they were made, were wrong."""
        return self._mistakes

    # Copies and pickles have a lock of their own

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
        return f"Delayed({self.learner!r}, {self.waiting} waiting, {self._trials} learned, {self._dropped} dropped)"


def _kept(x: Any) -> Any:
    """Return a copy, for a caller may use the same dict or array again, or an array among the values."""
    if isinstance(x, Mapping):
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in x.items()}
    return x.copy() if isinstance(x, np.ndarray) else copy(x)
