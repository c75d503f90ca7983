"""Naive Bayes: attributes that are independent, given the label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import counts as engine
from littlestone.errors import InvalidParameter
from littlestone.learners._counting import Codes, Columns, Counted, Counting, Floats, Ints, distinct, listed, pieces
from littlestone.learners._edge import Rows
from littlestone.learners.machine import Machine

__all__ = ["NaiveBayes"]


class NaiveBayes(Counting):
    """Bayes' rule as if the attributes were independent, given the label.

    Of t examples c_y had the label y, and of those o_yi had attribute i on. By Laplace's rule of succession
    ``P(y) = (c_y + 1)/(t + 2)`` and ``P(x_i = 1 | y) = (o_yi + 1)/(c_y + 2)``; predict 1 iff
    ``P(1) prod_i P(x_i | 1) > P(0) prod_i P(x_i | 0)``; then count the example. Attributes that are off count too.

    It is a linear threshold function: `hypothesis` gives the logarithms of the odds,
    ``w_i = ln [P(x_i=1|1) P(x_i=0|0) / (P(x_i=0|1) P(x_i=1|0))]``, and theta what the attributes that are off say.
    A trial costs the attributes that are on, and the number of distinct counts. Ties are decided in whole numbers.

    Parameters
    ----------
    policy : "always" or "mistakes"
        When to count an example. "mistakes" often does better where attributes are redundant, and worse elsewhere.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``.

    Bound
    -----
    None is known, for either policy; `guarantee` is None. Where rows are uniform and the probabilities are those of the
    whole population, it makes no mistake on any disjunction (Domingos and Pazzani); copies of one attribute mislead it.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import NaiveBayes
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> learner = NaiveBayes()
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes
    25
    >>> learner.hypothesis().w[:5].round(1).tolist()
    [4.7, 5.0, 5.0, 0.3, 0.2]

    Reference
    ---------
    Domingos and Pazzani, "Beyond independence", ICML 1996; Helmbold, Panizza and Warmuth, "Direct and indirect
    algorithms for on-line learning of disjunctions" (1999), equation (4), which says no more than that the attributes
    are independent: Laplace's rule and the tie (0) are choices made here.
    """

    def __init__(self, *, policy: str = "always") -> None:
        super().__init__()
        if policy not in ("mistakes", "always"):
            raise InvalidParameter(f"NaiveBayes: policy must be 'mistakes' or 'always', got {policy!r}")
        self.policy = policy

    def _build(self, n: int | None) -> Machine:
        return _Classes(n, always=self.policy == "always")


class _Classes(Counted):
    """For each class how often each attribute was on."""

    def __init__(self, n: int | None, *, always: bool) -> None:
        super().__init__(n, always=always)
        self._take(np.zeros((self._n, 2), dtype=np.int64))

    def _take(self, on: Ints) -> None:
        """Begin from these counts."""
        self._places = np.zeros((0, 2), dtype=np.int64)  # what there was is not needed any more
        self._places, self._counted = np.zeros((self._n, 2), dtype=np.int64), np.zeros((2, 4, self._n), dtype=np.int64)
        self._ends = np.stack([listed(on[:, y], self._places[:, y], self._counted[y]) for y in (0, 1)])
        self._sums = np.array([
            engine.absent(self._counted[y], self._ends[y], seen) for y, seen in enumerate(self.seen())
        ])  # fmt: skip
        self.theta = self._threshold()

    def _play(self, start: int, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> int:
        return engine.learn_naive_bayes(
            start, rows.indptr, rows.indices, outcomes, importance,
            self._places, self._counted, self._ends, self._sums, self._counts, predictions,
        )  # fmt: skip

    def _write_gaps(self, rows: Rows, gaps: Floats, near: Codes) -> None:
        engine.score_naive_bayes(
            rows.indptr, rows.indices, self._places, self._counted, self._sums, self._counts, gaps, near
        )

    def _threshold(self) -> float:
        zero, one = self.seen()
        return float(self._sums[0] - self._sums[1]) - log((one + 1) / (zero + 1))

    def _on(self, columns: Any = slice(None)) -> Ints:
        """Return how often attributes were on in each class."""
        return np.stack([self._counted[y, engine.COUNT, self._places[columns, y]] for y in (0, 1)], axis=1)

    def _sign(self, active: Columns) -> int:
        # Both scores are products of whole numbers, and most of their factors cancel.
        powers: Counter[int] = Counter()
        on = self._on(active)
        for y, (seen, way) in enumerate(zip(self.seen(), (-1, 1), strict=True)):
            powers[seen + 1] += way
            powers[seen + 2] -= way * self._n
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
        on, (zero, one) = self._on(slice(size)).astype(np.float64), self.seen()
        odds = (on[:, 1] + 1.0) * (zero - on[:, 0] + 1.0) / ((one - on[:, 1] + 1.0) * (on[:, 0] + 1.0))
        return np.log(odds), 0.0

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the counts: nothing else has been learned."""
        on = np.empty((self._n, 2), dtype=np.int64)
        for at in pieces(self._n):
            on[at] = self._on(at)
        return {"on": on, "counts": self._counts.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self._counts = state["counts"].copy()
        self._take(state["on"])
