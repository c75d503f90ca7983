"""Learners that learn the same rows beside each other: what they are given, and what they make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes
from littlestone.core.block import Block
from littlestone.core.errors import InvalidModel, InvalidParameter, LittlestoneError
from littlestone.core.labels import plain
from littlestone.core.rows import check_importance
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners.base import Learner
from littlestone.learners.composite import Composite
from littlestone.learners.knowledge import refuse_numbers

__all__ = ["Learned", "Lesson", "in_step", "learned_by_all", "leveled", "one_learned_by", "same_knowledge", "unlearned"]

T = TypeVar("T")


def unlearned(owner: str, name: str, value: Any) -> Learner:
    """Return a learner that may begin again and again; refuse one that has learned something, or that is around one."""
    if not isinstance(value, Learner) or any(learner.trials for learner in _inside(value)):
        raise InvalidParameter(
            f"{owner}: {name}: expected a learner that has learned nothing, such as Winnow(), got {value!r}"
        )
    refuse_numbers(f"{owner}: {name}", value)
    return value


def _inside(learner: Learner) -> Iterator[Learner]:
    """Yield a learner, and all that it is made of."""
    yield learner
    for one in learner.inner.values():
        yield from _inside(one)


def in_step(owner: Composite, learn: Callable[[], T]) -> T:
    """Let those inside a learner learn a row; whatever stops it in the middle, they count it all or none.

    A copy of them, which would need no more, costs as much as all their weights. So an interrupt (or no memory) takes
    back what was counted, and no more: what some have learned of the row stays, as it does where one learns alone. What
    is refused has left no trace.
    """
    back = owner.mark()
    try:
        return learn()
    except LittlestoneError:
        raise
    except BaseException:
        back()
        raise


def _names(learner: Learner) -> Vocabulary | None:
    """Return the names that a learner knows; of one in slots none, for each has those that it came to need."""
    return None if any(one.in_slots for one in _inside(learner)) else learner.vocabulary


def leveled(players: Sequence[Learner]) -> None:
    """Let all know the labels and the names that came with a row that only some of them have learned."""
    labels = max((player.labels or () for player in players), key=len)
    names = max((_names(player) or () for player in players), key=len)
    for player in players:
        if len(player.labels or ()) < len(labels) or len(_names(player) or ()) < len(names):
            player.begin(None, labels or None, names or None)


def same_knowledge(owner: str, first: Learner, second: Learner) -> None:
    """Refuse two that do not know the same labels, names and number of attributes, as those who learn together do."""
    for what, one, other in (
        ("labels", first.labels, second.labels),
        ("n", first.n, second.n),
        ("names", *(list(_names(learner) or ()) for learner in (first, second))),
    ):
        if one != other:
            raise InvalidModel(f"{owner}: {what}: expected the same of both learners inside, got two")


class Learned(NamedTuple):
    """What came of a lesson: what each learner said of each row before, who was wrong, and the outcomes as codes."""

    said: list[NDArray[Any]]
    wrong: NDArray[np.bool_]  # a learner a row of this
    codes: Codes


class Lesson(NamedTuple):
    """Rows with their labels and weights, which in parts mean what they mean as a whole."""

    rows: Block
    y: ArrayLike | None
    """The labels, where the rows do not bring them."""

    @classmethod
    def of(cls, learner: Learner, X: Any, y: ArrayLike | None, weight: ArrayLike | None) -> Self:
        """Return what a learner is given, as `Learner.learn` takes it; refuse labels and weights that it would."""
        block = Block.from_arrays(X)
        importance = check_importance(block.weights if weight is None else weight, len(block))
        return cls(*learner.labelled(replace(block, weights=importance if len(importance) else None), y))

    def part(self, start: int, stop: int) -> Self:
        """Return the rows from ``start`` to before ``stop``."""
        y = self.y if self.y is None else np.asarray(self.y)[start:stop]
        return type(self)(self.rows[start:stop], y)

    def check(self, players: Sequence[Learner]) -> None:
        """Refuse it if one of them does, as far as that can be known before anybody learns."""
        for player in players:
            if not player.refuses_late:
                player.check(*self)

    def learned_by(self, players: Sequence[Learner]) -> Learned:
        """Let all learn it; a refusal by one leaves all as they were, if it was checked before."""
        said = _taught(players, lambda player: player.learn(*self))
        codes = players[0].outcomes(*self)
        truth = players[0].decoded(codes)
        return Learned(said, np.array([each != truth for each in said], dtype=np.bool_).reshape(len(said), -1), codes)


def one_learned_by(players: Sequence[Learner], x: Any, y: Any) -> Learned:
    """Let all learn one example that was checked, as `learned_by_all` does."""
    said = learned_by_all(players, x, y)
    code = (players[0].labels or ()).index(plain(y))
    return Learned(said, np.array([[bool(one != y)] for one in said]), np.array([code]))


def learned_by_all(learners: Sequence[Learner], x: Any, y: Any) -> list[Any]:
    """Let all learn an example that was checked, return what each said; a refusal by one leaves all as they were."""
    return _taught(learners, lambda learner: learner.learn_one(x, y))


def _taught(learners: Sequence[Learner], learn: Callable[[Learner], T]) -> list[T]:
    """Let all learn what was checked, return what each said; a refusal by one leaves all as they were.

    Those that may still refuse it come first, and where there are several, all but the last are copied before.
    """
    late = [i for i, learner in enumerate(learners) if learner.refuses_late]
    before = {i: learners[i].copy() for i in late[:-1]}
    said: dict[int, T] = {}
    try:
        for i in late:
            said[i] = learn(learners[i])
    except BaseException:
        for i in said.keys() & before.keys():  # an interrupt may come when the last one has learned, too
            learners[i].become(before[i])
        raise
    return [said[i] if i in said else learn(learner) for i, learner in enumerate(learners)]
