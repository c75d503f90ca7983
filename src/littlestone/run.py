"""Run: what happened in a game."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from littlestone.block import Block
from littlestone.bounds import Bound

__all__ = ["Run", "Transcript"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Transcript:
    """All trials of a game: the rows with their outcomes, and the predictions (0 or 1)."""

    blocks: tuple[Block, ...]
    predictions: NDArray[np.uint8]

    @property
    def outcomes(self) -> Ints:
        """The outcome of each trial, as a position among the labels."""
        told = [block.outcomes for block in self.blocks if block.outcomes is not None]
        return np.concatenate(told) if told else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Run:
    """What happened in a game, trial numbers counted from 0.

    The counts are those of this game, also where the learner had learned before. ``guarantee`` is the bound that its
    parameters buy (for a target of one literal, unless the learner was made for another: ``run.guarantee.at(k=...)``).
    """

    learner: str
    trials: int
    mistakes: int
    updates: int
    promotions: int
    demotions: int
    mistake_trials: Ints = field(repr=False)
    seconds: float
    guarantee: Bound | None = field(default=None, repr=False)
    transcript: Transcript | None = field(default=None, repr=False)

    def curve(self) -> Ints:
        """Return the number of mistakes after each trial."""
        return np.cumsum(np.bincount(self.mistake_trials, minlength=self.trials)[: self.trials], dtype=np.int64)
