"""Erasing: what a model was taught leaves the journal in slices, each on the disk; only the digests stay.

A model of which something is still to be erased is marked in the table of models: whatever ends the service meanwhile,
the next one goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from littlestone.service.lot import FAILURES
from littlestone.service.slices import Work
from littlestone.service.wire import Gone

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["REMOVED", "TO_ERASE", "erasing", "to_erase"]

REMOVED, TO_ERASE = 1, 2  # in the table of models: removed, and with content that is still to be erased
ENTRIES, BYTES = 500, 1 << 19  # of a slice, at most


def to_erase(connection: Any) -> list[int]:
    """Return the models that were removed, and of which something is still there."""
    sql = "SELECT id FROM models WHERE removed = ? ORDER BY id"
    return [id for (id,) in connection.execute(sql, (TO_ERASE,)).fetchall()]  # noqa: A001 - the word for it


def erasing(desk: Desk, model: int, name: str) -> Work:
    """Erase what a removed model was taught; what cannot be written down now is erased later."""
    if model in desk.erasing:
        return Gone(name)
    desk.erasing.add(model)
    try:
        place = (-1, -1)
        while (found := _next(desk.journal.connection, model, place)) is not None:
            place, seqs = found
            _erase(desk, seqs)
            yield
        with desk.journal.transaction():
            desk.journal.connection.execute("UPDATE models SET removed = ? WHERE id = ?", (REMOVED, model))
        desk.truncate = True
    except FAILURES as error:
        desk.failed(error, {})
    finally:
        desk.erasing.discard(model)
    return Gone(name)


def _next(connection: Any, model: int, place: tuple[int, int]) -> tuple[tuple[int, int], list[int]] | None:
    """Return up to where the next slice goes, and its entries that have content; None: nothing is left."""
    sql = (
        "SELECT first, seq, ifnull(length(body), 0) FROM entries WHERE model = ? AND (first, seq) > (?, ?) "
        "AND kind != 'remove' ORDER BY first, seq LIMIT ?"
    )
    rows = connection.execute(sql, (model, *place, ENTRIES)).fetchall()
    seqs, size = list[int](), 0
    for first, seq, length in rows:
        if seqs and size + length > BYTES:
            break
        place = first, seq
        if length:
            seqs.append(seq)
            size += length
    return (place, seqs) if rows else None


def _erase(desk: Desk, seqs: list[int]) -> None:
    """Erase the content of some entries, and what was answered to those who sent them."""
    if not seqs:
        return
    with desk.journal.transaction():
        sql = "UPDATE entries SET body = NULL, salts = NULL WHERE seq = ?"
        desk.journal.connection.executemany(sql, [(seq,) for seq in seqs])
        desk.journal.keys.erase(seqs)
