"""Stream: where examples come from, in arrival order, block by block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.parameters import check_flag

if TYPE_CHECKING:
    from littlestone.streams.sources.opened import Source

__all__ = ["ReadStream", "Stream", "complete_blocks"]

REMEMBERED = 5  # complaints that are kept, of the rows that were skipped


class Stream(ABC):
    """A sequence of examples that does not depend on who learns from it.

    ``n_attributes`` is the number of attributes where it is known, ``labels`` all labels, the negative one first,
    ``names`` the attributes' names where they have any. ``terms`` are those of a monotone DNF that all labels follow,
    where one is known: what learners of DNF are held against. ``again`` tells whether `blocks` may be called more than
    once: all but pipes can be read again. ``source`` is where its bytes come from, None for a stream that is read from
    no file. ``skipped`` counts the rows that the last pass left out, ``complaints`` says what was wrong with the first.
    """

    n_attributes: int | None = None
    labels: tuple[Any, ...] = (0, 1)
    names: Sequence[Hashable] | None = None
    terms: list[tuple[int, ...]] | None = None
    again: bool = True
    source: Source | None = None
    skipped: int = 0
    complaints: Sequence[str] = ()

    def read_as(self) -> dict[str, Any]:
        """Return the format and the options with which `open` reads another file in the same way; known once read."""
        return {}

    def fingerprint(self) -> str | None:
        """Return what tells this stream from others before it is read: None for a pipe, which nobody can read again.

        Of a file it is a digest of its size and its two ends, however it is read; of any other stream its repr. What
        was read of a file is known to the last byte by ``source.sum``, if ``source.summing`` was set before.

        >>> import littlestone as ls
        >>> ls.teachers.Disjunction(n=10, k=2).fingerprint() == ls.teachers.Disjunction(n=10, k=3).fingerprint()
        False
        """
        return repr(self) if self.source is None else self.source.fingerprint()

    @abstractmethod
    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew."""


def complete_blocks(stream: Stream, *, sized: bool = True) -> Iterator[Block]:
    """Return a stream's blocks, each with the labels and names of the stream where it has none of its own.

    So too the number of attributes, if it is to be ``sized``: a file is scanned for it, at once.
    """
    if not isinstance(stream, Stream):
        raise InvalidData(f"expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)")
    n = stream.n_attributes if sized else None
    return (
        replace(
            block,
            labels=stream.labels if block.labels is None else block.labels,
            names=stream.names if block.names is None else block.names,
            n_attributes=n if block.n_attributes is None else block.n_attributes,
        )
        for block in stream.blocks()
    )


class ReadStream(Stream):
    """A stream whose rows are read from outside, where some may be wrong, and all are known only once they are read.

    A bad row is an error or, with on_error="skip", left out and counted. The labels and the number of attributes, where
    nobody has said them, are found by `scan` when they are first asked for.
    """

    complaints: list[str]

    def __init__(
        self, name: str, source: Source | None, *, labels: tuple[Any, ...] | None, unlabelled: bool, on_error: str
    ) -> None:
        owner = type(self).__name__
        check_flag(owner, "unlabelled", unlabelled)
        if on_error not in {"raise", "skip"}:
            raise InvalidParameter(f"{owner}: on_error must be 'raise' or 'skip', got {on_error!r}")
        self.name, self.source, self.again = name, source, source is None or source.again
        self.unlabelled, self.on_error, self.given_labels = bool(unlabelled), on_error, labels
        self._labels: tuple[Any, ...] | None = None
        self._size: int | None = None
        self._forget()

    @abstractmethod
    def scan(self) -> None:
        """Find the labels and the number of attributes, for which a file is read to its end."""

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first: as given, else those of the file, which is scanned for them."""
        if self._labels is None:
            self.scan()
        return self._labels or (0, 1)

    @property
    def n_attributes(self) -> int | None:  # type: ignore[override]
        """The number of attributes: as given, else as a scan finds it; None for a pipe, which is read only once."""
        if self._size is None:
            self.scan()
        return self._size

    def _forget(self) -> None:
        """Begin to count anew what is skipped."""
        self.skipped, self.complaints = 0, []

    def _refuse(
        self, message: str, kind: type[InvalidData | InvalidLabel] = InvalidData, *, counted: bool = True
    ) -> None:
        """Raise, or skip a row and, unless it is another pass that counts, count it."""
        if self.on_error == "raise":
            raise kind(message)
        if counted:
            self.skipped += 1
            if len(self.complaints) < REMEMBERED:
                self.complaints.append(message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
