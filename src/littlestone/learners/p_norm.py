"""The p-norm algorithm: from the Perceptron (p = 2) towards Winnow (p = 2 ln n)."""

from __future__ import annotations

from math import log

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.parameters import flag, number
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

__all__ = ["PNorm"]


class PNorm(QuasiAdditiveLearner):
    """A Perceptron in the dual of a p-norm.

    Update on a mistake: ``z <- z + eta y x`` with y in {-1, +1}; ``w_i = sign(z_i) |z_i|^(p-1) / ||z||_p^(p-2)``.
    Predict 1 iff ``w.x >= theta``.

    Bound
    -----
    (p-1) R_p^2 |u|_q^2 / gamma^2, `bounds.p_norm_margin`; at p = 2 ln n it grows with ln n, as Winnow's does. On any
    data, by what u loses: `bounds.p_norm_losses`.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=1000, k=3, trials=2000)
    >>> {p: ls.play(ls.PNorm(p=p), stream).mistakes for p in (2, 5, None)}
    {2: 669, 5: 107, None: 39}

    Reference
    ---------
    Grove, Littlestone and Schuurmans, "General convergence results for linear discriminant updates", Machine
    Learning 43 (2001); Gentile, "The robustness of the p-norm algorithms", Machine Learning 53 (2003).
    """

    p: float | None = number(default=None, above=2, ends="[)", says="The norm; None: 2 ln n, at least 2.")
    eta: float = number(default=1.0, above=0, says="The step; with theta 0 it changes no prediction but for rounding.")
    theta: float = number(default=0.0, says="The threshold.")
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _needs_n(self) -> bool:
        return self.p is None

    def _resolved_p(self, n: int | None) -> float:
        return float(self.p) if self.p is not None else max(2.0, 2.0 * log(n or 1))

    def _build(self, n: int | None) -> Machine:
        link = links.p_norm(self._resolved_p(n))
        return Duals(Rule.counted(self.eta, link=link, start=0.0, theta=self.theta, **links.options_of(self)), n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias or self.theta != 0.0:
            return None
        return bounds.p_norm_disjunction(k=k, X=n - 1, p=self._resolved_p(n - 1))
