"""Duels: which of two makes fewer mistakes on the same trials, with a bound on wrong decisions."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

__all__ = ["Duel", "decided"]

Wrong = NDArray[np.bool_]  # who was wrong: the first and the second (rows), trial by trial


def decided(lead: int, alone: int, delta: float) -> bool:
    """Tell whether a duel is decided: of ``alone`` trials in which one of two erred alone, one has ``lead`` more.

    >>> decided(27, 27, 0.001), decided(28, 28, 0.001), decided(28, 1000, 0.001)
    (False, True, False)
    """
    return alone > 0 and lead * lead >= 2.0 * alone * log(alone * (alone + 1) / delta)


class Duel:
    """Two that predict the same trials: who leads, and when it is decided who is better.

    Of two that have made a and b mistakes in trials in which the other one made none, m = a + b in all, the one with
    fewer has won when ``|a - b| >= sqrt(2 m ln(m (m+1) / delta))``. Trials in which both err, or neither, say nothing
    of who is better.

    Bound
    -----
    If in each trial, given all before it, the first is not more likely to err alone than the second, the second wins at
    any time with a probability of at most delta; and the other way round. For among the trials in which one errs alone
    the difference rises by at most 1, on the mean not at all: by Azuma's inequality it is that large after m of them
    with a probability of at most ``delta / (m (m+1))``, and these sum to delta.

    Example
    -------
    >>> duel = Duel(delta=0.01)
    >>> wrong = np.array([[True] * 30, [False, False, True] * 10])
    >>> duel.end(wrong), duel.errors
    (None, (0, 0, 0))
    >>> duel.count(wrong)
    >>> duel.errors, duel.second_leads, duel.end(wrong)
    ((30, 10, 10), True, 2)
    """

    def __init__(self, *, delta: float, errors: tuple[int, int, int] = (0, 0, 0)) -> None:
        self.delta = delta
        self.errors = errors
        """The mistakes of the first and of the second, and the trials in which both erred."""

    @property
    def second_leads(self) -> bool:
        """Whether the second has made fewer mistakes."""
        return self.errors[1] < self.errors[0]

    @property
    def fewer(self) -> int:
        """The mistakes of the one that has made fewer."""
        return min(self.errors[:2])

    def leads(self, wrong: Wrong) -> NDArray[np.bool_]:
        """Return before which of these trials the second has made fewer mistakes."""
        more = wrong[0].astype(np.int64) - wrong[1]
        return np.asarray(self.errors[0] - self.errors[1] + np.cumsum(more) - more > 0)

    def end(self, wrong: Wrong) -> int | None:
        """Return after how many of these trials it is decided; None: after none of them."""
        first, second, both = self.errors
        lead, alone = first - second, first + second - 2 * both
        for t in np.flatnonzero(wrong[0] != wrong[1]).tolist():
            lead, alone = lead + (1 if wrong[0, t] else -1), alone + 1
            if decided(lead, alone, self.delta):
                return int(t) + 1
        return None

    def count(self, wrong: Wrong) -> None:
        """Count these trials."""
        first, second, both = self.errors
        more = (int(np.count_nonzero(one)) for one in (wrong[0], wrong[1], wrong[0] & wrong[1]))
        self.errors = first + next(more), second + next(more), both + next(more)
