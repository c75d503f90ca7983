"""The folder of a service: its lock, and what is in it."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from littlestone.core.errors import InvalidParameter

__all__ = ["Folder"]

if os.name == "posix":
    import fcntl


class Folder:
    """A folder that one service at a time works in; it is made if it is not there.

    >>> import tempfile
    >>> folder = Folder(Path(tempfile.mkdtemp()) / "data")
    >>> Folder(folder.path, patience=0.0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    littlestone.core.errors.InvalidParameter: ...data: expected a folder that no other service works in, got one that
    is locked; stop the other one, or take another folder
    >>> folder.release()
    """

    def __init__(self, path: str | os.PathLike[str], *, patience: float = 10.0) -> None:
        self.path = Path(path).absolute()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(self.path / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            self._take(patience)
        except BaseException:
            os.close(self._lock)
            raise
        self.work = self.path / "work"
        shutil.rmtree(self.work, ignore_errors=True)
        for folder in (self.work, self.path / "snapshots"):
            folder.mkdir(exist_ok=True)

    def _take(self, patience: float) -> None:
        if os.name != "posix":
            raise InvalidParameter("the service needs POSIX locks: run it on Linux or macOS")
        end = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= end:
                    problem = f"{self.path}: expected a folder that no other service works in, got one that is locked"
                    raise InvalidParameter(problem, "stop the other one", "take another folder") from None
                time.sleep(0.05)
            else:
                return

    def release(self) -> None:
        """Let another service work here."""
        if self._lock >= 0:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = -1
