"""The journal given away: as lines of JSON, and as a folder that another service can go on from."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.service.journal.entries import DATA, Entry, decode, rows_of
from littlestone.service.journal.journal import entries_of
from littlestone.service.journal.schema import NAME
from littlestone.service.models.replay import Amendments
from littlestone.service.models.snapshots import Snapshots, secret_of
from littlestone.service.verifying import opened

__all__ = ["backup", "export", "id_of"]


def export(folder: Path, model: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield all events of a folder, which may be in use, in order; of one model, or of all."""
    connection = opened(folder)
    try:
        names = dict(connection.execute("SELECT id, coalesce(name, '') FROM models").fetchall())
        wanted = None if model is None else id_of(connection, model)
        amendments = {id: Amendments.of(connection, id) for id in names}  # noqa: A001
        for entry in entries_of(connection, wanted):
            yield from _lines(entry, names.get(entry.model, ""), amendments[entry.model])
    finally:
        connection.close()


def id_of(connection: Any, model: str) -> int:
    """Return the number under which the journal has the model of a name, the last one of that name."""
    names = dict(connection.execute("SELECT coalesce(name, ''), id FROM models ORDER BY id").fetchall())
    if model not in names:
        raise InvalidParameter(f"journal: expected one of the models {sorted(names)}, got {model!r}")
    return int(names[model])


def _lines(entry: Entry, name: str, amendments: Amendments) -> Iterator[dict[str, Any]]:
    """Yield what an entry says, an event at a time."""
    about: dict[str, Any] = {"entry": entry.seq, "model": name, "kind": entry.kind, "time": entry.time}
    if entry.kind not in DATA or entry.body is None:
        what = None if entry.body is None else decode(rows_of(entry.body)[0])
        yield about | {"number": entry.first, "count": entry.size, "about": what}
        return
    for at, row in enumerate(rows_of(entry.body)):
        number = entry.first + at
        if not isinstance(row, bytes):
            yield about | {"number": number, "erased": True}
            continue
        x, label, id, weight = decode(row)  # noqa: A001
        line = about | {"number": number, "row": x, "label": label, "id": id, "weight": weight}
        now = amendments.applied(number, [x, label, id, weight])
        yield line if now is None or now[1] == label else line | {"corrected": now[1]}


def backup(folder: Path, target: Path) -> Path:
    """Copy a folder, which may be in use, as it is at one moment; the copy can be served.

    It has the secret that signs snapshots, and the digests of the keys: keep it as safe as the folder itself.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidParameter(f"{target}: expected a new or an empty folder, got something else")
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = opened(folder)
    copy = sqlite3.connect(target / NAME, isolation_level=None)
    try:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode=WAL").fetchall()
        (target / "secret").touch(0o600)
        (target / "secret").write_bytes(secret_of(folder))
        with suppress(FileNotFoundError):
            keys = (folder / "keys.json").read_bytes()
            (target / "keys.json").touch(0o600)
            (target / "keys.json").write_bytes(keys)
        snapshots = Snapshots(target, copy, b"")
        for model, number in copy.execute("SELECT model, number FROM snapshots").fetchall():
            path = snapshots.path(model, number)
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # one that was dropped meanwhile is not needed
                shutil.copyfile(Snapshots(folder, connection, b"").path(model, number), path)
    finally:
        connection.close()
        copy.close()
    return target
