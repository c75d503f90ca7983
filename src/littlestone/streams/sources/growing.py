"""The bytes of a live source in pieces of whole lines: of a file that grows and is rotated, or of a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.cutting import Cut, Cutter
from littlestone.streams.sources.flowing import Flow, brought_again
from littlestone.streams.sources.following import Following
from littlestone.streams.sources.opened import Source, compression, first_bytes
from littlestone.streams.sources.pieces import BLOCK, LONGEST, NOTHING, Interrupted, Sum, ended_early, sentence
from littlestone.streams.sources.quoted import Marks
from littlestone.streams.sources.rotation import SHORT
from littlestone.streams.sources.tail import Identity, Tail

__all__ = ["Piece", "Position", "live"]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a source was read: all that was given on, so that reading can go on behind it.

    ``sum`` is that of the bytes of the present file, or of the pipe, from its beginning; ``lines`` counts those of all
    files that were read. Until a line of a new file was given on, the last one is the present one. ``identity`` is that
    of the file, as long as so few bytes of it were read that another one may begin with the same.
    """

    sum: Sum = NOTHING
    lines: int = 0
    identity: Identity | None = field(default=None, compare=False)


BEGINNING = Position()


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines, each with its line feed; none (b"") where nothing has come for a while, or for a notice.

    Also none where a line was left out; ``after`` is behind it.
    """

    data: bytes
    first: int  # the number of the first line, counted over all that was read
    begins: bool  # whether that is the first line of a file, or of the pipe
    after: Position  # when this piece has been worked on
    notice: str = ""  # what happened before this piece, in one line


def live(
    source: Source, *, start: Position = BEGINNING, growing: bool = True, marks: Marks | bytes = b"",
    replay: bool = False, tick: float = 0.5, poll: float = 0.005, size: int = BLOCK,
) -> Iterator[Piece]:  # fmt: skip
    r"""Yield the bytes of a source from ``start`` on, as they come; an empty piece where none come for a ``tick``.

    A regular file is read to its end and then, if it is ``growing``, followed as tail -F does, looked at every ``poll``
    seconds: a last line that does not end waits, and a file that is not there yet is waited for. If it is rotated, it
    is read to its end, then the new one from its beginning. ``start`` may be in a file that was rotated since: it is
    looked for among those beside it. A compressed file is read once.
    A pipe is read until it ends; with ``replay`` it brings again all that was read before.
    With ``marks`` between cells no piece ends within a quoted one; as `Marks` they may change from piece to piece. A
    line that is too long is left out, and a row whose quote stays open does not keep others waiting (`Cutter`).
    Who ends the waiting (`interruptible`) ends it at a whole line.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "log.txt")
    >>> _ = path.write_bytes(b"one\ntwo\nth")
    >>> pieces = live(Source(path))
    >>> piece = next(pieces)
    >>> piece.data, piece.first, piece.begins, piece.after.lines
    (b'one\ntwo\n', 1, True, 2)
    >>> pieces.close()
    >>> [piece.data for piece in live(Source(path), start=piece.after, growing=False)]
    [b'th\n']
    """
    size = min(size, LONGEST)
    marks = Marks(marks) if isinstance(marks, bytes) else marks
    try:
        if source.path is not None and source.again and not _is_compressed(source):
            following = Following(source.name, source.path, growing=growing, tick=tick, poll=poll, size=size)
            yield from _of_files(following, source.name, start, marks)
        else:
            yield from _of_flow(Flow(source, tick=tick, size=size), source, start, marks, replay)
    except Interrupted:
        return
    except OSError as error:
        raise InvalidData(sentence(source.name, error)) from None


def _is_compressed(source: Source) -> bool:
    assert source.path is not None
    file = Tail.at(source.path)
    if file is None:  # it may have been rotated
        return False
    with file:
        return compression(source.name, first_bytes(file)) is not None


def _of_files(following: Following, name: str, start: Position, marks: Marks) -> Iterator[Piece]:
    before = start
    if said := following.missing():
        yield Piece(b"", start.lines + 1, False, start, said)
    with closing(following.files(start.sum, start.identity)) as files:
        for file in files:
            chunks = following.chunks(file)
            for piece in _pieces(
                chunks, file, name, before, file.sum, marks=marks, notice=following.notice, identity=file.identity
            ):
                if piece.after.lines >= piece.first:
                    file.sum = piece.after.sum
                before = piece.after
                yield piece


def _of_flow(flow: Flow, source: Source, start: Position, marks: Marks, replay: bool) -> Iterator[Piece]:
    chunks: Iterable[bytes] = flow
    if replay or (source.again and source.path is not None):  # a compressed file
        chunks = brought_again(flow, start.sum, source.name, flow)
    yield from _pieces(chunks, flow, source.name, start, start.sum, marks=marks)


class _Counted:
    """Chunks of bytes, and how many bytes have come."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self.size = chunks, 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.size += len(chunk)
            yield chunk


def _pieces(
    chunks: Iterable[bytes], file: Any, name: str, before: Position, read: Sum, *,
    marks: Marks, notice: Callable[[], str] = str, identity: Identity | None = None,
) -> Iterator[Piece]:  # fmt: skip
    """Yield the lines of one file, of which some bytes were read already."""
    counted, came, after, first = _Counted(chunks), read.size, before, before.lines + 1
    cutter = Cutter(marks, longest=LONGEST)
    for cuts in _cuts(cutter, counted, file):
        if cuts is None:
            yield Piece(b"", first, False, after, notice())
            continue
        for data, lines, passed in cuts:
            # A last line was given the line feed it lacks: nobody has read that, and so the position does not count it.
            real = data[: came + counted.size - read.size]
            begins, read = read.size == 0, Sum(read.size + len(real), crc32(real, read.crc))
            if not lines:  # of a line that is passed over
                continue
            after = Position(read, first - 1 + lines, identity if read.size < SHORT else None)
            said = _no_line(name, first) if passed else ""
            yield Piece(b"" if passed else data, first, begins, after, said)
            first += lines


def _cuts(cutter: Cutter, chunks: Iterable[bytes], file: Any) -> Iterator[Iterator[Cut] | None]:
    """Yield what each chunk completes, and what is left at the end; None where nothing has come."""
    for chunk in chunks:
        yield cutter.cut(chunk) if chunk else None
    if not ended_early(file):
        yield cutter.rest()


def _no_line(name: str, line: int) -> str:
    """Say that a line is too long to be one."""
    return f"{name}:{line}: expected a line of at most {LONGEST} bytes, got a longer one; it was left out"
