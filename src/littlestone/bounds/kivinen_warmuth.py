"""Bounds of Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow" (1995), made explicit."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf, log1p, sqrt

from littlestone.bounds.bound import DISJUNCTION, SPARSE, check, theorem
from littlestone.bounds.orders import largest_order
from littlestone.core.rational import Number, simplest_fraction, steps

__all__ = [
    "additive_lower",
    "additive_lower_any_start",
    "elimination",
    "ellipsoid",
    "ellipsoid_simple",
    "perceptron_disjunction",
    "vc_lower",
    "winnow_disjunction",
]

SOURCE = "Kivinen and Warmuth, The Perceptron algorithm vs. Winnow: linear vs. logarithmic mistake bounds, COLT 1995"


ORDER = (
    r"\max\lbrace l \le n - k + 1 : \text{a Hadamard matrix of order } l \text{ can be made} "
    r"\rbrace"
)


@theorem(
    "Kivinen-Warmuth, Perceptron",
    formula="(4 k + 1) (X + 1)",
    source=SOURCE,
    **SPARSE | {"assumptions": SPARSE["assumptions"] + ", theta 0"},
)
def perceptron_disjunction(*, k: int, X: int) -> float:
    """``M <= (4k+1)(X+1)``: Novikoff's bound for u = (u, -1/2), margin 1/2.

    >>> perceptron_disjunction(k=3, X=20).value
    273
    """
    return (4 * k + 1) * (X + 1)


@theorem("Kivinen-Warmuth, elimination", formula="n - k", source=SOURCE, assumptions=DISJUNCTION, target="disjunction")
def elimination(*, n: int, k: int) -> float:
    """``M <= n - k``: each mistake removes at least one attribute that is not in the target.

    >>> elimination(n=10, k=3).value
    7
    """
    _check_sizes("elimination", n, k)
    return n - k


def _check_sizes(owner: str, n: int, k: int, least: int = 0) -> None:
    check(n >= 1, owner, "n >= 1", f"n={n}")
    check(least <= k <= n, owner, f"{least} <= k <= n", f"k={k}, n={n}")


@theorem(
    "Kivinen-Warmuth, Winnow",
    formula=(
        r"P + \begin{cases} \lceil D \rceil - 1, & \beta > 0 \cr \lfloor D \rfloor, & \beta = 0 "
        r"\end{cases}"
    ),
    where=(
        (
            r"P = k \max\left(0, \left\lceil \log_\alpha \frac{\theta}{w_1} \right\rceil\right) + A "
            r"\left\lceil \log_\alpha \frac{1}{\beta} \right\rceil"
        ),
        r"D = \frac{n w_1 + P (\alpha - 1) \theta}{(1 - \beta) \theta}",
    ),
    usual={"demotion": r"\frac{1}{\alpha}", "theta": "n"},
    source=SOURCE + "; Khardon, Roth and Servedio, Theorem 2, in whole numbers and with a demotion factor of its own",
    assumptions="x in {0,1}^n; some monotone disjunction of k attributes has at most A attribute errors on the "
    "mistakes (A = 0: it gives the labels); with A > 0 ties are predicted 1",
    target="disjunction",
    derived=True,
)
def winnow_disjunction(
    *,
    n: int,
    k: int,
    alpha: Number = 2,
    demotion: Number | None = None,
    theta: Number | None = None,
    w1: Number = 1,
    attribute_errors: int = 0,
) -> float:
    """Bound the mistakes of Winnow: ``P <= k j + A c`` and ``D (1 - demotion) theta <= n w1 + P (alpha - 1) theta``.

    A relevant weight is never demoted, and promoted only while it is below theta: at most
    ``j = min{j >= 0: w1 alpha^j >= theta}`` times (once more where a tie is predicted 0, which then leaves so much more
    total weight to be demoted that the sum stands). A promotion adds at most (alpha - 1) theta to the total weight, a
    demotion takes at least (1 - demotion) theta away, and something is left unless demotion is 0.
    With demotion 1/alpha this is ``M < k j (1 + alpha) + alpha n / ((alpha - 1) theta)``. Computed in rationals.

    An attribute error is a promotion with no relevant attribute on, or a relevant attribute on in a demotion; the
    latter allows that attribute at most ``c = ceil(log_alpha(1/demotion)) >= 1`` more promotions (infinitely many where
    demotion is 0). With A > 0 this is stated for ties predicted 1 (predict 1 iff w.x >= theta).

    >>> winnow_disjunction(n=200, k=20, alpha=1.5, theta=10).value
    359
    >>> winnow_disjunction(n=1024, k=1).value  # alpha 2, theta n: less than 3 k log2(n) + 2
    31
    >>> winnow_disjunction(n=1024, k=1, attribute_errors=5).value
    46
    """
    _check_sizes("winnow_disjunction", n, k)
    a, w = simplest_fraction(alpha), simplest_fraction(w1)
    d = 1 / a if demotion is None and a else simplest_fraction(demotion or 0)
    t = Fraction(n) if theta is None else simplest_fraction(theta)
    check(a > 1, "winnow_disjunction", "alpha > 1", f"alpha={alpha}")
    check(0 <= d < 1, "winnow_disjunction", "0 <= demotion < 1", f"demotion={demotion}")
    check(t > 0 and w > 0, "winnow_disjunction", "theta > 0 and w1 > 0", f"theta={theta}, w1={w1}")
    if attribute_errors and d == 0:
        return inf
    promotions = k * steps(t / w, a) + (attribute_errors * steps(1 / d, a) if attribute_errors else 0)
    demotions = (n * w + promotions * (a - 1) * t) / ((1 - d) * t)
    return promotions + (ceil(demotions) - 1 if d > 0 else floor(demotions))


ADVERSARY = "; an adversary chooses the rows by Hadamard's matrix, looking at the hypothesis"


@theorem(
    "Kivinen-Warmuth, Theorem 13",
    formula=ORDER,
    source=SOURCE,
    assumptions=DISJUNCTION + ADVERSARY + "; any additive learner with a zero start (Perceptron, ellipsoid, ...)",
    kind="lower",
)
def additive_lower(*, n: int, k: int) -> float:
    """``M >= l``, the largest order <= n - k + 1 of a Hadamard matrix that `teachers.Hadamard` can make.

    In the paper l = 2^d and n = l + k - 1; what is left of another n is never on. A matrix of order 4m is made for
    every prime 4m - 1, and for twice an order, so that l is nearly n.

    >>> additive_lower(n=128, k=1).value, additive_lower(n=130, k=4).value, additive_lower(n=996, k=5).value
    (128, 120, 992)
    """
    _check_sizes("additive_lower", n, k, least=1)
    return largest_order(n - k + 1)


@theorem(
    "Kivinen-Warmuth, Theorem 13, any start",
    formula=r"\left\lfloor \frac{l}{2} \right\rfloor",
    where=("l = " + ORDER,),
    source=SOURCE,
    assumptions=DISJUNCTION + ADVERSARY + "; any additive learner, whatever its start",
    kind="lower",
)
def additive_lower_any_start(*, n: int, k: int) -> float:
    """``M >= l/2`` with l as in `additive_lower`; nothing at l = 1.

    >>> additive_lower_any_start(n=128, k=1).value
    64
    """
    _check_sizes("additive_lower_any_start", n, k, least=1)
    return largest_order(n - k + 1) // 2


ELLIPSOID = DISJUNCTION + "; constant coordinate, centre 0, central or deep cuts"


def _ellipsoid(n: int, k: int) -> float:
    """Return ln(1 + sqrt((4k+1)(n+1))): the log of the radius of the ball over that of the solutions' inner ball."""
    return log1p(sqrt((4 * k + 1) * (n + 1)))


@theorem(
    "Kivinen-Warmuth, ellipsoid",
    formula=r"\frac{m \ln\left(1 + \sqrt{(4 k + 1)(n + 1)}\right)}{-\ln \rho}",
    where=("m = n + 1", r"\rho = \frac{m}{m + 1} \left(\frac{m^2}{m^2 - 1}\right)^{(m - 1)/2}"),
    source=SOURCE + "; Maass and Turan",
    assumptions=ELLIPSOID,
    target="disjunction",
    derived=True,
)
def ellipsoid(*, n: int, k: int) -> float:
    """``M <= m ln(1 + sqrt((4k+1)(n+1))) / -ln(ratio)``, m = n+1.

    A cut multiplies the volume by ``ratio = m/(m+1) (m^2/(m^2-1))^((m-1)/2) < e^(-1/(2(m+1)))``; the latter gives
    `ellipsoid_simple`.

    >>> round(ellipsoid(n=10, k=2).value)
    578
    """
    _check_sizes("ellipsoid", n, k)
    m = n + 1
    return m * _ellipsoid(n, k) / (log1p(1.0 / m) + (m - 1) / 2.0 * log1p(-1.0 / (m * m)))


@theorem(
    "Kivinen-Warmuth, ellipsoid, simple",
    formula=r"2 m (m + 1) \ln\left(1 + \sqrt{(4 k + 1)(n + 1)}\right)",
    where=("m = n + 1",),
    source=SOURCE + "; Maass and Turan",
    assumptions=ELLIPSOID,
    target="disjunction",
    derived=True,
)
def ellipsoid_simple(*, n: int, k: int) -> float:
    """``M <= 2 m (m+1) ln(1 + sqrt((4k+1)(n+1)))``, m = n+1.

    >>> round(ellipsoid_simple(n=10, k=2).value)
    632
    """
    _check_sizes("ellipsoid_simple", n, k)
    return 2.0 * (n + 1) * (n + 2) * _ellipsoid(n, k)


@theorem(
    "Kivinen-Warmuth, VC dimension",
    formula=r"k \left\lfloor \log_2 \frac{n}{k} \right\rfloor",
    source=SOURCE + "; Littlestone, 1988",
    assumptions=DISJUNCTION + "; an adversary chooses the rows; any deterministic learner",
    kind="lower",
)
def vc_lower(*, n: int, k: int) -> float:
    """``M >= k floor(log2(n/k))``: as many rows are shattered by the disjunctions of k attributes.

    >>> vc_lower(n=1024, k=1).value, vc_lower(n=12, k=3).value
    (10, 6)
    """
    _check_sizes("vc_lower", n, k, least=1)
    return k * ((n // k).bit_length() - 1)
