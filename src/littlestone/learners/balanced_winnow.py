"""Balanced Winnow: Winnow with positive and negative weights."""

from __future__ import annotations

from littlestone.core.parameters import flag, number
from littlestone.core.rational import Number
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents
from littlestone.machines.machine import Machine
from littlestone.machines.power_table import BalancedTable
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["BalancedWinnow"]


class BalancedWinnow(QuasiAdditiveLearner):
    """Two weights an attribute, one for and one against, both multiplicative.

    ``w_i = w1 (alpha^c_i - alpha^-c_i)``, c = 0 at the start. Update iff ``y (w.x - theta) <= margin`` with y in
    {-1, +1}: ``c <- c + y x``. Predict 1 iff ``w.x >= theta``.

    On Boolean rows the exponents are whole numbers, and scores that rounding might decide are decided exactly.

    Bound
    -----
    That of exponentiated gradient on (x, -x); no closed form is claimed here.

    Example
    -------
    >>> import numpy as np, littlestone as ls
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> learner = ls.BalancedWinnow()
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, learner.updates
    (30, 31)

    Reference
    ---------
    Littlestone, "Mistake bounds and logarithmic linear-threshold learning algorithms", thesis (1989).
    """

    alpha: Number = number(default=1.5, above=1, says="The factor of an update.")
    theta: Number = number(default=0.0, says="The threshold.")
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")
    w1: Number = number(
        default=1.0, above=0, says="The common start of the two weights; it scales scores and the margin."
    )
    margin: float = number(
        default=0.0,
        above=0,
        ends="[)",
        says="The thick separator: update also where the score is right by no more than this. At 0 it updates on a "
        "mistake or a tie, so that updates may exceed mistakes.",
    )

    def _build(self, n: int | None) -> Machine:
        rule = Rule(
            link=links.two_sinh(float(self.alpha), float(self.w1)), up=1.0, down=-1.0, start=0.0,
            theta=float(self.theta), bias=self.bias, margin=float(self.margin), averaged=self.averaged,
            dtype=self.dtype,
        )  # fmt: skip
        if self.averaged:
            return Duals(rule, n)
        return Exponents(rule, BalancedTable(self.alpha, self.w1), theta=self.theta, margin=self.margin)
