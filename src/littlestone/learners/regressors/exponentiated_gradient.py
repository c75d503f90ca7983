"""Exponentiated gradient: weights on the simplex, moved by factors."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any, Self

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_number, check_whole
from littlestone.engine.learning import descent
from littlestone.learners.regressors.mirror_descent import DescentRegressor, best_c
from littlestone.machines.machine import Machine
from littlestone.machines.mixture import Mixture
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["ExponentiatedGradient", "entropy_c"]


class ExponentiatedGradient(DescentRegressor):
    """EG: a mixture of the attributes, whose weights are not negative and sum to 1.

    Predict ``w.x``, at first all weights are equal. For the square loss ``w_i <- w_i exp(-2 eta (w.x - y) x_i)``, then
    all are divided by their sum; for others, with their slope in the place of 2 (w.x - y). ``eta = 2c/(R^2 (2 + c))``
    where in no row the largest value and the smallest (0, where an attribute is left out) differ by more than R, which
    is the parameter X; without it, the row that spreads most so far takes its place. The constant coordinate, if there
    is one, has a weight among the others.

    The number of attributes must be known.

    Bound
    -----
    With X, for the square loss and every mixture u: loss <= (1 + c/2) L(u) + (1/2 + 1/c) R^2 d(u), d at most ln n the
    relative entropy of u and the start, see `bounds.exponentiated_gradient`. For losses of bounded slope see
    `bounds.eg_regret`, for the logistic one `bounds.eg_logistic`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.ExponentiatedGradient(eta=0.5, bias=False)
    >>> learner.learn([[1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], [0.0, 1.0, 1.0]).round(3).tolist()
    [0.5, 0.5, 0.235]
    >>> learner.hypothesis().w.round(3).tolist()
    [0.398, 0.305, 0.112, 0.185]

    Reference
    ---------
    Kivinen and Warmuth, "Exponentiated gradient versus gradient descent for linear predictors", Information and
    Computation 132 (1997).
    """

    size = descent.SPREAD
    _counts_all = True
    tells_n = ("vectors", (1, "n+1"))

    def _needs_n(self) -> bool:
        return True

    def _link(self, n: int | None) -> Link:
        del n
        return links.exponential()

    def _machine_of(self, n: int | None, **given: Any) -> Machine:
        return Mixture(self.measure, n, **given)

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        divergence = self._promise.get("divergence")
        return bounds.exponentiated_gradient(R=X, n=n, c=c, divergence=divergence, **self._described("loss"))

    def _on_slopes(self, X: float, eta: float, slope: float, n: int) -> Bound | None:
        return bounds.eg_regret(trials=self._trials, R=X, n=n, slope=slope, eta=eta)

    def _on_logistic(self, X: float, eta: float, n: int) -> Bound | None:
        if eta * X * X >= 16.0:
            return None
        return bounds.eg_logistic(R=X, n=n, eta=eta, **self._described("loss"))

    @classmethod
    def tuned(
        cls, *, X: float, loss: float = 0.0, n: int | None = None, divergence: float | None = None, bias: bool = True
    ) -> Self:
        """Return EG with the best c for a mixture u that loses so much on the square loss.

        In no row two values (the constant one, if there is one, and 0 where an attribute is left out) differ by more
        than X. Give the number of attributes, the divergence of u from the start, or both: ln n is the largest one.

        >>> learner = ExponentiatedGradient.tuned(X=1.0, loss=4.0, n=100, bias=False)
        >>> round(learner.c, 3), round(learner.guarantee.value, 3)
        (1.517, 12.372)
        """
        check_number("ExponentiatedGradient", "X", X, above=0.0)
        c = entropy_c("ExponentiatedGradient", X, loss, n, divergence, 1, bias=bias)
        learner = cls(c=c, X=X, bias=bias)
        learner._promise = {"loss": float(loss)} | ({} if divergence is None else {"divergence": float(divergence)})
        return learner if n is None else learner.begin(n)


def entropy_c(
    owner: str, R: float, loss: float, n: int | None, divergence: float | None, copies: int, *, bias: bool
) -> float:
    """Return the best c for a target that has this divergence, or any of at most the logarithm of all weights."""
    check_number(owner, "loss", loss, above=0.0, ends="[)")
    most = inf if n is None else log(copies * (check_whole(owner, "n", n) + bias))
    if divergence is not None:
        check_number(owner, "divergence", divergence, above=0.0, ends="[)")
        if divergence > most * (1.0 + 1e-12):
            raise InvalidParameter(f"{owner}: divergence must be at most {most:g}, for n={n}, got {divergence!r}")
    elif n is None:
        raise InvalidParameter(f"{owner}: give n, the number of attributes, or the divergence of u from the start")
    return best_c(R * sqrt(2.0 * (most if divergence is None else divergence)), loss)
