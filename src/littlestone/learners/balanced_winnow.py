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
    >>> import littlestone as ls
    >>> learner = ls.BalancedWinnow()
    >>> learner.learn([[1, 0, 1], [0, 1, 1], [1, 1, 0], [1, 0, 0]], [1, 0, 0, 1]).tolist()
    [1, 1, 1, 0]
    >>> {name: round(weight, 2) for name, weight in learner.weights().items()}
    {0: 0.83, 1: -1.81, 2: 0.0}

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
        shared = links.options_of(self) | {"theta": float(self.theta), "margin": float(self.margin)}
        link = links.two_sinh(float(self.alpha), float(self.w1))
        rule = Rule(link=link, up=1.0, down=-1.0, start=0.0, **shared)
        if self.averaged:
            return Duals(rule, n)
        return Exponents(rule, BalancedTable(self.alpha, self.w1), theta=self.theta, margin=self.margin)
