"""Replay: a model as of an event, from a snapshot before it and what the journal says since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from littlestone.core.errors import InvalidModel
from littlestone.models.following.events import Refused
from littlestone.models.following.examples import Example, Late
from littlestone.service.journal.entries import DATA, Entry, decode, rows_of
from littlestone.service.journal.journal import entries_of, entry_at
from littlestone.service.models.served import NOBODY, Line, Served, Settings
from littlestone.service.models.snapshots import Snapshots

__all__ = ["Amendments", "Replay", "line_of", "settings_of"]

AT_ONCE = 2000  # events that are taken together


def line_of(kind: str, line: int, row: tuple[Any, ...] | list[Any]) -> Line:
    """Return a row, as it is written down, as a line of a follower."""
    x, label, id, weight = row  # noqa: A001 - the word for it
    if kind == "label":
        return Late(line, id, label)
    id = NOBODY if id is None else id  # noqa: A001
    return Example(line, id, x, weight=weight) if kind == "ask" else Example(line, id, x, label, weight)


def settings_of(connection: Any, model: int) -> tuple[str, Settings]:
    """Return the name of a model, and how it is served."""
    found = connection.execute("SELECT name, options FROM models WHERE id = ?", (model,)).fetchone()
    if found is None:
        raise InvalidModel(f"journal: expected a model number {model}, got none")
    return found[0], Settings(**decode(found[1]))


@dataclass
class Amendments:
    """What was corrected (a label, encoded) or forgotten (None), by the number of the event."""

    labels: dict[int, Any]

    @classmethod
    def of(cls, connection: Any, model: int) -> Amendments:
        """Read those of a model."""
        rows = connection.execute("SELECT number, label FROM amendments WHERE model = ?", (model,)).fetchall()
        return cls(dict(rows))

    @property
    def first(self) -> int | None:
        """The number of the first event that was amended."""
        return min(self.labels, default=None)

    def applied(self, number: int, row: list[Any]) -> list[Any] | None:
        """Return a row as it is now; None: it never was."""
        if number not in self.labels:
            return row
        label = self.labels[number]
        return None if label is None else [row[0], decode(label), *row[2:]]


class Replay:
    """Makes models again from a folder's snapshots and journal; ``alive`` is called now and then.

    What was accepted is accepted again: else the journal, or this build, is another one. Behind an event that was
    amended this need not be: a label whose example never was belongs to nothing, and changes nothing.
    """

    def __init__(self, connection: Any, snapshots: Snapshots, alive: Callable[[], None] = lambda: None) -> None:
        self.connection, self.snapshots, self.alive = connection, snapshots, alive

    def model(self, id: int, upto: int | None = None, *, scratch: bool = False) -> Served:  # noqa: A002
        """Return a model as of an event, or as it is now; from ``scratch``: as if only what is pinned were there."""
        name, settings = settings_of(self.connection, id)
        again = self._last_roll_back(id, upto)
        for one in self.snapshots.sound(id, upto):
            if again is not None and one.number < again.first:
                return self._begun_again(id, again, upto, scratch=scratch)
            if one.pinned or not scratch:
                served = self.snapshots.load(one, name, settings)
                self.forward(served, upto)
                return served
        begins = f"before event {upto:,} " if upto is not None else ""
        raise InvalidModel(f"{name}: expected a sound snapshot {begins}to begin with, got none; restore a backup")

    def _last_roll_back(self, id: int, upto: int | None) -> Entry | None:  # noqa: A002
        """Return the last entry by which a model was rolled back, up to an event: all before it is no part of it."""
        sql = "SELECT seq FROM entries WHERE model = ? AND first <= ? AND kind = 'begin' AND count > 0"
        most = (1 << 62) if upto is None else upto
        found = self.connection.execute(f"{sql} ORDER BY first DESC LIMIT 1", (id, most)).fetchone()
        return None if found is None else entry_at(self.connection, found[0])

    def _begun_again(self, id: int, entry: Entry, upto: int | None, *, scratch: bool) -> Served:  # noqa: A002
        """Return a model from where it was rolled back to: what it was before may be what cannot be made."""
        served = self.model(id, _back(entry), scratch=scratch)
        served.number = entry.first
        self.forward(served, upto)
        return served

    def forward(self, served: Served, upto: int | None = None) -> None:
        """Let a model learn what came after the last event that it has."""
        lines, done = list[Line](), served.number
        amendments = Amendments.of(self.connection, served.id)
        reached = done
        for entry in entries_of(self.connection, served.id, done, upto=upto):
            last = entry.first + entry.size - 1
            if entry.kind == "begin" and entry.size:
                self._take(served, lines, amendments)
                self._begin_again(served, entry)
            for number, line in self._lines(entry, amendments):
                if done < number and (upto is None or number <= upto):
                    lines.append(line)
            reached = max(reached, last if upto is None else min(last, upto))
            if len(lines) >= AT_ONCE:
                self._take(served, lines, amendments)
        self._take(served, lines, amendments)
        served.number = reached

    def _lines(self, entry: Entry, amendments: Amendments) -> Iterator[tuple[int, Line]]:
        """Yield the examples of an entry with their numbers; those that were forgotten are none."""
        if entry.kind not in DATA:
            return
        if entry.body is None:
            raise InvalidModel(f"journal: expected the examples of entry {entry.seq:,}, which were erased")
        if not entry.is_sound:
            raise InvalidModel(f"journal: entry {entry.seq:,} is damaged: its digest is another one; restore a backup")
        for at, row in enumerate(rows_of(entry.body)):
            number = entry.first + at
            found = amendments.applied(number, decode(row)) if isinstance(row, bytes) else None
            if found is not None:
                yield number, line_of(entry.kind, number, found)

    def _take(self, served: Served, lines: list[Line], amendments: Amendments) -> None:
        """Learn what has been collected; the lines have the numbers of their events."""
        self.alive()
        if not lines:
            return
        said = served.take(lines)
        served.number = lines[-1].line
        first = amendments.first
        for one in said:
            if isinstance(one, Refused) and (first is None or one.line < first):
                problem = f"{served.name}: event {one.line:,} was accepted once and is refused now: {one.message}"
                raise InvalidModel(problem, "the journal is damaged, or this is another build: restore a backup")
        lines.clear()

    def _begin_again(self, served: Served, entry: Entry) -> None:
        """Become what a model was rolled back to."""
        other = self.model(served.id, _back(entry))
        served.follower, served.number = other.follower, entry.first


def _back(entry: Entry) -> int:
    """Return the event to which a model was rolled back."""
    if entry.body is None:
        raise InvalidModel(f"journal: expected where entry {entry.seq:,} goes back to, which was erased")
    number: int = decode(rows_of(entry.body)[0])["back"]
    return number
