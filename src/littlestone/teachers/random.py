"""Random rows with known targets: a disjunction, an r-of-k threshold function, a DNF, a disjunction that changes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from littlestone.core.arrays import Bools, Ints
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, bernoulli, given_density

__all__ = ["DNF", "READINGS", "Disjunction", "Shifting", "Threshold"]

READINGS = ("R1", "R2", "R3", "R4", "uniform")
MOST = 1_000_000  # targets of Shifting


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
        self.reading, self._given = "R1" if density is not None else reading, density
        balanced = given_density("Disjunction", density, 1.0 - 2.0 ** (-1.0 / k))
        if density is not None and reading not in ("R1", "R3"):
            raise InvalidParameter(
                f"Disjunction: density must be left out with reading={reading!r}, got {density!r}; only R1 has one"
            )
        self.relevant_density = balanced if self.reading in ("R1", "R2") else 0.5
        self.density = balanced if self.reading == "R1" else 0.5
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

    def _parameters(self) -> dict[str, Any]:
        reading = None if self._given is not None else self.reading
        return {"k": self.k, "reading": reading, "density": self._given}


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

    def _parameters(self) -> dict[str, Any]:
        return {"k": self.k, "r": self.r, "density": self._given}


def balanced(k: int, r: int) -> float:
    """Return the p with which r or more of k are on half of the time."""
    from scipy.optimize import brentq
    from scipy.stats import binom

    return float(brentq(lambda p: binom.sf(r - 1, k, p) - 0.5, 0.0, 1.0))


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

    def _parameters(self) -> dict[str, Any]:
        return {"k": self.k, "size": self.size, "density": self._given}


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

    def target_at(self, t: int) -> Ints:
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

    def _parameters(self) -> dict[str, Any]:
        return {"k": self.k, "every": self.every, "density": self._given}
