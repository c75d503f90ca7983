"""Normalized Winnow: a probability distribution over the attributes."""

from __future__ import annotations

from math import e, exp, inf, isclose, log
from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_number, check_whole, flag, number
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["NormalizedWinnow"]


class NormalizedWinnow(QuasiAdditiveLearner):
    """Winnow whose weights always sum to one.

    ``w_i = exp(z_i) / sum_j exp(z_j)``, z = 0 at the start (w = 1/n). Update on a mistake: in the eta form (Agarwal)
    ``z <- z + eta y x`` with y in {-1, +1}, predict 1 iff ``w.x >= theta``; in the beta form (Helmbold et al.)
    ``w_i <- w_i beta_y^x_i``, normalised, predict 1 iff ``w.x > theta``. The first is the second with beta1 = e^eta,
    beta0 = e^-eta, up to the tie.

    The eta form takes any values, the beta form none below 0.

    Bound
    -----
    For_margin: Agarwal's Theorem 3.1, with the guard that its text lacks; `bounds.normalized_winnow_optimal` at the
    best eta. On disjunctions of k attributes, where theta fits k: ln(n/k)/delta, see
    `bounds.normalized_winnow_disjunction`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.NormalizedWinnow.for_disjunctions(n=20, k=3)
    >>> ls.play(learner, ls.teachers.Greedy(target=range(3), n=20)).mistakes, round(learner.guarantee.value, 1)
    (11, 14.0)

    Reference
    ---------
    Agarwal, lecture notes on Perceptron and Winnow; Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for
    on-line learning of disjunctions" (1999).
    """

    narrow = True
    _counts_all = True
    eta: float | None = number(default=None, above=0, says="The rate of the eta form; None, without betas: ln 1.5.")
    beta1: float | None = number(default=None, above=1, says="The factor of a promotion in the beta form.")
    beta0: float | None = number(
        default=None,
        above=0,
        below=1,
        ends="[)",
        says="The factor of a demotion in the beta form. 0 eliminates; if nothing is left, the prediction is 0.",
    )
    theta: float = number(
        default=0.0,
        says="The threshold. At 0 the normalisation changes no prediction, and no n is needed (unless averaged or "
        "margin).",
    )
    bias: bool = flag(default=False, says="Add a constant coordinate, learned like any other.")

    def _check(self) -> None:
        super()._check()
        eta, beta1, beta0 = self.eta, self.beta1, self.beta0
        if (beta1 is None) != (beta0 is None) or (eta is not None and beta1 is not None):
            raise InvalidParameter(
                f"{self._owner}: expected eta alone, or beta1 and beta0 together, "
                f"got eta={eta!r}, beta1={beta1!r}, beta0={beta0!r}"
            )

    @property
    def tie(self) -> int:
        """1 in the eta form, 0 in the beta form."""
        return 1 if self.beta1 is None else 0

    @property
    def domain(self) -> str:  # type: ignore[override]
        """Any values in the eta form, none below 0 in the beta form."""
        return "any" if self.beta1 is None else "non-negative"

    def _needs_n(self) -> bool:
        # Where the scale decides nothing, what is not seen yet does not matter.
        return self.theta != 0.0 or self.averaged or self.margin > 0.0

    def _rate(self) -> float:
        return log(1.5) if self.eta is None else float(self.eta)

    def _build(self, n: int | None) -> Machine:
        if self.beta1 is None or self.beta0 is None:
            up, down = self._rate(), -self._rate()
        else:
            up, down = log(self.beta1), log(self.beta0) if self.beta0 > 0.0 else -inf
        given = {"theta": float(self.theta), **links.options_of(self)}
        rule = Rule(link=links.exponential(), up=up, down=down, start=0.0, **given)
        return Duals(rule, n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if "gamma" in self._promise:
            return bounds.normalized_winnow_margin(n=n, eta=self._rate(), **self._promise)
        if self.theta <= 0.0:
            return None
        beta1 = exp(self._rate()) if self.beta1 is None else self.beta1
        beta0 = exp(-self._rate()) if self.beta0 is None else self.beta0
        found = bounds.normalized_winnow_disjunction(
            n=n, k=k, beta1=beta1, beta0=beta0, theta=self.theta, attribute_errors=attribute_errors
        )
        return found if found.value < inf else None

    @classmethod
    def for_margin(cls, n: int, gamma: float, *, radius: float = 1.0, norm: float = 1.0) -> Self:
        """Return the eta form with the best eta for u >= 0 with y (u.x) >= gamma, |u|_1 = norm, |x_i| <= radius.

        >>> learner = NormalizedWinnow.for_margin(n=1000, gamma=0.2)
        >>> round(learner.eta, 4), round(learner.guarantee.value, 1)
        (0.2027, 343.1)
        """
        n = check_whole("NormalizedWinnow", "n", n)
        for name, value in (("gamma", gamma), ("radius", radius), ("norm", norm)):
            check_number("NormalizedWinnow", name, value, above=0.0)
        if gamma > radius * norm and not isclose(gamma, radius * norm):
            raise InvalidParameter(f"NormalizedWinnow: gamma must be <= radius * norm = {radius * norm}, got {gamma!r}")
        gamma = min(gamma, radius * norm)
        learner = cls(eta=bounds.optimal_eta(gamma=gamma, radius=radius, norm=norm))
        learner._promise = {"gamma": gamma, "radius": radius, "norm": norm}
        return learner.begin(n)

    @classmethod
    def for_disjunctions(cls, n: int, k: int) -> Self:
        """Return the beta form that eliminates (beta0 = 0, beta1 = e) with the threshold that balances the bound for k.

        >>> round(NormalizedWinnow.for_disjunctions(n=200, k=5).theta, 5)
        0.07532
        """
        n, k = check_whole("NormalizedWinnow", "n", n, least=2), check_whole("NormalizedWinnow", "k", k)
        if k > n:
            raise InvalidParameter(f"NormalizedWinnow: k must be a whole number <= n={n}, got {k}")
        root = exp(1.0 / k)
        learner = cls(beta1=e, beta0=0.0, theta=(root - 1.0) / (root + e - 1.0))
        learner._promise = {"k": k, "attribute_errors": 0}
        return learner.begin(n)
