"""Greedy: an adversary that looks at the weights and makes every trial a mistake, for as long as it can."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from littlestone.core.arrays import Bools, Floats, Ints
from littlestone.core.errors import InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import check_size
from littlestone.teachers.base import Teacher, View

__all__ = ["Greedy"]

TRIALS = 100_000  # where a game that has no end is ended

Answer = tuple[Bools, int]


def _positions(target: Any) -> list[Any]:
    """Return the attributes of a target: one, or several."""
    if isinstance(target, int | np.integer):
        return [target]
    if isinstance(target, str) or not hasattr(target, "__iter__") or getattr(target, "ndim", 1) != 1:
        raise InvalidParameter(f"Greedy: target must be one or more attributes by position, got {target!r}")
    return list(target)


class Greedy(Teacher):
    """Every trial a mistake on a disjunction, until the learner's weights leave none.

    A positive example on which the learner errs is the lightest relevant attribute with as much irrelevant weight as
    theta allows: each attribute promoted in vain can be demoted later. A negative one is irrelevant weight that just
    reaches theta. Positive ones come first. The game ends when neither exists, which is decided exactly: no
    positive row is lighter than the lightest relevant attribute with every attribute of negative weight, no negative
    one heavier than all irrelevant attributes of positive weight.

    Parameters
    ----------
    target : iterable of int
        The attributes of the disjunction.
    n : int
        The number of attributes.
    attribute_errors : int
        How many bits may be wrong in all: a positive row without a relevant attribute, or a negative one with a single
        relevant attribute, costs one. They are spent when nothing else is left.
    label_errors : int
        How many labels may be wrong: all relevant attributes are demoted at once. They are spent last.
    first : "heavy" or "light"
        Which irrelevant weights are put into a positive row, and left out of a negative one, before the others.
    trials : int
        The game ends after so many trials in any case (a learner without a bound may err for ever).

    ``attribute_errors_left`` and ``label_errors_left`` say what has not been spent.

    Example
    -------
    >>> import littlestone as ls
    >>> winnow = ls.Winnow(alpha=1.5, theta=256)
    >>> ls.play(winnow, Greedy(range(4), 256)).mistakes, winnow.guarantee.at(k=4).value
    (125, 142)
    >>> noisy = Greedy([0], 64, attribute_errors=3)
    >>> learner = ls.ThresholdedBEG()
    >>> ls.play(learner, noisy).mistakes, round(learner.guarantee.at(k=1, attribute_errors=3).value, 1)
    (24, 31.3)

    Reference
    ---------
    The argument of Littlestone (1988) and of Khardon, Roth and Servedio's Theorem 2 read as a strategy.
    """

    target: Ints

    def __init__(
        self, target: Iterable[int] | int = (0,), n: int = 64, *, attribute_errors: int = 0, label_errors: int = 0,
        first: str = "heavy", trials: int = TRIALS,
    ) -> None:  # fmt: skip
        self.n_attributes = check_size("Greedy", n)
        positions = _positions(target)
        if not positions or len(set(positions)) < len(positions):
            raise InvalidParameter(f"Greedy: target must be one or more different attributes, got {positions!r}")
        for position in positions:
            check_whole("Greedy", "target", position, least=0, most=self.n_attributes - 1)
        self.target = np.sort(np.array(positions, dtype=np.int64))
        self._irrelevant = np.setdiff1d(np.arange(self.n_attributes), self.target)
        self.attribute_errors = check_whole("Greedy", "attribute_errors", attribute_errors, least=0)
        self.label_errors = check_whole("Greedy", "label_errors", label_errors, least=0)
        if first not in ("heavy", "light"):
            raise InvalidParameter(f"Greedy: first must be 'heavy' or 'light', got {first!r}")
        self.first, self.trials = first, check_whole("Greedy", "trials", trials, least=0)
        self._restart()

    def _restart(self) -> None:
        self.attribute_errors_left, self.label_errors_left, self._played = self.attribute_errors, self.label_errors, 0

    def begin(self, view: View) -> None:
        """Take all errors back, and refuse a learner that has no weights."""
        if view.hypothesis() is None:
            raise InvalidParameter("Greedy: expected a learner with weights and a threshold, got one without")
        self._restart()

    def trial(self, view: View) -> Answer | None:
        """Return an example on which the learner errs, or None where there is none left."""
        found = view.hypothesis()
        if found is None or self._played == self.trials:
            return None
        self._played += 1
        w = np.zeros(self.n_attributes)
        w[: len(found.w)] = found.w
        hypothesis = Hypothesis(w, found.theta)
        lightest, heaviest = self.target[[np.argmin(w[self.target]), np.argmax(w[self.target])]]
        row = self._positive(view, hypothesis, [lightest])
        if row is not None:
            return row, 1
        row = self._negative(view, hypothesis, [])
        if row is not None:
            return row, 0
        return self._with_errors(view, hypothesis, heaviest)

    def _with_errors(self, view: View, hypothesis: Hypothesis, heaviest: int) -> Answer | None:
        if self.attribute_errors_left:
            rows = (self._negative(view, hypothesis, [heaviest]), self._positive(view, hypothesis, []))
            # The nearer to theta, the more weight moves.
            costs = [np.inf if row is None else abs(hypothesis.w[row].sum() - hypothesis.theta) for row in rows]
            label = int(np.argmin(costs))
            row = rows[label]
            if row is not None:
                self.attribute_errors_left -= 1
                return row, label
        if self.label_errors_left:
            self.label_errors_left -= 1
            return self._row(self.target), 0  # predicted 1: no positive row is a mistake any more
        return None

    def _row(self, *on: Any) -> Bools:
        row = np.zeros(self.n_attributes, dtype=bool)
        for positions in on:
            row[positions] = True
        return row

    def _positive(self, view: View, hypothesis: Hypothesis, relevant: list[Any]) -> Bools | None:
        """Return a row with these relevant attributes that is predicted 0, with all the weight that it can bear."""
        w, theta = hypothesis
        row = self._row(relevant)
        if view.predict(row) == 1:
            row = self._row(relevant, w < 0.0) if relevant else self._row(self._irrelevant[w[self._irrelevant] < 0.0])
            if view.predict(row) == 1:
                return None
        more = self._irrelevant[(w[self._irrelevant] > 0.0) & ~row[self._irrelevant]]
        for strict in (False, True):  # theta itself may be reached or not, as the learner's ties have it
            filled = row.copy()
            filled[more[self._fit(w[more], theta - w[row].sum(), strict)]] = True
            if view.predict(filled) == 0:
                return filled
        return row  # sums that round badly

    def _negative(self, view: View, hypothesis: Hypothesis, relevant: list[Any]) -> Bools | None:
        """Return a row with these relevant attributes that is predicted 1, with as little weight as will do."""
        w, theta = hypothesis
        heavy = self._irrelevant[w[self._irrelevant] > 0.0]
        row = self._row(relevant, heavy)
        if view.predict(row) == 0:
            return None
        for strict in (False, True):
            emptied = row.copy()
            emptied[heavy[self._fit(w[heavy], w[row].sum() - theta, strict)]] = False
            if view.predict(emptied) == 1:
                return emptied
        return row

    def _fit(self, w: Floats, budget: float, strict: bool) -> Ints:
        """Return the positions of positive weights that together stay within (strictly: below) a budget."""
        order = np.argsort(-w if self.first == "heavy" else w, kind="stable")
        falling, sums = -w[order], np.concatenate(([0.0], np.cumsum(w[order])))
        taken: list[Ints] = []
        start = 0
        while start < len(order):
            fits = np.searchsorted(sums, sums[start] + budget, side="left" if strict else "right")
            stop = max(start, int(fits) - 1)
            taken.append(order[start:stop])
            if self.first == "light":
                break  # what comes next is no lighter
            budget -= float(sums[stop] - sums[start])
            light = np.searchsorted(falling, -budget, side="right" if strict else "left")
            start = max(stop + 1, int(light))
        return np.concatenate(taken) if taken else np.zeros(0, dtype=np.int64)

    def __repr__(self) -> str:
        errors = "".join(
            f", {name}={value}"
            for name, value in (("attribute_errors", self.attribute_errors), ("label_errors", self.label_errors))
            if value
        )
        trials = "" if self.trials == TRIALS else f", trials={self.trials}"
        return f"Greedy({self.target.tolist()}, n={self.n_attributes}{errors}, first={self.first!r}{trials})"
