"""NAROW: AROW with a regularisation that is chosen for each example."""

from __future__ import annotations

from math import nan

from littlestone.core.parameters import number
from littlestone.learners.second_order import SecondOrder, covariances
from littlestone.parts.updates import Update, second_order

__all__ = ["NAROW", "narow"]


@second_order(when="always")
def narow(m: float, v: float, weight: float, b: float, _: float) -> tuple[float, float]:
    """Return alpha and what is added to A, c x x'; no number: no update."""
    c = max(b - 1.0 / v, 0.0)
    if not m < 1.0 + c * v:
        return nan, 0.0
    return weight * (1.0 - c * m) / (1.0 + weight * c * v), weight * c


class NAROW(SecondOrder):
    """Narrow AROW: the covariance shrinks only where an example is not yet known well enough.

    It keeps A (at first 1), theta (at first 0) and ``w = A^-1 theta``; predict 1 iff ``w.x >= 0``. With y in {-1, +1},
    ``v = x'A^-1 x``, and ``c = b - 1/v`` where v > 1/b, else c = 0: where ``y w.x / (1 + c v) < 1``,

        theta <- theta + y x,   A <- A + c x x'.

    So c is what makes x'A^-1 x at most 1/b; the margin is that of w with the new A. (Some implementations set w's step
    to 0 where c is 0, and never learn from short rows.)

    A row's weight multiplies what it adds to theta and to A.

    Bound
    -----
    With a full covariance, for every u: `bounds.narow`, known after a game; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> noisy = ls.teachers.LabelNoise(ls.teachers.Disjunction(n=100, k=5, trials=2000), rate=0.1)
    >>> [ls.play(ls.NAROW(b=b), noisy).mistakes for b in (0.1, 1.0, 10.0)]
    [501, 366, 450]

    Reference
    ---------
    Orabona and Crammer, "New adaptive algorithms for online classification", NIPS 2010.
    """

    b: float = number(
        default=1.0,
        above=0,
        says="How well an example is to be known: with b -> 0 it is the Perceptron with a margin, for A stays 1.",
    )
    covariance: str = covariances(
        "With a diagonal one the step of w is that of the formula for the full one: ``w <- w + (1 - c y w.x)/(1 + c v) "
        "y A^-1 x``."
    )

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return narow, (float(self.b),)
