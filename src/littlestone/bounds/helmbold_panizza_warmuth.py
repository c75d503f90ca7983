"""Bounds of Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions"."""

from __future__ import annotations

from math import ceil, e, inf, log, log1p, log2

from littlestone.bounds.bound import check, theorem

__all__ = [
    "bayes_beg_theorem3",
    "bayes_beg_theorem4",
    "normalized_winnow_disjunction",
    "thresholded_beg",
    "thresholded_beg_noise_free",
    "winnow_attribute_errors",
]

SOURCE = "Helmbold, Panizza and Warmuth, Direct and indirect algorithms for on-line learning of disjunctions, 1999"
NOISE_FREE = "x in {0,1}^n, n >= 2; the labels are those of a monotone disjunction of k attributes, without noise"
NOISY = "x in {0,1}^n; some monotone disjunction of k attributes has at most A attribute errors on the mistakes"


def theorem3_c(n: int) -> float:
    """Return c = ((e+1)/(e-1))^(1/n); the paper's later "c = (e+1)/(e-1)" is a misprint that breaks the bound."""
    return float(((e + 1.0) / (e - 1.0)) ** (1.0 / n))


@theorem("Helmbold et al., Theorem 3", source=SOURCE, assumptions=NOISE_FREE)
def bayes_beg_theorem3(*, n: int, k: int) -> float:
    """``M <= 6.48 + 2.48 k (1 + ceil(log2(2(n-1) / ((1+c)(e-1)))))``.

    >>> round(bayes_beg_theorem3(n=100, k=1).value, 2)
    23.84
    """
    check(n >= 2, "bayes_beg_theorem3", "n >= 2", f"n={n}")
    check(0 <= k <= n, "bayes_beg_theorem3", "0 <= k <= n", f"k={k}")
    return 6.48 + 2.48 * k * (1 + ceil(log2(2.0 * (n - 1) / ((1.0 + theorem3_c(n)) * (e - 1.0)))))


@theorem("Helmbold et al., Theorem 4", source=SOURCE, assumptions=NOISE_FREE)
def bayes_beg_theorem4(*, n: int, k: int) -> float:
    """``M <= 24.79 + 8.44 k ln(n-1) + 5.76 k``.

    >>> round(bayes_beg_theorem4(n=100, k=1).value, 2)
    69.33
    """
    check(n >= 2, "bayes_beg_theorem4", "n >= 2", f"n={n}")
    check(0 <= k <= n, "bayes_beg_theorem4", "0 <= k <= n", f"k={k}")
    return 24.79 + 8.44 * k * log(n - 1) + 5.76 * k


@theorem("Helmbold et al., Theorem 5", source=SOURCE, assumptions=NOISY)
def thresholded_beg(*, n: int, k: int, alpha: float = 2.0, w1: float | None = None, attribute_errors: int = 0) -> float:
    """``M <= (alpha+1) (dist + A ln alpha) / ln alpha``, dist = k ln(1/w1) + (n-k) ln(1/(1-w1)); w1 None: 1/n.

    >>> round(thresholded_beg(n=100, k=1).value, 2)
    24.24
    """
    check(n >= 2 or w1 is not None, "thresholded_beg", "n >= 2 where w1 is 1/n", f"n={n}")
    check(0 <= k <= n, "thresholded_beg", "0 <= k <= n", f"k={k}")
    check(alpha > 1.0, "thresholded_beg", "alpha > 1", f"alpha={alpha}")
    w = 1.0 / n if w1 is None else w1
    check(0.0 < w < 1.0, "thresholded_beg", "0 < w1 < 1", f"w1={w}")
    distance = -k * log(w) - (n - k) * log1p(-w)
    return (alpha + 1.0) * (distance + attribute_errors * log(alpha)) / log(alpha)


@theorem(
    "Helmbold et al., Corollary 1, sharper",
    source=SOURCE,
    assumptions=NOISE_FREE,
)
def thresholded_beg_noise_free(*, n: int, k: int) -> float:
    """``M <= e (k ln n + (n-k) ln(n/(n-1)))``, which is at most the paper's ``3.76 + 2.72 k ln n``.

    >>> round(thresholded_beg_noise_free(n=100, k=1).value, 2)
    15.22
    """
    check(n >= 2, "thresholded_beg_noise_free", "n >= 2", f"n={n}")
    check(0 <= k <= n, "thresholded_beg_noise_free", "0 <= k <= n", f"k={k}")
    return e * (k * log(n) - (n - k) * log1p(-1.0 / n))


@theorem("Auer-Warmuth, Winnow", source=SOURCE, assumptions=NOISY)
def winnow_attribute_errors(
    *, n: int, k: int, alpha: float = 2.0, w1: float | None = None, attribute_errors: int = 0
) -> float:
    """``M <= (alpha+1) (dist + A ln alpha) / ln alpha``, dist = k ln(1/w1) + n w1 - k; w1 None: 1/n.

    With w1 = k/n the distance is k ln(n/k), the smallest that a uniform start can have.

    >>> round(winnow_attribute_errors(n=200, k=20, alpha=3.5911, w1=0.1).value, 1)
    165.4
    """
    check(0 <= k <= n and n >= 1, "winnow_attribute_errors", "0 <= k <= n", f"k={k}, n={n}")
    check(alpha > 1.0, "winnow_attribute_errors", "alpha > 1", f"alpha={alpha}")
    w = 1.0 / n if w1 is None else w1
    check(w > 0.0, "winnow_attribute_errors", "w1 > 0", f"w1={w}")
    distance = max(0.0, -k * log(w) + n * w - k)
    return (alpha + 1.0) * (distance + attribute_errors * log(alpha)) / log(alpha)


@theorem(
    "Helmbold et al., normalised",
    source=SOURCE,
    assumptions=NOISE_FREE + ", k >= 1; uniform start",
)
def normalized_winnow_disjunction(*, n: int, k: int, beta1: float, beta0: float, theta: float) -> float:
    """``M <= ln(n/k) / delta``, infinite where delta is not positive.

    ``delta = min{ln(beta1)/k - ln(1 + (beta1-1) theta), -ln(1 - (1-beta0) theta)}``.

    >>> round(normalized_winnow_disjunction(n=200, k=5, beta1=e, beta0=0.0, theta=0.0753205).value, 1)
    47.1
    """
    check(1 <= k <= n, "normalized_winnow_disjunction", "1 <= k <= n", f"k={k}")
    check(0.0 <= beta0 < 1.0 < beta1, "normalized_winnow_disjunction", "0 <= beta0 < 1 < beta1", f"{beta0}, {beta1}")
    fall = 1.0 - (1.0 - beta0) * theta
    if theta <= 0.0 or fall <= 0.0:
        return inf
    delta = min(log(beta1) / k - log1p((beta1 - 1.0) * theta), -log(fall))
    return log(n / k) / delta if delta > 0.0 else inf
