"""Passive-aggressive for numbers: as little change as makes the last prediction right, but for epsilon."""

from __future__ import annotations

from math import inf

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.parameters import choice, flag, number
from littlestone.engine.arrays import Grid
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import descent
from littlestone.learners.regressors.base import Regressor
from littlestone.machines.descent import Descent
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.losses import Loss, insensitive

__all__ = ["PassiveAggressiveRegression", "passive_aggressive_regression"]

VARIANTS = ("PA", "PA-I", "PA-II")
CAP, SOFT = descent.OWN, descent.OWN + 1  # C of PA-I and C of PA-II, infinite in the other variants
TINY = 1e-200  # a row that is shorter changes nothing


@inlined
def _step(p: float, y: float, size: float, weight: float, own: Floats, _seen: Floats) -> float:
    """Return minus tau, or tau: PA-I has a cap on it, PA-II divides by more; an infinite C does neither."""
    loss = abs(p - y) - own[descent.AT]
    if not loss > 0.0 or size < TINY or weight == 0.0:
        return 0.0
    tau = min(loss / (size + 0.5 / (own[SOFT] * weight)), own[CAP] * weight)
    return float(tau if p > y else -tau)


@kept
def passive_aggressive_regression(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    weights: Grid[Floats], rule: Floats, kind: Ints, state: Floats, counts: Ints, own: Floats, seen: Floats,
    predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    descent.play(
        _step, indptr, borrowed(indices), borrowed(values), outcomes, importance, borrowed(weights),
        borrowed(rule), borrowed(kind), borrowed(state), counts, borrowed(own), borrowed(seen), predictions,
    )  # fmt: skip


class PassiveAggressiveRegression(Regressor):
    """The nearest w that predicts the outcome up to epsilon, or nearly so (PA, PA-I, PA-II).

    Predict ``w.x``, at first w = 0. Where ``l = max(0, |w.x - y| - epsilon)`` is not 0,
    ``w <- w + sign(y - w.x) tau x`` with

    - "PA": ``tau = l/|x|^2``;
    - "PA-I": ``tau = min(C, l/|x|^2)``;
    - "PA-II": ``tau = l/(|x|^2 + 1/(2C))``.

    What it pays is l, the epsilon-insensitive loss. A row without attributes (and without the constant one) changes
    nothing. A row's weight multiplies its C; "PA" has none, and all weights but 0 are the same there.

    Bound
    -----
    None is claimed here.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.PassiveAggressiveRegression(epsilon=0.5, variant="PA", bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).tolist()
    [0.0, 0.5, 1.0]
    >>> learner.weights(), learner.loss
    ({0: 1.0, 1: 0.25}, 2.0)

    Reference
    ---------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online passive-aggressive algorithms", JMLR 7 (2006), section 5.
    """

    epsilon: float = number(default=0.1, above=0, ends="[)", says="How large an error is free.")
    variant: str = choice(
        default="PA-I", among=VARIANTS, listed=True, says='"PA" believes every outcome; the others are for noise.'
    )
    C: float = number(default=1.0, above=0, says='How aggressive "PA-I" and "PA-II" are; "PA" has no use for it.')
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    @property
    def measure(self) -> Loss:
        """The loss that it pays: the epsilon-insensitive one."""
        return insensitive(float(self.epsilon))

    def _build(self, n: int | None) -> Machine:
        C = float(self.C)
        own = (C if self.variant == "PA-I" else inf, C if self.variant == "PA-II" else inf)
        kernel = passive_aggressive_regression
        return Descent(links.identity(), self.measure, n, bias=self.bias, kernel=kernel, own=own)
