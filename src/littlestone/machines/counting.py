"""What learners that count have in common: lists of counts, and near-ties that are decided in whole numbers."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from math import log, perm, prod
from typing import Any, ClassVar

import numpy as np

from littlestone.core.arrays import Codes, Columns, Floats, Ints, State
from littlestone.core.rows import Rows, check_size
from littlestone.engine.learning import counts as engine
from littlestone.machines.columns import PIECE, pieces
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, ENOUGH, Kinds, Loaded, need, within

__all__ = ["MOST_BITS", "Agreements", "Classes", "Counted", "distinct", "listed"]

TINY = 5e-324


def listed(values: Ints, places: Ints, counted: Ints) -> Ints:
    """Write a list of attributes' counts as the engine keeps it, places and columns that were 0; return its ends."""
    distinct = np.unique(np.concatenate([np.unique(values[at]) for at in pieces(len(values))]))
    found = len(distinct)
    counted[engine.COUNT, :found] = distinct
    counted[engine.SMALLER, :found] = np.arange(-1, found - 1)
    counted[engine.LARGER, :found] = [*range(1, found), engine.NONE]
    for at in pieces(len(values)):
        places[at] = np.searchsorted(distinct, values[at])
        if found <= PIECE:
            counted[engine.MEMBERS, :found] += np.bincount(places[at], minlength=found)
    if found > PIECE:
        counted[engine.MEMBERS, :found] = np.bincount(places, minlength=found)
    return np.array([0, found - 1, engine.NONE, found], dtype=np.int64)


def distinct(counted: Ints, ends: Ints) -> list[tuple[int, int]]:
    """Return the distinct counts in ascending order, each with the number of its attributes."""
    found, at = [], int(ends[engine.LEAST])
    while at != engine.NONE:
        count, members, _, larger = counted[:, at].tolist()
        found.append((count, members))
        at = larger
    return found


class Counted(Machine):
    """The machine of a learner that counts over a fixed number of attributes."""

    _updates = 0
    _kernels: ClassVar[tuple[Callable[..., int], Callable[..., None]]]  # that learns, and that scores
    takes_every_row = True

    def __init__(self, n: int | None, *, always: bool) -> None:
        assert n is not None, "learners that count need n"
        check_size(n)
        self.theta, self._size = 0.0, n
        self._counts = np.zeros(engine.SEEN_1 + 1, dtype=np.int64)
        self._counts[engine.ALWAYS], self._counts[engine.RULING] = always, -1

    def grow(self, size: int) -> None:
        """Do nothing: n is fixed, and the edge refuses what lies beyond it."""
        assert size <= self.size

    @property
    @abstractmethod
    def _own(self) -> tuple[Any, ...]:
        """The arrays that the engine's kernels take."""

    @abstractmethod
    def _sign(self, active: Columns) -> int:
        """Return the sign of w.x - theta, exactly."""

    @abstractmethod
    def _threshold(self) -> float:
        """Return theta."""

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        self._check(rows)
        predictions, row, some = np.empty(len(outcomes), dtype=np.uint8), 0, (rows.indptr, rows.indices)
        learn, given = self._kernels[0], (some, outcomes, importance, self._own, self._counts, predictions)
        while (row := learn(row, *given)) < len(outcomes):
            self._counts[engine.RULING] = self._sign(rows.indices[rows.indptr[row] : rows.indptr[row + 1]]) > 0
        self.theta = self._threshold()
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        self._check(rows)
        gaps = np.empty(len(rows.indptr) - 1)
        near = np.empty(len(gaps), dtype=np.uint8)
        self._kernels[1]((rows.indptr, rows.indices), self._own, self._counts, gaps, near)
        for row in np.flatnonzero(near).tolist():
            sign = self._sign(rows.indices[rows.indptr[row] : rows.indptr[row + 1]])
            gaps[row] = sign * max(abs(gaps[row]), TINY)
        return (gaps > 0.0).astype(np.uint8), gaps

    def _check(self, rows: Rows) -> None:
        """See that the engine, which does not look, finds every column."""
        assert int(rows.indices[rows.indptr[0] : rows.indptr[-1]].max(initial=0)) < self._size

    def examples_seen(self) -> tuple[int, int]:
        """Return how many negative and how many positive examples were counted."""
        zero, one = self._counts[[engine.SEEN_0, engine.SEEN_1]].tolist()
        return zero, one

    def check(self, state: Loaded) -> None:
        """Check the counts of examples, and what the policy says."""
        super().check(state)
        counts = state["counts"]
        need(counts.shape == (7,) and within(counts[[0, 1, 2, 5, 6]], 0, ENOUGH), "counts of a game")
        always, ruling = self._counts[engine.ALWAYS], -1
        need(counts[engine.ALWAYS] == always and counts[engine.RULING] == ruling, "counts as the policy has them")


class Classes(Counted):
    """For each class how often each attribute was on."""

    kinds: ClassVar[Kinds] = {"on": ("<i8", 2), **COUNTS}
    _kernels = engine.learn_naive_bayes, engine.score_naive_bayes

    def __init__(self, n: int | None, *, always: bool) -> None:
        super().__init__(n, always=always)
        self._take(np.zeros((self._size, 2), dtype=np.int64))

    def _take(self, on: Ints) -> None:
        """Begin from these counts."""
        n = self._size
        self._places: Ints = np.zeros((0, 2), dtype=np.int64)  # what there was is not needed any more
        self._places, self._counted = (np.zeros(shape, dtype=np.int64) for shape in ((n, 2), (2, 4, n)))
        self._ends = np.stack([listed(on[:, y], self._places[:, y], self._counted[y]) for y in (0, 1)])
        lists = zip(self._counted, self._ends, self.examples_seen(), strict=True)
        self._sums = np.array([engine.absent(counted, ends, seen) for counted, ends, seen in lists])
        self.theta = self._threshold()

    @property
    def _own(self) -> engine.NaiveBayes:
        return self._places, self._counted, self._ends, self._sums

    def _threshold(self) -> float:
        zero, one = self.examples_seen()
        return float(self._sums[0] - self._sums[1]) - log((one + 1) / (zero + 1))

    def _on(self, columns: Any = slice(None)) -> Ints:
        """Return how often attributes were on in each class."""
        return np.stack([self._counted[y, engine.COUNT, self._places[columns, y]] for y in (0, 1)], axis=1)

    def _sign(self, active: Columns) -> int:
        # Both scores are products of whole numbers, and most of their factors cancel.
        powers: Counter[int] = Counter()
        on = self._on(active)
        for y, (seen, way) in enumerate(zip(self.examples_seen(), (-1, 1), strict=True)):
            powers[seen + 1] += way
            powers[seen + 2] -= way * self._size
            for o, times in distinct(self._counted[y], self._ends[y]):
                powers[seen + 1 - o] += way * times
            for o in on[:, y].tolist():
                powers[o + 1] += way
                powers[seen + 1 - o] -= way
        up: int = prod(base**power for base, power in powers.items() if power > 0)
        down: int = prod(base**-power for base, power in powers.items() if power < 0)
        return (up > down) - (up < down)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the logarithms of the odds."""
        on, (zero, one) = self._on(slice(size)).astype(np.float64), self.examples_seen()
        odds = (on[:, 1] + 1.0) * (zero - on[:, 0] + 1.0) / ((one - on[:, 1] + 1.0) * (on[:, 0] + 1.0))
        return np.log(odds), 0.0

    def state(self) -> State:
        """Return the counts: nothing else has been learned."""
        on = np.empty((self._size, 2), dtype=np.int64)
        for at in pieces(self._size):
            on[at] = self._on(at)
        return {"on": on, "counts": self._counts.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._counts = state["counts"].copy()
        self._take(state["on"])

    def check(self, state: Loaded) -> None:
        """Check how often each attribute was on in examples of each class."""
        super().check(state)
        on, seen = state["on"], state["counts"][engine.SEEN_0 :].tolist()
        need(on.shape == (self.size, 2), "a count for each attribute and class")
        need(all(within(on[:, y], 0, seen[y]) for y in (0, 1)), "counts of at most all examples")


MOST_BITS = 1 << 27  # of the whole numbers that decide a near-tie


class Agreements(Counted):
    """How often each attribute was on in positive examples, less how often in negative ones."""

    kinds: ClassVar[Kinds] = {"net": ("<i8", 1), **COUNTS}
    _kernels = engine.learn_singly_variant, engine.score_singly_variant

    def __init__(self, n: int | None, *, always: bool) -> None:
        super().__init__(n, always=always)
        self._take(np.zeros(self._size, dtype=np.int64))

    def _take(self, net: Ints) -> None:
        """Begin from these counts."""
        self._places, self._counted = np.zeros(self._size, dtype=np.int64), np.zeros((4, self._size), dtype=np.int64)
        self._ends = listed(net, self._places, self._counted)
        self._shares, self._sums = np.zeros(self._size), np.zeros(3)
        engine.share(self._counted, self._ends, self._counts, self._shares, self._sums)
        self.theta = self._threshold()

    @property
    def _own(self) -> engine.SinglyVariant:
        return self._places, self._counted, self._ends, self._shares, self._sums

    def _threshold(self) -> float:
        return float(self._sums[0])

    def _sign(self, active: Columns) -> int:
        # The sum of [x_i (2 s_i - t) - s_i + M] s_i! (t - s_i)!, less the factorials that all terms have in common.
        zero, one = self.examples_seen()
        t, on = zero + one, Counter(self._counted[engine.COUNT, self._places[active]].tolist())
        counts = distinct(self._counted, self._ends)
        low, high = counts[0][0] + zero, counts[-1][0] + zero
        if (high - low) * t.bit_length() > MOST_BITS:  # after millions of examples: nobody would wait for it
            return int(np.sign(self.weights(self._size)[0][active].sum() - self.theta))
        total: int = sum(
            (on[u] * (2 * s - t) + members * (one - s)) * perm(s, s - low) * perm(t - s, high - s)
            for u, members in counts
            for s in (u + zero,)
        )
        return (total > 0) - (total < 0)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return P_i (2 s_i - t)."""
        zero, one = self.examples_seen()
        places = self._places[:size]
        return self._shares[places] * (2 * self._counted[engine.COUNT, places] + zero - one), 0.0

    def state(self) -> State:
        """Return the counts: nothing else has been learned."""
        return {"net": self._counted[engine.COUNT, self._places], "counts": self._counts.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._counts = state["counts"].copy()
        self._take(state["net"])

    def check(self, state: Loaded) -> None:
        """Check how often each attribute was on in positive examples, less how often in negative ones."""
        super().check(state)
        net, (zero, one) = state["net"], state["counts"][engine.SEEN_0 :].tolist()
        need(net.shape == (self.size,) and within(net, -zero, one), "counts of at most all examples")
