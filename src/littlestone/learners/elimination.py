"""Elimination: keep every attribute until it is seen on in a negative example."""

from __future__ import annotations

from math import inf

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import flag
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["Elimination"]


class Elimination(QuasiAdditiveLearner):
    """The plainest learner of disjunctions: an attribute that is on in a false positive is out for good.

    ``w_i = 1`` while attribute i lives, 0 after; predict 1 iff ``w.x >= 1``. It is Winnow with theta 1 and any
    alpha > n, prediction for prediction, while there is no noise; noise it bears not at all.

    Rows must be Boolean.

    Bound
    -----
    n - k mistakes on a disjunction of k attributes, attained.

    Example
    -------
    >>> import numpy as np, littlestone as ls
    >>> learner = ls.Elimination()
    >>> learner.learn(np.eye(4, dtype=bool), [1, 0, 0, 1]).tolist()
    [1, 1, 1, 1]
    >>> learner.weights()
    {0: 1.0, 1: 0.0, 2: 0.0, 3: 1.0}

    Reference
    ---------
    Valiant, "A theory of the learnable", CACM 27 (1984); Kivinen and Warmuth, COLT 1995.
    """

    domain = "Boolean"
    narrow = True
    bias: bool = flag(
        default=False,
        says="Add a constant coordinate: an attribute that is always on, and dies with the first false positive.",
    )

    def _build(self, n: int | None) -> Machine:
        rule = Rule(link=links.power(2.0), up=0.0, down=-inf, start=0.0, theta=1.0, **links.options_of(self))
        return Duals(rule, n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        return None if attribute_errors else bounds.elimination(n=n, k=k)
