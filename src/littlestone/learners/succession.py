"""Succession: what learners that follow one another have done together, counted as if they were one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Ints, State
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.learners.base import Learner
from littlestone.learners.many_classes import ClassCounts
from littlestone.learners.together import leveled

__all__ = ["Counted", "Succession"]


class Counted(NamedTuple):
    """The updates of all who have followed one another, and a function of what befell each class."""

    updates: int
    promotions: int
    demotions: int
    class_counts: Callable[[], dict[Any, ClassCounts]]


def _made(learner: Learner) -> tuple[int, int, int]:
    machine = learner.machine  # which tells all three at once
    return machine.counts() if machine else (learner.updates, learner.promotions, learner.demotions)


def _steps(learner: Learner) -> Ints:
    return np.array(_made(learner), dtype=np.int64)


def _class_steps(learner: Any) -> Ints:
    found = learner.class_counts().values() if learner.many_classes else ()
    return np.array([[one.promotions, one.demotions] for one in found], dtype=np.int64).reshape(-1, 2)


class Succession:
    """The counts of a game in which one learner takes the place of another: updates, and what befell each class.

    What is kept are the examples of each class and the mistakes on them, and of updates, promotions and demotions as
    many as the learner that is there now has not made itself, as those before it, or has made before it was there.
    """

    def __init__(self) -> None:
        self._steps = np.zeros(3, dtype=np.int64)
        self._classes = np.zeros((0, 4), dtype=np.int64)  # examples, mistakes, promotions and demotions

    @classmethod
    def after(cls, owner: str, learner: Any) -> Succession:
        """Return the counts of a learner that has played alone so far; refuse one that counts others than its learner.

        `Delayed` does: the mistakes of its predictions, not those of the learner when the labels came.
        """
        made = cls()
        if learner.many_classes:
            found = [[one.examples, one.mistakes, 0, 0] for one in learner.class_counts().values()]
            made._classes = np.array(found, dtype=np.int64).reshape(-1, 4)
        if not made._sound(learner, (learner.trials, learner.mistakes)):
            raise InvalidParameter(
                f"{owner}: expected a learner whose counts are those of what it is made of, got {learner!r}; "
                f"put {owner} inside it, around that"
            )
        return made

    def count(self, learner: Learner, codes: Codes, wrong: NDArray[np.bool_]) -> None:
        """Count trials by their classes, if these may be many."""
        if not learner.many_classes or not len(codes):
            return
        classes = self._padded(int(codes.max()) + 1).copy()
        classes[:, 0] += np.bincount(codes, minlength=len(classes))
        classes[:, 1] += np.bincount(codes[wrong], minlength=len(classes))
        self._classes = classes

    def hand_over(self, old: Learner, new: Learner) -> None:
        """Let a learner take the place of another."""
        self._steps = self._steps + _steps(old) - _steps(new)
        before, after = _class_steps(old), _class_steps(new)
        classes = self._padded(max(len(before), len(after))).copy()
        classes[: len(before), 2:] += before
        classes[: len(after), 2:] -= after
        self._classes = classes

    def marked(self, players: Sequence[Learner], back: Callable[[], None]) -> Callable[[], None]:
        """Return what takes the counts of later trials back, with what else does so, while the first player is there.

        Updates that it makes in them are counted as none, for they may be more than trials.
        """
        there = players[0]
        before = _made(there)

        def all_back() -> None:
            back()
            self._steps = self._steps + before - _steps(there)
            leveled(players)

        return all_back

    def _padded(self, size: int) -> Ints:
        missing = max(0, size - len(self._classes))
        return np.concatenate((self._classes, np.zeros((missing, 4), dtype=np.int64)))

    def steps(self, learner: Learner) -> Ints:
        """Return all updates, promotions and demotions; ``learner`` is the one that is there now."""
        return np.asarray(self._steps + _steps(learner))

    def counted(self, learner: Learner) -> Counted:
        """Return all that was counted; ``learner`` is the one that is there now."""
        return Counted._make((*self.steps(learner).tolist(), partial(self.class_counts, learner)))

    def class_counts(self, learner: Any) -> dict[Any, ClassCounts]:
        """Return for each class what `ClassCounts` says; links are those of the learner that is there now."""
        found = learner.class_counts()
        kept = self._padded(len(found)).tolist()
        return {
            label: ClassCounts(examples, mistakes, one.promotions + up, one.demotions + down, one.links)
            for (label, one), (examples, mistakes, up, down) in zip(found.items(), kept, strict=True)
        }

    # Written down

    def state(self) -> State:
        """Return the counts."""
        return {"steps": self._steps.copy(), "classes": self._classes.copy()}

    def take(self, owner: str, learner: Any, state: Mapping[str, NDArray[Any]], game: tuple[int, int]) -> None:
        """Go on from what `state` gave, with this learner; refuse what no game of so many trials and mistakes has."""
        steps, classes = state["steps"], state["classes"]
        whole = steps.dtype.kind == "i" and steps.shape == (3,) and classes.dtype.kind == "i" and classes.ndim == 2
        if whole and classes.shape[1] == 4 and len(classes) <= (len(learner.classes) if learner.many_classes else 0):
            self._steps, self._classes = steps.astype(np.int64), classes.astype(np.int64)
            if self._sound(learner, game):
                return
        raise InvalidModel(f"{owner}: steps, classes: expected the counts of {game[0]} trials, got others")

    def _sound(self, learner: Any, game: tuple[int, int]) -> bool:
        """Tell whether a game of so many trials and mistakes can have these counts."""
        all_there = not learner.many_classes or (*self._classes[:, :2].sum(axis=0).tolist(),) == game
        return all_there and self._classes[:, :2].min(initial=0) >= 0 and self._can_be(learner, game[0])

    def _can_be(self, learner: Any, trials: int) -> bool:
        """Tell whether nothing was counted less than never, and no trial more than once."""
        updates, promotions, demotions = self.steps(learner).tolist()
        rows = self.class_counts(learner).values() if learner.many_classes else ()
        once = learner.many_classes or promotions + demotions <= updates <= trials
        return once and all(number >= 0 for row in ((updates, promotions, demotions), *rows) for number in row)
