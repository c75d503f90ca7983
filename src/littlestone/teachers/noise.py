"""Noise over any stream: labels flipped, or attributes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.parameters import check_number, check_whole
from littlestone.streams import Stream

__all__ = ["AttributeNoise", "LabelNoise"]


class _Noise(Stream):
    """A stream with something changed at random, row after row by one generator."""

    def __init__(self, stream: Stream, rate: float, seed: int = 0) -> None:
        owner = type(self).__name__
        if not isinstance(stream, Stream):
            raise InvalidParameter(f"{owner}: expected a stream, got {type(stream).__name__}; use from_arrays(X, y)")
        check_number(owner, "rate", rate, above=0.0, below=1.0, ends="[]")
        self.stream, self.rate, self.seed = stream, rate, check_whole(owner, "seed", seed, least=0)
        self.n_attributes, self.labels, self.names = stream.n_attributes, stream.labels, stream.names
        self.source = stream.source
        self.target: Any = getattr(stream, "target", None)
        self.trials: int | None = getattr(stream, "trials", None)
        self._check()

    @abstractmethod
    def _check(self) -> None:
        """Refuse a stream to which this noise cannot be added."""

    @abstractmethod
    def _changed(self, block: Block, rng: np.random.Generator) -> Block:
        """Return the block with noise."""

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the stream's blocks, with noise."""
        rng = np.random.default_rng(self.seed)
        for block in self.stream.blocks(rows):
            yield self._changed(block, rng)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.stream!r}, rate={self.rate!r}, seed={self.seed!r})"


class LabelNoise(_Noise):
    """A stream whose labels are flipped with probability ``rate`` each; it must have two labels.

    >>> import littlestone as ls
    >>> clean = ls.teachers.Disjunction(n=100, k=5, trials=2000)
    >>> noisy = LabelNoise(clean, 0.1)
    >>> [ls.play(ls.Perceptron(), stream).mistakes for stream in (clean, noisy)]
    [225, 585]
    """

    def _check(self) -> None:
        if len(self.labels) != 2:
            raise InvalidParameter(f"LabelNoise: expected a stream of two labels, got {self.labels!r}")

    def _changed(self, block: Block, rng: np.random.Generator) -> Block:
        if block.outcomes is None:
            raise InvalidLabel("LabelNoise: expected rows with outcomes, got a block without")
        return replace(block, outcomes=block.outcomes ^ (rng.random(len(block)) < self.rate))


class AttributeNoise(_Noise):
    """A stream of Boolean rows whose attributes are flipped with probability ``rate`` each; the labels stay.

    For each row the number of flips is drawn first, so that a small rate costs little on wide sparse rows.

    >>> import littlestone as ls
    >>> clean = ls.teachers.Disjunction(n=100, k=5, trials=2000)
    >>> noisy = AttributeNoise(clean, 0.01)
    >>> [ls.play(ls.Winnow(), stream).mistakes for stream in (clean, noisy)]
    [41, 142]
    """

    def _check(self) -> None:
        if self.n_attributes is None:
            raise InvalidParameter("AttributeNoise: expected a stream that knows its number of attributes, got None")

    def _changed(self, block: Block, rng: np.random.Generator) -> Block:
        if block.values is not None:
            raise InvalidData(f"AttributeNoise: row {block.start}: expected Boolean rows, got other values")
        assert self.n_attributes is not None
        rows = []
        for r in range(len(block)):
            flips = rng.choice(self.n_attributes, rng.binomial(self.n_attributes, self.rate), replace=False)
            rows.append(np.setxor1d(block.row(r)[0], flips.astype(np.uint32), assume_unique=True))
        indptr = np.cumsum([0, *(len(row) for row in rows)])
        indices = np.concatenate(rows) if rows else np.zeros(0, dtype=np.uint32)
        return replace(block, indptr=indptr, indices=indices, n_attributes=self.n_attributes, checked=False)
