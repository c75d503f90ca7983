"""What `AutoRegressor` computes with: experts of several kinds, and a mean of what they say."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, State
from littlestone.core.rows import Rows, check_size
from littlestone.engine.learning import averaging, forecasts
from littlestone.engine.learning.averaging import LARGEST
from littlestone.engine.learning.descent import BEYOND_Y
from littlestone.machines.machine import Machine, Seen
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_counts, need, within

__all__ = ["NAMES", "Averaging"]

NAMES = (
    "mean",
    "last outcome",
    f"slow mean({forecasts.SLOW})",
    *(
        f"least squares(a={a}, memory={memory}, foresees={foresees}, lags={2 * lagged})"
        for a, memory, foresees, lagged in zip(
            forecasts.PRIOR, forecasts.MEMORY, forecasts.FORESEES, forecasts.LAGGED, strict=True
        )
    ),
    *(f"normalised gradient(eta={eta})" for eta in forecasts.ETAS),
    *(f"normalised least mean squares(eta={eta})" for eta in forecasts.RATES),
    "combination",
)


class Averaging(Machine):
    """Experts that all learn every row, and a mean of what they say, weighted by what each has lost.

    ``eta`` is the rate of the weights; 0: it follows the game. ``Y`` is the largest outcome that a guarantee is for.
    """

    kinds: ClassVar[Kinds] = {
        "numbers": ("<f8", 2), "factor": ("<f8", 3), "moments": ("<f8", 2), "mixed": ("<f8", 2), "totals": ("<f8", 1),
        "seen": ("<f8", 1), **COUNTS,
    }  # fmt: skip
    takes_every_row = True

    def __init__(self, *, eta: float = 0.0, Y: float = inf) -> None:
        self._eta, self._Y = eta, Y
        self._numbers = np.zeros((1, forecasts.WIDTH))
        self._totals = np.zeros(forecasts.TOTALS)
        self._totals[forecasts.IN] = 1.0
        self._factor, self._moments = _room(0)
        single = forecasts.SINGLE
        self._mixed = np.zeros((single + 2, single))
        self._mixed[single], self._mixed[single + 1] = 1.0, 1.0 / single
        self._counts, self._seen = np.zeros(4, dtype=np.int64), np.zeros(4)

    @property
    def seen(self) -> Seen:  # type: ignore[override]
        """The first trial with an outcome beyond what was stated."""
        return Seen.of(self._seen)

    @property
    def losses(self) -> Floats:
        """What each expert has lost; infinite, if it has left."""
        found: Floats = self._lost() + self._totals[forecasts.FOR_ALL]
        return found

    @property
    def best(self) -> int:
        """The expert that has lost least, the first of them."""
        return int(np.argmin(self._lost()))

    def _lost(self) -> Floats:
        """Return what each has lost after the first trial, next to which that may be too little to be seen."""
        found = self._totals[forecasts.LOSSES :].copy()
        if not self._totals[forecasts.IN]:
            found[forecasts.MEANS : forecasts.MEANS + forecasts.FULL] = inf
        return found

    @property
    def shares(self) -> Floats:
        """The share of each expert in the next mean."""
        found = np.zeros(averaging.EXPERTS)
        averaging.shares(self._eta, bool(self._totals[forecasts.IN]), self._totals, found)
        return found

    @property
    def width(self) -> float:
        """How far the least and the largest outcome so far are from each other."""
        return float(self._totals[forecasts.HIGH] - self._totals[forecasts.LOW])

    def grow(self, size: int) -> None:
        """Give numbers of their own to ``size`` attributes."""
        old = self.size
        if size <= old:
            return
        check_size(size)
        if size + 1 > len(self._numbers):
            numbers = np.zeros((size + 1 + old // 2, forecasts.WIDTH))
            numbers[: old + 1] = self._numbers[: old + 1]
            self._numbers = numbers
        if self._totals[forecasts.IN]:
            before = self._moments.shape[1]
            factor, moments = _room(min(size, forecasts.FEW))
            factor[:, :before, :before], moments[:, :before] = self._factor, self._moments
            self._factor, self._moments = factor, moments
        self._size = size

    def learn(self, rows: Rows, outcomes: Floats, importance: Floats) -> Floats:
        """Predict, then let everybody learn, row by row; return the predictions."""
        predictions = np.empty(len(outcomes))
        beyond = np.flatnonzero(np.abs(outcomes) > self._Y)
        if len(beyond) and not self._seen[BEYOND_Y]:
            self._seen[BEYOND_Y] = self._counts[averaging.TRIALS] + beyond[0] + 1
        averaging.learn(
            *rows, outcomes, importance, self._eta, self._numbers, self._factor, self._moments, self._mixed,
            self._totals, self._counts, predictions,
        )  # fmt: skip
        if not self._totals[forecasts.IN]:
            self._factor, self._moments = _room(0)
        return predictions

    def score(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return the predictions of each row, twice."""
        predictions = np.empty(len(rows.indptr) - 1)
        averaging.score(
            *rows, self._eta, self._numbers[: self.size + 1], self._factor, self._moments, self._mixed, self._totals,
            predictions,
        )  # fmt: skip
        return predictions, predictions.copy()

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes as the best of the experts has them that look at attributes."""
        found, known = np.zeros(size), min(size, self.size)
        best = int(np.argmin(self._lost()[forecasts.MEANS : forecasts.SINGLE]))
        if best < forecasts.FULL:
            w = self._moments[forecasts.FULL + best]
            found[:known] = w[forecasts.COORDINATES :][:known]
            constant = float(
                w[0] - w[forecasts.COORDINATES :] @ self._moments[forecasts.FIRST, forecasts.COORDINATES :]
            )
        else:
            place = best - forecasts.FULL
            at = 1 + 2 * place if place < forecasts.DESCENTS else 1 + forecasts.DESCENTS + place
            scale = self._numbers[1 : known + 1, forecasts.SCALE]
            found[:known] = self._numbers[1 : known + 1, at] / np.where(scale > 0.0, scale, 1.0)
            constant = float(self._numbers[0, at])
        return found, constant + float(self._totals[forecasts.Y1])

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {
            "numbers": self._numbers[: self.size + 1] + 0.0, "factor": self._factor + 0.0,
            "moments": self._moments + 0.0, "mixed": self._mixed + 0.0, "totals": self._totals + 0.0,
            "seen": self._seen.copy(), "counts": self._counts.copy(),
        }  # fmt: skip

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        self._numbers, self._factor, self._moments, self._mixed, self._totals, self._seen = (
            np.array(state[name], dtype=np.float64, order="C")
            for name in ("numbers", "factor", "moments", "mixed", "totals", "seen")
        )
        self._size, self._counts = len(self._numbers) - 1, state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check the numbers of each expert; those of least squares are there while attributes are few."""
        super().check(state)
        numbers, totals, mixed, moments = (state[name] for name in ("numbers", "totals", "mixed", "moments"))
        single, most = forecasts.SINGLE, forecasts.MOST
        need(len(numbers) >= 1 and numbers.shape[1] == forecasts.WIDTH, f"{forecasts.WIDTH} numbers an attribute")
        need(
            within(numbers, -LARGEST, LARGEST) and within(numbers[:, forecasts.SCALE], 0.0, most), "numbers, and sizes"
        )
        need(
            totals.shape == (forecasts.TOTALS,) and within(totals[forecasts.GAP :], 0.0, LARGEST), "totals, and losses"
        )
        need(within(totals[[forecasts.WEIGHT, forecasts.NORMS]], 0.0, most), "trials")
        need(within(totals[forecasts.Y1 : forecasts.GAP], -most, most), "what was seen of outcomes")
        need(totals[forecasts.LOW] <= 0.0 <= totals[forecasts.HIGH], "a range of outcomes, the first one among them")
        need(totals[forecasts.IN] in (0.0, 1.0), "experts that take part, or do not")
        few = min(len(numbers) - 1, forecasts.FEW) if totals[forecasts.IN] else 0
        d, full = few + forecasts.COORDINATES, forecasts.FULL
        need(state["factor"].shape == (full, d, d) and within(state["factor"], -most, most), "factors of least squares")
        need(moments.shape == (2 * full + 2, d) and within(moments[full:-1], -most, most), "weights of least squares")
        need(within(moments[:full], 0.0, forecasts.FAR), "variances of least squares")
        need(within(moments[-1], 0.0, LARGEST), "squares of values")
        need(mixed.shape == (single + 2, single) and within(mixed, -most, most), "a combination of what is said")
        need(within(mixed[single], 0.0, 1.0), "variances of a combination")
        need(state["seen"].shape == (4,) and within(state["seen"], 0.0, inf), "what was seen of outcomes")
        check_counts(state, 4)


def _room(size: int) -> tuple[Floats, Floats]:
    """Return room for least squares of so many attributes."""
    d = size + forecasts.COORDINATES
    return np.zeros((forecasts.FULL, d, d)), np.zeros((2 * forecasts.FULL + 2, d))
