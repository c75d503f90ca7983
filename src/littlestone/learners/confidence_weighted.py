"""Confidence-weighted learning: be right about each example with a given probability."""

from __future__ import annotations

from math import nan, sqrt

from littlestone.core.parameters import choice, number
from littlestone.engine.learning import confidence
from littlestone.learners.second_order import SecondOrder, deviations
from littlestone.parts.updates import Update, second_order

__all__ = ["ConfidenceWeighted", "confident_by_deviation", "confident_by_variance"]


@second_order(when="always")
def confident_by_deviation(m: float, v: float, _weight: float, phi: float, _: float) -> tuple[float, float]:
    """Return alpha and c, where ``m < phi sqrt(v)``; no number: no update."""
    deviation = sqrt(v)
    if not m < phi * deviation:
        return nan, 0.0
    alpha = confidence.confident(max(m / deviation, -confidence.FAR), phi) / deviation
    return alpha, confidence.shrinking(alpha, v, phi)


@second_order(when="always")
def confident_by_variance(m: float, v: float, _weight: float, phi: float, _: float) -> tuple[float, float]:
    """Return alpha and c, where ``m < phi v``; no number: no update."""
    if not m < phi * v:
        return nan, 0.0
    alpha = confidence.confident_variance(max(m, -confidence.FAR), v, phi)
    return alpha, 2.0 * alpha * phi


class ConfidenceWeighted(SecondOrder):
    """The nearest Gaussian of hypotheses that is right about the example with probability eta.

    The mean w is 0 and the covariance S is 1 at first. Predict 1 iff ``w.x >= 0``. With y in {-1, +1}, ``m = y w.x``
    and ``v = x'Sx``, the probability of being right is at least eta where ``m >= phi sqrt(v)``, phi the eta-quantile
    of the standard Gaussian. Where that fails, take the Gaussian of least divergence from the present one that does it:

        w <- w + alpha y S x,   S^-1 <- S^-1 + (alpha phi/sqrt(u)) x x',
        alpha = [-m psi + sqrt(m^2 phi^4/4 + v phi^2 xi)]/(v xi),   psi = 1 + phi^2/2,   xi = 1 + phi^2,
        sqrt(u) = [-alpha v phi + sqrt(alpha^2 v^2 phi^2 + 4v)]/2.

    The variant "variance" asks for ``m >= phi v`` instead: ``S^-1 <- S^-1 + 2 alpha phi x x'`` with
    alpha = [-(1+2 phi m) + sqrt((1+2 phi m)^2 - 8 phi (m - phi v))]/(4 phi v). It takes every label at its word, and
    bears noise badly: see `SCW` and `AROW`.

    The constraint holds for a row whatever its weight: all weights but 0 are the same.

    Bound
    -----
    None is known on arbitrary sequences; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> clean, noisy = (ls.teachers.Threshold(n=100, trials=2000, noise=noise) for noise in (0.0, 0.1))
    >>> ls.play(ls.ConfidenceWeighted(), clean).mistakes, ls.play(ls.ConfidenceWeighted(), noisy).mistakes
    (169, 565)

    Reference
    ---------
    Dredze, Crammer and Pereira, "Confidence-weighted linear classification", ICML 2008 (variance); Crammer, Dredze and
    Pereira, "Exact convex confidence-weighted learning", NIPS 2008 (stdev).
    """

    eta: float = number(default=0.7, above=0.5, below=1, says="The probability.")
    variant: str = choice(default="stdev", among=("stdev", "variance"), says="The constraint.")

    def _check(self) -> None:
        self._phi = deviations(self._owner, self.eta)

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return confident_by_deviation if self.variant == "stdev" else confident_by_variance, (self._phi,)
