"""Bounds of Agarwal's lecture on the Perceptron and Winnow."""

from __future__ import annotations

from math import atanh, exp, inf, isclose, log, log1p, sqrt

from littlestone.bounds.bound import check, theorem

__all__ = [
    "kernel_perceptron_margin",
    "normalized_winnow_margin",
    "normalized_winnow_optimal",
    "optimal_eta",
    "perceptron_hinge",
    "perceptron_losses",
    "perceptron_margin",
    "perceptron_mistake_losses",
]

SOURCE = "Agarwal, Online learning: Perceptron and Winnow, lecture notes"
MARGIN = "some u >= 0 has y (u.x) >= gamma on every trial; |x_i| <= R; theta 0, uniform start"


LOSSES = r"\left(\frac{R \lVert u \rVert + \sqrt{L_2}}{\gamma}\right)^2"
SIMPLEX = {
    "radius": ("R", "the largest |x_i|"),
    "norm": (r"\lVert u \rVert_1", "the sum of u"),
    "entropy": ("H", ("the entropy of u divided by its sum, in nats; 0, as the lecture has it, is always allowed")),
}


@theorem(
    "Agarwal, Theorem 2.1",
    formula=r"\frac{R^2 \lVert u \rVert^2}{\gamma^2}",
    source=SOURCE,
    assumptions="some u has y (u.x) >= gamma on every trial; |x| <= R; zero start, theta 0",
    positive="gamma",
    not_negative="radius norm",
)
def perceptron_margin(*, radius: float, norm: float, gamma: float) -> float:
    """``M <= R^2 |u|^2 / gamma^2``, Euclidean norms.

    >>> perceptron_margin(radius=3.0, norm=1.0, gamma=0.5).value
    36.0
    """
    return (radius * norm / gamma) ** 2


def hinge_form(b: float, loss: float) -> float:
    """Return the largest M with ``M - loss <= b sqrt(M)``; b and loss are in units of gamma, large or small."""
    return ((b + sqrt(b * b + 4.0 * loss)) / 2.0) ** 2


@theorem(
    "Agarwal, Theorem 2.2",
    formula=LOSSES,
    source=SOURCE,
    assumptions="any u and gamma > 0; losses is the sum of ((gamma - y u.x)+)^2 over all trials; |x| <= R; zero start, "
    "theta 0",
    positive="gamma",
    not_negative="radius norm losses",
)
def perceptron_losses(*, radius: float, norm: float, gamma: float, losses: float) -> float:
    """``M <= ((R |u| + sqrt(losses)) / gamma)^2``, losses the sum of ((gamma - y u.x)+)^2 over all trials.

    >>> perceptron_losses(radius=3.0, norm=1.0, gamma=0.5, losses=4.0).value
    100.0
    """
    return ((radius * norm + sqrt(losses)) / gamma) ** 2


@theorem(
    "Agarwal, Theorem 2.2, mistakes only",
    formula=LOSSES,
    symbols={"losses": ("L_2", "the sum of ((gamma - y u.x)+)^2 over the trials with a mistake")},
    source=SOURCE,
    assumptions="any u and gamma > 0; losses is the sum of ((gamma - y u.x)+)^2 over the trials with a mistake; "
    "|x| <= R; zero start, theta 0",
    derived=True,
    positive="gamma",
    not_negative="radius norm losses",
)
def perceptron_mistake_losses(*, radius: float, norm: float, gamma: float, losses: float) -> float:
    """Theorem 2.2 with the losses of the mistakes only, which is sharper: its proof looks at no other trial.

    >>> perceptron_mistake_losses(radius=3.0, norm=1.0, gamma=0.5, losses=1.0).value
    64.0
    """
    return perceptron_losses(radius=radius, norm=norm, gamma=gamma, losses=losses).value


@theorem(
    "Agarwal, Theorem 2.2, hinge form",
    formula=(
        r"\left(\frac{R \lVert u \rVert + \sqrt{R^2 \lVert u \rVert^2 + 4 \gamma L}}{2 "
        r"\gamma}\right)^2"
    ),
    source=SOURCE,
    assumptions="any u and gamma > 0; loss is the sum of (gamma - y u.x)+ over the trials with a mistake; |x| <= R; "
    "zero start, theta 0",
    derived=True,
    positive="gamma",
    not_negative="radius norm loss",
)
def perceptron_hinge(*, radius: float, norm: float, gamma: float, loss: float) -> float:
    """``M <= ((R|u| + sqrt(R^2 |u|^2 + 4 gamma loss)) / (2 gamma))^2``, loss the sum of (gamma - y u.x)+ over mistakes.

    Over the mistakes the sum of y (u.x) is at least gamma M - loss, and at most R |u| sqrt(M); solved for M.

    >>> perceptron_hinge(radius=3.0, norm=1.0, gamma=0.5, loss=8.0).value
    64.0
    """
    return hinge_form(radius * norm / gamma, loss / gamma)


@theorem(
    "Agarwal, Theorem 2.3",
    formula=r"\frac{R^2 \lVert f \rVert^2}{\gamma^2}",
    symbols={
        "radius": ("R", "the root of the largest K(x,x)"),
        "norm": (r"\lVert f \rVert", "the length of f in the space of features"),
        "gamma": (r"\gamma", "the margin of f"),
    },
    source=SOURCE,
    assumptions="K is positive semi-definite; some f = sum_j beta_j K(x_j, .) has y f(x) >= gamma on every trial; "
    "K(x,x) <= R^2; no stored examples at the start, theta 0",
    positive="gamma",
    not_negative="radius norm",
)
def kernel_perceptron_margin(*, radius: float, norm: float, gamma: float) -> float:
    """``M <= R^2 |f|^2 / gamma^2``, R^2 the largest K(x,x), |f|^2 = beta' K beta in the space of features.

    The four points of XOR under (1 + x.z)^2:

    >>> round(kernel_perceptron_margin(radius=3.0, norm=0.5**0.5, gamma=1.0).value, 9)
    4.5
    """
    return (radius * norm / gamma) ** 2


def ln_cosh(a: float) -> float:
    """Return ln cosh(a), also where cosh leaves the floats."""
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


def _distance(owner: str, n: int, entropy: float) -> float:
    """Return ln n - H: the divergence of u/|u|_1, whose entropy is H, from the uniform start."""
    check(n >= 1, owner, "n >= 1", f"n={n}")
    most = log(n)
    fits = 0.0 <= entropy <= most or isclose(entropy, most)  # a computed entropy may exceed it by a rounding
    check(fits, owner, "0 <= entropy <= ln n", f"entropy={entropy}, ln n={most:g}")
    return max(0.0, most - entropy)


@theorem(
    "Agarwal, Theorem 3.1",
    formula=r"\frac{\lVert u \rVert_1 (\ln n - H)}{\eta \gamma - \lVert u \rVert_1 \ln \cosh(\eta R)}",
    where=(r"\eta \gamma > \lVert u \rVert_1 \ln \cosh(\eta R)",),
    symbols=SIMPLEX,
    source=SOURCE,
    assumptions=MARGIN,
    positive="gamma eta",
    not_negative="radius norm",
)
def normalized_winnow_margin(
    *, n: int, gamma: float, eta: float, radius: float = 1.0, norm: float = 1.0, entropy: float = 0.0
) -> float:
    """``M <= |u|_1 (ln n - H) / (eta gamma - |u|_1 ln cosh(eta R))``, infinite where that denominator is not positive.

    H is the entropy of u/|u|_1 in nats; 0, the paper's form, is always allowed. As printed ("for any eta") the theorem
    is false: a denominator <= 0 says nothing.

    >>> round(normalized_winnow_margin(n=1000, gamma=0.2, eta=optimal_eta(gamma=0.2)).value, 1)
    343.1
    >>> normalized_winnow_margin(n=2, gamma=0.1, eta=1.0).value
    inf
    """
    owner = "normalized_winnow_margin"
    distance = _distance(owner, n, entropy)
    gain = eta * gamma - norm * ln_cosh(eta * radius)
    return norm * distance / gain if gain > 0.0 else inf


@theorem(
    "Agarwal, Theorem 3.1, best eta",
    formula=r"\frac{\ln n - H}{g}",
    where=(
        (
            r"g = \frac{(1 + \varepsilon) \ln(1 + \varepsilon) + (1 - \varepsilon) \ln(1 - "
            r"\varepsilon)}{2}"
        ),
        r"\varepsilon = \frac{\gamma}{R \lVert u \rVert_1}",
    ),
    symbols=SIMPLEX,
    source=SOURCE,
    assumptions=MARGIN + "; eta = artanh(gamma/(R |u|_1))/R",
    positive="gamma radius norm",
)
def normalized_winnow_optimal(
    *, n: int, gamma: float, radius: float = 1.0, norm: float = 1.0, entropy: float = 0.0
) -> float:
    """``M <= (ln n - H) / g(eps)``, eps = gamma/(R |u|_1), ``g(eps) = [(1+eps) ln(1+eps) + (1-eps) ln(1-eps)] / 2``.

    g(eps) >= eps^2/2, so this is at most 2 ln n / eps^2; at eps = 1 it is halving, log2 n.

    >>> round(normalized_winnow_optimal(n=1000, gamma=0.2).value, 1), normalized_winnow_optimal(n=16, gamma=1).value
    (343.1, 4.0)
    """
    owner = "normalized_winnow_optimal"
    eps = gamma / radius / norm
    check(eps <= 1.0 or isclose(eps, 1.0), owner, "gamma <= R |u|_1 (no margin is larger)", f"gamma={gamma}")
    distance = _distance(owner, n, entropy)
    return distance / _g(min(eps, 1.0)) if distance > 0.0 else 0.0


def _g(eps: float) -> float:
    """Return g(eps) as ``eps artanh(eps) + ln(1-eps^2)/2``, which loses no digits where eps is small."""
    return eps * atanh(eps) + 0.5 * log1p(-eps * eps) if eps < 1.0 else log(2.0)
