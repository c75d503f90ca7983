"""Keeping: a model is saved from time to time with the place in its source, as long as the file is its own."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from littlestone.core.errors import InvalidModel, InvalidParameter, LittlestoneError
from littlestone.core.messages import Blank, Message, Remedy
from littlestone.core.parameters import check_whole
from littlestone.models.files import Rest
from littlestone.models.following.coming import Place
from littlestone.models.following.events import Event, Notice, Saved
from littlestone.models.following.follower import Follower
from littlestone.models.saving import save
from littlestone.streams.sources.opened import status_of

__all__ = ["Keeper"]

Identity = tuple[int, int, int] | None


class Keeper:
    """Saves what a follower has learned every so many examples and labels, and after so many seconds.

    Without a ``path`` nothing is saved: the model itself remembers what waits, and where the source was. ``place`` is
    where that was when it was saved last.
    """

    def __init__(
        self, follower: Follower, path: str | os.PathLike[str] | None, *, every: int, seconds: float, place: Place
    ) -> None:
        self.follower, self.path, self.place = follower, path, place
        self.every, self.seconds = check_whole("follow", "every", every), seconds
        if not isinstance(seconds, int | float) or not seconds > 0:
            raise InvalidParameter(f"follow: seconds must be a number above 0, got {seconds!r}")
        if path is not None and not os.access(Path(path).absolute().parent, os.W_OK):
            problem = f"{path}: expected a folder that a model can be saved in, got none, or no right to write there"
            raise InvalidParameter(problem, Remedy("say {save_to}", typed="", save_to=Blank("PATH")))
        self._own = self._identity()
        self._settle()

    def _settle(self) -> None:
        self._done, self._at = self.follower.done, monotonic()

    def due(self, place: Place) -> bool:
        """Tell whether it is time to save, now that the source is at a place."""
        if self.path is None:
            return False
        late = monotonic() - self._at >= self.seconds
        return self.follower.done - self._done >= self.every or (late and place != self.place)

    def attempt(self, place: Place) -> list[Event]:
        """Save; if that cannot be done now, say so: it is due again later."""
        try:
            return self.save(place)
        except (OSError, LittlestoneError) as error:
            if not self._is_own():
                raise
            self._settle()
            done = "what was learned is kept, and saving is tried again"
            return [Notice(Message(f"{self.path}: it cannot be saved now: {_why(error)}", done))]

    def finish(self, place: Place) -> list[Event]:
        """Save for the last time; if that cannot be done, what was learned since the last time is lost."""
        try:
            return self.save(place)
        except OSError as error:
            problem = f"{self.path}: it cannot be saved: {_why(error)}; it is as it was"
            where = f"after line or item {self.place.lines:,}" if self.place.lines else "before the first line or item"
            remedy = "make room or take another path, and follow the same source again, which goes on from there"
            raise LittlestoneError(f"{problem} {where}", remedy) from error

    def save(self, place: Place) -> list[Event]:
        """Save, unless nothing has come since the last time."""
        if place == self.place:
            return []
        if not self._is_own():
            problem = (
                f"{self.path}: expected the model that is followed with, got one that somebody else saved meanwhile"
            )
            raise InvalidModel(
                problem, "let one at a time follow with a model; what this one learned since is not saved"
            )
        model, before = self.follower.model, self.follower.model.following
        about, arrays = self.follower.state()
        model.following = Rest(about | {"place": asdict(place)}, arrays)
        if self.path is None:
            return []
        try:
            save(model, self.path)
        except BaseException:
            model.following = before
            raise
        self.place, self._own = place, self._identity()
        self._settle()
        return [Saved(place.lines, place.mark)]

    def _identity(self) -> Identity:
        status = None if self.path is None else status_of(Path(self.path))
        return None if status is None else (status.st_ino, status.st_size, status.st_mtime_ns)

    def _is_own(self) -> bool:
        """Tell whether the file is still the one that was read or saved here; none is nobody else's."""
        found = self._identity()
        return found is None or found == self._own


def _why(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
