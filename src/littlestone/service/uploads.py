"""Uploads: files on their way from the front, which writes them as they come, to the worker, which reads them.

The front makes up their names; a client has no say in them. What an earlier front has left is swept away at the start.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Upload", "copied", "path_of", "swept"]

FOLDER = "uploads"
NAME = re.compile(r"[0-9a-f]{32}")


def swept(folder: Path) -> Path:
    """Return where the uploads of a folder are, with nothing in it."""
    found = folder / FOLDER
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir(mode=0o700)
    return found


def path_of(folder: Path, name: str) -> Path | None:
    """Return the file of an upload of a folder; None: it is no name of one, or there is none.

    >>> path_of(Path("data"), "../keys.json") is None
    True
    """
    path = folder / FOLDER / name
    return path if NAME.fullmatch(name) and path.is_file() else None


def copied(uploads: Path, file: str) -> str:
    """Return the name of an upload that has what a file of this machine has."""
    with Upload(uploads, stays=True) as upload, Path(file).open("rb") as source:
        while piece := source.read(1 << 20):
            upload.write([piece])
    return upload.name


class Upload:
    """A file that is being written, for its owner only; it is there until the context ends, unless it ``stays``.

    >>> import tempfile
    >>> with Upload(Path(tempfile.mkdtemp())) as upload:
    ...     upload.write([b"some", b"thing"])
    ...     upload.done()
    ...     upload.size, upload.digest[:8], upload.path.read_bytes()
    (9, '3fc9b689', b'something')
    >>> upload.path.exists()
    False
    """

    def __init__(self, folder: Path, *, stays: bool = False) -> None:
        self.name, self._stays = secrets.token_hex(16), stays
        self.path, self.size, self._hash = folder / self.name, 0, sha256()
        self._file: Any = None

    def __enter__(self) -> Self:
        self._file = os.fdopen(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        return self

    def write(self, pieces: Sequence[bytes]) -> None:
        """Write what has come."""
        for piece in pieces:
            self._hash.update(piece)
            self._file.write(piece)
            self.size += len(piece)

    def done(self) -> None:
        """Have all of it in the file."""
        self._file.flush()

    @property
    def digest(self) -> str:
        """The SHA-256 of what was written."""
        return self._hash.hexdigest()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        finally:
            if not self._stays or error is not None:
                self.path.unlink(missing_ok=True)
