"""Bayes-BEG: the Bayes-optimal prediction for attributes that vote independently."""

from __future__ import annotations

from math import inf, log
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.bounds.ledger import Parameters, theorem3_parameters, theorem4_parameters
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole, choice, flag, number, promised
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.learners.thresholded_beg import start_logit
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["BayesBEG"]


class BayesBEG(QuasiAdditiveLearner):
    """Bayes' rule for Thresholded-BEG's weights.

    Odds move as in Thresholded-BEG, ``odds_i <- odds_i beta_y^x_i``; the vote of an attribute is
    ``v_i = ln[gamma (1-beta0) / ((1-gamma)(beta1-1)) * (1 + w_i (beta1-1)) / (1 + w_i (beta0-1))]``. Predict 1 iff
    ``v.x > theta = n ln(gamma/(1-gamma))``. gamma is the probability of label 0 where x = 0 (the paper's sentence says
    the opposite of its formula).

    Rows must be Boolean. `hypothesis` gives the votes and theta.

    Bound
    -----
    For the parameters of Theorem 3, 6.48 + 2.48 k (1 + ceil(log2 ...)), and of 4, 24.79 + 8.44 k ln(n-1) + 5.76 k, see
    `bounds.bayes_beg_theorem3` and `bounds.bayes_beg_theorem4`; `guarantee` is what their proofs give before they are
    rounded, about two thirds of it.

    Example
    -------
    >>> import littlestone as ls
    >>> run = ls.play(ls.BayesBEG.theorem3(n=20, k=3), ls.teachers.Disjunction(n=20, k=3, trials=500))
    >>> run.mistakes, run.promotions, round(run.guarantee.value, 2)
    (13, 10, 27.11)

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999).
    """

    domain = "Boolean"
    narrow = True
    beta1: float | None = number(default=None, above=1, says="The factor of a positive example; None: Theorem 4.")
    beta0: float | None = number(
        default=None,
        above=0,
        below=1,
        ends="[)",
        says="The factor of a negative example; None: Theorem 4. 0 eliminates, and bears no noise.",
    )
    gamma: float | None = number(
        default=None, above=0.5, below=1, says="What the threshold comes from; None: Theorem 4."
    )
    w1: float | None = number(default=None, above=0, below=1, says="The first weight of every attribute; None: 1/n.")
    policy: str = choice(
        default="mistakes",
        among=("mistakes", "always"),
        says='When to update. Only "mistakes" has a bound: with "always", many positives in a row can cost any number.',
    )
    theta: float | None = number(default=None, above=0, says="The threshold; None: n ln(gamma/(1-gamma)).")
    bias: bool = flag(default=False, says="Add a constant coordinate, learned like any other and counted in n.")

    def _check(self) -> None:
        super()._check()
        if self.policy == "always" and self.margin > 0.0:
            raise InvalidParameter(f"{self._owner}: margin has no meaning with policy='always'; leave it at 0")

    @property
    def tie(self) -> int:
        """0: the paper predicts 1 only above theta."""
        return 0

    def _needs_n(self) -> bool:
        given = (self.beta1, self.beta0, self.gamma, self.w1, self.theta)
        return any(parameter is None for parameter in given)

    def _resolved(self, n: int | None) -> Parameters:
        """Return all parameters: those given, and Theorem 4's for the rest."""
        if n is not None and n < 2 and self._needs_n():
            raise InvalidParameter(f"BayesBEG: its theorems need n >= 2, got n={n}; give all parameters")
        usual = theorem4_parameters(n) if n is not None and n >= 2 else Parameters(2.0, 0.5, 0.75, 1.0)
        beta1 = usual.beta1 if self.beta1 is None else float(self.beta1)
        beta0 = usual.beta0 if self.beta0 is None else float(self.beta0)
        gamma = usual.gamma if self.gamma is None else float(self.gamma)
        if self.theta is not None:
            return Parameters(beta1, beta0, gamma, float(self.theta))
        theta = usual.theta if self.gamma is None else (n or 0) * log(gamma / (1.0 - gamma))
        return Parameters(beta1, beta0, gamma, theta)

    def _build(self, n: int | None) -> Machine:
        coordinates = None if n is None else n + self.bias
        beta1, beta0, gamma, theta = self._resolved(coordinates)
        shared = links.options_of(self) | ({"margin": inf} if self.policy == "always" else {})
        up, down = log(beta1), log(beta0) if beta0 > 0.0 else -inf
        start = start_logit("BayesBEG", self.w1, coordinates)
        link = links.bayes(beta1, beta0, gamma)
        return Duals(Rule(link=link, up=up, down=down, start=start, theta=theta, **shared), n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if self.policy == "always" or self.w1 is not None:
            return None
        if self._resolved(n) == theorem4_parameters(n):
            return bounds.bayes_beg_theorem4_sharper(n=n, k=k, attribute_errors=attribute_errors)
        known = self._resolved(n) == theorem3_parameters(n) and not attribute_errors
        return bounds.bayes_beg_theorem3_sharper(n=n, k=k) if known else None

    @classmethod
    def theorem3(cls, n: int, k: int | None = None, *, policy: str = "mistakes") -> Self:
        """Return the parameters of Theorem 3: beta0 = 0, beta1 = 1 + c, gamma = c/(1+c), c = ((e+1)/(e-1))^(1/n).

        >>> round(BayesBEG.theorem3(n=200, k=5).guarantee.value, 2)
        72.73
        """
        n = check_whole("BayesBEG", "n", n, least=2)
        beta1, beta0, gamma, theta = theorem3_parameters(n)
        learner = cls(beta1=beta1, beta0=beta0, gamma=gamma, theta=theta, policy=policy)
        learner._promise = promised("BayesBEG", k, n)
        return learner.begin(n)

    @classmethod
    def theorem4(cls, n: int, k: int | None = None, *, policy: str = "mistakes") -> Self:
        """Return the parameters of Theorem 4, where beta0 > 0 lets it recover from noise.

        >>> round(BayesBEG.theorem4(n=200, k=5).guarantee.value, 2)
        161.38
        """
        n = check_whole("BayesBEG", "n", n, least=2)
        learner = cls(policy=policy)
        learner._promise = promised("BayesBEG", k, n)
        return learner.begin(n)
