"""What exponentiated gradient computes with: a positive number an attribute, and their sum."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, State
from littlestone.core.rows import Rows
from littlestone.engine.learning import descent, mixture
from littlestone.machines.columns import ColumnMachine
from littlestone.machines.machine import Seen
from littlestone.machines.sound import Kinds, Loaded, need, within
from littlestone.parts.losses import Loss

__all__ = ["Mixture"]


class Mixture(ColumnMachine):
    """Weights on the simplex, each of which is moved by a factor; all of them are equal before the first trial."""

    kinds: ClassVar[Kinds] = {**ColumnMachine.kinds, "seen": ("<f8", 1)}
    said = np.float64

    def __init__(
        self, loss: Loss, n: int | None, *, eta: float | None, share: float, bias: bool, X2: float = inf, Y: float = inf
    ) -> None:
        first = float(bias)
        super().__init__([1.0], [first, first or 1.0, first or 1.0])
        self.loss = loss
        fixed = (loss.code, loss.at, loss.tie, eta or 0.0, share, descent.SPREAD, 2.0, X2, Y)
        self._own, self._seen = np.array(fixed, dtype=np.float64), np.zeros(4)
        if n is not None:
            self.grow(n)  # the sum is over all attributes, seen or not

    @property
    def seen(self) -> Seen:  # type: ignore[override]
        """How large rows were, and the first trials beyond what was stated."""
        return Seen.of(self._seen)

    def _widen(self, old: int, size: int) -> None:
        alone = old == 0 and not self._scalars[mixture.CONSTANT]  # while there were none, the spare one stood for them
        super()._widen(old, size)
        more = (size - old - int(alone)) * float(self._columns[0, size])
        self._scalars[mixture.TOTAL] += more
        self._scalars[mixture.PEAK] += more

    def _learn(self, rows: Rows, outcomes: Any, importance: Floats, predictions: Any) -> None:
        v = self._used()[0]
        mixture.learn(*rows, outcomes, importance, v, self._scalars, self._counts, self._own, self._seen, predictions)

    def _score(self, rows: Rows, predictions: Any, activations: Floats) -> None:
        mixture.score(*rows, self._used()[0], self._scalars, self.loss.code, predictions, activations)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""
        total = float(self._scalars[mixture.TOTAL])
        columns = np.minimum(np.arange(size), self.size)
        return self._columns[0, columns] / total, float(self._scalars[mixture.CONSTANT]) / total

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return super().state() | {"seen": self._seen.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self._seen[:] = state["seen"]

    def check(self, state: Loaded) -> None:
        """Check that numbers are positive, and what was seen."""
        super().check(state)
        most = float(state["scalars"][mixture.PEAK]) * (1.0 + 1e-9)
        need(0.0 < state["scalars"][mixture.TOTAL] <= most < inf, "a positive sum")
        need(within(state["vectors"], 1e-300, most), "positive numbers")
        need(state["seen"].shape == (4,) and bool((state["seen"] >= 0.0).all()), "what was seen of rows and outcomes")
