"""The past amended: a label corrected, an example forgotten and erased, a model rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from littlestone.core.messages import shown
from littlestone.models.following.examples import key_of
from littlestone.service.beginning import past, served_or_refused
from littlestone.service.journal.entries import DATA, Entry, decode, encode, erased, rows_of, sealed
from littlestone.service.journal.journal import Draft, entries_before, entries_of, entry_of
from littlestone.service.journal.keys import ERASE
from littlestone.service.models.served import Served
from littlestone.service.problems import Refused, conflict, gone, invalid, missing
from littlestone.service.rework import Later
from littlestone.service.wire import Amended, Correct, Forget, Made, Reply, Request, RollBack

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["REQUESTS", "act"]

REQUESTS = Correct | Forget | RollBack


def act(desk: Desk, request: Request) -> Reply | Later:
    """Do what a request asks about the past."""
    match request:
        case Correct():
            return _correct(desk, request)
        case Forget():
            return _forget(desk, request)
        case RollBack():
            return _roll_back(desk, request)
        case _:
            raise Refused(invalid(f"expected a request about the past, got {type(request).__name__}"))


def _found(desk: Desk, served: Served, number: int) -> tuple[Entry, bytes]:
    """Return the entry of an event, and the row; refuse what is not there, or no longer."""
    if type(number) is not int or not 1 <= number <= served.number:
        raise Refused(missing(f"{served.name}: expected an event from 1 to {served.number:,}, got {number}", "event"))
    entry = entry_of(desk.journal.connection, served.id, number)
    if entry is None or entry.body is None:
        raise Refused(gone(f"{served.name}: event {number:,} was compacted: it is part of the model for good"))
    if entry.kind not in DATA:
        raise Refused(invalid(f"{served.name}: expected an example, got event {number:,}, which is a {entry.kind}"))
    row = rows_of(entry.body)[number - entry.first]
    if not isinstance(row, bytes):
        raise Refused(gone(f"{served.name}: event {number:,} was forgotten"))
    return entry, row


def _stale(desk: Desk, served: Served, number: int) -> None:
    """Drop, inside of a transaction, the snapshots that know an event."""
    desk.saves.drop(served.id)
    desk.snapshots.drop(served.id, [one.number for one in desk.snapshots.of(served.id) if one.number >= number])


def _replayed(desk: Desk, served: Served, number: int) -> Amended:
    """Have the model replayed; what it was is on no disk any more."""
    desk.snapshots.sweep()
    try:
        desk.reworks.replace(served)
    except OSError as error:  # there is no room for another process
        desk.restore(served, str(error))
    return Amended(served.name, number, pending=desk.reworks.has(served.id))


def _correct(desk: Desk, request: Correct) -> Reply:
    served = served_or_refused(desk, request.model)
    entry, _ = _found(desk, served, request.number)
    if entry.kind == "ask":
        raise Refused(
            invalid(f"{served.name}: event {request.number:,} has no label; correct the one that labelled it")
        )
    if type(request.label) not in {str, int, float, bool} or served.follower.labels.code(request.label) is None:
        known = ", ".join(map(str, served.model.labels[:10]))
        expected = f"expected a label that the model knows ({known}), got {shown(request.label)}"
        raise Refused(invalid(f"{served.name}: {expected}", "label"))
    label = encode(request.label)
    with desk.journal.transaction():
        about = sealed([encode({"number": request.number, "label": request.label})])
        desk.journal.append([Draft(served.id, served.number + 1, 0, "correct", about)])
        _amend(desk, served, request.number, label)
        _stale(desk, served, request.number)
    return _replayed(desk, served, request.number)


def _amend(desk: Desk, served: Served, number: int, label: bytes | None) -> None:
    """Write down what an event is from now on; what was said of it before is erased."""
    run = desk.journal.connection.execute
    key = (served.id, number)
    before = run("SELECT seq FROM amendments WHERE model = ? AND number = ?", key).fetchone()
    if before is not None:
        run("UPDATE entries SET body = NULL, salts = NULL WHERE seq = ?", before)
    run("INSERT OR REPLACE INTO amendments VALUES (?, ?, ?, ?)", (*key, desk.journal.seq, label))


def _forget(desk: Desk, request: Forget) -> Reply:
    served = served_or_refused(desk, request.model)
    entry, row = _found(desk, served, request.number)
    numbers = [(entry, request.number)]
    id = decode(row)[2]  # noqa: A001 - the word for it
    if entry.kind == "ask":
        numbers += _labels_of(desk, served, request.number, id)
    elif id is not None:
        numbers += _asked_of(desk, served, request.number, id)
    with desk.journal.transaction():
        about = sealed([encode({"numbers": [number for _, number in numbers]})])
        desk.journal.append([Draft(served.id, served.number + 1, 0, "forget", about)])
        for one, number in numbers:
            _erase(desk, one, number - one.first)
            _amend(desk, served, number, None)
        _stale(desk, served, min(number for _, number in numbers))
    desk.truncate = True
    return _replayed(desk, served, request.number)


def _labels_of(desk: Desk, served: Served, number: int, id: Any) -> list[tuple[Entry, int]]:  # noqa: A002
    """Return the event that labelled an example which was asked, if there is one."""
    for entry in entries_of(desk.journal.connection, served.id, number):
        desk.alive()
        for at, row in enumerate(rows_of(entry.body) if entry.body is not None and entry.kind in DATA else ()):
            if isinstance(row, bytes) and entry.first + at > number and _is_of(decode(row), id):
                return [] if entry.kind == "ask" else [(entry, entry.first + at)]
    return []


def _asked_of(desk: Desk, served: Served, number: int, id: Any) -> list[tuple[Entry, int]]:  # noqa: A002
    """Return the event that asked the example which an event labelled, if there is one."""
    for entry in entries_before(desk.journal.connection, served.id, number):
        desk.alive()
        rows = rows_of(entry.body) if entry.body is not None and entry.kind in DATA else []
        for at, row in reversed(list(enumerate(rows))):
            if isinstance(row, bytes) and entry.first + at < number and _is_of(decode(row), id):
                return [(entry, entry.first + at)] if entry.kind == "ask" else []
    return []


def _is_of(row: Any, id: Any) -> bool:  # noqa: A002
    return row[2] is not None and key_of(row[2]) == key_of(id)


def _erase(desk: Desk, entry: Entry, at: int) -> None:
    """Erase a row from the journal, and from what is answered to those who ask again; its digest stays."""
    run = desk.journal.connection.execute
    body, salts = run("SELECT body, salts FROM entries WHERE seq = ?", (entry.seq,)).fetchone()
    run("UPDATE entries SET body = ?, salts = ? WHERE seq = ?", (*erased(body, salts, [at]), entry.seq))
    run(f"{ERASE} WHERE seq = ?", (entry.seq,))


def _roll_back(desk: Desk, request: RollBack) -> Reply | Later:
    served = served_or_refused(desk, request.model)
    number = past(served, request.number)

    def back(found: Served) -> Reply:
        now = served_or_refused(desk, request.model)
        if desk.reworks.has(now.id):
            raise Refused(conflict(f"{now.name}: its past was amended meanwhile; roll back again when that is done"))
        with desk.journal.transaction():
            about = sealed([encode({"how": "rolled back", "back": number})])
            desk.journal.append([Draft(now.id, now.number + 1, 1, "begin", about)])
        now.follower, now.number = found.follower, now.number + 1
        desk.changed.add(now.id)
        desk.snapshot(now)
        return Made(now.name, now.number, [f"it is as of event {number:,}"])

    return desk.reworks.past(served, number, back)
