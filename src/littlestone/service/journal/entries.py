"""Entries: what was accepted, how its rows are sealed, and the chain that runs through them.

Each row has a salt and a digest of its own, and that of an entry is made of them. So one row can be erased: its digest
stays in its place, the others are as they were, and the chain holds; what it was cannot be guessed without the salt.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from littlestone.core.errors import InvalidModel

__all__ = ["BEGINNING", "DATA", "Entry", "Key", "Sealed", "decode", "encode", "erased", "linked", "rows_of", "sealed"]

SALT = 16
BEGINNING = bytes(32)  # of the chain
DATA = ("learn", "ask", "label")  # kinds of entries with rows; the others are begin, correct, forget, remove
ERASED = 1  # the code of what stands for a row that was erased

_encoder = msgspec.msgpack.Encoder()
encode = _encoder.encode
decode = msgspec.msgpack.Decoder().decode


class Sealed(NamedTuple):
    """The rows of an entry with their salts, and the digest of all."""

    body: bytes
    salts: bytes
    digest: bytes


class Key(NamedTuple):
    """That a request is done once: its key, the digest of what was asked, and what was answered."""

    key: bytes
    request: bytes
    answer: bytes


class Entry(NamedTuple):
    """What was accepted at a time, of one request or several: ``size`` events of the model, from ``first`` on."""

    seq: int
    model: int
    first: int
    size: int
    kind: str
    body: bytes | None
    salts: bytes | None
    time: float
    digest: bytes
    chain: bytes

    @property
    def is_sound(self) -> bool:
        """Whether the digest is that of the rows, as far as they are there."""
        try:
            return self.body is None or self.salts is None or _digest(rows_of(self.body), self.salts) == self.digest
        except InvalidModel:
            return False


def sealed(rows: Sequence[bytes]) -> Sealed:
    """Seal rows, each of which is encoded already.

    >>> found = sealed([encode([1]), encode([2])])
    >>> [decode(row) for row in rows_of(found.body)], len(found.salts)
    ([[1], [2]], 32)
    """
    salts = os.urandom(SALT * len(rows))
    return Sealed(encode(rows), salts, _digest(rows, salts))


def _digest(rows: Sequence[Any], salts: bytes) -> bytes:
    return sha256(
        b"".join(
            [
                sha256(salts[at * SALT : at * SALT + SALT] + row).digest() if isinstance(row, bytes) else row.data
                for at, row in enumerate(rows)
            ]
        )
    ).digest()


def rows_of(body: bytes) -> list[Any]:
    """Return the rows of an entry, encoded; in place of one that was erased there is what is no bytes."""
    try:
        found = decode(body)
    except (ValueError, TypeError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidModel(f"journal: expected the rows of an entry, got something else ({error})") from error
    if not isinstance(found, list) or not all(isinstance(row, bytes | msgspec.msgpack.Ext) for row in found):
        raise InvalidModel("journal: expected the rows of an entry, got something else")
    return found


def erased(body: bytes, salts: bytes, places: Sequence[int]) -> tuple[bytes, bytes]:
    """Return rows and salts without some of them, of which the digests stay.

    >>> found = sealed([encode(["a secret"]), encode(["b"])])
    >>> body, salts = erased(found.body, found.salts, [0])
    >>> b"secret" in body, _digest(rows_of(body), salts) == found.digest
    (False, True)
    """
    rows, kept = rows_of(body), bytearray(salts)
    for at in places:
        if isinstance(rows[at], bytes):
            salt = slice(at * SALT, at * SALT + SALT)
            rows[at] = msgspec.msgpack.Ext(ERASED, sha256(salts[salt] + rows[at]).digest())
            kept[salt] = bytes(SALT)
    return encode(rows), bytes(kept)


def linked(before: bytes, model: int, first: int, count: int, kind: str, digest: bytes) -> bytes:
    """Return the next link of the chain."""
    return sha256(before + struct.pack(">QQQ", model, first, count) + kind.encode() + b"\0" + digest).digest()
