"""DecisionList: all points of the cube, labelled by a linear threshold function that needs exponential weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import Drawn, shown

__all__ = ["DecisionList"]


class DecisionList(Drawn):
    """The 2^n points of the cube, labelled by a 1-decision list with alternating labels.

    The first attribute that is on decides; the labels alternate so that the last attribute's is positive, and the
    point without any is positive too. It is a linear threshold function, but its weights must grow like 2^n, and with
    them the mistakes of the Perceptron before it is right everywhere. ``target`` holds each attribute's label.

    Parameters
    ----------
    n : int
        The number of attributes, at most 24.
    passes : int
        How often all points come.
    order : "counting" or "random"
        The order within a pass: trial t is the binary number t, its lowest digit the first attribute; or a new
        permutation each pass.
    seed : int
        Of the permutations.

    Example
    -------
    >>> import littlestone as ls
    >>> [ls.play(ls.Perceptron(), DecisionList(n, passes=100)).mistakes for n in (8, 9)]
    [284, 696]
    """

    def __init__(self, n: int = 8, *, passes: int = 1, order: str = "counting", seed: int = 0) -> None:
        check_whole("DecisionList", "n", n, most=24)
        self.passes = check_whole("DecisionList", "passes", passes, least=0)
        if order not in ("counting", "random"):
            raise InvalidParameter(f"DecisionList: order must be 'counting' or 'random', got {order!r}")
        super().__init__(n, self.passes << n, seed)
        self.order = order
        self.target = (self.n_attributes - np.arange(self.n_attributes)) % 2
        self._points = (-1, np.zeros(0, dtype=np.int64))

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del rng  # a permutation belongs to a pass, not to a chunk
        n = self.n_attributes
        trials = np.arange(start, start + rows)
        points = trials & ((1 << n) - 1)
        if self.order == "random":
            for number in np.unique(trials >> n):
                here = trials >> n == number
                points[here] = self._permutation(int(number))[points[here]]
        X = np.asarray(points[:, np.newaxis] >> np.arange(n) & 1, dtype=bool)
        return X, np.where(X.any(axis=1), self.target[X.argmax(axis=1)], 1).astype(bool)

    def _permutation(self, number: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        if self._points[0] != number:
            points = np.random.default_rng([self.seed, number]).permutation(1 << self.n_attributes)
            self._points = (number, points)
        return self._points[1]

    def __repr__(self) -> str:
        return shown(self, self._parameters())

    def _parameters(self) -> dict[str, Any]:
        return {"n": self.n_attributes, "passes": self.passes, "order": self.order, "seed": self.seed}
