"""Zinkevich's bound on the regret of on-line gradient descent, and the mistakes that follow."""

from __future__ import annotations

from math import log, sqrt

from littlestone.bounds.bound import theorem

__all__ = ["ogd_hinge", "ogd_logistic", "ogd_regret"]

SOURCE = "Zinkevich, Online convex programming and generalized infinitesimal gradient ascent, ICML 2003"
BALL = "w is projected to the ball |w| <= radius; |x| <= R; steps eta/sqrt(t)"


@theorem(
    "Zinkevich, Theorem 1",
    source=SOURCE,
    assumptions="convex losses with gradients of at most that length; any u in the ball |u| <= radius; projections to "
    "that ball; steps eta/sqrt(t)",
    of="regret",
    positive="eta",
    not_negative="trials radius gradient",
)
def ogd_regret(*, trials: int, radius: float, gradient: float, eta: float = 1.0) -> float:
    """``2 radius^2 sqrt(T)/eta + eta gradient^2 (sqrt(T) - 1/2)``.

    >>> ogd_regret(trials=100, radius=1.0, gradient=1.0).value
    29.5
    """
    return _regret(trials, radius, gradient, eta)


@theorem(
    "Zinkevich, hinge loss",
    source=SOURCE,
    assumptions=BALL + "; any u in the ball; loss is the sum of (1 - y u.x)+ over all trials",
    derived=True,
    positive="eta",
    not_negative="trials radius R loss",
)
def ogd_hinge(*, trials: int, radius: float, R: float, eta: float = 1.0, loss: float = 0.0) -> float:
    """``M <= loss + regret``, since a mistake has a hinge loss of at least 1.

    >>> ogd_hinge(trials=100, radius=1.0, R=1.0, loss=5.0).value
    34.5
    """
    return min(float(trials), loss + _regret(trials, radius, R, eta))


@theorem(
    "Zinkevich, logistic loss",
    source=SOURCE,
    assumptions=BALL + "; any u in the ball; loss is the sum of ln(1 + e^(-y u.x)) over all trials",
    derived=True,
    positive="eta",
    not_negative="trials radius R loss",
)
def ogd_logistic(*, trials: int, radius: float, R: float, eta: float = 1.0, loss: float = 0.0) -> float:
    """``M <= (loss + regret) / ln 2``, since a mistake has a logistic loss of at least ln 2.

    >>> round(ogd_logistic(trials=100, radius=1.0, R=1.0, loss=5.0).value, 1)
    49.8
    """
    return min(float(trials), (loss + _regret(trials, radius, R, eta)) / log(2.0))


def _regret(trials: int, radius: float, gradient: float, eta: float) -> float:
    """Return the regret; not rounded, as the value of a bound is."""
    if trials == 0:
        return 0.0
    root = sqrt(trials)
    return 2.0 * radius * radius * root / eta + eta * gradient * gradient * (root - 0.5)
