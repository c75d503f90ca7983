"""LossRun: what happened in a game of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidParameter
from littlestone.games.linear import linear, loss_on
from littlestone.games.played import LossPlayed
from littlestone.games.run import Transcript
from littlestone.parts.losses import Loss
from littlestone.streams import Stream

if TYPE_CHECKING:
    from littlestone.games.certificates.losses import LossCertificate

__all__ = ["LossRun"]

COUNTS = ("trials", "updates", "promotions", "demotions", "seconds")


@dataclass(frozen=True, eq=False)
class LossRun(Plotted):
    """What happened in a game of a regressor, trial numbers counted from 0.

    ``losses`` has what each trial cost and ``errors`` its prediction less its outcome. ``promotions`` are updates that
    raised the prediction, ``demotions`` those that lowered it. ``guarantee`` is the bound that the parameters buy.

    >>> import littlestone as ls
    >>> run = ls.play(ls.GradientDescent(eta=0.1), ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1.0, 2.0, 3.5]))
    >>> run.trials, round(run.loss, 3), run.curve().round(2).tolist()
    (3, 9.904, [1.0, 4.24, 9.9])
    >>> round(run.regret([1.0, 2.0]), 3)  # predicting x0 + 2 x1 would have lost 0.25
    9.654
    """

    learner: str
    trials: int
    updates: int
    promotions: int
    demotions: int
    losses: Floats = field(repr=False)
    errors: Floats = field(repr=False)
    seconds: float
    measure: Loss
    guarantee: Any = field(default=None, repr=False)
    transcript: Transcript | None = field(default=None, repr=False)
    stream: Stream | None = field(default=None, repr=False)
    played: LossPlayed | None = field(default=None, repr=False)

    @classmethod
    def joined(cls, runs: Sequence[LossRun], stream: Stream) -> LossRun:
        """Return runs of one regressor, one after another, as one run on ``stream``, which has all their rows."""
        sums = {name: sum(getattr(run, name) for run in runs) for name in COUNTS}
        losses, errors = (np.concatenate([getattr(run, name) for run in runs]) for name in ("losses", "errors"))
        return replace(runs[-1], losses=losses, errors=errors, stream=stream, transcript=None, **sums)

    @cached_property
    def loss(self) -> float:
        """What all trials cost together, added in their order."""
        return float(self.curve()[-1]) if self.trials else 0.0

    def curve(self) -> Floats:
        """Return what was lost up to and including each trial."""
        return np.cumsum(self.losses)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error of the predictions made before learning; nan without trials."""
        return sqrt(float(np.mean(np.square(self.errors)))) if self.trials else float("nan")

    @property
    def mae(self) -> float:
        """The mean size of these errors; nan without trials."""
        return float(np.mean(np.abs(self.errors))) if self.trials else float("nan")

    def loss_of(self, comparator: Any) -> float:
        """Return what a fixed comparator would have lost in the same trials; see `regret`."""
        if self.stream is None:
            raise InvalidParameter("regret: the game cannot be played again; play it with record=True")
        w, constant = linear(comparator, self.stream.names)
        return loss_on(self.stream, w, constant, self.measure, trials=self.trials)

    def regret(self, comparator: Any) -> float:
        """Return how much more was lost than ``comparator`` would have lost, had it predicted all the time.

        Parameters
        ----------
        comparator : Hypothesis, what has one, weights by name or position, or an array of weights
            A `Hypothesis` predicts ``w.x - theta``; what has no weight weighs 0.
        """
        return self.loss - self.loss_of(comparator)

    def certificate(self, comparator: Any) -> LossCertificate:
        """Return the proof of the bound for this run, trial by trial: `verify` checks it.

        For gradient descent, EG, EG+- and BEG on the square loss, with X and without example weights: the ledger of a
        potential that pays for what is lost beyond the comparator's share.

        Parameters
        ----------
        comparator : Hypothesis, what has one, weights by name or position, or an array of weights
            As for `regret`; of the learner's class: a mixture for EG, for EG+- with sizes that sum to U at most, for
            BEG with weights between 0 and 1.

        Example
        -------
        >>> import littlestone as ls
        >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], [1.0, 2.0, 3.5], task="regression")
        >>> certificate = ls.play(ls.GradientDescent(X=2.0, bias=False), stream).certificate([1.0, 2.0])
        >>> print(certificate)
        loss 14.77 in 3 trials, at most 40.5 by Cesa-Bianchi-Long-Warmuth, gradient descent against one that loses 0.25
        >>> ls.verify(ls.LossCertificate.from_json(certificate.to_json()), stream) == certificate
        True
        """
        from littlestone.games.certificates.losses import certify_losses

        if self.played is None or not self.trials:
            raise InvalidParameter("certificate: no trial was played, so there is nothing to certify")
        return certify_losses(self.played, self.trials, self.errors, comparator)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and the losses in plain numbers and words, as JSON takes them.

        >>> import littlestone as ls
        >>> record = ls.play(ls.GradientDescent(), ls.from_arrays([[1], [1]], [1.0, 2.0])).as_dict()
        >>> record["loss"], record["measure"], round(record["rmse"], 3)
        (3.25, 'square', 1.275)
        """
        bound = self.guarantee
        value = getattr(bound, "value", None)
        return {
            "learner": self.learner,
            "trials": self.trials,
            "loss": self.loss if self.loss < inf else None,
            "measure": str(self.measure),
            "rmse": self.rmse if self.trials and isfinite(self.rmse) else None,
            "mae": self.mae if self.trials and isfinite(self.mae) else None,
            "updates": self.updates,
            "promotions": self.promotions,
            "demotions": self.demotions,
            "seconds": round(self.seconds, 6),
            "bound": value if value is not None and isfinite(value) else None,
            "of": None if bound is None else bound.of,
            "theorem": None if bound is None else bound.theorem,
            "assumes": None if bound is None else bound.assumes,
        }
