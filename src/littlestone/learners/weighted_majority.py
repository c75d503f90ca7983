"""Weighted Majority, directly over all disjunctions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import flag, number, seed_parameter
from littlestone.core.rational import Number, simplest_fraction
from littlestone.learners.direct import Direct

__all__ = ["WeightedMajority"]


class WeightedMajority(Direct):
    """Every monotone disjunction votes with its weight, and pays for its errors.

    ``w_d <- beta w_d`` for each disjunction d that errs, from ``w_d = 1``; d says 1 iff one of its attributes is on,
    the empty one never. Predict 1 iff those that say 1 weigh at least as much as those that say 0. Exact, with
    ``beta`` the simplest fraction that rounds to it, though there are 2^n weights.

    Rows must be Boolean, and example weights whole numbers. The weights are no weights of attributes: `hypothesis` is
    None, `weights` gives the share of the disjunctions that have an attribute, `activation` the share that says 1,
    minus 1/2.

    Bound
    -----
    (n ln 2 + m ln(1/beta)) / ln(2/(1+beta)) mistakes, where the best disjunction makes m errors (on trials that count
    under the policy); randomised, always updated: an expectation of (n ln 2 + m ln(1/beta)) / (1-beta).

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.WeightedMajority()
    >>> ls.play(learner, ls.teachers.Disjunction(n=12, k=3, trials=200)).mistakes
    12
    >>> round(learner.guarantee.at(errors=0).value, 1), learner.most_probable()[0]
    (28.9, (0, 1, 2))

    Reference
    ---------
    Littlestone and Warmuth, "The weighted majority algorithm", Information and Computation 108 (1994); Helmbold,
    Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions", EuroCOLT 1999.
    """

    narrow = True
    beta: Number = number(default=0.5, above=0, below=1, says="What an error leaves of a weight.")
    randomized: bool = flag(default=False, says="Predict 1 with the probability that the weights give it.")
    seed: int = seed_parameter()

    def _beta(self) -> Fraction:
        return simplest_fraction(self.beta)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        del k, attribute_errors
        largest = None if self.max_size is None else min(self.max_size, n)
        if not self.randomized:
            return bounds.direct_weighted_majority(n=n, beta=float(self.beta), k=largest)
        if self.policy == "mistakes":
            return None
        experts = 1 << n if largest is None else sum(comb(n, size) for size in range(largest + 1))
        return bounds.weighted_majority_randomized(experts=experts, beta=float(self.beta))
