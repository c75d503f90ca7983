"""The archive of a model: named arrays in one file, which is there as a whole or not at all."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.files import replacing, special
from littlestone.core.messages import Remedy

__all__ = ["DAMAGED", "Archive", "check_target", "npy", "replace_file"]

DAMAGED = "the file is damaged, or no model: take a copy of it, or train again"
MOST_MEMBERS = 1 << 14  # of a learner alone some ten; there may be a thousand learners inside
MAGIC = b"\x93NUMPY\x01\x00"
# What NumPy writes before the numbers. No text of a file is ever evaluated.
HEAD = re.compile(rb"\{'descr': '([<|][biuf][1248])', 'fortran_order': False, 'shape': \(([0-9, ]{0,80})\), \} *\n")
KINDS = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8")


def npy(array: NDArray[Any]) -> bytes:
    """Return an array as a member of the archive: NumPy's npy format, little-endian."""
    plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    if plain.dtype.str not in KINDS:
        raise InvalidParameter(f"save: expected an array of numbers, got one of {array.dtype}")
    file = io.BytesIO()
    np.lib.format.write_array(file, plain, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def replace_file(path: str | os.PathLike[str], members: Mapping[str, bytes]) -> None:
    """Write an archive, whole or not at all."""
    check_target(path)
    with replacing(path) as file, ZipFile(file, "w", ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(ZipInfo(f"{name}.npy"), data)  # no date: equal learners give equal files


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse what is no file and cannot become one: in an archive one must be able to go back."""
    what = special(path)
    if what is not None:
        raise InvalidParameter(f"save: {path}: expected the name of a file, got {what}; name another one")


class Archive:
    """A model's archive, open for reading; whatever is wrong with it is an InvalidModel."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file = Path(path).open("rb")  # noqa: SIM115 - closed by __exit__
        try:
            self._archive, self._infos = self._listed()
        except InvalidModel:
            self._file.close()
            raise
        except Exception as error:
            self._file.close()
            raise self.refusal(f"expected an npz archive, got something else ({_short(error)})") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def refusal(self, what: str, remedy: str | Remedy = DAMAGED) -> InvalidModel:
        """Return the error that names the file."""
        return InvalidModel(f"{self.path}: {what}", remedy)

    def _listed(self) -> tuple[ZipFile, dict[str, ZipInfo]]:
        archive = ZipFile(self._file)
        infos = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        if len(infos) != len(archive.infolist()) or len(infos) > MOST_MEMBERS:
            raise self.refusal(f"expected at most {MOST_MEMBERS} different arrays, got {len(archive.infolist())}")
        for name, info in infos.items():
            if info.compress_type != ZIP_STORED or info.flag_bits & 1 or info.compress_size != info.file_size:
                raise self.refusal(f"{name}: expected a member as it is, got a compressed or encrypted one")
        if sum(info.file_size for info in infos.values()) > os.fstat(self._file.fileno()).st_size:
            raise self.refusal("expected members that fit into the file, got larger ones")
        return archive, infos

    @property
    def names(self) -> set[str]:
        """The names of the arrays."""
        return set(self._infos)

    def member(self, name: str) -> bytes:
        """Return the bytes of one member."""
        if name not in self._infos:
            raise self.refusal(f"expected an array {name!r}, got none")
        try:
            return self._archive.read(self._infos[name])
        except Exception as error:
            raise self.refusal(f"{name}: it cannot be read ({_short(error)})") from error

    def array(self, name: str, data: bytes) -> NDArray[Any]:
        """Return the array in a member's bytes."""
        start = len(MAGIC) + 2
        end = start + int.from_bytes(data[start - 2 : start], "little")
        head = HEAD.fullmatch(data[start:end])
        if not data.startswith(MAGIC) or head is None or head[1].decode() not in KINDS:
            raise self.refusal(f"{name}: expected a plain array of numbers, got something else")
        dtype = np.dtype(head[1].decode())
        shape = tuple(int(size) for size in head[2].replace(b" ", b"").split(b",") if size)
        size = dtype.itemsize
        for length in shape:
            size *= length
        if len(shape) > 4 or size != len(data) - end:
            raise self.refusal(f"{name}: expected {size} bytes for {dtype} of {shape}, got {len(data) - end}")
        return np.frombuffer(data, dtype, offset=end).reshape(shape).astype(dtype.newbyteorder("="))


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:100]}" if str(error) else type(error).__name__
