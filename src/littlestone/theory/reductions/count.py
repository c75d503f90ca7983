"""count_models: the number of models of a formula, from the predictions of kernel Winnow alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from littlestone.core.rational import Number
from littlestone.theory.reductions.formulas import two_cnf
from littlestone.theory.reductions.kernel_winnow import kernel_winnow_instance

__all__ = ["count_models"]


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
