"""What regressors of the quasi-additive family compute with: the duals of `Duals`, moved by what a prediction costs."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, State
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import descent, duals
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Seen
from littlestone.machines.sound import Kinds, Loaded, need, within
from littlestone.parts.links import Link, Rule
from littlestone.parts.losses import Loss

__all__ = ["Descent"]

LEAST = 1e-30  # below it a total is summed anew


class Descent(Duals):
    """Duals that go down the slope of a loss, with steps of ``eta``, or of ``share`` over the largest row so far.

    ``measure`` says what makes a row large; ``X2`` and ``Y`` are the largest row and outcome that a guarantee is for.
    A ``kernel`` of a learner's own, with another step, takes the numbers ``own``.
    """

    quick = False
    kinds: ClassVar[Kinds] = {**Duals.kinds, "seen": ("<f8", 1)}
    infinite = frozenset()  # nothing is eliminated

    def __init__(
        self, link: Link, loss: Loss, n: int | None, *, eta: float | None = None, share: float = 0.25,
        measure: int = descent.LENGTH, start: float = 0.0, bias: bool, X2: float = inf, Y: float = inf,
        kernel: Kept | None = None, own: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(Rule(link=link, up=1.0, down=-1.0, start=start, theta=0.0, bias=bias), n)
        self.loss, self._kernel = loss, kernel
        fixed = (loss.code, loss.at, loss.tie, eta or 0.0, share, measure, link.a or 2.0, X2, Y)
        self._own = np.array([*fixed, *own], dtype=np.float64)
        self._seen = np.zeros(4)

    @property
    def seen(self) -> Seen:  # type: ignore[override]
        """How large rows were, and the first trials beyond what was stated."""
        return Seen.of(self._seen)

    def learn(self, rows: Rows, outcomes: Floats, importance: Floats) -> Floats:  # type: ignore[override]
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes))
        code: Any = descent.learn if self._kernel is None else self._kernel.code
        code(
            *rows, outcomes, importance, self._weights, self._rule, self._kind, self._state, self._counts, self._own,
            self._seen, predictions,
        )  # fmt: skip
        return predictions

    def score(self, rows: Rows) -> tuple[Floats, Floats]:  # type: ignore[override]
        """Return the predictions and w.x of each row."""
        predictions, activations = np.empty(len(rows.indptr) - 1), np.empty(len(rows.indptr) - 1)
        descent.score(
            *rows, self._weights, self._rule, self._kind, self._state, self.loss.code, predictions, activations
        )
        return predictions, activations

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return super().state() | {"seen": self._seen.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self._seen[:] = state["seen"]

    def check(self, state: Loaded) -> None:
        """Check the duals, and what was seen."""
        super().check(state)
        weights, scalars, rule = state["weights"], state["scalars"], self.rule
        for held in (weights, scalars[[duals.BIAS_V, duals.BIAS_Z]]):
            need(within(held, -duals.FARTHEST, duals.FARTHEST), "weights and duals that are held")
        summed = rule.link.scale in (duals.SUM, duals.BOTH)
        need(not summed or scalars[duals.TOTAL] >= LEAST, "a sum of weights")
        need(state["seen"].shape == (4,) and bool((state["seen"] >= 0.0).all()), "what was seen of rows and outcomes")
