"""Keeping: a model is saved from time to time with the place in its source, as long as the file is its own."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from littlestone.core.errors import InvalidModel, InvalidParameter, LittlestoneError
from littlestone.core.messages import Message
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

    Without a ``path`` nothing is saved. ``place`` is where the source was when it was saved last.
    """

    def __init__(
        self, follower: Follower, path: str | os.PathLike[str] | None, *, every: int, seconds: float, place: Place
    ) -> None:
        self.follower, self.path, self.place = follower, path, place
        self.every, self.seconds = check_whole("follow", "every", every), seconds
        if not isinstance(seconds, int | float) or not seconds > 0:
            raise InvalidParameter(f"follow: seconds must be a number above 0, got {seconds!r}")
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
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            problem = f"{self.path}: it cannot be saved now: {why}"
            return [Notice(Message(problem, "nothing is lost, and it is tried again"))]

    def save(self, place: Place) -> list[Event]:
        """Save, unless nothing has come since the last time."""
        if self.path is None or place == self.place:
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
