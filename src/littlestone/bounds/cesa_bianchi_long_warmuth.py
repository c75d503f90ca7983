"""The bound of gradient descent on the square loss (Cesa-Bianchi, Long and Warmuth)."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.bound import theorem

__all__ = ["LOSS", "C", "gradient_descent", "loss_bound"]

SOURCE = (
    "Cesa-Bianchi, Long and Warmuth, Worst-case quadratic loss bounds for prediction using linear functions and "
    "gradient descent, IEEE Transactions on Neural Networks 7, 1996"
)
LOSS = ("L_u", "the loss of u: the sum of (u.x - y)^2 over the trials")
C = ("c", "what the learning rate is made of; where it is not given it is the one that makes the bound smallest")
LENGTH = ("D", "the length of u - w1, w1 the weights at the start")


@theorem(
    "Cesa-Bianchi-Long-Warmuth, gradient descent",
    formula=r"(1 + c) L_u + \left(1 + \frac{1}{c}\right) X^2 D^2",
    symbols={"loss": LOSS, "norm": LENGTH, "X": ("X", "the largest length of a row"), "c": C},
    usual={"c": r"\frac{X D}{\sqrt{L_u}}"},
    source=SOURCE,
    assumptions="square loss (p - y)^2; any u; all rows have |x| <= X; w <- w - 2 eta (p - y) x with "
    "eta = c/(2 X^2 (1 + c))",
    of="loss",
    target="linear",
    positive="c",
    not_negative="loss norm X",
)
def gradient_descent(*, loss: float = 0.0, norm: float, X: float, c: float | None = None) -> float:
    """``(1 + c) loss + (1 + 1/c) X^2 norm^2`` for every u and every sequence; with the best c, (sqrt(loss) + X norm)^2.

    >>> gradient_descent(loss=4.0, norm=3.0, X=1.0, c=1.0).value
    26.0
    >>> gradient_descent(loss=4.0, norm=3.0, X=1.0).value
    25.0
    """
    size = X * norm
    return (sqrt(loss) + size) ** 2 if c is None else loss_bound(c, loss, size * size)


def loss_bound(c: float, loss: float, size: float, share: float = 1.0) -> float:
    """Return ``(1 + share c) loss + (share + 1/c) size``; what is multiplied by 0 is 0.

    >>> loss_bound(1.0, 4.0, 9.0), loss_bound(2.0, 4.0, 9.0, 0.5)
    (26.0, 17.0)
    """
    return (loss and (1.0 + share * c) * loss) + (size and (share + 1.0 / c) * size)
