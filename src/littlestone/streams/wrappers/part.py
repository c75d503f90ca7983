"""Part: some consecutive rows of a stream."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.core.parameters import check_whole
from littlestone.streams.base import Stream
from littlestone.streams.wrappers.wrapped import WrappedStream

__all__ = ["Part"]


class Part(WrappedStream):
    """The rows of a stream from ``start`` on: ``count`` of them, or all; names and size are those of the whole stream.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1, 0, 1])
    >>> [block.outcomes.tolist() for block in Part(stream, 1).blocks()]
    [[0, 1]]
    """

    def __init__(self, stream: Stream, start: int = 0, count: int | None = None) -> None:
        super().__init__(stream)
        self.start = check_whole("Part", "start", start, least=0)
        self.count = None if count is None else check_whole("Part", "count", count, least=0)
        self.terms = stream.terms

    @property
    def n_attributes(self) -> int | None:  # type: ignore[override]
        """The number of attributes of the whole stream."""
        return self.stream.n_attributes

    @property
    def names(self) -> Sequence[Hashable] | None:  # type: ignore[override]
        """The names of the whole stream."""
        return self.stream.names

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order; a stream that ends before they begin is an error."""
        before, left = self.start, self.count
        for block in self.stream.blocks(rows) if left != 0 else ():
            part = block[before:] if before else block
            before = max(0, before - len(block))
            part = part if left is None else part[:left]
            if len(part):
                yield part
            left = None if left is None else left - len(part)
            if left == 0:
                return
        if before and left != 0:
            raise InvalidData(
                f"{self.stream!r}: expected at least {self.start} examples, got {self.start - before}; "
                "is it the same stream?"
            )

    def __repr__(self) -> str:
        return f"Part({self.stream!r}, {self.start}{'' if self.count is None else f', {self.count}'})"
