"""Bounds of Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning"."""

from __future__ import annotations

from math import exp, inf, log, log1p

from littlestone.bounds.bound import DISJUNCTION, check, theorem
from littlestone.core.rational import Number, conjunctions, ln, ln_choices

__all__ = [
    "kernel_perceptron_dnf",
    "kernel_perceptron_lower",
    "kernel_winnow_dnf",
    "perceptron_convergence",
    "winnow_theorem2",
]

MOST = 700.0  # the logarithm of what is still written out; float numbers end at e^709
SOURCE = (
    "Khardon, Roth and Servedio, Efficiency versus convergence of Boolean kernels for on-line learning algorithms, 2005"
)


TERMS = {"k": ("k", "the number of terms of the DNF")}


@theorem(
    "Khardon et al., Theorem 1",
    formula=r"\frac{R^2 \lVert u \rVert^2}{\gamma^2}",
    source=SOURCE,
    assumptions="some u has y (u.x) >= gamma on every trial; |x| <= R; zero start, theta 0",
    positive="gamma",
    not_negative="radius norm",
)
def perceptron_convergence(*, radius: float, norm: float, gamma: float) -> float:
    """``M <= R^2 |u|^2 / gamma^2``, in the space of x or of a kernel's features.

    >>> perceptron_convergence(radius=2.0, norm=3.0, gamma=1.0).value
    36.0
    """
    return (radius * norm / gamma) ** 2


@theorem(
    "Khardon et al., Theorem 1, DNF",
    formula=r"(4 k + 1) \sum_{i=0}^{s} \binom{X}{i}",
    symbols=TERMS
    | {"X": ("X", "the most literals that hold in a row"), "max_size": ("s", "the most literals of a conjunction")},
    usual={"max_size": "X"},
    source=SOURCE,
    assumptions="x in {0,1}^n; the labels are those of a DNF of k terms, all of them features of the kernel; X is the "
    "largest number of literals that hold in a row: attributes that are on for monotone conjunctions, n otherwise; the "
    "empty conjunction is a feature, no stored examples at the start, theta 0",
    target="DNF",
    derived=True,
    not_negative="k X max_size",
)
def kernel_perceptron_dnf(*, k: int, X: int, max_size: int | None = None) -> float:
    """``M <= (4k+1) K(x,x)``: Theorem 1 for u = 2 on each term, -1 on the empty one; margin 1, |x|^2 = K(x,x).

    K(x,x) is 2^X for all conjunctions, and C(X,0) + ... + C(X,s) for those of at most s = max_size literals.

    >>> kernel_perceptron_dnf(k=2, X=10).value, kernel_perceptron_dnf(k=2, X=10, max_size=2).value
    (9216, 504)
    """
    if ln_choices(X, X if max_size is None else min(X, max_size)) > MOST:
        return inf
    return (4 * k + 1) * (conjunctions(X, max_size=max_size) + 1)


def _theorem2(k: int, alpha: Number, ln_n: float, ln_theta: float) -> float:
    a, ln_a = float(alpha), ln(alpha)
    return exp(ln_n - ln_theta) * a / float(alpha - 1) + k * (a + 1.0) * (1.0 + ln_theta / ln_a)


@theorem(
    "Khardon et al., Theorem 2",
    formula=r"\frac{\alpha}{\alpha - 1} \frac{n}{\theta} + k (\alpha + 1) (1 + \log_\alpha \theta)",
    usual={"theta": "n"},
    source=SOURCE,
    assumptions=DISJUNCTION + "; w1 = 1, demotion 1/alpha, ties predicted 1",
    target="disjunction",
    positive="n theta",
)
def winnow_theorem2(*, n: int, k: int, alpha: Number = 2, theta: Number | None = None) -> float:
    """``M <= alpha/(alpha-1) n/theta + k (alpha+1) (1 + log_alpha theta)``; theta None: n.

    `winnow_disjunction` is the same argument in whole numbers, and sharper.

    >>> round(winnow_theorem2(n=9, k=1).value, 2)
    14.51
    """
    check(0 <= k <= n, "winnow_theorem2", "0 <= k <= n", f"k={k}, n={n}")
    check(alpha > 1, "winnow_theorem2", "alpha > 1", f"alpha={alpha}")
    return _theorem2(k, alpha, log(n), log(n) if theta is None else ln(theta))


@theorem(
    "Khardon et al., Theorem 2, DNF",
    formula=r"\frac{\alpha}{\alpha - 1} \frac{N}{\theta} + k (\alpha + 1) (1 + \log_\alpha \theta)",
    where=(r"N = \sum_{i=1}^{s} \binom{n}{i} r^i",),
    symbols=TERMS
    | {
        "literals": ("r", "1: conjunctions of attributes; 2: of attributes and their negations"),
        "max_size": ("s", "the most literals of a conjunction"),
    },
    usual={"max_size": "n", "theta": "N"},
    source=SOURCE,
    assumptions="x in {0,1}^n; the labels are those of a DNF of k terms, without noise; Winnow over all N conjunctions "
    "that are not empty (literals 1: the 2^n - 1 monotone ones, 2: the 3^n - 1 with negations; fewer of at most "
    "max_size literals), the terms among them; w1 = 1, demotion 1/alpha, ties predicted 1",
    target="DNF",
    positive="n max_size theta",
)
def kernel_winnow_dnf(
    *, n: int, k: int, alpha: Number = 2, theta: Number | None = None, literals: int = 1, max_size: int | None = None
) -> float:
    """Theorem 2 over N conjunctions; theta None: N. At alpha 2, theta N it is ``2 + 3k (1 + log2 N)``.

    >>> round(kernel_winnow_dnf(n=2000, k=4).value, 6), round(kernel_winnow_dnf(n=2000, k=4, max_size=2).value, 1)
    (24014.0, 265.2)
    """
    owner = "kernel_winnow_dnf"
    check(literals in (1, 2), owner, "literals 1 or 2", f"literals={literals}")
    check(alpha > 1, owner, "alpha > 1", f"alpha={alpha}")
    if max_size is None or max_size >= n:
        most = k < (literals + 1) ** min(n, k.bit_length())  # as good as n, and no larger than it must be
        ln_N = n * log(literals + 1.0) + log1p(-((literals + 1.0) ** -n))
    else:
        N = conjunctions(n, literals=literals, max_size=max_size)
        most, ln_N = k <= N, log(N)
    check(k >= 0 and most, owner, "0 <= k <= N, the number of conjunctions", f"k={k}, n={n}")
    return _theorem2(k, alpha, ln_N, ln_N if theta is None else ln(theta))


@theorem(
    "Khardon et al., Theorem 6",
    formula=r"2 + \min\left(t, 1 + \left\lfloor \frac{2^s - 1}{2^b} \right\rfloor\right)",
    symbols={
        "size": ("s", "the attributes that are on in each of the later rows"),
        "overlap": ("b", "the most attributes that two of these rows share"),
        "sets": ("t", "the number of these rows"),
    },
    source=SOURCE,
    assumptions="the kernel 2^|x & y| with ties predicted 1, no stored examples at the start, theta 0; the target is "
    "the conjunction of all attributes; the rows are none on, all on, then rows with as many attributes on as size "
    "says, of which no two share more than overlap",
    kind="lower",
    not_negative="sets",
)
def kernel_perceptron_lower(*, size: int, overlap: int, sets: int) -> float:
    """``M >= 2 + min(sets, 1 + floor((2^size - 1) / 2^overlap))``: so many rows are all mistakes, one after another.

    Before the i-th set the value is ``2^size - 1`` less at most ``2^overlap`` for each set before it.

    >>> kernel_perceptron_lower(size=16, overlap=4, sets=3000).value, kernel_perceptron_lower(size=8, overlap=2,
    ... sets=3000).value
    (3002, 66)
    """
    owner = "kernel_perceptron_lower"
    check(0 <= overlap < size, owner, "0 <= overlap < size", f"overlap={overlap}, size={size}")
    exponent = size - overlap  # 1 + floor((2^size - 1) / 2^overlap) is two to this power
    return 2 + (sets if exponent >= sets.bit_length() else 2**exponent)
