"""Files as writers leave them: by path, compressed as the suffix says, numbers that read back exactly."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from littlestone.errors import InvalidData, InvalidParameter

__all__ = ["decimal", "written"]


@contextmanager
def written(target: Any) -> Iterator[Any]:
    """Open a path for writing, compressed if its suffix says so, or hand an open binary file through."""
    if hasattr(target, "write"):
        yield target
        return
    if not isinstance(target, str | Path):
        raise InvalidParameter(f"write: expected a path or a file open for bytes, got {target!r}")
    path = Path(target)
    suffix = path.suffix.lower()
    if suffix == ".zst":
        raise InvalidParameter(f"{path}: writing .zst is not offered; write .gz, or compress it afterwards")
    if suffix == ".gz":
        # no name and no time in it: the same rows give the same bytes
        with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0, compresslevel=6) as file:
            yield file
    elif suffix in {".bz2", ".xz"}:
        with bz2.open(path, "wb") if suffix == ".bz2" else lzma.open(path, "wb") as file:
            yield file
    else:
        with path.open("wb") as file:
            yield file


def decimal(owner: str, value: Any) -> str:
    """Return a number as text that reads back as itself, whole ones without a point.

    >>> decimal("", 1.0), decimal("", 0.1), decimal("", 1e99), decimal("", -3)
    ('1', '0.1', '1e+99', '-3')
    """
    if isinstance(value, str):
        raise InvalidData(f"{owner}: expected labels that are numbers, got {value!r}; give numbers to the classes")
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
