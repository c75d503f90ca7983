"""Threshold: random rows, positive iff at least r of the first k attributes are on."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, bernoulli, given_density

__all__ = ["Threshold"]


class Threshold(Drawn):
    """Random rows labelled by an r-of-k threshold function of the first k attributes.

    Every attribute is on with the same probability ``density``; None: the one that makes half of the rows positive.
    r = 1 is a disjunction, r = k a conjunction. ``target`` holds the k relevant positions.

    >>> import littlestone as ls
    >>> stream = Threshold(n=100, k=7, r=4, trials=2000)
    >>> round(stream.density, 4)
    0.5
    >>> [run.mistakes for run in ls.play_all([ls.Perceptron(), ls.Winnow(theta=100)], stream)]
    [414, 158]

    Reference: Littlestone, "Learning quickly when irrelevant attributes abound", Machine Learning 2 (1988), Section 5.
    """

    def __init__(
        self, n: int = 1000, k: int = 5, r: int = 2, *, trials: int = 10_000, density: float | None = None,
        noise: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.k = check_whole("Threshold", "k", k, most=n)
        self.r = check_whole("Threshold", "r", r, most=k)
        self._given, self.density = density, given_density("Threshold", density, balanced(self.k, self.r))
        self.target = np.arange(self.k)

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del start
        X = bernoulli(rng, rows, self.n_attributes, self.density)
        return X, np.asarray(X[:, : self.k].sum(axis=1) >= self.r)

    def _told(self) -> dict[str, Any]:
        return {"k": self.k, "r": self.r, "density": self._given}


def balanced(k: int, r: int) -> float:
    """Return the p with which r or more of k are on half of the time."""
    from scipy.optimize import brentq
    from scipy.stats import binom

    return float(brentq(lambda p: binom.sf(r - 1, k, p) - 0.5, 0.0, 1.0))
