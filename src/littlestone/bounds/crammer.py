"""Bounds of the passive-aggressive algorithms (Crammer and others, 2006)."""

from __future__ import annotations

from littlestone.bounds.bound import SPARSE, theorem

__all__ = [
    "passive_aggressive",
    "passive_aggressive_1",
    "passive_aggressive_1_disjunction",
    "passive_aggressive_2",
    "passive_aggressive_2_disjunction",
    "passive_aggressive_disjunction",
]

SOURCE = "Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Online passive-aggressive algorithms, JMLR 7, 2006"


@theorem(
    "Crammer et al., Theorem 2, PA",
    formula=r"R^2 \lVert u \rVert^2",
    source=SOURCE,
    assumptions="some u has y (u.x) >= 1 on every trial; |x| <= R; zero start",
    not_negative="radius norm",
)
def passive_aggressive(*, radius: float, norm: float) -> float:
    """``M <= sum l^2 <= R^2 |u|^2``: the squared losses of PA, each mistake at least 1.

    >>> passive_aggressive(radius=3.0, norm=2.0).value
    36.0
    """
    return (radius * norm) ** 2


@theorem(
    "Crammer et al., Theorem 4, PA-I",
    formula=r"\max\left(R^2, \frac{1}{C}\right) \left(\lVert u \rVert^2 + 2 C L\right)",
    symbols={"loss": ("L", "the sum of (1 - y u.x)+ over all trials")},
    source=SOURCE,
    assumptions="any u; loss is the sum of (1 - y u.x)+ over all trials; |x| <= R; zero start",
    positive="C",
    not_negative="radius norm loss",
)
def passive_aggressive_1(*, C: float, radius: float, norm: float, loss: float = 0.0) -> float:
    """``M <= max(R^2, 1/C) (|u|^2 + 2 C loss)``.

    >>> passive_aggressive_1(C=1.0, radius=3.0, norm=2.0, loss=5.0).value
    126.0
    """
    return max(radius * radius, 1.0 / C) * (norm * norm + 2.0 * C * loss)


@theorem(
    "Crammer et al., Theorem 5, PA-II",
    formula=r"\left(R^2 + \frac{1}{2 C}\right) \left(\lVert u \rVert^2 + 2 C L_2\right)",
    symbols={"squared_losses": ("L_2", "the sum of ((1 - y u.x)+)^2 over all trials")},
    source=SOURCE,
    assumptions="any u; squared_losses is the sum of ((1 - y u.x)+)^2 over all trials; |x| <= R; zero start",
    positive="C",
    not_negative="radius norm squared_losses",
)
def passive_aggressive_2(*, C: float, radius: float, norm: float, squared_losses: float = 0.0) -> float:
    """``M <= sum l^2 <= (R^2 + 1/(2C)) (|u|^2 + 2 C sum l*^2)``.

    >>> passive_aggressive_2(C=1.0, radius=3.0, norm=2.0, squared_losses=5.0).value
    133.0
    """
    return (radius * radius + 0.5 / C) * (norm * norm + 2.0 * C * squared_losses)


@theorem("Crammer et al., PA, disjunctions", formula="(4 k + 1) (X + 1)", source=SOURCE, **SPARSE)
def passive_aggressive_disjunction(*, k: int, X: int) -> float:
    """``M <= (4k+1)(X+1)``: the bound for u = (2, ..., 2, -1), as the Perceptron's.

    >>> passive_aggressive_disjunction(k=3, X=20).value
    273
    """
    return (4 * k + 1) * (X + 1)


@theorem(
    "Crammer et al., PA-I, disjunctions",
    formula=r"(4 k + 1) \max\left(X + 1, \frac{1}{C}\right)",
    source=SOURCE,
    positive="C",
    **SPARSE,
)
def passive_aggressive_1_disjunction(*, k: int, X: int, C: float = 1.0) -> float:
    """``M <= (4k+1) max(X+1, 1/C)``.

    >>> passive_aggressive_1_disjunction(k=3, X=20).value
    273.0
    """
    return (4 * k + 1) * max(X + 1.0, 1.0 / C)


@theorem(
    "Crammer et al., PA-II, disjunctions",
    formula=r"(4 k + 1) \left(X + 1 + \frac{1}{2 C}\right)",
    source=SOURCE,
    positive="C",
    **SPARSE,
)
def passive_aggressive_2_disjunction(*, k: int, X: int, C: float = 1.0) -> float:
    """``M <= (4k+1) (X + 1 + 1/(2C))``.

    >>> passive_aggressive_2_disjunction(k=3, X=20).value
    279.5
    """
    return (4 * k + 1) * (X + 1.0 + 0.5 / C)
