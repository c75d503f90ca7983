"""Bounds of Agarwal's lecture on the Perceptron and Winnow."""

from __future__ import annotations

from math import atanh, exp, inf, log, log1p

from littlestone.bounds.bound import check, theorem

__all__ = ["normalized_winnow_margin", "optimal_eta", "perceptron_margin"]

SOURCE = "Agarwal, Online learning: Perceptron and Winnow, lecture notes"


@theorem(
    "Agarwal, Theorem 2.1",
    source=SOURCE,
    assumptions="some u has y (u.x) >= gamma on every trial; |x| <= R; zero start, theta 0",
)
def perceptron_margin(*, radius: float, norm: float, gamma: float) -> float:
    """``M <= R^2 |u|^2 / gamma^2``, Euclidean norms.

    >>> perceptron_margin(radius=3.0, norm=1.0, gamma=0.5).value
    36.0
    """
    check(gamma > 0.0, "perceptron_margin", "gamma > 0", f"gamma={gamma}")
    return (radius * norm / gamma) ** 2


def _ln_cosh(a: float) -> float:
    return abs(a) + log1p(exp(-2.0 * abs(a))) - log(2.0)


def optimal_eta(*, gamma: float, radius: float = 1.0, norm: float = 1.0) -> float:
    """Return the eta that makes the bound of Theorem 3.1 smallest: ``artanh(eps) / R``, eps = gamma / (R |u|_1).

    At eps = 1 the best eta is infinite; 20/R gives the same bound to the last digit of a float.

    >>> round(optimal_eta(gamma=0.5), 4)
    0.5493
    """
    check(gamma > 0.0 and radius > 0.0 and norm > 0.0, "optimal_eta", "positive numbers", f"gamma={gamma}")
    eps = gamma / (radius * norm)
    check(eps <= 1.0, "optimal_eta", "gamma <= R |u|_1 (no margin is larger)", f"gamma={gamma}")
    return min(atanh(eps) if eps < 1.0 else inf, 20.0) / radius


@theorem(
    "Agarwal, Theorem 3.1",
    source=SOURCE,
    assumptions="some u >= 0 has y (u.x) >= gamma on every trial; |x_i| <= R; theta 0, uniform start",
)
def normalized_winnow_margin(*, n: int, gamma: float, eta: float, radius: float = 1.0, norm: float = 1.0) -> float:
    """``M <= |u|_1 ln n / (eta gamma - |u|_1 ln cosh(eta R))``, infinite where that denominator is not positive.

    As printed ("for any eta") the theorem is false: a denominator <= 0 says nothing.

    >>> round(normalized_winnow_margin(n=1000, gamma=0.2, eta=optimal_eta(gamma=0.2)).value, 1)
    343.1
    >>> normalized_winnow_margin(n=2, gamma=0.1, eta=1.0).value
    inf
    """
    check(n >= 1, "normalized_winnow_margin", "n >= 1", f"n={n}")
    check(gamma > 0.0, "normalized_winnow_margin", "gamma > 0", f"gamma={gamma}")
    gain = eta * gamma - norm * _ln_cosh(eta * radius)
    return norm * log(n) / gain if gain > 0.0 else inf
