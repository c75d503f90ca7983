"""The arrays of a model in its file: those of which most entries are equal as the entries that differ."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.models.files._archive import Archive

__all__ = ["Kept", "packed", "stands_for", "unpacked"]

SMALL = 64  # entries below which nothing is to be gained


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
    """What is kept of an array in a file, so that it can be told whether another is the same: little, or its digest."""

    def __init__(self, archive: Archive, name: str, told: dict[str, Any], members: dict[str, str]) -> None:
        names = [f"{name}.{part}" for part in ("at", "is", "rest")] if told["sparse"] else [name]
        if not members.keys() >= set(names):
            raise archive.refusal(f"{name}: expected the arrays {names}, got none of some")
        self.names, self._name, self._shape = names, name, tuple(told["shape"])
        self._sparse, self._digest = told["sparse"], members[names[-1]]
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
