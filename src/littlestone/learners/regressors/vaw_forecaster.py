"""The forecaster of Vovk, and of Azoury and Warmuth: least squares that foresee the present row."""

from __future__ import annotations

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.engine.arrays import Grid, Read
from littlestone.engine.compiling import Kept, inlined, kept
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import adaptive
from littlestone.learners.regressors.least_squares import LeastSquares
from littlestone.learners.regressors.ridge_regression import moved, pulled, spread
from littlestone.machines.least_squares import LeastSquares as Machine

__all__ = ["VAWForecaster", "vaw_diagonal", "vaw_diagonal_scores"]


@inlined
def _said(s: float, q: float) -> float:
    """Return the prediction with the present row in A."""
    return s / (1.0 + q)


@kept
def vaw_diagonal(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    numbers: Grid[Floats], constant: Grid[Floats], totals: Floats, counts: Ints, own: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block with a diagonal covariance: predict, then update, row by row."""
    adaptive.play(
        spread, _said, pulled, moved, indptr, borrowed(indices), borrowed(values), outcomes,
        importance, borrowed(numbers), borrowed(constant), totals, counts, borrowed(own),
        predictions,
    )  # fmt: skip


@kept
def vaw_diagonal_scores(
    indptr: Ints, indices: Columns, values: Floats, numbers: Read[Grid[Floats]], constant: Read[Grid[Floats]],
    own: Read[Floats], predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning."""
    adaptive.scored(spread, _said, indptr, indices, values, numbers, constant, own, predictions, activations)


class VAWForecaster(LeastSquares):
    """Vovk's forecaster, and Azoury and Warmuth's: ridge regression with the present row among those before.

    With ``b = sum of y x`` over the rows before and ``A = a 1 + sum of x x'`` over them and the present row, predict
    ``b' A^-1 x``. With w and ``v = x' A^-1 x`` as `RidgeRegression` has them, without the present row, that is

        w.x/(1 + v):

    the prediction is the nearer to 0, the less is known about such rows. It is not linear in x; `hypothesis` gives w.

    A diagonal covariance does the same with the diagonal of x x'. A row's weight counts it so many times, from the
    trial after on.

    Bound
    -----
    With a full covariance, and Y the largest outcome so far: a regret of at most a |u|^2 + Y^2 ln det(A/a), whatever
    the rows and outcomes are, see `bounds.vaw_volume`; beforehand, of rows no longer than X, `bounds.vaw_regret`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.VAWForecaster(bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.2, 0.353]
    >>> learner.hypothesis().w.round(3).tolist()
    [0.941, 0.176]

    Reference
    ---------
    Vovk, "Competitive on-line statistics", International Statistical Review 69 (2001); Azoury and Warmuth, "Relative
    loss bounds for on-line density estimation with the exponential family of distributions", Machine Learning 43
    (2001). Kept by Bierman's factors: "Factorization methods for discrete sequential estimation", Academic Press 1977.
    """

    def _theorem(self) -> Bound | None:
        if self.covariance != "full":
            return None
        machine = self._machine
        volume, largest = (machine.log_det, machine.largest) if isinstance(machine, Machine) else (0.0, 0.0)
        return bounds.vaw_volume(volume=volume, Y=largest, a=float(self.a), **self._described("norm"))

    def _foresees(self) -> bool:
        return True

    def _diagonal(self) -> tuple[Kept, Kept | None]:
        return vaw_diagonal, vaw_diagonal_scores
