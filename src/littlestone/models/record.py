"""Record: what a model file says of the training that it comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.files import clear
from littlestone.models.outcomes import Paid
from littlestone.models.training import Training
from littlestone.streams import Stream
from littlestone.streams.sources.pieces import Sum

__all__ = ["Record", "asked_of", "described"]

HERE = ("passed", "row", "examples", "held", "held_mistakes")
REMEDY = "take another -m, or remove that file"


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
    before: dict[str, float] = field(default_factory=dict)
    here: dict[str, Any] = field(default_factory=dict)
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
        name, options = name if isinstance(name, str) else repr(stream), json.loads(json.dumps(dict(asked or {})))
        limits = training.passes, training.holdout, training.trials
        return cls(name, stream.fingerprint(), *limits, initial, options, before=training.before)

    def keep(self, training: Training) -> None:
        """Let the model say how it was trained, how its rows are read, and where it is."""
        model = training.model
        model.reading = self.reading = training.stream.read_as()
        self.finished = training.finished
        self.here = {name: getattr(training, name) for name in HERE}
        self.here |= {} if model.outcomes is None else {"held_paid": list(training.held_paid)}
        source = training.stream.source
        if source is not None and source.sum.size > (self.read or [0])[0]:
            self.read = list(source.sum)
        model.source, model.position = json.dumps({"train": asdict(self)}, sort_keys=True), training.row
        model.following = None  # what it may have followed before was another source

    def save(self, training: Training, path: str | os.PathLike[str]) -> None:
        """Write the model down, with where it is."""
        from littlestone.models.saving import save

        self.keep(training)
        save(training.model, path)

    def resume(self, training: Training, path: str | os.PathLike[str]) -> bool:
        """Take up the model at ``path`` if it stopped inside this very training; False if there is none.

        A model of another training is refused, and one of a file that has changed: in its size, at its ends or, if it
        was summed up, anywhere in what was read of it. What a killed process left half-written is removed.
        """
        from littlestone.models.files import inspect_model
        from littlestone.models.files.files import same_learner
        from littlestone.models.saving import model_of

        path = Path(path)
        clear(path)
        if not path.exists():
            return False
        if self.file is None:
            raise InvalidParameter(f"{path}: a pipe cannot be taken up where it stopped; {REMEDY}, or give a file")
        other = described(inspect_model(path))
        if other is None:
            raise InvalidParameter(f"{path}: expected a model that littlestone train left, got another; {REMEDY}")
        if other.file != self.file or not _unchanged(training.stream, other.read):
            raise InvalidParameter(
                f"{path}: it was trained from {other.source}, and what is read here is another file, or it has changed "
                f"since; {REMEDY}"
            )
        for name in ("passes", "holdout", "trials", "initial", "asked"):
            if getattr(other, name) != getattr(self, name):
                raise InvalidParameter(
                    f"{path}: it was trained from {other.source} with {name} {getattr(other, name)}, and here "
                    f"{name} is {getattr(self, name)}; {REMEDY}"
                )
        found = model_of(path)
        if not same_learner(found.learner, training.learner):
            raise InvalidParameter(f"{path}: expected {training.learner!r}, got {found.learner!r}; {REMEDY}")
        training.model, training.before, self.before = found, other.before, other.before
        for name in HERE:
            setattr(training, name, other.here[name])
        training.held_paid = Paid(*other.here.get("held_paid", ()))
        training.weight = float(training.examples)
        self.read = other.read
        return True


def described(header: Mapping[str, Any]) -> Record | None:
    """Return what the header of a model file says of its training; None if it says nothing.

    >>> described({"provenance": {"source": "by hand", "date": None, "position": None}}) is None
    True
    """
    try:
        record = Record(**json.loads(header["provenance"]["source"] or "")["train"])
        sound = all(type(record.here.get(name)) is int for name in HERE) and isinstance(record.reading, dict)
        sound &= record.read is None or (len(record.read) == 2 and all(type(number) is int for number in record.read))
        sound &= all(type(sum_) in {int, float} for sum_ in record.here.get("held_paid", ()))
        whole = (count for name, count in record.before.items() if not name.startswith("paid_"))
        return record if sound and all(type(count) is int for count in whole) else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _unchanged(stream: Stream, read: list[int] | None) -> bool:
    """Tell whether the bytes of a file that were read are still the same."""
    return stream.source is None or read is None or stream.source.begins_as(Sum(*read))


def asked_of(format: str | None, reading: Mapping[str, Any]) -> dict[str, Any]:  # noqa: A002
    """Return the options that a caller gave, as a record keeps them."""
    given = {"format": format, **reading}
    return {name: value for name, value in given.items() if value is not None and value != ()}
