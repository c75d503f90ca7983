"""XorFeatures: attributes that look random and are not, all made from a few bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.errors import TooLarge
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, bernoulli

__all__ = ["XorFeatures"]

MOST = 1_000_000  # attributes, each of which is a choice of bits


class XorFeatures(Drawn):
    """Rows of n attributes, each the exclusive or of a few of the same fair bits; a disjunction of the first k.

    However many attributes there are, a row holds only ``bits`` bits of chance. The Perceptron's mistakes grow with n
    all the same; Winnow's hardly do.

    Parameters
    ----------
    n : int
        The number of attributes.
    bits : int
        The number of genuine bits.
    k : int
        The number of relevant attributes, the first.
    each : int
        The number of bits that an attribute is made of.
    trials, noise, seed
        As on `Disjunction`. ``parts`` (n, each) holds the bits of each attribute.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = XorFeatures(n=100, trials=2000)
    >>> [run.mistakes for run in ls.play_all([ls.Perceptron(), ls.Winnow()], stream)]
    [186, 32]
    """

    def __init__(
        self, n: int = 100, *, bits: int = 20, k: int = 3, each: int = 3, trials: int = 20_000, noise: float = 0.0,
        seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.k = check_whole("XorFeatures", "k", k, most=n)
        self.bits = check_whole("XorFeatures", "bits", bits)
        self.each = check_whole("XorFeatures", "each", each, most=bits)
        if self.n_attributes > MOST or self.bits > MOST:
            raise TooLarge(f"XorFeatures: expected n and bits <= {MOST:,}, got n={n:,}, bits={bits:,}")
        self.target = np.arange(self.k)
        rng = np.random.default_rng(self.seed)
        self.parts = np.array([rng.choice(self.bits, self.each, replace=False) for _ in range(self.n_attributes)])
        self._after = rng.bit_generator.state  # the rows are drawn after the parts, by one generator

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        if start == 0:
            rng.bit_generator.state = self._after
        genuine = bernoulli(rng, rows, self.bits, 0.5)
        X: Bools = genuine[:, self.parts[:, 0]]
        for column in self.parts.T[1:]:
            X ^= genuine[:, column]
        return X, np.asarray(X[:, : self.k].any(axis=1))

    def _parameters(self) -> dict[str, Any]:
        return {"bits": self.bits, "k": self.k, "each": self.each}
