"""The bound of the p-norm algorithms (Grove, Littlestone and Schuurmans; Gentile)."""

from __future__ import annotations

from math import inf

from littlestone.bounds.bound import check, theorem

__all__ = ["p_norm_disjunction", "p_norm_margin"]

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
    check(p >= 2.0, "p_norm_margin", "p >= 2", f"p={p}")
    check(gamma > 0.0, "p_norm_margin", "gamma > 0", f"gamma={gamma}")
    return float((p - 1.0) * (radius * norm / gamma) ** 2) if norm < inf else inf


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
