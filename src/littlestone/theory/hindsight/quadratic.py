"""The least |A u - d|^2 over all u, a simplex, an L1 ball or a box, by SciPy's solvers, and how far it can be from it.

For a convex function no point v of a class is better than u by more than the largest ``g.(u - v)``, with g the gradient
at u: this is the gap, which proves what a solver has found. Each solver returns u and its gap.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from littlestone.core.arrays import Floats

__all__ = ["in_box", "in_l1_ball", "in_simplex", "ridge", "unconstrained"]

RANK = 1e-12  # columns of size one that are so near to a sum of others repeat them
SMALL = 1e-13  # a gap that is so small a part of |d|^2 is left as it is
ORDERS = 6  # of the columns, in which a solver that ended too early is asked again
ROUNDS = 200

Found = tuple[Floats, float]


def unconstrained(A: Floats, d: Floats) -> Found:
    """Return the shortest u, by columns of size one, with the least value; columns that repeat others share a weight.

    >>> u, gap = unconstrained(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 1.0]))
    >>> u.round(9).tolist(), gap < 1e-15
    ([1.0, 0.5], True)
    """
    sizes = np.sqrt(np.einsum("ij,ij->j", A, A))
    sizes[sizes == 0.0] = 1.0
    scaled = A / sizes
    u = _least(scaled, d)
    u += _least(scaled, d - scaled @ u)  # what rounding has left
    left = scaled @ _least(scaled, d - scaled @ u)
    return u / sizes, float(left @ left)


def ridge(A: Floats, d: Floats, a: float) -> Found:
    """Return the u with the least value and a times its squared length together; so is its gap.

    >>> ridge(np.array([[1.0]]), np.array([3.0]), 2.0)[0].round(9).tolist()
    [1.0]
    """
    m = A.shape[1]
    return unconstrained(np.vstack((A, np.sqrt(a) * np.eye(m))), np.append(d, np.zeros(m)))


def in_simplex(A: Floats, d: Floats) -> Found:
    """Return u >= 0 with the sum 1.

    >>> u, gap = in_simplex(np.array([[1.0, -1.0]]), np.array([0.5]))
    >>> u.round(9).tolist(), gap < 1e-12
    ([0.75, 0.25], True)
    """
    points = A - d[:, np.newaxis]  # where u sums to 1, A u - d is a mean of these

    def gap(u: Floats) -> float:
        slope = _slope(A, d, u)
        return float(slope @ u - slope.min())

    return _best_order(points, gap, SMALL * float(d @ d))


def in_l1_ball(A: Floats, d: Floats, U: float) -> Found:
    """Return u whose sizes sum to U at most.

    >>> u, gap = in_l1_ball(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, -1.0]), 2.0)
    >>> u.round(9).tolist(), gap < 1e-12
    ([2.0, 0.0], True)
    """
    m = A.shape[1]

    def gap(u: Floats) -> float:
        slope = _slope(A, d, u)
        return float(slope @ u + U * np.abs(slope).max(initial=0.0))

    def signed(v: Floats) -> Floats:
        u: Floats = U * (v[:m] - v[m : 2 * m])
        return u * min(1.0, U / max(float(np.abs(u).sum()), 1e-300))

    corners = np.hstack((U * A, -U * A, np.zeros((len(A), 1)))) - d[:, np.newaxis]
    v, found = _best_order(corners, lambda v: gap(signed(v)), SMALL * float(d @ d))
    return signed(v), found


def in_box(A: Floats, d: Floats) -> Found:
    """Return u with all weights between 0 and 1: the least of a face after another, as Newton's method leads.

    >>> u, gap = in_box(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 0.25]))
    >>> u.round(9).tolist(), gap < 1e-12
    ([1.0, 0.25], True)
    """
    u = np.clip(unconstrained(A, d)[0], 0.0, 1.0)
    best, enough = (u, np.inf), SMALL * float(d @ d)
    for _ in range(ROUNDS):
        slope = _slope(A, d, u)
        gap = float(np.maximum(slope * u, slope * (u - 1.0)).sum())
        if gap < best[1]:
            best = u, gap
        if gap <= enough:
            break
        moved = _along(A, d, u, _inward(A, d, u, slope))
        if moved is None:
            return min(best, _by_bounded_variables(A, d), key=lambda found: found[1])
        u = moved
    return best


def _inward(A: Floats, d: Floats, u: Floats, slope: Floats) -> Floats:
    """Return the step to the least value of the face on which the slope, or the step itself, would lead out of it."""
    step, free = np.zeros(len(u)), ~(((u <= 0.0) & (slope >= 0.0)) | ((u >= 1.0) & (slope <= 0.0)))
    while free.any():
        step[:] = 0.0
        step[free] = _least(A[:, free], d - A @ u)
        out = free & (((u <= 0.0) & (step < 0.0)) | ((u >= 1.0) & (step > 0.0)))
        if not out.any():
            break
        free &= ~out
        step[out] = 0.0
    return step


def _along(A: Floats, d: Floats, u: Floats, step: Floats) -> Floats | None:
    """Return the first better point of u + step, u + step/2, ..., brought into the box; None: there is none."""
    now, length = _value(A, d, u), 1.0
    while length > 1e-12:
        v: Floats = np.clip(u + length * step, 0.0, 1.0)
        if _value(A, d, v) < now:
            return v
        length /= 2.0
    return None


def _by_bounded_variables(A: Floats, d: Floats) -> Found:
    """Return what SciPy's method of bounded variables finds: slow, one variable at a time."""
    from scipy.optimize import lsq_linear

    u = np.clip(lsq_linear(A, d, bounds=(0.0, 1.0), method="bvls", tol=1e-15, max_iter=20 * A.shape[1]).x, 0.0, 1.0)
    slope = _slope(A, d, u)
    return u, float(np.maximum(slope * u, slope * (u - 1.0)).sum())


def _best_order(points: Floats, gap: Callable[[Floats], float], enough: float) -> Found:
    """Return the weights of the mean of ``points`` that is nearest to zero.

    It solves ``|P v|^2 + h^2 (1 - sum v)^2`` for v >= 0, whose solution is a multiple of it (Lawson and Hanson, ch.
    23). SciPy's solver sometimes ends where that is not least; with the columns in another order it does not.
    """
    from scipy.optimize import nnls

    m = points.shape[1]
    h = float(np.sqrt(np.einsum("ij,ij->j", points, points).max(initial=0.0))) or 1.0
    E, f = np.vstack((points, np.full(m, h))) / h, np.append(np.zeros(len(points)), 1.0)
    best: Found = (np.full(m, 1.0 / m), gap(np.full(m, 1.0 / m)))
    for seed in range(ORDERS):
        order = np.random.default_rng(seed).permutation(m) if seed else np.arange(m)
        v = np.zeros(m)
        try:
            v[order] = nnls(E[:, order], f, maxiter=30 * m)[0]
        except RuntimeError:  # it did not end
            continue
        if v.sum() > 0.0:
            v /= v.sum()
            best = min(best, (v, gap(v)), key=lambda found: found[1])
        if best[1] <= enough:
            break
    return best


def _least(A: Floats, d: Floats) -> Floats:
    from scipy.linalg import lstsq

    if A.shape[1] == 0:
        return np.zeros(0)
    found: Floats = lstsq(A, d, cond=RANK, lapack_driver="gelsy", check_finite=False)[0]
    return found


def _slope(A: Floats, d: Floats, u: Floats) -> Floats:
    return np.asarray(2.0 * (A.T @ (A @ u - d)))


def _value(A: Floats, d: Floats, u: Floats) -> float:
    left = A @ u - d
    return float(left @ left)
