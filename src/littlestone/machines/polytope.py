"""The machine of the volumetric centre: a polytope that mistakes cut."""

from math import inf, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from littlestone.core.arrays import Floats, State
from littlestone.machines.region import Region
from littlestone.machines.sound import COUNTS, Kinds, Loaded, need

__all__ = ["NEAR", "ROUNDING", "SMALLEST", "STEPS", "THIN", "Polytope"]

SPARE_ROWS = 500  # beyond those that matter, where floats are too coarse to drop them
STEPS = 60  # of Newton's method, at most
NEAR = 1e-5  # stop where Newton's decrement, squared, is below: a cut need not go through the very centre

# A point is too near to the border where a slack is below these parts of the widest one (H, whose condition is that of
# the slacks squared, is then singular for floats) or of what it is the difference of, or where all are so small:
THIN, ROUNDING, SMALLEST = 1e-7, 1e-11, 2.0**-300


class _At(NamedTuple):
    """What is known of a point inside."""

    v: Floats
    volume: float  # F
    inverse: Floats  # R^-1 for H = R'R: |R'^-1 g|^2 is g'H^-1 g
    scaled: Floats  # a_i / s_i
    leverages: Floats


class Polytope(Region):
    """The polytope ``A v >= b``."""

    kinds: ClassVar[Kinds] = {"centre": ("<f8", 1), "A": ("<f8", 2), "b": ("<f8", 1), **COUNTS}

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

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return super().state() | {"A": self._A.copy(), "b": self._b.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self._A, self._b = state["A"].copy(), state["b"].copy()

    def check(self, state: Loaded) -> None:
        """Check half-spaces around the centre: at least those of a cube, at most one more for each cut.

        Leverages sum to the number of coordinates, and rows of less than ``drop`` go, but where floats are too coarse.
        """
        super().check(state)
        A, size, drop = state["A"], len(state["centre"]), self._drop
        need(A.shape == (len(state["b"]), size), "a half-space a row")
        need(2 * size <= len(A) <= 2 * size + int(state["counts"][0]), "a half-space more for each cut")
        need(not drop or len(A) <= max(2 * size, size / drop) + SPARE_ROWS, "half-spaces that matter")


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
