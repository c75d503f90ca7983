"""The past amended: a label corrected, an example forgotten and erased, a model rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.core.messages import shown
from littlestone.service.beginning import past, served_or_refused
from littlestone.service.finding import nearest
from littlestone.service.journal.entries import DATA, Entry, decode, encode, erased, rows_of, sealed
from littlestone.service.journal.journal import Draft, entry_of
from littlestone.service.known import Known, known, known_by
from littlestone.service.models.served import Served
from littlestone.service.problems import Refused, conflict, gone, invalid, missing
from littlestone.service.rework import Later
from littlestone.service.slices import Work
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


def _found(desk: Desk, served: Served | Known, number: int) -> tuple[Entry, bytes]:
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


def _stale(desk: Desk, served: Served | Known, number: int) -> None:
    """Drop, inside of a transaction, the snapshots that know an event."""
    desk.saves.drop(served.id)
    desk.snapshots.drop(served.id, [one.number for one in desk.snapshots.of(served.id) if one.number >= number])


def _replayed(desk: Desk, served: Served | Known, number: int) -> Amended:
    """Have the model replayed; what it was is on no disk any more. One that cannot be had stays as it is."""
    desk.snapshots.sweep()
    if isinstance(served, Known):
        return Amended(served.name, number, pending=False)
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


def _amend(desk: Desk, served: Served | Known, number: int, label: bytes | None) -> None:
    """Write down what an event is from now on; what was said of it before is erased."""
    run = desk.journal.connection.execute
    key = (served.id, number)
    before = run("SELECT seq FROM amendments WHERE model = ? AND number = ?", key).fetchone()
    if before is not None:
        run("UPDATE entries SET body = NULL, salts = NULL WHERE seq = ?", before)
    run("INSERT OR REPLACE INTO amendments VALUES (?, ?, ?, ?)", (*key, desk.journal.seq, label))


def _forget(desk: Desk, request: Forget) -> Reply | Later:
    model = known(desk, request.model)
    _found(desk, model, request.number)
    return desk.slices.begin(_forgetting(desk, model.id, request.number))


def _forgetting(desk: Desk, id: int, number: int) -> Work:  # noqa: A002 - the word for it
    """Forget an event, and the one that belongs to it: an example that was asked, and its label."""
    entry, row = _found(desk, known_by(desk, id), number)
    name = decode(row)[2]
    asked = entry.kind == "ask"
    other = None if name is None else (yield from nearest(desk.journal.connection, entry, number, name, later=asked))
    # What is found must be ended by the other: a label by what was asked before it, and the other way round.
    both = other is not None and (other[0].kind == "ask") is not asked
    model = known_by(desk, id)  # it may be another object now, of another name
    entry, _ = _found(desk, model, number)  # which may have been forgotten meanwhile
    numbers = [(entry, number), *([other] if both and other is not None else [])]
    with desk.journal.transaction():
        about = sealed([encode({"numbers": [number for _, number in numbers]})])
        desk.journal.append([Draft(model.id, model.number + 1, 0, "forget", about)])
        for one, at in numbers:
            _erase(desk, one, at - one.first)
            _amend(desk, model, at, None)
        _stale(desk, model, min(at for _, at in numbers))
    desk.truncate = True
    return _replayed(desk, model, number)


def _erase(desk: Desk, entry: Entry, at: int) -> None:
    """Erase a row from the journal, and from what is answered to those who ask again; its digest stays."""
    run = desk.journal.connection.execute
    body, salts = run("SELECT body, salts FROM entries WHERE seq = ?", (entry.seq,)).fetchone()
    run("UPDATE entries SET body = ?, salts = ? WHERE seq = ?", (*erased(body, salts, [at]), entry.seq))
    desk.journal.keys.erase([entry.seq])


def _roll_back(desk: Desk, request: RollBack) -> Reply | Later:
    model = known(desk, request.model)
    number = past(model, request.number)

    def back(found: Served) -> Reply:
        now = known_by(desk, model.id)
        if desk.reworks.has(now.id):
            raise Refused(conflict(f"{now.name}: its past was amended meanwhile; roll back again when that is done"))
        with desk.journal.transaction():
            about = sealed([encode({"how": "rolled back", "back": number})])
            desk.journal.append([Draft(now.id, now.number + 1, 1, "begin", about)])
        if isinstance(now, Served):
            now.follower, now.number = found.follower, now.number + 1
            now.renamed(now.name)
        else:
            found.number, now = now.number + 1, found
            desk.take_up(found)
            desk.loading.forget(found.id)
        desk.changed.add(now.id)
        desk.snapshot(now)
        return Made(now.name, now.number, [f"it is as of event {number:,}"])

    return desk.reworks.past(model, number, back)
