"""Checksums of the bytes that were read of a file, piece by piece and in any thread: CRC-32, as gzip has it."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

__all__ = ["NOTHING", "Sum", "Summed"]

PIECE = 1 << 18  # bytes read at once: they stay in the cache
POLYNOMIAL = 0xEDB88320  # of CRC-32, the lowest power first
UNIT = 1 << 31  # x^0


class Sum(NamedTuple):
    """How many bytes were read from the beginning of a file on, and their CRC-32.

    >>> Sum().then(6, crc32(b"before")).then(5, crc32(b"after")) == Sum(11, crc32(b"beforeafter"))
    True
    """

    size: int = 0
    crc: int = 0

    def then(self, size: int, crc: int) -> Sum:
        """Return the sum of these bytes and ``size`` more, whose own sum is ``crc``."""
        return Sum(self.size + size, _times(_power(8 * size), self.crc) ^ crc if self.crc else crc)

    @classmethod
    def of(cls, path: str | Path, size: int) -> Sum:
        """Return the sum of the first ``size`` bytes of a file, of fewer if it is shorter."""
        found, crc = 0, 0
        with Path(path).open("rb", buffering=0) as file:
            while piece := file.read(min(PIECE, size - found)):
                found, crc = found + len(piece), crc32(piece, crc)
        return cls(found, crc)


NOTHING = Sum()


class Summed(io.FileIO):
    """A regular file that is read from its beginning on; ``sum`` is that of what has been read."""

    def __init__(self, path: Path) -> None:
        super().__init__(os.fspath(path))
        self.sum = NOTHING

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to the beginning, and begin anew."""
        self.sum = NOTHING
        return super().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Return some bytes."""
        piece = super().read(-1 if size is None else size)
        self._add(piece)
        return piece

    def readinto(self, buffer: Any, /) -> int:
        """Read bytes into a buffer."""
        size = super().readinto(buffer) or 0
        self._add(memoryview(buffer)[:size])
        return size

    def _add(self, piece: bytes | memoryview) -> None:
        self.sum = Sum(self.sum.size + len(piece), crc32(piece, self.sum.crc))


# The CRC-32 of a piece is its polynomial modulo that of CRC-32; to append n bits is to multiply by x^n.


def _times(one: int, other: int) -> int:
    """Multiply two polynomials."""
    product = 0
    while one:
        if one & UNIT:
            product ^= other
        one = (one << 1) & 0xFFFFFFFF
        other = (other >> 1) ^ POLYNOMIAL if other & 1 else other >> 1
    return product


def _power(n: int) -> int:
    """Return x^n."""
    power = UNIT
    for square in SQUARES:
        if n & 1:
            power = _times(power, square)
        n >>= 1
    return power


def _squares() -> list[int]:
    """Return x^1, x^2, x^4, ...: as many as a file has bits."""
    found = [UNIT >> 1]
    while len(found) < 64:
        found.append(_times(found[-1], found[-1]))
    return found


SQUARES = _squares()
