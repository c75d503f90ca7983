"""EG+-: exponentiated gradient with weights of any sign."""

from __future__ import annotations

from typing import Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import check_number, number
from littlestone.engine.learning import descent
from littlestone.learners.regressors.exponentiated_gradient import entropy_c
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

    Bound
    -----
    With X, for the square loss and every u whose sizes sum to U at most: that of `ExponentiatedGradient` with
    R = 2 U X and d at most ln 2n, see `bounds.eg_plus_minus`.

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

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        divergence = self._promise.get("divergence")
        return bounds.eg_plus_minus(U=float(self.U), X=X, n=n, c=c, divergence=divergence, **self._described("loss"))

    @classmethod
    def tuned(
        cls,
        *,
        X: float,
        U: float = 1.0,
        loss: float = 0.0,
        n: int | None = None,
        divergence: float | None = None,
        bias: bool = True,
    ) -> Self:
        """Return EG+- with the best c for a u whose sizes sum to U at most and that loses so much on the square loss.

        All values have |x_i| <= X. Give the number of attributes, the divergence of u from the start (as 2n weights),
        or both: ln 2n is the largest one.

        >>> learner = EGPlusMinus.tuned(X=1.0, U=1.0, loss=4.0, n=100, bias=False)
        >>> round(learner.c, 3), round(learner.guarantee.value, 3)
        (3.255, 27.618)
        """
        check_number("EGPlusMinus", "X", X, above=0.0)
        check_number("EGPlusMinus", "U", U, above=0.0)
        c = entropy_c("EGPlusMinus", 2.0 * U * X, loss, n, divergence, 2, bias=bias)
        learner = cls(U=U, c=c, X=X, bias=bias)
        learner._promise = {"loss": float(loss)} | ({} if divergence is None else {"divergence": float(divergence)})
        return learner if n is None else learner.begin(n)
