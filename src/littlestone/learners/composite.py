"""Composite: a learner that is made of learners."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.rows import Rows
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine

__all__ = ["FORWARDED", "Composite", "fresh", "outcomes", "part"]

# The values that learners take, those that take the fewest first
NARROW_FIRST = ("sign", "whole", "Boolean", "unit", "non-negative", "any")
# What only some learners have: where one speaks for all, it is asked for it
FORWARDED = frozenset({"class_counts", "classes", "predict_proba", "predict_proba_one"})


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
    found: NDArray[np.bool_] = np.array([label == positive for label in X.labels], dtype=np.bool_)[X.outcomes]
    return found


class Composite(Learner):
    """A learner that is made of learners: what it knows of labels, names and attributes is what they know.

    Where it does not say otherwise, one of them speaks for it. Its state is its own arrays, and those of each learner
    inside, behind that learner's name and a point.
    """

    forwards: ClassVar[frozenset[str]] = frozenset()  # what else is asked of the learner that speaks for it

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
    def players(self) -> list[Learner]:
        """Those inside that learn now: all of them, unless some wait for their turn."""
        return list(self.inner.values())

    @property
    def speaker(self) -> Learner:
        """The one of these that speaks for it: the first."""
        return self.players[0]

    @property
    def explained(self) -> Learner | None:
        """The learner inside whose hypothesis decides alone, so that whoever explains it explains both; None: none."""
        return None

    @property
    def counted(self) -> Any:
        """Whose updates are its own, and what befell each class: those of the one that speaks for it."""
        return self.speaker

    @property
    def books(self) -> tuple[object, ...]:
        """What it counts with besides its own attributes: objects that get new numbers and arrays, and change none."""
        return ()

    def __getattr__(self, name: str) -> Any:
        if name not in self.forwards:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        found = getattr(self.speaker, name)
        return self.counted.class_counts if name == "class_counts" else found

    # What the learners inside know

    @property
    def many_classes(self) -> bool:  # type: ignore[override]
        """Whether the labels of the learners inside are classes, any number of them."""
        return next(iter(self.inner.values())).many_classes

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values that it takes: what every learner inside takes."""
        return min((learner.domain for learner in self.inner.values()), key=NARROW_FIRST.index)

    @property
    def labels(self) -> tuple[Any, ...] | None:
        """The negative and the positive label, once they are known."""
        return self.speaker.labels

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the attributes, where they have names."""
        return self.speaker.vocabulary

    @property
    def n(self) -> int | None:
        """The number of attributes, where it is fixed."""
        return self.speaker.n

    @property
    def width(self) -> int:
        """The number of attributes that have been spoken of."""
        return self.speaker.width

    @width.setter
    def width(self, width: int) -> None:
        for learner in self.players:
            learner.width = width

    @property
    def updates(self) -> int:
        """How often the one that speaks for it was updated."""
        return int(self.counted.updates)

    @property
    def promotions(self) -> int:
        """Its updates that answered a failure on a positive example."""
        return int(self.counted.promotions)

    @property
    def demotions(self) -> int:
        """Its updates that answered a failure on a negative example."""
        return int(self.counted.demotions)

    @property
    def needs_n(self) -> bool:
        """Whether the parameters of a learner inside cannot be resolved without the number of attributes."""
        return any(learner.needs_n for learner in self.players)

    @property
    def waits_for_n(self) -> bool:
        """Whether a learner inside has not begun, and needs the number of attributes."""
        return any(learner.waits_for_n for learner in self.players)

    @property
    def counts_all(self) -> bool:
        """Whether attributes that are never on count too, for a learner inside."""
        return any(learner.counts_all for learner in self.players)

    @property
    def refuses_late(self) -> bool:
        """Whether it may refuse an example that `check_one` takes."""
        return True

    def check_one(self, x: Any, y: Any) -> None:
        """Refuse an example and its label if a learner inside does; nothing changes."""
        for learner in self.players:
            learner.check_one(x, y)

    def aligned(self, X: Any) -> Block:
        """Return the rows of ``X`` in the columns of the one that speaks for it; nothing changes."""
        return self.speaker.aligned(X)

    def row(self, x: Any) -> tuple[Rows, Sequence[Hashable]]:
        """Return one example in the columns of the one that speaks for it, and the names that are new to it."""
        return self.speaker.row(x)

    def outcomes(self, X: Any, y: ArrayLike | None = None) -> Codes:
        """Return the outcome of each row as the learners inside take it."""
        return self.speaker.outcomes(X, y)

    def decoded(self, predictions: Codes) -> NDArray[Any]:
        """Return predictions as codes in the caller's labels."""
        return self.speaker.decoded(predictions)

    def labelled(self, rows: Block, y: ArrayLike | None = None) -> tuple[Block, ArrayLike | None]:
        """Return rows and labels as the one that speaks for it does; nothing changes."""
        return self.speaker.labelled(rows, y)

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Tell those inside how many attributes there are, the labels and the names, as `Learner.begin` takes them."""
        known, players = None if names is None else list(names), self.players
        begun = [learner.copy().begin(n, labels, known) for learner in players]  # a refusal by one leaves no trace
        for learner, now in zip(players, begun, strict=True):
            learner.become(now)
        return self

    def mark(self) -> Callable[[], None]:
        """Return what takes the counts of later trials back, its own and those of the learners inside."""
        own, inside = vars(self).copy(), [learner.mark() for learner in self.players]
        books = [(vars(book), vars(book).copy()) for book in self.books]

        def back() -> None:
            vars(self).update(own)
            for now, before in books:
                now.update(before)
            for one in inside:
                one()

        return back

    # What the one that speaks for it says

    def predict(self, X: Any) -> NDArray[Any]:
        """Return its predictions of the rows of ``X``; nothing changes."""
        return self.speaker.predict(X)

    def predict_one(self, x: Any) -> Any:
        """Return its prediction of one example; nothing changes."""
        return self.speaker.predict_one(x)

    def activation(self, X: Any) -> Floats:
        """Return its activations of the rows of ``X``; nothing changes."""
        return self.speaker.activation(X)

    def activation_one(self, x: Any) -> float:
        """Return its activation of one example; nothing changes."""
        return self.speaker.activation_one(x)

    @property
    def tie(self) -> int:
        """Its prediction where the activation is 0."""
        return self.speaker.tie

    def hypothesis(self) -> Hypothesis | None:
        """Return its weights and threshold."""
        return self.speaker.hypothesis()

    def weights(self) -> dict[Hashable, Any]:
        """Return its weight of each attribute by name (by position where there are no names)."""
        return self.speaker.weights()

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

    def anew(self) -> Self:
        """Return one of the same parameters, whose learners know what those inside do, and have learned nothing."""
        players = self.players
        inner = {name: one.anew() if one in players else fresh(one) for name, one in self.inner.items()}
        return self.of(self.params(), fresh(self).state(), inner)

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
