"""The bound of the second-order Perceptron (Cesa-Bianchi, Conconi and Gentile)."""

from __future__ import annotations

from collections.abc import Callable
from math import log1p, sqrt

from littlestone.bounds.bound import DISJUNCTION, SPARSE, theorem

__all__ = [
    "second_order_perceptron",
    "second_order_perceptron_disjunction",
    "second_order_perceptron_disjunction_diagonal",
]

SOURCE = "Cesa-Bianchi, Conconi and Gentile, A second-order Perceptron algorithm, 2005"


@theorem(
    "Cesa-Bianchi-Conconi-Gentile, Theorem 3.1",
    formula=r"\frac{L + \sqrt{\left(a \lVert u \rVert^2 + E\right) S}}{\gamma}",
    symbols={
        "energy": ("E", "the sum of (u.x)^2 over the trials with a mistake"),
        "spread": ("S", "the sum of ln(1 + l/a) over the eigenvalues l of the sum of x x' over these trials"),
    },
    source=SOURCE,
    assumptions="any u and gamma > 0; over the trials with a mistake loss is the sum of (gamma - y u.x)+, energy the "
    "sum of (u.x)^2 and spread the sum of ln(1 + l/a) over the eigenvalues l of the sum of x x' (diagonal covariance: "
    "energy is the sum of (u_i x_i)^2, l the sums of x_i^2); zero start, theta 0",
    positive="a gamma",
    not_negative="norm energy spread loss",
)
def second_order_perceptron(
    *, a: float, norm: float, energy: float, spread: float, loss: float = 0.0, gamma: float = 1.0
) -> float:
    """``M <= (loss + sqrt((a |u|^2 + energy) spread)) / gamma``; more trials than the mistakes only make it larger.

    For a diagonal covariance the same proof holds, with diagonal matrices: the sum of x'A^-1 x is at most spread.

    >>> second_order_perceptron(a=1.0, norm=1.0, energy=8.0, spread=4.0, loss=2.0, gamma=0.5).value
    16.0
    """
    return (loss + sqrt((a * norm * norm + energy) * spread)) / gamma


ROWS = "; at most X attributes on in a row; n coordinates, a constant one among them; zero start, theta 0"
ON_DISJUNCTIONS = SPARSE | {"source": SOURCE, "assumptions": DISJUNCTION + ROWS, "positive": "n a"}


@theorem(
    "Cesa-Bianchi-Conconi-Gentile, disjunctions",
    formula=(
        r"M^2 \le 4 \left(a \left(k + \frac{1}{4}\right) + q M\right) d \ln\left(1 + \frac{M (X + "
        r"1)}{a d}\right)"
    ),
    where=(r"q = \max\left(k - \frac{1}{2}, \frac{1}{2}\right)^2", r"d = \min(n, M)"),
    **ON_DISJUNCTIONS,
)
def second_order_perceptron_disjunction(*, n: int, k: int, X: int, a: float = 1.0) -> float:
    """The largest M that Theorem 3.1 allows for u = (u, -1/2), margin 1/2: ``M <= 2 sqrt((a (k+1/4) + e M) s)``.

    e is the largest (u.x)^2: (k-1/2)^2, at least 1/4; ``s = d ln(1 + M (X+1)/(a d))`` with d = min(n, M) eigenvalues,
    since x.x <= X + 1 and ln is concave.

    >>> second_order_perceptron_disjunction(n=21, k=3, X=20).value
    4405
    """
    e = max(k - 0.5, 0.5) ** 2
    return _largest(lambda M: 4.0 * (a * (k + 0.25) + e * M) * _spread(min(n, M), M, X, a))


@theorem(
    "Cesa-Bianchi-Conconi-Gentile, disjunctions, diagonal",
    formula=(
        r"M^2 \le 4 \left(k + \frac{1}{4}\right) (a + M) n \ln\left(1 + \frac{M (X + 1)}{a "
        r"n}\right)"
    ),
    **ON_DISJUNCTIONS | {"assumptions": DISJUNCTION + ROWS + "; diagonal covariance"},
)
def second_order_perceptron_disjunction_diagonal(*, n: int, k: int, X: int, a: float = 1.0) -> float:
    """The same for a diagonal covariance: ``M <= 2 sqrt((k+1/4) (a + M) s)``, ``s = n ln(1 + M (X+1)/(a n))``.

    >>> second_order_perceptron_disjunction_diagonal(n=21, k=3, X=20).value
    2087
    """
    return _largest(lambda M: 4.0 * (k + 0.25) * (a + M) * _spread(n, M, X, a))


def _spread(d: int, mistakes: int, X: int, a: float) -> float:
    return d * log1p(mistakes * (X + 1) / (a * d))


def _largest(square: Callable[[int], float]) -> int:
    """Return the largest M with ``M^2 <= square(M)``, where square(M)/M^2 falls."""
    high = 1
    while high * high <= square(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * middle <= square(middle) else (low, middle)
    return low
