"""Desk: does what requests ask, group by group: all of a group is on the disk before any of it is answered."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

from littlestone.core.errors import LittlestoneError
from littlestone.models.following.examples import Example, Late
from littlestone.service import amending, beginning
from littlestone.service.folder import Folder
from littlestone.service.journal.journal import Journal
from littlestone.service.journal.schema import NAME, Connect, connect
from littlestone.service.loading import Loading
from littlestone.service.lot import FAILURES, Lot, Write
from littlestone.service.memory import no_room
from littlestone.service.models.build import build
from littlestone.service.models.replay import Replay
from littlestone.service.models.served import Line, Served
from littlestone.service.models.snapshots import Snapshots, secret_of, superfluous
from littlestone.service.options import Options
from littlestone.service.problems import Refused, missing, unavailable, unexpected
from littlestone.service.reading import explained, predicted
from littlestone.service.rework import Later, Reworks
from littlestone.service.saving import Saves
from littlestone.service.wire import (
    Ask,
    Describe,
    Described,
    Explain,
    Health,
    Healthy,
    Label,
    Learn,
    Predict,
    Problem,
    Reply,
    Request,
)  # fmt: skip

__all__ = ["Desk"]

READING = Predict | Explain | Describe | Health
LEARNING = Learn | Ask | Label
SAVES = 2  # models that are written down at a time


class Desk:
    """The models of a folder, and all that may be asked of them; what it says was done is on the disk.

    ``alive`` is called now and then while something takes long.

    >>> import tempfile
    >>> from littlestone.service.wire import Create
    >>> with Desk(tempfile.mkdtemp()) as desk:
    ...     made, learned = desk.handle([
    ...         Create("spam", "winnow", labels=["ham", "spam"], attributes=100),
    ...         Learn("spam", [{"win": 1}, {"lunch": 1}], ["spam", "ham"], once="key-1"),
    ...     ])
    ...     learned.first, learned.count, desk.handle([Predict("spam", [{"win": 1}])])[0].after
    (1, 2, 2)
    """

    def __init__(
        self, folder: str | os.PathLike[str], options: Options | None = None, *, opened: Connect = connect,
        alive: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.options, self.alive = options or Options(), alive
        self.folder = Folder(folder, patience=self.options.lock)
        try:
            self._opened = opened
            self._open()
            self.served: dict[str, Served] = {}
            self.broken: dict[str, str] = {}  # models that cannot be had at the moment, and why
            self.loading = Loading(self.folder.path, self.options.memory)
            self.changed = set[int]()  # the models that have learned since their last snapshot
            self.stuck: str | None = None  # why nothing can be learned
            self.truncate = False  # whether something that was erased may still be in the log of the database
            self._tried = self._last_tick = time.monotonic()
            self._snapped: dict[int, tuple[int, float]] = {}
            self.reworks, self.saves = Reworks(self), Saves(self)
            self._begin()
        except BaseException:
            self.folder.release()
            raise

    def _open(self) -> None:
        path, options = self.folder.path, self.options
        self.journal = Journal(self._opened(path / NAME), window=options.window, synchronous=options.synchronous)
        self.secret = secret_of(path)
        self.snapshots = Snapshots(path, self.journal.connection, self.secret)
        self.replay = Replay(self.journal.connection, self.snapshots, self.alive)

    def _begin(self) -> None:
        self.snapshots.sweep()
        self._truncated()
        for id, name in self._names().items():  # noqa: A001 - the word for it
            if (reason := self.loading.aside(id)) is not None:
                self.broken[name] = reason
                continue
            try:
                with self.loading.of(id):
                    self.take_up(self.replay.model(id))
            except (LittlestoneError, OSError) as error:
                self.broken[name] = str(error)

    def _names(self) -> dict[int, str]:
        sql = "SELECT id, name FROM models WHERE removed = 0 ORDER BY id"
        return dict(self.journal.connection.execute(sql).fetchall())

    def take_up(self, served: Served) -> None:
        """Serve a model, from now on, under its name."""
        self.served[served.name] = served
        self.broken.pop(served.name, None)
        newest = next(iter(self.snapshots.of(served.id)), None)
        self._snapped[served.id] = (0 if newest is None else newest.number, time.monotonic())
        if newest is not None and newest.build != build():
            served.alarms.append(
                "its last snapshot was made with another build: a replay of what was before may differ"
            )
        if newest is None or served.number > newest.number:
            self.changed.add(served.id)

    # Requests

    def handle(self, requests: Sequence[Request | Problem]) -> list[Reply]:
        """Do what is asked, and wait for it."""
        return [self.wait(one) if isinstance(one, Later) else one for one in self.take(requests)]

    def wait(self, later: Later) -> Reply:
        """Wait for what another process does."""
        while later.reply is None:
            self.reworks.poll()
            time.sleep(0.005)
        return later.reply

    def take(self, requests: Sequence[Request | Problem]) -> list[Reply | Later]:
        """Do what is asked, in order; what takes long is replied later."""
        found: list[Reply | Later] = []
        some: list[LEARNING | READING] = []
        for request in requests:
            if isinstance(request, LEARNING | READING) and not _is_of_past(request):
                some.append(request)
                continue
            found += self._group(some)
            some = []
            found.append(request if isinstance(request, Problem) else self._act(request))
        return found + self._group(some)

    def _group(self, requests: list[LEARNING | READING]) -> list[Reply | Later]:
        """Learn what is to be learned, in one commit; then answer all."""
        if not requests:
            return []
        if self.broken:
            self.stuck_now()  # what could not be had may be there again
        lot = Lot(self)
        taken: list[Any] = [lot.add(one) if isinstance(one, LEARNING) else one for one in requests]
        lot.run()
        asked: dict[tuple[str, str | None], list[int]] = {}
        for at, one in enumerate(taken):
            if isinstance(one, Write):
                taken[at] = one.reply
            elif isinstance(one, Predict):
                asked.setdefault((one.model, one.shadow), []).append(at)
            elif isinstance(one, READING):
                taken[at] = self._read(one)
        for (model, shadow), places in asked.items():
            rows = [taken[at].rows for at in places]
            for at, reply in zip(places, self._predicted(model, shadow, rows), strict=True):
                taken[at] = reply
        return taken

    def _predicted(self, model: str, shadow: str | None, rows: list[Any]) -> list[Reply]:
        served = self.served_by(model)
        if isinstance(served, Problem):
            return [served] * len(rows)
        limits, alive = self.options.limits, self.alive
        found = predicted(served, rows, limits, alive)
        if shadow is None:
            return list(found)
        beside = self.served_by(shadow)
        others = [beside] * len(rows) if isinstance(beside, Problem) else predicted(beside, rows, limits, alive)
        return beginning.beside(found, others)

    def _read(self, request: READING) -> Reply:
        if isinstance(request, Explain):
            served = self.served_by(request.model)
            return (
                served if isinstance(served, Problem) else explained(served, request, self.options.limits, self.alive)
            )
        if isinstance(request, Describe):
            return self._described(request.model)
        facts = {"build": build(), "broken": dict(self.broken), "reworks": len(self.reworks)}
        return Healthy(len(self.served), self.journal.seq, self.stuck, facts)

    def _described(self, model: str | None) -> Reply:
        if model is not None and isinstance(served := self.served_by(model), Problem):
            return served
        several = self.served.values() if model is None else [self.served[model]]
        return Described([one.about() | {"pending": self.reworks.has(one.id)} for one in several])

    def _act(self, request: Request) -> Reply | Later:
        """Do what concerns a model as a whole."""
        if (reason := self.stuck_now()) is not None and not isinstance(request, Predict | beginning.Download):
            return unavailable(reason)
        if isinstance(request, beginning.GROWING) and (reason := no_room(self.options.memory)) is not None:
            return unavailable(reason)
        try:
            act = amending.act if isinstance(request, amending.REQUESTS) else beginning.act
            return act(self, request)
        except Refused as error:
            return error.problem
        except FAILURES as error:
            return unavailable(self.failed(error, {}))
        except Exception as error:  # noqa: BLE001 - one request is not to hurt the others
            return unexpected(error)

    def served_by(self, name: str) -> Served | Problem:
        """Return the model of a name, or why it is not there."""
        if name in self.served:
            return self.served[name]
        if name in self.broken:
            return unavailable(f"{name}: {self.broken[name]}", "broken")
        return missing(f"expected a model that is served, got {name!r}")

    def cost(self, request: Request | Problem) -> int:
        """Return how many rows a request has, for the size of a group: of a model with many labels each counts more."""
        if not isinstance(request, Learn | Ask | Predict):
            return 1
        served = self.served.get(request.model)
        return len(request.rows) * max(1, 0 if served is None else len(served.model.labels) // 10)

    def open_labels(self, served: Served, lines: Sequence[Line]) -> None:
        """Take new labels only while a model has not met too many."""
        follower, known = served.follower, set(served.model.labels)
        new = sum(isinstance(one, Example | Late) and one.label not in known for one in lines)
        wanted = served.settings.new_labels or follower.begun_without
        follower.labels.open = wanted and (len(known) + new <= self.options.limits.labels)

    # What may go wrong

    def failed(self, error: BaseException, models: dict[int, Served]) -> str:
        """Let models be as they are on the disk, where something could not be written; return why it could not."""
        self.stuck, self._tried = f"it cannot be written down: {error}", time.monotonic()
        for served in models.values():
            self.restore(served, self.stuck)
        return self.stuck

    def restore(self, served: Served, reason: str) -> None:
        """Make a model again from what is on the disk."""
        self.served.pop(served.name, None)
        self.broken[served.name] = reason
        with suppress(LittlestoneError, *FAILURES):
            self.take_up(self.replay.model(served.id))
            self.reworks.drop(served.id)

    def stuck_now(self) -> str | None:
        """Return why nothing can be learned; now and then it is tried whether it still is so."""
        if self.stuck is None and not self.broken:
            return None
        if time.monotonic() - self._tried >= self.options.again:
            self._tried = time.monotonic()
            try:
                with self.journal.transaction():
                    self.journal.connection.execute("INSERT OR REPLACE INTO meta VALUES ('tried', zeroblob(65536))")
                self.stuck = None
            except FAILURES as error:
                self.stuck = f"it cannot be written down: {error}"
            self._mend()
        return self.stuck

    def _mend(self) -> None:
        """Try to have the models again that could not be had."""
        for id, name in self._names().items() if self.broken else ():  # noqa: A001
            if name in self.broken and self.loading.aside(id) is None:
                with suppress(LittlestoneError, *FAILURES):
                    self.take_up(self.replay.model(id))

    # From time to time

    def tick(self) -> None:
        """Do what is due: snapshots, models that another process has made, and so on."""
        self.reworks.poll()
        self.saves.poll()
        now = time.monotonic()
        if now - self._last_tick < 0.02:
            return
        self._last_tick = now
        if self.truncate:
            self._truncated()
        for served in [one for one in self.served.values() if one.id in self.changed]:
            number, at = self._snapped[served.id]
            many = served.number - number >= self.options.every and now - at >= self.options.pause
            if many or now - at >= self.options.seconds:
                self._save(served)

    def _save(self, served: Served) -> None:
        """Have a model written down while this goes on."""
        busy = self.saves.has(served.id) or len(self.saves) >= SAVES
        if busy or self.reworks.has(served.id) or self.stuck is not None:
            return
        try:
            self.saves.begin(served)
        except OSError:  # there is no room for a copy
            self.snapshot(served)
            return
        self._snapped[served.id] = (served.number, time.monotonic())
        self.changed.discard(served.id)

    def snapshot(self, served: Served) -> bool:
        """Write a model down; tell whether it could be done. None is made of one that is about to be replaced."""
        if self.reworks.has(served.id) or self.stuck is not None:
            return False
        number = self._snapped[served.id][0]
        self.saves.drop(served.id)
        try:
            self.snapshots.write(served)
            self.record(served.id, served.number, self.journal.seq)
        except (LittlestoneError, *FAILURES) as error:
            served.alarms.append(f"no snapshot could be made: {error}")
            self._snapped[served.id] = (max(number, served.number - self.options.every // 2), time.monotonic())
            return False
        self._snapped[served.id] = (served.number, time.monotonic())
        self.changed.discard(served.id)
        return True

    def record(self, model: int, number: int, seq: int) -> None:
        """Take the file of a model for its snapshot, and drop older ones that need not be kept."""
        with self.journal.transaction():
            self.snapshots.add(model, number, seq)
            self.snapshots.drop(model, superfluous(self.snapshots.of(model), self.options.keep))
        self.snapshots.sweep()

    def _truncated(self) -> None:
        """Have nothing in the log of the database: what was erased is in no file any more."""
        with suppress(sqlite3.Error):
            busy, *_ = self.journal.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self.truncate = bool(busy)

    def close(self) -> None:
        """Finish: snapshots of all that has learned, and the folder is free."""
        self.saves.wait()
        for served in [one for one in self.served.values() if one.id in self.changed]:
            self.snapshot(served)
        self.abandon()

    def abandon(self) -> None:
        """End without snapshots; nothing is lost, only replayed."""
        self.reworks.close()
        self.saves.close()
        with suppress(sqlite3.Error):
            self.journal.close()
        self.folder.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _is_of_past(request: Request) -> bool:
    return isinstance(request, Predict) and request.at is not None
