"""The best monotone disjunction of a stream: all of them in a table, an integer program, or greedily."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.parameters import check_number, check_whole
from littlestone.streams import Stream
from littlestone.theory.hindsight.comparator import Comparator, Reader, count_prefixes
from littlestone.theory.hindsight.covering import Cover, greedy_order, pruned, read

__all__ = ["best_disjunction"]

METHODS = ("table", "milp", "greedy")
USUAL_TABLE, LARGEST_TABLE = 22, 24  # columns: 2^22 and 2^24 disjunctions
LARGEST_PROGRAM = 20_000_000  # non-zeros


def best_disjunction(
    stream: Stream, max_size: int | None = None, *, method: str | None = None, time_limit: float | None = None
) -> Comparator:
    """Return a monotone disjunction, of at most ``max_size`` attributes, with the fewest attribute errors.

    Only attributes that are on in more positive than negative rows can help; they alone count as columns.

    Parameters
    ----------
    method : "table", "milp", "greedy" or None
        "table" tries all disjunctions (at most 24 columns); of equal ones it takes that of the fewest attributes,
        then of the smallest positions. "milp" is an integer program, solved by SciPy's HiGHS. "greedy" is fast and
        proves nothing. None: the table for at most 22 columns, else "milp".
    time_limit : float > 0 or None
        Seconds that "milp" may take; where they run out, the best that was found comes with what is proved (`lower`,
        `gap`), up to HiGHS's rounding. The others ignore it.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=3, trials=1000, noise=0.01)
    >>> print(best_disjunction(stream))
    x0 or x1 or x2: 18 attribute errors, 16 mistakes in 1,000 trials (exact)
    """
    most = None if max_size is None else check_whole("best_disjunction", "max_size", max_size, least=0)
    if method is not None and method not in METHODS:
        raise InvalidParameter(f"best_disjunction: method must be one of {', '.join(METHODS)} or None, got {method!r}")
    if time_limit is not None:
        check_number("best_disjunction", "time_limit", time_limit, above=0.0)
    reader = Reader("best_disjunction", stream)
    cover = read(reader)
    way = method or ("table" if cover.m <= USUAL_TABLE else "milp")
    lower: int | None = None
    if way == "table":
        columns, lower = _table(cover, most)
    elif way == "milp":
        columns, lower = _milp(cover, most, time_limit)
    else:
        columns = pruned(cover, greedy_order(cover, most))
    return count_prefixes(reader, cover.positions[columns].tolist(), way, lower)[0]


def _table(cover: Cover, max_size: int | None) -> tuple[list[int], int]:
    """Return the best columns and their errors: A(u) = sum of cost over u + Z(not u) for all u at once.

    Z(v), the weight of the rows within v, is a sum over subsets (zeta transform), made in place.
    """
    m = cover.m
    if m > LARGEST_TABLE:
        raise TooLarge(
            f"best_disjunction: a table takes at most {LARGEST_TABLE} attributes that can help, got {m}",
            Remedy(
                'use method="milp", or method="greedy" for an answer without proof',
                typed="say {hindsight} for an answer without proof",
                hindsight="greedy",
            ),
        )
    powers = 1 << np.arange(m)[::-1]  # the first column is the highest bit
    small = int(cover.cost.sum() + cover.weight.sum()) < 2**31
    A: NDArray[Any] = np.zeros(1 << m, dtype=np.int32 if small else np.int64)
    np.add.at(A, cover.rows.sums(powers), cover.weight.astype(A.dtype))
    halves = [A.reshape(-1, 2, power) for power in powers]
    for half in halves:
        half[:, 1] += half[:, 0]
    for half, cost in zip(halves, cover.cost, strict=True):
        half[:, 0] += A.dtype.type(cost)  # the index is not u: bit 0 where the column is chosen
    if max_size is not None and max_size < m:
        A[np.bitwise_count(np.arange(1 << m, dtype=np.uint32)) < m - max_size] = np.iinfo(A.dtype).max
    best = np.flatnonzero(A.min() == A)
    best = best[np.bitwise_count(best) == np.bitwise_count(best).max()]
    without = best[0]  # the smallest "not u" has the largest u: that of the smallest positions
    return np.flatnonzero(without & powers == 0).tolist(), int(A[without]) + cover.hopeless


def _milp(cover: Cover, max_size: int | None, time_limit: float | None) -> tuple[list[int], int]:
    """Minimise cost.u + weight.s, u in {0,1}, 0 <= s <= 1, each row covered or paid for: s_j + sum u_i >= 1."""
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    m, size = cover.m, len(cover.weight)
    indptr, indices, _ = cover.rows
    if len(indices) + size > LARGEST_PROGRAM:
        raise TooLarge(
            f"best_disjunction: an integer program takes at most {LARGEST_PROGRAM:,} non-zeros, got "
            f"{len(indices) + size:,}",
            Remedy(
                'use method="greedy", or fewer rows', typed="say {hindsight}, or take fewer rows", hindsight="greedy"
            ),
        )
    columns = pruned(cover, greedy_order(cover, max_size))
    errors = cover.errors(columns)
    if m == 0 or max_size == 0:
        return columns, errors
    ones = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(size, m))
    rows = sparse.hstack((ones, sparse.eye_array(size)), format="csr")
    constraints = [LinearConstraint(rows, 1.0, np.inf)]
    if max_size is not None and max_size < m:
        constraints.append(LinearConstraint(np.repeat([1.0, 0.0], [m, size])[np.newaxis], 0.0, max_size))
    result = milp(
        np.concatenate((cover.cost, cover.weight)),
        integrality=np.repeat([1, 0], [m, size]),
        bounds=Bounds(0.0, 1.0),
        constraints=constraints,
        options={"mip_rel_gap": 0.0} | ({} if time_limit is None else {"time_limit": float(time_limit)}),
    )
    if result.x is not None:
        chosen = np.flatnonzero(result.x[:m] > 0.5)
        gain = (cover.rows.weighed(cover.weight) - cover.cost)[chosen]
        found = pruned(cover, chosen[np.argsort(gain, kind="stable")].tolist())  # what costs nothing may be useless
        if cover.errors(found) <= errors and (max_size is None or len(found) <= max_size):
            columns, errors = found, cover.errors(found)
    return columns, min(errors, cover.hopeless + _rounded_up(result.mip_dual_bound))


def _rounded_up(bound: float | None) -> int:
    """Return the least whole number that a bound of HiGHS leaves, allowing for its tolerance."""
    if bound is None or not isfinite(bound):
        return 0
    return max(0, ceil(bound - 1e-6 * max(1.0, abs(bound))))
