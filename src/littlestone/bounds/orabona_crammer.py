"""The bound of NAROW (Orabona and Crammer)."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.bound import theorem

__all__ = ["narow"]


@theorem(
    "Orabona-Crammer, NAROW",
    formula=(
        r"M + U - L \le \sqrt{\left(\lVert u \rVert^2 + E\right) \left(\frac{M + U}{b} + 2 "
        r"U\right)}"
    ),
    symbols={
        "b": ("b", "the learner's parameter b"),
        "loss": ("L", "the sum of (1 - y u.x)+ over all updates"),
        "energy": ("E", "the sum of c (u.x)^2 over all updates, c what each added to A"),
    },
    source="Orabona and Crammer, New adaptive algorithms for online classification, 2010",
    assumptions="any u; over all updates, of which so many (updates) were no mistakes, loss is the sum of (1 - y u.x)+ "
    "and energy the sum of c (u.x)^2, c what the update added to A; full covariance, zero start, theta 0",
    derived=True,
    positive="b",
    not_negative="norm energy updates loss",
)
def narow(*, b: float, norm: float, energy: float, updates: int, loss: float = 0.0) -> float:
    """The largest M with ``M + U - loss <= sqrt((|u|^2 + energy) ((M + U)/b + 2U))``, U updates without a mistake.

    theta' A^-1 theta grows by at most 1/b at a mistake and by 2 + 1/b at another update, and the sum of y u.x over the
    updates is at most sqrt(u'Au theta'A^-1 theta).

    >>> narow(b=1.0, norm=3.0, energy=0.0, updates=0).value
    9.0
    """
    V = norm * norm + energy
    # With T = M + U: (T - loss)^2 <= V (T/b + 2U), a quadratic in T.
    half = loss + 0.5 * V / b
    return max(half + sqrt(V * (2.0 * updates + loss / b + 0.25 * V / (b * b))) - updates, 0.0)
