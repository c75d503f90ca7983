"""Restarting: a learner that is challenged by a new one when its mistakes become more frequent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from enum import Enum, auto
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Ints, State
from littlestone.core.errors import InvalidModel
from littlestone.core.parameters import anything, number
from littlestone.learners.base import Learner
from littlestone.learners.composite import FORWARDED, Composite, fresh
from littlestone.learners.succession import Counted, Succession
from littlestone.learners.together import Learned, Lesson, in_step, one_learned_by, same_knowledge, unlearned
from littlestone.parts.changes import ChangeDetector
from littlestone.parts.duel import Duel, Wrong

__all__ = ["Restarting"]

AHEAD = 4096  # rows that are learned before anybody looks where a duel began or ended in them


class _Turn(Enum):
    """What comes after some trials."""

    NONE = auto()
    DECIDED = auto()  # it is decided who of two is better
    CHANGED = auto()  # mistakes have become more frequent


class Restarting(Composite):
    """A learner that is challenged by a new one when mistakes become more frequent, and replaced if that is better.

    A champion plays, and a `ChangeDetector` watches its mistakes. When these have become more frequent, a challenger
    begins to learn beside it: with the same parameters, labels, names and number of attributes, and nothing learned.
    In this duel the prediction is of the one that has made fewer mistakes since it began (of equal ones: the
    champion's). With a and b trials in which the champion and the challenger erred alone, the duel ends when

        |a - b| >= sqrt(2 m ln(m (m+1) / delta)),   m = a + b;

    the other trials say nothing of who is better. The one with fewer mistakes is the champion from then on, the other
    one is forgotten, and the detector begins anew. It watches the predictions of a duel, too: if mistakes become more
    frequent before one is decided, the one that leads is the champion, and a new challenger comes. Outside of duels a
    trial costs what one of the learner does, in a duel twice as much.

    Bound
    -----
    On any sequence: a duel has at most 2m + 1 mistakes, where the better of the two makes m. It is Weighted Majority of
    two experts for every beta in (0, 1) at once, and 2m + 1 is less than (ln 2 + m ln(1/beta)) / ln(2/(1+beta)) for
    each: see `bounds.duels`. So where the learner has a bound B for a target that stays the same during a duel, the
    duel has at most 2B + 1, whatever the champion has learned before. ``guarantee`` has the m so far of all duels.

    While no trial's probability of a mistake, given all before it, is larger than that of an earlier one, there is a
    duel with a probability of at most delta, and again after each. One who is not better (in no trial of the duel,
    given all before it, less likely to err alone) wins it by decision with a probability of at most delta: see `Duel`
    in `littlestone.parts.duel`.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Shifting(n=200, k=3, every=10_000, trials=20_000, noise=0.05)
    >>> alone, restarting = ls.NaiveBayes(), ls.Restarting(ls.NaiveBayes())
    >>> ls.play(alone, stream).mistakes, ls.play(restarting, stream).mistakes
    (4840, 1301)
    >>> restarting.duels, restarting.restarts, restarting.mistakes <= restarting.guarantee.value
    (1, 1, True)

    Reference
    ---------
    Littlestone and Warmuth, "The weighted majority algorithm", Information and Computation 108 (1994), for two experts;
    that a new learner is put beside the old one, and who wins, is of this package.
    """

    forwards = FORWARDED

    learner: Learner = anything(
        takes="Learner",
        kw_only=False,
        check=unlearned,
        says="The first champion, and what challengers are like; it is copied.",
    )
    delta: float = number(
        default=0.01,
        above=0,
        below=1,
        says="How probable a duel without a reason is at most, and in a duel that the wrong one wins.",
    )

    def _check(self) -> None:
        self._champion, self._challenger = self.learner.copy(), fresh(self.learner)
        self._watch, self._duel = self._detector(), self._no_duel()
        self._dueling = False
        self._duels = self._restarts = 0
        self._in_duels = self._least = 0  # mistakes in all duels; the fewer ones of each that is over
        self._counts = Succession()  # what all champions have done

    @classmethod
    def around(cls, champion: Learner, **params: Any) -> Self:
        """Return one whose first champion has learned already, as if it had been there from the beginning.

        >>> import littlestone as ls
        >>> winnow = ls.Winnow(theta=8)
        >>> _ = winnow.learn([[1, 0], [0, 1]], [1, 0])
        >>> restarting = ls.Restarting.around(winnow)
        >>> restarting.trials, restarting.champion.trials, restarting.learner.trials
        (2, 2, 0)
        """
        made = cls(fresh(champion), **params)
        made._champion, made._counts = champion.copy(), Succession.after(made._owner, champion)
        made._trials, made._mistakes = champion.trials, champion.mistakes
        return made

    def _detector(self) -> ChangeDetector:
        return ChangeDetector(delta=float(self.delta))

    def _no_duel(self) -> Duel:
        return Duel(delta=float(self.delta))

    @property
    def inner(self) -> dict[str, Learner]:
        """The champion and the challenger, which has learned nothing where there is no duel."""
        return {"champion": self._champion, "challenger": self._challenger}

    @property
    def players(self) -> list[Learner]:
        """The champion and, in a duel, the challenger."""
        return [self._champion, self._challenger] if self._dueling else [self._champion]

    @property
    def speaker(self) -> Learner:
        """The one that predicts: the champion, unless a challenger has made fewer mistakes."""
        return self._challenger if self._duel.second_leads else self._champion

    @property
    def explained(self) -> Learner:
        """The one that predicts."""
        return self.speaker

    @property
    def champion(self) -> Learner:
        """The champion, which need not be the one that predicts while there is a duel."""
        return self._champion

    @property
    def challenger(self) -> Learner | None:
        """The challenger; None: there is no duel."""
        return self._challenger if self._dueling else None

    # The game

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then let the champion and the challenger learn; return the predictions."""
        lesson = Lesson.of(self, X, y, weight)
        if len(lesson.rows) == 1:
            lesson.check(self.players)
            alone: NDArray[Any] = in_step(self, lambda: self._counted(lesson.learned_by(self.players)))
            return alone
        after: Restarting = self.copy()  # a refusal leaves no trace
        said, start = list[NDArray[Any]](), 0
        while not said or start < len(lesson.rows):
            said.append(after._played(lesson.part(start, start + AHEAD)))
            start += max(1, len(said[-1]))
        self.become(after)
        return said[0] if len(said) == 1 else np.concatenate(said)

    def _played(self, lesson: Lesson) -> NDArray[Any]:
        """Let those that play learn rows until a duel begins or ends; return the predictions of as many."""
        players = self.players
        before = [player.copy() for player in players]
        learned = lesson.learned_by(players)
        stop, turn = self._looked_at(learned.wrong)
        if stop < len(lesson.rows):
            for player, earlier in zip(players, before, strict=True):
                player.become(earlier)
            learned = lesson.part(0, stop).learned_by(players)
        said = learned.said
        found = np.where(self._duel.leads(learned.wrong), said[1], said[0]) if self._dueling else said[0]
        self._count(learned, turn)
        return found

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial, given as to `Learner.learn_one`; return the prediction."""
        self.check_one(x, y)  # whoever refuses it does so before anybody learns
        return in_step(self, lambda: self._counted(one_learned_by(self.players, x, y)))

    def mark(self) -> Callable[[], None]:
        """Return what takes the counts of later trials back, and lets both players know the labels and the names."""
        return self._counts.marked(self.players, super().mark())

    def _counted(self, learned: Learned) -> Any:
        """Count one trial; return the prediction."""
        if self._watch.left == 1:  # it will join stretches in place, and `mark` is to find the old ones
            self._watch = deepcopy(self._watch)
        found = learned.said[self._duel.second_leads]
        self._count(learned, self._looked_at(learned.wrong)[1])
        return found

    def _shown(self, wrong: Wrong) -> NDArray[np.bool_]:
        """Return in which trials the prediction is wrong."""
        return np.asarray(np.where(self._duel.leads(wrong), wrong[1], wrong[0])) if self._dueling else wrong[0]

    def _looked_at(self, wrong: Wrong) -> tuple[int, _Turn]:
        """Return after how many trials a duel ends or begins, and why; all of them, where none does.

        What was decided the detector has not seen, for it begins anew.
        """
        end = self._duel.end(wrong) if self._dueling else None
        shown = self._shown(wrong)
        stop, start = len(shown) if end is None else end - 1, 0
        while start < stop:
            part = min(self._watch.left, stop - start)
            change = self._watch.add(part, int(np.count_nonzero(shown[start : start + part])))
            start += part
            if change is not None:
                return start, _Turn.CHANGED
        return (len(shown), _Turn.NONE) if end is None else (end, _Turn.DECIDED)

    def _count(self, learned: Learned, turn: _Turn) -> None:
        """Count trials up to the end or the beginning of a duel, and let that come."""
        shown = self._shown(learned.wrong)
        mistakes = int(np.count_nonzero(shown))
        self._counts.count(self._champion, learned.codes, shown)
        self._trials += len(shown)
        self._mistakes += mistakes
        if self._dueling:
            self._in_duels += mistakes
            self._duel.count(learned.wrong)
        if turn is _Turn.NONE:
            return
        if self._dueling:
            self._end()
        if turn is _Turn.DECIDED:
            self._watch = self._detector()
        else:
            self._challenger, self._dueling = self._champion.anew(), True
            self._duels += 1

    def _end(self) -> None:
        """Let the one with fewer mistakes be the champion."""
        self._least += self._duel.fewer
        self._restarts += self._duel.second_leads
        self._counts.hand_over(self._champion, self.speaker)
        self._champion, self._challenger = self.speaker, fresh(self.learner)
        self._dueling, self._duel = False, self._no_duel()

    # What it has come to

    @property
    def duels(self) -> int:
        """How many duels there have been, with the one that is not over."""
        return self._duels

    @property
    def restarts(self) -> int:
        """How often a challenger has become the champion."""
        return self._restarts

    @property
    def counted(self) -> Counted:
        """The updates of the champions, and what befell each class."""
        return self._counts.counted(self._champion)

    @property
    def books(self) -> tuple[object, ...]:
        """The counts of all champions, the duel, and the detector."""
        return self._counts, self._duel, self._watch

    @property
    def guarantee(self) -> Bound:
        """The bound on its mistakes, for those of the better one in each duel so far, and those outside of duels."""
        errors = self._least + self._duel.fewer
        return bounds.duels(errors=errors, duels=self._duels, alone=self._mistakes - self._in_duels)

    # Written down

    def own_state(self) -> State:
        """Return the duel, what there is of earlier ones, what the detector has seen, and the champions' counts."""
        numbers = (self._dueling, *self._duel.errors, self._duels, self._restarts, self._in_duels, self._least)
        return {"duel": np.array(numbers, dtype=np.int64), "watch": self._watch.state()} | self._counts.state()

    @classmethod
    def of(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]], inner: Mapping[str, Learner]) -> Self:
        """Return what goes on with these two learners and this duel."""
        made = cls(**params)
        made._trials, made._mistakes = state["game"][:2].tolist()
        made._champion, made._challenger = inner["champion"], inner["challenger"]
        made._counts.take("Restarting", made._champion, state, (made._trials, made._mistakes))
        made._take_duel(state["duel"])
        if made._dueling:
            same_knowledge("Restarting", made._champion, made._challenger)
        watch = state["watch"]
        if watch.dtype.kind != "i" or not made._watch.is_sound(watch):
            raise InvalidModel(f"Restarting: watch: expected what a ChangeDetector has seen, got {watch.tolist()}")
        made._watch.restore(watch)
        if made._watch.trials > made._trials:
            raise InvalidModel(
                f"Restarting: watch: expected at most {made._trials} trials, got {made._watch.trials} of the detector"
            )
        return made

    def _take_duel(self, found: Ints) -> None:
        """Go on from the numbers of `own_state`, if a game can have led to them."""
        if found.dtype.kind != "i" or found.shape != (8,) or found.min() < 0:
            raise InvalidModel(f"Restarting: duel: expected eight whole numbers, got {found.tolist()}")
        dueling, mine, other, both, self._duels, self._restarts, self._in_duels, self._least = found.tolist()
        self._dueling, self._duel.errors = bool(dueling), (mine, other, both)
        trials, over = self._challenger.trials, self._duels - dueling
        sound = (
            dueling <= self._duels
            and both <= min(mine, other)
            and max(mine, other) <= trials <= self._champion.trials <= self._trials
            and (dueling == 1 or trials == 0)
            and self._restarts <= over
            and (over or not self._least)
            and self._in_duels <= min(self._mistakes, 2 * (self._least + min(mine, other)) + self._duels)
        )
        if not sound or dueling > 1:
            raise InvalidModel(f"Restarting: duel: expected the numbers of a game, got {found.tolist()}")

    def __repr__(self) -> str:
        made = f"{self._trials} trials, {self._mistakes} mistakes, {self._duels} duels, {self._restarts} restarts"
        return f"Restarting({self.learner!r}, delta={self.delta!r}, {made})"
