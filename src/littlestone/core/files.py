"""The one way to write a file: whole or not at all, and what was there stays what it was.

A regular file, or one that is not there yet, is written beside its place, flushed to the disk and renamed; it keeps its
permissions, and a link to it goes on pointing to it. What is no regular file (a pipe, a device, /dev/stdout) is
written as it is.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

POSIX = os.name == "posix"  # elsewhere nothing is locked, and nothing that others left is removed
if POSIX:
    import fcntl

__all__ = ["Draft", "clear", "drafted", "replacing", "special"]

OPEN_FILES = re.compile(r"/proc/(\d+)(?:/task/\d+)?/fd|/dev/fd")  # folders whose entries are open files
MOST_LINKS = 40
BINARY = getattr(os, "O_BINARY", 0)
KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)  # fmt: skip


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a binary file whose bytes appear under ``path`` all together; after an error the old ones are still there.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "file"
    >>> with replacing(path) as file:
    ...     _ = file.write(b"whole")
    >>> path.read_bytes()
    b'whole'
    """
    with drafted(path) as draft:
        yield draft.file
        draft.finish()
        draft.place()
        draft.settle()


@contextmanager
def drafted(path: str | os.PathLike[str]) -> Iterator[Draft]:
    """Give the draft of a file, to be written, finished and placed; nothing is left of one that was not placed."""
    target, number = _followed(Path(path))
    if number is not None:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()  # what was printed before comes before
        draft = Draft(os.dup(number))
    elif (what := special(target)) == "a folder":
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    elif what is not None:
        draft = Draft(os.open(target, os.O_WRONLY | BINARY))
    else:
        clear(target)
        draft = _Beside(target)
    try:
        yield draft
    finally:
        draft.discard()


def special(path: str | os.PathLike[str]) -> str | None:
    """Say what is under a path, if it is there and no regular file; /dev/stdout and the like never are one.

    >>> import tempfile
    >>> special(tempfile.mkdtemp()), special("/nowhere/at/all")
    ('a folder', None)
    """
    target, _ = _followed(Path(path))
    if OPEN_FILES.fullmatch(str(target.parent)):
        return "an open file"
    before = _status(target)
    return next((what for is_one, what in KINDS if before is not None and is_one(before.st_mode)), None)


def clear(path: str | os.PathLike[str]) -> None:
    """Remove what processes that are no more left half-written beside a file: what nobody has locked."""
    target, _ = _followed(Path(path))
    beginning, part = _beginning(target), re.compile(r"[0-9a-f]{16}\.part")
    if not POSIX:
        return
    with suppress(OSError), os.scandir(target.parent) as entries:
        for name in (entry.name for entry in entries if entry.name.startswith(beginning)):
            if part.fullmatch(name, len(beginning)):
                _remove_unlocked(target.with_name(name))


class Draft:
    """A file on its way to its place. This one is there already: all that is written to ``file`` is written."""

    def __init__(self, handle: int) -> None:
        self.file: IO[bytes] = os.fdopen(handle, "wb")

    def finish(self) -> None:
        """Have all bytes on the disk, but not under the name yet."""
        self.file.flush()

    def place(self) -> None:
        """Give the file its name."""
        self.file.close()

    def settle(self) -> None:
        """Have the name on the disk, too."""

    def discard(self) -> None:
        """Leave nothing of what was not placed."""
        with suppress(OSError):
            self.file.close()


class _Beside(Draft):
    """A new file in the folder of the one that it is to replace; it is locked as long as it has a writer."""

    def __init__(self, target: Path) -> None:
        self._target, self._before = target, _status(target)
        self._part: Path | None = None
        try:
            self._begin()
        except BaseException:
            self._unlink()
            raise

    def _begin(self) -> None:
        # A new file has the usual permissions; one that replaces another is nobody else's until it has the other's.
        mode = 0o666 if self._before is None else 0o600
        while True:
            self._part = self._target.with_name(f"{_beginning(self._target)}{os.urandom(8).hex()}.part")
            super().__init__(os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_RDWR | BINARY, mode))
            if not POSIX:
                return
            with suppress(OSError):  # a file system without locks
                fcntl.flock(self.file, fcntl.LOCK_EX)
            if os.fstat(self.file.fileno()).st_nlink:
                return
            self.file.close()  # before it was locked, somebody took it for one that was left: another one

    def finish(self) -> None:
        super().finish()
        os.fsync(self.file.fileno())
        if self._before is not None and self._part is not None:
            kept = _same_owner(self._part, self._before)
            self._part.chmod(stat.S_IMODE(self._before.st_mode) & (0o7777 if kept else 0o777))

    def place(self) -> None:
        if not POSIX:
            self.file.close()  # elsewhere an open file cannot be renamed; here it is locked until it is
        assert self._part is not None
        self._part.replace(self._target)
        self._part = None
        self.file.close()

    def settle(self) -> None:
        with suppress(OSError):  # not every system can flush a folder
            handle = os.open(self._target.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def discard(self) -> None:
        super().discard()
        self._unlink()

    def _unlink(self) -> None:
        if self._part is not None:
            self._part.unlink(missing_ok=True)
            self._part = None


def _followed(path: Path) -> tuple[Path, int | None]:
    """Return the path behind all links, and the number if it is that of an open file of this process."""
    for _ in range(MOST_LINKS):
        folder = os.path.realpath(path.parent)
        path, files = Path(folder, path.name), OPEN_FILES.fullmatch(folder)
        if files is not None:
            mine = path.name.isdecimal() and files[1] in {None, str(os.getpid())}
            return path, int(path.name) if mine else None
        if not path.is_symlink():
            return path, None
        path = Path(folder, path.readlink())
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _beginning(target: Path) -> str:
    """Return what the names of drafts begin with; shorter than that of a file with the longest name there may be."""
    return f".{os.fsdecode(os.fsencode(target.name)[:200])}."


def _remove_unlocked(part: Path) -> None:
    with suppress(OSError):  # it is locked, or gone
        handle = os.open(part, os.O_RDWR)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()
        finally:
            os.close(handle)


def _same_owner(part: Path, before: os.stat_result) -> bool:
    """Give a file the owner of another, or at least its group; tell whether it has both."""
    now = part.stat()
    if not POSIX or (now.st_uid, now.st_gid) == (before.st_uid, before.st_gid):
        return True
    for owner in (before.st_uid, -1):
        with suppress(OSError):
            os.chown(part, owner, before.st_gid)
            return owner != -1
    return False
