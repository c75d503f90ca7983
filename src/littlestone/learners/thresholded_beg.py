"""Thresholded-BEG: a probability for each attribute that it belongs to the disjunction."""

from __future__ import annotations

from math import e, inf, isclose, log
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_flag, check_whole, flag, number, promised, seed_parameter
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.learners.winnow import balanced_theta, best_alpha
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["ThresholdedBEG", "start_logit"]


def start_logit(owner: str, w1: float | None, n: int | None) -> float:
    """Return the logit of the first weights; None stands for 1/n, which has one only for n >= 2."""
    if w1 is not None:
        return log(w1) - log(1.0 - w1)
    if n is None or n < 2:
        raise InvalidParameter(f"{owner}: w1=1/n has no logit at n={n}; expected n >= 2, or give w1 in (0, 1)")
    return -log(n - 1.0)


class ThresholdedBEG(QuasiAdditiveLearner):
    """Binary exponentiated gradient with a threshold.

    ``w_i`` in (0, 1), odds ``w_i/(1-w_i) <- odds * beta_y^x_i`` on a mistake; that is, the logit moves by
    ``x_i ln beta_y``. Predict 1 iff ``w.x > theta``.

    Values must not be negative.

    Bound
    -----
    Theorem 5: (a+1) (dist + A ln a) / ln a for *any* disjunction with A attribute errors; Corollary 1 for (e, 0),
    `bounds.thresholded_beg_corollary1`.

    Example
    -------
    >>> import littlestone as ls
    >>> run = ls.play(ls.ThresholdedBEG(), ls.teachers.Greedy(target=range(3), n=20))
    >>> run.mistakes, run.promotions, round(run.guarantee.at(k=3).value, 1)
    (30, 15, 42.7)

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999);
    Bylander, "The binary exponentiated gradient algorithm for learning linear functions", COLT 1997.
    """

    domain = "non-negative"
    narrow = True
    beta1: float = number(default=2.0, above=1, says="The factor of a promotion.")
    beta0: float = number(
        default=0.5, above=0, below=1, ends="[)", says="The factor of a demotion. 0 eliminates, and bears no noise."
    )
    theta: float | None = number(
        default=None,
        above=0,
        says="The threshold; None: a ln(a)/(a^2-1) where beta1 = a, beta0 = 1/a, or 1/e where they are e and 0.",
    )
    w1: float | None = number(
        default=None, above=0, below=1, says="The weight of every attribute before it is seen; None: 1/n."
    )
    bias: bool = flag(default=False, says="Add a constant coordinate, learned like any other.")
    randomized: bool = flag(
        default=False,
        says="Predict 1 with probability ``min(1, w.x/theta * a/(a+1))``, beta1 = a, beta0 = 1/a, and update unless "
        "the prediction was certain and right.",
    )
    seed: int = seed_parameter()

    def _check(self) -> None:
        super()._check()
        if self.randomized and not self._reciprocal():
            raise InvalidParameter(
                f"{self._owner}: randomized needs beta0 = 1/beta1, got beta1={self.beta1!r}, beta0={self.beta0!r}"
            )
        self._resolved_theta()

    @property
    def tie(self) -> int:
        """0: the paper predicts 1 only above theta."""
        return 0

    def _needs_n(self) -> bool:
        return self.w1 is None

    def _reciprocal(self) -> bool:
        return isclose(self.beta1 * self.beta0, 1.0, rel_tol=1e-12)

    def _eliminates(self) -> bool:
        return self.beta0 == 0.0 and isclose(self.beta1, e, rel_tol=1e-12)

    def _resolved_theta(self) -> float:
        if self.theta is not None:
            return float(self.theta)
        if self._reciprocal():
            return balanced_theta(float(self.beta1))
        if self._eliminates():
            return 1.0 / e
        raise InvalidParameter(
            "ThresholdedBEG: theta=None needs beta0 = 1/beta1, or beta1 = e and beta0 = 0, "
            f"got beta1={self.beta1!r}, beta0={self.beta0!r}; give theta"
        )

    def _build(self, n: int | None) -> Machine:
        theta, up, down = self._resolved_theta(), log(self.beta1), log(self.beta0) if self.beta0 > 0.0 else -inf
        start = start_logit("ThresholdedBEG", self.w1, None if n is None else n + self.bias)
        certain = theta * (1.0 + 1.0 / self.beta1) if self.randomized else 0.0
        given = {**links.options_of(self), "theta": theta, "certain": certain, "seed": self.seed}
        return Duals(Rule(link=links.sigmoid(), up=up, down=down, start=start, **given), n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        theta = self._resolved_theta()
        if self._reciprocal() and isclose(theta, balanced_theta(float(self.beta1))):
            theorem = bounds.thresholded_beg_randomized if self.randomized else bounds.thresholded_beg
            return theorem(n=n, k=k, alpha=float(self.beta1), w1=self.w1, attribute_errors=attribute_errors)
        if self._eliminates() and isclose(theta, 1.0 / e) and self.w1 is None and not attribute_errors:
            return bounds.thresholded_beg_noise_free(n=n, k=k)
        return None

    @classmethod
    def for_disjunctions(
        cls, n: int, k: int | None = None, attribute_errors: int = 0, *, randomized: bool = False, seed: int = 0
    ) -> Self:
        """Return the parameters of Theorem 5 (w1 = 1/n) with the alpha that is best for k and the attribute errors.

        Without attribute errors it is the same for every k; otherwise it is that for one attribute where none is given.

        >>> learner = ThresholdedBEG.for_disjunctions(n=200, k=5)
        >>> round(learner.beta1, 4), round(learner.guarantee.value, 1), round(learner.guarantee.at(k=1).value, 1)
        (3.5911, 98.6, 22.6)
        """
        n = check_whole("ThresholdedBEG", "n", n, least=2)
        few = 1 if k is None else check_whole("ThresholdedBEG", "k", k, most=n)
        errors = check_whole("ThresholdedBEG", "attribute_errors", attribute_errors, least=0)
        check_flag("ThresholdedBEG", "randomized", randomized)
        alpha = best_alpha(few * log(n) + (n - few) * log(n / (n - 1.0)), errors, randomized=randomized)
        learner = cls(beta1=alpha, beta0=1.0 / alpha, randomized=randomized, seed=seed)
        learner._promise = promised("ThresholdedBEG", k, n, errors)
        return learner.begin(n)

    @classmethod
    def noise_free(cls, n: int, k: int | None = None) -> Self:
        """Return the parameters of Corollary 1: beta1 = e, beta0 = 0, theta = 1/e, w1 = 1/n.

        >>> round(ThresholdedBEG.noise_free(n=200, k=5).guarantee.value, 1)
        74.7
        """
        n = check_whole("ThresholdedBEG", "n", n, least=2)
        learner = cls(beta1=e, beta0=0.0)
        learner._promise = promised("ThresholdedBEG", k, n)
        return learner.begin(n)
