"""Bounds of on-line least squares: the forecaster of Vovk, and of Azoury and Warmuth; ridge regression."""

from __future__ import annotations

from math import log1p

from littlestone.bounds.bound import theorem
from littlestone.bounds.cesa_bianchi_long_warmuth import LOSS

__all__ = ["ridge_loss", "ridge_regret", "vaw_regret", "vaw_volume"]

SOURCE = (
    "Vovk, Competitive on-line statistics, International Statistical Review 69, 2001; Azoury and Warmuth, Relative "
    "loss bounds for on-line density estimation with the exponential family of distributions, Machine Learning 43, 2001"
)
SQUARES = "square loss (p - y)^2; any u; A = a 1 + the sum of x x'; "
FORECAST = "predict b' A^-1 x, b the sum of y x over the rows before and A with the present row"
LENGTH = ("D", "the length of u")
VOLUME = r"V = n \ln \left(1 + \frac{T X^2}{a n}\right)"
N = ("n", "the number of weights, the constant one counted")
ROWS = ("X", "the largest length of a row")


@theorem(
    "Vovk, Azoury-Warmuth, forecaster",
    formula=r"a D^2 + Y^2 V",
    where=(VOLUME,),
    symbols={"n": N, "X": ROWS, "Y": ("Y", "the largest size of an outcome"), "norm": LENGTH},
    source=SOURCE,
    assumptions=SQUARES + FORECAST + "; all rows have |x| <= X, all outcomes |y| <= Y",
    of="regret",
    target="any u",
    positive="a n",
    not_negative="trials X Y norm",
)
def vaw_regret(*, n: int, trials: int, X: float, Y: float, norm: float, a: float = 1.0) -> float:
    """``a norm^2 + n Y^2 ln(1 + T X^2/(a n))`` above the loss of every u.

    >>> round(vaw_regret(n=10, trials=1000, X=1.0, Y=2.0, norm=3.0).value, 2)
    193.6
    """
    return a * (norm * norm) + (Y and Y * Y * _volume(n, trials, X, a))


@theorem(
    "Vovk, Azoury-Warmuth, forecaster, by the rows",
    formula=r"a D^2 + Y^2 V",
    symbols={
        "volume": ("V", "the logarithm of the determinant of A/a after the last trial"),
        "Y": ("Y", "the largest size of an outcome"),
        "norm": LENGTH,
    },
    source=SOURCE,
    assumptions=SQUARES + FORECAST + "; all outcomes |y| <= Y",
    of="regret",
    target="any u",
    not_negative="a volume Y norm",
)
def vaw_volume(*, volume: float, Y: float, norm: float, a: float = 1.0) -> float:
    """``a norm^2 + Y^2 ln det(A/a)`` above the loss of every u: what the rows that came have made of `vaw_regret`.

    >>> vaw_volume(volume=3.0, Y=2.0, norm=1.5).value
    14.25
    """
    return a * (norm * norm) + (Y and Y * Y * volume)


@theorem(
    "Azoury-Warmuth, ridge regression",
    formula=r"a D^2 + B^2 V",
    where=(VOLUME,),
    symbols={
        "n": N,
        "X": ROWS,
        "residual": ("B", "the largest |p - y|; 2Y, where outcomes and predictions are kept between -Y and Y"),
        "norm": LENGTH,
    },
    source=SOURCE,
    assumptions=SQUARES
    + "predict w.x, w the least of a |w|^2 and the losses on the rows before, or the nearest number "
    "in an interval that has all outcomes; all rows have |x| <= X, and the learner's own errors are |p - y| <= B",
    of="regret",
    target="any u",
    derived=True,
    positive="a n",
    not_negative="trials X residual norm",
)
def ridge_regret(*, n: int, trials: int, X: float, residual: float, norm: float, a: float = 1.0) -> float:
    """``a norm^2 + n residual^2 ln(1 + T X^2/(a n))`` above the loss of every u.

    Unlike the forecaster's it needs a bound on the learner's own errors, which nothing keeps small but an interval into
    which predictions are brought: they are then twice as large as outcomes at most, and the price is four times that of
    `vaw_regret`.

    >>> round(ridge_regret(n=10, trials=1000, X=1.0, residual=4.0, norm=3.0).value, 2)
    747.42
    """
    return a * (norm * norm) + (residual and residual * residual * _volume(n, trials, X, a))


@theorem(
    "Azoury-Warmuth, ridge regression, without a bound on outcomes",
    formula=r"\left(1 + \frac{X^2}{a}\right) (L_u + a D^2)",
    symbols={"X": ROWS, "loss": LOSS, "norm": LENGTH},
    source=SOURCE,
    assumptions=SQUARES
    + "predict w.x, w the least of a |w|^2 and the losses on the rows before; all rows have |x| <= X",
    of="loss",
    target="linear",
    derived=True,
    positive="a",
    not_negative="X loss norm",
)
def ridge_loss(*, loss: float = 0.0, norm: float, X: float, a: float = 1.0) -> float:
    """``(1 + X^2/a) (loss + a norm^2)`` for every u and every sequence.

    >>> ridge_loss(loss=3.0, norm=1.0, X=2.0, a=2.0).value
    15.0
    """
    return (1.0 + X * X / a) * (loss + a * (norm * norm))


def _volume(n: int, trials: int, X: float, a: float) -> float:
    """Return the largest ln det(A/a) that rows of length X can make."""
    return n * log1p(trials * (X * X) / (a * n))
