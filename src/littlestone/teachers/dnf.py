"""DNF: random rows, positive iff all attributes of some term are on."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, bernoulli, given_density

__all__ = ["DNF"]


class DNF(Drawn):
    """Random rows labelled by a monotone DNF of k terms, each of ``size`` attributes.

    The terms are disjoint: the first ``size`` attributes, the next ``size``, and so on. Every attribute is on with the
    same probability ``density``; None: ``(1 - 2^(-1/k))^(1/size)``, so that half of the rows are positive. ``target``
    is the list of terms. No linear threshold function of the attributes need agree with it: learners of expanded
    attributes (conjunctions, kernels) are what it is for.

    >>> stream = DNF(n=20, k=2, size=2, trials=1000)
    >>> stream.target
    [(0, 1), (2, 3)]
    >>> int(next(stream.blocks(1000)).outcomes.sum())
    478

    Reference: Kivinen and Warmuth, COLT 1995, Section 1 (DNF as a disjunction of conjunctions).
    """

    def __init__(
        self, n: int = 20, k: int = 3, size: int = 2, *, trials: int = 10_000, density: float | None = None,
        noise: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.k = check_whole("DNF", "k", k)
        self.size = check_whole("DNF", "size", size)
        if self.k * self.size > self.n_attributes:
            raise InvalidParameter(f"DNF: k * size must be at most n={n}, got {k} * {size}; the terms are disjoint")
        self._given, self.density = density, given_density("DNF", density, (1.0 - 2.0 ** (-1.0 / k)) ** (1.0 / size))
        self.target: list[tuple[int, ...]] = [tuple(range(i * self.size, (i + 1) * self.size)) for i in range(self.k)]
        self.terms = None if noise else self.target

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del start
        X = bernoulli(rng, rows, self.n_attributes, self.density)
        terms: Bools = np.all(X[:, : self.k * self.size].reshape(rows, self.k, self.size), axis=2)
        return X, np.any(terms, axis=1)

    def _told(self) -> dict[str, Any]:
        return {"k": self.k, "size": self.size, "density": self._given}
