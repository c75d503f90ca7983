"""The bound of the p-norm algorithms (Grove, Littlestone and Schuurmans; Gentile)."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.agarwal import hinge_form
from littlestone.bounds.bound import check, theorem

__all__ = ["p_norm_disjunction", "p_norm_losses", "p_norm_margin"]

SOURCE = (
    "Grove, Littlestone and Schuurmans, General convergence results for linear discriminant updates, 2001; "
    "Gentile, The robustness of the p-norm algorithms, 2003"
)


@theorem(
    "Gentile, p-norm",
    source=SOURCE,
    assumptions="some u has y (u.x) >= gamma on every trial; |x|_p <= R; zero start, theta 0",
)
def p_norm_margin(*, p: float, radius: float, norm: float, gamma: float) -> float:
    """``M <= (p-1) R^2 |u|_q^2 / gamma^2`` with q = p/(p-1); p = 2 is the Perceptron's bound.

    >>> p_norm_margin(p=2, radius=3.0, norm=1.0, gamma=0.5).value
    36.0
    """
    _check("p_norm_margin", p, radius, norm, gamma)
    return (p - 1.0) * (radius * norm / gamma) ** 2


def _check(owner: str, p: float, radius: float, norm: float, gamma: float) -> None:
    check(p >= 2.0, owner, "p >= 2", f"p={p}")
    check(radius >= 0.0 and norm >= 0.0, owner, "radius >= 0 and norm >= 0", f"radius={radius}, norm={norm}")
    check(gamma > 0.0, owner, "gamma > 0", f"gamma={gamma}")


@theorem(
    "Gentile, p-norm, hinge loss",
    source=SOURCE + " (derived)",
    assumptions="any u and gamma > 0; loss is the sum of (gamma - y u.x)+ over the trials with a mistake; |x|_p <= R; "
    "zero start, theta 0",
)
def p_norm_losses(*, p: float, radius: float, norm: float, gamma: float, loss: float) -> float:
    """``M <= ((B + sqrt(B^2 + 4 gamma loss)) / (2 gamma))^2`` with ``B = R |u|_q sqrt(p-1)``; p = 2 is the Perceptron.

    Over the mistakes the sum of y (u.x) is at least gamma M - loss, and at most B sqrt(M); solved for M.

    >>> p_norm_losses(p=2, radius=3.0, norm=1.0, gamma=0.5, loss=0.0).value
    36.0
    >>> p_norm_losses(p=2, radius=3.0, norm=1.0, gamma=0.5, loss=8.0).value
    64.0
    """
    _check("p_norm_losses", p, radius, norm, gamma)
    return hinge_form("p_norm_losses", radius * norm * sqrt(p - 1.0) / gamma, loss / gamma)


@theorem(
    "Gentile, p-norm, disjunctions",
    source=SOURCE,
    assumptions="x in {0,1}^n; the labels are those of a monotone disjunction of k attributes, without noise; "
    "at most X attributes on in a row; constant coordinate, zero start, theta 0",
)
def p_norm_disjunction(*, k: int, X: int, p: float) -> float:
    """The bound above for u = (u, -1/2), margin 1/2: ``4 (p-1) (X+1)^(2/p) (k + 2^-q)^(2/q)``.

    >>> p_norm_disjunction(k=3, X=20, p=2).value  # the Perceptron's (4k+1)(X+1)
    273.0
    """
    check(k >= 0 and X >= 0, "p_norm_disjunction", "k >= 0 and X >= 0", f"k={k}, X={X}")
    check(p >= 2.0, "p_norm_disjunction", "p >= 2", f"p={p}")
    q = p / (p - 1.0)
    return float(4.0 * (p - 1.0) * (X + 1.0) ** (2.0 / p) * (k + 0.5**q) ** (2.0 / q))
