"""The archive of a model: named arrays in one file, there as a whole or not at all.

Of an array most of whose entries are equal, it has the entries that differ.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, Self
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.files import replacing, special
from littlestone.core.messages import Remedy

__all__ = ["DAMAGED", "Archive", "Kept", "check_target", "npy", "packed", "replace_file", "stands_for", "unpacked"]

DAMAGED = "the file is damaged, or no model: take a copy of it, or train again"
MOST_MEMBERS = 1 << 14  # of a learner alone some ten; there may be a thousand learners inside
SMALL = 64  # entries below which nothing is to be gained by keeping those that differ
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


def packed(name: str, array: NDArray[Any]) -> tuple[bool, dict[str, NDArray[Any]]]:
    """Return whether an array is kept as what differs, and what is kept of it.

    Each row (along the last axis) has a value for the rest: of 0, its first and its last entry that which occurs most.
    Entries are compared bit by bit.

    >>> sparse, parts = packed("w", np.r_[np.ones(500), 7.0, np.ones(499)])
    >>> sparse, {key: part.tolist() for key, part in parts.items()}
    (True, {'w.at': [500], 'w.is': [7.0], 'w.rest': [1.0]})
    """
    if array.ndim == 0 or array.size < SMALL or array.shape[-1] == 0:
        return False, {name: array}
    rows = np.ascontiguousarray(array).reshape(-1, array.shape[-1])
    if len(rows) > rows.shape[1]:  # such as pairs: one row
        rows = rows.reshape(1, -1)
    bits = rows.view(f"u{rows.dtype.itemsize}")
    rest, differs = bits[:, -1].copy(), np.empty(bits.shape, dtype=np.bool_)
    for r, row in enumerate(bits):
        candidates = {int(value): np.count_nonzero(row != value) for value in (row[-1], row[0], row.dtype.type(0))}
        rest[r] = min(candidates, key=lambda value: candidates[value])
        np.not_equal(row, rest[r], out=differs[r])
    number = np.count_nonzero(differs)
    places = np.dtype(np.uint32 if rows.size <= 1 << 32 else np.uint64)
    if number * (places.itemsize + rows.dtype.itemsize) + rest.nbytes > rows.nbytes // 2:
        return False, {name: array}
    at = np.flatnonzero(differs).astype(places)
    parts = {f"{name}.at": at, f"{name}.is": rows.ravel()[at], f"{name}.rest": rest.view(rows.dtype)}
    return True, parts


def unpacked(name: str, shape: tuple[int, ...], parts: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return the array of this shape that `packed` took apart; parts that do not fit raise ValueError.

    >>> _, parts = packed("w", np.arange(1000) // 999)
    >>> unpacked("w", (1000,), parts).sum().item()
    1
    """
    at, values, rest = (parts[f"{name}.{part}"] for part in ("at", "is", "rest"))
    size = prod(shape)
    if not at.ndim == values.ndim == rest.ndim == 1 or at.dtype.kind != "u" or values.dtype != rest.dtype:
        raise ValueError("expected positions, values and the rest, each a list")
    if len(at) != len(values) or not 1 <= len(rest) <= size or size % len(rest):
        raise ValueError("expected as many values as positions, and a rest for each row")
    if len(at) and (at[-1] >= size or (at[1:] <= at[:-1]).any()):
        raise ValueError(f"expected ascending positions below {size}")
    if rest.view(f"u{rest.dtype.itemsize}").any():
        full = np.repeat(rest, size // len(rest))
    else:
        full = np.zeros(size, dtype=rest.dtype)
    full[at] = values
    return full.reshape(shape)


def stands_for(name: str, parts: Mapping[str, NDArray[Any]], array: NDArray[Any]) -> bool:
    """Tell whether the parts of an array, which fit each other, are those of this one, bit by bit.

    >>> _, parts = packed("w", np.arange(1000) // 999)
    >>> stands_for("w", parts, np.arange(1000) // 999), stands_for("w", parts, np.zeros(1000, dtype=np.int64))
    (True, False)
    """
    at, values, rest = (parts[f"{name}.{part}"] for part in ("at", "is", "rest"))
    if array.dtype != rest.dtype:
        return False
    word = f"u{rest.dtype.itemsize}"
    rows = np.ascontiguousarray(array).view(word).reshape(len(rest), -1)
    values, rest = values.view(word), rest.view(word)
    if not np.array_equal(rows.reshape(-1)[at], values):
        return False
    # Where it differs from the rest, it does so at these places, and so nowhere else.
    found = sum(np.count_nonzero(row != usual) for row, usual in zip(rows, rest, strict=True))
    return bool(found == np.count_nonzero(values != rest[at // rows.shape[1]]))


class Kept:
    """What is kept of an array in a file, to compare another with it: the entries that differ, or a digest."""

    def __init__(self, archive: Archive, name: str, entry: dict[str, Any], members: dict[str, str]) -> None:
        names = [f"{name}.{part}" for part in ("at", "is", "rest")] if entry["sparse"] else [name]
        if not members.keys() >= set(names):
            raise archive.refusal(f"{name}: expected the arrays {names}, some are missing")
        self.names, self._name, self._shape = names, name, tuple(entry["shape"])
        self._sparse, self._digest = entry["sparse"], members[names[-1]]
        self._parts: dict[str, NDArray[Any]] = {}
        for member in names:
            data = archive.member(member)
            if sha256(data).hexdigest() != members[member]:
                raise archive.refusal(
                    f"{member}: expected an array with the digest {members[member][:16]}..., got another"
                )
            self._parts[member] = archive.array(member, data)
        self._head = data[: len(data) - self._parts[names[-1]].nbytes]

    @property
    def bytes(self) -> int:
        """How much memory the array takes."""
        return int(prod(self._shape)) * self._parts[self.names[-1]].itemsize

    def array(self) -> NDArray[Any]:
        """Return the array, once: one that was written as it is is not kept."""
        if self._sparse:
            return unpacked(self._name, self._shape, self._parts)
        return self._parts.pop(self._name).reshape(self._shape)

    def is_that_of(self, array: NDArray[Any]) -> bool:
        """Tell whether this is the same array, bit by bit."""
        if array.shape != self._shape:
            return False
        if self._sparse:
            return stands_for(self._name, self._parts, array)
        digest = sha256(self._head)
        digest.update(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).data)
        return digest.hexdigest() == self._digest
