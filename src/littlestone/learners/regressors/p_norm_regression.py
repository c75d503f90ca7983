"""The p-norm algorithm for numbers: from gradient descent (p = 2) towards exponentiated gradient (p = 2 ln n)."""

from __future__ import annotations

from math import log

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import number
from littlestone.engine.learning import descent
from littlestone.learners.regressors.mirror_descent import DescentRegressor
from littlestone.parts import links
from littlestone.parts.links import Link

__all__ = ["PNormRegression"]


class PNormRegression(DescentRegressor):
    """Gradient descent in the dual of a p-norm.

    Update for the square loss: ``z <- z - 2 eta (w.x - y) x``; ``w_i = sign(z_i) |z_i|^(p-1) / ||z||_p^(p-2)``; for
    others, with their slope in the place of 2 (w.x - y). Predict ``w.x``. ``eta = c/(2 X^2 (1 + c))`` where all rows
    have ``sqrt(p - 1) ||x||_p <= X``, the constant coordinate counted; without X, the largest row so far takes its
    place.

    Bound
    -----
    With X, for the square loss and every u: loss <= (1 + c) L(u) + (1 + 1/c) X^2 |u|_q^2, 1/p + 1/q = 1, see
    `bounds.p_norm_regression`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.PNormRegression(p=3.0, eta=0.1, bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.2, 0.428]

    Reference
    ---------
    Gentile, "The robustness of the p-norm algorithms", Machine Learning 53 (2003); Kivinen and Warmuth, "Relative loss
    bounds for multidimensional regression problems", Machine Learning 45 (2001).
    """

    p: float | None = number(default=None, above=2, ends="[)", says="The norm; None: 2 ln n, at least 2.")

    size = descent.NORM

    half = 1.0

    def _needs_n(self) -> bool:
        return self.p is None

    def _share(self) -> float:
        return self.c / (2.0 * (1.0 + self.c))

    def _link(self, n: int | None) -> Link:
        return links.p_norm(self._exponent(n))

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        del n
        return bounds.p_norm_regression(X=X, c=c, **self._described("loss", "norm"))

    def _exponent(self, n: int | None) -> float:
        """Return p."""
        return float(self.p) if self.p is not None else max(2.0, 2.0 * log(n or 1))
