"""Adagrad: gradient descent with a rate of its own for each attribute."""

from __future__ import annotations

from math import exp, sqrt

from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.parameters import choice, flag, number
from littlestone.engine.arrays import Grid
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.learning import rates
from littlestone.engine.learning.rules import ALWAYS, MARGIN
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.moments import Rates

__all__ = ["Adagrad", "adagrad"]

LOSSES = {"hinge": MARGIN, "logistic": ALWAYS}  # when there is a gradient


@inlined
def _term(w: float, _G: float, x: float) -> float:
    return w * x


@inlined
def _pull(m: float, weight: float, own: tuple[float, float, bool]) -> float:
    """Return the row's weight times minus the slope of the loss at m."""
    return weight / (1.0 + exp(min(m, 700.0))) if own[2] else weight  # beyond 700 e^m is no float


@inlined
def _move(w: float, G: float, pull: float, x: float, own: tuple[float, float, bool]) -> tuple[float, float]:
    """Return the weight and the sum of squared gradients after a step."""
    eta, delta, _ = own
    g = pull * x
    G = min(G + g * g, rates.LARGEST)
    size = delta + sqrt(G)
    return rates.held(w + eta * (g / size)) if size > 0.0 else w, G  # a size of 0: g * g is too small for a float


@kept
def adagrad(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats,
    moments: Grid[Floats], rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Codes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row; the rule is eta and delta."""
    own = (rule[0], rule[1], kind[rates.WHEN] == ALWAYS)
    rates.play(
        _term, _pull, _move, own, indptr, indices, values, outcomes, importance,
        moments, kind, state, counts, predictions,
    )  # fmt: skip


class Adagrad(Learner):
    """Adaptive subgradients: attributes that are rarely on move far, frequent ones little.

    Predict 1 iff ``w.x >= 0``, at first w = 0. With y in {-1, +1} and ``m = y w.x``, for each attribute of the row

        G_i <- G_i + (q x_i)^2,   w_i <- w_i + eta q y x_i/(delta + sqrt(G_i)),

    where q is 1 if m < 1, else 0, for the hinge loss ``(1 - m)+``, and 1/(1 + e^m) for the logistic ``ln(1 + e^-m)``.

    A row's weight multiplies the gradient. A trial costs the attributes that are on.

    Bound
    -----
    The losses, and so the mistakes, are at most those of any u and its regret: `bounds.adagrad` and
    `bounds.adagrad_logistic`. How far the weights were from u is known after a game; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=1000, k=5, trials=3000)
    >>> ls.play(ls.Adagrad(), stream).mistakes, ls.play(ls.OGD(), stream).mistakes
    (655, 820)

    Reference
    ---------
    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", JMLR 12
    (2011): composite mirror descent with a diagonal matrix, Theorem 5.
    """

    eta: float = number(default=0.3, above=0, says="The rate.")
    delta: float = number(
        default=0.0,
        above=0,
        ends="[)",
        says="What keeps the first steps small; with 0 the first step of every attribute is eta.",
    )
    loss: str = choice(default="hinge", among=LOSSES, says='The loss; with "logistic" every trial is an update.')
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, learned like any other. Without it x=0 is always taken for positive.",
    )

    def _build(self, n: int | None) -> Machine:
        del n
        rule = (float(self.eta), float(self.delta))
        return Rates(adagrad, rule, (0.0, 0.0), when=LOSSES[self.loss], bias=self.bias)
