"""VolumetricCenter: keep all hypotheses still possible in a polytope, and predict with its volumetric centre."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from littlestone.core.parameters import flag, number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.polytope import Polytope
from littlestone.machines.region import check_coordinates, literals

__all__ = ["VolumetricCenter"]


MOST_COORDINATES = 1000


class VolumetricCenter(Learner):
    """Vaidya's cutting planes as an on-line learner, by the reduction of Maass and Turan.

    All hypotheses v = (w, -theta) still possible lie in a polytope ``A v >= b``, at first the box [-1, 1]^m over the
    m = n + 1 coordinates. Predict 1 iff ``c.x' >= 0`` with x' = (x, 1), where c is the volumetric centre: the minimum
    of ``F(v) = 1/2 ln det H``, ``H = sum of a_i a_i' / s_i^2``, s = Av - b. On a mistake the row ``g.v >= g.c`` is
    added, g = x' where y = 1 and -x' where y = 0. The new centre is found by Newton's method with ``Q = sum of sigma_i
    a_i a_i' / s_i^2`` for the Hessian, where ``sigma_i = a_i' H^-1 a_i / s_i^2`` are the leverages, from ``c + 1/2 H^-1
    g / sqrt(g'H^-1 g)``, which is inside. The row with the least leverage is dropped while that is below ``drop`` and
    there are more than 2m rows.

    The learner is neither additive nor rotation invariant, and yet `teachers.Hadamard` has been seen to make it err in
    every trial. Labels with noise it bears badly: what has been cut away never comes back, and where the polytope
    becomes too thin for floats the learner stays as it is.

    Each step of Newton's method takes time in proportion to n^3, and there are about ten a mistake; n is fixed from the
    start. A row's weight only matters where it is 0, for a cut has no size.

    Bound
    -----
    None is claimed. Vaidya proves O(n log n) cuts on disjunctions for constants with which a row is practically never
    dropped; the proof does not cover these.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.VolumetricCenter()
    >>> run = ls.play(learner, ls.teachers.Disjunction(n=20, k=3, trials=500))
    >>> run.mistakes < 50, run.guarantee, learner.contains([0, 1, 2]) <= 1.0
    (True, None, True)

    Reference
    ---------
    Vaidya, "A new algorithm for minimizing convex functions over convex sets", FOCS 1989; Maass and Turan, "How fast
    can a threshold gate learn?" (1994); Kivinen and Warmuth, COLT 1995, Section 5.
    """

    # Permuting the attributes permutes the weights up to rounding only, since it permutes the sums behind them.
    exchangeable = False
    tells_n = ("A", (-1, "m"))
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, whose weight is learned. Without it x=0 is always taken for positive.",
    )
    drop: float = number(
        default=0.02,
        above=0,
        below=0.5,
        ends="[)",
        says="The leverage below which a row is dropped; 0 keeps all rows, and each mistake then costs more than the "
        "last.",
    )
    shallow: float | None = number(
        default=None,
        above=0,
        says="None: cuts go through the centre. Otherwise the row is ``g.v >= g.c - sqrt(g'H^-1 g / shallow)``.",
    )

    def _needs_n(self) -> bool:
        return True

    def contains(self, target: ArrayLike) -> float:
        """Return how far the disjunction ``target`` is from the centre: at most 1 while its labels have no noise.

        ``target`` holds the numbers of its k attributes, or a Boolean for each attribute. The point v is (1 on them,
        -1/2 on the constant coordinate) over ``sqrt(k + 1/4) + 1/(2 sqrt(n+1))``; the number, the largest of
        ``1 - (a_i.v - b_i)/(a_i.c - b_i)``, is 0 at the centre and 1 on the border.
        """
        started, n = self._started(None, fix=False)
        machine = of_kind(started, Polytope)
        assert n is not None
        chosen = literals("VolumetricCenter", target, n)
        v = np.zeros(len(machine.centre))
        v[chosen] = 1.0
        if self.bias:
            v[-1] = -0.5
        v /= sqrt(len(chosen) + 0.25) + 0.5 / sqrt(n + 1.0)
        A, b = machine.rows
        return float(np.max(1.0 - (A @ v - b) / (A @ machine.centre - b)))

    def _build(self, n: int | None) -> Machine:
        assert n is not None
        cost = "a mistake takes time in proportion to n^3; use Ellipsoid, which takes n^2"
        check_coordinates("VolumetricCenter", n, bias=self.bias, most=MOST_COORDINATES, cost=cost)
        return Polytope(n, bias=self.bias, drop=float(self.drop), shallow=self.shallow)
