"""Composite: a learner that is made of learners."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.rows import Rows
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine

__all__ = ["Composite", "fresh", "outcomes", "part"]

# The values that learners take, those that take the fewest first
NARROW_FIRST = ("sign", "whole", "Boolean", "unit", "non-negative", "any")


def fresh(learner: Learner) -> Learner:
    """Return a learner of the same parameters that has learned nothing."""
    return type(learner)(**learner.params())


def part(state: Mapping[str, NDArray[Any]], name: str) -> State:
    """Return the part of a state that belongs to the learner inside of that name.

    >>> part({"game": np.zeros(5), "learner.game": np.ones(5)}, "learner")
    {'game': array([1., 1., 1., 1., 1.])}
    """
    before = f"{name}."
    return {key.removeprefix(before): array for key, array in state.items() if key.startswith(before)}


def outcomes(X: Any, y: ArrayLike | None, labels: tuple[Any, ...] | None) -> NDArray[np.bool_]:
    """Return which rows that were learned from are positive."""
    positive = 1 if labels is None else labels[1]
    if y is not None:
        return np.asarray(np.asarray(y) == positive, dtype=np.bool_)
    assert isinstance(X, Block)
    assert X.outcomes is not None
    assert X.labels is not None
    return np.array([label == positive for label in X.labels], dtype=np.bool_)[X.outcomes]


class Composite(Learner):
    """A learner that is made of learners: what it knows of labels, names and attributes is what they know.

    Its state is its own arrays, and those of each learner inside, behind that learner's name and a point.
    """

    @property
    @abstractmethod
    def inner(self) -> dict[str, Learner]:
        """The learners inside, by the names that their parts of the state begin with."""

    @abstractmethod
    def own_state(self) -> State:
        """Return what it has learned itself, as a dict of arrays."""

    @classmethod
    @abstractmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return the learner that goes on from its own state, with these learners inside; refuse an unsound state."""

    @property
    def _first(self) -> Learner:
        return next(iter(self.inner.values()))

    # What the learners inside know

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values that it takes: what every learner inside takes."""
        return min((learner.domain for learner in self.inner.values()), key=NARROW_FIRST.index)

    @property
    def labels(self) -> tuple[Any, ...] | None:
        """The negative and the positive label, once they are known."""
        return self._first.labels

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the attributes, where they have names."""
        return self._first.vocabulary

    @property
    def n(self) -> int | None:
        """The number of attributes, where it is fixed."""
        return self._first.n

    @property
    def width(self) -> int:
        """The number of attributes that have been spoken of."""
        return self._first.width

    @width.setter
    def width(self, width: int) -> None:
        for learner in self.inner.values():
            learner.width = width

    @property
    def updates(self) -> int:
        """How often the first learner inside was updated."""
        return self._first.updates

    @property
    def promotions(self) -> int:
        """Its updates that answered a failure on a positive example."""
        return self._first.promotions

    @property
    def demotions(self) -> int:
        """Its updates that answered a failure on a negative example."""
        return self._first.demotions

    @property
    def needs_n(self) -> bool:
        """Whether the parameters of a learner inside cannot be resolved without the number of attributes."""
        return any(learner.needs_n for learner in self.inner.values())

    @property
    def waits_for_n(self) -> bool:
        """Whether a learner inside has not begun, and needs the number of attributes."""
        return any(learner.waits_for_n for learner in self.inner.values())

    @property
    def counts_all(self) -> bool:
        """Whether attributes that are never on count too, for a learner inside."""
        return any(learner.counts_all for learner in self.inner.values())

    @property
    def refuses_late(self) -> bool:
        """Whether it may refuse an example that `check_one` takes."""
        return True

    def check_one(self, x: Any, y: Any) -> None:
        """Refuse an example and its label if a learner inside does; nothing changes."""
        for learner in self.inner.values():
            learner.check_one(x, y)

    def aligned(self, X: Any) -> Block:
        """Return the rows of ``X`` in the columns of the first learner inside; nothing changes."""
        return self._first.aligned(X)

    def row(self, x: Any) -> tuple[Rows, Sequence[Hashable]]:
        """Return one example in the columns of the first learner inside, and the names that are new to it."""
        return self._first.row(x)

    def outcomes(self, X: Any, y: ArrayLike | None = None) -> Codes:
        """Return the outcome of each row as the learners inside take it."""
        return self._first.outcomes(X, y)

    def decoded(self, predictions: Codes) -> NDArray[Any]:
        """Return predictions as codes in the caller's labels."""
        return self._first.decoded(predictions)

    def weights(self) -> dict[Hashable, Any]:
        """Return the weight of each attribute by name (by position where there are no names)."""
        return self._first.weights()

    # Written down

    def params(self) -> dict[str, Any]:
        """Return the parameters; learners among them have learned nothing."""
        return {name: fresh(one) if isinstance(one, Learner) else one for name, one in super().params().items()}

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        game = np.array([self.trials, self.mistakes, self.width, self.n or -1, False])
        inside = (
            (f"{name}.{key}", array) for name, learner in self.inner.items() for key, array in learner.state().items()
        )
        return {"game": game} | self.own_state() | dict(inside)

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Return a learner that goes on where `params` and `state` were taken."""
        inner = {
            name: type(learner).from_state(learner.params(), part(state, name))
            for name, learner in cls(**params).inner.items()
        }
        return cls.of(params, state, inner)

    # It has no machine of its own

    def _build(self, n: int | None) -> Machine:
        del n
        return self._no_machine()

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        del n, fix
        return self._no_machine()

    def _no_machine(self) -> NoReturn:
        raise InvalidParameter(
            f"{self._owner}: expected a learner with weights of its own, got one that is made of learners; ask those "
            f"inside it ({', '.join(self.inner)})"
        )
