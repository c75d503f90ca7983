"""Changes: when a learner has begun to make more mistakes than before, with a bound on false alarms."""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.engine.learning import changes as engine

__all__ = ["Change", "ChangeDetector"]

LONGEST = 1 << 40
MOST = engine.ALIKE * 63 + 1  # stretches: lengths are powers of two
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

        m kl(x, q) >= L and m' kl(x', q) >= L,   L = ln(2 * 400 * 5 b * k (k+1) / delta),

    where kl(x, q) = x ln(x/q) + (1-x) ln((1-x)/(1-q)), k is the number of stretches and b that of its bits, so that
    there are fewer than 5 b cuts. Memory and the time of a stretch grow with the logarithm of the trials.

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
        self._open = self._wrong = 0  # trials and mistakes of the stretch that is not complete
        self._kept = np.zeros((MOST, 2), dtype=np.int64)  # lengths and mistakes, the oldest first
        self._begin()

    def _begin(self) -> None:
        self._first, self._stretches, self._number = self.trials, 0, 0

    def see(self, mistakes: ArrayLike) -> list[Change]:
        """Take trials in order, True where there was a mistake; return the changes that they show."""
        seen = np.asarray(mistakes)
        sound = seen.dtype.kind in "bui" and bool(((seen == 0) | (seen == 1)).all())
        if seen.ndim != 1 or not (sound or not len(seen)):
            raise InvalidData(f"ChangeDetector: expected for each trial whether it was a mistake, got {mistakes!r}")
        found, start = list[Change](), 0
        while start < len(seen):
            stop = min(start + self.left, len(seen))
            change = self.add(stop - start, int(seen[start:stop].sum()))
            found += [] if change is None else [change]
            start = stop
        return found

    @property
    def left(self) -> int:
        """How many trials complete the stretch that is open."""
        return self.every - self._open

    def add(self, trials: int, mistakes: int) -> Change | None:
        """Take at most `left` trials with so many mistakes; return the change that they show, if they do."""
        self.trials += trials
        self._open, self._wrong = self._open + trials, self._wrong + mistakes
        if self._open < self.every:
            return None
        count, self._open, self._wrong = self._wrong, 0, 0
        self._stretches += 1
        self._number = engine.joined(self._kept, self._number, count)
        change = self._change()
        if change is not None:
            self._begin()
        return change

    # Written down

    def state(self) -> Ints:
        """Return the open stretch and the others, the oldest first: trials (or lengths) and mistakes of each."""
        return np.concatenate(([(self._open, self._wrong)], self._kept[: self._number])).astype(np.int64)

    def is_sound(self, state: Ints) -> bool:
        """Tell whether `state` can give this: as many stretches, of such lengths and mistakes, in such an order."""
        if state.ndim != 2 or state.shape[1:] != (2,) or not 1 <= len(state) <= MOST + 1:
            return False
        opened, wrong = state[0].tolist()
        lengths, mistakes = state[1:].T
        powers = (lengths > 0) & (lengths < LONGEST) & (lengths & (lengths - 1) == 0)
        few = max(np.unique_counts(lengths).counts, default=0) <= engine.ALIKE
        ordered = few and bool(powers.all()) and bool((lengths[1:] <= lengths[:-1]).all())
        counted = ordered and bool(((mistakes >= 0) & (mistakes <= self.every * lengths)).all())
        return counted and 0 <= wrong <= opened < self.every

    def restore(self, state: Ints) -> None:
        """Go on from what `state` gave; trials are counted from the last change on."""
        self._open, self._wrong = state[0].tolist()
        self._number = len(state) - 1
        self._kept[: self._number] = state[1:]
        self._stretches, self._first = int(state[1:, 0].sum()), 0
        self.trials = self._stretches * self.every + self._open

    def _change(self) -> Change | None:
        """Return the change at the cut that shows it best, if any does."""
        k = self._stretches
        needed = log(2.0 * RATES * engine.ALIKE * k.bit_length() * k * (k + 1) / self.delta)
        if not engine.may_show(self._kept, self._number, self.every, needed):
            return None
        lengths, mistakes = self._kept[: self._number].T
        m, s = self.every * np.cumsum(lengths), np.cumsum(mistakes)
        before, after = s[:-1] / m[:-1], (s[-1] - s[:-1]) / (m[-1] - m[:-1])
        likely = np.flatnonzero(after > before)
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
