"""ModelM: the probabilistic model for which Bayes-BEG is Bayes' rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.bounds.ledger import theorem4_parameters
from littlestone.core.arrays import Bools, Floats
from littlestone.core.parameters import check_number, check_whole
from littlestone.parts import bayes
from littlestone.teachers._drawn import Drawn, bernoulli

__all__ = ["ModelM"]


class ModelM(Drawn):
    """Examples of model M: a label for each attribute, independent given the row and a random disjunction.

    Attribute i belongs to the disjunction (d_i = 1) with probability w1. A row's attributes are on with probability
    ``density``. The label of attribute i is 1 with probability ``(1-beta0)/(beta1-beta0) beta1^d_i`` where x_i = 1,
    and ``1 - gamma`` where x_i = 0 (the paper's sentence about gamma contradicts its formula and Theorem 2).

    A learner of disjunctions sees one label: that of a row all of whose labels agree. So the stream's outcome is 1
    with probability proportional to the product of all P(y_i = 1 | x_i, d_i), and 0 to that of all P(y_i = 0 | ...).
    `vectors` gives the labels before they are made to agree.

    Parameters
    ----------
    n : int >= 2
        The number of attributes.
    beta1, beta0, gamma : floats, 0 <= beta0 < 1 < beta1, 0 < gamma < 1, or None
        The model's noise; None: Theorem 4's for this n.
    w1 : float in (0, 1), or None
        The prior probability of an attribute; None: 1/n.
    density : float in [0, 1]
        The probability that an attribute is on.
    trials, seed : int
        As on `Disjunction`. ``target`` holds the positions with d_i = 1, drawn by a generator of their own.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ModelM(n=50, trials=1000, seed=3)
    >>> players = [ls.BayesBEG(policy="always"), ls.BayesBEG(), ls.Winnow(), ls.Perceptron()]
    >>> [run.mistakes for run in ls.play_all(players, stream)]
    [85, 167, 125, 135]

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999),
    Section 4.1.
    """

    def __init__(
        self, n: int = 50, *, beta1: float | None = None, beta0: float | None = None, gamma: float | None = None,
        w1: float | None = None, density: float = 0.5, trials: int = 10_000, seed: int = 0,
    ) -> None:  # fmt: skip
        check_whole("ModelM", "n", n, least=2)
        super().__init__(n, trials, seed)
        self._given = {"beta1": beta1, "beta0": beta0, "gamma": gamma, "w1": w1}
        usual = theorem4_parameters(n)
        self.beta1 = usual.beta1 if beta1 is None else beta1
        self.beta0 = usual.beta0 if beta0 is None else beta0
        self.gamma = usual.gamma if gamma is None else gamma
        self.w1, self.density = 1.0 / n if w1 is None else w1, density
        check_number("ModelM", "beta1", self.beta1, above=1.0)
        check_number("ModelM", "beta0", self.beta0, above=0.0, below=1.0, ends="[)")
        check_number("ModelM", "gamma", self.gamma, above=0.0, below=1.0)
        check_number("ModelM", "w1", self.w1, above=0.0, below=1.0)
        check_number("ModelM", "density", density, above=0.0, below=1.0, ends="[]")
        chosen = np.random.default_rng([self.seed, 2]).random(n) < self.w1
        self.target = np.flatnonzero(chosen)
        model = bayes.ModelM(self.beta1, self.beta0, self.gamma)
        out, member = (float(model.probability(1, 1, d)) for d in (0, 1))
        self._on, self._off = np.where(chosen, member, out), float(model.probability(1, 0, 0))

    def probabilities(self, X: Bools) -> Floats:
        """Return, for each attribute of a row or of rows, the probability that its label is 1.

        >>> model = ModelM(2, beta1=1.5, beta0=0.5, gamma=0.75, w1=0.5, seed=6)
        >>> model.target.tolist(), model.probabilities(np.array([[True, True], [False, False]])).tolist()
        ([1], [[0.5, 0.75], [0.25, 0.25]])
        """
        chosen: Floats = np.where(X, self._on, self._off)
        return chosen

    def vectors(self, trials: int) -> tuple[Bools, Bools]:
        """Return rows and vector-labels of the model itself, one label an attribute.

        >>> X, Y = ModelM(10).vectors(100)
        >>> X.shape, Y.shape
        ((100, 10), (100, 10))
        """
        check_whole("ModelM", "trials", trials, least=0)
        rng = np.random.default_rng([self.seed, 3])
        X = bernoulli(rng, trials, self.n_attributes, self.density)
        return X, rng.random(X.shape) < self.probabilities(X)

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del start
        X = bernoulli(rng, rows, self.n_attributes, self.density)
        log_odds = np.empty(rows)
        with np.errstate(divide="ignore"):  # beta0 = 0: a label of 0 may be impossible
            for t in range(rows):  # row by row: their probabilities together would be 500 n floats
                one = self.probabilities(X[t])
                log_odds[t] = np.log(one).sum() - np.log1p(-one).sum()
            coin = rng.random(rows)
            return X, np.asarray(np.log(coin) - np.log1p(-coin) < log_odds)

    def _parameters(self) -> dict[str, Any]:
        return {**self._given, "density": self.density}
