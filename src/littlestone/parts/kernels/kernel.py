"""What every kernel can be asked, and any function of two rows as a kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge

__all__ = ["Kernel", "Wrapped", "wrapped"]


MOST_CELLS = 1 << 24  # of an explicit feature matrix
MOST_DENSE = 1 << 27  # of a block written out
REMEDY = "give rows of the same attributes, in the same order"


class Kernel(ABC):
    """An inner product ``K(x, y)`` of features that are not written down.

    Kernels are values: two with the same parameters are equal.

    >>> import littlestone as ls
    >>> kernel = ls.kernels.Polynomial(degree=2)
    >>> isinstance(kernel, ls.kernels.Kernel), kernel([1, 2], [3, 4]), kernel == ls.kernels.Polynomial(degree=2)
    (True, 144.0, True)
    """

    boolean: ClassVar[bool] = False  # whether rows must be Boolean

    @abstractmethod
    def __call__(self, x: ArrayLike, y: ArrayLike) -> Any:
        """Return ``K(x, y)`` of two rows, given as 1-D arrays."""

    @abstractmethod
    def features(self, n: int) -> float | None:
        """Return how many features there are over n attributes: infinitely many are inf, None is not known."""

    @abstractmethod
    def gram(self, X: Any, Y: Any = None) -> NDArray[Any]:
        """Return the matrix of ``K(x, y)`` for all rows x of X and y of Y (None: of X).

        X and Y are arrays, sparse matrices, data frames or Blocks. For a machine that takes a Gram matrix, such as
        scikit-learn's ``SVC(kernel="precomputed")``.
        """

    def expand(self, X: Any) -> NDArray[Any]:
        """Return the features of each row, written out: ``K(x, y)`` is their inner product. For small n."""
        del X
        raise TooLarge(f"{self!r}: its features cannot be written out; ask gram(X, Y)")

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _pair(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Return two rows as floats, checked."""
        rows = []
        for name, given in (("x", x), ("y", y)):
            try:
                row = np.asarray(given, dtype=np.float64)
            except (TypeError, ValueError, OverflowError):
                raise InvalidData(
                    f"{self._owner}: {name}: expected a 1-D array of numbers, got {str(given)[:80]}"
                ) from None
            if row.ndim != 1:
                raise InvalidData(
                    f"{self._owner}: {name}: expected a 1-D array, got {row.ndim} dimensions; for many rows ask gram"
                )
            if not np.isfinite(row).all():
                raise InvalidData(f"{self._owner}: {name}: expected finite numbers, got {row.tolist()}")
            rows.append(row)
        if len(rows[0]) != len(rows[1]):
            raise InvalidData(
                f"{self._owner}: expected rows of one width, got {len(rows[0])} and {len(rows[1])}; {REMEDY}"
            )
        return rows[0], rows[1]

    def _blocks(self, X: Any, Y: Any) -> tuple[Block, Block, int]:
        """Return X and Y as blocks over the same number of attributes, checked."""
        one = Block.from_arrays(X)
        other = one if Y is None else Block.from_arrays(Y)
        n = max(b.width if b.n_attributes is None else b.n_attributes for b in (one, other))
        one, other = (b if b.n_attributes is not None else replace(b, n_attributes=n) for b in (one, other))
        if one.n_attributes != other.n_attributes:
            raise InvalidData(
                f"{self._owner}: expected rows of one width, got X of {one.n_attributes} and Y of "
                f"{other.n_attributes} attributes; {REMEDY}"
            )
        if one.names is not None and other.names is not None and one.names != other.names:
            raise InvalidData(f"{self._owner}: expected X and Y with the same columns, got other names; {REMEDY}")
        return one, other, n

    def _check_room(self, rows: int, features: float) -> None:
        if rows * features > MOST_CELLS:
            raise TooLarge(
                f"{self!r}: {rows:,} rows of {features:,} features would be more than {MOST_CELLS:,} numbers; expand "
                "is for small n, ask gram(X, Y)"
            )


def check_size(owner: str, name: str, size: Any) -> int:
    """Return a number of things, checked."""
    if not isinstance(size, int | np.integer) or isinstance(size, bool) or size < 0:
        raise InvalidParameter(f"{owner}: {name} must be a whole number >= 0, got {size!r}")
    return int(size)


def dense(owner: str, block: Block, n: int) -> Floats:
    """Return the rows of a block over ``n`` attributes, written out."""
    if len(block) * n > MOST_DENSE:
        raise TooLarge(
            f"{owner}: {len(block):,} rows of {n:,} attributes would be more than {MOST_DENSE:,} numbers; give fewer"
        )
    X = np.zeros((len(block), n))
    first, last = block.indptr[0], block.indptr[-1]
    rows = np.repeat(np.arange(len(block)), np.diff(block.indptr))
    X[rows, block.indices[first:last]] = 1.0 if block.values is None else block.values[first:last]
    return X


@dataclass(frozen=True)
class Wrapped(Kernel):
    """Any function ``k(x, y)`` of two 1-D float arrays that returns a number, see `wrapped`.

    >>> import littlestone as ls
    >>> kernel = ls.kernels.wrapped(lambda x, y: float(x @ y) ** 2)
    >>> kernel([1.0, 2.0], [3.0, 4.0])
    121.0
    """

    function: Callable[[Floats, Floats], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidParameter(f"kernel: expected a function k(x, y) of two rows, got {self.function!r}")

    def __call__(self, x: ArrayLike, y: ArrayLike) -> float:
        """Return what the function says, checked."""
        return self.checked(*self._pair(x, y), "")

    def checked(self, x: Floats, y: Floats, where: str) -> float:
        """Return what the function says of two rows; refuse what is not a finite number, saying ``where``."""
        said = self.function(x, y)
        try:
            number = float(said)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if isfinite(number) and not isinstance(said, str | bytes):
            return number
        raise InvalidData(f"{self!r}: {where}expected a finite number, got {str(said)[:80]!r}; mend the function")

    def features(self, n: int) -> None:
        """None: nobody has said."""
        del n

    def gram(self, X: Any, Y: Any = None) -> Floats:
        """Return the matrix of what the function says of all pairs, one call a pair."""
        one, other, n = self._blocks(X, Y)
        A, B = dense(self._owner, one, n), dense(self._owner, other, n)
        K = [
            [self.checked(x, y, f"row {i} of X, row {j} of Y: ") for j, y in enumerate(B)]
            for i, x in enumerate(A)
        ]  # fmt: skip
        return np.array(K, dtype=np.float64).reshape(len(A), len(B))

    def __repr__(self) -> str:
        return f"wrapped({getattr(self.function, '__name__', self.function)})"


def wrapped(function: Callable[[Floats, Floats], Any]) -> Wrapped:
    """Return a function of two rows as a kernel; that it is one (positive semi-definite) nobody checks.

    >>> minimum = wrapped(lambda x, y: np.minimum(x, y).sum())
    >>> minimum([1, 2, 0], [2, 1, 5]), minimum.gram([[1, 2], [0, 1]]).tolist()
    (2.0, [[3.0, 1.0], [1.0, 1.0]])
    """
    return Wrapped(function)
