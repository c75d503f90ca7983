"""Bounds for the logistic loss with its matching prediction, 1/(1 + e^-w.x) (Helmbold, Kivinen and Warmuth)."""

from __future__ import annotations

from math import inf, log, sqrt

from littlestone.bounds.bound import check, theorem
from littlestone.bounds.cesa_bianchi import ETA
from littlestone.bounds.cesa_bianchi_long_warmuth import LENGTH

__all__ = ["eg_logistic", "gd_logistic"]

SOURCE = (
    "Helmbold, Kivinen and Warmuth, Relative loss bounds for single neurons, IEEE Transactions on Neural Networks 10, "
    "1999"
)
LOGISTIC = (
    "outcomes y from 0 to 1, the loss y ln(y/p) + (1 - y) ln((1 - y)/(1 - p)) of the prediction p = 1/(1 + e^-w.x); "
)
LOSS = ("L_u", "the loss of u: the sum of the losses of 1/(1 + e^-u.x) over the trials")


@theorem(
    "Helmbold-Kivinen-Warmuth, gradient descent",
    formula=r"\frac{L_u + \frac{D^2}{2 \eta}}{1 - \frac{\eta X^2}{4}}",
    where=(r"q = \frac{X^2 D^2}{8}", r"\eta X^2 < 4"),
    symbols={"loss": LOSS, "norm": LENGTH, "X": ("X", "the largest length of a row"), "eta": ETA},
    usual={"eta": r"\frac{4 q}{X^2 \left(q + \sqrt{q^2 + q L_u}\right)}"},
    source=SOURCE,
    assumptions=LOGISTIC + "any u; all rows have |x| <= X; w <- w - eta (p - y) x",
    of="loss",
    target="linear",
    derived=True,
    positive="eta X",
    not_negative="loss norm",
)
def gd_logistic(*, loss: float = 0.0, norm: float, X: float, eta: float | None = None) -> float:
    """``(loss + norm^2/(2 eta))/(1 - eta X^2/4)``; with the best eta, loss + 2 q + 2 sqrt(q^2 + q loss).

    There q is (X norm)^2/8.

    >>> gd_logistic(loss=3.0, norm=2.0, X=1.0, eta=1.0).value, round(gd_logistic(loss=3.0, norm=2.0, X=1.0).value, 3)
    (6.666666666666667, 6.646)
    """
    size = X * norm
    if eta is None:
        return _best(loss, size * size / 8.0)
    return _divided(loss + (norm and norm * norm / (2.0 * eta)), eta * X * X / 4.0)


@theorem(
    "Helmbold-Kivinen-Warmuth, exponentiated gradient",
    formula=r"\frac{L_u + \frac{d}{\eta}}{1 - \frac{\eta R^2}{16}}",
    where=(r"q = \frac{R^2 d}{16}", r"\eta R^2 < 16"),
    symbols={
        "loss": LOSS,
        "R": ("R", "the most by which the values of a row differ"),
        "n": ("n", "the number of weights, the constant one counted"),
        "divergence": ("d", "the relative entropy of u and the weights at the start"),
        "eta": ETA,
    },
    usual={"divergence": r"\ln n", "eta": r"\frac{16 q}{R^2 \left(q + \sqrt{q^2 + q L_u}\right)}"},
    source=SOURCE,
    assumptions=LOGISTIC
    + "u has weights that are not negative and sum to 1, all weights are equal at the start; in no "
    "row two values differ by more than R; w_i is multiplied by exp(-eta (p - y) x_i), then all are divided by their "
    "sum",
    of="loss",
    target="mixture",
    derived=True,
    positive="n eta R",
    not_negative="loss divergence",
)
def eg_logistic(
    *, loss: float = 0.0, R: float, n: int, divergence: float | None = None, eta: float | None = None
) -> float:
    """``(loss + d/eta)/(1 - eta R^2/16)``; with the best eta, loss + 2 q + 2 sqrt(q^2 + q loss), q = R^2 d/16.

    The divergence d of u is at most ln n, which takes its place where it is not given.

    >>> eg_logistic(loss=3.0, R=2.0, n=5, divergence=1.0, eta=2.0).value
    7.0
    """
    most = log(n)
    if divergence is not None:
        fits = divergence <= most * (1.0 + 1e-12)
        check(fits, "eg_logistic", "divergence <= ln n", f"divergence={divergence}, n={n}")
    distance = most if divergence is None else divergence
    if eta is None:
        return _best(loss, R * R * distance / 16.0)
    return _divided(loss + (distance and distance / eta), eta * R * R / 16.0)


def _best(loss: float, q: float) -> float:
    """Return the least of (loss + q/b)/(1 - b) for b between 0 and 1."""
    return loss + 2.0 * q + 2.0 * sqrt(q) * sqrt(q + loss)


def _divided(size: float, part: float) -> float:
    """Return ``size/(1 - part)``; infinite where that says nothing."""
    return size / (1.0 - part) if part < 1.0 else inf
