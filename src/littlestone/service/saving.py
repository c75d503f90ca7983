"""Snapshots made beside the work: a copy of the process writes the model down, while this one goes on learning."""

from __future__ import annotations

import os
import signal
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from littlestone.core.errors import LittlestoneError
from littlestone.service.lot import FAILURES
from littlestone.service.models.served import Served

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["Saves"]

PATIENCE = 120.0  # seconds that a copy may take
FILES = 4096  # open files that a copy does not need: the lock, the socket, the database


class _Save(NamedTuple):
    """A copy of the process that writes a model down: as of which event and entry, to which file, since when."""

    process: int
    number: int
    seq: int
    path: Path
    begun: float


class Saves:
    """The models that are being written down, one at a time each."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._under_way: dict[int, _Save] = {}

    def __len__(self) -> int:
        return len(self._under_way)

    def has(self, id: int) -> bool:  # noqa: A002 - the word for it
        """Tell whether a model is being written down."""
        return id in self._under_way

    def begin(self, served: Served) -> None:
        """Have a model written down as it is now; the file is one that a later service sweeps away."""
        folder = self.desk.folder.work / str(os.getpid())
        folder.mkdir(exist_ok=True)
        path = folder / f"{served.id}.npz"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads: those of the libraries look after themselves
            process = os.fork()
        if process == 0:
            _write(served, path)
        save = _Save(process, served.number, self.desk.journal.seq, path, time.monotonic())
        self._under_way[served.id] = save

    def poll(self) -> None:
        """Take what has been written."""
        for id, save in list(self._under_way.items()):  # noqa: A001 - the word for it
            done, status = os.waitpid(save.process, os.WNOHANG)
            if not done and time.monotonic() - save.begun > PATIENCE:
                os.kill(save.process, signal.SIGKILL)
                done, status = os.waitpid(save.process, 0)
            if done:
                del self._under_way[id]
                self._finish(id, save, whole=status == 0)

    def _finish(self, id: int, save: _Save, *, whole: bool) -> None:  # noqa: A002
        served = next((one for one in self.desk.served.values() if one.id == id), None)
        if served is None:
            save.path.unlink(missing_ok=True)
            return
        try:
            if not whole:
                raise OSError("the process that wrote it failed")
            self.desk.snapshots.adopt(save.path, id, save.number)
            self.desk.record(id, save.number, save.seq)
        except (LittlestoneError, *FAILURES) as error:
            served.alarms.append(f"no snapshot could be made: {error}")
            self.desk.changed.add(id)

    def drop(self, id: int) -> None:  # noqa: A002
        """Give up writing a model down; nothing of it is left."""
        save = self._under_way.pop(id, None)
        if save is not None:
            with suppress(ProcessLookupError):
                os.kill(save.process, signal.SIGKILL)
            os.waitpid(save.process, 0)
            for path in save.path.parent.glob("*"):
                if save.path.name in path.name:  # drafts, too
                    path.unlink(missing_ok=True)

    def wait(self) -> None:
        """Wait until all that is under way is written."""
        while self._under_way:
            self.poll()
            time.sleep(0.002)

    def close(self) -> None:
        """Give up all of it."""
        for id in list(self._under_way):  # noqa: A001
            self.drop(id)


def _write(served: Served, path: Path) -> None:
    """Write a model down, see that it can be read, and end: in a copy of the process."""
    status = 1
    try:
        os.closerange(3, FILES)
        served.write(path)
        Served.read(served.id, served.name, path, served.settings, served.number)
        status = 0
    finally:
        os._exit(status)
