"""Known: a model as the journal knows it, also one that is not served at the moment because it cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from littlestone.service.models.served import Served
from littlestone.service.problems import Refused, missing
from littlestone.service.wire import Problem

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Known", "known", "known_by", "told_of"]


class Known(NamedTuple):
    """A model that cannot be had: its number, its name and the number of its last event."""

    id: int
    name: str
    number: int


def known(desk: Desk, name: str) -> Served | Known:
    """Return the model of a name, also one that cannot be had; refuse the request if there is none."""
    found = desk.served_by(name)
    if not isinstance(found, Problem):
        return found
    if name not in desk.broken:
        raise Refused(found)
    run = desk.journal.connection.execute
    (id,) = run("SELECT id FROM models WHERE name = ? AND removed = 0", (name,)).fetchone()  # noqa: A001
    return Known(id, name, _last(desk.journal.connection, id))


def known_by(desk: Desk, id: int) -> Served | Known:  # noqa: A002 - the word for it
    """Return the model of a number, whatever its name is now; refuse the request if it was removed."""
    sql = "SELECT name FROM models WHERE id = ? AND removed = 0"
    found = desk.journal.connection.execute(sql, (id,)).fetchone()
    if found is None:
        raise Refused(missing("the model was removed meanwhile"))
    return known(desk, found[0])


def told_of(desk: Desk, name: str) -> dict[str, Any]:
    """Return what is known of a model that cannot be had, and why that is so."""
    id, name, number = known(desk, name)  # type: ignore[misc]  # noqa: A001
    return {"name": name, "id": id, "number": number, "broken": desk.broken[name]}


def _last(connection: Any, model: int) -> int:
    """Return the number of the last event of a model; its entries may have been compacted."""
    sql = "SELECT first + count - 1 FROM entries WHERE model = ? ORDER BY first DESC, seq DESC LIMIT 1"
    entry = connection.execute(sql, (model,)).fetchone()
    (snapshot,) = connection.execute("SELECT max(number) FROM snapshots WHERE model = ?", (model,)).fetchone()
    return max(0 if entry is None else entry[0], snapshot or 0)
