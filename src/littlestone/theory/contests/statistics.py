"""What several games say together: means, spreads, intervals, and differences that are taken game by game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["CONFIDENCE", "Difference", "Sample"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Sample:
    """Numbers of several games: their mean, standard deviation (of n - 1) and Student's 95% interval of the mean.

    One number has a mean and nothing else.

    >>> found = Sample.of([1, 2, 3, 4])
    >>> found.mean, round(found.spread, 3), round(found.low, 3), round(found.high, 3)
    (2.5, 1.291, 0.446, 4.554)
    """

    mean: float
    spread: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, numbers: ArrayLike) -> Sample:
        """Return what these numbers say."""
        values = np.asarray(numbers, dtype=np.float64)
        mean = float(values.mean())
        if len(values) < 2:
            return cls(mean)
        from scipy.special import stdtrit

        spread = float(values.std(ddof=1))
        half = float(stdtrit(len(values) - 1, 0.5 + CONFIDENCE / 2)) * spread / len(values) ** 0.5
        return cls(mean, spread, mean - half, mean + half)


@dataclass(frozen=True)
class Difference:
    """Mistakes of one learner minus those of another, game by game on the same rows in the same order.

    ``more`` and ``fewer`` count the games in which it made more mistakes, and fewer; ``p`` is that of the exact
    two-sided sign test, which asks how often fair coins would be so one-sided (1 where all games are drawn).

    >>> found = Difference.of([12, 15, 11, 14], [10, 11, 11, 12])
    >>> found.sample.mean, found.more, found.fewer, found.p
    (2.0, 3, 0, 0.25)
    """

    sample: Sample
    more: int
    fewer: int
    p: float

    @classmethod
    def of(cls, one: ArrayLike, other: ArrayLike) -> Difference:
        """Return what the games of one learner say against those of another."""
        from scipy.special import bdtr

        apart = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
        more, fewer = int((apart > 0).sum()), int((apart < 0).sum())
        p = min(1.0, 2.0 * float(bdtr(min(more, fewer), more + fewer, 0.5)))
        return cls(Sample.of(apart), more, fewer, p)
