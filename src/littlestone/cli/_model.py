"""A model from a file, and how files are read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["model_of"]


def model_of(path: str) -> tuple[Learner, dict[str, Any]]:
    """Return the learner of a model file, and the options with which the file was read that it learned from."""
    from littlestone.model_file import inspect_model, load
    from littlestone.training import described

    record = described(inspect_model(path))
    learner = load(path)
    reading = {} if record is None else dict(record.reading)
    if learner.labels is not None and len(learner.labels) == 2:  # of more, a new file may have others
        reading["labels"] = tuple(learner.labels)
    return learner, reading
