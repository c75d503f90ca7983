"""Models as of an event, and models whose past has changed: made by another process, while the old ones serve."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from littlestone.service.known import Known, known_by
from littlestone.service.models.replay import settings_of
from littlestone.service.models.served import Served
from littlestone.service.problems import Refused, conflict, unavailable, unexpected
from littlestone.service.wire import Problem, Reply

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Later", "Reworks"]

MOST = 16  # at a time
BEHIND = 5000  # events that are caught up in the process that serves
ROUNDS = 5


class Later:
    """A reply that takes longer; it is there once another process has made a model."""

    def __init__(self) -> None:
        self.reply: Reply | None = None


class _Work:
    """A process that makes a model, as of an event or as it is now."""

    def __init__(self, desk: Desk, model: int, upto: int | None, done: Callable[[Served], None], name: str) -> None:
        self.id, self.upto, self.done, self.tries = model, upto, done, 0
        self.path, self._desk = desk.folder.work / f"{name}.npz", desk
        self.begin()

    def begin(self, since: int | None = None) -> None:
        """Start the process; it goes on from the file that it wrote as of an event."""
        self.tries += 1
        self.stamp = self.latest()
        last = ["-" if one is None else str(one) for one in (self.upto, since)]
        module = "littlestone.service.replaying"
        command = [sys.executable, "-m", module, str(self._desk.folder.path), str(self.id), str(self.path), *last]
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )

    def latest(self) -> int | None:
        """Return the entry that amended the past of the model last."""
        sql = "SELECT max(seq) FROM amendments WHERE model = ?"
        found: int | None = self._desk.journal.connection.execute(sql, (self.id,)).fetchone()[0]
        return found

    def end(self) -> None:
        """Let nothing of it be left."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.path.unlink(missing_ok=True)


class Reworks:
    """What other processes are making for a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._works: list[_Work] = []
        self._laters: dict[_Work, Later] = {}
        self._replacing: dict[int, _Work] = {}  # models whose past has changed
        self._count = 0

    def __len__(self) -> int:
        return len(self._works)

    def has(self, id: int) -> bool:  # noqa: A002 - the word for it
        """Tell whether the past of a model has changed, and it serves as if that were not so."""
        return id in self._replacing

    def past(self, model: Served | Known, number: int, use: Callable[[Served], Reply]) -> Reply | Later:
        """Have a model as of an event, and reply what ``use`` makes of it."""
        if len(self._works) >= MOST:
            return unavailable(f"expected at most {MOST} models to be replayed at a time", "busy")
        later = Later()

        def done(found: Served) -> None:
            later.reply = use(found)

        work = self._begin(model.id, number, done)
        self._laters[work] = later
        return later

    def replace(self, served: Served) -> None:
        """Have a model anew, since its past has changed, and serve it."""
        self.drop(served.id)
        self._replacing[served.id] = self._begin(served.id, None, self._swap)

    def _begin(self, model: int, upto: int | None, done: Callable[[Served], None]) -> _Work:
        self._count += 1
        work = _Work(self.desk, model, upto, done, f"{model}-{self._count}")
        self._works.append(work)
        return work

    def _swap(self, found: Served) -> None:
        """Catch up, and serve the new model in place of the old one."""
        desk, id = self.desk, found.id  # noqa: A001 - the word for it
        old = next((one for one in desk.served.values() if one.id == id), None)
        if old is None:
            return
        desk.replay.forward(found)
        found.alarms = old.alarms
        self._replacing.pop(id, None)
        desk.take_up(found)
        desk.changed.add(id)
        desk.snapshot(found)

    def poll(self) -> None:
        """Take what has been made."""
        for work in list(self._works):
            if work.process.poll() is not None:
                self._works.remove(work)
                self._finish(work)

    def _finish(self, work: _Work) -> None:
        out, wrong = work.process.communicate()
        later = self._laters.get(work)
        try:
            if work.process.returncode != 0:
                if work.tries < ROUNDS and not out:
                    work.begin()
                    self._works.append(work)
                    return
                problem = out.decode() or wrong.decode().strip().rpartition("\n")[2] or "the replay ended"
                self._failed(work, later, problem)
                return
            self._use(work, json.loads(out)["number"])
        except Exception as error:  # noqa: BLE001 - whatever it is, the old model serves
            if later is not None:
                later.reply = self._problem(error)
            else:
                self._failed(work, later, str(error))
        if work not in self._works:
            self._laters.pop(work, None)
            work.path.unlink(missing_ok=True)

    def _problem(self, error: Exception) -> Problem:
        """Return why what was made could not be used."""
        if isinstance(error, Refused):
            return error.problem
        if isinstance(error, sqlite3.Error | OSError):
            return unavailable(self.desk.failed(error, {}))
        return unexpected(error)

    def _use(self, work: _Work, number: int) -> None:
        """Serve what was made; if much has come since, have it made once more first."""
        served = known_by(self.desk, work.id)
        amended = work.latest() != work.stamp
        if (amended or served.number - number > BEHIND) and work.tries < ROUNDS and (amended or work.upto is None):
            work.begin(None if amended else number)
            self._works.append(work)
            return
        if amended:
            raise RuntimeError("the past of the model was amended again and again meanwhile")
        name, settings = settings_of(self.desk.journal.connection, work.id)
        work.done(Served.read(work.id, name, work.path, settings, number))

    def _failed(self, work: _Work, later: Later | None, problem: str) -> None:
        if later is not None:
            later.reply = conflict(problem, "no-replay")
            return
        self._replacing.pop(work.id, None)
        for served in [one for one in self.desk.served.values() if one.id == work.id]:
            served.alarms.append(f"its past has changed, and it could not be replayed: {problem}")
            self.desk.restore(served, problem)

    def drop(self, id: int) -> None:  # noqa: A002
        """Give up what replaces a model."""
        work = self._replacing.pop(id, None)
        if work is not None and work in self._works:
            self._works.remove(work)
            work.end()

    def close(self) -> None:
        """Give up all of it."""
        for work in self._works:
            with suppress(OSError):
                work.end()
            if (later := self._laters.get(work)) is not None:
                later.reply = unavailable("the service stops")
        self._works.clear()
        self._replacing.clear()
