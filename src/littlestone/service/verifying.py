"""Verification: what the journal of a folder proves, and whether its models are what it says."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidModel, LittlestoneError
from littlestone.service.journal.entries import BEGINNING, DATA, Entry, decode, linked, rows_of
from littlestone.service.journal.journal import entries_of
from littlestone.service.journal.schema import NAME, reader
from littlestone.service.models.build import build
from littlestone.service.models.replay import Replay, settings_of
from littlestone.service.models.snapshots import Snapshots, secret_of

__all__ = ["Verified", "opened", "verify"]


@dataclass
class Verified:
    """What was found: ``problems`` say what is wrong, ``notes`` what cannot be proved and why."""

    entries: int = 0
    events: int = 0
    erased: int = 0
    begins: int = 1  # the first entry that is there
    chain: str = ""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def opened(folder: Path) -> Any:
    """Return a connection that reads the journal of a folder; refuse a folder without one."""
    if not (folder / NAME).exists():
        raise InvalidModel(f"{folder}: expected the folder of a service, with {NAME}, got another one")
    return reader(folder)


def verify(folder: Path, *, replay: bool = False, alive: Callable[[], None] = lambda: None) -> Verified:
    """Check the chain, all digests, the numbers of the events and the snapshots of a folder, which may be in use.

    With ``replay`` each model is made anew from its beginning, and compared with its newest snapshot, byte for byte.
    """
    connection, found = opened(folder), Verified()
    try:
        _check_entries(connection, found)
        _check_amendments(connection, found)
        snapshots = Snapshots(folder, connection, secret_of(folder))
        for id, name in connection.execute("SELECT id, name FROM models WHERE removed = 0").fetchall():  # noqa: A001
            _check_snapshots(snapshots, id, name, found)
            if replay:
                _check_replay(Replay(connection, snapshots, alive), id, name, found)
    except sqlite3.Error as error:
        found.problems.append(f"the database is damaged: {error}; restore a backup")
    finally:
        connection.close()
    return found


def _check_entries(connection: Any, found: Verified) -> None:
    """Follow the chain."""
    start = connection.execute("SELECT value FROM meta WHERE name = 'start'").fetchone()
    last, chain = (0, BEGINNING) if start is None else decode(start[0])
    if last:
        found.notes.append(f"entries 1 to {last:,} were compacted: the chain is followed from there on")
    found.begins, numbers = last + 1, dict[int, int]()
    for entry in entries_of(connection, None, last):
        found.problems += [f"entry {entry.seq:,}: {problem}" for problem in _wrong(entry, last, chain, numbers)]
        found.entries += 1
        found.events += entry.size
        found.erased += _erased(entry)
        last, chain = entry.seq, entry.chain
        numbers[entry.model] = entry.first + entry.size - 1
    found.chain = chain.hex()


def _check_amendments(connection: Any, found: Verified) -> None:
    """Compare what was corrected or forgotten with the entries that say so."""
    sql = "SELECT number, label, kind, body FROM amendments JOIN entries USING (seq)"
    for number, label, kind, body in connection.execute(sql).fetchall():
        try:
            about = {} if body is None else decode(rows_of(body)[0])
        except (ValueError, TypeError, LittlestoneError):
            continue  # its digest is another one
        said = about.get("label") if kind == "correct" else None
        same = about.get("number", number) == number and number in about.get("numbers", [number])
        if not same or said != (None if label is None else decode(label)):
            found.problems.append(f"event {number:,}: expected it amended as entry says, {said!r}, got something else")


def _wrong(entry: Entry, last: int, chain: bytes, numbers: dict[int, int]) -> Iterator[str]:
    """Yield what is wrong with an entry."""
    if entry.seq != last + 1:
        yield f"expected it after entry {entry.seq - 1:,}, which is not there"
    if entry.chain != linked(chain, entry.model, entry.first, entry.size, entry.kind, entry.digest):
        yield "expected the link that follows from the entry before, got another"
    if entry.first != numbers.get(entry.model, entry.first - 1) + 1:
        yield f"expected event {numbers[entry.model] + 1:,}, got {entry.first:,}"
    if not entry.is_sound:
        yield "expected the content of which it has the digest, got another"
    elif entry.body is not None and entry.kind in DATA and len(rows_of(entry.body)) != entry.size:
        yield f"expected {entry.size:,} examples, got others"


def _erased(entry: Entry) -> int:
    """Return how many events of an entry were erased; of one that is damaged none."""
    if entry.body is None:
        return entry.size
    try:
        return sum(not isinstance(row, bytes) for row in rows_of(entry.body))
    except InvalidModel:
        return 0


def _check_snapshots(snapshots: Snapshots, id: int, name: str, found: Verified) -> None:  # noqa: A002
    several = snapshots.of(id)
    unsound = [one for one in several if not snapshots.is_sound(one)]
    found.problems += [f"{name}: the snapshot of event {one.number:,} is damaged, or not ours" for one in unsound]
    others = {one.build for one in several if one.build != build()}
    found.notes += [f"{name}: a snapshot was made with another build, {one}; a replay may differ" for one in others]
    found.models[name] = f"{len(several) - len(unsound)} sound snapshots"


def _check_replay(replay: Replay, id: int, name: str, found: Verified) -> None:  # noqa: A002
    """Make a model anew, and compare it with its newest snapshot."""
    newest = next((one for one in replay.snapshots.sound(id) if not one.pinned), None)
    try:
        if newest is None:
            made = replay.model(id, scratch=True)
            found.models[name] = f"replayed to event {made.number:,}; there is no snapshot to compare it with"
            return
        made = replay.model(id, newest.number, scratch=True)
        with tempfile.TemporaryDirectory() as folder:
            made.write(path := Path(folder) / "replayed.npz")
            saved = replay.snapshots.load(newest, *settings_of(replay.connection, id))
            saved.write(again := Path(folder) / "saved.npz")
            same = path.read_bytes() == again.read_bytes()
    except LittlestoneError as error:
        found.problems.append(f"{name}: {error}")
        return
    found.models[name] = f"replayed to event {newest.number:,}: {'the same bytes' if same else 'DIFFERENT'}"
    if not same and newest.build == build():
        found.problems.append(f"{name}: expected the model of event {newest.number:,} from its replay, got another")
    elif not same:
        found.notes.append(f"{name}: the replay differs from the snapshot of another build")
