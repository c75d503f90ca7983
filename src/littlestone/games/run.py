"""Run: what happened in a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.arrays import Ints
from littlestone.core.block import Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidParameter
from littlestone.games.played import Played
from littlestone.parts.changes import Change, ChangeDetector
from littlestone.streams import Stream

if TYPE_CHECKING:
    from littlestone.games.certificates import Certificate

__all__ = ["Run", "Transcript"]

COUNTS = ("trials", "mistakes", "updates", "promotions", "demotions", "seconds")


@dataclass(frozen=True, eq=False)
class Transcript:
    """All trials of a game: the rows with their outcomes, and the predictions.

    A prediction is 0 or 1; with many classes a position among the labels of the last block, or -1: none of them.
    """

    blocks: tuple[Block, ...]
    predictions: NDArray[Any]

    @property
    def outcomes(self) -> Ints:
        """The outcome of each trial, as a position among the labels."""
        found = [block.outcomes for block in self.blocks if block.outcomes is not None]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Run(Plotted):
    """What happened in a game, trial numbers counted from 0.

    The counts are those of this game, also where the learner had learned before. ``guarantee`` is the bound that its
    parameters buy: ``run.guarantee.at(k=5).value`` is its number for a target of five literals.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1]))
    >>> run.trials, run.mistakes, run.promotions, run.demotions, run.mistake_trials.tolist()
    (3, 3, 2, 1, [0, 1, 2])
    >>> run.guarantee.at(k=1).value
    7
    """

    learner: str
    trials: int
    mistakes: int
    updates: int
    promotions: int
    demotions: int
    mistake_trials: Ints = field(repr=False)
    seconds: float
    guarantee: Bound | OpenBound | None = field(default=None, repr=False)
    transcript: Transcript | None = field(default=None, repr=False)
    played: Played | None = field(default=None, repr=False)

    @classmethod
    def joined(cls, runs: Sequence[Run], stream: Stream) -> Run:
        """Return runs of one learner, one after another, as one run on ``stream``, which has all their rows."""
        sums = {name: sum(getattr(run, name) for run in runs) for name in COUNTS}
        starts = np.cumsum([0, *(run.trials for run in runs)])
        trials = np.concatenate([run.mistake_trials + at for run, at in zip(runs, starts, strict=False)])
        first, last = runs[0].played, runs[-1].played
        played = None if first is None or last is None else last._replace(stream=stream, fresh=first.fresh)
        return replace(runs[-1], mistake_trials=trials, played=played, **sums)

    def curve(self) -> Ints:
        """Return the number of mistakes after each trial."""
        return np.cumsum(np.bincount(self.mistake_trials, minlength=self.trials)[: self.trials], dtype=np.int64)

    def changes(self, *, delta: float = 0.01) -> list[Change]:
        """Return where mistakes became more frequent, as `ChangeDetector` notices it: false ones are improbable.

        >>> import littlestone as ls
        >>> shifting = ls.from_arrays([[1, 0], [0, 1]] * 1000, [1, 0] * 500 + [0, 1] * 500)
        >>> [change.noticed for change in ls.play(ls.SBSB(), shifting).changes()]
        [1023]
        """
        mistakes = np.zeros(self.trials, dtype=np.bool_)
        mistakes[self.mistake_trials] = True
        return ChangeDetector(delta=delta).see(mistakes)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and the bound in plain numbers and words, as JSON takes them.

        >>> import littlestone as ls
        >>> record = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=100, k=3, trials=1000)).as_dict()
        >>> record["mistakes"], record["error"], record["theorem"]
        (35, 0.035, 'Kivinen-Warmuth, Winnow, derived')
        """
        bound = self.guarantee
        value = None if bound is None or bound.value is None or not isfinite(bound.value) else bound.value
        return {
            "learner": self.learner,
            "trials": self.trials,
            "mistakes": self.mistakes,
            "error": self.mistakes / self.trials if self.trials else None,
            "updates": self.updates,
            "promotions": self.promotions,
            "demotions": self.demotions,
            "seconds": round(self.seconds, 6),
            "bound": value,
            "of": None if bound is None else bound.of,
            "theorem": None if bound is None else bound.theorem,
            "assumes": None if bound is None else bound.assumes,
        }

    def certificate(self, comparator: Any, *, gamma: float | None = None, kind: str | None = None) -> Certificate:
        """Return the ledger of the learner's own proof against ``comparator``, and the bound that follows.

        The game is played again: a stream by itself, a teacher's game from its record (``record=True``).

        Parameters
        ----------
        comparator : a set of attributes (by position or name), a `hindsight` comparator, a Hypothesis or weights
            Any comparator gives a valid bound; a good one gives a good bound. A set stands for its disjunction.
        gamma : float > 0, or None
            The margin beyond which the comparator has no loss; None: 1/2 or 1 for a disjunction (as its proof has it),
            the least margin y u.x for weights.
        kind : "divergence", "weight" or None
            None: as the theorem of the learner's guarantee is proved.

        Example
        -------
        >>> import littlestone as ls
        >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=100, k=3, trials=1000))
        >>> certificate = run.certificate({0, 1, 2})
        >>> certificate.kind, certificate.mistakes, certificate.bound
        ('weight', 35, 64)
        """
        from littlestone.games.certificates import certify

        if self.played is None:
            raise InvalidParameter("certificate: no trial was played, so there is nothing to certify")
        return certify(self.played, self.trials, self.mistake_trials, comparator, gamma=gamma, kind=kind)
