"""NHERD: herding a Gaussian of hypotheses."""

from __future__ import annotations

from littlestone.core.parameters import choice, number
from littlestone.learners.second_order import SecondOrder
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
    >>> import numpy as np
    >>> from littlestone.learners import NHERD
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> learner = NHERD()
    >>> _ = learner.learn(X, X[:, :3].any(axis=1))
    >>> learner.mistakes
    70

    Reference
    ---------
    Crammer and Lee, "Learning via Gaussian herding", NIPS 2010.
    """

    C: float = number(default=0.1, above=0, says="The larger, the larger the steps.")
    covariance: str = choice(
        default="diagonal",
        among=("diagonal", "full"),
        says='"diagonal" adds the diagonal of x x\' only, and a trial costs the attributes that are on. "full" '
        "takes time at an update and room at all times in proportion to the square of the number of attributes, "
        "at most 8192. The diagonal one is the paper's projection.",
    )

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return nherd, (float(self.C),)
