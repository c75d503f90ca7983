"""The bound of AROW (Crammer, Kulesza and Dredze)."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.bound import theorem

__all__ = ["arow"]


@theorem(
    "Crammer-Kulesza-Dredze, Theorem 2",
    formula=r"\max\left(0, L - U + \sqrt{\left(r \lVert u \rVert^2 + E\right) (S + U)}\right)",
    symbols={
        "r": ("r", "the learner's parameter r"),
        "loss": ("L", "the sum of (1 - y u.x)+ over all updates"),
        "energy": ("E", "the sum of (u.x)^2 over all updates"),
        "spread": ("S", "the sum of ln(1 + l/r) over the eigenvalues l of the sum of x x' over all updates"),
    },
    source="Crammer, Kulesza and Dredze, Adaptive regularization of weight vectors, 2009",
    assumptions="any u; over all updates, of which so many (updates) were no mistakes, loss is the sum of "
    "(1 - y u.x)+, energy the sum of (u.x)^2 and spread the sum of ln(1 + l/r) over the eigenvalues l of the sum of "
    "x x'; full covariance, zero start, theta 0",
    positive="r",
    not_negative="norm energy spread updates loss",
)
def arow(*, r: float, norm: float, energy: float, spread: float, updates: int, loss: float = 0.0) -> float:
    """``M <= loss - U + sqrt((r |u|^2 + energy) (spread + U))``, and at least 0; U updates were no mistakes.

    >>> arow(r=1.0, norm=1.0, energy=8.0, spread=4.0, updates=12, loss=3.0).value
    3.0
    """
    return max(loss - updates + sqrt((r * norm * norm + energy) * (spread + updates)), 0.0)
