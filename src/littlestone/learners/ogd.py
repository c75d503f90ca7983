"""OGD: on-line gradient descent."""

from __future__ import annotations

import numpy as np

from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.parameters import choice, flag, number
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.learning import steps
from littlestone.engine.learning.rules import ALWAYS, MARGIN
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping

__all__ = ["OGD", "gradient_descent"]

LOSSES = {"hinge": MARGIN, "logistic": ALWAYS}  # when there is a gradient
ETA, LOGISTIC = steps.OWN, steps.OWN + 1


@inlined
def _step(m: float, square: float, weight: float, trial: int, rule: Floats) -> float:
    """Return tau, eta/sqrt(t) times minus the slope of the loss at m, held where floats end."""
    tau = weight * rule[ETA] / np.sqrt(trial)
    if rule[LOGISTIC] != 0.0:
        tau /= 1.0 + np.exp(min(m, 700.0))  # beyond it e^m is no float
    return float(min(tau, steps.LONGEST / max(1.0, np.sqrt(square))))


@kept
def gradient_descent(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats,
    v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Codes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    steps.play(_step, rule, indptr, indices, values, outcomes, importance, v, rule, state, counts, predictions)


class OGD(Learner):
    """A step down the gradient of each trial's loss, shorter from trial to trial.

    At trial t, with y in {-1, +1}, ``w <- w + eta/sqrt(t) g y x``, then back into the ball ``|w| <= radius``, where

    - "hinge": the loss is ``max(0, 1 - y (w.x))``, g = 1 where it is not 0;
    - "logistic": the loss is ``ln(1 + e^(-y (w.x)))``, ``g = 1/(1 + e^(y (w.x)))``, and every trial is an update.

    Predict 1 iff ``w.x >= 0``.

    An example's weight multiplies its step.

    Bound
    -----
    With a radius B and |x| <= R, over T trials the losses exceed those of any u in the ball by at most
    2 B^2 sqrt(T)/eta + eta R^2 (sqrt(T) - 1/2), and a mistake is a loss of at least 1 (logistic: ln 2): see
    `bounds.ogd_hinge` and `bounds.ogd_logistic`. It grows with the number of trials, and `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> run = ls.play(ls.OGD(loss="logistic"), ls.teachers.Threshold(n=100, trials=1000))
    >>> run.mistakes, run.updates
    (157, 1000)

    Reference
    ---------
    Zinkevich, "Online convex programming and generalized infinitesimal gradient ascent", ICML 2003.
    """

    loss: str = choice(
        default="hinge",
        among=LOSSES,
        listed=True,
        says="What is gone down: ``(1 - y w.x)+``, or ``ln(1 + e^(-y w.x))``.",
    )
    eta: float = number(default=1.0, above=0, says="The first step.")
    radius: float | None = number(
        default=None,
        above=0,
        says="Of the ball that w, the constant coordinate counted, is projected to; None: no projection.",
    )
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _build(self, n: int | None) -> Machine:
        del n
        own = (float(self.eta), float(self.loss == "logistic"))
        radius = float(self.radius or 0.0)
        return Stepping(gradient_descent, *own, when=LOSSES[self.loss], radius=radius, bias=self.bias)
