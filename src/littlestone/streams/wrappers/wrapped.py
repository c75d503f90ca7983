"""Streams made of another stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from littlestone.core.errors import InvalidParameter
from littlestone.streams.base import Stream

if TYPE_CHECKING:
    from littlestone.streams.sources.opened import Source

__all__ = ["WrappedStream"]


class WrappedStream(Stream):
    """What a stream made of another one says as that one does: labels, its name, the rows that were skipped."""

    def __init__(self, stream: Stream) -> None:
        if not isinstance(stream, Stream):
            raise InvalidParameter(
                f"{type(self).__name__}: expected a Stream, got {type(stream).__name__}; for files use open()"
            )
        self.stream = stream

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first."""
        return self.stream.labels

    @property
    def again(self) -> bool:  # type: ignore[override]
        """Whether it can be read again."""
        return self.stream.again

    @property
    def name(self) -> str:
        """How errors call the source."""
        return getattr(self.stream, "name", repr(self.stream))

    @property
    def source(self) -> Source | None:  # type: ignore[override]
        """Where the bytes come from."""
        return self.stream.source

    @property
    def skipped(self) -> int:  # type: ignore[override]
        """How many rows on_error="skip" left out of the last pass."""
        return self.stream.skipped

    @property
    def complaints(self) -> Sequence[str]:  # type: ignore[override]
        """What was wrong with the first few of them."""
        return self.stream.complaints
