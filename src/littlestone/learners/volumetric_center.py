"""VolumetricCenter: keep all hypotheses still possible in a polytope, and predict with its volumetric centre."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.learners._parameters import check_flag, check_number
from littlestone.learners._region import Region, check_coordinates, literals
from littlestone.learners.base import Learner
from littlestone.learners.machine import Machine

__all__ = ["VolumetricCenter"]

Floats = NDArray[np.float64]

MOST_COORDINATES = 1000
STEPS = 60  # of Newton's method, at most
NEAR = 1e-5  # stop where Newton's decrement, squared, is below: a cut need not go through the very centre
# A point is too near to the border where a slack is below these parts of the widest one (H, whose condition is that of
# the slacks squared, is then singular for floats) or of what it is the difference of, or where all are so small:
THIN, ROUNDING, SMALLEST = 1e-7, 1e-11, 2.0**-300


class VolumetricCenter(Learner):
    """Vaidya's cutting planes as an on-line learner, by the reduction of Maass and Turan.

    All hypotheses v = (w, -theta) still possible lie in a polytope ``A v >= b``, at first the box [-1, 1]^m over the
    m = n + 1 coordinates. Predict 1 iff ``c.x' >= 0`` with x' = (x, 1), where c is the volumetric centre: the minimum
    of ``F(v) = 1/2 ln det H``, ``H = sum of a_i a_i' / s_i^2``, s = Av - b. On a mistake the row ``g.v >= g.c`` is
    added, g = x' where y = 1 and -x' where y = 0. The new centre is found by Newton's method with ``Q = sum of sigma_i
    a_i a_i' / s_i^2`` for the Hessian, where ``sigma_i = a_i' H^-1 a_i / s_i^2`` are the leverages, from ``c + 1/2 H^-1
    g / sqrt(g'H^-1 g)``, which is inside. The row with the least leverage is dropped while that is below ``drop`` and
    there are more than 2m rows.

    The learner is neither additive nor rotation invariant, and yet `teachers.Hadamard` has been seen to make it err in
    every trial. Labels with noise it bears badly: what has been cut away never comes back, and where the polytope
    becomes too thin for floats the learner stays as it is.

    Parameters
    ----------
    bias : bool
        Add a constant coordinate, whose weight is learned. Without it x=0 is always taken for positive.
    drop : float in [0, 1/2)
        The leverage below which a row is dropped; 0 keeps all rows, and each mistake then costs more than the last.
    shallow : float > 0, or None
        None: cuts go through the centre. Otherwise the row is ``g.v >= g.c - sqrt(g'H^-1 g / shallow)``.

    Each step of Newton's method takes time in proportion to n^3, and there are about ten a mistake; n is fixed from the
    start. A row's weight only matters where it is 0, for a cut has no size.

    Bound
    -----
    None is claimed. Vaidya proves O(n log n) cuts on disjunctions for constants with which a row is practically never
    dropped; the proof does not cover these.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import VolumetricCenter
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> learner = VolumetricCenter()
    >>> _ = learner.learn(X, X[:, :3].any(axis=1))
    >>> learner.mistakes < 50, learner.guarantee
    (True, None)
    >>> learner.contains([0, 1, 2]) <= 1.0
    True

    Reference
    ---------
    Vaidya, "A new algorithm for minimizing convex functions over convex sets", FOCS 1989; Maass and Turan, "How fast
    can a threshold gate learn?" (1994); Kivinen and Warmuth, COLT 1995, Section 5.
    """

    # Permuting the attributes permutes the weights up to rounding only, since it permutes the sums behind them.
    exchangeable = False

    def __init__(self, *, bias: bool = True, drop: float = 0.02, shallow: float | None = None) -> None:
        super().__init__()
        check_flag("VolumetricCenter", "bias", bias)
        check_number("VolumetricCenter", "drop", drop, above=0.0, below=0.5, ends="[)")
        if shallow is not None:
            check_number("VolumetricCenter", "shallow", shallow, above=0.0)
        self.bias, self.drop, self.shallow = bias, drop, shallow

    def _needs_n(self) -> bool:
        return True

    def contains(self, target: ArrayLike) -> float:
        """Return how far the disjunction ``target`` is from the centre: at most 1 while its labels have no noise.

        ``target`` holds the numbers of its k attributes, or a Boolean for each attribute. The point v is (1 on them,
        -1/2 on the constant coordinate) over ``sqrt(k + 1/4) + 1/(2 sqrt(n+1))``; the number, the largest of
        ``1 - (a_i.v - b_i)/(a_i.c - b_i)``, is 0 at the centre and 1 on the border.
        """
        machine, n = self._started(None, fix=False)
        assert isinstance(machine, _Polytope)
        assert n is not None
        chosen = literals("VolumetricCenter", target, n)
        v = np.zeros(len(machine.centre))
        v[chosen] = 1.0
        if self.bias:
            v[-1] = -0.5
        v /= sqrt(len(chosen) + 0.25) + 0.5 / sqrt(n + 1.0)
        A, b = machine.rows
        return float(np.max(1.0 - (A @ v - b) / (A @ machine.centre - b)))

    def _build(self, n: int | None) -> Machine:
        assert n is not None
        cost = "a mistake takes time in proportion to n^3; use Ellipsoid, which takes n^2"
        check_coordinates("VolumetricCenter", n, bias=self.bias, most=MOST_COORDINATES, cost=cost)
        return _Polytope(n, bias=self.bias, drop=float(self.drop), shallow=self.shallow)


class _At(NamedTuple):
    """What is known of a point inside."""

    v: Floats
    volume: float  # F
    inverse: Floats  # R^-1 for H = R'R: |R'^-1 g|^2 is g'H^-1 g
    scaled: Floats  # a_i / s_i
    leverages: Floats


class _Polytope(Region):
    """The polytope ``A v >= b``."""

    def __init__(self, n: int, *, bias: bool, drop: float, shallow: float | None) -> None:
        super().__init__(n, 0.0, bias=bias)
        m = len(self.centre)
        self._drop, self._shallow = drop, shallow
        self._A, self._b = np.vstack([np.eye(m), -np.eye(m)]), -np.ones(2 * m)

    @property
    def rows(self) -> tuple[Floats, Floats]:
        """A and b."""
        return self._A, self._b

    def cut(self, g: Floats, level: float) -> bool:
        """Add a row, go to the new centre, and drop the rows that hardly matter there."""
        del level
        g = g / np.sqrt(np.add.reduce(g * g))
        here = self._at(self.centre, self._A, self._b)
        if here is None:
            return False
        beside = here.inverse.T @ g
        width = float(np.sqrt(beside @ beside))  # sqrt(g'H^-1 g)
        at = float(g @ self.centre) - (0.0 if self._shallow is None else width / sqrt(self._shallow))
        A, b = np.vstack([self._A, g]), np.append(self._b, at)
        # Within Dikin's ellipsoid of the old rows, half way to its border: no slack is more than halved.
        found = self._at(self.centre + 0.5 / width * (here.inverse @ beside), A, b) if width > 0.0 else None
        if found is None:
            return False
        found = self._descend(found, A, b)
        # One row at a time, the least: at the centre of what is left of a bounded polytope it is bounded still.
        while len(b) > 2 * len(g) and found.leverages.min() < self._drop:
            kept = np.delete(np.arange(len(b)), np.argmin(found.leverages))
            fewer = self._at(found.v, A[kept], b[kept])
            if fewer is None:
                break
            A, b = A[kept], b[kept]
            found = self._descend(fewer, A, b)
        self.centre, self._A, self._b = found.v, A, b
        return True

    def _descend(self, at: _At, A: Floats, b: Floats) -> _At:
        """Return the volumetric centre, by Newton's method with backtracking."""
        for _ in range(STEPS):
            gradient = -at.scaled.T @ at.leverages
            Q = at.scaled.T @ (at.leverages[:, np.newaxis] * at.scaled)
            inverse = _inverse(Q)
            if inverse is None:
                return at
            beside = inverse.T @ gradient
            decrement = float(beside @ beside)
            if decrement < NEAR:
                return at
            step, better = -(inverse @ beside), None
            # F is convex; steps so short that they change no digit end the search.
            for halvings in range(30):
                size = 0.5**halvings
                tried = self._at(at.v + size * step, A, b)
                if tried is not None and tried.volume <= at.volume - 0.1 * size * decrement:
                    better = tried
                    break
            if better is None:
                return at
            at = better
        return at

    @staticmethod
    def _at(v: Floats, A: Floats, b: Floats) -> _At | None:
        """Return what is known of ``v``; None where it is not inside, or too near to the border for floats."""
        reach = A @ v
        slacks = reach - b
        widest = float(slacks.max())
        if not (widest > SMALLEST and slacks.min() > THIN * widest and (slacks > ROUNDING * np.abs(reach)).all()):
            return None
        scaled = A / slacks[:, np.newaxis]
        inverse = _inverse(scaled.T @ scaled)
        if inverse is None:
            return None
        projected = scaled @ inverse
        leverages = np.add.reduce(projected * projected, axis=1)
        volume = -float(np.add.reduce(np.log(np.diagonal(inverse))))
        return _At(v, volume, inverse, scaled, leverages) if volume < inf else None

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that has been learned, as arrays."""
        return super().state() | {"A": self._A.copy(), "b": self._b.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self._A, self._b = state["A"].copy(), state["b"].copy()


def _inverse(H: Floats) -> Floats | None:
    """Return R^-1 where H = R'R, with R upper triangular; None where H is not positive definite."""
    from scipy.linalg.lapack import dpotrf, dtrtri

    size = float(np.add.reduce(np.diagonal(H)))
    for jitter in (0.0, 1e-15, 1e-13):  # what rounding may have taken from H's smallest direction
        R, failed = dpotrf(H if jitter == 0.0 else H + jitter * size * np.eye(len(H)))
        if not failed:
            inverse, failed = dtrtri(R)
            if not failed:
                return np.asarray(np.triu(inverse))
    return None
