"""Files as streams read them: by path, from stdin or open already, plain or compressed, and errors that name them."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.streams.sources.compressed import (
    BLOCK,
    COMPRESSED,
    LONGEST_MAGIC,
    OPENERS,
    Guarded,
    Joined,
    compression,
    sentence,
)
from littlestone.streams.sources.sums import NOTHING, Sum, Summed
from littlestone.streams.sources.waiting import ended_early

__all__ = [
    "LONGEST",
    "Source",
    "Sum",
    "opened",
    "plain_suffix",
    "source_of",
    "source_status",
    "status_of",
    "too_long",
    "whole_lines",
]

NEW_LINE = np.uint8(10)
LONGEST = 1 << 26  # bytes of one line: 64 MiB are surely no line of examples


class Source:
    r"""Where bytes come from: a path, "-" for stdin, or a binary file that is open already.

    ``name`` is how errors call it, ``again`` whether it can be read more than once: a regular file can, a pipe cannot.
    With ``summing`` a file's bytes are summed up while they are read, which takes a quarter of a second a gigabyte;
    ``sum`` is that of the bytes from the first one on, as far as rows of them have been given to anybody.

    >>> source = Source(io.BytesIO(b"1 3:1\n"))
    >>> source.again, source.open().read(), source.open().read()
    (True, b'1 3:1\n', b'1 3:1\n')
    """

    def __init__(self, source: Any) -> None:
        self._file: IO[bytes] | None = None
        self._path: Path | None = None
        self._used = False
        self._begun: io.BufferedReader | None = None
        self._turn = 0
        self._raw: Any = None
        self.summing, self.sum = False, NOTHING
        if isinstance(source, str) and source == "-":
            self.name, self._file = "stdin", sys.stdin.buffer
        elif isinstance(source, str | Path):
            self.name, self._path = str(source), Path(source)
        elif callable(getattr(source, "read", None)) and not isinstance(source, io.TextIOBase):
            self.name, self._file = _name_of(source), source
        else:
            raise InvalidParameter(
                f"opened: expected a path, '-' for stdin or a file open for bytes (open(path, 'rb')), got {source!r}"
            )
        self.again, self._start = self._can_again()

    def first_line(self) -> bytes:
        """Return the first line that is neither blank nor a comment (#), at most 64 KiB of it; nothing is lost."""
        file = self.open()
        read = []
        for _ in range(1000):
            read.append(file.readline(1 << 16))
            if not read[-1] or read[-1].removeprefix(b"\xef\xbb\xbf").strip()[:1] not in {b"", b"#"}:
                break
        if self.again:
            file.close()
            if self._file is not None:
                self._file.seek(self._start)
        else:
            self._begun = io.BufferedReader(Guarded(self.name, Joined(b"".join(read), file, True), [file]), BLOCK)
        return read[-1].removeprefix(b"\xef\xbb\xbf")

    def open(self) -> io.BufferedReader:
        """Return the bytes from the beginning, decompressed; what goes wrong, now or while reading, is InvalidData."""
        if self._begun is not None:
            begun, self._begun = self._begun, None
            return begun
        if self._used and not self.again:
            raise InvalidData(
                f"{self.name}: it can be read only once, and has been; give a file, or say what was to be found "
                "in it (attributes, labels)"
            )
        self._used = True
        try:
            return self._opened()
        except OSError as error:
            raise InvalidData(sentence(self.name, error)) from None

    def _opened(self) -> io.BufferedReader:
        raw: Any = self._file
        if self._path is not None:
            raw = Summed(self._path) if self.summing and self.again else self._path.open("rb", buffering=0)
        elif self.again:
            self._turn += 1  # who still reads the file from an earlier turn is told
            raw.seek(self._start)
        owned, self._raw = self._path is not None, raw
        try:
            head = _head(raw)
            suffix = compression(self.name, head)
            if self.again:
                raw.seek(self._start)
            elif head:
                raw, owned = io.BufferedReader(Joined(head, raw, owned), BLOCK), True
            inner = raw if suffix is None else OPENERS[suffix](self.name, raw)
        except BaseException:
            if owned:
                raw.close()
            raise
        closing = [*([inner] if suffix is not None else []), *([raw] if owned else [])]
        turn = self._turn
        return io.BufferedReader(Guarded(self.name, inner, closing, lambda: turn == self._turn), BLOCK)

    def plain(self) -> IO[bytes] | None:
        """Return a regular file whose bytes are the text itself, open, to be read at any place; None for all else."""
        if self._path is None or not self.again or not hasattr(os, "pread"):
            return None
        try:
            raw = self._path.open("rb", buffering=0)
            try:
                text = compression(self.name, _head(raw)) is None and os.fstat(raw.fileno()).st_size > 0
            except BaseException:
                raw.close()
                raise
        except OSError as error:
            raise InvalidData(sentence(self.name, error)) from None
        if not text:
            raw.close()
            return None
        self._raw = raw
        return raw

    @property
    def whence(self) -> Path | IO[bytes] | None:
        """The path, or the file that was open already."""
        return self._file if self._path is None else self._path

    @property
    def mark(self) -> Sum:
        """The sum of the bytes that have been read by now, of a file under a path."""
        return getattr(self._raw, "sum", NOTHING)

    def given(self, mark: Sum) -> None:
        """Say that the rows up to a mark have been given to somebody."""
        if self.summing and mark.size > self.sum.size:
            self.sum = mark

    def progress(self) -> tuple[int, int] | None:
        """Return how many bytes of a file have been read, as they are on the disk, and how many there are."""
        try:
            return (self._raw.tell(), self._path.stat().st_size) if self._path is not None else None
        except (AttributeError, OSError, ValueError):  # not begun yet, or closed
            return None

    def _can_again(self) -> tuple[bool, int]:
        if self._path is not None:
            try:
                return stat.S_ISREG(self._path.stat().st_mode), 0
            except OSError:
                return True, 0  # open says what is wrong
        try:
            seekable = bool(self._file is not None and self._file.seekable())
            return seekable, self._file.tell() if seekable and self._file is not None else 0
        except (AttributeError, OSError, ValueError):
            return False, 0


def opened(source: Any) -> io.BufferedReader:
    """Return a binary file open at its beginning, decompressed: a path, "-" for stdin, or a binary file.

    The first bytes say whether it is compressed (gzip, bzip2, xz, zstd), under any name; a suffix .gz, .bz2, .xz or
    .zst on a file that does not begin so is an error. What follows the end of bzip2 or xz data and is no further
    stream is ignored, as those programs do. All errors, also of a file that ends too early, are InvalidData with the
    file's name.

    >>> import gzip
    >>> opened(io.BytesIO(gzip.compress(b"1 3:1"))).read()
    b'1 3:1'
    """
    return Source(source).open()


def source_of(stream: Any) -> Any:
    """Return where the bytes of a stream come from: a Source, a path or a file; None where there are none.

    A stream of a stream (`Hashed`, `Pairs`, `Part`) is asked for what it is made of.
    """
    while getattr(stream, "_source", None) is None and getattr(stream, "stream", None) is not None:
        stream = stream.stream
    return getattr(stream, "_source", None)


def source_status(stream: Any) -> os.stat_result | None:
    """Return what the system says of the file that a stream is read from, where there is one."""
    source = source_of(stream)
    return status_of(source.whence if isinstance(source, Source) else source)


def status_of(file: Any) -> os.stat_result | None:
    """Return what the system says of a path or an open file; None if it knows nothing of it."""
    try:
        return Path(file).stat() if isinstance(file, str | Path) else os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):
        return None


def plain_suffix(name: str) -> str:
    """Return the suffix that says the format, in lower case, below one that says the compression.

    >>> plain_suffix("data/train.CSV.gz"), plain_suffix("train.zst")
    ('.csv', '')
    """
    path = Path(name)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()


def whole_lines(
    file: IO[bytes], size: int = BLOCK, *, longest: int = LONGEST, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    r"""Yield blocks of about ``size`` bytes, each of whole lines, with the number of its first line.

    Every line ends in a line feed, also a last one that had none, unless nobody waited for its end. A line of more
    than ``longest`` bytes is an error.

    >>> list(whole_lines(io.BytesIO(b"one\ntwo\nthree"), 5))
    [(1, b'one\n'), (2, b'two\n'), (3, b'three\n')]
    """
    size = min(size, longest)  # so that only a line begun in an earlier block can be too long
    line, begun, length = first, [b""], 0
    while chunk := file.read(size):
        cut = chunk.rfind(b"\n") + 1
        head = chunk.find(b"\n") if cut else len(chunk)
        if length + head > longest:
            raise too_long(getattr(file, "name", "file"), line, longest)
        if not cut:
            begun.append(chunk)
            length += len(chunk)
            continue
        block = b"".join((*begun, chunk[:cut]))
        yield line, block
        line += int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == NEW_LINE))  # bytes.count is slow
        begun, length = [chunk[cut:]], len(chunk) - cut
    if length and not ended_early(file):
        yield line, b"".join((*begun, b"\n"))


def too_long(name: str, line: int, longest: int) -> InvalidData:
    """Return what is said of a line that is too long."""
    return InvalidData(
        f"{name}:{line}: expected a line of at most {longest} bytes, got a longer one; is it a text file?"
    )


def _head(file: Any) -> bytes:
    """Return the first bytes of a file, fewer than asked for only at its end: a pipe may bring them one by one."""
    head = b""
    while len(head) < LONGEST_MAGIC and (piece := file.read(LONGEST_MAGIC - len(head))):
        if not isinstance(piece, bytes):
            raise InvalidParameter(
                f"{_name_of(file)}: expected a file of bytes (open(path, 'rb')), got one of {type(piece).__name__}"
            )
        head += piece
    return head


def _name_of(file: Any) -> str:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else f"<{type(file).__name__}>"
