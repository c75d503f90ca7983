"""Drawn: a stream of random rows with a known target, the same whatever the size of the blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools
from littlestone.core.block import Block
from littlestone.core.errors import TooLarge
from littlestone.core.parameters import check_number, check_whole
from littlestone.streams import Stream

__all__ = ["Bools", "Drawn", "bernoulli", "check_size", "given_density", "shown"]


CHUNK = 500  # rows drawn together; fixed, so that the rows depend on the seed alone
CHUNK_CELLS = 1 << 26  # where 500 rows would be more than this, fewer are drawn together
BLOCK_CELLS = 1 << 23  # a block of more is cut
MOST_ATTRIBUTES = 1 << 26
FLOATS = 1 << 20  # random numbers alive at once


def check_size(owner: str, n: int) -> int:
    """Refuse a number of attributes whose rows cannot be held."""
    n = check_whole(owner, "n", n)
    if n > MOST_ATTRIBUTES:
        raise TooLarge(f"{owner}: expected n <= {MOST_ATTRIBUTES:,}, whose rows can be held in memory, got {n:,}")
    return n


def given_density(owner: str, density: float | None, usual: float) -> float:
    """Return the probability that an attribute is on: the usual one, where none is given."""
    if density is None:
        return usual
    check_number(owner, "density", density, above=0.0, below=1.0, ends="[]")
    return density


def bernoulli(rng: np.random.Generator, rows: int, n: int, density: float | NDArray[np.float64]) -> Bools:
    """Return ``rng.random((rows, n)) < density``, without keeping all the numbers (one density, or one an attribute).

    >>> whole = np.random.default_rng(0).random((4, 3)) < 0.5
    >>> bool((bernoulli(np.random.default_rng(0), 4, 3, 0.5) == whole).all())
    True
    """
    X = np.empty((rows, n), dtype=bool)
    step = max(1, FLOATS // n)
    for start in range(0, rows, step):
        part = X[start : start + step]
        np.less(rng.random(part.shape), density, out=part)
    return X


def shown(thing: object, given: dict[str, Any]) -> str:
    """Return a call that makes ``thing`` again; what is None was left to its default."""
    parameters = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
    return f"{type(thing).__name__}({parameters})"


class Drawn(Stream):
    """Random rows, drawn by one generator in chunks of a fixed size and cut as the caller likes.

    With ``noise`` each label is flipped with that probability, by a generator of its own: the rows stay the same.
    """

    n_attributes: int

    def __init__(self, n: int, trials: int, seed: int, noise: float = 0.0) -> None:
        owner = type(self).__name__
        self.n_attributes = check_size(owner, n)
        self.trials = check_whole(owner, "trials", trials, least=0)
        self.seed = check_whole(owner, "seed", seed, least=0)
        check_number(owner, "noise", noise, above=0.0, below=1.0, ends="[]")
        self.noise = noise

    @abstractmethod
    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        """Draw ``rows`` rows, the first of which is trial ``start``, with their labels."""

    @abstractmethod
    def _parameters(self) -> dict[str, Any]:
        """Return the teacher's own parameters as they were given, None where they were left open."""

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, at most ``rows`` at a time."""
        rows = check_whole(type(self).__name__, "rows", rows)
        most = min(rows, max(1, BLOCK_CELLS // self.n_attributes))
        kept: list[tuple[Bools, Bools]] = []
        start = held = 0
        for chunk_X, chunk_y in self._chunks():
            X, y = chunk_X, chunk_y
            while len(X):
                part = X[: most - held], y[: most - held]
                X, y = X[len(part[0]) :], y[len(part[0]) :]
                kept.append(part)
                held += len(part[0])
                if held == most:
                    yield self._block(kept, start)
                    start, held, kept = start + held, 0, []
        if held:
            yield self._block(kept, start)

    def _block(self, kept: list[tuple[Bools, Bools]], start: int) -> Block:
        X, y = np.vstack([part[0] for part in kept]), np.concatenate([part[1] for part in kept])
        return replace(Block.from_arrays(X).labelled(y, self.labels), start=start)

    def _chunks(self) -> Iterator[tuple[Bools, Bools]]:
        """Yield all rows; the last chunk is drawn whole too, so that its rows do not depend on ``trials``."""
        draw, flip = np.random.default_rng(self.seed), np.random.default_rng([self.seed, 1])
        rows = max(1, min(CHUNK, CHUNK_CELLS // self.n_attributes))
        for start in range(0, self.trials, rows):
            X, y = self._draw(draw, start, rows)
            if self.noise:
                y = y ^ (flip.random(rows) < self.noise)
            yield X[: self.trials - start], y[: self.trials - start]

    def __repr__(self) -> str:
        noise = self.noise or None
        given = {"n": self.n_attributes, **self._parameters(), "trials": self.trials, "noise": noise, "seed": self.seed}
        return shown(self, given)
