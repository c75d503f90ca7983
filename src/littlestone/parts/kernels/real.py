"""The usual kernels of real rows, with the parameter names of scikit-learn's pairwise kernels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, inf, isfinite, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.parts.kernels.kernel import Kernel, check_size, dense

__all__ = ["Gaussian", "Linear", "Polynomial"]


def _check(owner: str, name: str, value: Any, *, zero: bool = False) -> None:
    """Refuse what is not a positive number (or 0)."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not (0 <= value <= 1e100) or (value == 0 and not zero):
        least = ">=" if zero else ">"
        raise InvalidParameter(f"{owner}: {name} must be a number {least} 0 and at most 1e100, got {str(value)[:80]}")


def _parts(block: Block) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Return the values, columns and row ends of a block, as SciPy takes them."""
    first, last = block.indptr[0], block.indptr[-1]
    values = np.ones(last - first) if block.values is None else block.values[first:last]
    return values, block.indices[first:last].astype(np.int64), block.indptr - first


class _Products(Kernel):
    """A kernel that is a function of the products x.y, x.x and y.y."""

    def of_products(self, products: Floats, xx: Floats, yy: Floats) -> Floats:
        """Return the kernel of pairs with these products."""
        raise NotImplementedError

    def __call__(self, x: ArrayLike, y: ArrayLike) -> float:
        """Return ``K(x, y)`` of two rows."""
        a, b = self._pair(x, y)
        with np.errstate(over="ignore", invalid="ignore"):
            value = float(self.of_products(np.add.reduce(a * b), np.add.reduce(a * a), np.add.reduce(b * b)))
        if not isfinite(value):
            raise InvalidData(f"{self!r}: expected a value in the range of floats, got {value}; scale the rows")
        return value

    def gram(self, X: Any, Y: Any = None) -> Floats:
        """Return the matrix of ``K(x, y)`` for all rows x of X and y of Y (None: of X)."""
        from scipy import sparse

        one, other, n = self._blocks(X, Y)
        A, B = (sparse.csr_matrix(_parts(block), shape=(len(block), n)) for block in (one, other))
        xx, yy = (np.asarray(M.multiply(M).sum(axis=1), dtype=np.float64).ravel() for M in (A, B))
        with np.errstate(over="ignore", invalid="ignore"):
            K: Floats = self.of_products((A @ B.T).toarray(), xx[:, np.newaxis], yy)
        if not np.isfinite(K).all():
            raise InvalidData(f"{self!r}: expected values in the range of floats, got an infinite one; scale the rows")
        return K


@dataclass(frozen=True)
class Linear(_Products):
    """``K(x, y) = x.y``: the Perceptron itself, without a constant coordinate.

    >>> Linear()([1, 2], [3, 4]), Linear().features(5)
    (11.0, 5)
    """

    def of_products(self, products: Floats, xx: Floats, yy: Floats) -> Floats:
        """Return the products."""
        del xx, yy
        return products

    def features(self, n: int) -> int:
        """Return n."""
        return n

    def expand(self, X: Any) -> Floats:
        """Return the rows."""
        block, _, n = self._blocks(X, None)
        self._check_room(len(block), n)
        return dense(self._owner, block, n)


@dataclass(frozen=True)
class Polynomial(_Products):
    """``K(x, y) = (gamma x.y + coef0)^degree``, with the names of scikit-learn's ``polynomial_kernel``.

    The defaults do not depend on the data: gamma is 1, and not 1/n as there.

    >>> Polynomial(degree=3)([1, 0], [1, 1]), Polynomial().features(2)
    (8.0, 6)
    >>> X = np.array([[1.0, 2.0], [0.5, -1.0]])
    >>> np.allclose(Polynomial().expand(X) @ Polynomial().expand(X).T, Polynomial().gram(X))
    True
    """

    degree: int = 2
    gamma: float = 1.0
    coef0: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.degree, int | np.integer) or isinstance(self.degree, bool) or not 1 <= self.degree <= 99:
            raise InvalidParameter(f"Polynomial: degree must be a whole number from 1 to 99, got {self.degree!r}")
        _check("Polynomial", "gamma", self.gamma)
        _check("Polynomial", "coef0", self.coef0, zero=True)

    def of_products(self, products: Floats, xx: Floats, yy: Floats) -> Floats:
        """Return the powers."""
        del xx, yy
        return (self.gamma * products + self.coef0) ** self.degree

    def features(self, n: int) -> int:
        """Return how many monomials there are: of this degree, with coef0 > 0 of all degrees up to it."""
        n = check_size(self._owner, "n", n)
        return comb(n + self.degree - (not self.coef0), self.degree)

    def expand(self, X: Any) -> Floats:
        """Return the monomials, each times the root of its coefficient in the power."""
        block, _, n = self._blocks(X, None)
        self._check_room(len(block), self.features(n))
        rows = dense(self._owner, block, n)
        columns = []
        for size in range(0 if self.coef0 else self.degree, self.degree + 1):
            for chosen in combinations_with_replacement(range(n), size):
                repeats = prod(factorial(c) for c in Counter(chosen).values())
                ways = factorial(self.degree) // (repeats * factorial(self.degree - size))
                factor = sqrt(ways * self.gamma**size * self.coef0 ** (self.degree - size))
                columns.append(factor * np.prod(rows[:, list(chosen)], axis=1))
        return np.column_stack(columns)


@dataclass(frozen=True)
class Gaussian(_Products):
    """``K(x, y) = exp(-gamma |x - y|^2)``, as scikit-learn's ``rbf_kernel``; gamma is 1, and not 1/n as there.

    >>> round(Gaussian(gamma=0.5)([1, 0], [0, 1]), 6), Gaussian().features(2)
    (0.367879, inf)
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        _check("Gaussian", "gamma", self.gamma)

    def of_products(self, products: Floats, xx: Floats, yy: Floats) -> Floats:
        """Return the kernel from ``|x - y|^2 = x.x + y.y - 2 x.y``."""
        K: Floats = np.exp(-self.gamma * np.maximum(xx + yy - 2.0 * products, 0.0))
        return K

    def features(self, n: int) -> float:
        """Return inf."""
        del n
        return inf
