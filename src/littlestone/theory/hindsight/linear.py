"""The best weights of a class for a stream of numbers, with the square loss: what a regressor's regret is against."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, TooLarge
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.messages import Remedy
from littlestone.core.parameters import check_flag, check_number
from littlestone.games.linear import blocks_of, loss_on, outcomes_of
from littlestone.parts.losses import square
from littlestone.streams import Stream
from littlestone.theory.hindsight import quadratic

__all__ = ["BestWeights", "best_weights", "box", "l1_ball", "least_squares", "simplex"]

MOST = 4000  # attributes that occur: their square is held in memory
CELLS = 1 << 23  # numbers of rows that are taken in together


@dataclass(frozen=True, eq=False)
class BestWeights:
    """The weights of a class with the least square loss on a stream, and what proves that none has much less.

    ``loss`` is what predicting ``weights.x + constant`` all the time would have lost. No weights of the class lose less
    than ``loss - gap`` (in floats, whose rounding the gap does not count): that is proved by duality. ``kind`` is the
    class, "least squares" (any weights), "simplex", "l1 ball" (with its ``U``) or "box".

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1.0, 2.0, 3.5], task="regression")
    >>> found = ls.hindsight.least_squares(stream, constant=False)
    >>> found.weights.round(4).tolist(), round(found.loss, 4), found.gap < 1e-12
    ([1.1667, 2.1667], 0.0833, True)
    >>> round(ls.play(ls.GradientDescent(eta=0.1), stream).regret(found), 3)
    9.821
    """

    kind: str
    weights: Floats = field(repr=False)
    constant: float
    loss: float
    gap: float
    trials: int
    U: float | None = None
    names: Sequence[Hashable] | None = field(default=None, repr=False)

    @property
    def hypothesis(self) -> Hypothesis:
        """The weights w, and theta, the constant with its sign changed: it predicts ``w.x - theta``."""
        return Hypothesis(self.weights, -self.constant)

    @property
    def lower(self) -> float:
        """What no weights of the class lose less than."""
        return max(0.0, self.loss - self.gap)

    def as_dict(self) -> dict[str, Any]:
        """Return all but the weights in plain numbers and words."""
        names = ("kind", "U", "constant", "loss", "gap", "trials")
        return {name: getattr(self, name) for name in names} | {"nonzero": int(np.count_nonzero(self.weights))}


def least_squares(stream: Stream, *, constant: bool = True) -> BestWeights:
    """Return the weights of any size with the least square loss: what gradient descent and VAW are held against.

    Rows are taken in block by block, by a QR factorisation, which is exact up to rounding and whose memory does not
    grow with the rows; beyond 4,000 attributes that occur it is refused. Where attributes repeat each other (up to a
    part in 10^12), they share a weight. The stream is read twice. With ``constant`` there is a constant coordinate,
    which may weigh anything.

    >>> import littlestone as ls
    >>> found = least_squares(ls.teachers.Linear(n=20, k=2, noise=0.1, trials=1000))
    >>> found.weights.round(2)[found.weights.round(1) != 0].tolist(), round(found.loss, 2)
    ([-1.0, -1.0], 9.83)
    """
    return best_weights(stream, [("least squares", None)], constant=constant)[0]


def simplex(stream: Stream, *, constant: bool = True) -> BestWeights:
    """Return the weights, none negative and with the sum 1, with the least square loss: the class of EG.

    The ``constant`` coordinate is one of them, as it is for `ExponentiatedGradient`.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [0.2, 0.6, 1.0], task="regression")
    >>> found = simplex(stream, constant=False)
    >>> found.weights.round(4).tolist(), round(found.loss, 4), found.gap < 1e-12
    ([0.3, 0.7], 0.02, True)
    """
    return best_weights(stream, [("simplex", None)], constant=constant)[0]


def l1_ball(stream: Stream, U: float, *, constant: bool = True) -> BestWeights:
    """Return the weights whose sizes sum to U at most, with the least square loss: the class of EG+-.

    The ``constant`` coordinate counts among them, as it does for `EGPlusMinus`.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [-1.0, 2.0, 1.0], task="regression")
    >>> l1_ball(stream, 3.0, constant=False).weights.round(4).tolist()
    [-1.0, 2.0]
    >>> found = l1_ball(stream, 2.0, constant=False)
    >>> found.weights.round(4).tolist(), round(found.loss, 4), found.gap < 1e-12
    ([-0.5, 1.5], 0.5, True)
    """
    total = float(check_number("l1_ball", "U", U, above=0.0))
    return best_weights(stream, [("l1 ball", total)], constant=constant)[0]


def box(stream: Stream, *, constant: bool = True) -> BestWeights:
    """Return the weights between 0 and 1 with the least square loss: the class of BEG.

    The weight of the ``constant`` coordinate is between 0 and 1, too, as it is for `BEGRegression`.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [-1.0, 0.5, 1.0], task="regression")
    >>> found = box(stream, constant=False)
    >>> found.weights.round(4).tolist(), round(found.loss, 4), found.gap < 1e-12
    ([0.0, 0.75], 1.125, True)
    """
    return best_weights(stream, [("box", None)], constant=constant)[0]


SOLVERS: dict[str, Callable[[Floats, Floats, float], quadratic.Found]] = {
    "least squares": lambda A, d, _: quadratic.unconstrained(A, d),
    "simplex": lambda A, d, _: quadratic.in_simplex(A, d),
    "l1 ball": quadratic.in_l1_ball,
    "box": lambda A, d, _: quadratic.in_box(A, d),
    "ridge": quadratic.ridge,  # with the price of a squared length in the place of U; gap and all
}


def best_weights(stream: Stream, kinds: Iterable[tuple[str, float | None]], *, constant: bool) -> list[BestWeights]:
    """Return the best weights of several classes, each a name and its U, for which the rows are taken in once.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1]], [0.5, 2.5], task="regression")
    >>> [round(found.loss, 3) for found in best_weights(stream, [("l1 ball", 1.0), ("box", None)], constant=False)]
    [2.5, 2.25]
    """
    asked = list(kinds)
    owner = asked[0][0].replace(" ", "_") if len(asked) == 1 else "best_weights"
    check_flag(owner, "constant", constant)
    if not isinstance(stream, Stream):
        raise InvalidData(f"{owner}: expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)")
    if not stream.again:
        raise InvalidData(f"{owner}: expected a stream that can be read twice, got a pipe; write it to a file first")
    rows = _Rows(owner, bool(constant), stream.n_attributes or 0)
    for block in blocks_of(stream, None):
        rows.add(block)
    return [_found(kind, U, stream, rows) for kind, U in asked]


def _found(kind: str, U: float | None, stream: Stream, rows: _Rows) -> BestWeights:
    idle = [rows.n_idle] if kind == "simplex" and rows.n_idle is not None else []  # it can bear what is left of 1
    A, d = np.hstack((rows.R[:, 1:], np.zeros((len(rows.R), len(idle))))), np.ascontiguousarray(rows.R[:, 0])
    if A.shape[1] == 0:
        if kind == "simplex":
            raise InvalidData("simplex: expected attributes, whose weights sum to 1, got none; give constant=True")
        solution, gap = np.zeros(0), 0.0
    else:
        solution, gap = SOLVERS[kind](A, d, U or 0.0)
    w = np.zeros(rows.n)
    w[[*rows.order, *idle]] = solution[int(rows.constant) :]
    level = float(solution[0]) if rows.constant else 0.0
    return BestWeights(
        kind, w, level, loss_on(stream, w, level, square()), max(0.0, gap), rows.trials, U, stream.names
    )  # fmt: skip


class _Rows:
    """The rows so far as a matrix R of few rows: ``|R (-1, u)|^2`` is the loss of u, its first weight the constant's.

    Columns of R are those of the outcomes, the constant coordinate and the attributes in the order of their coming.
    """

    def __init__(self, owner: str, constant: bool, n: int) -> None:
        self.owner, self.constant, self.n, self.trials = owner, constant, n, 0
        self.R: Floats = np.zeros((0, 1 + constant))
        self.order: list[int] = []
        self._place = np.full(n, -1, dtype=np.int64)

    @property
    def n_idle(self) -> int | None:
        """The first attribute that no row has; None: there is none."""
        idle = np.flatnonzero(self._place < 0)
        return int(idle[0]) if len(idle) else None

    def add(self, block: Block) -> None:
        """Take rows in."""
        self.n = max(self.n, block.n_attributes or 0, block.width)
        if self.n > len(self._place):
            self._place = np.append(self._place, np.full(self.n - len(self._place), -1, dtype=np.int64))
        on = block.indices[block.indptr[0] : block.indptr[-1]]
        new = np.unique(on[self._place[on] < 0]).tolist()
        if len(self.order) + len(new) > MOST:
            raise TooLarge(
                f"{self.owner}: expected at most {MOST:,} attributes that occur, got {len(self.order) + len(new):,} in "
                f"the first {block.start + len(block):,} rows",
                Remedy("hash them to fewer with {hash_bits}, or take some of them", hash_bits=11),
            )
        first = 1 + self.constant
        self._place[new] = first + len(self.order) + np.arange(len(new))
        self.order += new
        self.R = np.pad(self.R, ((0, 0), (0, len(new))))
        for part in block.split(max(1, CELLS // self.R.shape[1])):
            dense = np.zeros((len(part), self.R.shape[1]))
            dense[:, 0] = outcomes_of(part)
            dense[:, 1:first] = 1.0
            at = self._place[part.indices[part.indptr[0] : part.indptr[-1]]]
            values = 1.0 if part.values is None else part.values[part.indptr[0] : part.indptr[-1]]
            dense[np.repeat(np.arange(len(part)), np.diff(part.indptr)), at] = values
            self.R = np.asarray(np.linalg.qr(np.vstack((self.R, dense)), mode="r"))
            self.trials += len(part)
