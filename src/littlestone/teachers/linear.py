"""Random rows with real outcomes: a linear target, sparse or dense, that may change."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import shown as cut
from littlestone.core.parameters import check_number, check_whole
from littlestone.streams import Stream
from littlestone.teachers._drawn import check_size, shown

__all__ = ["ROWS", "WEIGHTS", "Linear", "Sizes"]

ROWS = ("dense", "gaussian", "sparse")
WEIGHTS = ("signs", "mixture", "ones")
CHUNK = 500  # rows drawn together; fixed, so that the rows depend on the seed alone
CHUNK_CELLS = 1 << 22  # where 500 rows would be more than this, fewer are drawn together
BLOCK_CELLS = 1 << 22  # a block of more is cut
ACTIVE = 10  # attributes of a sparse row


class Sizes(NamedTuple):
    """What no row of a stream exceeds: the X of the theorems about regressors.

    >>> sizes = Linear.dense(active=15).sizes()
    >>> sizes.length, sizes.spread, sizes.largest
    (4.0, 1.0, 1.0)
    """

    length: float  # |x|_2
    spread: float  # the largest value less the smallest, 0 among them where an attribute is left out
    largest: float  # |x_i|


class Linear(Stream):
    """Random rows whose outcomes are ``u.x`` and noise, for regressors. ``target`` is u, at first if it changes.

    A sparse target and dense rows are what multiplicative updates are good at, a dense target and sparse rows what
    additive ones are: see `sparse` and `dense`.

    Parameters
    ----------
    n : int
        The number of attributes.
    k : int or None
        How many of them, drawn at random, have a weight in the target; None: all.
    weights : "signs", "mixture" or "ones"
        What these weights are: 1 or -1 by fair coins; all the same, with the sum 1; all 1.
    rows : "dense", "gaussian" or "sparse"
        Values are 1 or -1 by fair coins; or normal with mean 0 and variance 1; or ``active`` attributes, drawn at
        random, are 1 and the others 0.
    active : int or None
        How many attributes of a sparse row are on; None: 10, or all if there are fewer.
    noise : float >= 0
        The standard deviation of normal noise that is added to every outcome. The rows stay the same.
    shift_every : int or None
        After so many trials another target is drawn; None: it never changes.
    trials, seed : int
        The number of rows, and what they are drawn from. The first rows do not depend on how many there are.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = Linear(n=100, k=3, trials=1000)
    >>> stream.target.nonzero()[0].tolist(), stream.labels
    ([8, 28, 95], ())
    >>> learners = [ls.GradientDescent(bias=False), ls.EGPlusMinus(U=3.0, bias=False)]
    >>> [round(run.loss) for run in ls.play_all(learners, stream)]
    [400, 133]

    Reference
    ---------
    Kivinen and Warmuth, "Exponentiated gradient versus gradient descent for linear predictors", Information and
    Computation 132 (1997).
    """

    n_attributes: int
    labels: tuple[Any, ...] = ()

    def __init__(
        self, n: int = 1000, k: int | None = None, *, weights: str = "signs", rows: str = "dense",
        active: int | None = None, noise: float = 0.0, shift_every: int | None = None, trials: int = 10_000,
        seed: int = 0,
    ) -> None:  # fmt: skip
        self.n_attributes = check_size("Linear", n)
        self.k = None if k is None else check_whole("Linear", "k", k, most=n)
        self.weights, self.rows = _one_of("weights", weights, WEIGHTS), _one_of("rows", rows, ROWS)
        if active is not None and rows != "sparse":
            raise InvalidParameter(f"Linear: active must be left out with rows={rows!r}, got {cut(active)}")
        self._given = None if active is None else check_whole("Linear", "active", active, most=n)
        self.active = n if rows != "sparse" else min(ACTIVE, n) if active is None else self._given or n
        check_number("Linear", "noise", noise, above=0.0, ends="[)")
        self.noise = float(noise)
        self.shift_every = None if shift_every is None else check_whole("Linear", "shift_every", shift_every)
        self.trials = check_whole("Linear", "trials", trials, least=0)
        self.seed = check_whole("Linear", "seed", seed, least=0)
        self.target: Floats = self._drawn_target(0)

    @classmethod
    def sparse(
        cls, n: int = 1000, k: int = 5, *, noise: float = 0.0, shift_every: int | None = None, trials: int = 10_000,
        seed: int = 0,
    ) -> Self:  # fmt: skip
        """Return a stream with a sparse target and dense rows: "regression-sparse" on the command line.

        >>> Linear.sparse(n=50)
        Linear(n=50, k=5, weights='signs', rows='dense', trials=10000, seed=0)
        """
        return cls(n, k, noise=noise, shift_every=shift_every, trials=trials, seed=seed)

    @classmethod
    def dense(
        cls, n: int = 1000, active: int = 10, *, noise: float = 0.0, shift_every: int | None = None,
        trials: int = 10_000, seed: int = 0,
    ) -> Self:  # fmt: skip
        """Return a stream with a dense target and sparse rows: "regression-dense" on the command line.

        >>> Linear.dense(n=50)
        Linear(n=50, weights='signs', rows='sparse', active=10, trials=10000, seed=0)
        """
        return cls(n, rows="sparse", active=active, noise=noise, shift_every=shift_every, trials=trials, seed=seed)

    def sizes(self, *, bias: bool = True) -> Sizes | None:
        """Return what no row exceeds, with a constant coordinate or without; None: normal values exceed anything.

        >>> Linear(n=3, k=1).sizes(), Linear(rows="gaussian").sizes()
        (Sizes(length=2.0, spread=2.0, largest=1.0), None)
        """
        if self.rows == "gaussian":
            return None
        return Sizes(sqrt(self.active + bias), 1.0 if self.rows == "sparse" else 2.0, 1.0)

    def target_at(self, t: int) -> Floats:
        """Return the target at trial ``t``, counted from 0.

        >>> stream = Linear(n=5, k=1, shift_every=100)
        >>> stream.target_at(99).tolist(), stream.target_at(100).tolist()
        ([0.0, 0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0, 1.0])
        """
        t = check_whole("Linear", "t", t, least=0, most=max(0, self.trials - 1))
        return self._drawn_target(0 if self.shift_every is None else t // self.shift_every)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, at most ``rows`` at a time."""
        most = min(check_whole("Linear", "rows", rows), max(1, BLOCK_CELLS // self.active))
        kept: list[Block] = []
        held = 0
        for chunk in self._chunks():
            left = chunk
            while len(left):
                part = left[: most - held]
                left = left[len(part) :]
                kept.append(part)
                held += len(part)
                if held == most:
                    yield Block.joined(kept)
                    kept, held = [], 0
        if held:
            yield Block.joined(kept)

    def _chunks(self) -> Iterator[Block]:
        """Yield all rows; the last chunk is drawn whole too, so that its rows do not depend on ``trials``."""
        draw, add = np.random.default_rng(self.seed), np.random.default_rng([self.seed, 1])
        rows = max(1, min(CHUNK, CHUNK_CELLS // (self.active if self._seldom_twice else self.n_attributes)))
        at, target = 0, self.target
        for start in range(0, self.trials, rows):
            columns, values = self._draw(draw, rows)
            y = np.empty(rows)
            for row, number in self._parts(start, rows):
                if number != at:
                    at, target = number, self._drawn_target(number)
                y[row] = _outcomes(columns[row], None if values is None else values[row], target)
            if self.noise:
                y += self.noise * add.standard_normal(rows)
            indptr = np.arange(rows + 1, dtype=np.int64) * self.active
            cells = None if values is None or bool((values == 1.0).all()) else values.ravel()
            indices = np.ascontiguousarray(columns, dtype=np.uint32).ravel()
            block = Block(indptr, indices, cells, n_attributes=self.n_attributes, start=start, checked=True)
            yield block.numbered(y)[: self.trials - start]

    def _parts(self, start: int, rows: int) -> Iterator[tuple[slice, int]]:
        """Yield the rows of a chunk that have one target, and its number."""
        every = self.shift_every or (start + rows)
        for number in range(start // every, (start + rows - 1) // every + 1):
            yield slice(max(0, number * every - start), min(rows, (number + 1) * every - start)), number

    @property
    def _seldom_twice(self) -> bool:
        """Whether attributes that are drawn one by one are mostly different."""
        return self.rows == "sparse" and self.active**2 <= self.n_attributes

    def _draw(self, rng: np.random.Generator, rows: int) -> tuple[Ints, Floats | None]:
        """Return the attributes of some rows, as a table, and their values."""
        n, active = self.n_attributes, self.active
        if self.rows == "sparse":
            if self._seldom_twice:
                return _different(rng, rows, active, n), None
            return np.sort(rng.random((rows, n)).argpartition(active - 1, axis=1)[:, :active], axis=1), None
        columns: Ints = np.broadcast_to(np.arange(n), (rows, n))
        if self.rows == "gaussian":
            return columns, rng.standard_normal((rows, n))
        return columns, np.asarray(2.0 * rng.integers(0, 2, (rows, n), dtype=np.int8) - 1.0, dtype=np.float64)

    def _drawn_target(self, number: int) -> Floats:
        """Return a target, each drawn by a generator of its own."""
        rng = np.random.default_rng([self.seed, 2, number])
        n, k = self.n_attributes, self.n_attributes if self.k is None else self.k
        u = np.zeros(n)
        at = slice(None) if k == n else rng.choice(n, k, replace=False)
        u[at] = {"ones": 1.0, "mixture": 1.0 / k}.get(self.weights) or 2.0 * rng.integers(0, 2, k) - 1.0
        return u

    def __repr__(self) -> str:
        given = {"n": self.n_attributes, "k": self.k, "weights": self.weights, "rows": self.rows,
                 "active": self._given, "noise": self.noise or None, "shift_every": self.shift_every,
                 "trials": self.trials, "seed": self.seed}  # fmt: skip
        return shown(self, given)


def _outcomes(columns: Ints, values: Floats | None, target: Floats) -> Floats:
    """Return the target's value at each row; of values that it weighs with 0 nothing is said."""
    if values is None:
        return np.asarray(target[columns].sum(axis=1))
    on = np.flatnonzero(target)
    return np.asarray((values[:, on] * target[on]).sum(axis=1))


def _different(rng: np.random.Generator, rows: int, active: int, n: int) -> Ints:
    """Return ``active`` different columns of n for each row, in order; rows that have one twice are drawn again."""
    columns = np.sort(rng.integers(0, n, (rows, active)), axis=1)
    while len(twice := np.flatnonzero((columns[:, 1:] == columns[:, :-1]).any(axis=1))):
        columns[twice] = np.sort(rng.integers(0, n, (len(twice), active)), axis=1)
    return columns


def _one_of(name: str, given: str, known: tuple[str, ...]) -> str:
    if given not in known:
        raise InvalidParameter(f"Linear: {name} must be one of {', '.join(known)}, got {cut(given)}")
    return given
