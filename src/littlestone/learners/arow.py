"""AROW: adaptive regularisation of weights."""

from __future__ import annotations

from littlestone.core.parameters import number
from littlestone.learners.second_order import SecondOrder
from littlestone.parts.updates import Update, second_order

__all__ = ["AROW", "arow"]


@second_order(when="margin")
def arow(m: float, v: float, weight: float, r: float, _: float) -> tuple[float, float]:
    """Return alpha and c: ``w += alpha y S x`` and ``S^-1 += c x x'``."""
    return (1.0 - m) / (v + r / weight), weight / r


class AROW(SecondOrder):
    """Adaptive regularisation: move less where many examples have spoken, and bear noise.

    A Gaussian over hypotheses has the mean w (at first 0) and the covariance S (at first 1). Predict 1 iff
    ``w.x >= 0``. With y in {-1, +1}, ``m = y w.x`` and ``v = x'Sx``, where m < 1:

        w <- w + (1 - m)/(v + r) y S x,   S^-1 <- S^-1 + x x'/r.

    A row's weight multiplies what its loss costs: r is divided by it.

    Bound
    -----
    With a full covariance, for every u, with the hinge losses of u over the updates: `bounds.arow`. It depends on the
    number of updates that were no mistakes, so that it is known only after a game; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> noisy = ls.teachers.Threshold(n=50, k=5, trials=2000, noise=0.1)
    >>> [ls.play(ls.AROW(covariance=kind), noisy).mistakes for kind in ("diagonal", "full")]
    [410, 314]

    Reference
    ---------
    Crammer, Kulesza and Dredze, "Adaptive regularization of weight vectors", NIPS 2009.
    """

    r: float = number(
        default=1.0, above=0, says="The larger, the smaller the steps, and the slower the covariance shrinks."
    )

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return arow, (float(self.r),)
