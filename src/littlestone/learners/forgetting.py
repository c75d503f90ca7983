"""Forgetting: a learner that forgets gradually: younger ones follow it, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel
from littlestone.core.parameters import anything, whole
from littlestone.learners.base import Learner
from littlestone.learners.composite import FORWARDED, Composite, fresh
from littlestone.learners.succession import Counted, Succession
from littlestone.learners.together import Learned, Lesson, in_step, one_learned_by, same_knowledge, unlearned

__all__ = ["Forgetting"]


class Forgetting(Composite):
    """A learner that forgets gradually: a successor begins to learn beside it, and takes its place.

    After each ``window`` examples, w of them, the successor takes the place of the one that is present, which is
    forgotten, and another one begins: with the same parameters, labels, names and number of attributes, and nothing
    learned. After the first w there is no successor yet; the first learner stays until there is one that has seen w.
    Predictions, and all else that is asked, are those of the one that is present.

    Invariant: before trial t (the first is 0) the present learner has learned the examples from s on, in their order,
    and no others, where

        s = w max(0, floor(t/w) - 1).

    So each prediction depends on the last w examples at least, and on fewer than 2w (as long as there were so many);
    of what was before, only the labels and the names are still known. A trial costs what two of the learner do.

    Bound
    -----
    None for all trials. But where a target stays the same from trial (k-1) w to before (k+1) w, for some k >= 1, the
    last w of these cost at most the mistakes that the learner's own bound has for that target: whoever is present then
    has begun at the first of them, and has seen nothing else. Put `around` a learner that has learned before, this
    holds for k >= 2 only: before trial 2w that one is present, with all that it has learned.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Shifting(n=100, k=3, every=2000, trials=10_000)
    >>> alone, forgetting = ls.NaiveBayes(), ls.Forgetting(ls.NaiveBayes(), window=500)
    >>> ls.play(alone, stream).mistakes, ls.play(forgetting, stream).mistakes, forgetting.remembered
    (3067, 803, 500)
    """

    forwards = FORWARDED

    learner: Learner = anything(
        takes="Learner",
        kw_only=False,
        check=unlearned,
        says="It begins, and those that follow it have its parameters; it is copied.",
    )
    window: int = whole(default=10_000, says="After how many examples a successor takes over.")

    def _check(self) -> None:
        self._present, self._successor = self.learner.copy(), fresh(self.learner)
        self._counts = Succession()  # what all that were present have done
        self._begun = 0  # trials of the first one before it was put here

    @classmethod
    def around(cls, present: Learner, **params: Any) -> Self:
        """Return one whose first learner has learned already: t is counted from here on, and it stays for 2w trials.

        The invariant and the bound are about the learners that follow it, from trial 2w on (k >= 2): before, what is
        predicted may depend on all that this one has learned.

        >>> import littlestone as ls
        >>> winnow = ls.Winnow(theta=8)
        >>> _ = winnow.learn([[1, 0], [0, 1]] * 10, [1, 0] * 10)
        >>> forgetting = ls.Forgetting.around(winnow, window=15)
        >>> _ = forgetting.learn([[1, 0]] * 25, [1] * 25)
        >>> forgetting.trials, forgetting.remembered, forgetting.successor.trials
        (45, 45, 10)
        """
        made = cls(fresh(present), **params)
        made._present, made._counts = present.copy(), Succession.after(made._owner, present)
        made._trials, made._mistakes, made._begun = present.trials, present.mistakes, present.trials
        return made

    @property
    def _time(self) -> int:
        """How many trials there have been since it began to forget."""
        return self._trials - self._begun

    @property
    def inner(self) -> dict[str, Learner]:
        """The learner that is present, and its successor, which has learned nothing before there is one."""
        return {"present": self._present, "successor": self._successor}

    @property
    def players(self) -> list[Learner]:
        """The learner that is present, and its successor, once there is one."""
        return [self._present] if self._time < self.window else [self._present, self._successor]

    @property
    def explained(self) -> Learner:
        """The learner that is present."""
        return self._present

    @property
    def present(self) -> Learner:
        """The learner that predicts."""
        return self._present

    @property
    def successor(self) -> Learner | None:
        """The one that will follow it; None: it has not begun."""
        return self._successor if self._time >= self.window else None

    @property
    def remembered(self) -> int:
        """How many examples, the last ones, the present learner has learned from."""
        turns = self._time // self.window
        return self._trials if turns < 2 else self._time - self.window * (turns - 1)

    @property
    def left(self) -> int:
        """How many trials it takes until the successor takes over, or the first one begins."""
        return self.window - self._time % self.window

    # The game

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then let the present learner and its successor learn; return predictions."""
        lesson = Lesson.of(self, X, y, weight)
        if len(lesson.rows) == 1:
            lesson.check(self.players)
            return in_step(self, lambda: self._played(lesson))
        after: Forgetting = self.copy()  # a refusal leaves no trace
        said, start = list[NDArray[Any]](), 0
        while not said or start < len(lesson.rows):
            stop = min(start + after.left, len(lesson.rows))
            said.append(after._played(lesson.part(start, stop)))
            start = stop
        self.become(after)
        return said[0] if len(said) == 1 else np.concatenate(said)

    def _played(self, lesson: Lesson) -> NDArray[Any]:
        """Let those that play learn rows up to the end of a turn at most; return the predictions."""
        found: NDArray[Any] = self._counted(lesson.learned_by(self.players))
        return found

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial, given as to `Learner.learn_one`; return the prediction."""
        self.check_one(x, y)  # whoever refuses it does so before anybody learns
        return in_step(self, lambda: self._counted(one_learned_by(self.players, x, y)))

    def mark(self) -> Callable[[], None]:
        """Return what takes the counts of later trials back, and lets both know the labels and the names."""
        return self._counts.marked(self.players, super().mark())

    def _counted(self, learned: Learned) -> Any:
        """Count trials, return the predictions; at the end of a turn the successor takes over, and another begins."""
        wrong = learned.wrong[0]
        self._trials += len(wrong)
        self._mistakes += int(np.count_nonzero(wrong))
        self._counts.count(self._present, learned.codes, wrong)
        if len(wrong) and self._time % self.window == 0:
            if self._time > self.window:
                self._counts.hand_over(self._present, self._successor)
                self._present = self._successor
            self._successor = self._present.anew()
        return learned.said[0]

    # What it has come to

    @property
    def counted(self) -> Counted:
        """The updates of those that were present, and what befell each class."""
        return self._counts.counted(self._present)

    @property
    def books(self) -> tuple[object, ...]:
        """The counts of all that were present."""
        return (self._counts,)

    @property
    def guarantee(self) -> None:
        """None: see the class for what holds while the target stays the same."""
        return

    # Written down

    def own_state(self) -> State:
        """Return the counts of all that were present, and when it began to forget."""
        return {"begun": np.array([self._begun], dtype=np.int64)} | self._counts.state()

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return what goes on with these two learners, if these have learned what they must have by then."""
        made = cls(**params)
        made._trials, made._mistakes = state["game"][:2].tolist()
        made._present, made._successor = inner["present"], inner["successor"]
        begun = state["begun"]
        if begun.dtype.kind != "i" or begun.shape != (1,) or not 0 <= begun[0] <= made._trials:
            raise InvalidModel(f"Forgetting: begun: expected one of {made._trials} trials, got {begun.tolist()}")
        made._begun = int(begun[0])
        turns = made._time // made.window
        expected = (made.remembered, made._time - turns * made.window if turns else 0)
        if (made._present.trials, made._successor.trials) != expected:
            raise InvalidModel(
                f"Forgetting: trials: expected {expected[0]} of the present learner and {expected[1]} of its successor "
                f"after {made._trials}, got {made._present.trials} and {made._successor.trials}"
            )
        if made._time >= made.window:
            same_knowledge("Forgetting", made._present, made._successor)
        made._counts.take("Forgetting", made._present, state, (made._trials, made._mistakes))
        return made

    def __repr__(self) -> str:
        return f"Forgetting({self.learner!r}, window={self.window}, {self._trials} trials, {self._mistakes} mistakes)"
