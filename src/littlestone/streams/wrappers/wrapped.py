"""Streams made of another stream, and `Part`: some consecutive rows of one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.streams.base import Stream

if TYPE_CHECKING:
    from littlestone.streams.formats.schema import Schema
    from littlestone.streams.sources.opened import Source

__all__ = ["Part", "WrappedStream"]


def _inner(attribute: str, doc: str) -> Any:
    """Return a property that is the one of the inner stream."""
    return property(lambda self: getattr(self.stream, attribute), doc=doc)


class WrappedStream(Stream):
    """A stream made of another one, whose labels, name and skipped rows it has."""

    def __init__(self, stream: Stream) -> None:
        if not isinstance(stream, Stream):
            raise InvalidParameter(
                f"{type(self).__name__}: expected a Stream, got {type(stream).__name__}; for files use open()"
            )
        self.stream = stream

    labels: tuple[Any, ...] = _inner("labels", "All labels, the negative one first.")
    task = _inner("task", "What the outcomes are for.")
    again: bool = _inner("again", "Whether it can be read again.")
    source: Source | None = _inner("source", "Where the bytes come from.")
    skipped: int = _inner("skipped", 'How many rows on_error="skip" left out of the last pass.')
    complaints: Sequence[str] = _inner("complaints", "What was wrong with the first few of them.")

    @property
    def zeros(self) -> bool:
        """Whether numbers of a table that are 0 have entries."""
        return self.stream.zeros

    @zeros.setter
    def zeros(self, zeros: bool) -> None:
        self.stream.zeros = zeros

    @property
    def met(self) -> tuple[Any, ...]:
        """Labels that are known before the rows are read."""
        return self.stream.met

    @met.setter
    def met(self, labels: tuple[Any, ...]) -> None:
        self.stream.met = labels

    @property
    def apart(self) -> bool:
        """Whether the labels come apart from the rows."""
        return self.stream.apart

    @apart.setter
    def apart(self, apart: bool) -> None:
        self.stream.apart = apart

    def schema(self) -> Schema | None:
        """Return how the columns of the inner stream are read."""
        return self.stream.schema()

    @property
    def name(self) -> str:
        """The name of the source in error messages."""
        return getattr(self.stream, "name", repr(self.stream))

    @name.setter
    def name(self, name: str) -> None:
        self.stream.name = name  # type: ignore[attr-defined]


class Part(WrappedStream):
    """The rows of a stream from ``start`` on: ``count`` of them, or all; names and size are those of the whole stream.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1, 0, 1])
    >>> [block.outcomes.tolist() for block in Part(stream, 1).blocks()]
    [[0, 1]]
    """

    n_attributes: int | None = _inner("n_attributes", "The number of attributes of the whole stream.")
    names: Sequence[Hashable] | None = _inner("names", "The names of the whole stream.")

    def __init__(self, stream: Stream, start: int = 0, count: int | None = None) -> None:
        super().__init__(stream)
        self.start = check_whole("Part", "start", start, least=0)
        self.count = None if count is None else check_whole("Part", "count", count, least=0)
        self.terms = stream.terms

    def read_as(self) -> dict[str, Any]:
        """Return how the whole stream is read."""
        return self.stream.read_as()

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
