"""SBSB and SASB: singly variant Bayes, in which one attribute tells the label, and its apobayesian relative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import counts as engine
from littlestone.learners._counting import Codes, Columns, Counted, Counting, Floats, Ints, distinct, listed
from littlestone.learners._edge import Rows
from littlestone.learners.machine import Machine

__all__ = ["SASB", "SBSB"]

MOST_BITS = 1 << 27  # of the whole numbers that decide a near-tie


class SBSB(Counting):
    """Bayes' rule where one attribute, nobody knows which, equals the label with a probability that nobody knows.

    The model: labels are 1 with an unknown probability; one attribute, each as likely, equals the label with an unknown
    probability; the others are fair coins. Of t trials M were positive, and s_i had x_i = y. Predict 1 iff

    ``(M+1) sum_i [x_i (s_i+1) + (1-x_i)(t-s_i+1)] / C(t, s_i) > (t-M+1) sum_i [(1-x_i)(s_i+1) + x_i (t-s_i+1)] /
    C(t, s_i)``; then, after every trial, ``t += 1``, ``M += y``, ``s_i += [x_i = y]``.

    With the posterior ``P_i = (1/C(t, s_i)) / sum_j (1/C(t, s_j))`` that is the linear threshold function
    ``sum_i x_i P_i (2 s_i - t) > sum_i P_i (s_i - M)``, and so `hypothesis` gives it. Attributes that are off count
    too. A trial costs the attributes that are on, and the number of distinct s_i; binomials are kept as logarithms, and
    what these cannot decide is decided in whole numbers, as long as these have at most 2^27 digits.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``. There is no
    parameter.

    Bound
    -----
    None is claimed: this is the best that can be done where the model is true, and may do badly elsewhere.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import SBSB
    >>> learner = SBSB()
    >>> learner.learn(np.array([[1, 0], [0, 1], [1, 1], [1, 0]]), [1, 0, 1, 1]).tolist()
    [0, 0, 0, 1]
    >>> learner.hypothesis().w.round(2).tolist()
    [3.2, -0.4]

    Reference
    ---------
    Littlestone and Mesterharm, "An apobayesian relative of Winnow", NIPS 9 (1996), whose names these are. That they are
    the Singly Variant Bayes (SVB) of Helmbold, Panizza and Warmuth (1999) is inferred.
    """

    _always = True

    def _build(self, n: int | None) -> Machine:
        return _Agreements(n, always=self._always)


class SASB(SBSB):
    """The apobayesian relative: the same rule as SBSB, but a trial counts only if it was a mistake.

    Predict as `SBSB` does, with t, M and s_i counted over the mistakes alone. The independence that the model asks for
    is no longer needed: it learns disjunctions and other linearly separable functions, as Winnow does.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``. There is no
    parameter.

    Bound
    -----
    The authors prove O(d^-2 log(n/d)) mistakes where the margin is d; neither the constant nor, with certainty, the
    argument of the logarithm could be read, so none is claimed and `guarantee` is None.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import SASB, SBSB
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> [int(np.sum(kind().learn(X, y) != y)) for kind in (SASB, SBSB)]
    [24, 156]

    Reference
    ---------
    Littlestone and Mesterharm, "An apobayesian relative of Winnow", NIPS 9 (1996), whose names these are. That they are
    the Singly Variant Bayes (SVB) of Helmbold, Panizza and Warmuth (1999) is inferred.
    """

    _always = False


class _Agreements(Counted):
    """How often each attribute was on in positive examples, less how often in negative ones."""

    def __init__(self, n: int | None, *, always: bool) -> None:
        super().__init__(n, always=always)
        self._take(np.zeros(self._n, dtype=np.int64))

    def _take(self, net: Ints) -> None:
        """Begin from these counts."""
        self._places, self._counted = np.zeros(self._n, dtype=np.int64), np.zeros((4, self._n), dtype=np.int64)
        self._ends = listed(net, self._places, self._counted)
        self._shares, self._sums = np.zeros(self._n), np.zeros(3)
        engine.share(self._counted, self._ends, self._counts, self._shares, self._sums)
        self.theta = self._threshold()

    def _play(self, start: int, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes) -> int:
        return engine.learn_singly_variant(
            start, rows.indptr, rows.indices, outcomes, importance,
            self._places, self._counted, self._ends, self._shares, self._sums, self._counts, predictions,
        )  # fmt: skip

    def _write_gaps(self, rows: Rows, gaps: Floats, near: Codes) -> None:
        engine.score_singly_variant(
            rows.indptr, rows.indices, self._places, self._counted, self._shares, self._sums, self._counts, gaps, near
        )

    def _threshold(self) -> float:
        return float(self._sums[0])

    def _net(self) -> Ints:
        net: Ints = self._counted[engine.COUNT, self._places]
        return net

    def _sign(self, active: Columns) -> int:
        # The sum of [x_i (2 s_i - t) - s_i + M] s_i! (t - s_i)!, less the factorials that all terms have in common.
        zero, one = self.seen()
        t, on = zero + one, Counter(self._counted[engine.COUNT, self._places[active]].tolist())
        counts = distinct(self._counted, self._ends)
        low, high = counts[0][0] + zero, counts[-1][0] + zero
        if (high - low) * t.bit_length() > MOST_BITS:  # after millions of examples: nobody would wait for it
            return int(np.sign(self.weights(self._n)[0][active].sum() - self.theta))
        total: int = sum(
            (on[u] * (2 * s - t) + members * (one - s)) * perm(s, s - low) * perm(t - s, high - s)
            for u, members in counts
            for s in (u + zero,)
        )
        return (total > 0) - (total < 0)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return P_i (2 s_i - t)."""
        zero, one = self.seen()
        places = self._places[:size]
        return self._shares[places] * (2 * self._counted[engine.COUNT, places] + zero - one), 0.0

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the counts: nothing else has been learned."""
        return {"net": self._net(), "counts": self._counts.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self._counts = state["counts"].copy()
        self._take(state["net"])
