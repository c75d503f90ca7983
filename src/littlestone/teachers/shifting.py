"""Shifting: a disjunction that changes from time to time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools
from littlestone.core.errors import TooLarge
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, bernoulli, given_density

__all__ = ["Shifting"]

MOST = 1_000_000  # targets


class Shifting(Drawn):
    """Random rows labelled by a disjunction of k random attributes, others every ``every`` trials.

    Every attribute is on with the same probability ``density``; None: 1 - 2^(-1/k), half of the rows are positive.
    ``targets`` is the list of the disjunctions, `target_at` the one of a trial.

    >>> import littlestone as ls
    >>> stream = Shifting(n=100, k=2, every=500, trials=1500)
    >>> [target.tolist() for target in stream.targets], stream.target_at(499).tolist()
    ([[8, 96], [22, 39], [14, 88]], [8, 96])
    >>> run = ls.play(ls.Winnow(), stream)
    >>> run.curve()[[499, 999, 1499]].tolist()
    [22, 51, 91]

    Reference: Auer and Warmuth, "Tracking the best disjunction", Machine Learning 32 (1998).
    """

    def __init__(
        self, n: int = 1000, k: int = 5, every: int = 1000, *, trials: int = 10_000, density: float | None = None,
        noise: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.k = check_whole("Shifting", "k", k, most=n)
        self.every = check_whole("Shifting", "every", every)
        self._given, self.density = density, given_density("Shifting", density, 1.0 - 2.0 ** (-1.0 / k))
        if self.trials // self.every > MOST:
            raise TooLarge(f"Shifting: expected at most {MOST:,} targets, got {trials:,} trials and every={every:,}")
        rng = np.random.default_rng([self.seed, 2])
        self.targets = [
            np.sort(rng.choice(self.n_attributes, self.k, replace=False)) for _ in range(0, self.trials, self.every)
        ]

    def target_at(self, t: int) -> NDArray[np.int64]:
        """Return the relevant attributes at trial ``t``, counted from 0."""
        return self.targets[check_whole("Shifting", "t", t, least=0, most=self.trials - 1) // self.every]

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        X = bernoulli(rng, rows, self.n_attributes, self.density)
        y = np.zeros(rows, dtype=bool)
        numbers = np.arange(start, start + rows) // self.every
        for number in range(numbers[0], min(numbers[-1] + 1, len(self.targets))):
            here = numbers == number
            y[here] = X[here][:, self.targets[number]].any(axis=1)
        return X, y

    def _told(self) -> dict[str, Any]:
        return {"k": self.k, "every": self.every, "density": self._given}
