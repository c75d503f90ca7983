"""Record: what a model file says of its training, so that it can be taken up again and new files are read alike."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.files import clear
from littlestone.models.files import inspect_model, load, save
from littlestone.models.files.files import same_learner
from littlestone.models.training.loop import Training
from littlestone.streams import Stream
from littlestone.streams.sources.pieces import Sum

__all__ = ["Record", "described"]

HERE = ("passed", "row", "examples", "held", "held_mistakes")


@dataclass
class Record:
    """How a learner came to be what it is; it goes into the header of its model file, as JSON.

    ``asked`` are the options that a caller gave to the stream, ``reading`` those with which another one is read alike
    (``Stream.read_as``), ``here`` is where the training is. ``file`` is what a file is known by before it is read
    (``Stream.fingerprint``), ``read`` how many of its bytes were read, from the first on, and their CRC-32, if they
    were summed.
    """

    source: str
    file: str | None
    passes: int = 1
    holdout: int | None = None
    trials: int | None = None
    initial: str | None = None  # the digest of the model that it began with
    asked: dict[str, Any] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    here: dict[str, int] = field(default_factory=dict)
    finished: bool = False
    read: list[int] | None = None

    @classmethod
    def of(
        cls, training: Training, *, initial: str | None = None, asked: Mapping[str, Any] | None = None,
        summing: bool = False,
    ) -> Record:  # fmt: skip
        """Return the record of a training that has not begun; with ``summing``, what will be read is summed up."""
        stream = training.stream
        name = getattr(stream, "name", None)
        if stream.source is not None:
            stream.source.summing = summing
        return cls(
            name if isinstance(name, str) else repr(stream),
            stream.fingerprint(),
            training.passes,
            training.holdout,
            training.trials,
            initial,
            json.loads(json.dumps(dict(asked or {}))),
            before=training.before,
        )

    def save(self, training: Training, path: str | os.PathLike[str]) -> None:
        """Write the learner down, with where it is."""
        self.reading, self.finished = training.stream.read_as(), training.finished
        self.here = {name: getattr(training, name) for name in HERE}
        source = training.stream.source
        if source is not None and source.sum.size > (self.read or [0])[0]:
            self.read = list(source.sum)
        text = json.dumps({"train": asdict(self)}, sort_keys=True)
        save(training.learner, path, source=text, position=training.row)

    def resume(self, training: Training, path: str | os.PathLike[str]) -> bool:
        """Take up the model at ``path`` if it stopped inside this very training; False if there is none.

        A model of another training is refused, and one of a file that has changed: in its size, at its ends or, if it
        was summed up, anywhere in what was read of it. What a killed process left half-written is removed.
        """
        path = Path(path)
        clear(path)
        if not path.exists():
            return False
        if self.file is None:
            raise InvalidParameter(f"{path}: a pipe cannot be taken up where it stopped; {REMEDY}, or give a file")
        told = described(inspect_model(path))
        if told is None:
            raise InvalidParameter(f"{path}: expected a model that littlestone train left, got another; {REMEDY}")
        if told.file != self.file or not _unchanged(training.stream, told.read):
            raise InvalidParameter(
                f"{path}: it was trained from {told.source}, and what is read here is another file, or it has changed "
                f"since; {REMEDY}"
            )
        for name in ("passes", "holdout", "trials", "initial", "asked"):
            if getattr(told, name) != getattr(self, name):
                raise InvalidParameter(
                    f"{path}: it was trained from {told.source} with {name} {getattr(told, name)}, and here "
                    f"{name} is {getattr(self, name)}; {REMEDY}"
                )
        found = load(path)
        if not same_learner(found, training.learner):
            raise InvalidParameter(f"{path}: expected {training.learner!r}, got {found!r}; {REMEDY}")
        training.learner, training.before, self.before = found, told.before, told.before
        for name in HERE:
            setattr(training, name, told.here[name])
        training.weight = float(training.examples)
        self.read = told.read
        return True


REMEDY = "take another -m, or remove that file"


def described(header: Mapping[str, Any]) -> Record | None:
    """Return what the header of a model file says of its training; None if it says nothing.

    >>> described({"provenance": {"source": "by hand", "date": None, "position": None}}) is None
    True
    """
    try:
        told = json.loads(header["provenance"]["source"] or "")["train"]
        record = Record(**told)
        sound = all(type(record.here.get(name)) is int for name in HERE) and isinstance(record.reading, dict)
        sound &= record.read is None or (len(record.read) == 2 and all(type(number) is int for number in record.read))
        return record if sound and all(type(count) is int for count in record.before.values()) else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _unchanged(stream: Stream, read: list[int] | None) -> bool:
    """Tell whether the bytes of a file that were read are still the same."""
    return stream.source is None or read is None or stream.source.begins_as(Sum(*read))
