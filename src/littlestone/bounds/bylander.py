"""The bound of the binary exponentiated gradient algorithm, BEG, on the square loss (Bylander)."""

from __future__ import annotations

from littlestone.bounds.bound import theorem
from littlestone.bounds.cesa_bianchi_long_warmuth import LOSS, C
from littlestone.bounds.kivinen_warmuth_regression import entropy_bound

__all__ = ["beg_regression"]


@theorem(
    "Bylander, BEG",
    formula=r"\left(1 + \frac{c}{2}\right) L_u + \left(\frac{1}{2} + \frac{1}{c}\right) X^2 d",
    symbols={
        "loss": LOSS,
        "X": ("X", "the largest length of a row"),
        "divergence": ("d", "the binary relative entropies of the weights of u and those at the start, summed"),
        "c": C,
    },
    usual={"c": r"X \sqrt{\frac{2 d}{L_u}}"},
    source="Bylander, The binary exponentiated gradient algorithm for learning linear functions, COLT 1997",
    assumptions="square loss (p - y)^2; every weight of u is between 0 and 1; all rows have |x| <= X; the odds of w_i "
    "are multiplied by exp(-2 eta (p - y) x_i), eta = 2c/(X^2 (2 + c))",
    of="loss",
    target="box",
    derived=True,
    positive="c",
    not_negative="loss X divergence",
)
def beg_regression(*, loss: float = 0.0, X: float, divergence: float, c: float | None = None) -> float:
    """``(1 + c/2) loss + (1/2 + 1/c) X^2 d``; with the best c, ``loss + X sqrt(2 loss d) + X^2 d/2``.

    A coordinate adds ``u ln(u/w) + (1 - u) ln((1 - u)/(1 - w))`` to the divergence d of u, where w is its weight at the
    start: one that matters (u = 1) adds ln n if w = 1/n, one that does not (u = 0) nearly 1/n.

    >>> beg_regression(loss=4.0, X=2.0, divergence=2.0, c=1.0).value
    18.0
    >>> beg_regression(loss=4.0, X=2.0, divergence=2.0).value
    16.0
    """
    return entropy_bound(loss, X, divergence, c)
