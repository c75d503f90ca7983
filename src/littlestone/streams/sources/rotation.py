"""Logs that are rotated: the files that were at a path one after the other, under the names that they have now."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.opened import compression, first_bytes
from littlestone.streams.sources.pieces import Sum, sentence
from littlestone.streams.sources.tail import HEAD, Identity, Tail, identity

__all__ = ["SHORT", "History"]

ROTATED = re.compile(r"[._-]?\d[\d._:TZ+-]*")  # what a rotation adds to a name: .1, -20260131, .2026-01-31T23:59


SHORT = 1 << 12  # bytes at its beginning that another file may have, too: a header, or some lines of words about it


class Sibling(NamedTuple):
    """A regular file beside another one, whose name begins with the other's."""

    path: Path
    identity: Identity
    size: int
    time: int  # when it was written last
    number: int | None  # that a rotation gave it


class Candidate(NamedTuple):
    """A file that may be the one that was read; the one at the path may not be there."""

    path: Path
    identity: Identity | None = None
    number: int | None = None


class History:
    """Which files were at a path before the one that is there now.

    A file that was read, or is too old to be read, is known by its inode and its beginning: inodes are used again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Identity, bytes] = {}

    def go_on(self, read: Sum, own: Identity | None) -> Tail | None:
        """Open the file of which so much was read before a stop, behind that; None if it is not there.

        Where others may begin with the same bytes it is the one with this identity. Where none is known, as it was not
        saved by earlier versions, it is the oldest one that a rotation gave a number, so that nothing is lost.
        """
        if own is not None:
            return self._found(read, lambda there: [one for one in there if one.identity == own]) or self.find(read)
        if 0 < read.size < SHORT:
            return self._found(read, lambda there: [one for one in there if one.number is not None]) or self.find(read)
        return self.find(read)

    def find(self, read: Sum) -> Tail | None:
        """Open the file that begins with these bytes, behind them: the one at the path, or else one that was there.

        None if there is none.
        """
        return self._found(read, lambda there: there[::-1] if read.size else there[-1:])

    def _found(self, read: Sum, choose: Callable[[list[Candidate]], list[Candidate]]) -> Tail | None:
        """Open the first file of some that begins with these bytes."""
        while True:
            there = self._there()
            for candidate in choose(there):
                with suppress(PermissionError):
                    found = _behind(candidate.path, read)
                    if found is not None:
                        return found
            if self._there() == there:  # else one may have been missed that was renamed
                return None

    def any(self) -> bool:
        """Tell whether there is a file at the path, or one that may have been there."""
        return self._path.exists() or bool(_siblings(self._path))

    def _there(self) -> list[Candidate]:
        """Return what is there, the file at the path at last."""
        before = [Candidate(one.path, one.identity, one.number) for one in _siblings(self._path)]
        with suppress(FileNotFoundError):
            return [*before, Candidate(self._path, identity(self._path.stat()))]
        return [*before, Candidate(self._path)]

    def begin(self, file: Tail) -> None:
        """Say that a file is the first to be read: what was at the path before will not be read any more."""
        for sibling in _siblings(self._path):
            self._know(sibling)
            if sibling.identity == file.identity:
                return

    def next(self, file: Tail) -> Tail | None:
        """Open the file that was at the path after this one, as soon as there is one with anything in it."""
        self._known[file.identity] = file.head
        while True:
            present = Tail.at(self._path)
            later = [sibling for sibling in _siblings(self._path) if self._came_after(file, sibling)]
            if not later:
                if present is None or (present.identity != file.identity and present.status().st_size):
                    return present
                present.close()
                return None
            if present is not None:
                present.close()
            first = Tail.at(later[0].path)
            if first is not None and first.identity == later[0].identity:
                return first
            if first is not None:  # it has another name by now
                first.close()

    def _came_after(self, file: Tail, sibling: Sibling) -> bool:
        if sibling.number is None or not sibling.size or sibling.time < file.status().st_mtime_ns:
            return False
        try:
            with Tail(sibling.path) as other:
                known = self._known.get(other.identity)
                return (known is None or not other.begins(known)) and compression("", first_bytes(other)) is None
        except FileNotFoundError:
            return True  # it has another name by now, which `next` notices
        except OSError as error:
            raise InvalidData(sentence(str(sibling.path), error)) from None

    def _know(self, sibling: Sibling) -> None:
        self._known[sibling.identity] = b""
        with suppress(OSError), Tail(sibling.path) as file:  # it may have another name by now, or may not be read
            if file.identity == sibling.identity:
                file.more(HEAD)
                self._known[file.identity] = file.head


def _behind(path: Path, read: Sum) -> Tail | None:
    """Open a file behind these bytes, if it begins with them; None else."""
    file = Tail.at(path)
    if file is None:
        return None
    try:
        if file.skip(read):
            found, file = file, None
            return found
        return None
    finally:
        if file is not None:
            file.close()


def _siblings(path: Path) -> list[Sibling]:
    """Return the regular files beside a path whose names begin as its own, those that were written first at first.

    Of those that were written at the same time, as far as the system can tell, the numbers say which were first: most
    often the highest (log.2, then log.1), unless others show that they rise with time (log-20260130, log-20260131).
    """
    before, found = None, _listed(path)
    while before != (before := {one[:2] for one in found}):  # else one may be missed that is renamed just now
        found = _listed(path)
    numbered = [(one.time, one.number) for one in found if one.number is not None]
    rising = bool(numbered) and min(numbered)[0] < max(numbered)[0] and min(numbered)[1] < max(numbered)[1]
    return sorted(found, key=lambda one: (one.time, (one.number or 0) * (1 if rising else -1)))


def _listed(path: Path) -> list[Sibling]:
    found = []
    with os.scandir(path.parent) as entries:
        for entry in entries:
            if entry.name.startswith(path.name) and entry.name != path.name and entry.is_file(follow_symlinks=False):
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    rest = entry.name.removeprefix(path.name)
                    number = int(re.sub(r"\D", "", rest)) if ROTATED.fullmatch(rest) else None
                    place = path.with_name(entry.name)
                    found.append(Sibling(place, identity(status), status.st_size, status.st_mtime_ns, number))
    return found
