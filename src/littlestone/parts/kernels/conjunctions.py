"""The kernels of Khardon, Roth and Servedio: all conjunctions, or the monotone ones, or those of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from math import log as ln
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.parts.kernels.kernel import Kernel, check_size, dense

__all__ = ["Conjunctions"]


BOOLEAN = "make Boolean attributes of it, such as x > 1, or take a real kernel"
MOST_BITS = 1 << 33  # of a table of the kernel's values


@dataclass(frozen=True, kw_only=True)
class Conjunctions(Kernel):
    """How many conjunctions hold in both x and y: the four kernels of Theorem 3, in whole numbers.

    With ``s`` the number of attributes on which x and y agree (monotone: that are on in both), it is ``2^s``, and with
    a bound k on the size ``C(s,0) + ... + C(s,k)``.

    Parameters
    ----------
    monotone : bool
        Only conjunctions without negations.
    max_size : int >= 0, or None
        Only conjunctions of at most so many literals; None: all.
    include_empty : bool
        Whether the empty conjunction, which always holds, is a feature; without it the kernel is 1 less.

    Example
    -------
    >>> kernel = Conjunctions()
    >>> kernel([1, 0, 1], [1, 1, 1]), Conjunctions(monotone=True, max_size=1)([1, 0, 1], [1, 1, 1])
    (4, 3)
    >>> kernel.features(3), kernel([0] * 2000, [0] * 2000) == 2**2000
    (27, True)
    >>> kernel.gram([[1, 0], [1, 1]]).tolist(), kernel.gram([[1, 0], [1, 1]], normalized=True).tolist()
    ([[4.0, 2.0], [2.0, 4.0]], [[1.0, 0.5], [0.5, 1.0]])

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24 (2005).
    """

    boolean: ClassVar[bool] = True

    monotone: bool = False
    max_size: int | None = None
    include_empty: bool = True

    def __post_init__(self) -> None:
        for name in ("monotone", "include_empty"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise InvalidParameter(f"Conjunctions: {name} must be True or False, got {getattr(self, name)!r}")
        k = self.max_size
        if k is not None and (not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 0):
            raise InvalidParameter(f"Conjunctions: max_size must be a whole number >= 0 or None, got {k!r}")
        object.__setattr__(self, "max_size", None if k is None else int(k))

    def __call__(self, x: ArrayLike, y: ArrayLike) -> int:
        """Return how many conjunctions hold in both rows."""
        a, b = self._pair(x, y)
        for name, row in (("x", a), ("y", b)):
            odd = np.flatnonzero((row != 0.0) & (row != 1.0))
            if len(odd):
                raise InvalidData(
                    f"Conjunctions: {name}: attribute {odd[0]}: expected a Boolean value (0 or 1), got "
                    f"{row[odd[0]]:g}; {BOOLEAN}"
                )
        common = a * b if self.monotone else a == b
        return self.value(int(np.count_nonzero(common)))

    def value(self, s: int) -> int:
        """Return the kernel of two rows that agree on ``s`` literals.

        >>> [Conjunctions(max_size=2).value(s) for s in range(5)]
        [1, 2, 4, 7, 11]
        """
        s = check_size(self._owner, "s", s)
        empty = 0 if self.include_empty else 1
        k = self.max_size
        if k is None or s <= k:
            return (1 << s) - empty
        return sum(comb(s, size) for size in range(k + 1)) - empty

    def values(self, top: int, first: int = 0) -> list[int]:
        """Return `value` of ``first``, ..., ``top``, each from the one before."""
        top, first = check_size(self._owner, "top", top), check_size(self._owner, "first", first)
        bits = top if self.max_size is None else min(top, (self.max_size + 1) * top.bit_length())
        if bits * (top - first) > MOST_BITS:
            raise TooLarge(
                f"{self!r}: a table of its values up to {top:,} literals would take {bits * top / 2**33:,.0f} GiB; "
                "bound max_size, or leave it out with theta=0 and include_empty=True, which need no table"
            )
        empty = 0 if self.include_empty else 1
        k = top if self.max_size is None else self.max_size
        # choose: C(s,k); C(s+1,<=k) = 2 C(s,<=k) - C(s,k)
        sums, choose = [self.value(first) + empty], comb(first - 1, k) if first else 0
        for s in range(first, top):
            choose = choose * s // (s - k) if s > k else int(s == k)
            sums.append(2 * sums[-1] - choose)
        return [number - empty for number in sums]

    def logs(self, top: int, first: int = 0) -> Floats:
        """Return the natural logarithms of `values`, of numbers of any size; that of 0 is -inf.

        >>> Conjunctions(monotone=True).logs(4000)[-1].round(2).item()
        2772.59
        """
        sizes = np.arange(first, check_size(self._owner, "top", top) + 1)
        found: Floats = sizes * np.log(2.0)
        if not self.include_empty:
            some = sizes > 0
            found[some] += np.log1p(-np.exp2(-sizes[some].astype(np.float64)))
            found[~some] = -np.inf
        k = self.max_size
        if k is not None and k < top:
            at = max(k + 1, first)
            found[at - first :] = [_log(number) for number in self.values(top, first)[at - first :]]
        return found

    def features(self, n: int) -> int:
        """Return how many conjunctions there are over ``n`` attributes."""
        n, literals = check_size(self._owner, "n", n), 1 if self.monotone else 2
        k = n if self.max_size is None else min(n, self.max_size)
        every: int = (literals + 1) ** n if k == n else sum(comb(n, size) * literals**size for size in range(k + 1))
        return every - (0 if self.include_empty else 1)

    def gram(
        self, X: Any, Y: Any = None, *, exact: bool = False, log: bool = False, normalized: bool = False
    ) -> NDArray[Any]:
        """Return the matrix of ``K(x, y)`` for all rows x of X and y of Y (None: of X).

        As floats, and refused where one does not fit; ``exact``: Python's whole numbers; ``log``: natural logarithms;
        ``normalized``: ``K(x, y) / sqrt(K(x, x) K(y, y))``, which a maximum-margin machine wants (0 where a row has no
        feature).
        """
        if exact + log + normalized > 1:
            raise InvalidParameter("Conjunctions: gram: choose one of exact, log and normalized")
        one, other, n = self._blocks(X, Y)
        for name, block in (("X", one), ("Y", other)):
            self._check_boolean(name, block)
        agreed, xx, yy = self._agreed(one, other, n)
        if exact:
            return self._looked_up(agreed, {s: self.value(s) for s in np.unique(agreed).tolist()}, object)
        if log or normalized:
            logs = self.logs(int(max(agreed.max(initial=0), xx.max(initial=0), yy.max(initial=0))))
            L: Floats = logs[agreed]
            if log:
                return L
            half_x, half_y = logs[xx] / 2.0, logs[yy] / 2.0
            nothing = np.isneginf(L)  # also where a row's own kernel is 0
            L[nothing] = 0.0
            half_x[np.isneginf(half_x)] = half_y[np.isneginf(half_y)] = 0.0
            K: Floats = np.exp(L - (half_x[:, np.newaxis] + half_y))
            K[nothing] = 0.0
            return K
        floats = {}
        for s in np.unique(agreed).tolist():
            try:
                floats[s] = float(self.value(s))
            except OverflowError:
                raise TooLarge(
                    f"{self!r}: rows that agree on {s} literals have a kernel beyond the floats; ask gram with "
                    "exact=True, log=True or normalized=True"
                ) from None
        return self._looked_up(agreed, floats, np.float64)

    def expand(self, X: Any) -> NDArray[np.int8]:
        """Return for each row which conjunctions hold: by size, then in order; with negations, each literal's last."""
        block, _, n = self._blocks(X, None)
        self._check_boolean("X", block)
        self._check_room(len(block), self.features(n))
        rows = dense(self._owner, block, n).astype(np.int8)
        literals = rows if self.monotone else np.column_stack((rows, 1 - rows))
        k = n if self.max_size is None else min(n, self.max_size)
        columns = [
            np.prod(literals[:, list(chosen)], axis=1, dtype=np.int8)
            for size in range(0 if self.include_empty else 1, k + 1)
            for chosen in combinations(range(literals.shape[1]), size)
            if len({literal % n for literal in chosen}) == size  # not both x and its negation
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), dtype=np.int8)

    def _check_boolean(self, name: str, block: Block) -> None:
        values = block.values
        if values is None:
            return
        values = values[block.indptr[0] : block.indptr[-1]]
        odd = values != 1.0
        if odd.any():
            raise InvalidData(
                f"Conjunctions: {name}: {block.find(odd)}: expected a Boolean value (0 or 1), got {values[odd][0]:g}; "
                f"{BOOLEAN}"
            )

    def _agreed(self, one: Block, other: Block, n: int) -> tuple[Ints, Ints, Ints]:
        """Return on how many literals each x and y agree, and how many hold in each x and in each y."""
        from littlestone.engine.sets import bits

        A, B = (bits.packed(b.indptr, b.indices, bits.words_for(n)) for b in (one, other))
        common: Ints = np.empty((len(A), len(B)), dtype=np.int64)
        bits.overlaps(A, B, common)
        xx, yy = (np.diff(b.indptr) for b in (one, other))
        if self.monotone:
            return common, xx, yy
        return (n - xx[:, np.newaxis] - yy) + 2 * common, np.full(len(xx), n), np.full(len(yy), n)

    @staticmethod
    def _looked_up(agreed: Ints, values: dict[int, Any], dtype: Any) -> NDArray[Any]:
        keys = np.array(list(values), dtype=np.int64)  # as they come from np.unique: sorted
        table = np.empty(len(keys), dtype=dtype)
        table[:] = list(values.values())
        found: NDArray[Any] = table[np.searchsorted(keys, agreed)]
        return found

    def __repr__(self) -> str:
        told = [f"{name}={getattr(self, name)!r}" for name in ("monotone", "max_size", "include_empty")
                if getattr(self, name) != getattr(Conjunctions, name)]  # fmt: skip
        return f"Conjunctions({', '.join(told)})"


def _log(number: int) -> float:
    return ln(number) if number else -np.inf
