"""Snapshots: models as of an event, signed with a secret of this server, with what they were made with."""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from littlestone.core.errors import InvalidModel
from littlestone.core.files import replacing
from littlestone.service.models.build import build
from littlestone.service.models.served import Served, Settings

__all__ = ["Snapshot", "Snapshots", "secret_of", "superfluous"]

COLUMNS = "model, number, seq, pinned, digest, signature, build, time"


class Snapshot(NamedTuple):
    """What is known of a snapshot; one that is ``pinned`` cannot be made again from what was before."""

    model: int
    number: int
    seq: int
    pinned: bool
    digest: bytes
    signature: bytes
    build: str
    time: float


def secret_of(folder: Path) -> bytes:
    """Return the secret of a folder; it is made if there is none."""
    path = folder / "secret"
    if not path.exists():
        with replacing(path) as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(os.urandom(32))
    found = path.read_bytes()
    if len(found) != 32:
        raise InvalidModel(f"{path}: expected a secret of 32 bytes, got {len(found)}; restore it from a backup")
    return found


class Snapshots:
    """The snapshots of a folder; ``connection`` knows them, and only one process writes them.

    A file that is damaged, or was changed by somebody, is passed over: an older one and the journal give the same.
    """

    def __init__(self, folder: Path, connection: Any, secret: bytes) -> None:
        self.folder, self.connection, self._secret = folder / "snapshots", connection, secret

    def path(self, model: int, number: int) -> Path:
        """Return where a snapshot is, or would be."""
        return self.folder / str(model) / f"{number}.npz"

    def _signature(self, model: int, number: int, seq: int, digest: bytes, made: str) -> bytes:
        text = f"{model} {number} {seq} {digest.hex()} {made}"
        return hmac.digest(self._secret, text.encode(), "sha256")

    def write(self, served: Served) -> Path:
        """Write a model down, and see that it can be read; it is none until `add` says so."""
        path = self.path(served.id, served.number)
        path.parent.mkdir(parents=True, exist_ok=True)
        served.write(path)
        Served.read(served.id, served.name, path, served.settings, served.number)
        return path

    def adopt(self, path: Path, model: int, number: int) -> None:
        """Take a file that was written, and read, elsewhere in the folder; it is no snapshot until `add` says so."""
        target = self.path(model, number)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)

    def add(self, model: int, number: int, seq: int, *, pinned: bool = False) -> None:
        """Say, inside of a transaction, that the file of a model is its snapshot."""
        digest, made = sha256(self.path(model, number).read_bytes()).digest(), build()
        signature = self._signature(model, number, seq, digest, made)
        row = (model, number, seq, int(pinned), digest, signature, made, time.time())
        self.connection.execute(f"INSERT OR REPLACE INTO snapshots ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608

    def of(self, model: int, upto: int | None = None) -> list[Snapshot]:
        """Return those of a model, the newest first, up to a number."""
        sql = f"SELECT {COLUMNS} FROM snapshots WHERE model = ? AND number <= ? ORDER BY number DESC"  # noqa: S608
        rows = self.connection.execute(sql, (model, (1 << 62) if upto is None else upto)).fetchall()
        return [Snapshot(row[0], row[1], row[2], bool(row[3]), *row[4:]) for row in rows]

    def is_sound(self, one: Snapshot) -> bool:
        """Tell whether the file of a snapshot is the one that was written here."""
        signature = self._signature(one.model, one.number, one.seq, bytes(one.digest), one.build)
        if not hmac.compare_digest(signature, bytes(one.signature)):
            return False
        with suppress(OSError):
            return sha256(self.path(one.model, one.number).read_bytes()).digest() == bytes(one.digest)
        return False

    def sound(self, model: int, upto: int | None = None) -> Iterator[Snapshot]:
        """Yield those that are sound, the newest first, up to a number."""
        return (one for one in self.of(model, upto) if self.is_sound(one))

    def load(self, one: Snapshot, name: str, settings: Settings) -> Served:
        """Return the model of a snapshot."""
        return Served.read(one.model, name, self.path(one.model, one.number), settings, one.number)

    def drop(self, model: int, numbers: Sequence[int]) -> None:
        """Say, inside of a transaction, that some are none any more; `sweep` removes their files."""
        self.connection.executemany(
            "DELETE FROM snapshots WHERE model = ? AND number = ?", [(model, number) for number in numbers]
        )

    def sweep(self) -> None:
        """Remove all files that are no snapshots."""
        known = {(str(model), f"{number}.npz") for model, number in self.connection.execute(
            "SELECT model, number FROM snapshots")}  # fmt: skip
        for path in self.folder.glob("*/*"):
            if (path.parent.name, path.name) not in known:
                with suppress(OSError):
                    path.unlink()


def superfluous(found: Sequence[Snapshot], keep: int) -> list[int]:
    """Return the numbers of those that need not be kept, of the snapshots of a model, the newest first.

    The two newest are kept, and of the older ones fewer the older they are: so what is replayed stays in proportion.

    >>> kept = []
    >>> for number in range(1, 101):
    ...     kept = [Snapshot(1, number, 0, False, b"", b"", "", 0.0), *kept]
    ...     dropped = superfluous(kept, 6)
    ...     kept = [one for one in kept if one.number not in dropped]
    >>> [one.number for one in kept]
    [100, 99, 94, 90, 76, 62]
    """
    kept, dropped = [one.number for one in found if not one.pinned], list[int]()
    while len(kept) > keep:
        ends = [*kept[1:], 0, 0]
        closeness = {at: (kept[at - 1] - ends[at]) / (kept[0] - ends[at] + 1) for at in range(2, len(kept))}
        dropped.append(kept.pop(min(closeness, key=lambda at: (closeness[at], at), default=len(kept) - 1)))
    return dropped
