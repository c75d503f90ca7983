"""Theorem 9 of Khardon, Roth and Servedio: models are counted by examples and queries for kernel Winnow."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log, log1p, log2
from typing import Any

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.parameters import check_number, check_whole
from littlestone.core.rational import Number, simplest_fraction
from littlestone.theory.reductions.formulas import two_cnf
from littlestone.theory.reductions.instance import KernelWinnowInstance, bits, sizes

__all__ = ["THRESHOLDS", "count_models", "kernel_winnow_instance"]

MOST_ATTRIBUTES, MOST_BITS = 1 << 16, 1 << 19

THRESHOLDS: dict[str, Callable[[int], Number]] = {
    "2^m": lambda m: 2**m,
    "2^m-1": lambda m: 2**m - 1,
    "2^m/m": lambda m: Fraction(2**m, m),
    "m*2^m": lambda m: m * 2**m,
    "2^(2m)": lambda m: 4**m,
}


def kernel_winnow_instance(
    clauses: Any, *, K: int, n: int | None = None, alpha: Number = 2, theta: str | Callable[[int], Number] = "2^m"
) -> KernelWinnowInstance:
    """Return examples and a query on which kernel Winnow predicts 1 iff the formula has at least K models.

    The formula F is a monotone one in conjunctive normal form with at most two variables a clause. Winnow keeps a
    weight for each monomial T of the m attributes. Those over the first n stand for assignments (a variable is true
    iff it is in T), and the examples bring

    1. the weights of assignments that violate F near 0: those of the others sum to about |F|, the number of models;
    2. these sums to alpha^q |F|;
    3. and 4. the weights of monomials over U other attributes to about theta - alpha^q K: Lemma 10's formula with p
       models is treated as F was, and promoted.

    On the query, where all n + U attributes are on, the sum is then theta + alpha^q (|F| - K) and too little to matter.

    Parameters
    ----------
    clauses : pairs of variables
        Variables are numbered from 0; (i,) or (i, i) is a clause of one. A clause that comes twice counts once.
    K : int
        From 1 to 2^n.
    n : int, or None
        The number of variables; None: as many as the clauses need.
    alpha : number > 1
        A float is taken for the simplest fraction that rounds to it.
    theta : function of m, or a name
        The threshold for m attributes; "2^m", "2^m-1", "2^m/m", "m*2^m" and "2^(2m)" are known by name.

    Example
    -------
    >>> instance = kernel_winnow_instance([(0, 1)], K=3)  # x0 or x1: three models
    >>> instance.m, len(instance), instance.q, instance.R, instance.p
    (431, 29254, 427, 4, 52)
    >>> instance.runs[0], instance.query
    (Examples(attributes=(8, 9), label=1, times=430, stage=1), (0, 1, 2, 3, 4, 5, 6, 7))

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24 (2005), Theorem 9. All logarithms are to the base 2, and a formula must have a clause, which the paper does
    not say: the empty assignment has no monomial.
    """
    read, n = two_cnf(clauses, n, "kernel_winnow_instance")
    check_number("kernel_winnow_instance", "alpha", alpha, above=1.0)
    exact = simplest_fraction(alpha)
    if n > MOST_ATTRIBUTES or 6 * n**3 * log(2) > MOST_ATTRIBUTES * log1p(exact - 1):  # there are as many at least
        raise _too_large(n, exact)
    _, U, V, W = sizes(n, exact)
    m = n + U + 6 * V * n**2 + 6 * U * W + 3
    threshold = _threshold(theta, m)
    if m > MOST_ATTRIBUTES or bits(threshold) / bits(exact) * log2(exact.numerator) > MOST_BITS:
        raise _too_large(n, exact)
    K = check_whole("kernel_winnow_instance", "K", K, most=2**n)
    return KernelWinnowInstance(read, n, K, exact, threshold, m)


def _too_large(n: int, alpha: Fraction) -> TooLarge:
    variables = str(n) if n.bit_length() < 64 else f"about 2^{n.bit_length()}"
    return TooLarge(
        f"kernel_winnow_instance: expected at most {MOST_ATTRIBUTES:,} attributes and weights of {MOST_BITS:,} bits, "
        f"got more for n={variables} and alpha={float(alpha):g}; take fewer variables or a larger alpha"
    )


def _threshold(theta: Any, m: int) -> Fraction:
    made = THRESHOLDS.get(theta) if isinstance(theta, str) else theta
    if not callable(made):
        raise InvalidParameter(
            f"kernel_winnow_instance: theta must be a function of m or one of {', '.join(THRESHOLDS)}, got {theta!r}"
        )
    value = made(m)
    if not isinstance(value, int | float | Fraction) or not 0 < value < float("inf"):
        raise InvalidParameter(f"kernel_winnow_instance: theta({m}) must be a positive number, got {value!r}")
    return simplest_fraction(value)


def count_models(
    clauses: Any, *, n: int | None = None, alpha: Number = 2, theta: str | Callable[[int], Number] = "2^m"
) -> int:
    """Return how many assignments satisfy a monotone 2-CNF formula, by asking kernel Winnow and nobody else.

    Has the formula at least K models? `kernel_winnow_instance` puts it as a sequence of examples and a query; Winnow
    over all monomials learns the examples, and its prediction on the query is the answer. K is found by bisection, in
    n games.

    This is a proof and no way to count: to count such models is #P-hard, so that whoever could run Winnow over all
    monomials in polynomial time could solve every problem in #P. The exact learner answers here because its closure map
    stays small for few variables; it doubles with each.

    The parameters are those of `kernel_winnow_instance`.

    Example
    -------
    >>> count_models([(0, 1), (1, 2)])  # (x0 or x1) and (x1 or x2)
    5

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24 (2005), Theorem 9; Valiant, "The complexity of enumeration and reliability problems", 1979.
    """
    read, n = two_cnf(clauses, n, "count_models")
    kernel_winnow_instance(read, K=1, n=n, alpha=alpha, theta=theta)  # refused before 2^n is written down
    # A monotone formula has a model, all true, and where it has a clause all false is none.
    low, high = 1, 2**n - 1
    while low < high:
        K = (low + high + 1) // 2
        if kernel_winnow_instance(read, K=K, n=n, alpha=alpha, theta=theta).answer():
            low = K
        else:
            high = K - 1
    return low
