"""Contest and Entry: what came of a contest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.games.run import Run
from littlestone.theory.contests.statistics import Difference, Sample
from littlestone.theory.hindsight import Comparator, Verdict

__all__ = ["Contest", "Entry"]

POINTS = 200  # at which a curve is drawn


@dataclass(frozen=True, eq=False)
class Entry:
    """One learner in a contest: a run for each game, or why it left.

    ``runs[0]`` is the game in the stream's own order, the others are those of the permutations. ``settings`` says, of
    a learner with alternatives, which one was chosen for each game; ``verdict`` is the bound that had to hold.
    """

    name: str
    runs: tuple[Run, ...] = field(repr=False)
    settings: tuple[str, ...] = ()
    refused: str | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict(None, None, "no game was played"), repr=False)

    @property
    def mistakes(self) -> int | None:
        """The mistakes of the game in the stream's own order."""
        return self.runs[0].mistakes if self.runs else None

    @property
    def counts(self) -> Ints:
        """The mistakes of the games that means are taken of: those of the permutations, where there are any."""
        return np.array([run.mistakes for run in self.runs[1:] or self.runs], dtype=np.int64)

    @property
    def sample(self) -> Sample | None:
        """Mean, spread and interval of these mistakes."""
        return Sample.of(self.counts) if self.runs else None

    @property
    def seconds(self) -> float | None:
        """The mean time of a game, for learning alone."""
        return float(np.mean([run.seconds for run in self.runs])) if self.runs else None

    @property
    def chosen(self) -> dict[str, int]:
        """How often each alternative was chosen, the most frequent first."""
        return dict(Counter(self.settings).most_common())

    def curves(self, points: Ints) -> Ints:
        """Return the mistakes within the first ``points`` trials, a row for each game of `counts`."""
        runs = self.runs[1:] or self.runs
        return np.array([np.searchsorted(run.mistake_trials, points) for run in runs], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Contest:
    """Several learners on the same rows: first in the stream's own order, then in the same permutations for all.

    ``trials`` are those of one game; ``tuning`` rows before them chose among alternatives and count for nothing.
    ``hindsight`` is the disjunction with the fewest attribute errors of those found.
    """

    stream: str
    trials: int
    tuning: int
    attributes: int
    nonzeros: int
    boolean: bool
    labels: dict[Any, int]
    permutations: int
    seed: int
    entries: tuple[Entry, ...]
    hindsight: Comparator | None = None

    def __getitem__(self, name: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == name)

    @cached_property
    def best(self) -> Entry:
        """The entry with the fewest mistakes in the mean, the first of them."""
        return min((entry for entry in self.entries if entry.runs), key=lambda entry: float(entry.counts.mean()))

    def difference(self, entry: Entry) -> Difference | None:
        """Return an entry's mistakes minus those of the best, game by game; None for the best, and one that left."""
        if entry is self.best or not entry.runs:
            return None
        return Difference.of(entry.counts, self.best.counts)

    @cached_property
    def points(self) -> Ints:
        """Numbers of trials at which curves are drawn: close together at first, then evenly spread."""
        half = POINTS // 2
        both = (np.geomspace(1, self.trials, half), np.linspace(1, self.trials, half))
        found: Ints = np.unique(np.concatenate(both).round().astype(np.int64))
        return found

    def curve(self, entry: Entry) -> tuple[Floats, Floats]:
        """Return the mean number of mistakes at `points` and its standard deviation (0 for one game)."""
        curves = entry.curves(self.points)
        spread = curves.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(curves.shape[1])
        return curves.mean(axis=0), spread

    def as_dict(self) -> dict[str, Any]:
        """Return everything in plain numbers and words, curves apart."""
        return {
            "stream": self.stream, "trials": self.trials, "tuning": self.tuning, "attributes": self.attributes,
            "nonzeros": self.nonzeros, "labels": [[label, count] for label, count in self.labels.items()],
            "permutations": self.permutations, "seed": self.seed, "best": self.best.name,
            "hindsight": None if self.hindsight is None else self.hindsight.as_dict(),
            "learners": [self._told(entry) for entry in self.entries],
        }  # fmt: skip

    def _told(self, entry: Entry) -> dict[str, Any]:
        first = entry.runs[0] if entry.runs else None
        verdict = entry.verdict.as_dict()
        told: dict[str, Any] = {"name": entry.name, "learner": None if first is None else first.learner}
        for count in ("mistakes", "updates", "promotions", "demotions"):
            told[count] = None if first is None else getattr(first, count)
        ratio = first.mistakes / verdict["bound"] if first is not None and verdict["bound"] else None
        told |= {"seconds": None if entry.seconds is None else round(entry.seconds, 6), **verdict, "ratio": ratio}
        told |= {"refused": entry.refused, "chosen": entry.chosen or None}
        if self.permutations:
            told |= {"permuted": entry.counts.tolist(), **_sample(entry.sample), "difference": None}
            apart = self.difference(entry)
            if apart is not None:
                told["difference"] = {**_sample(apart.sample), "more": apart.more, "fewer": apart.fewer, "p": apart.p}
        return told


def _sample(sample: Sample | None) -> dict[str, float | None]:
    keys = ("mean", "spread", "low", "high")
    return {key: None if sample is None else getattr(sample, key) for key in keys}
