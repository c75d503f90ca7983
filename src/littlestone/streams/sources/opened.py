"""Files as streams read them: by path, from stdin or open already, plain or compressed, and errors that name them."""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.streams.sources.compressed import OPENERS, AsItComes, Guarded, Joined
from littlestone.streams.sources.pieces import BLOCK, NOTHING, Interrupted, Sum, Summed, sentence, waiting

__all__ = ["BOM", "COMPRESSED", "Source", "compression", "first_bytes", "opened", "plain_suffix", "poller", "status_of"]

END = 1 << 16  # bytes at both ends of a file that stand for it

BOM = b"\xef\xbb\xbf"  # with which some programs begin a text
COMPRESSED = {  # suffix: its name and the bytes with which such a file begins
    ".gz": ("gzip", b"\x1f\x8b"),
    ".bz2": ("bzip2", b"BZh"),
    ".xz": ("xz", b"\xfd7zXZ\x00"),
    ".zst": ("zstd", b"\x28\xb5\x2f\xfd"),
}
LONGEST_MAGIC = max(len(magic) for _, magic in COMPRESSED.values())


class Source:
    r"""Where bytes come from: a path, "-" for stdin, or a binary file that is open already.

    ``name`` is how errors call it, ``path`` where it is, of a file that was not open already, ``again`` whether it can
    be read more than once: a regular file can, a pipe cannot.
    With ``summing`` a file's bytes are summed up while they are read, which takes a quarter of a second a gigabyte;
    ``sum`` is that of the bytes from the first one on, as far as rows of them have been given to anybody.
    With ``patience``, whoever reads a pipe that brings nothing for so many seconds gets Quiet, and may ask again.

    >>> source = Source(io.BytesIO(b"1 3:1\n"))
    >>> source.again, source.open().read(), source.open().read()
    (True, b'1 3:1\n', b'1 3:1\n')
    """

    def __init__(self, source: Any) -> None:
        self._file: IO[bytes] | None = None
        self.path: Path | None = None
        self._used = False
        self._begun: io.BufferedReader | None = None
        self._turn = 0
        self._plain = True
        self.patience: float | None = None
        self.summing, self.sum = False, NOTHING
        if isinstance(source, str) and source == "-":
            self.name, self._file = "stdin", sys.stdin.buffer
        elif isinstance(source, str | Path):
            self.name, self.path = str(source), Path(source)
        elif callable(getattr(source, "read", None)) and not isinstance(source, io.TextIOBase):
            self.name, self._file = _name_of(source), source
        else:
            raise InvalidParameter(
                f"opened: expected a path, '-' for stdin or a file open for bytes (open(path, 'rb')), got {source!r}"
            )
        self._raw: Any = self._file
        self.again, self._start = self._can_again()

    @classmethod
    def of(cls, source: Any) -> Source:
        """Return a source as it is, or one of what it is made of."""
        return source if isinstance(source, Source) else cls(source)

    def first_line(self) -> bytes:
        """Return the first line that is neither blank nor a comment (#), at most 64 KiB of it; nothing is lost."""
        file = self.open()
        read = []
        for _ in range(1000):
            read.append(file.readline(1 << 16))
            if not read[-1] or read[-1].removeprefix(BOM).strip()[:1] not in {b"", b"#"}:
                break
        if self.again:
            file.close()
            if self._file is not None:
                self._file.seek(self._start)
        else:
            self._begun = io.BufferedReader(Guarded(self.name, Joined(b"".join(read), file, True), [file]), BLOCK)
        return read[-1].removeprefix(BOM)

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
            found = self._opened()
        except OSError as error:
            raise InvalidData(sentence(self.name, error)) from None
        if not self.again:
            _widen(self.descriptor())
        return found

    def _opened(self) -> io.BufferedReader:
        raw: Any = self._file
        if self.path is not None:
            raw = Summed(self.path) if self.summing and self.again else self.path.open("rb", buffering=0)
        elif self.again:
            self._turn += 1  # a reader of an earlier turn gets an error
            raw.seek(self._start)
        owned, self._raw = self.path is not None, raw
        try:
            head = first_bytes(raw, waits=not self.again)
            suffix = compression(self.name, head)
            self._plain = suffix is None
            if self.again:
                raw.seek(self._start)
            else:
                raw, owned = io.BufferedReader(Joined(head, raw, owned, self._comes), BLOCK), True
            inner = raw if suffix is None else OPENERS[suffix](self.name, raw if self.again else AsItComes(raw))
        except BaseException:
            if owned:
                raw.close()
            raise
        closing = [*([inner] if suffix is not None else []), *([raw] if owned else [])]
        turn = self._turn
        return io.BufferedReader(Guarded(self.name, inner, closing, lambda: turn == self._turn), BLOCK)

    def plain(self) -> IO[bytes] | None:
        """Return a regular file whose bytes are the text itself, open, to be read at any place; None for all else."""
        if self.path is None or not self.again or not hasattr(os, "pread"):
            return None
        try:
            raw = self.path.open("rb", buffering=0)
            try:
                text = compression(self.name, first_bytes(raw)) is None and os.fstat(raw.fileno()).st_size > 0
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

    def fingerprint(self) -> str | None:
        """Return a digest of the size and the two ends of a regular file under a path; None for all else."""
        if self.path is None or not self.path.is_file():
            return None
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            head = file.read(END)
            file.seek(max(0, size - END))
            return sha256(b"%d " % size + head + file.read(END)).hexdigest()

    def descriptor(self) -> int | None:
        """Return the number by which the system knows the open file; None if it does not.

        And None where the file is compressed: bytes that are there may not be enough for any of its text.
        """
        try:
            return int(self._raw.fileno()) if self._plain else None
        except (AttributeError, OSError, ValueError):
            return None

    @property
    def begun(self) -> bool:
        """Whether a pipe has been read from already: what it brought is waiting to be read again."""
        return self._begun is not None

    def _comes(self) -> bool:
        """Tell whether a pipe brings something before patience ends; yes, where the system cannot tell."""
        comes = None if self.patience is None else poller(self._raw)
        return comes is None or comes(self.patience or 0.0)

    def status(self) -> os.stat_result | None:
        """Return what the system says of the file, where there is one."""
        return status_of(self._file if self.path is None else self.path)

    def begins_as(self, read: Sum) -> bool:
        """Tell whether the bytes of a regular file under a path still are those that were read; of others, yes."""
        return self.path is None or not self.path.is_file() or Sum.of(self.path, read.size) == read

    def sum_all(self) -> None:
        """Sum up a file that others read, in any order, if its sum is wanted and not known yet."""
        if self.summing and self.path is not None and self.sum == NOTHING:
            self.sum = Sum.of(self.path, self.path.stat().st_size)

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
            return (self._raw.tell(), self.path.stat().st_size) if self.path is not None else None
        except (AttributeError, OSError, ValueError):  # not begun yet, or closed
            return None

    def _can_again(self) -> tuple[bool, int]:
        if self.path is not None:
            try:
                return stat.S_ISREG(self.path.stat().st_mode), 0
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


def status_of(file: Any) -> os.stat_result | None:
    """Return what the system says of a path or an open file; None if it knows nothing of it."""
    try:
        return Path(file).stat() if isinstance(file, str | Path) else os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):
        return None


def poller(file: Any) -> Callable[[float], bool] | None:
    """Return what tells whether an open file brings more, or ends, within so many seconds; None: nobody can tell."""
    try:
        poll = select.poll()
        poll.register(file, select.POLLIN | select.POLLHUP)
    except (AttributeError, OSError, TypeError, ValueError):
        return None
    return lambda seconds: bool(poll.poll(int(1000 * seconds)))


def plain_suffix(name: str) -> str:
    """Return the suffix that says the format, in lower case, below one that says the compression.

    >>> plain_suffix("data/train.CSV.gz"), plain_suffix("train.zst")
    ('.csv', '')
    """
    path = Path(name)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()


def compression(name: str, head: bytes) -> str | None:
    """Return the suffix of the compression that the first bytes show; refuse another one than the name says."""
    found = next((suffix for suffix, (_, magic) in COMPRESSED.items() if head.startswith(magic)), None)
    suffix = Path(name).suffix.lower()
    if suffix in COMPRESSED and found != suffix:
        kind = COMPRESSED[suffix][0]
        got = f"{COMPRESSED[found][0]} data" if found else f"the first bytes {head!r}" if head else "an empty file"
        raise InvalidData(f"{name}: expected {kind} data, as its suffix says, got {got}; rename the file")
    return found


def first_bytes(file: Any, *, waits: bool = False) -> bytes:
    """Return the first bytes of a file, as many as show whether it is compressed: a pipe may bring them one by one.

    Fewer, if it ``waits`` for them and nobody wants to wait any more.
    """
    head = b""
    while (size := LONGEST_MAGIC - len(head)) and _may_be_magic(head) and (piece := _next(file, size, waits)):
        if not isinstance(piece, bytes):
            raise InvalidParameter(
                f"{_name_of(file)}: expected a file of bytes (open(path, 'rb')), got one of {type(piece).__name__}"
            )
        head += piece
    return head


def _next(file: Any, size: int, waits: bool) -> Any:
    read = getattr(file, "read1", file.read)
    if not waits:
        return read(size)
    try:
        with waiting():
            return read(size)
    except Interrupted:
        return b""


def _widen(number: int | None) -> None:
    """Let a pipe hold a whole block, where the system can do that: a fast one is then read in few pieces."""
    try:
        import fcntl

        if number is not None:
            fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, BLOCK)
    except (ImportError, AttributeError, OSError):
        return


def _may_be_magic(head: bytes) -> bool:
    return any(magic.startswith(head) for _, magic in COMPRESSED.values())


def _name_of(file: Any) -> str:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else f"<{type(file).__name__}>"
