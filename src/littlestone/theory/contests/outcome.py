"""Contest and Entry: what came of a contest; Sample and Difference: what its games say together."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.display import Plotted
from littlestone.games.loss_run import LossRun
from littlestone.theory.hindsight import Comparator, LossVerdict, Verdict

__all__ = ["CONFIDENCE", "Contest", "Difference", "Entry", "Sample"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Sample:
    """Numbers of several games: their mean, standard deviation (of n - 1) and Student's 95% interval of the mean.

    One number has a mean and nothing else.

    >>> found = Sample.of([1, 2, 3, 4])
    >>> found.mean, round(found.spread, 3), round(found.low, 3), round(found.high, 3)
    (2.5, 1.291, 0.446, 4.554)
    """

    mean: float
    spread: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, numbers: ArrayLike) -> Sample:
        """Return what these numbers say."""
        values = np.asarray(numbers, dtype=np.float64)
        mean = float(values.mean())
        if len(values) < 2:
            return cls(mean)
        from scipy.special import stdtrit

        spread = float(values.std(ddof=1))
        half = float(stdtrit(len(values) - 1, 0.5 + CONFIDENCE / 2)) * spread / len(values) ** 0.5
        return cls(mean, spread, mean - half, mean + half)


@dataclass(frozen=True)
class Difference:
    """Mistakes of one learner minus those of another, game by game on the same rows in the same order.

    ``more`` and ``fewer`` count the games in which it made more mistakes, and fewer; ``p`` is that of the exact
    two-sided sign test, which asks how often fair coins would be so one-sided (1 where all games are drawn).

    >>> found = Difference.of([12, 15, 11, 14], [10, 11, 11, 12])
    >>> found.sample.mean, found.more, found.fewer, found.p
    (2.0, 3, 0, 0.25)
    """

    sample: Sample
    more: int
    fewer: int
    p: float

    @classmethod
    def of(cls, one: ArrayLike, other: ArrayLike) -> Difference:
        """Return what the games of one learner say against those of another."""
        from scipy.special import bdtr

        apart = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
        more, fewer = int((apart > 0).sum()), int((apart < 0).sum())
        p = min(1.0, 2.0 * float(bdtr(min(more, fewer), more + fewer, 0.5)))
        return cls(Sample.of(apart), more, fewer, p)


POINTS = 200  # at which a curve is drawn


@dataclass(frozen=True, eq=False)
class Entry:
    """One learner in a contest: a run for each game, or why it left.

    ``runs[0]`` is the game in the stream's own order, the others are those of the permutations. ``settings`` says, of
    a learner with alternatives, which one was chosen for each game; ``verdict`` is the bound that had to hold. A
    regressor has a ``loss`` and no mistakes; others have no loss.

    >>> import littlestone as ls
    >>> entry = ls.contest(["winnow"], ls.teachers.Disjunction(n=200, k=5, trials=1000)).entries[0]
    >>> entry.name, entry.mistakes, round(entry.verdict.bound.value, 1)
    ('winnow', 49, 111.7)
    """

    name: str
    runs: tuple[Any, ...] = field(repr=False)
    settings: tuple[str, ...] = ()
    refused: str | None = None
    verdict: Verdict | LossVerdict = field(
        default_factory=lambda: Verdict(None, None, "no game was played"), repr=False
    )

    @property
    def mistakes(self) -> int | None:
        """The mistakes of the game in the stream's own order."""
        return None if not self.runs or isinstance(self.runs[0], LossRun) else self.runs[0].mistakes

    @property
    def loss(self) -> float | None:
        """What was lost in the game in the stream's own order."""
        return self.runs[0].loss if self.runs and isinstance(self.runs[0], LossRun) else None

    @property
    def counts(self) -> NDArray[Any]:
        """The mistakes, or losses, of the games that means are taken of: those of the permutations, if any."""
        return np.array([run.loss if isinstance(run, LossRun) else run.mistakes for run in self.runs[1:] or self.runs])

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

    def curves(self, points: Ints) -> NDArray[Any]:
        """Return the mistakes, or the loss, within the first ``points`` trials, a row for each game of `counts`."""
        runs = self.runs[1:] or self.runs
        if isinstance(runs[0], LossRun):
            return np.array([run.curve()[points - 1] for run in runs])
        return np.array([np.searchsorted(run.mistake_trials, points) for run in runs], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Contest(Plotted):
    """Several learners on the same rows: first in the stream's own order, then in the same permutations for all.

    ``trials`` are those of one game; ``tuning`` rows before them chose among alternatives and count for nothing.
    ``hindsight`` is the disjunction with the fewest attribute errors of those found. ``measure`` names the loss that
    regressors paid; of classifiers, whose mistakes are counted, it is None.

    >>> import littlestone as ls
    >>> found = ls.contest(["winnow", "perceptron"], ls.teachers.Disjunction(n=200, k=5, trials=1000))
    >>> found.trials, [(entry.name, entry.mistakes) for entry in found.entries]
    (1000, [('winnow', 49), ('perceptron', 217)])
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
    measure: str | None = None

    def __getitem__(self, name: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == name)

    @cached_property
    def best(self) -> Entry:
        """The entry with the fewest mistakes, or the least loss, in the mean, the first of them."""
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

    def ratio(self, entry: Entry) -> float | None:
        """Return the mistakes (the loss, the regret) of the first game as a share of the bound; None without one."""
        bound, verdict = entry.verdict.bound, entry.verdict
        if not entry.runs or bound is None or not bound.value:
            return None
        if isinstance(verdict, LossVerdict):
            paid = verdict.regret if bound.of == "regret" else entry.loss
            return None if paid is None else paid / bound.value
        return float(entry.runs[0].mistakes / bound.value)

    def as_dict(self) -> dict[str, Any]:
        """Return everything in plain numbers and words, curves apart."""
        found = {name: getattr(self, name) for name in ("stream", "trials", "tuning", "attributes", "nonzeros")}
        found |= {"labels": [[label, count] for label, count in self.labels.items()], "permutations": self.permutations}
        found |= {"seed": self.seed, "best": self.best.name}
        if self.measure is not None:
            found["measure"] = self.measure
        found["hindsight"] = None if self.hindsight is None else self.hindsight.as_dict()
        return found | {"learners": [self._record(entry) for entry in self.entries]}

    def _record(self, entry: Entry) -> dict[str, Any]:
        first = entry.runs[0] if entry.runs else None
        verdict = entry.verdict.as_dict()
        record: dict[str, Any] = {"name": entry.name, "learner": None if first is None else first.learner}
        counted = "mistakes" if self.measure is None else "loss rmse mae"
        for count in (*counted.split(), "updates", "promotions", "demotions"):
            record[count] = None if first is None else getattr(first, count)
        ratio = self.ratio(entry)
        record |= {"seconds": None if entry.seconds is None else round(entry.seconds, 6), **verdict, "ratio": ratio}
        record |= {"refused": entry.refused, "chosen": entry.chosen or None}
        if self.permutations:
            record |= {"permuted": entry.counts.tolist(), **_sample(entry.sample), "difference": None}
            apart = self.difference(entry)
            if apart is not None:
                record["difference"] = {**_sample(apart.sample), "more": apart.more, "fewer": apart.fewer, "p": apart.p}
        return record


def _sample(sample: Sample | None) -> dict[str, float | None]:
    return dict.fromkeys(Sample.__dataclass_fields__) if sample is None else asdict(sample)
