"""Passive-aggressive: as little change as makes the last example right by a margin."""

from __future__ import annotations

from math import inf

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.parameters import choice, flag, number
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.learning import steps
from littlestone.engine.learning.rules import MARGIN
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping

__all__ = ["PassiveAggressive", "passive_aggressive"]

VARIANTS = ("PA", "PA-I", "PA-II")
CAP, SOFT = steps.OWN, steps.OWN + 1  # C of PA-I and C of PA-II, infinite in the other variants


@inlined
def _step(m: float, square: float, weight: float, _trial: int, rule: Floats) -> float:
    """Return tau: PA-I has a cap on it, PA-II divides by more; an infinite C does neither."""
    if square < steps.TINY:
        return 0.0
    return float(min((1.0 - m) / (square + 0.5 / (rule[SOFT] * weight)), rule[CAP] * weight))


@kept
def passive_aggressive(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats,
    v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Codes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    steps.play(_step, rule, indptr, indices, values, outcomes, importance, v, rule, state, counts, predictions)


class PassiveAggressive(Learner):
    """The nearest w that has no hinge loss on the example, or little of it (PA, PA-I, PA-II).

    Update where the loss ``l = max(0, 1 - y (w.x))`` is not 0: ``w <- w + tau y x`` with y in {-1, +1} and

    - "PA": ``tau = l / |x|^2``;
    - "PA-I": ``tau = min(C, l / |x|^2)``;
    - "PA-II": ``tau = l / (|x|^2 + 1/(2C))``.

    Predict 1 iff ``w.x >= 0``. A row without attributes (and without the constant one) changes nothing.

    An example's weight multiplies its C, which under "PA-I" is to repeat it so many times. "PA", which has no C, would
    learn nothing from a repetition: there all weights but 0 are the same.

    Bound
    -----
    For every u, with losses l* = max(0, 1 - y (u.x)) and |x| <= R: "PA" |u|^2 R^2 mistakes if u has no loss; "PA-I"
    max(R^2, 1/C) (|u|^2 + 2 C sum l*); "PA-II" (R^2 + 1/(2C)) (|u|^2 + 2 C sum l*^2). On a disjunction of k attributes
    |u|^2 = 4k+1.

    Example
    -------
    >>> import littlestone as ls
    >>> noisy = ls.teachers.Disjunction(n=20, k=3, trials=1000, noise=0.2)
    >>> {kind: ls.play(ls.PassiveAggressive(variant=kind, C=0.01), noisy).mistakes for kind in ("PA", "PA-I", "PA-II")}
    {'PA': 374, 'PA-I': 302, 'PA-II': 300}

    Reference
    ---------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online passive-aggressive algorithms", JMLR 7 (2006).
    """

    variant: str = choice(
        default="PA-I", among=VARIANTS, listed=True, says='"PA" believes every label; the others are for noise.'
    )
    C: float = number(default=1.0, above=0, says='How aggressive "PA-I" and "PA-II" are; "PA" has no use for it.')
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _build(self, n: int | None) -> Machine:
        del n
        C = float(self.C)
        own = (C if self.variant == "PA-I" else inf, C if self.variant == "PA-II" else inf)
        return Stepping(passive_aggressive, *own, when=MARGIN, bias=self.bias)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        C = float(self.C)
        if self.variant == "PA":
            return bounds.passive_aggressive_disjunction(k=k, X=n - 1)
        if self.variant == "PA-I":
            return bounds.passive_aggressive_1_disjunction(k=k, X=n - 1, C=C)
        return bounds.passive_aggressive_2_disjunction(k=k, X=n - 1, C=C)
