"""Checkpoint: a game that can be stopped at any moment, and goes on from the last model on the disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.files import clear
from littlestone.core.parameters import check_whole
from littlestone.learners import Learner
from littlestone.models.files.files import inspect_model, load, same_learner, save
from littlestone.streams import Part, Stream

__all__ = ["Checkpoint"]


class Checkpoint:
    """Saves a learner again and again: `play` calls it after each block.

    Parameters
    ----------
    path : str or path
        The model file. There is always a whole one, once there is any: a process may be killed at any moment.
    every : int >= 1
        After how many trials, at least, the learner is saved again.
    source : anything, or None
        Where the examples come from, for the header.

    `resume` gives the learner on the disk and the rest of the stream; playing that gives what an uninterrupted game
    would have given. That it is the same stream is for you to see to: only one that is too short is refused. `save`
    writes the learner now, as at the end of a game.

    Example
    -------
    >>> import littlestone as ls, tempfile, pathlib
    >>> checkpoint = Checkpoint(pathlib.Path(tempfile.mkdtemp()) / "model.npz", every=1000)
    >>> stream = ls.teachers.Disjunction(n=100, k=3, trials=20_000)
    >>> learner, rest = checkpoint.resume(ls.Winnow(), stream)  # nothing is there yet
    >>> run = ls.play(learner, rest, trials=9000, on_block=checkpoint)  # stopped half-way
    >>> learner, rest = checkpoint.resume(ls.Winnow(), stream)
    >>> learner.trials, ls.play(learner, rest, on_block=checkpoint).trials
    (8192, 11808)
    """

    def __init__(self, path: str | os.PathLike[str], *, every: int = 100_000, source: Any = None) -> None:
        self.path, self.source = Path(path), source
        self.every = check_whole("Checkpoint", "every", every)
        self._learner: Learner | None = None
        self._saved = self._start = 0

    def __call__(self, learner: Learner) -> None:
        """Save the learner if it has played enough since the last time."""
        self._meet(learner)
        if learner.trials - self._saved >= self.every:
            self.save(learner)

    def save(self, learner: Learner) -> None:
        """Save the learner now."""
        self._meet(learner)
        save(learner, self.path, source=self.source, position=learner.trials - self._start)
        self._saved = learner.trials

    def resume(self, learner: Learner, stream: Stream, **params: Any) -> tuple[Learner, Stream]:
        """Return the learner on the disk and what it has not seen of the stream; ``learner`` where there is none.

        ``params`` are those that are code, as for `load`. What a killed process left half-written is removed.
        """
        if not isinstance(learner, Learner) or not isinstance(stream, Stream):
            raise InvalidParameter(f"resume: expected a learner and a stream, got {learner!r} and {stream!r}")
        clear(self.path)
        position = 0
        if self.path.exists():
            position = inspect_model(self.path)["provenance"]["position"] or 0
            found = load(self.path, **params)
            if not same_learner(found, learner):
                raise InvalidParameter(
                    f"resume: {self.path}: expected {learner!r}, got {found!r}; take another path, or remove the file"
                )
            learner = found
        self._learner, self._saved, self._start = learner, learner.trials, learner.trials - position
        return learner, Part(stream, position) if position else stream

    def _meet(self, learner: Learner) -> None:
        """Refuse a second learner: they would overwrite each other."""
        if self._learner is None:
            self._learner = learner
        elif self._learner is not learner:
            raise InvalidParameter("Checkpoint: expected one learner, got another; make a Checkpoint for each")
