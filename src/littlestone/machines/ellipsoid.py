"""The machine of the ellipsoid method: an ellipsoid that mistakes cut."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.machines.region import Region
from littlestone.machines.sound import COUNTS, Kinds, Loaded, need

__all__ = ["CELLS", "DEEPEST", "FAR", "LARGEST_CENTRE", "Cuts"]

DEEPEST = 1.0 - 1e-6  # beyond it a deep cut leaves nothing that floats could tell from nothing


CELLS = 1 << 16  # of J that are worked on together, in the cache


FAR = 200  # the size of P is kept between 2^-FAR and 2^FAR


LARGEST_CENTRE = 2.0**600


class Cuts(Region):
    """The ellipsoid ``{centre + root u: |u| <= 1}``, so P = root root'; all in units of 2^exponent."""

    kinds: ClassVar[Kinds] = {"centre": ("<f8", 1), "root": ("<f8", 2), "exponent": ("<i8", 0), **COUNTS}

    def __init__(self, n: int, theta: float, *, bias: bool, deep: bool) -> None:
        super().__init__(n, theta, bias=bias)
        self.deep = deep
        self.root = np.eye(len(self.centre))
        self._theta, self._exponent = theta, 0

    @property
    def unit(self) -> float:
        """What was 1 at the start, in the present units."""
        return float(np.ldexp(1.0, -self._exponent))

    def cut(self, g: Floats, level: float) -> bool:
        """Cut through the centre, or deeper; put the smallest ellipsoid around what is left."""
        m = len(g)
        on = np.flatnonzero(g)
        step = max(1, CELLS // m)
        p = np.zeros(m)  # J'g
        for start in range(0, len(on), step):
            some = on[start : start + step]
            p += np.add.reduce(self.root[some] * g[some, np.newaxis])
        length = float(np.sqrt(np.add.reduce(p * p)))  # sqrt(g'Pg)
        if length == 0.0:
            return False
        p /= length
        b = np.einsum("ij,j->i", self.root, p)  # no BLAS: the same sums on any number of threads
        a = (level - float(np.add.reduce(g[on] * self.centre[on]))) / length if self.deep else 0.0
        if not 0.0 <= a <= DEEPEST:
            a = 0.0
        centre = self.centre + (1.0 + m * a) / (m + 1.0) * b
        if np.array_equal(centre, self.centre):
            return False  # the region is finer than floats: it would only go on to vanish
        self.centre = centre
        # P - d b b' is J (I - (1 - sqrt(1-d)) p p')^2 J', and 1 - d is this:
        rest = (m - 1.0) * (1.0 - a) / ((m + 1.0) * (1.0 + a))
        grown = m * sqrt((1.0 - a * a) / (m * m - 1.0))
        b *= 1.0 - sqrt(rest)
        for start in range(0, m, step):
            part = self.root[start : start + step]
            part -= b[start : start + step, np.newaxis] * p
            part *= grown
        self._keep_in_range()
        return True

    def _keep_in_range(self) -> None:
        """Change the unit where numbers become very large or small; by a power of two, so that nothing is rounded."""
        size = float(np.sqrt(np.einsum("ij,ij->", self.root, self.root)))
        if 2.0**-FAR <= size <= 2.0**FAR:
            return
        shift = FAR if size < 1.0 else -FAR
        if shift > 0 and float(np.abs(self.centre).max()) > LARGEST_CENTRE:
            return
        np.ldexp(self.root, shift, out=self.root)
        self.centre = np.ldexp(self.centre, shift)
        self._exponent -= shift
        self.theta = float(np.ldexp(self._theta, -self._exponent))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that has been learned, as arrays."""
        return super().state() | {"root": self.root.copy(), "exponent": np.array(self._exponent)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self.root, self._exponent = state["root"].copy(), int(state["exponent"])
        self.theta = float(np.ldexp(self._theta, -self._exponent))

    def check(self, state: Loaded) -> None:
        """Check an ellipsoid around the centre."""
        super().check(state)
        size = len(state["centre"])
        need(state["root"].shape == (size, size), "an ellipsoid in all coordinates")
        need(abs(int(state["exponent"])) < 1 << 30, "an exponent of a float")
