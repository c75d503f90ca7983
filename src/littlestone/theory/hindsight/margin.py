"""Margin: whether a stream is separable by a linear threshold function, and how widely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.parameters import check_flag
from littlestone.streams import Stream
from littlestone.theory.hindsight.comparator import Reader

__all__ = ["Margin", "margin"]

TINY = 1e-9  # a margin of rows of size one that is none
LARGEST = 50_000_000  # numbers in memory
AT_ONCE = 50  # rows that join the working set in a round, at least
REMEDY = "scale the attributes to like sizes, or drop some of those that nearly repeat each other"


@dataclass(frozen=True, eq=False)
class Margin:
    """The largest margins ``min y (u.x)`` on a stream, for u of Euclidean norm one and of 1-norm one.

    With ``bias`` the rows have a constant coordinate 1, the last one of u and counted in the radii. ``gamma2``, ``u2``
    are None where no linear threshold function separates the stream, ``gamma1``, ``u1`` also where none with u >= 0
    does and only those were asked for; so they are of a stream without rows, which is separable.

    >>> import littlestone as ls
    >>> found = ls.hindsight.margin(ls.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]))
    >>> found.separable, round(found.gamma2, 4), round(found.radius2, 4)
    (True, 0.3333, 1.7321)
    """

    separable: bool
    gamma2: float | None
    u2: Floats | None
    gamma1: float | None
    u1: Floats | None
    radius2: float
    radius_inf: float
    trials: int
    n: int
    bias: bool

    @property
    def perceptron(self) -> Bound | None:
        """The Perceptron's theorem at the largest margin: ``M <= R^2 / gamma2^2``."""
        if self.gamma2 is None:
            return None
        return bounds.perceptron_margin(radius=self.radius2, norm=1.0, gamma=self.gamma2)

    @property
    def normalized_winnow(self) -> Bound | None:
        """Normalized Winnow's theorem at the best eta; None unless u1 >= 0."""
        if self.gamma1 is None or self.u1 is None or self.u1.min() < 0.0:
            return None
        eta = bounds.optimal_eta(gamma=self.gamma1, radius=self.radius_inf)
        return bounds.normalized_winnow_margin(n=self.n + self.bias, gamma=self.gamma1, eta=eta, radius=self.radius_inf)


def margin(stream: Stream, *, bias: bool = True, sign: Literal["any", "non-negative"] = "any") -> Margin:
    """Return whether a stream is linearly separable, and its largest margins.

    Parameters
    ----------
    bias : bool
        Append the constant coordinate 1, as the Perceptron does.
    sign : "any" or "non-negative"
        What u1 may be; Normalized Winnow's theorem wants u1 >= 0.

    Margins are those that u1 and u2 have on every row; that none is larger is certified by duality, to a part in 10^6
    (gamma1) and 10^8 (gamma2). Rows scaled to size one with a margin of at most 1e-9 are not separable.

    Example
    -------
    >>> import littlestone as ls
    >>> found = margin(ls.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]))
    >>> found.separable, round(found.gamma2, 4), round(found.gamma1, 4), round(found.perceptron.value)
    (True, 0.3333, 0.2, 27)
    >>> margin(ls.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])).separable
    False
    """
    check_flag("margin", "bias", bias)
    if sign not in ("any", "non-negative"):
        raise InvalidParameter(f"margin: sign must be 'any' or 'non-negative', got {sign!r}")
    reader = Reader("margin", stream)
    rows = _read(reader, bool(bias))
    Z, signed = rows.Z, sign == "any"
    sizes = np.maximum(Z.max(axis=1, initial=0.0), -Z.min(axis=1, initial=0.0))
    size, trials, n = float(sizes.max(initial=0.0)), reader.trials, reader.n
    radius = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max(initial=0.0)))
    none = Margin(trials == 0, None, None, None, None, radius, size, trials, n, bool(bias))
    if trials == 0 or sizes.min() == 0.0:
        return none
    Z /= size
    found = largest_l1(Z, non_negative=not signed, tiny=TINY)
    start, positive = found.u, found.lower > TINY
    if not positive:
        # Ask again with rows of one size, and then without a sign.
        Z /= (sizes / size)[:, np.newaxis]
        if largest_l1(Z, non_negative=not signed, enough=TINY, tiny=TINY).lower > TINY:
            raise _too_close(found)
        again = largest_l1(Z, non_negative=False, enough=TINY, tiny=TINY)
        if signed or again.lower <= TINY:
            return none
        start = again.u
        Z *= (sizes / size)[:, np.newaxis]
    elif found.lower < found.upper * (1 - 1e-6):
        raise _too_close(found)
    wide = largest_l2(Z, start)
    both = replace(none, separable=True, gamma2=wide.lower * size, u2=rows.whole(wide.u))
    return replace(both, gamma1=min(found.lower, 1.0) * size, u1=rows.whole(found.u)) if positive else both


def _too_close(found: Certified) -> InvalidData:
    return InvalidData(
        f"margin: gamma1 is between {found.lower:.9g} and {found.upper:.9g} of the largest value, and no closer to be "
        f"had in floats; {REMEDY}"
    )


class _Rows(NamedTuple):
    """The different rows times their signs, dense, in the columns that occur (and the constant one)."""

    Z: Floats
    columns: NDArray[np.int64]
    length: int

    def whole(self, u: Floats) -> Floats:
        """Return ``u`` in all columns."""
        full = np.zeros(self.length)
        full[self.columns] = u
        return full


def _read(reader: Reader, bias: bool) -> _Rows:
    """Read a stream once, keeping only the different rows."""
    seen: set[bytes] = set()
    indices: list[Any] = []
    values: list[Floats] = []
    lengths: list[int] = []
    signs: list[float] = []
    kept = 0
    for block, codes in reader.blocks(boolean=False):
        for r, code in enumerate(codes.tolist()):
            on, v = block.row(r)
            v = np.ones(len(on)) if v is None else v
            key = bytes([code]) + on.tobytes() + v.tobytes()
            if key not in seen:
                seen.add(key)
                kept += len(on) + bias
                _check_size(kept)
                indices.append(on)
                values.append(v)
                lengths.append(len(on))
                signs.append(2.0 * code - 1.0)
    every = np.concatenate(indices).astype(np.int64) if indices else np.zeros(0, dtype=np.int64)
    columns, place = np.unique(every, return_inverse=True)
    _check_size(len(signs) * (len(columns) + bias))
    Z = np.zeros((len(signs), len(columns) + bias))
    Z[:, len(columns) :] = 1.0
    if len(every):
        Z[np.repeat(np.arange(len(signs)), lengths), place] = np.concatenate(values)
    Z *= np.array(signs).reshape(-1, 1)
    return _Rows(Z, np.append(columns, [reader.n] * bias).astype(np.int64), reader.n + bias)


def _check_size(numbers: int) -> None:
    if numbers > LARGEST:
        raise TooLarge(
            f"margin: expected at most {LARGEST:,} numbers (different rows times attributes that occur), got "
            f"{numbers:,} or more; take fewer rows or fewer attributes"
        )


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


def _most_violated(margins: Floats, work: Ints, value: float, m: int) -> Ints:
    """Return rows outside the working set with a margin below ``value``, the worst first."""
    outside = margins.copy()
    outside[work] = np.inf
    worst = np.argsort(outside, kind="stable")[: max(AT_ONCE, m // 2)]
    return worst[outside[worst] < value]
