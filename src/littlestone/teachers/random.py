"""Disjunction: random rows, positive iff one of the first k attributes is on."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_number, check_whole
from littlestone.teachers._drawn import Drawn, bernoulli

__all__ = ["READINGS", "Disjunction"]

READINGS = ("R1", "R2", "R3", "R4", "uniform")


class Disjunction(Drawn):
    """Random rows labelled by the disjunction of the first k attributes.

    What Kivinen and Warmuth say of their Figure 1 (fair bits, 20 relevant ones) cannot be what they did: all rows but
    one in a million are then positive, and the Perceptron and Winnow make no mistake. ``reading`` says what is drawn
    instead; with p = 1 - 2^(-1/k) half of the rows are positive:

    - "R1": every attribute is on with probability p (their Figure 2);
    - "R2": a relevant attribute with probability p, an irrelevant one with 1/2;
    - "R3": a fair coin for the label; irrelevant attributes fair, relevant ones fair on a positive and off on a
      negative row. It fits best what they report (the Perceptron comes close to n mistakes), and is the default;
    - "R4": as R3, but exactly one relevant attribute is on in a positive row;
    - "uniform": every attribute is fair, as printed; good for small k.

    Parameters
    ----------
    n, k : int
        The number of attributes, and how many of them, the first, are relevant.
    trials : int
        The number of rows. The first rows do not depend on it.
    reading : str
        How they are drawn, see above. (R3 makes a positive row without a relevant attribute, one in 2^k, negative.)
    density : float in [0, 1], or None
        The probability that an attribute is on, instead of R1's p.
    noise : float in [0, 1]
        The probability that a label is flipped.
    seed : int
        R1's rows are those of ``numpy.random.default_rng(seed).random((trials, n)) < density``.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = Disjunction(n=200, k=20, trials=1000)
    >>> [run.mistakes for run in ls.play_all([ls.Perceptron(), ls.Winnow(alpha=1.5, theta=10)], stream)]
    [68, 14]
    >>> stream = Disjunction(n=200, k=20, trials=1000, reading="R1")
    >>> [run.mistakes for run in ls.play_all([ls.Perceptron(), ls.Winnow(alpha=1.5, theta=10)], stream)]
    [223, 151]

    Reference
    ---------
    Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow", COLT 1995, Section 4.
    """

    def __init__(
        self, n: int = 1000, k: int = 5, *, trials: int = 10_000, reading: str = "R3", density: float | None = None,
        noise: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.k = check_whole("Disjunction", "k", k, most=n)
        if reading not in READINGS:
            raise InvalidParameter(f"Disjunction: reading must be one of {', '.join(READINGS)}, got {reading!r}")
        if density is not None:
            check_number("Disjunction", "density", density, above=0.0, below=1.0, ends="[]")
            if reading not in ("R1", "R3"):
                raise InvalidParameter(
                    f"Disjunction: density must be left out with reading={reading!r}, got {density!r}; only R1 has one"
                )
        self.reading = "R1" if density is not None else reading
        self._given = density
        balanced = 1.0 - 2.0 ** (-1.0 / k)
        self.relevant_density = balanced if self.reading in ("R1", "R2") else 0.5
        self.density = balanced if self.reading == "R1" else 0.5
        if density is not None:
            self.density = self.relevant_density = density
        self.target = np.arange(self.k)

    @classmethod
    def figure1(
        cls, n: int = 200, k: int = 20, *, trials: int = 20_000, reading: str = "R3", noise: float = 0.0, seed: int = 0
    ) -> Self:
        """Return Figure 1's stream: 20 relevant attributes of 200 or 400."""
        return cls(n, k, trials=trials, reading=reading, noise=noise, seed=seed)

    @classmethod
    def figure2(cls, n: int = 200, *, trials: int = 20_000, noise: float = 0.0, seed: int = 0) -> Self:
        """Return Figure 2's stream: two fifths of the attributes are relevant, rows have 1.7 attributes on.

        >>> stream = Disjunction.figure2(n=400)
        >>> stream.k, stream.reading, round(stream.n_attributes * stream.density, 4)
        (160, 'R1', 1.7291)
        """
        n = check_whole("Disjunction", "n", n, least=3)
        return cls(n, 2 * n // 5, trials=trials, reading="R1", noise=noise, seed=seed)

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del start
        n, k = self.n_attributes, self.k
        same = self.density == self.relevant_density
        X = bernoulli(rng, rows, n, self.density if same else np.where(np.arange(n) < k, self.relevant_density, 0.5))
        if self.reading in ("R3", "R4"):
            positive = rng.random(rows) < 0.5
            if self.reading == "R4":
                X[:, :k] = np.arange(k) == rng.integers(k, size=rows)[:, np.newaxis]
            X[:, :k] &= positive[:, np.newaxis]
        return X, np.asarray(X[:, :k].any(axis=1))

    def _told(self) -> dict[str, Any]:
        reading = None if self._given is not None else self.reading
        return {"k": self.k, "reading": reading, "density": self._given}
