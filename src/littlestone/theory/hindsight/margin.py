"""Margin: whether a stream is separable by a linear threshold function, and how widely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.parameters import check_flag
from littlestone.streams import Stream
from littlestone.theory.hindsight._reader import Reader
from littlestone.theory.hindsight._separation import REMEDY, Certified, largest_l1, largest_l2

__all__ = ["Margin", "margin"]

TINY = 1e-9  # a margin of rows of size one that is none
LARGEST = 50_000_000  # numbers in memory


@dataclass(frozen=True, eq=False)
class Margin:
    """The largest margins ``min y (u.x)`` on a stream, for u of Euclidean norm one and of 1-norm one.

    With ``bias`` the rows have a constant coordinate 1, the last one of u and counted in the radii. ``gamma2``, ``u2``
    are None where no linear threshold function separates the stream, ``gamma1``, ``u1`` also where none with u >= 0
    does and only those were asked for; so they are of a stream without rows, which is separable.
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
    return Margin(
        True, wide.lower * size, rows.whole(wide.u), min(found.lower, 1.0) * size if positive else None,
        rows.whole(found.u) if positive else None, radius, size, trials, n, bool(bias),
    )  # fmt: skip


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
