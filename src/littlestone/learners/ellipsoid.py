"""Ellipsoid: keep all hypotheses still possible in an ellipsoid, and predict with its centre."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import flag, number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.region import Cuts, check_coordinates, literals

__all__ = ["Ellipsoid"]


MOST_COORDINATES = 20_000  # 3 GiB of P


class Ellipsoid(Learner):
    """The ellipsoid method as an on-line learner, by the reduction of Maass and Turan.

    All hypotheses v = (w, -theta) still possible lie in ``(v - c)' P^-1 (v - c) <= 1``; at first c = 0, P = I. Predict
    1 iff ``c.x' >= 0`` with x' = (x, 1). On a mistake the half-space ``g.v >= g.c`` is left, g = x' where y = 1 and
    -x' where y = 0. Over m = n + 1 coordinates, with ``b = P g / sqrt(g'Pg)``, the smallest ellipsoid around it is

        c <- c + b/(m+1),   P <- m^2/(m^2-1) (P - 2/(m+1) b b').

    A deep cut leaves ``g.v >= 0``: with ``a = -g.c / sqrt(g'Pg)`` the step is (1+ma)/(m+1), the factor of P
    m^2(1-a^2)/(m^2-1), the one of b b' 2(1+ma)/((m+1)(1+a)). Labels with noise can leave nothing (a >= 1): then the cut
    is central, and the learner goes on, though noise it bears badly: what an ellipsoid has lost it never finds again.

    The learner is additive and rotation invariant, so `teachers.Hadamard` makes it err n - k + 1 times. What is kept is
    not P but a J with P = JJ', so that rounding cannot cost P its definiteness: noise, or the same row again and again,
    does no harm. Predictions do not depend on the common scale of c, P and theta, which is kept in range by
    exact powers of two. Where x' = 0, and where a cut is too fine for floats to move c, nothing changes.

    At a mistake it takes time and at all times room in proportion to n^2; n is fixed from the start. A row's weight
    only matters where it is 0, for a cut has no size.

    Bound
    -----
    With a constant coordinate and theta=0, on disjunctions of k attributes: O(n^2 log n), see `bounds.ellipsoid`,
    and `bounds.ellipsoid_simple`, which is simpler and a little larger. Deep cuts leave no more than central ones, and
    keep it too.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.Ellipsoid()
    >>> ls.play(learner, ls.teachers.Disjunction(n=20, k=3, trials=500)).mistakes
    37
    >>> round(learner.guarantee.at(k=3).value), learner.contains([0, 1, 2]) <= 1.0
    (2525, True)

    Reference
    ---------
    Maass and Turan, "How fast can a threshold gate learn?" (1994); Kivinen and Warmuth, "The Perceptron algorithm vs.
    Winnow", COLT 1995; Khachiyan (1979).
    """

    # Permuting the attributes permutes the weights up to rounding only, since it permutes the sums behind them.
    exchangeable = False
    tells_n = ("root", ("m", "m"))
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, whose weight is learned. Without it theta=0 can never learn that x=0 is "
        "negative.",
    )
    theta: float = number(
        default=0.0,
        says="The threshold: predict 1 iff ``c.x' >= theta``, and a deep cut leaves ``g.v >= theta`` or ``g.v >= "
        "-theta``. Other than 0 it is measured by the first ball's radius, 1: the target must have a w with |w| "
        "<= 1 that decides by theta. A disjunction of k attributes (w = 2 theta for each of them) needs ``0 < "
        "theta <= 1/(2 sqrt k)``.",
    )
    deep: bool = flag(default=False, says="Make deep cuts.")

    def _needs_n(self) -> bool:
        return True

    def contains(self, target: ArrayLike) -> float:
        """Return ``(v - c)' P^-1 (v - c)`` for the disjunction ``target``: at most 1 while its labels have no noise.

        ``target`` holds the numbers of its k attributes, or a Boolean for each attribute. With a constant coordinate
        and theta=0 v is the point that a ball of other solutions surrounds within the first ball: (1 on the target's
        attributes, -1/2) over ``sqrt(k + 1/4) + 1/(2 sqrt(n+1))``; with theta > 0 it is 2 theta on its attributes.
        """
        started, n = self._started(None, fix=False)
        machine = of_kind(started, Cuts)
        assert n is not None
        chosen = literals("Ellipsoid", target, n)
        v = np.zeros(len(machine.centre))
        if self.theta > 0.0:
            v[chosen] = 2.0 * machine.theta
        elif self.bias and self.theta == 0.0:
            v[chosen], v[-1] = 1.0, -0.5
            v *= machine.unit / (sqrt(len(chosen) + 0.25) + 0.5 / sqrt(n + 1.0))
        else:
            raise InvalidParameter(
                f"Ellipsoid: contains: expected theta > 0, or theta=0 and bias=True, got {self!r}, which suits no "
                "disjunction: x=0 is taken for positive"
            )
        return float(np.sum(np.linalg.solve(machine.root, v - machine.centre) ** 2))

    def _build(self, n: int | None) -> Machine:
        assert n is not None
        cost = f"P would take {(n + int(self.bias)) ** 2 * 8 / 2**30:,.1f} GiB; the Perceptron is additive too"
        check_coordinates("Ellipsoid", n, bias=self.bias, most=MOST_COORDINATES, cost=cost)
        return Cuts(n, float(self.theta), bias=self.bias, deep=self.deep)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias or self.theta != 0.0 or k >= n:
            return None
        return bounds.ellipsoid(n=n - 1, k=k)
