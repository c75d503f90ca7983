"""ALMA: the approximate large margin algorithm, in any p-norm."""

from __future__ import annotations

from math import log, sqrt

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import flag, number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Ball

__all__ = ["ALMA"]


class ALMA(Learner):
    """A p-norm Perceptron that asks for a margin, less and less of it, and stays in the unit ball.

    Rows are normalised: ``x' = x / |x|_p``. After k-1 corrections, ``gamma = B sqrt(p-1) / sqrt(k)`` and
    ``eta = C / (sqrt(p-1) sqrt(k))``. Where ``y (w.x') <= (1 - alpha) gamma``, with y in {-1, +1}, correct:
    ``w <- f^-1(f(w) + eta y x')``, then ``w <- w / max(1, |w|_q)``, where 1/p + 1/q = 1 and f is the p-norm link,
    ``f^-1(z)_i = sign(z_i) |z_i|^(p-1) / |z|_p^(p-2)``. Predict 1 iff ``w.x >= 0``.

    An example's weight multiplies its step, which is held between 1e-150 and 1e90. A row without attributes (and
    without the constant one) changes nothing.

    Bound
    -----
    Corrections, and so mistakes, where y (u.x) >= gamma |x|_p for some u of |u|_q = 1: at most
    (p-1) (2 (1-alpha) B + 1/C + C)^2 / gamma^2, see `bounds.alma_margin`; a little more with noise.

    Example
    -------
    >>> import littlestone as ls
    >>> alma = ls.ALMA(p=None)
    >>> run = ls.play(alma, ls.teachers.Disjunction(n=100, k=3, trials=1000))
    >>> run.mistakes, run.updates, round(alma.guarantee.at(k=3).value)
    (37, 65, 4491)

    Reference
    ---------
    Gentile, "A new approximate maximal margin classification algorithm", JMLR 2 (2001).
    """

    p: float | None = number(
        default=2,
        above=2,
        below=100,
        ends="[]",
        says="The norm; None: 2 ln n, at least 2, for targets of few attributes among many.",
    )
    alpha: float = number(
        default=0.9,
        above=0,
        below=1,
        ends="(]",
        says="How much of the largest margin may be given up; at 1 only mistakes and ties are corrected.",
    )
    B: float | None = number(default=None, above=0, says="The factor of the margin; None: 1/alpha.")
    C: float = number(default=sqrt(2.0), above=0, says="The factor of the step.")
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other, and part of the norm.")

    def _needs_n(self) -> bool:
        return self.p is None

    def _resolved_p(self, n: int | None) -> float:
        return float(self.p) if self.p is not None else min(max(2.0, 2.0 * log(n or 1)), 100.0)

    def _margin(self) -> float:
        return 1.0 / float(self.alpha) if self.B is None else float(self.B)

    def _build(self, n: int | None) -> Machine:
        p = self._resolved_p(n)
        root = sqrt(p - 1.0)
        slack = (1.0 - float(self.alpha)) * self._margin() * root
        return Ball(p, slack, float(self.C) / root, bias=self.bias)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        return bounds.alma_disjunction(
            k=k, X=n - 1, p=self._resolved_p(n - 1), alpha=float(self.alpha), B=self._margin(), C=float(self.C)
        )
