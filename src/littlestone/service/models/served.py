"""Served: a model that learns what the journal says, and the number of the last event that it has."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from littlestone.models.files import Rest
from littlestone.models.following.events import Answer, Change, Event, Labelled, Refused
from littlestone.models.following.examples import Example, Late
from littlestone.models.following.follower import Follower
from littlestone.models.model import Model
from littlestone.models.saving import model_of, save

__all__ = ["NOBODY", "Line", "Said", "Served", "Settings"]

NOBODY = "\0"  # the id of examples that have none; no id of a request is like it
ALARMS = 20

Line = Example | Late
Said = Answer | Labelled | Refused


@dataclass(frozen=True)
class Settings:
    """How a model is served, from when it came to be; ``numbered``: keys of its rows are positions."""

    new_labels: bool = False
    limit: int = 100_000
    window: int = 1000
    numbered: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return them as plain values."""
        return asdict(self)


class Served:
    """A model under a name, with the number of the last event that it has.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> served = Served(1, "rain", model, Settings())
    >>> [said.prediction for said in served.take([Example(0, NOBODY, {"sky": "grey"}, 1)])], served.number
    ([1], 1)
    """

    def __init__(self, id: int, name: str, model: Model, settings: Settings, number: int = 0) -> None:  # noqa: A002
        self.id, self.name, self.settings, self.number = id, name, settings, number
        following, model.following = model.following, None
        self.follower = Follower(
            model, name=name, strict=True, new_labels=settings.new_labels, limit=settings.limit,
            window=settings.window, numbered=settings.numbered,
        )  # fmt: skip
        if following is not None:
            self.follower.restore(following)
            self.follower.early.clear()
        self.alarms = deque[str](maxlen=ALARMS)

    @classmethod
    def read(cls, id: int, name: str, path: Path, settings: Settings, number: int) -> Self:  # noqa: A002
        """Return the model of a file that `write` wrote."""
        return cls(id, name, model_of(path), settings, number)

    @property
    def model(self) -> Model:
        """What it has learned."""
        return self.follower.model

    def take(self, lines: Sequence[Line]) -> list[Said]:
        """Learn and answer, in order; return what came of each line. Those that are not refused are events."""
        said = list[Said]()
        for event in self.follower.take(lines):
            if isinstance(event, Answer | Labelled):
                self.number += 1
                said.append(event)
            elif isinstance(event, Refused):
                said.append(event)
            else:
                self._notice(event)
        if len(said) != len(lines):
            raise RuntimeError(f"{self.name}: expected a word on each of {len(lines)} lines, got {len(said)}")
        return said

    def _notice(self, event: Event) -> None:
        if isinstance(event, Change):
            self.alarms.append(str(event))

    def write(self, path: Path) -> None:
        """Write it down whole: equal ones give equal files."""
        model = self.model
        about, arrays = self.follower.state()
        model.following = Rest(about, arrays)
        try:
            save(model, path)
        finally:
            model.following = None

    def renamed(self, name: str) -> None:
        """Give it another name."""
        self.name = self.follower.name = self.follower.reader.name = self.follower.waiting.owner = name

    def about(self) -> dict[str, Any]:
        """Return what is known of it, as JSON has it."""
        model, progress = self.model, self.follower.progress
        guarantee = model.guarantee
        return {
            "name": self.name, "id": self.id, "number": self.number, "learner": repr(model.learner),
            "labels": list(model.labels), "trials": model.trials, "mistakes": model.mistakes,
            "bound": None if guarantee is None else str(guarantee), "progress": asdict(progress),
            "error": progress.error, "window_error": progress.window_error, "alarms": list(self.alarms),
            "reading": dict(model.reading), "columns": list(model.columns), "settings": self.settings.as_dict(),
        }  # fmt: skip
