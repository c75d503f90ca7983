"""Streams made of another stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from littlestone.core.errors import InvalidParameter
from littlestone.streams.base import Stream

if TYPE_CHECKING:
    from littlestone.streams.sources.opened import Source

__all__ = ["WrappedStream"]


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
    again: bool = _inner("again", "Whether it can be read again.")
    source: Source | None = _inner("source", "Where the bytes come from.")
    skipped: int = _inner("skipped", 'How many rows on_error="skip" left out of the last pass.')
    complaints: Sequence[str] = _inner("complaints", "What was wrong with the first few of them.")

    @property
    def name(self) -> str:
        """The name of the source in error messages."""
        return getattr(self.stream, "name", repr(self.stream))
