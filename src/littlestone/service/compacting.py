"""Compaction: what lies before a snapshot is dropped, and the model goes on from there for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from littlestone.service.beginning import served_or_refused
from littlestone.service.journal.entries import decode, encode, rows_of
from littlestone.service.models.served import Served
from littlestone.service.problems import Refused, conflict

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Compacted", "compact"]


@dataclass(frozen=True)
class Compacted:
    """What was dropped: the content of all events up to ``number``, and all entries up to ``entry``."""

    number: int
    entry: int

    def __str__(self) -> str:
        return (
            f"the content of events 1 to {self.number:,} was dropped: none of them can be corrected, forgotten or "
            f"replayed any more; the signed snapshot of event {self.number:,} stands for them; the chain is there from "
            f"entry {self.entry + 1:,} on"
        )


def compact(desk: Desk, model: str, before: int, *, vacuum: bool = True) -> Compacted:
    """Drop what lies before an event of a model, back to the last snapshot before it; say what remains provable."""
    served = served_or_refused(desk, model)
    if desk.reworks.has(served.id):
        raise Refused(conflict(f"{model}: its past is being replayed; compact when that is done"))
    if before > served.number and served.id in desk.changed:
        desk.snapshot(served)
    number = _place(desk, served, before)
    run = desk.journal.connection.execute
    with desk.journal.transaction():
        run("UPDATE snapshots SET pinned = 1 WHERE model = ? AND number = ?", (served.id, number))
        run("DELETE FROM snapshots WHERE model = ? AND number < ?", (served.id, number))
        run("DELETE FROM amendments WHERE model = ? AND number <= ?", (served.id, number))
        sql = "UPDATE entries SET body = NULL, salts = NULL WHERE model = ? AND first + count - 1 <= ?"
        run(sql, (served.id, number))
        entry = _drop_beginning(desk)
    desk.snapshots.sweep()
    if vacuum:
        run("VACUUM")
    desk.truncate = True
    return Compacted(number, entry)


def _place(desk: Desk, served: Served, before: int) -> int:
    """Return the event up to which all may be dropped: nothing behind it goes back to what is before it."""
    sql = "SELECT first, body FROM entries WHERE model = ? AND kind = 'begin' AND count > 0 AND body IS NOT NULL"
    rows = desk.journal.connection.execute(sql, (served.id,)).fetchall()
    backs: list[tuple[int, Any]] = [(first, decode(rows_of(body)[0])["back"]) for first, body in rows]
    for one in desk.snapshots.sound(served.id, before - 1):
        if one.number and not any(first > one.number > back for first, back in backs):
            return one.number
    problem = f"{served.name}: expected a snapshot before event {before:,} to begin with, got none that will do"
    raise Refused(conflict(f"{problem}; compact up to a later event, or save the model first", "no-snapshot"))


def _drop_beginning(desk: Desk) -> int:
    """Drop the entries at the beginning of the journal that have no content; return the last of them."""
    run = desk.journal.connection.execute
    (first,) = run("SELECT min(seq) FROM entries WHERE body IS NOT NULL").fetchone()
    last = desk.journal.seq - 1 if first is None else int(first) - 1
    found = run("SELECT seq, chain FROM entries WHERE seq <= ? ORDER BY seq DESC LIMIT 1", (last,)).fetchone()
    if found is None:
        start = run("SELECT value FROM meta WHERE name = 'start'").fetchone()
        return 0 if start is None else int(decode(start[0])[0])
    run("INSERT OR REPLACE INTO meta VALUES ('start', ?)", (encode([found[0], bytes(found[1])]),))
    run("DELETE FROM entries WHERE seq <= ?", (last,))
    return int(found[0])
