"""The largest margins of signed rows, each with a certificate from its dual; rows come in as they are violated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData

__all__ = ["Certified", "largest_l1", "largest_l2"]

Rows = NDArray[np.int64]
AT_ONCE = 50  # rows that join the working set in a round, at least
REMEDY = "scale the attributes to like sizes, or drop some of those that nearly repeat each other"


class Certified(NamedTuple):
    """A vector of norm one, the margin that it has on all rows, and one that none exceeds."""

    u: Floats
    lower: float
    upper: float


def largest_l1(Z: Floats, *, non_negative: bool, enough: float = np.inf, tiny: float = 0.0) -> Certified:
    """Maximise min Z u over ``|u|_1 <= 1`` (u >= 0 with ``non_negative``), entries of Z within [-1, 1].

    Whatever weights lambda >= 0 of sum 1 the rows get, no margin exceeds ``|lambda Z|_inf`` (with u >= 0: its largest
    entry). It ends early with a margin above ``enough``, or where none above ``tiny`` can be.
    """
    work = np.unique(np.linspace(0, len(Z) - 1, AT_ONCE).astype(np.int64))
    best = Certified(np.zeros(Z.shape[1]), -np.inf, np.inf)
    while True:
        u, weights = _program(Z[work], non_negative)
        mean = weights @ Z[work]
        upper = min(best.upper, float(mean.max() if non_negative else np.abs(mean).max()))
        margins = Z @ u
        lower = float(margins.min())
        best = Certified(u, lower, upper) if lower > best.lower else best._replace(upper=upper)
        if best.lower >= upper * (1 - 1e-8) or best.lower > enough or upper <= tiny:
            return best
        more = _most_violated(margins, work, float(margins[work].min()), Z.shape[1])
        if len(more) == 0:
            return best
        work = np.concatenate((work, more))


def _program(G: Floats, non_negative: bool) -> tuple[Floats, Floats]:
    """Return the u of the linear program on some rows, and the rows' weights in its dual."""
    from scipy.optimize import linprog

    size, m = G.shape
    signed = -G if non_negative else np.hstack((-G, G))
    sides = signed.shape[1]
    result = linprog(
        np.append(np.zeros(sides), -1.0),
        A_ub=np.hstack((signed, np.ones((size, 1)))),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(sides), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * sides + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise InvalidData(f"margin: the linear program was not solved ({result.message}); {REMEDY}")
    x = np.maximum(result.x[:sides], 0.0)
    u = x if non_negative else x[:m] - x[m:]
    weights = np.maximum(-result.ineqlin.marginals, 0.0)
    return u / max(float(np.abs(u).sum()), 1e-300), weights / weights.sum()


def largest_l2(Z: Floats, start: Floats) -> Certified:
    """Maximise min Z u over ``|u|_2 = 1``, given some u with a positive margin.

    The least u with ``G u >= h`` is a problem of non-negative least squares (Lawson and Hanson, ch. 23); its solution
    weights the rows of G, and the length of any weighted mean of rows is at least the largest margin.
    """
    norm = float(np.linalg.norm(start))
    margins = Z @ start / norm
    best = Certified(start / norm, float(margins.min()), np.inf)
    work = np.argsort(margins, kind="stable")[: Z.shape[1] + AT_ONCE]
    h = best.lower
    while True:
        G = Z[work]
        weights = _least_squares(G, h)
        mean = weights @ G / weights.sum()
        upper = min(best.upper, float(np.linalg.norm(mean)))
        on = weights > 0.0
        exact = np.linalg.lstsq(G[on], np.ones(int(on.sum())), rcond=None)[0]
        for long in (mean, exact):
            u: Floats = long / np.linalg.norm(long)
            lower = float((Z @ u).min())
            if lower > best.lower:
                best = Certified(u, lower, upper)
        best = best._replace(upper=upper)
        if best.lower >= upper * (1 - 1e-8):
            return best
        margins = Z @ mean / np.linalg.norm(mean)
        more = _most_violated(margins, work, upper * (1 - 1e-9), Z.shape[1])
        if len(more) == 0:
            raise InvalidData(
                f"margin: the Euclidean margin is between {best.lower:.9g} and {upper:.9g} of the largest value, and "
                f"no closer to be had in floats; {REMEDY}"
            )
        work = np.concatenate((work, more))
        h = upper  # so that u has a length of about one


def _least_squares(G: Floats, h: float) -> Floats:
    """Return the weights >= 0 with the least ``|(weights G, weights h) - (0, 1)|``.

    SciPy's solver sometimes ends where that is not least (rows with many ties); with the rows in another order it
    does not.
    """
    from scipy.optimize import nnls

    E = np.vstack((G.T, np.full(len(G), h)))
    f = np.append(np.zeros(G.shape[1]), 1.0)
    weights = np.zeros(len(G))
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(G)) if seed else np.arange(len(G))
        try:
            weights[order] = nnls(E[:, order], f, maxiter=30 * E.shape[1])[0]
        except RuntimeError as error:
            raise InvalidData(f"margin: the least squares were not solved ({error}); {REMEDY}") from None
        slope = E.T @ (E @ weights - f)
        if np.abs(slope[weights > 0.0]).max(initial=0.0) <= 1e-9 and slope.min() >= -1e-9:
            break
    return weights


def _most_violated(margins: Floats, work: Rows, value: float, m: int) -> Rows:
    """Return rows outside the working set with a margin below ``value``, the worst first."""
    outside = margins.copy()
    outside[work] = np.inf
    worst = np.argsort(outside, kind="stable")[: max(AT_ONCE, m // 2)]
    return worst[outside[worst] < value]
