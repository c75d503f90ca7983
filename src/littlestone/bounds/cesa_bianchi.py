"""Bounds on the regret of gradient descent and exponentiated gradient for losses whose slopes are bounded.

Absolute, quantile, epsilon-insensitive and Huber's loss are convex, and no steeper than 1, max(q, 1 - q), 1 and 2d.
"""

from __future__ import annotations

from math import log, sqrt

from littlestone.bounds.bound import check, theorem
from littlestone.bounds.cesa_bianchi_long_warmuth import LENGTH

__all__ = ["eg_regret", "gd_regret"]

SOURCE = (
    "Cesa-Bianchi, Analysis of two gradient-based algorithms for on-line regression, Journal of Computer and System "
    "Sciences 59, 1999"
)
CONVEX = "a convex loss of w.x with slopes of at most S; "
SLOPE = ("S", "the largest slope of the loss")
ETA = (r"\eta", "the learning rate; where it is not given it is the one that makes the bound smallest")


@theorem(
    "Cesa-Bianchi, gradient descent",
    formula=r"\frac{D^2}{2 \eta} + \frac{\eta T S^2 X^2}{2}",
    symbols={"norm": LENGTH, "X": ("X", "the largest length of a row"), "slope": SLOPE, "eta": ETA},
    usual={"eta": r"\frac{D}{S X \sqrt{T}}"},
    source=SOURCE,
    assumptions=CONVEX + "any u; all rows have |x| <= X; w <- w - eta g x, g the slope",
    of="regret",
    target="any u",
    derived=True,
    positive="eta",
    not_negative="trials norm X slope",
)
def gd_regret(*, trials: int, norm: float, X: float, slope: float = 1.0, eta: float | None = None) -> float:
    """``norm^2/(2 eta) + eta T slope^2 X^2/2`` above the loss of every u; with the best eta, norm slope X sqrt(T).

    >>> gd_regret(trials=100, norm=2.0, X=3.0, eta=0.1).value
    65.0
    >>> gd_regret(trials=100, norm=2.0, X=3.0).value
    60.0
    """
    steep = slope * X
    if eta is None:
        return norm * steep * sqrt(trials)
    return (norm and norm * norm / (2.0 * eta)) + (steep and eta * trials * (steep * steep) / 2.0)


@theorem(
    "Cesa-Bianchi, exponentiated gradient",
    formula=r"\frac{d}{\eta} + \frac{\eta T S^2 R^2}{8}",
    symbols={
        "R": ("R", "the most by which the values of a row differ"),
        "n": ("n", "the number of weights, the constant one counted"),
        "slope": SLOPE,
        "divergence": ("d", "the relative entropy of u and the weights at the start"),
        "eta": ETA,
    },
    usual={"divergence": r"\ln n", "eta": r"\frac{1}{S R} \sqrt{\frac{8 d}{T}}"},
    source=SOURCE,
    assumptions=CONVEX
    + "u has weights that are not negative and sum to 1, all weights are equal at the start; in no row "
    "two values differ by more than R; w_i is multiplied by exp(-eta g x_i), g the slope, and all are divided by their "
    "sum",
    of="regret",
    target="any mixture",
    derived=True,
    positive="n eta",
    not_negative="trials R slope divergence",
)
def eg_regret(
    *, trials: int, R: float, n: int, slope: float = 1.0, divergence: float | None = None, eta: float | None = None
) -> float:
    """``d/eta + eta T slope^2 R^2/8`` above the loss of every mixture; with the best eta, slope R sqrt(T d/2).

    The divergence d of u is at most ln n, which takes its place where it is not given.

    >>> round(eg_regret(trials=200, R=1.0, n=100).value, 2)
    21.46
    """
    most, steep = log(n), slope * R
    if divergence is not None:
        fits = divergence <= most * (1.0 + 1e-12)
        check(fits, "eg_regret", "divergence <= ln n", f"divergence={divergence}, n={n}")
    distance = most if divergence is None else divergence
    if eta is None:
        return steep * sqrt(trials * distance / 2.0)
    return (distance and distance / eta) + (steep and eta * trials * (steep * steep) / 8.0)
