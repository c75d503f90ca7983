"""Outcomes: the numbers that a regression model learns, in units of their own spread, and what it has paid."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isnan, sqrt
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, State
from littlestone.core.errors import InvalidModel
from littlestone.models.scaling import Scale
from littlestone.parts.losses import Loss

__all__ = ["Learned", "Outcomes", "Paid"]

FARTHEST = 10.0  # standard deviations: where outcomes are held
MOST = 1e140  # its square is still a number
SUMS, PAID = 3, 3  # the first outcome; of what others have more, the sum and squares; errors, their squares, losses


class Paid(NamedTuple):
    """What predictions have cost, made before the outcomes were learned: their number, and sums over them.

    >>> Paid(4, 2.0, 2.0, 2.0).mae, Paid(4, 2.0, 4.0, 4.0).rmse
    (0.5, 1.0)
    """

    examples: int = 0
    absolute: float = 0.0
    squares: float = 0.0
    loss: float = 0.0

    @property
    def mae(self) -> float:
        """The mean size of the errors; nan without any."""
        return self.absolute / self.examples if self.examples else float("nan")

    @property
    def rmse(self) -> float:
        """The root of their mean square."""
        return sqrt(max(self.squares, 0.0) / self.examples) if self.examples else float("nan")

    def more(self, predictions: Floats, y: Floats, losses: Floats) -> Paid:
        """Return the sums with more predictions, added one after the other: the bits do not depend on blocks."""
        with np.errstate(over="ignore"):
            errors = np.abs(predictions - y)
            parts = zip(self[1:], (errors, errors * errors, losses), strict=True)
            return Paid(self.examples + len(y), *(float(np.cumsum(np.append(s, each))[-1]) for s, each in parts))

    def since(self, before: Paid) -> Paid:
        """Return what was paid since another moment."""
        sums = (now if now == inf else now - then for now, then in zip(self[1:], before[1:], strict=True))
        return Paid(self.examples - before.examples, *sums)


class Learned(NamedTuple):
    """Outcomes as they are learned: each scaled by the mean and the deviation of those before it."""

    scaled: Floats
    means: Floats
    deviations: Floats


class Outcomes:
    """The outcomes of a regression model: how they are scaled, learned on-line, and what predictions have cost.

    An outcome is learned as ``(y - mean) / deviation`` by the mean and the standard deviation of the outcomes *before*
    it, held within 10; a prediction p of the learner means ``mean + deviation p``. As long as there is no deviation
    (before the third outcome, and while all are equal) an outcome is learned as 0, and predicted to be the mean, or 0
    before there is any. Without scaling outcomes are learned as they are.

    ``paid`` is what all predictions have cost: the errors, and the losses, are those of predictions in the outcomes'
    own unit. A loss with a number (huber:1.5, insensitive:0.1) takes it in deviations where outcomes are scaled.

    The sums are added up outcome by outcome, in the order of the rows: the bits do not depend on how rows come in
    blocks.

    >>> outcomes = Outcomes()
    >>> learned = outcomes.learned(np.array([10.0, 14.0, 12.0, 16.0]))
    >>> learned.scaled.tolist(), learned.means.tolist()
    ([0.0, 0.0, 0.0, 2.449489742783178], [0.0, 10.0, 12.0, 12.0])
    >>> outcomes.scale
    Scale(mean=13.0, deviation=2.23606797749979)
    """

    def __init__(self, *, scaled: bool = True) -> None:
        self.scaled = scaled
        self._count = 0
        self._sums, self.paid = [0.0] * SUMS, Paid()

    @property
    def count(self) -> int:
        """How many outcomes have come."""
        return self._count

    @property
    def scale(self) -> Scale:
        """How outcomes are scaled now."""
        if not self.scaled:
            return Scale(0.0, 1.0)
        first, total, squares = self._sums
        mean = total / max(self._count, 1)
        return Scale(first + mean, sqrt(max(squares / max(self._count, 1) - mean * mean, 0.0)))

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.from_state(self.state(), scaled=self.scaled)

    def learned(self, y: Floats) -> Learned:
        """Return outcomes as they are learned, each by those before it, and count them."""
        number, before = len(y), self._count
        if not number:
            return Learned(y, y, y)
        self._count += number
        if not self.scaled:
            return Learned(y, np.zeros(number), np.ones(number))
        first, total, squares = self._sums if before else (float(y[0]), 0.0, 0.0)
        more = np.clip(y - first, -MOST, MOST)
        totals, all_squares = np.cumsum(np.append(total, more)), np.cumsum(np.append(squares, more * more))
        counts = np.maximum(before + np.arange(number), 1)
        means = totals[:-1] / counts
        deviations = np.sqrt(np.maximum(all_squares[:-1] / counts - means * means, 0.0))
        self._sums = [first, float(totals[-1]), float(all_squares[-1])]
        means = first + means
        if not before:
            means[0] = 0.0  # nothing is known before the first
        spread = np.where(deviations > 0.0, deviations, np.inf)
        scaled = np.clip((y - means) / spread, -FARTHEST, FARTHEST)
        return Learned(np.asarray(scaled + 0.0), means, deviations)

    def undone(self, predictions: Floats, learned: Learned | None = None) -> Floats:
        """Return what the learner's predictions mean, now or when the outcomes were learned."""
        scale = self.scale
        means, deviations = (scale.mean, scale.deviation) if learned is None else (learned.means, learned.deviations)
        if not self.scaled:
            return predictions
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.where(np.asarray(deviations) > 0.0, means + deviations * predictions, means))

    def pay(self, predictions: Floats, y: Floats, measure: Loss, deviations: Floats) -> None:
        """Count what predictions of outcomes have cost, in the outcomes' own unit."""
        self.paid = self.paid.more(predictions, y, self.losses(predictions, y, measure, deviations))

    def losses(self, predictions: Floats, y: Floats, measure: Loss, deviations: Any = None) -> Floats:
        """Return what predictions of outcomes cost, in their own unit, now or when the deviations were others."""
        at = measure.at * np.asarray(self.scale.deviation if deviations is None else deviations)
        with np.errstate(over="ignore"):
            errors = np.abs(predictions - y)
            if self.scaled and measure.name == "huber":
                return np.asarray(np.where(errors <= at, errors * errors, at * (2.0 * errors - at)))
            if self.scaled and measure.name == "insensitive":
                return np.maximum(errors - at, 0.0)
            return measure(predictions, y)

    # Written down

    def state(self) -> State:
        """Return the counts and sums."""
        return {"outcome_count": np.array(self._count), "outcome_sums": np.array([*self._sums, *self.paid[1:]])}

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]], *, scaled: bool) -> Self:
        """Go on from what `state` gave; refuse what no game leads to."""
        made = cls(scaled=scaled)
        count, sums = state["outcome_count"], state["outcome_sums"]
        if count.dtype != np.int64 or count.shape != () or sums.dtype != np.float64 or sums.shape != (SUMS + PAID,):
            raise InvalidModel("outcomes: expected how many came and sums over them, got others")
        squares, paid = float(sums[2]), sums[SUMS:].tolist()
        sound = int(count) >= 0 and np.isfinite(sums[:SUMS]).all() and squares >= 0.0
        sound = sound and not any(isnan(each) or each < 0.0 for each in paid)
        if not sound or (not int(count) and sums.any()) or (not scaled and sums[:SUMS].any()):
            raise InvalidModel("outcomes: expected sums over the outcomes that came, got others")
        made._count, made._sums, made.paid = int(count), sums[:SUMS].tolist(), Paid(int(count), *paid)
        return made
