"""Balanced Winnow: Winnow with positive and negative weights."""

from __future__ import annotations

from typing import Unpack

from littlestone.core.parameters import Options, check_flag, check_number
from littlestone.core.rational import Number
from littlestone.learners.base import Learner
from littlestone.learners.quasi_additive import take_options
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents
from littlestone.machines.machine import Machine
from littlestone.machines.power_table import BalancedTable
from littlestone.parts import links
from littlestone.parts.rules import Rule

__all__ = ["BalancedWinnow"]


class BalancedWinnow(Learner):
    """Two weights an attribute, one for and one against, both multiplicative.

    ``w_i = w1 (alpha^c_i - alpha^-c_i)``, c = 0 at the start. Update iff ``y (w.x - theta) <= margin`` with y in
    {-1, +1}: ``c <- c + y x``. Predict 1 iff ``w.x >= theta``.

    Parameters
    ----------
    alpha : float > 1
        The factor of an update.
    theta : float
        The threshold.
    bias : bool
        Add a constant coordinate, learned like any other.
    margin : float >= 0
        The thick separator: update also where the score is right by no more than this. At 0 it updates on a mistake
        or a tie, so that updates may exceed mistakes.
    w1 : float > 0
        The common start of the two weights; it scales scores and the margin.
    averaged, negations, dtype
        As on every learner of the family, see `QuasiAdditive`.

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

    averaged: bool
    dtype: str

    def __init__(
        self,
        *,
        alpha: Number = 1.5,
        theta: Number = 0.0,
        bias: bool = True,
        w1: Number = 1.0,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        check_number("BalancedWinnow", "alpha", alpha, above=1.0)
        check_number("BalancedWinnow", "theta", theta)
        check_number("BalancedWinnow", "w1", w1, above=0.0)
        check_flag("BalancedWinnow", "bias", bias)
        self.alpha, self.theta, self.bias, self.w1 = alpha, theta, bias, w1
        take_options(self, options)

    def _build(self, n: int | None) -> Machine:
        rule = Rule(
            link=links.two_sinh(float(self.alpha), float(self.w1)), up=1.0, down=-1.0, start=0.0,
            theta=float(self.theta), bias=self.bias, margin=float(self.margin), averaged=self.averaged,
            dtype=self.dtype,
        )  # fmt: skip
        if self.averaged:
            return Duals(rule, n)
        return Exponents(rule, BalancedTable(self.alpha, self.w1), theta=self.theta, margin=self.margin)
