"""Monotone formulas in conjunctive normal form: what is taken, and Lemma 10's with as many models as one likes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import check_whole

__all__ = ["Clause", "formula_with", "two_cnf"]

MOST_VARIABLES = 10_000
Clause = tuple[int, ...]  # variables, from 0 up, one of which must be true


def formula_with(*, models: int, variables: int) -> list[Clause]:
    """Return a monotone formula with exactly this many models, in at most as many clauses as variables (Lemma 10).

    F(l, p) over l variables with p models, from 1 to 2^l - 1, is built from the last variable x down:
    p < 2^(l-1): x and F(l-1, p); p = 2^(l-1): x alone; p > 2^(l-1): x or F(l-1, p - 2^(l-1)), x in every clause.

    >>> formula_with(models=5, variables=3)  # (x1 or x2) and (x0 or x2)
    [(1, 2), (0, 2)]

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24 (2005), Lemma 10.
    """
    left = check_whole("formula_with", "variables", variables, most=MOST_VARIABLES)
    p = check_whole("formula_with", "models", models)
    if p.bit_length() > left:
        raise InvalidParameter(f"formula_with: models must be less than 2^{left}, the assignments, got {models!r}")
    clauses: list[Clause] = []
    shared: Clause = ()  # the variables of every clause that is still to come
    while p:
        left -= 1
        half = 2**left
        if p > half:
            p, shared = p - half, (left, *shared)
        else:
            clauses.append((left, *shared))
            p %= half
    return clauses


def two_cnf(clauses: Any, n: int | None, owner: str) -> tuple[tuple[Clause, ...], int]:
    """Return the different clauses of a monotone 2-CNF formula and the number of variables; refuse any other."""
    alone = isinstance(clauses, np.ndarray) and clauses.ndim == 0
    if isinstance(clauses, str | bytes | dict) or not isinstance(clauses, Iterable) or alone:
        raise InvalidData(f"{owner}: clauses: expected pairs of variables, such as [(0, 1), (1, 2)], got {clauses!r}")
    read = dict.fromkeys(_clause(clause, at, owner) for at, clause in enumerate(clauses))
    if not read:
        raise InvalidData(
            f"{owner}: clauses: expected at least one, got none; without any all 2^n assignments are models"
        )
    largest = max(max(clause) for clause in read)
    if n is None:
        return tuple(read), largest + 1
    n = check_whole(owner, "n", n)
    if largest >= n:
        raise InvalidData(
            f"{owner}: clauses: expected variables from 0 to {n - 1} for n={n}, got {largest}; "
            f"give n={largest + 1} or leave it out"
        )
    return tuple(read), n


def _clause(clause: Any, at: int, owner: str) -> Clause:
    """Return one or two variables in order; (i, i) is (i,)."""
    where = f"{owner}: clause {at}"
    alone = isinstance(clause, np.ndarray) and clause.ndim == 0
    if not isinstance(clause, tuple | list | set | frozenset | np.ndarray) or alone:
        raise InvalidData(f"{where}: expected one or two variables, such as (0, 1), got {clause!r}")
    for variable in clause:
        if not isinstance(variable, int | np.integer) or isinstance(variable, bool):
            raise InvalidData(f"{where}: expected whole numbers for variables, got {variable!r}; number them from 0")
        if variable < 0:
            raise InvalidData(
                f"{where}: expected variables from 0 up, got {variable}; a monotone formula has no negated literals, "
                "and a formula with them is not one that kernel Winnow counts"
            )
    found = tuple(sorted({int(variable) for variable in clause}))
    if not found or len(found) > 2:
        remedy = "leave it out: nothing satisfies it" if not found else "the theorem is about 2-CNF formulas"
        raise InvalidData(f"{where}: expected one or two variables, got {len(found)}; {remedy}")
    return found
