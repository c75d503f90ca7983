"""Passes over a stream: labels as 0/1, columns in one order, and what was seen on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from littlestone.core.arrays import Codes
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.labels import Labels
from littlestone.core.names import aligned
from littlestone.core.vocabulary import Vocabulary
from littlestone.streams import Stream

__all__ = ["Reader"]


class Reader:
    """Reads a stream any number of times; ``n``, ``trials`` and ``largest`` are those of the last whole pass."""

    def __init__(self, owner: str, stream: Stream) -> None:
        if not isinstance(stream, Stream):
            raise InvalidData(
                f"{owner}: expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)"
            )
        self.owner, self.stream = owner, stream
        self.labels = Labels.given(stream.labels)
        self.words = Vocabulary(stream.names or ())
        self.n = stream.n_attributes or 0
        self.trials = self.largest = 0

    @property
    def names(self) -> tuple[Hashable, ...] | None:
        """The attributes' names, as far as they have been seen."""
        return tuple(self.words) or None

    def blocks(self, *, boolean: bool) -> Iterator[tuple[Block, Codes]]:
        """Yield each block with its outcomes as 0/1; with ``boolean`` refuse values other than 0 and 1."""
        self.trials = self.largest = 0
        known: Sequence[Hashable] | None = self.stream.names
        for block in self.stream.blocks():
            if block.outcomes is None:
                raise InvalidLabel(f"{self.owner}: expected blocks with outcomes, got one without")
            codes, _ = Labels.recoded(block.outcomes, block.labels or self.stream.labels, self.labels, len(block))
            if boolean:
                self._check_boolean(block)
            rows = block
            if block.names is not None and block.names is not known and block.names != known:
                rows, new = aligned(block, self.words)
                self.words.add(new)
                known = block.names if tuple(self.words)[: len(block.names)] == block.names else None
            self.trials += len(rows)
            self.largest = max(self.largest, int(np.diff(rows.indptr).max(initial=0)))
            self.n = max(self.n, rows.n_attributes or 0, rows.width, len(self.words))
            yield rows, codes

    def _check_boolean(self, block: Block) -> None:
        if block.values is None:
            return
        values = block.values[block.indptr[0] : block.indptr[-1]]
        strange = values != 1.0
        if strange.any():
            raise InvalidData(
                f"{self.owner}: {block.find(strange)}: expected 0 or 1, for attribute errors are defined on Boolean "
                f"rows, got {values[strange][0]:g}; make Boolean attributes of it first, such as x >= 0.5"
            )
