"""A growing file, followed as tail -F does: through rotations, when it is gone for a while, and when it is emptied."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from time import monotonic, sleep

from littlestone.streams.sources.pieces import Sum, waiting
from littlestone.streams.sources.rotation import History
from littlestone.streams.sources.tail import Identity, Tail, identity

__all__ = ["Following"]


class Following:
    """The files that are at a path, one after the other, and their bytes.

    The next file is begun when there is something in it: until then whoever writes may still write into the last one.
    """

    def __init__(self, name: str, path: Path, *, growing: bool, tick: float, poll: float, size: int) -> None:
        self._name, self._path, self._growing = name, path, growing
        self._tick, self._poll, self._size = tick, poll, size
        self._history = History(path)
        self._next: Tail | None = None
        self._gone = False
        self._looked: Identity | None = None  # what was at the path when it was looked at last
        self._notices: list[str] = []

    def notice(self) -> str:
        """Return what has happened, once."""
        said = "; ".join(self._notices)
        self._notices.clear()
        return f"{self._name}: {said}" if said else ""

    def missing(self) -> str:
        """Say that there is no file yet, nor one that it was before, and that it is waited for."""
        there = not self._growing or not self._path.absolute().parent.is_dir() or self._history.any()
        return "" if there else f"{self._name}: it is not there yet; waiting for it"

    def files(self, read: Sum, own: Identity | None = None) -> Generator[Tail]:
        """Yield one file after the other; the `chunks` of each are to be used up before the next is asked for.

        The first is the one that begins with what was read, and has its ``own`` identity, if that is known and such a
        file can be found; it is read on behind that.
        """
        with waiting():
            file = self._first(read, own)
        try:
            self._history.begin(file)
            while True:
                self._looked = file.identity
                yield file
                if self._next is not None:
                    file.close()
                    file, self._next = self._next, None
                elif file.changed:
                    file.rewind()
                else:
                    return
        finally:
            file.close()
            if self._next is not None:
                self._next.close()

    def chunks(self, file: Tail) -> Iterator[bytes]:
        """Yield the bytes of a file as they come, and nothing (b"") where none have come for a tick, or for a notice.

        It ends where another file is to be read next, or the same one anew.
        """
        since = monotonic()
        while True:
            if self._notices:
                yield b""
            with waiting():
                chunk = file.more(self._size)
            if chunk:
                yield chunk
                since = monotonic()
                continue
            if file.changed:
                self._begin_anew(file)
                return
            if self._next is not None:  # it was there before this reading: nobody writes into the last one any more
                self._switch(file)
                return
            with waiting():
                self._next = self._after(file)
                if self._next is None and self._growing:
                    sleep(self._poll)
            if self._next is not None:
                continue
            if not self._growing:
                if self._notices:
                    yield b""
                return
            if monotonic() - since >= self._tick:
                yield b""
                since = monotonic()

    def _first(self, read: Sum, own: Identity | None) -> Tail:
        file = self._history.go_on(read, own)
        if file is None:
            file = self._to_come()
            if read.size:
                self._notices.append(
                    f"it does not begin with what was read before; {self._path.name} is read from its beginning"
                )
        elif file.path != self._path:
            self._notices.append(f"it was rotated; {file.path.name} is read on")
        return file

    def _to_come(self) -> Tail:
        """Open the file at the path, which may be still to come."""
        while (file := Tail.at(self._path)) is None:
            if not self._growing or not self._path.absolute().parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            sleep(self._poll)
        return file

    def _after(self, file: Tail) -> Tail | None:
        """Look whether there is another file at the path by now; open the next one, if there is anything in it."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            found, size = None, 0
            if not self._gone:
                self._notices.append("it is gone; waiting for it to come back" if self._growing else "it is gone")
        else:
            found, size = identity(status), status.st_size
        self._gone = found is None
        if found == file.identity:
            self._looked = found
        elif size or found != self._looked:  # an empty one is looked at once: there may be others between
            self._looked = found
            return self._history.next(file)
        return None

    def _switch(self, file: Tail) -> None:
        assert self._next is not None
        place = self._next.path
        self._notices.append(
            f"it was {'rotated' if file.status().st_nlink else 'replaced'}; "
            f"{'the new file' if place == self._path else place.name} is read from its beginning"
        )

    def _begin_anew(self, file: Tail) -> None:
        """Find what was read of a file that has changed: in itself, or in a copy that was made before."""
        with waiting():
            self._next = self._history.find(file.sum) if file.sum.size else None
            self._history.begin(self._next or file)
        file.ended_early = self._next is not None  # what has come of a line is read again there
        if self._next is None:
            self._notices.append("it was emptied or written anew; it is read from its beginning")
        elif self._next.path != self._path:
            self._notices.append(f"it was emptied or written anew; {self._next.path.name} is read on first")
