"""EG+-: exponentiated gradient with weights of any sign."""

from __future__ import annotations

from littlestone.core.parameters import number
from littlestone.engine.learning import descent
from littlestone.learners.regressors.mirror_descent import DescentRegressor
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["EGPlusMinus"]


class EGPlusMinus(DescentRegressor):
    """EG+-: weights of any sign, whose sizes sum to U at most.

    Two weights an attribute, ``w_i = w+_i - w-_i``, all of them positive and with the sum U; predict ``w.x``, at first
    w = 0. For the square loss

        w+_i <- w+_i exp(-2 eta U (w.x - y) x_i),   w-_i <- w-_i exp(2 eta U (w.x - y) x_i),

    then all are divided so that they sum to U. It is `ExponentiatedGradient` on the rows (U x, -U x), which spread by
    2 U max |x_i|: with X the largest size of a value, ``eta = 2c/((2 U X)^2 (2 + c))``.

    The number of attributes must be known.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.EGPlusMinus(U=2.0, eta=0.1, bias=False)
    >>> learner.learn([[1, 0, 1], [1, -1, 0], [1, 0, 0]], [0.0, 1.0, 1.0]).round(3).tolist()
    [0.0, 0.0, 0.26]
    >>> learner.hypothesis().w.round(3).tolist()
    [0.452, -0.246, 0.0]

    Reference
    ---------
    Kivinen and Warmuth, "Exponentiated gradient versus gradient descent for linear predictors", Information and
    Computation 132 (1997).
    """

    U: float = number(default=1.0, above=0, says="What the sizes of all weights sum to, at most.")

    size = descent.SIZE
    _counts_all = True

    def _share(self) -> float:
        return 2.0 * self.c / (2.0 + self.c) / (2.0 * self.U) ** 2

    def _factor(self) -> float:
        return float(self.U)

    def _needs_n(self) -> bool:
        return True

    def _link(self, n: int | None) -> Link:
        del n
        return links.two_exponentials(float(self.U))
