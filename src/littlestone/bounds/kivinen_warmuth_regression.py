"""The bounds of exponentiated gradient on the square loss (Kivinen and Warmuth)."""

from __future__ import annotations

from math import log, sqrt

from littlestone.bounds.bound import check, theorem
from littlestone.bounds.cesa_bianchi_long_warmuth import LOSS, C, loss_bound

__all__ = ["eg_plus_minus", "entropy_bound", "exponentiated_gradient"]

SOURCE = (
    "Kivinen and Warmuth, Exponentiated gradient versus gradient descent for linear predictors, Information and "
    "Computation 132, 1997"
)
ENTROPY = "the relative entropy of u and the weights at the start"
WEIGHTS = ("n", "the number of weights, the constant one counted")
BEST = r"R \sqrt{\frac{2 d}{L_u}}"


@theorem(
    "Kivinen-Warmuth, exponentiated gradient",
    formula=r"\left(1 + \frac{c}{2}\right) L_u + \left(\frac{1}{2} + \frac{1}{c}\right) R^2 d",
    symbols={
        "loss": LOSS,
        "R": ("R", "the most by which the values of a row differ"),
        "n": WEIGHTS,
        "divergence": ("d", ENTROPY),
        "c": C,
    },
    usual={"divergence": r"\ln n", "c": BEST},
    source=SOURCE,
    assumptions="square loss (p - y)^2; u has weights that are not negative and sum to 1, all weights are equal at the "
    "start; in no row two values differ by more than R; w_i is multiplied by exp(-2 eta (p - y) x_i), and all are "
    "divided by their sum, eta = 2c/(R^2 (2 + c))",
    of="loss",
    target="mixture",
    positive="n c",
    not_negative="loss R divergence",
)
def exponentiated_gradient(
    *, loss: float = 0.0, R: float, n: int, divergence: float | None = None, c: float | None = None
) -> float:
    """``(1 + c/2) loss + (1/2 + 1/c) R^2 d``; with the best c, ``loss + R sqrt(2 loss d) + R^2 d/2``.

    The divergence d of u is at most ln n, which takes its place where it is not given.

    >>> round(exponentiated_gradient(loss=4.0, R=1.0, n=100, c=1.0).value, 3)
    12.908
    >>> round(exponentiated_gradient(loss=4.0, R=1.0, n=100).value, 3)
    12.372
    """
    most = log(n)
    if divergence is not None:
        check(
            divergence <= most * (1.0 + 1e-12), "exponentiated_gradient", "divergence <= ln n", f"{divergence}, n={n}"
        )
    return entropy_bound(loss, R, most if divergence is None else divergence, c)


@theorem(
    "Kivinen-Warmuth, EG+-",
    formula=r"\left(1 + \frac{c}{2}\right) L_u + \left(\frac{1}{2} + \frac{1}{c}\right) R^2 d",
    where=(r"R = 2 U X",),
    symbols={
        "loss": LOSS,
        "U": ("U", "what the sizes of all weights sum to, at most"),
        "X": ("X", "the largest size of a value"),
        "n": WEIGHTS,
        "divergence": ("d", ENTROPY + ", both as 2n weights"),
        "c": C,
    },
    usual={"divergence": r"\ln (2 n)", "c": BEST},
    source=SOURCE,
    assumptions="square loss (p - y)^2; the sizes of u's weights sum to U at most, w = 0 at the start; all |x_i| <= X; "
    "exponentiated gradient on the rows (U x, -U x), eta = 2c/((2 U X)^2 (2 + c))",
    of="loss",
    target="sizes",
    positive="n c U",
    not_negative="loss X divergence",
)
def eg_plus_minus(
    *, loss: float = 0.0, U: float, X: float, n: int, divergence: float | None = None, c: float | None = None
) -> float:
    """The bound of `exponentiated_gradient` on 2n coordinates, of which two values of a row differ by at most 2 U X.

    >>> round(eg_plus_minus(loss=4.0, U=1.0, X=1.0, n=100, c=1.0).value, 3)
    37.79
    """
    most = log(2.0 * n)
    if divergence is not None:
        fits = divergence <= most * (1.0 + 1e-12)
        check(fits, "eg_plus_minus", "divergence <= ln 2n", f"divergence={divergence}, n={n}")
    return entropy_bound(loss, 2.0 * U * X, most if divergence is None else divergence, c)


def entropy_bound(loss: float, R: float, divergence: float, c: float | None) -> float:
    """Return ``(1 + c/2) loss + (1/2 + 1/c) R^2 divergence``, with the best c where it is not given.

    >>> entropy_bound(4.0, 2.0, 0.5, 1.0), entropy_bound(4.0, 2.0, 0.5, None)
    (9.0, 9.0)
    """
    size = divergence and R * R * divergence
    if c is not None:
        return loss_bound(c, loss, size, 0.5)
    return loss + (R and R * sqrt(2.0 * loss * divergence)) + size / 2.0
