"""Teachers that draw their examples and do not look at the learner: streams with a known target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from littlestone.block import Block
from littlestone.learners._parameters import check_number, check_whole
from littlestone.streams import Stream

__all__ = ["Disjunction"]

DRAWN_AT_ONCE = 1 << 22  # random numbers


class Disjunction(Stream):
    """Random rows labelled by the disjunction of the first k attributes.

    Every attribute is on with the same probability ``density``, independently; by default ``1 - 2^(-1/k)``, so that
    half of the rows are positive. With ``noise`` each label is flipped with that probability. The rows are those of
    ``numpy.random.default_rng(seed).random((trials, n)) < density``, whatever the size of the blocks.

    >>> stream = Disjunction(n=200, k=20, trials=1000, seed=0)
    >>> import littlestone as ls
    >>> ls.play(ls.Perceptron(), stream).mistakes, ls.play(ls.Winnow(alpha=1.5, theta=10), stream).mistakes
    (223, 151)

    Reference: Kivinen and Warmuth, COLT 1995, Figure 2's generator.
    """

    def __init__(
        self, n: int = 1000, k: int = 5, *, trials: int = 10_000, density: float | None = None, noise: float = 0.0,
        seed: int = 0,
    ) -> None:  # fmt: skip
        self.n_attributes = check_whole("Disjunction", "n", n)
        self.k = check_whole("Disjunction", "k", k, most=n)
        self.trials = check_whole("Disjunction", "trials", trials, least=0)
        self.density = 1.0 - 2.0 ** (-1.0 / k) if density is None else density
        check_number("Disjunction", "density", self.density, above=0.0, below=1.0, ends="[]")
        check_number("Disjunction", "noise", noise, above=0.0, below=1.0, ends="[]")
        self.noise, self.seed = noise, check_whole("Disjunction", "seed", seed, least=0)
        self.target = np.arange(k)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, at most ``rows`` at a time."""
        n = self.n_attributes
        assert n is not None
        draw, flip = np.random.default_rng(self.seed), np.random.default_rng([self.seed, 1])
        count = max(1, min(rows, DRAWN_AT_ONCE // n))
        for start in range(0, self.trials, count):
            X = draw.random((min(count, self.trials - start), n)) < self.density
            y: NDArray[np.bool_] = np.asarray(X[:, : self.k].any(axis=1))
            if self.noise:
                y ^= flip.random(len(y)) < self.noise
            yield replace(Block.from_arrays(X).labelled(y, self.labels), start=start)

    def __repr__(self) -> str:
        noise = f", noise={self.noise}" if self.noise else ""
        return f"Disjunction(n={self.n_attributes}, k={self.k}, trials={self.trials}{noise}, seed={self.seed})"
