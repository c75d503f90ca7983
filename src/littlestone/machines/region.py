"""Region: the machine of a learner that keeps all hypotheses still possible in a region and predicts with its centre.

Maass and Turan: ask a search for a feasible point for its centre, predict with it, and answer each mistake with the
half-space that the mistake rules out.
"""

from abc import abstractmethod
from math import sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.rows import Rows
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need

__all__ = ["Cuts", "Region", "check_coordinates", "literals"]

FEW, MANY = 8, 4096  # rows that are scored together: few after a mistake, more the longer there is none
# of `Cuts`
DEEPEST = 1.0 - 1e-6  # beyond it a deep cut leaves nothing that floats could tell from nothing
CELLS = 1 << 16  # of J that are worked on together, in the cache
FAR = 200  # the size of P is kept between 2^-FAR and 2^FAR
LARGEST_CENTRE = 2.0**600


class Region(Machine):
    """A region of weight vectors over ``n`` attributes, and the constant coordinate where there is one."""

    _updates = 0

    def __init__(self, n: int, theta: float, *, bias: bool) -> None:
        self._size, self.theta, self.bias = n, float(theta), bool(bias)
        self.centre = np.zeros(n + int(bias))
        self._counts = np.zeros(3, dtype=np.int64)  # updates, promotions, demotions

    @abstractmethod
    def cut(self, g: Floats, level: float) -> bool:
        """Keep the half of the region where ``g.v >= g.centre``, and find its centre; tell whether anything changed.

        The mistake itself rules out ``g.v < level``; g is not zero, and its largest entry is about 1.
        """

    def grow(self, size: int) -> None:
        """Do nothing: n is fixed, and the edge refuses what lies beyond it."""
        assert size <= self.size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then cut, row by row; a cut has no size, so an importance is nothing (0) or as good as another."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        start, ahead = 0, FEW
        while start < len(outcomes):
            part = slice(start, start + ahead)
            predicted, _ = self.score(Rows(rows.indptr[start : start + ahead + 1], rows.indices, rows.values))
            wrong = np.flatnonzero(predicted != outcomes[part])
            if len(wrong) == 0:
                predictions[part] = predicted
                start, ahead = start + ahead, min(2 * ahead, MANY)
                continue
            mistake = start + int(wrong[0])
            predictions[start : mistake + 1] = predicted[: wrong[0] + 1]
            if len(importance) == 0 or importance[mistake] > 0.0:
                self._answer(rows, mistake, int(outcomes[mistake]))
            start, ahead = mistake + 1, FEW
        return predictions

    def _answer(self, rows: Rows, t: int, outcome: int) -> None:
        """Cut by row ``t``, which was a mistake."""
        at = slice(rows.indptr[t], rows.indptr[t + 1])
        g = np.zeros(len(self.centre))
        g[rows.indices[at]] = rows.values[at] if len(rows.values) else 1.0
        if self.bias:
            g[-1] = 1.0
        largest = float(np.abs(g).max())
        if largest == 0.0:
            return  # x = 0 rules nothing out
        sign, shift = (1.0 if outcome else -1.0), -int(np.frexp(largest)[1]) + 1
        with np.errstate(over="ignore"):  # an infinite level is as good as one that is too deep for a cut
            level = sign * float(np.ldexp(self.theta, shift))
        if self.cut(sign * np.ldexp(g, shift), level):
            self._counts[0] += 1
            self._counts[1 if outcome else 2] += 1

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row, summed from left to right whatever the block."""
        ends = rows.indptr
        inside = slice(ends[0], ends[-1])
        w = np.append(self.centre[: self.size], 0.0)  # the last for an attribute that nobody has seen
        products = w[rows.indices[inside]]
        if len(rows.values):
            products *= rows.values[inside]
        lengths = np.diff(ends)
        sums = np.zeros(len(lengths))
        if len(products):
            sums += np.bincount(np.repeat(np.arange(len(lengths)), lengths), products, minlength=len(lengths))
        # As the hypothesis has it: adding a large constant weight to small sums would round them away.
        theta = self.theta - self.centre[-1] if self.bias else self.theta
        return np.asarray(sums >= theta, dtype=np.uint8), sums - theta

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the centre: the weights of ``size`` attributes, and of the constant coordinate."""
        w = np.zeros(size)
        w[: self.size] = self.centre[: min(size, self.size)]
        return w, float(self.centre[-1]) if self.bias else 0.0

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {"centre": self.centre.copy(), "counts": self._counts.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self.centre, self._counts = state["centre"].copy(), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check a centre of all coordinates."""
        super().check(state)
        need(state["centre"].shape == self.centre.shape, "a centre of all coordinates")
        check_counts(state, 3)


def check_coordinates(owner: str, n: int, *, bias: bool, most: int, cost: str) -> None:
    """Refuse fewer than 2 coordinates, and more than ``most``; ``cost`` says why, and what to take instead."""
    coordinates = n + int(bias)
    if coordinates < 2:
        remedy = Remedy("set {bias}", typed="give {bias}", learner=True, bias=True)
        raise InvalidParameter(f"{owner}: expected at least 2 coordinates, got n={n} without a constant", remedy)
    if coordinates > most:
        raise TooLarge(f"{owner}: expected at most {most:,} coordinates, got {coordinates:,}; {cost}")


def literals(owner: str, target: ArrayLike, n: int) -> NDArray[np.intp]:
    """Return the attributes of a disjunction, given by their numbers or by a Boolean for each attribute.

    >>> literals("Ellipsoid", [True, False, True], 3).tolist(), literals("Ellipsoid", [0, 2], 3).tolist()
    ([0, 2], [0, 2])
    """
    given = np.asarray(target)
    if given.dtype == bool and given.shape == (n,):
        return np.flatnonzero(given)
    if given.dtype.kind in "iu" and given.ndim == 1 and len(np.unique(given)) == len(given) > 0:
        found = given.astype(np.intp)
        if found.min() >= 0 and found.max() < n:
            return found
    raise InvalidData(
        f"{owner}: target: expected different attributes below n={n}, or a Boolean for each of them, got {target!r}"
    )


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

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return super().state() | {"root": self.root.copy(), "exponent": np.array(self._exponent)}

    def restore(self, state: Loaded) -> None:
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
