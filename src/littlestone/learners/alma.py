"""ALMA: the approximate large margin algorithm, in any p-norm."""

from __future__ import annotations

from math import log, sqrt

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import check_flag, check_number
from littlestone.learners.base import Learner
from littlestone.machines.ball import Ball
from littlestone.machines.machine import Machine

__all__ = ["ALMA"]


class ALMA(Learner):
    """A p-norm Perceptron that asks for a margin, less and less of it, and stays in the unit ball.

    Rows are normalised: ``x' = x / |x|_p``. After k-1 corrections, ``gamma = B sqrt(p-1) / sqrt(k)`` and
    ``eta = C / (sqrt(p-1) sqrt(k))``. Where ``y (w.x') <= (1 - alpha) gamma``, with y in {-1, +1}, correct:
    ``w <- f^-1(f(w) + eta y x')``, then ``w <- w / max(1, |w|_q)``, where 1/p + 1/q = 1 and f is the p-norm link,
    ``f^-1(z)_i = sign(z_i) |z_i|^(p-1) / |z|_p^(p-2)``. Predict 1 iff ``w.x >= 0``.

    Parameters
    ----------
    p : float from 2 to 100, or None
        The norm; None: 2 ln n, at least 2, for targets of few attributes among many.
    alpha : float in (0, 1]
        How much of the largest margin may be given up; at 1 only mistakes and ties are corrected.
    B : float > 0, or None
        Of the margin; None: 1/alpha.
    C : float > 0
        Of the step.
    bias : bool
        Add a constant coordinate, learned like any other, and part of the norm.

    An example's weight multiplies its step, which is held between 1e-150 and 1e90. A row without attributes (and
    without the constant one) changes nothing.

    Bound
    -----
    Corrections, and so mistakes, where y (u.x) >= gamma |x|_p for some u of |u|_q = 1: at most
    (p-1) (2 (1-alpha) B + 1/C + C)^2 / gamma^2, see `bounds.alma_margin`; a little more with noise.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import ALMA
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> learner = ALMA(p=None)
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, learner.updates
    (9, 26)

    Reference
    ---------
    Gentile, "A new approximate maximal margin classification algorithm", JMLR 2 (2001).
    """

    def __init__(
        self,
        *,
        p: float | None = 2,
        alpha: float = 0.9,
        B: float | None = None,
        C: float = sqrt(2.0),
        bias: bool = True,
    ) -> None:
        super().__init__()
        if p is not None:
            check_number("ALMA", "p", p, above=2.0, below=100.0, ends="[]")
        check_number("ALMA", "alpha", alpha, above=0.0, below=1.0, ends="(]")
        if B is not None:
            check_number("ALMA", "B", B, above=0.0)
        check_number("ALMA", "C", C, above=0.0)
        check_flag("ALMA", "bias", bias)
        self.p, self.alpha, self.B, self.C, self.bias = p, alpha, B, C, bias

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
