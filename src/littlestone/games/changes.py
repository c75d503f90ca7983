"""Changes: when a learner has begun to make more mistakes than before, with a bound on false alarms."""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import check_whole

__all__ = ["Change", "ChangeDetector"]

ALIKE = 5  # stretches of one length that are kept apart
FARTHEST, RATES = 9.2, 400  # log-odds, up to 1 in 10,000; rates that a stretch may have been below and the next above


class Change(NamedTuple):
    """A change: the trial after which it was noticed, where it seems to have begun, and the errors around that."""

    noticed: int
    began: int
    before: float
    after: float


class ChangeDetector:
    """Notices that mistakes have become more frequent, and seldom says so when they have not.

    Trials are counted in stretches of ``every``; older ones are joined, so that at most five of each length are kept:
    1, 2, 4, ... times ``every``. After each stretch the trials since the last change are cut in two wherever two
    stretches meet. With shares of mistakes x in the m trials before a cut and x' in the m' trials after it, there is a
    change if for one of 400 rates q between x and x'

        m kl(x, q) >= L and m' kl(x', q) >= L,   L = ln(2 * 400 * c * k (k+1) / delta),

    where kl(x, q) = x ln(x/q) + (1-x) ln((1-x)/(1-q)), c is the number of cuts and k that of the stretches. Memory and
    the time of a stretch grow with the logarithm of the trials.

    Bound
    -----
    If no trial's probability of a mistake, given all trials before it, is larger than that of an earlier one, there is
    a (false) change at any time with a probability of at most delta; and again after each change. For by Chernoff's
    bound, with rates that may depend on the past, either the mean rate before the cut is at least q and x is that far
    below q, or the mean rate after it is at most q and x' is that far above, each with a probability of at most
    e^(-L); the sum over rates, cuts and stretches is at most delta. Nothing is assumed of how trials depend on each
    other otherwise.

    Example
    -------
    >>> import numpy as np
    >>> mistakes = np.random.default_rng(0).random(6000) < np.repeat([0.05, 0.25], 3000)
    >>> detector = ChangeDetector(delta=0.01)
    >>> for change in detector.see(mistakes):
    ...     print(change.noticed, change.began, round(change.before, 2), round(change.after, 2))
    3199 3008 0.05 0.26

    Reference
    ---------
    The stretches are those of Bifet and Gavalda, "Learning from time-changing data with adaptive windowing", SDM 2007.
    """

    def __init__(self, *, delta: float = 0.01, every: int = 32) -> None:
        if not isinstance(delta, int | float) or not 0.0 < delta < 1.0:
            raise InvalidParameter(f"ChangeDetector: delta must be in (0, 1), got {delta!r}")
        self.delta, self.every = float(delta), check_whole("ChangeDetector", "every", every)
        odds = np.linspace(-FARTHEST, FARTHEST, RATES)
        self._rates = 1.0 / (1.0 + np.exp(-odds))
        self.trials = 0
        self._open: list[bool] = []  # the stretch that is not complete
        self._begin()

    def _begin(self) -> None:
        self._first, self._stretches = self.trials - len(self._open), 0
        self._lengths, self._mistakes = list[int](), list[int]()  # the oldest first

    def see(self, mistakes: ArrayLike) -> list[Change]:
        """Take trials in order, True where there was a mistake; return the changes that they show."""
        seen = np.asarray(mistakes)
        sound = seen.dtype.kind in "bui" and bool(((seen == 0) | (seen == 1)).all())
        if seen.ndim != 1 or not (sound or not len(seen)):
            raise InvalidData(f"ChangeDetector: expected for each trial whether it was a mistake, got {mistakes!r}")
        found, start = list[Change](), 0
        while len(seen) - start >= self.every - len(self._open):
            stop = start + self.every - len(self._open)
            count = sum(self._open) + int(seen[start:stop].sum())
            self.trials, self._open, start = self.trials + stop - start, [], stop
            self._add(count)
            change = self._change()
            if change is not None:
                found.append(change)
                self._begin()
        self._open += seen[start:].astype(bool).tolist()
        self.trials += len(seen) - start
        return found

    def _add(self, count: int) -> None:
        """Add a stretch; join the two oldest of a length of which there are too many."""
        self._stretches += 1
        self._lengths.append(1)
        self._mistakes.append(count)
        last = len(self._lengths)
        while True:
            length = self._lengths[last - 1]
            first = last
            while first and self._lengths[first - 1] == length:
                first -= 1
            if last - first <= ALIKE:
                return
            for kept in (self._lengths, self._mistakes):
                kept[first : first + 2] = [kept[first] + kept[first + 1]]
            last = first + 1

    def _change(self) -> Change | None:
        """Return the change at the cut that shows it best, if any does."""
        cuts = len(self._lengths) - 1
        if not cuts:
            return None
        m, s = self.every * np.cumsum(self._lengths), np.cumsum(self._mistakes)
        before, after = s[:-1] / m[:-1], (s[-1] - s[:-1]) / (m[-1] - m[:-1])
        needed = log(2.0 * RATES * cuts * self._stretches * (self._stretches + 1) / self.delta)
        likely = np.flatnonzero(after > before)  # and each side is far enough from the other itself
        likely = likely[m[likely] * _far(before[likely], after[likely]) >= needed]
        likely = likely[(m[-1] - m[likely]) * _far(after[likely], before[likely]) >= needed]
        best, most = 0, 0.0
        for cut in likely.tolist():
            rates = self._rates[(self._rates > before[cut]) & (self._rates < after[cut])]
            sides = m[cut] * _far(before[cut], rates), (m[-1] - m[cut]) * _far(after[cut], rates)
            shown = float(np.minimum(*sides).max(initial=0.0))
            best, most = (cut, shown) if shown > most else (best, most)
        if most < needed:
            return None
        return Change(self.trials - 1, self._first + int(m[best]), float(before[best]), float(after[best]))


def _far(x: Any, q: Floats) -> Floats:
    """Return kl(x, q), where q may be 0 or 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = x * np.log(x / q), (1.0 - x) * np.log((1.0 - x) / (1.0 - q))
    return np.asarray(np.where(x > 0.0, one, 0.0) + np.where(x < 1.0, other, 0.0))
