"""Ridge regression on line: the weights that fit the rows so far best."""

from __future__ import annotations

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.engine.arrays import Grid
from littlestone.engine.compiling import Kept, inlined, kept
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import adaptive
from littlestone.learners.regressors.least_squares import LeastSquares

__all__ = ["RidgeRegression", "moved", "pulled", "ridge_diagonal", "spread"]

WEIGHT, PRECISION = range(2)  # of an attribute: its weight, and that of the diagonal of A


@inlined
def spread(numbers: Floats, i: int, x: float) -> tuple[float, float]:
    """Return what an attribute adds to w.x and to x' A^-1 x."""
    return numbers[i, WEIGHT] * x, x * x / numbers[i, PRECISION]


@inlined
def pulled(
    s: float, q: float, _p: float, y: float, weight: float, _own: Floats, _totals: Floats
) -> tuple[float, float]:  # fmt: skip
    """Return how far the weights move along A^-1 x, and the row's weight."""
    return (y - s) / (1.0 / weight + q), weight


@inlined
def moved(numbers: Floats, i: int, x: float, way: float, weight: float, _own: Floats) -> None:
    """Move a weight, and add the row to A."""
    numbers[i, WEIGHT] = adaptive.held(numbers[i, WEIGHT] + way * (x / numbers[i, PRECISION]))
    numbers[i, PRECISION] = min(numbers[i, PRECISION] + weight * (x * x), adaptive.LARGEST)


@kept
def ridge_diagonal(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    numbers: Grid[Floats], constant: Grid[Floats], totals: Floats, counts: Ints, own: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block with a diagonal covariance: predict, then update, row by row."""
    adaptive.play(
        spread, adaptive.plain, pulled, moved, indptr, borrowed(indices), borrowed(values), outcomes,
        importance, borrowed(numbers), borrowed(constant), totals, counts, borrowed(own),
        predictions,
    )  # fmt: skip


class RidgeRegression(LeastSquares):
    """On-line ridge regression: predict with the weights that fit the rows before best.

    With ``A = a 1 + sum of x x'`` and ``b = sum of y x`` over the rows before, predict ``w.x`` with ``w = A^-1 b``,
    which has the least ``a |w|^2 + sum of (w.x - y)^2``. With ``r = y - w.x`` and ``v = x' A^-1 x`` that is

        w <- w + r/(1 + v) A^-1 x,   A <- A + x x'.

    A diagonal covariance does the same with the diagonal of x x'. A row's weight counts it so many times.

    Bound
    -----
    None is guaranteed from its parameters alone: `bounds.ridge_regret` asks how large its own errors are, and
    `bounds.ridge_loss` multiplies the loss of u.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.RidgeRegression(bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.5, 1.2]
    >>> learner.hypothesis().w.round(3).tolist()
    [0.941, 0.176]

    Reference
    ---------
    Hoerl and Kennard, "Ridge regression: biased estimation for nonorthogonal problems", Technometrics 12 (1970). Kept
    by Bierman's factors: "Factorization methods for discrete sequential estimation", Academic Press 1977.
    """

    def _diagonal(self) -> tuple[Kept, Kept | None]:
        return ridge_diagonal, None
