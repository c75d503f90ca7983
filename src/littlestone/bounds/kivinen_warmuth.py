"""Bounds of Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow" (1995), made explicit."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log

from littlestone.bounds.bound import check, theorem
from littlestone.rational import Number, simplest_fraction

__all__ = ["elimination", "perceptron_disjunction", "winnow_disjunction"]

SOURCE = "Kivinen and Warmuth, The Perceptron algorithm vs. Winnow: linear vs. logarithmic mistake bounds, COLT 1995"
DISJUNCTION = "x in {0,1}^n; the labels are those of a monotone disjunction of k attributes, without noise"


@theorem(
    "Kivinen-Warmuth, Perceptron",
    source=SOURCE,
    assumptions=DISJUNCTION + "; at most X attributes on in a row; constant coordinate, zero start, theta 0",
)
def perceptron_disjunction(*, k: int, X: int) -> float:
    """``M <= (4k+1)(X+1)``: Novikoff's bound for u = (u, -1/2), margin 1/2.

    >>> perceptron_disjunction(k=3, X=20).value
    273
    """
    check(k >= 0, "perceptron_disjunction", "k >= 0", f"k={k}")
    check(X >= 0, "perceptron_disjunction", "X >= 0", f"X={X}")
    return (4 * k + 1) * (X + 1)


@theorem("Kivinen-Warmuth, elimination", source=SOURCE, assumptions=DISJUNCTION)
def elimination(*, n: int, k: int) -> float:
    """``M <= n - k``: each mistake removes at least one attribute that is not in the target.

    >>> elimination(n=10, k=3).value
    7
    """
    check(0 <= k <= n, "elimination", "0 <= k <= n", f"k={k}, n={n}")
    return n - k


def _steps(ratio: Fraction, alpha: Fraction) -> int:
    """Return the least j >= 0 with alpha^j >= ratio: by logarithms, then exactly (where j is huge, one too many)."""
    if ratio <= 1:
        return 0
    j = ceil((log(ratio.numerator) - log(ratio.denominator)) / log(alpha))
    if j > 10_000:
        return j + 1
    while alpha**j < ratio:
        j += 1
    while j > 0 and alpha ** (j - 1) >= ratio:
        j -= 1
    return j


@theorem(
    "Kivinen-Warmuth, Winnow",
    source=SOURCE + "; Khardon, Roth and Servedio, Theorem 2, in whole numbers and with a demotion factor of its own",
    assumptions=DISJUNCTION,
)
def winnow_disjunction(
    *, n: int, k: int, alpha: Number = 2, demotion: Number | None = None, theta: Number | None = None, w1: Number = 1
) -> float:
    """Bound the mistakes of Winnow: ``P <= k j`` and ``D (1 - demotion) theta <= n w1 + P (alpha - 1) theta``.

    A relevant weight is never demoted, and promoted only while it is below theta: at most
    ``j = min{j >= 0: w1 alpha^j >= theta}`` times (once more where a tie is predicted 0, which then leaves so much more
    total weight to be demoted that the sum stands). A promotion adds at most (alpha - 1) theta to the total weight, a
    demotion takes at least (1 - demotion) theta away, and something is left unless demotion is 0.
    With demotion 1/alpha this is ``M < k j (1 + alpha) + alpha n / ((alpha - 1) theta)``. Computed in rationals.

    >>> winnow_disjunction(n=200, k=20, alpha=1.5, theta=10).value
    359
    >>> winnow_disjunction(n=1024, k=1).value  # alpha 2, theta n: less than 3 k log2(n) + 2
    31
    """
    check(0 <= k <= n, "winnow_disjunction", "0 <= k <= n", f"k={k}, n={n}")
    a, w = simplest_fraction(alpha), simplest_fraction(w1)
    d = 1 / a if demotion is None else simplest_fraction(demotion)
    t = Fraction(n) if theta is None else simplest_fraction(theta)
    check(a > 1, "winnow_disjunction", "alpha > 1", f"alpha={alpha}")
    check(0 <= d < 1, "winnow_disjunction", "0 <= demotion < 1", f"demotion={demotion}")
    check(t > 0 and w > 0, "winnow_disjunction", "theta > 0 and w1 > 0", f"theta={theta}, w1={w1}")
    promotions = k * _steps(t / w, a)
    demotions = (n * w + promotions * (a - 1) * t) / ((1 - d) * t)
    return promotions + (ceil(demotions) - 1 if d > 0 else floor(demotions))
