"""A regular file that may grow: what comes behind the bytes that were read, and whether those are still the same."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.pieces import NOTHING, Sum

__all__ = ["HEAD", "Identity", "Tail", "identity"]

HEAD = 1 << 10  # bytes at the beginning of a file by which it is known

Identity = tuple[int, int]  # device and inode


def identity(status: os.stat_result) -> Identity:
    """Return what makes a file the same one under any name."""
    return status.st_dev, status.st_ino


class Tail(io.FileIO):
    r"""A regular file, open; ``more`` gives what has come behind the bytes that were read.

    ``sum`` is that of the bytes that were given on, which whoever gives them says; ``changed`` whether the bytes that
    were read are others by now; ``ended_early`` whether a last line that does not end is none.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "log.txt")
    >>> _ = path.write_bytes(b"one\n")
    >>> with Tail(path) as file:
    ...     file.more(9), file.more(9), path.write_bytes(b"one\ntwo\n"), file.more(9), path.write_bytes(b"new\n")
    ...     file.more(9), file.changed
    (b'one\n', b'', 8, b'two\n', 4)
    (b'', True)
    """

    def __init__(self, path: Path) -> None:
        super().__init__(os.fspath(path))
        self.path = path
        self.identity = identity(os.fstat(self.fileno()))
        self.ended_early = False
        self.rewind()

    @classmethod
    def at(cls, path: Path) -> Tail | None:
        """Open the regular file at a path; None if there is nothing at all."""
        try:
            mode = path.stat().st_mode
            if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # a directory cannot be opened
                return cls(path)
        except FileNotFoundError:
            return None
        raise InvalidData(f"{path}: expected a regular file, as there was, got a pipe or a device; follow that instead")

    def rewind(self) -> None:
        """Begin anew."""
        self.sum, self._place, self.head, self.changed = NOTHING, 0, b"", False
        self._stamp = (0, 0)

    def begins(self, head: bytes) -> bool:
        """Tell whether these are its first bytes."""
        return self._at(0, len(head)) == head

    def skip(self, read: Sum) -> bool:
        """Go behind so many bytes, if they have this sum; tell whether they have."""
        if self.status().st_size < read.size:
            return False
        self.seek(0)
        if Sum.of_next(self, read.size) != read:
            return False
        self.sum, self._place, self.head = read, read.size, self._at(0, min(HEAD, read.size))
        return True

    def more(self, size: int) -> bytes:
        """Return at most so many bytes behind those that were read; none, if there are none or those have changed."""
        status = self.status()
        stamp = status.st_size, status.st_mtime_ns
        data = self._at(self._place, size) if status.st_size > self._place else b""
        if data or stamp != self._stamp:  # looked at after the reading: what was read is of the file that was begun
            self.changed = status.st_size < self._place or not self.begins(self.head)
            if self.changed:
                return b""
            self._stamp = stamp
        self._place += len(data)
        self.head += data[: HEAD - len(self.head)]
        return data

    def status(self) -> os.stat_result:
        """Return what the system says of it now."""
        return os.fstat(self.fileno())

    def _at(self, place: int, size: int) -> bytes:
        self.seek(place)
        return self.read(size) or b""
