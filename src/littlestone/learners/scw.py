"""SCW: soft confidence-weighted learning."""

from __future__ import annotations

from math import nan, sqrt

from littlestone.core.parameters import choice, number
from littlestone.engine.learning import confidence
from littlestone.learners.second_order import SecondOrder, deviations
from littlestone.parts.updates import Update, second_order

__all__ = ["SCW", "scw_1", "scw_2"]


@second_order(when="always")
def scw_1(m: float, v: float, weight: float, phi: float, C: float) -> tuple[float, float]:
    """Return alpha and c of SCW-I, where there is a loss; no number: no update."""
    deviation = sqrt(v)
    if not m < phi * deviation:
        return nan, 0.0
    alpha = confidence.confident(max(m / deviation, -confidence.FAR), phi) / deviation
    alpha = min(alpha, weight * C)
    return alpha, confidence.shrinking(alpha, v, phi)


@second_order(when="always")
def scw_2(m: float, v: float, weight: float, phi: float, C: float) -> tuple[float, float]:
    """Return alpha and c of SCW-II, where there is a loss; no number: no update."""
    deviation = sqrt(v)
    if not m < phi * deviation:
        return nan, 0.0
    alpha = confidence.soft(max(m / deviation, -confidence.FAR), v, phi, weight * C) / deviation
    return alpha, confidence.shrinking(alpha, v, phi)


class SCW(SecondOrder):
    """Soft confidence-weighted learning: as `ConfidenceWeighted`, but no example is taken quite at its word.

    With phi the eta-quantile of the standard Gaussian, ``m = y w.x``, ``v = x'Sx`` and the loss
    ``l = (phi sqrt(v) - m)+``, where l > 0: the Gaussian of smallest divergence + C l (variant "I") or + C l^2 ("II"),

        w <- w + alpha y S x,   S^-1 <- S^-1 + (alpha phi/sqrt(u)) x x',
        I:  alpha = min(C, [-m psi + sqrt(m^2 phi^4/4 + v phi^2 xi)]/(v xi)),   psi = 1 + phi^2/2,   xi = 1 + phi^2,
        II: alpha = [-(2mn + phi^2 mv) + phi sqrt(phi^2 m^2 v^2 + 4nv(n + v phi^2))]/(2(n^2 + nv phi^2)),  n = v + 1/2C,
        sqrt(u) = [-alpha v phi + sqrt(alpha^2 v^2 phi^2 + 4v)]/2.

    At first w = 0 and S = 1; predict 1 iff ``w.x >= 0``.

    A row's weight multiplies its C.

    Bound
    -----
    None is known on arbitrary sequences; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> noisy = ls.teachers.Threshold(n=100, trials=2000, noise=0.1)
    >>> {kind: ls.play(ls.SCW(C=0.1, variant=kind), noisy).mistakes for kind in ("I", "II")}
    {'I': 506, 'II': 513}

    Reference
    ---------
    Wang, Zhao and Hoi, "Exact soft confidence-weighted learning", ICML 2012.
    """

    C: float = number(default=1.0, above=0, says="What a loss costs; without bound it is `ConfidenceWeighted`.")
    eta: float = number(default=0.9, above=0.5, below=1, says="The probability to be right with.")
    variant: str = choice(default="I", among=("I", "II"), says="The loss, or its square.")

    def _check(self) -> None:
        self._phi = deviations(self._owner, self.eta)

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return scw_1 if self.variant == "I" else scw_2, (self._phi, float(self.C))
