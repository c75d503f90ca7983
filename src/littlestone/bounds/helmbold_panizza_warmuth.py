"""Bounds of Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions"."""

from __future__ import annotations

from math import ceil, e, inf, log, log1p, log2
from typing import Any

from littlestone.bounds.bound import check, theorem
from littlestone.bounds.ledger import theorem3_c, theorem3_ledger, theorem4_factors, theorem4_ledger

__all__ = [
    "bayes_beg_theorem3",
    "bayes_beg_theorem3_sharper",
    "bayes_beg_theorem4",
    "bayes_beg_theorem4_sharper",
    "normalized_winnow_disjunction",
    "theorem3_c",
    "theorem3_ledger",
    "theorem4_ledger",
    "thresholded_beg",
    "thresholded_beg_corollary1",
    "thresholded_beg_noise_free",
    "thresholded_beg_randomized",
    "winnow_attribute_errors",
    "winnow_randomized",
]

SOURCE = (
    "Helmbold, Panizza and Warmuth, Direct and indirect algorithms for on-line learning of disjunctions, EuroCOLT 1999"
)
NOISE_FREE = "x in {0,1}^n, n >= 2; the labels are those of a monotone disjunction of k attributes, without noise"
NOISY = "x in {0,1}^n; some monotone disjunction of k attributes has at most A attribute errors on the mistakes"
RANDOMISED: dict[str, Any] = {
    "source": SOURCE + ", footnote 4",
    "assumptions": NOISY.replace("on the mistakes", "on all trials"),
    "of": "expected mistakes",
    "target": "disjunction",
    "derived": True,
}


def _check_sizes(owner: str, n: int, k: int, least: int = 2) -> None:
    check(n >= least, owner, f"n >= {least}", f"n={n}")
    check(0 <= k <= n, owner, "0 <= k <= n", f"k={k}, n={n}")


ODDS = r"c = \left(\frac{e + 1}{e - 1}\right)^{1/n}"
DISTANCE = r"d = k \ln\frac{1}{w_1} + (n - k) \ln\frac{1}{1 - w_1}"
START = {"w1": r"\frac{1}{n}"}


@theorem(
    "Helmbold et al., Theorem 3",
    formula=(
        r"6.48 + 2.48 k \left(1 + \left\lceil \log_2 \frac{2 (n - 1)}{(1 + c)(e - 1)} "
        r"\right\rceil\right)"
    ),
    where=(ODDS,),
    source=SOURCE,
    assumptions=NOISE_FREE,
    target="disjunction",
)
def bayes_beg_theorem3(*, n: int, k: int) -> float:
    """``M <= 6.48 + 2.48 k (1 + ceil(log2(2(n-1) / ((1+c)(e-1)))))``.

    >>> round(bayes_beg_theorem3(n=100, k=1).value, 2)
    23.84
    """
    _check_sizes("bayes_beg_theorem3", n, k)
    return 6.48 + 2.48 * k * (1 + ceil(log2(2.0 * (n - 1) / ((1.0 + theorem3_c(n)) * (e - 1.0)))))


@theorem(
    "Helmbold et al., Theorem 3, sharper",
    formula=r"\frac{Z_1}{\theta} + (1 + c) P",
    where=(
        r"Z_1 = n \ln\left(1 + \frac{1 + c}{n - 1}\right)",
        r"\theta = \ln\frac{e + 1}{e - 1}",
        (
            r"P = k \max\left(0, \left\lfloor \log_{1+c} \frac{2 (n - 1)}{(1 + c)(e - 1)} "
            r"\right\rfloor + 1\right)"
        ),
        ODDS,
    ),
    source=SOURCE,
    assumptions=NOISE_FREE,
    target="disjunction",
    derived=True,
)
def bayes_beg_theorem3_sharper(*, n: int, k: int) -> float:
    """``M <= Z1/theta + (1+c) p``: Theorem 3's proof without its roundings, see `theorem3_ledger`.

    ``Z1 = n ln(1 + (1+c)/(n-1))``, ``theta = ln((e+1)/(e-1))``, ``p = k max(0, floor(log_(1+c) X) + 1)``,
    ``X = 2(n-1) / ((1+c)(e-1))``.

    >>> round(bayes_beg_theorem3_sharper(n=100, k=1).value, 2)
    14.65
    """
    _check_sizes("bayes_beg_theorem3_sharper", n, k)
    ledger = theorem3_ledger(n)
    return ledger.mistakes(k * ledger.cap)


@theorem(
    "Helmbold et al., Theorem 4",
    formula=r"24.79 + 8.44 k \ln(n - 1) + 5.76 k",
    source=SOURCE,
    assumptions=NOISE_FREE,
    target="disjunction",
)
def bayes_beg_theorem4(*, n: int, k: int) -> float:
    """``M <= 24.79 + 8.44 k ln(n-1) + 5.76 k``.

    >>> round(bayes_beg_theorem4(n=100, k=1).value, 2)
    69.33
    """
    _check_sizes("bayes_beg_theorem4", n, k)
    return 24.79 + 8.44 * k * log(n - 1) + 5.76 * k


@theorem(
    "Helmbold et al., Theorem 4, sharper",
    formula=r"\frac{Y_1}{L} + \left(1 + \frac{G}{L}\right) P",
    where=(
        (
            r"P = k \max\left(0, \left\lfloor \log_{\beta_1} (o (n - 1)) \right\rfloor + 1\right) + A "
            r"\max\left(1, \left\lceil \log_{\beta_1} \frac{1}{\beta_0} \right\rceil\right)"
        ),
        r"Y_1 = n \ln\frac{1 + \beta_1 / (n - 1)}{1 + \beta_0 / (n - 1)}",
        r"G = a \ln q \cdot \frac{n - 1/2}{n - 1}",
        r"L = \left(1 - \frac{v_0}{v_1}\right) \frac{n \ln q}{2 (n - 1)}",
        r"v_1 = \ln\frac{1 + \beta_1^2 o}{1 + \beta_0 \beta_1 o}",
        r"v_0 = \ln\frac{1 + \beta_0 \beta_1^2 o}{1 + \beta_0^2 \beta_1 o}",
        r"o = \frac{r - 1}{\beta_1 - r \beta_0}",
        "r = q^{(n - 1/2) / (n - 1)}",
        r"\beta_1 = 1 + a",
        r"\beta_0 = 1 - a q^{-1 / (2 (n - 1))}",
        r"a = \frac{q^{3/2} - 1 + \epsilon}{1 + q}",
        "q = 1.6",
        r"\epsilon = 0.9",
    ),
    source=SOURCE,
    assumptions=NOISY + ", n >= 2",
    target="disjunction",
    derived=True,
)
def bayes_beg_theorem4_sharper(*, n: int, k: int, attribute_errors: int = 0) -> float:
    """``M <= Y1/L + (1 + G/L) p`` for Theorem 4's parameters, see `theorem4_ledger`; attribute errors as for Winnow.

    ``p = k cap + A max(1, ceil(ln(1/beta0) / ln beta1))``: an attribute error is a promotion with no relevant attribute
    on, or a relevant attribute demoted, which allows it so many more promotions.

    >>> round(bayes_beg_theorem4_sharper(n=100, k=1).value, 2)
    33.54
    >>> round(bayes_beg_theorem4_sharper(n=100, k=1, attribute_errors=2).value, 2)
    53.72
    """
    _check_sizes("bayes_beg_theorem4_sharper", n, k)
    ledger, factors = theorem4_ledger(n), theorem4_factors(n)
    more = max(1, ceil(-log(factors.beta0) / log(factors.beta1)))
    return ledger.mistakes(k * ledger.cap + attribute_errors * more)


def _check_start(owner: str, n: int, k: int, alpha: float, w1: float | None) -> float:
    """Check what the bounds by divergence share, and return the weight at the start."""
    _check_sizes(owner, n, k, least=1)
    check(alpha > 1.0, owner, "alpha > 1", f"alpha={alpha}")
    w = 1.0 / n if w1 is None else w1
    check(w > 0.0, owner, "w1 > 0", f"w1={w}")
    return w


def _bre(owner: str, n: int, k: int, alpha: float, w1: float | None) -> float:
    """Return the binary relative entropy of k ones among n attributes to a uniform start."""
    check(n >= 2 or w1 is not None, owner, "n >= 2 where w1 is 1/n", f"n={n}")
    w = _check_start(owner, n, k, alpha, w1)
    check(w < 1.0, owner, "0 < w1 < 1", f"w1={w}")
    return -k * log(w) - (n - k) * log1p(-w)


def _ure(n: int, k: int, w: float, size: float = 1.0) -> float:
    """Return the unnormalised relative entropy of k weights of that size among n attributes to a uniform start."""
    return max(0.0, k * size * (log(size) - log(w) - 1.0) + n * w)


@theorem(
    "Helmbold et al., Theorem 5",
    formula=r"\frac{(\alpha + 1) (d + A \ln \alpha)}{\ln \alpha}",
    where=(DISTANCE,),
    usual=START,
    source=SOURCE,
    assumptions=NOISY,
    target="disjunction",
)
def thresholded_beg(*, n: int, k: int, alpha: float = 2.0, w1: float | None = None, attribute_errors: int = 0) -> float:
    """``M <= (alpha+1) (dist + A ln alpha) / ln alpha``, dist = k ln(1/w1) + (n-k) ln(1/(1-w1)); w1 None: 1/n.

    >>> round(thresholded_beg(n=100, k=1).value, 2)
    24.24
    """
    distance = _bre("thresholded_beg", n, k, alpha, w1)
    return (alpha + 1.0) * (distance + attribute_errors * log(alpha)) / log(alpha)


@theorem(
    "Helmbold et al., Theorem 5, randomised",
    formula=r"\frac{\alpha (d + A \ln \alpha)}{\ln \alpha}",
    where=(DISTANCE,),
    usual=START,
    **RANDOMISED,
)
def thresholded_beg_randomized(
    *, n: int, k: int, alpha: float = e, w1: float | None = None, attribute_errors: int = 0
) -> float:
    """``E[M] <= alpha (dist + A ln alpha) / ln alpha``, dist as in `thresholded_beg`; A counts all trials.

    Predict 1 with probability ``min(1, w.x (alpha-1)/ln alpha)``; update unless the prediction was certain and right.

    >>> round(thresholded_beg_randomized(n=100, k=1).value, 2)
    15.22
    """
    distance = _bre("thresholded_beg_randomized", n, k, alpha, w1)
    return alpha * (distance + attribute_errors * log(alpha)) / log(alpha)


@theorem(
    "Helmbold et al., Corollary 1",
    formula=r"3.76 + 2.72 k \ln n",
    source=SOURCE,
    assumptions=NOISE_FREE,
    target="disjunction",
)
def thresholded_beg_corollary1(*, n: int, k: int) -> float:
    """``M <= 3.76 + 2.72 k ln n``, as printed. 3.76 is 2 e ln 2 = 3.7684 truncated, and the bound is true all the same.

    Only at k = 0, n = 2 does `thresholded_beg_noise_free` exceed it, and there both say 3 mistakes.

    >>> round(thresholded_beg_corollary1(n=100, k=1).value, 2)
    16.29
    """
    _check_sizes("thresholded_beg_corollary1", n, k)
    return 3.76 + 2.72 * k * log(n)


@theorem(
    "Helmbold et al., Corollary 1, sharper",
    formula=r"e \left(k \ln n + (n - k) \ln\frac{n}{n - 1}\right)",
    source=SOURCE,
    assumptions=NOISE_FREE,
    target="disjunction",
    derived=True,
)
def thresholded_beg_noise_free(*, n: int, k: int) -> float:
    """``M <= e (k ln n + (n-k) ln(n/(n-1)))``, which is at most the paper's ``3.76 + 2.72 k ln n``.

    >>> round(thresholded_beg_noise_free(n=100, k=1).value, 2)
    15.22
    """
    _check_sizes("thresholded_beg_noise_free", n, k)
    return e * (k * log(n) - (n - k) * log1p(-1.0 / n))


@theorem(
    "Auer-Warmuth, Winnow",
    formula=r"\frac{k c \ln\frac{c}{w_1} + n w_1 - k c + A c m}{(1 - \beta) \theta}",
    where=(r"c = \frac{\theta (\alpha - \beta)}{\ln \alpha}", r"m = \max\left(\ln \alpha, \ln\frac{1}{\beta}\right)"),
    usual=START | {"demotion": r"\frac{1}{\alpha}", "theta": r"\frac{\alpha \ln \alpha}{\alpha^2 - 1}"},
    source=SOURCE,
    assumptions=NOISY,
    target="disjunction",
)
def winnow_attribute_errors(
    *,
    n: int,
    k: int,
    alpha: float = 2.0,
    w1: float | None = None,
    attribute_errors: int = 0,
    demotion: float | None = None,
    theta: float | None = None,
) -> float:
    """``M <= (alpha+1) (dist + A ln alpha) / ln alpha``, dist = k ln(1/w1) + n w1 - k; w1 None: 1/n.

    With w1 = k/n the distance is k ln(n/k), the smallest that a uniform start can have. That is for demotion 1/alpha
    and theta = alpha ln(alpha)/(alpha^2-1) (None). For any others, take c times the disjunction as the comparator,
    ``c = theta (alpha - demotion) / ln alpha``: each mistake lowers the unnormalised relative entropy to it by at least
    (1-demotion) theta, less c max(ln alpha, ln(1/demotion)) for each attribute error (x may be anywhere in [0,1]), so
    ``M <= (k c ln(c/w1) + n w1 - k c + c A max(ln alpha, ln(1/demotion))) / ((1-demotion) theta)``.

    >>> round(winnow_attribute_errors(n=200, k=20, alpha=3.5911, w1=0.1).value, 1)
    165.4
    >>> round(winnow_attribute_errors(n=200, k=20, alpha=1.5, theta=10, w1=1, attribute_errors=3).value, 1)
    317.0
    """
    owner = "winnow_attribute_errors"
    w = _check_start(owner, n, k, alpha, w1)
    check(demotion is None or 0.0 <= demotion < 1.0, owner, "0 <= demotion < 1", f"demotion={demotion}")
    check(theta is None or theta > 0.0, owner, "theta > 0", f"theta={theta}")
    if demotion is None and theta is None:
        return (alpha + 1.0) * (_ure(n, k, w) + attribute_errors * log(alpha)) / log(alpha)
    d = 1.0 / alpha if demotion is None else demotion
    t = alpha * log(alpha) / (alpha * alpha - 1.0) if theta is None else theta
    size = t * (alpha - d) / log(alpha)
    if size <= 0.0 or (attribute_errors and d == 0.0):
        return inf
    noise = attribute_errors * size * max(log(alpha), -log(d)) if attribute_errors else 0.0
    return (_ure(n, k, w, size) + noise) / ((1.0 - d) * t)


@theorem(
    "Auer-Warmuth, Winnow, randomised",
    formula=r"\frac{\alpha (d + A \ln \alpha)}{\ln \alpha}",
    where=(r"d = k \ln\frac{1}{w_1} + n w_1 - k",),
    usual=START,
    **RANDOMISED,
)
def winnow_randomized(*, n: int, k: int, alpha: float = e, w1: float | None = None, attribute_errors: int = 0) -> float:
    """``E[M] <= alpha (dist + A ln alpha) / ln alpha``, dist as in `winnow_attribute_errors`; A counts all trials.

    Predict 1 with probability ``min(1, w.x (alpha-1)/ln alpha)``; update unless the prediction was certain and right.

    >>> round(winnow_randomized(n=200, k=20, w1=0.1).value, 1)
    125.2
    """
    w = _check_start("winnow_randomized", n, k, alpha, w1)
    return alpha * (_ure(n, k, w) + attribute_errors * log(alpha)) / log(alpha)


@theorem(
    "Helmbold et al., normalised",
    formula=(
        r"\frac{\ln\frac{n}{k} + \frac{A}{k} \max\left(\ln \beta_1, "
        r"\ln\frac{1}{\beta_0}\right)}{\delta}"
    ),
    where=(
        (
            r"\delta = \min\left(\frac{\ln \beta_1}{k} - \ln(1 + (\beta_1 - 1) \theta), -\ln(1 - (1 - "
            r"\beta_0) \theta)\right)"
        ),
        r"(1 - \beta_0) \theta < 1",
        r"\delta > 0",
    ),
    source=SOURCE,
    assumptions=NOISY + ", k >= 1; uniform start",
    target="disjunction",
    derived=True,
)
def normalized_winnow_disjunction(
    *, n: int, k: int, beta1: float, beta0: float, theta: float, attribute_errors: int = 0
) -> float:
    """``M <= (ln(n/k) + A max(ln beta1, ln(1/beta0))/k) / delta``, infinite where delta is not positive.

    ``delta = min{ln(beta1)/k - ln(1 + (beta1-1) theta), -ln(1 - (1-beta0) theta)}``.

    >>> round(normalized_winnow_disjunction(n=200, k=5, beta1=e, beta0=0.0, theta=0.0753205).value, 1)
    47.1
    """
    owner = "normalized_winnow_disjunction"
    check(1 <= k <= n, owner, "1 <= k <= n", f"k={k}, n={n}")
    check(0.0 <= beta0 < 1.0 < beta1, owner, "0 <= beta0 < 1 < beta1", f"{beta0}, {beta1}")
    fall = (1.0 - beta0) * theta
    if theta <= 0.0 or fall >= 1.0 or (attribute_errors and beta0 == 0.0):
        return inf
    delta = min(log(beta1) / k - log1p((beta1 - 1.0) * theta), -log1p(-fall))
    noise = attribute_errors * max(log(beta1), -log(beta0)) / k if attribute_errors else 0.0
    return (log(n) - log(k) + noise) / delta if delta > 0.0 else inf
