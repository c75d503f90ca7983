"""Bayes, directly over all disjunctions: labels of a disjunction, flipped at random."""

from __future__ import annotations

from fractions import Fraction

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import check_number
from littlestone.core.rational import Number, simplest_fraction
from littlestone.learners.direct import CAP, Direct

__all__ = ["DirectBayes"]


class DirectBayes(Direct):
    """Bayes' rule for a disjunction whose labels are flipped with probability nu.

    Every monotone disjunction, the empty one too, is as probable as any other at first; after t trials its probability
    is proportional to ``nu^errors (1-nu)^(t-errors)``. Predict 1 iff the disjunctions that say 1 are at least as
    probable as those that say 0. It is Weighted Majority with ``beta = nu/(1-nu)``, prediction for prediction.

    Parameters
    ----------
    noise : number in (0, 1/2)
        nu, the probability that a label is flipped.
    max_size : int >= 0, or None
        Only disjunctions of at most so many attributes; None: all.
    policy : "always" or "mistakes"
        Update on every trial, as Bayes does, or only on the learner's own mistakes.
    tie : 0 or 1
        The prediction where both are as probable.
    cap, backend
        How the weights are kept, see `WeightedMajority`.

    Rows must be Boolean, and example weights whole numbers. `posterior` gives the probability of a disjunction,
    `most_probable` the best one, `marginals` that of each attribute.

    Bound
    -----
    That of Weighted Majority with beta = nu/(1-nu), whatever the labels are.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import DirectBayes
    >>> learner = DirectBayes(noise=0.25)
    >>> learner.learn(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0]], dtype=bool), [1, 0, 1]).tolist()
    [1, 1, 1]
    >>> learner.most_probable(), learner.posterior([0, 1])
    (((0,), Fraction(27, 64)), Fraction(9, 64))
    >>> learner.marginals().round(3).tolist()
    [0.844, 0.375, 0.344]

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions", EuroCOLT 1999.
    """

    narrow = True

    def __init__(
        self,
        *,
        noise: Number = 0.1,
        max_size: int | None = None,
        policy: str = "always",
        tie: int = 1,
        cap: int = CAP,
        backend: str | None = None,
    ) -> None:
        super().__init__(max_size, policy, tie, cap, backend)
        check_number("DirectBayes", "noise", noise, above=0.0, below=0.5)
        self.noise = noise

    def _beta(self) -> Fraction:
        noise = simplest_fraction(self.noise)
        return noise / (1 - noise)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        del k, attribute_errors
        largest = None if self.max_size is None else min(self.max_size, n)
        return bounds.direct_weighted_majority(n=n, beta=float(self._beta()), k=largest)
