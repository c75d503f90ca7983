"""Bayes, directly over all disjunctions: labels of a disjunction, flipped at random."""

from __future__ import annotations

from fractions import Fraction

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import number
from littlestone.core.rational import Number, simplest_fraction
from littlestone.learners.direct import Direct

__all__ = ["DirectBayes"]


class DirectBayes(Direct):
    """Bayes' rule for a disjunction whose labels are flipped with probability nu.

    Every monotone disjunction, the empty one too, is as probable as any other at first; after t trials its probability
    is proportional to ``nu^errors (1-nu)^(t-errors)``. Predict 1 iff the disjunctions that say 1 are at least as
    probable as those that say 0. It is Weighted Majority with ``beta = nu/(1-nu)``, prediction for prediction.

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
    noise: Number = number(default=0.1, above=0, below=0.5, says="nu, the probability that a label is flipped.")

    def _beta(self) -> Fraction:
        noise = simplest_fraction(self.noise)
        return noise / (1 - noise)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        del k, attribute_errors
        largest = None if self.max_size is None else min(self.max_size, n)
        return bounds.direct_weighted_majority(n=n, beta=float(self._beta()), k=largest)
