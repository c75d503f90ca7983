"""Finding: the event that has the same id as another one, wherever it is in the journal, in slices."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple

from littlestone.models.following.examples import key_of
from littlestone.service.journal.entries import Entry, decode, encode, rows_of
from littlestone.service.journal.journal import entry_at

__all__ = ["nearest"]

SLICE = 0.005  # seconds

Found = tuple[Entry, int]  # an entry, and the number of one of its events


class _Sought(NamedTuple):
    """The id of a model's event that is looked for, and the texts as which it may be written down."""

    model: int
    number: int
    id: Any
    texts: Sequence[bytes]
    later: bool


def nearest(connection: Any, start: Entry, number: int, id: Any, *, later: bool) -> Generator[None, None, Found | None]:  # noqa: A002
    """Return the next event ``later`` than one, or the last one before it, that has an id; yield after each slice.

    The database looks for the id as it is written down; only entries that have it are read. Between the end of the
    journal and the return there is no yield: nothing can come in between.
    """
    sought, place = _Sought(start.model, number, id, _texts(id), later), start.seq
    while True:
        found, ended, place = _slice(connection, sought, place)
        if found is not None:
            entry = entry_at(connection, place)
            return None if entry is None else (entry, found)
        if ended:
            return None
        yield


def _slice(connection: Any, sought: _Sought, place: int) -> tuple[int | None, bool, int]:
    """Return the event that was found, if it was, whether the end was reached, and the entry to go on with."""
    has = " OR ".join(["instr(body, ?)"] * len(sought.texts))
    body = f"CASE WHEN model = ? AND kind IN ('learn', 'ask', 'label') THEN CASE WHEN {has} THEN body END END"
    where, step = ("seq >= ? ORDER BY seq", 1) if sought.later else ("seq <= ? ORDER BY seq DESC", -1)
    sql = f"SELECT seq, first, {body} FROM entries WHERE {where}"  # noqa: S608 - of constants
    end = time.monotonic() + SLICE
    with closing(connection.execute(sql, (sought.model, *sought.texts, place))) as rows:
        for seq, first, data in rows:
            if data is not None and (numbers := list(_numbers(sought, first, bytes(data)))):
                return (numbers[0] if sought.later else numbers[-1]), False, seq
            if time.monotonic() >= end:
                return None, False, seq + step
    return None, True, place


def _numbers(sought: _Sought, first: int, body: bytes) -> Iterator[int]:
    """Yield the events of an entry that have an id, on the side that is looked at."""
    for number, row in enumerate(rows_of(body), first):
        on_side = number > sought.number if sought.later else number < sought.number
        if on_side and isinstance(row, bytes) and any(text in row for text in sought.texts):
            own = decode(row)[2]
            if own is not None and key_of(own) == key_of(sought.id):
                yield number


def _texts(id: Any) -> list[bytes]:  # noqa: A002
    r"""Return how an id may be written down: 17 and "17" are the same.

    >>> _texts(17), _texts("17") == _texts(17), _texts("m-1")
    ([b'\xa217', b'\x11'], True, [b'\xa3m-1'])
    """
    key = key_of(id)
    found = [encode(key)]
    with suppress(ValueError, OverflowError):
        if key == str(int(key)):
            found.append(encode(int(key)))
    return found
