"""The bound of Li and Long's ROMMA."""

from __future__ import annotations

from littlestone.bounds.bound import SPARSE, theorem

__all__ = ["romma", "romma_disjunction"]

SOURCE = "Li and Long, The relaxed online maximum margin algorithm, Machine Learning 46, 2002"


@theorem(
    "Li-Long, ROMMA",
    formula=r"R^2 \lVert u \rVert^2",
    source=SOURCE,
    assumptions="some u has y (u.x) >= 1 on every trial; |x| <= R; zero start; aggressive or not",
    not_negative="radius norm",
)
def romma(*, radius: float, norm: float) -> float:
    """``M <= R^2 |u|^2``: |w| never exceeds |u|, and each mistake adds at least 1/R^2 to its square.

    >>> romma(radius=3.0, norm=2.0).value
    36.0
    """
    return (radius * norm) ** 2


@theorem("Li-Long, ROMMA, disjunctions", formula="(4 k + 1) (X + 1)", source=SOURCE, **SPARSE)
def romma_disjunction(*, k: int, X: int) -> float:
    """``M <= (4k+1)(X+1)``: the bound above for u = (2, ..., 2, -1).

    >>> romma_disjunction(k=3, X=20).value
    273
    """
    return (4 * k + 1) * (X + 1)
