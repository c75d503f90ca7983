"""Exponentiated gradient: weights on the simplex, moved by factors."""

from __future__ import annotations

from typing import Any

from littlestone.engine.learning import descent
from littlestone.learners.regressors.mirror_descent import DescentRegressor
from littlestone.machines.machine import Machine
from littlestone.machines.mixture import Mixture
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["ExponentiatedGradient"]


class ExponentiatedGradient(DescentRegressor):
    """EG: a mixture of the attributes, whose weights are not negative and sum to 1.

    Predict ``w.x``, at first all weights are equal. For the square loss ``w_i <- w_i exp(-2 eta (w.x - y) x_i)``, then
    all are divided by their sum; for others, with their slope in the place of 2 (w.x - y). ``eta = 2c/(R^2 (2 + c))``
    where in no row the largest value and the smallest (0, where an attribute is left out) differ by more than R, which
    is the parameter X; without it, the row that spreads most so far takes its place. The constant coordinate, if there
    is one, has a weight among the others.

    The number of attributes must be known.

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

    def _needs_n(self) -> bool:
        return True

    def _link(self, n: int | None) -> Link:
        del n
        return links.exponential()

    def _machine_of(self, n: int | None, **given: Any) -> Machine:
        return Mixture(self.measure, n, **given)
