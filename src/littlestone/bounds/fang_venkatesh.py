"""Bounds of Fang and Venkatesh on Directed Drift, which learns weights in {-1,+1}^n."""

from __future__ import annotations

from functools import cache
from math import exp

from littlestone.bounds.bound import check, theorem

__all__ = ["directed_drift_lower", "directed_drift_upper", "theorem1_constants"]

SOURCE = "Fang and Venkatesh, Learning finite binary sequences from half-space data, Theorem 1"
DRIFT = (
    "weights in {-1,+1}^n; algorithm D, which flips a random one of the coordinates that disagree; examples drawn "
    "uniformly from the vertices that the target classifies positively; "
)


@cache
def theorem1_constants() -> tuple[float, float]:
    """Return alpha = (1+w)/(1-w) and beta = w/2 of Theorem 1, w = W(1/e) with Lambert's W.

    >>> theorem1_constants()  # the paper's last digits are off
    (1.7718665519963888, 0.1392322713805369)
    """
    from scipy.special import lambertw

    w = float(lambertw(exp(-1.0)).real)
    return (1.0 + w) / (1.0 - w), w / 2.0


@theorem(
    "Fang-Venkatesh, Theorem 1, lower",
    source=SOURCE,
    assumptions=DRIFT + "one coordinate wrong at the start; n >= 2",
    kind="lower",
    of="expected mistakes",
)
def directed_drift_lower(*, n: int) -> float:
    """``E[M] >= alpha e^(beta n)`` from a start that has one coordinate wrong.

    True of the exact chain from n = 2 on; the true growth is nearer to 2^n. At n = 1 it is false (1 < 2.04).

    >>> round(directed_drift_lower(n=21).value, 1)
    33.0
    """
    check(n >= 2, "directed_drift_lower", "n >= 2 (below, the statement is false)", f"n={n}")
    alpha, beta = theorem1_constants()
    return alpha * exp(beta * n)


@theorem(
    "Fang-Venkatesh, Theorem 1, upper",
    source=SOURCE,
    assumptions=DRIFT + "any start; n >= 4",
    of="expected mistakes",
)
def directed_drift_upper(*, n: int) -> float:
    """``E[M] <= (n/2)^n`` from any start. Below n = 4 it is false: 0.5, 1, 3.375 against exact 1, 4, 5.8.

    >>> directed_drift_upper(n=4).value  # the chain has 13.76
    16.0
    """
    check(n >= 4, "directed_drift_upper", "n >= 4 (below, the statement is false)", f"n={n}")
    return float((n / 2.0) ** n)
