"""NHERD: herding a Gaussian of hypotheses."""

from __future__ import annotations

from littlestone.core.parameters import number
from littlestone.learners.second_order import SecondOrder, covariances
from littlestone.parts.updates import Update, second_order

__all__ = ["NHERD", "nherd"]


@second_order(when="margin")
def nherd(m: float, v: float, weight: float, C: float, _: float) -> tuple[float, float]:
    """Return alpha and c: ``w += alpha y S x`` and ``S^-1 += c x x'``."""
    C *= weight
    return (1.0 - m) / (v + 1.0 / C), C * (2.0 + C * v)


class NHERD(SecondOrder):
    """Normal herd: the flow of a Gaussian of hypotheses towards the example, as a whole.

    The mean w is 0 and the covariance S is 1 at first. Predict 1 iff ``w.x >= 0``. With y in {-1, +1}, ``m = y w.x``
    and ``v = x'Sx``, where m < 1:

        w <- w + C (1 - m)/(1 + C v) y S x,   S^-1 <- S^-1 + C (2 + C v) x x'.

    A row's weight multiplies its C.

    Bound
    -----
    None is known; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.NHERD(C=1.0)
    >>> [learner.learn_one({"height": 1.8, "age": age}, age > 0.5) for age in (0.2, 0.9, 0.1, 0.7)]
    [True, False, False, False]
    >>> learner.predict_one({"height": 1.7, "age": 0.8})
    True

    Reference
    ---------
    Crammer and Lee, "Learning via Gaussian herding", NIPS 2010.
    """

    C: float = number(default=0.1, above=0, says="The larger, the larger the steps.")
    covariance: str = covariances("The diagonal one is the paper's projection.")

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return nherd, (float(self.C),)
