"""Zinkevich's bound on the regret of on-line gradient descent, and the mistakes that follow."""

from __future__ import annotations

from math import log, sqrt

from littlestone.bounds.bound import theorem

__all__ = ["ogd_hinge", "ogd_logistic", "ogd_regret"]

SOURCE = "Zinkevich, Online convex programming and generalized infinitesimal gradient ascent, ICML 2003"
BALL = "w is projected to the ball |w| <= radius; |x| <= R; steps eta/sqrt(t)"


STEPS = {
    "radius": (r"\rho", "the radius of the ball to which w is projected"),
    "eta": (r"\eta", "the steps are eta/sqrt(t)"),
}
REGRET = r"r = \frac{2 \rho^2 \sqrt{T}}{\eta} + \eta R^2 \left(\sqrt{T} - \frac{1}{2}\right)"
ROWS = ("R", "the largest length of a row")


@theorem(
    "Zinkevich, Theorem 1",
    formula=r"\frac{2 \rho^2 \sqrt{T}}{\eta} + \eta G^2 \left(\sqrt{T} - \frac{1}{2}\right)",
    symbols=STEPS | {"gradient": ("G", "the largest length of a gradient")},
    source=SOURCE,
    assumptions="convex losses with gradients of at most that length; any u in the ball |u| <= radius; projections to "
    "that ball; steps eta/sqrt(t)",
    of="regret",
    positive="eta",
    not_negative="trials radius gradient",
)
def ogd_regret(*, trials: int, radius: float, gradient: float, eta: float = 1.0) -> float:
    """``2 radius^2 sqrt(T)/eta + eta gradient^2 (sqrt(T) - 1/2)`` from the first trial on.

    >>> ogd_regret(trials=100, radius=1.0, gradient=1.0).value
    29.5
    """
    return _regret(trials, radius, gradient, eta)


@theorem(
    "Zinkevich, hinge loss",
    formula=r"\min(T, L + r)",
    where=(REGRET,),
    symbols=STEPS | {"R": ROWS, "loss": ("L", "the sum of (1 - y u.x)+ over all trials")},
    source=SOURCE,
    assumptions=BALL + "; any u in the ball; loss is the sum of (1 - y u.x)+ over all trials",
    derived=True,
    positive="eta",
    not_negative="trials radius R loss",
)
def ogd_hinge(*, trials: int, radius: float, R: float, eta: float = 1.0, loss: float = 0.0) -> float:
    """``M <= loss + regret``, and ``M <= T``: a mistake has a hinge loss of at least 1.

    The regret is that of `ogd_regret` with gradients of length R.

    >>> ogd_hinge(trials=100, radius=1.0, R=1.0, loss=5.0).value
    34.5
    """
    return min(float(trials), loss + _regret(trials, radius, R, eta))


@theorem(
    "Zinkevich, logistic loss",
    formula=r"\min\left(T, \frac{L + r}{\ln 2}\right)",
    where=(REGRET,),
    symbols=STEPS | {"R": ROWS, "loss": ("L", "the sum of ln(1 + e^(-y u.x)) over all trials")},
    source=SOURCE,
    assumptions=BALL + "; any u in the ball; loss is the sum of ln(1 + e^(-y u.x)) over all trials",
    derived=True,
    positive="eta",
    not_negative="trials radius R loss",
)
def ogd_logistic(*, trials: int, radius: float, R: float, eta: float = 1.0, loss: float = 0.0) -> float:
    """``M <= (loss + regret) / ln 2``, and ``M <= T``: a mistake has a logistic loss of at least ln 2.

    The regret is that of `ogd_regret` with gradients of length R.

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
