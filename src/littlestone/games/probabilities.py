"""What predicted probabilities are worth: log loss, Brier score, calibration; in constant memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidData

__all__ = ["BINS", "LEAST", "Bin", "ProbabilityScores"]

BINS = 15  # of equal width
LEAST = 1e-15  # a smaller probability of what happened counts as this one, so that the log loss is finite
SUM = 1e-6  # by how much the probabilities of a row may miss 1


class Bin(NamedTuple):
    """The examples whose probability is in (low, high]: its mean, and the share of them where it happened.

    The first bin has its lower end as well. A bin without examples has neither mean nor share.

    >>> import littlestone as ls
    >>> table = ls.datasets.messages()
    >>> model = ls.Model.train(table.examples[:1600], table.labels[:1600])
    >>> bins = model.evaluate(table.examples[1600:], table.labels[1600:]).reliability
    >>> [(one.high, one.examples) for one in bins][-1], sum(one.examples for one in bins)
    ((1.0, 102), 400)
    """

    low: float
    high: float
    probability: float | None
    share: float | None
    examples: int


class ProbabilityScores:
    """The scores of probabilities, counted block by block.

    - **log loss**: the mean of -ln p, p being the probability of the label that came; at least 1e-15 is taken for it.
    - **Brier score**: the mean of the squared distance between the probabilities and what came, (p - 1)^2 for the label
      that came and p^2 for all others; of two labels half of it, which is (p - y)^2 of the positive one.
    - **calibration error**: the mean distance between probability and share over 15 bins of equal width, weighted by
      their examples. With two labels the probability is that of the positive one; with more, that of the most probable
      one, and the share is how often that one came.

    ``positive`` is the position of the positive label; None: there are not just two. A label that the model has never
    met has the probability 0.

    >>> import numpy as np
    >>> scores = ProbabilityScores(2, positive=1)
    >>> scores.add(np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]), np.array([0, 1, 0]))
    >>> round(scores.log_loss, 4), round(scores.brier, 4), round(scores.calibration_error, 4)
    (0.4149, 0.1367, 0.3)
    >>> [(one.probability, one.share) for one in scores.reliability() if one.examples]
    [(0.1, 0.0), (0.6, 0.0), (0.8, 1.0)]
    """

    def __init__(self, labels: int, positive: int | None = None) -> None:
        self.labels, self.positive = labels, positive
        self._examples, self._loss, self._squares = 0, 0.0, 0.0
        self._counts = np.zeros(BINS, dtype=np.int64)
        self._sums, self._came = np.zeros(BINS), np.zeros(BINS, dtype=np.int64)

    def add(self, probabilities: Any, truth: Ints) -> None:
        """Count some examples; ``truth`` is the position of each label, beyond the columns where it is not among them.

        Nothing is counted of probabilities that are refused.
        """
        found = self._checked(probabilities, len(truth))
        rows, met = np.arange(len(truth)), truth < self.labels
        of_truth = np.where(met, found[rows, np.where(met, truth, 0)], 0.0)
        self._examples += len(truth)
        self._loss -= float(np.log(np.maximum(of_truth, LEAST)).sum())
        self._squares += float((found**2).sum() + (1.0 - 2.0 * of_truth).sum())
        likely = found.argmax(axis=1) if self.positive is None else self.positive
        shown = np.minimum(found[rows, likely], 1.0)
        places = np.searchsorted(_edges()[1:-1], shown)
        self._counts += np.bincount(places, minlength=BINS)
        self._sums += np.bincount(places, weights=shown, minlength=BINS)
        self._came += np.bincount(places[truth == likely], minlength=BINS)

    @property
    def log_loss(self) -> float | None:
        """The log loss; None without examples, as all of these."""
        return self._loss / self._examples if self._examples else None

    @property
    def brier(self) -> float | None:
        """The Brier score."""
        halves = 2 if self.labels == 2 else 1
        return max(0.0, self._squares) / (halves * self._examples) if self._examples else None

    @property
    def calibration_error(self) -> float | None:
        """The expected calibration error."""
        return float(np.abs(self._sums - self._came).sum()) / self._examples if self._examples else None

    def reliability(self) -> tuple[Bin, ...]:
        """Return the bins."""
        found = []
        parts = self._counts.tolist(), self._sums.tolist(), self._came.tolist()
        for low, high, count, total, came in zip(_edges()[:-1].tolist(), _edges()[1:].tolist(), *parts, strict=True):
            found.append(Bin(low, high, total / count if count else None, came / count if count else None, count))
        return tuple(found)

    def _checked(self, probabilities: Any, rows: int) -> Floats:
        """Return the probabilities; refuse another shape, and what are no probabilities."""
        found: NDArray[np.float64] = np.asarray(probabilities, dtype=np.float64)
        if found.shape != (rows, self.labels):
            raise InvalidData(
                f"evaluate: expected probabilities with a row for each of {rows} examples and a column for each of "
                f"{self.labels} labels, got the shape {found.shape}"
            )
        sound = (found >= 0.0).all(axis=1) & (np.abs(found.sum(axis=1) - 1.0) <= SUM)
        if not sound.all():
            row = int(np.argmin(sound))
            got = ", ".join(f"{one:g}" for one in found[row, :5])
            raise InvalidData(f"evaluate: expected probabilities >= 0 that sum to 1, got {got} in row {row} of a block")
        return found


def _edges() -> Floats:
    return np.linspace(0.0, 1.0, BINS + 1)
