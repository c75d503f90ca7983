"""Hadamard: the adversary against which every additive learner errs about as often as there are attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.orders import is_order, is_prime, largest_order
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import check_size
from littlestone.teachers.base import Teacher, View

__all__ = ["Hadamard", "hadamard_matrix"]

Signs = NDArray[np.int64]
LARGEST = 1 << 12  # an order's matrix is held in memory


def _paley(order: int) -> Signs:
    """Return Paley's first construction, with rows and columns negated so that the first of each is all +1."""
    q = order - 1
    character = np.full(q, -1, dtype=np.int64)
    character[np.arange(1, q) ** 2 % q] = 1
    character[0] = 0
    matrix = np.ones((order, order), dtype=np.int64)
    matrix[1:, 0] = -1
    matrix[1:, 1:] = character[np.subtract.outer(np.arange(q), np.arange(q)) % q] + np.eye(q, dtype=np.int64)
    matrix[1:] *= -1
    return matrix


def hadamard_matrix(order: int) -> Signs:
    """Return a Hadamard matrix: entries +1 and -1, orthogonal rows, first row and column all +1.

    Powers of two are Sylvester's, ``H_2n = [[H, H], [H, -H]]``; q + 1 for a prime q = 3 mod 4 is Paley's; twice an
    order is doubled as Sylvester does.

    >>> hadamard_matrix(4).tolist()
    [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
    >>> bool((hadamard_matrix(12) @ hadamard_matrix(12).T == 12 * np.eye(12)).all())
    True
    """
    order = check_whole("hadamard_matrix", "order", order, most=LARGEST)
    if not is_order(order):
        below, above = largest_order(order), next(n for n in range(order + 1, 4 * order) if is_order(n))
        raise InvalidParameter(
            f"hadamard_matrix: no matrix of order {order} is known here; the nearest are {below}, {above}"
        )
    if order == 1:
        return np.ones((1, 1), dtype=np.int64)
    if order & (order - 1) == 0 or not is_prime(order - 1):
        half = hadamard_matrix(order // 2)
        return np.block([[half, half], [half, -half]])
    return _paley(order)


class Hadamard(Teacher):
    """The adversary of Kivinen and Warmuth's Theorems 8 and 13.

    Row t of a Hadamard matrix of order l gives two instances, ``z' = (h_t + 1)/2`` and ``z'' = (1 - h_t)/2`` (with
    k - 1 attributes that are never on), which the target labels oppositely. No sum of earlier instances tells them
    apart, so a learner whose weights are such a sum errs on one of them, and that one is presented: N - k + 1 = l
    mistakes in l trials on a disjunction of k of the N = l + k - 1 attributes. A learner that does not start at zero
    meets the target farthest from its start, and makes at least l/2. Winnow is not additive, and escapes. See
    `bounds.additive_lower` and `bounds.additive_lower_any_start`.

    Parameters
    ----------
    d : int, or None
        The order is l = 2^d; None: see ``order``.
    k : int
        The number of attributes in the target: one of the first l, chosen when the game begins, and the last k - 1.
    order : int, or None
        The order itself, where it is no power of two: 12, 20, 24, ...

    ``target`` tells of each attribute whether it is in the disjunction; ``differing`` is the number of trials whose
    mistake is certain for an additive learner, and ``promises`` the number of mistakes that are.

    Example
    -------
    >>> import littlestone as ls
    >>> teacher = Hadamard(d=5)
    >>> [ls.play(learner, teacher).mistakes for learner in (ls.Winnow(), ls.Perceptron())], teacher.promises
    ([10, 32], 32)

    Reference
    ---------
    Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow: linear vs. logarithmic mistake bounds when few input
    variables are relevant", COLT 1995.
    """

    def __init__(self, d: int | None = None, k: int = 1, *, order: int | None = None) -> None:
        if (d is None) == (order is None):
            raise InvalidParameter(f"Hadamard: expected one of d and order, got d={d!r}, order={order!r}")
        if d is not None:
            order = 1 << check_whole("Hadamard", "d", d, most=LARGEST.bit_length() - 1)
        assert order is not None
        check_whole("Hadamard", "order", order, least=2, most=LARGEST)
        self.k = check_whole("Hadamard", "k", k)
        self.matrix = hadamard_matrix(order)
        self.order = self.differing = int(order)
        self.n_attributes = check_size("Hadamard", self.order + self.k - 1)
        self._choose(0)

    def _choose(self, column: int) -> None:
        """Bind the target to a column of the matrix, and begin with row 1: the rows after it need it first."""
        self.target = np.zeros(self.n_attributes, dtype=bool)
        self.target[column] = self.target[self.order :] = True
        self._labels = (self.matrix[:, column] + 1) // 2
        self._next = 0

    def instances(self, t: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return z' and z'' of row ``t``, counted from 0.

        >>> [z.astype(int).tolist() for z in Hadamard(d=1, k=2).instances(1)]
        [[1, 0, 0], [0, 1, 0]]
        """
        t = check_whole("Hadamard", "t", t, least=0, most=self.order - 1)
        pair = np.zeros((2, self.n_attributes), dtype=bool)
        pair[0, : self.order] = self.matrix[t] > 0
        pair[1, : self.order] = self.matrix[t] < 0
        return pair[0], pair[1]

    def begin(self, view: View) -> None:
        """Choose the target: column 1 against a start of zero, otherwise the column farthest from what it prefers."""
        hypothesis = view.hypothesis()
        w = np.zeros(0) if hypothesis is None else hypothesis.w[: self.order]
        start = np.zeros(self.order)
        start[: len(w)] = w
        preferred = np.where(self.matrix @ start <= 0.0, -1, 1)  # w.z' <= w.z'' iff w.h <= 0
        agreement = self.matrix.T @ preferred
        self._choose(int(np.argmin(agreement)))
        self.differing = int(self.order - agreement.min()) // 2

    @property
    def promises(self) -> int:
        """The number of mistakes that an additive learner with this start cannot avoid."""
        return self.differing

    def trial(self, view: View) -> tuple[NDArray[np.bool_], int] | None:
        """Return z' or z'' of the next row: one on which the learner errs, z' where it can be chosen."""
        if self._next == self.order:
            return None
        t, self._next = self._next, self._next + 1
        label = int(self._labels[t])
        first, second = self.instances(t)
        if view.predict(first) != label or view.predict(second) == 1 - label:
            return first, label
        return second, 1 - label

    def __repr__(self) -> str:
        return f"Hadamard(order={self.order}, k={self.k})"
