"""Compressed files: how they are recognised, opened and, when they are broken, spoken of."""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Callable
from typing import Any

from littlestone.core.errors import InvalidData
from littlestone.core.messages import install
from littlestone.streams.sources.pieces import BLOCK, Interrupted, Quiet, ended_early, sentence, waiting

__all__ = ["OPENERS", "AsItComes", "Guarded", "Joined"]

ZSTD_PIECE = 1 << 11  # compressed bytes opened at once: even a zip bomb stays below 100 MB in memory

# Files that give what is there without waiting for more; a file of a module that nobody imported is none of them
AT_ONCE = (("gzip", "GzipFile"), ("bz2", "BZ2File"), ("lzma", "LZMAFile"))


def _gives_at_once(file: Any) -> bool:
    there = (getattr(sys.modules[module], name) for module, name in AT_ONCE if module in sys.modules)
    return isinstance(file, (io.BufferedReader, *there))


class Guarded(io.RawIOBase):
    """A file whose errors name it, and which closes only what was opened here."""

    def __init__(self, name: str, file: Any, closing: list[Any], mine: Callable[[], bool] = lambda: True) -> None:
        self.name, self._file, self._closing, self._mine = name, file, closing, mine
        # What is there is taken, where we know that a file can do that, without waiting until the buffer is full.
        self._readinto = file.readinto1 if _gives_at_once(file) else getattr(file, "readinto", None)

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer with the next bytes; return how many there were."""
        if not self._mine():
            raise InvalidData(
                f"{self.name}: an open file can be read by one at a time, and another one has begun; give its path"
            )
        try:
            if self._readinto is not None:
                return int(self._readinto(buffer))
            piece = self._file.read(len(buffer))
            buffer[: len(piece)] = piece
            return len(piece)
        except _broken() as error:
            if self.ended_early:
                return 0
            raise InvalidData(sentence(self.name, error)) from None

    @property
    def ended_early(self) -> bool:
        """Whether it is a pipe of which nobody waited for the end."""
        return any(map(ended_early, (self._file, *self._closing)))

    def close(self) -> None:
        """Close what was opened here."""
        if not self.closed:
            for file in self._closing:
                file.close()
        super().close()


class Joined(io.RawIOBase):
    """Bytes read already, then the rest of a file that cannot go back: as much as there is, without waiting for more.

    If nobody wants to wait for a pipe any more, it ends where it is. ``comes`` waits for its next bytes; where it says
    that there are none, reading raises Quiet.
    """

    def __init__(self, head: bytes, file: Any, owned: bool, comes: Callable[[], bool] = lambda: True) -> None:
        self._head, self._file, self._owned, self._comes = head, file, owned, comes
        self._read = file.read1 if _gives_at_once(file) else file.read
        self._waits = not hasattr(getattr(file, "raw", file), "ended_early")  # else it is such a file that waits
        self._cut = False

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer with the next bytes; return how many there were."""
        if self._head:
            piece = self._head[: len(buffer)]
            self._head = self._head[len(piece) :]
        else:
            piece = self._waited(len(buffer)) if self._waits else self._read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def _waited(self, size: int) -> Any:
        if self._cut:
            return b""
        try:
            with waiting():
                if not self._comes():
                    raise Quiet
                return self._read(size)
        except Interrupted:
            self._cut = True
            return b""

    @property
    def ended_early(self) -> bool:
        """Whether nobody waited for the end."""
        return self._cut or ended_early(self._file)

    def close(self) -> None:
        """Close what was opened here."""
        if self._owned:
            self._file.close()
        super().close()


class AsItComes:
    """A pipe for whoever decompresses it: a long read is answered by what is there."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes: all that are asked for, if they are few, as those of a header are."""
        if size >= ZSTD_PIECE:
            return bytes(self._file.read1(size))
        found = b""
        while len(found) < size and (piece := self._patiently(size - len(found))):
            found += piece
        return found

    def _patiently(self, size: int) -> bytes:
        """Return some bytes, however long they are in coming: what has come of a header cannot be given back."""
        while True:
            try:
                return bytes(self._file.read1(size))
            except Quiet:
                continue

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Zstd(io.RawIOBase):
    """The frames of a zstd file, one after the other; unlike zstandard's own reader it notices one cut short."""

    def __init__(self, name: str, file: Any) -> None:
        self._file, self._module = file, _zstandard(name)
        self._frame: Any = None
        self._ready, self._left = b"", b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer with the next bytes; return how many there were."""
        while not self._ready:
            piece = self._left or self._file.read(ZSTD_PIECE)
            if not piece:
                if self._frame is not None:
                    raise EOFError
                return 0
            if self._frame is None:
                self._frame = self._module.ZstdDecompressor().decompressobj()
            self._ready, self._left = self._frame.decompress(piece), b""
            if self._frame.eof:
                self._left, self._frame = self._frame.unused_data, None
        piece = self._ready[: len(buffer)]
        self._ready = self._ready[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


def _gzip(_: str, file: Any) -> Any:
    from gzip import GzipFile

    return GzipFile(fileobj=file, mode="rb")


def _bzip2(_: str, file: Any) -> Any:
    from bz2 import BZ2File

    return BZ2File(file)


def _xz(_: str, file: Any) -> Any:
    from lzma import LZMAFile

    return LZMAFile(file)


# What opens a compressed file, by its suffix; most files are not, and need none of these modules
OPENERS: dict[str, Callable[[str, Any], Any]] = {
    ".gz": _gzip,
    ".bz2": _bzip2,
    ".xz": _xz,
    ".zst": lambda name, file: io.BufferedReader(_Zstd(name, file), BLOCK),
}


def _zstandard(name: str) -> Any:
    try:
        import zstandard
    except ImportError:
        raise InvalidData(
            f"{name}: zstd data need the package zstandard: {install('zstd')}; or decompress the file"
        ) from None
    return zstandard


def _broken() -> tuple[type[BaseException], ...]:
    """Return what a file that cannot be read to its end raises."""
    others = (("lzma", "LZMAError"), ("zstandard", "ZstdError"))
    there = (getattr(sys.modules[module], name) for module, name in others if module in sys.modules)
    return (EOFError, OSError, zlib.error, *there)
