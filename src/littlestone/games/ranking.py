"""Ranking: what the order of activations or probabilities is worth, exact with ties."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats

__all__ = ["PrecisionRecall", "RankSum"]

AT_ONCE = 1 << 18  # scores that are kept before equal ones are put together
POINTS = 200  # of a curve, at most


class PrecisionRecall(NamedTuple):
    """A precision-recall curve, a point a threshold, the highest threshold first.

    At a point, examples whose score is at least ``threshold`` are taken for positive: ``precision`` is the share of
    them that are, ``recall`` the share of all positive examples that are among them. Of a long curve at most 200 points
    are kept, both ends among them; the average precision is of the whole curve.

    >>> import littlestone as ls
    >>> ranks = ls.evaluation.RankSum()
    >>> ranks.add([0.1, 0.4, 0.4, 0.8], [False, False, True, True])
    >>> curve = ranks.curve()
    >>> curve.threshold.tolist(), curve.recall.tolist(), curve.precision.round(2).tolist()
    ([0.8, 0.4, 0.1], [0.5, 1.0, 1.0], [1.0, 0.67, 0.5])
    """

    recall: Floats
    precision: Floats
    threshold: Floats


class RankSum:
    """The area under the ROC curve and the average precision, exact with ties; memory for the different scores only.

    The area is the probability that a positive example has a larger score than a negative one, ties counting half. The
    average precision is the mean of the precisions at each threshold, weighted by how much recall each adds.

    >>> ranks = RankSum()
    >>> ranks.add([0.1, 0.4, 0.4, 0.8], [False, False, True, True])
    >>> ranks.area(), round(ranks.average_precision(), 4)
    (0.875, 0.8333)
    >>> curve = ranks.curve()
    >>> curve.recall.tolist(), curve.precision.round(2).tolist(), curve.threshold.tolist()
    ([0.5, 1.0, 1.0], [1.0, 0.67, 0.5], [0.8, 0.4, 0.1])
    """

    def __init__(self) -> None:
        self._values, self._counts = np.zeros(0), np.zeros((2, 0), dtype=np.int64)  # negative, positive
        self._new: list[tuple[NDArray[np.float64], NDArray[np.bool_]]] = []
        self._waiting = 0

    def add(self, scores: ArrayLike, positive: ArrayLike) -> None:
        """Count some examples."""
        values, truth = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
        self._new.append((values, truth))
        self._waiting += len(values)
        if self._waiting >= max(AT_ONCE, len(self._values)):
            self._settle()

    def reversed(self) -> RankSum:
        """Return the ranking of the other class: by the scores with the other sign."""
        self._settle()
        found = RankSum()
        found._values, found._counts = -self._values[::-1], self._counts[::-1, ::-1]
        return found

    def area(self) -> float | None:
        """Return the area; None where all examples are of one class."""
        self._settle()
        negative, positive = self._counts
        pairs = int(negative.sum()) * int(positive.sum())
        below = np.cumsum(negative) - negative
        twice = sum(int((positive * part).sum()) for part in (below, below + negative))
        return twice / (2 * pairs) if pairs else None

    def average_precision(self) -> float | None:
        """Return the average precision; None where no example is positive."""
        curve = self._whole()
        return None if curve is None else float(np.diff(curve.recall, prepend=0.0) @ curve.precision)

    def curve(self, points: int = POINTS) -> PrecisionRecall | None:
        """Return the precision-recall curve, at most so many points of it; None where no example is positive."""
        curve = self._whole()
        if curve is None or len(curve.recall) <= points:
            return curve
        # Half of the points are evenly spread over the recall, half over the thresholds, where steps are steep
        even = np.searchsorted(curve.recall, np.linspace(curve.recall[0], 1.0, points // 2))
        kept = np.unique(np.append(even, np.linspace(0, len(curve.recall) - 1, points - points // 2).round()))
        return PrecisionRecall(*(part[kept.astype(np.int64)] for part in curve))

    def _whole(self) -> PrecisionRecall | None:
        self._settle()
        negative, positive = np.cumsum(self._counts[:, ::-1], axis=1)
        if not len(positive) or not positive[-1]:
            return None
        return PrecisionRecall(positive / positive[-1], positive / (positive + negative), self._values[::-1])

    def _settle(self) -> None:
        """Put equal scores together."""
        parts = [values for values, _ in self._new]
        values, places = np.unique(np.concatenate([self._values, *parts]), return_inverse=True)
        counts = np.zeros((2, len(values)), dtype=np.int64)
        counts[:, places[: len(self._values)]] = self._counts
        if parts:
            truth = np.concatenate([truth for _, truth in self._new])
            later = places[len(self._values) :]
            for which in (0, 1):
                counts[which] += np.bincount(later[truth == bool(which)], minlength=len(values))
        self._values, self._counts, self._new, self._waiting = values, counts, [], 0
