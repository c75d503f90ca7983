"""Learners that learn the same rows beside each other: what they are given, and what they make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.rows import check_importance
from littlestone.learners.base import Learner

__all__ = ["Learned", "Lesson", "learned_by_all", "one_learned_by", "taught", "unlearned"]

T = TypeVar("T")


def unlearned(owner: str, name: str, value: Any) -> Learner:
    """Return a learner that may begin again and again; refuse one that has learned something."""
    if not isinstance(value, Learner) or value.trials:
        raise InvalidParameter(
            f"{owner}: {name}: expected a learner that has learned nothing, such as Winnow(), got {value!r}"
        )
    return value


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
        said = taught(players, lambda player: player.learn(*self))
        codes = players[0].outcomes(*self)
        truth = players[0].decoded(codes)
        return Learned(said, np.array([each != truth for each in said], dtype=np.bool_).reshape(len(said), -1), codes)


def one_learned_by(players: Sequence[Learner], x: Any, y: Any) -> Learned:
    """Let all learn one example that was checked, as `learned_by_all` does."""
    said = learned_by_all(players, x, y)
    labels = players[0].labels or ()
    code = next(code for code, label in enumerate(labels) if bool(label == y))
    return Learned(said, np.array([[bool(one != y)] for one in said]), np.array([code]))


def learned_by_all(learners: Sequence[Learner], x: Any, y: Any) -> list[Any]:
    """Let all learn an example that was checked, return what each said; a refusal by one leaves all as they were."""
    return taught(learners, lambda learner: learner.learn_one(x, y))


def taught(learners: Sequence[Learner], learn: Callable[[Learner], T]) -> list[T]:
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
        for i in said:
            learners[i].become(before[i])
        raise
    return [said[i] if i in said else learn(learner) for i, learner in enumerate(learners)]
