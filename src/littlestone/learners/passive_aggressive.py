"""Passive-aggressive: as little change as makes the last example right by a margin."""

from __future__ import annotations

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.declared import choice, flag, number
from littlestone.engine.learning import steps
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping

__all__ = ["PassiveAggressive"]

VARIANTS = {"PA": steps.PA, "PA-I": steps.PA_I, "PA-II": steps.PA_II}


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
    >>> import numpy as np
    >>> from littlestone.learners import PassiveAggressive
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> y = X[:, :3].any(axis=1)
    >>> learner = PassiveAggressive()
    >>> _ = learner.learn(X, y)
    >>> learner.mistakes, learner.updates, learner.guarantee.at(k=3).value
    (17, 206, 273.0)

    Reference
    ---------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online passive-aggressive algorithms", JMLR 7 (2006).
    """

    variant: str = choice(
        default="PA-I",
        among=VARIANTS,
        listed=True,
        says='"PA" believes every label; the others are for noise.',
    )
    C: float = number(default=1.0, above=0, says='How aggressive "PA-I" and "PA-II" are; "PA" has no use for it.')
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _build(self, n: int | None) -> Machine:
        del n
        return Stepping(VARIANTS[self.variant], rate=float(self.C), bias=self.bias)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        C = float(self.C)
        if self.variant == "PA":
            return bounds.passive_aggressive_disjunction(k=k, X=n - 1)
        if self.variant == "PA-I":
            return bounds.passive_aggressive_1_disjunction(k=k, X=n - 1, C=C)
        return bounds.passive_aggressive_2_disjunction(k=k, X=n - 1, C=C)
