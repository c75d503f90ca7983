"""Adagrad for numbers: gradient descent with a rate of its own for each attribute."""

from __future__ import annotations

from math import sqrt

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.parameters import flag, number
from littlestone.engine.arrays import Grid
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import adaptive, losses
from littlestone.engine.learning.adaptive import AT, LOSS, OWN, TIE
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.mirror_descent import loss_function
from littlestone.machines.adaptive import Adaptive
from littlestone.machines.machine import Machine
from littlestone.parts.losses import Loss, loss_of

__all__ = ["AdagradRegression", "adagrad_regression"]

WEIGHT, SQUARES = range(2)  # of an attribute: its weight, and the sum of its squared gradients
ETA, DELTA = OWN, OWN + 1


@inlined
def _pull(
    _s: float, _q: float, p: float, y: float, weight: float, own: Floats, _totals: Floats
) -> tuple[float, float]:  # fmt: skip
    """Return the slope, and eta."""
    return weight * losses.slope(int(own[LOSS]), own[AT], own[TIE], p, y), own[ETA]


@inlined
def _move(numbers: Floats, i: int, x: float, way: float, rate: float, own: Floats) -> None:
    """Move the weight by the share that this gradient has in all of its gradients."""
    g = adaptive.held(way * x)
    numbers[i, SQUARES] = min(numbers[i, SQUARES] + g * g, adaptive.LARGEST)
    size = own[DELTA] + sqrt(numbers[i, SQUARES])
    if size > 0.0:
        numbers[i, WEIGHT] = adaptive.held(numbers[i, WEIGHT] - rate * (g / size))


@kept
def adagrad_regression(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    numbers: Grid[Floats], constant: Grid[Floats], totals: Floats, counts: Ints, own: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    adaptive.play(
        adaptive.linear, adaptive.plain, _pull, _move, indptr, borrowed(indices), borrowed(values),
        outcomes, importance, borrowed(numbers), borrowed(constant), totals, counts,
        borrowed(own), predictions,
    )  # fmt: skip


class AdagradRegression(Regressor):
    """Adaptive subgradients: attributes that are rarely on move far, frequent ones little.

    Predict ``w.x``, at first w = 0. With g the slope of the loss, 2 (w.x - y) for the square loss, for each attribute
    of the row

        G_i <- G_i + (g x_i)^2,   w_i <- w_i - eta g x_i/(delta + sqrt(G_i)).

    A row's weight multiplies the slope. A trial costs the attributes that are on. A step does not depend on how large
    the outcomes are: with eta, which is as far as a weight goes in one step, they should be scaled.

    Bound
    -----
    None is guaranteed from its parameters alone: `bounds.adagrad_regret` asks how far the weights are from those of u.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.AdagradRegression(eta=0.5, bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.5, 1.0]
    >>> {name: round(weight, 3) for name, weight in learner.weights().items()}
    {0: 0.916, 1: 0.1}

    Reference
    ---------
    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", JMLR 12
    (2011): composite mirror descent with a diagonal matrix.
    """

    eta: float = number(default=0.5, above=0, says="The rate.")
    delta: float = number(
        default=0.0,
        above=0,
        ends="[)",
        says="What keeps the first steps small; with 0 the first step of every attribute is eta.",
    )
    loss_function: str | Loss = loss_function()
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    @property
    def measure(self) -> Loss:
        """The loss that it pays, and whose slope it goes down."""
        return loss_of(self.loss_function)

    def _build(self, n: int | None) -> Machine:
        del n
        own = (float(self.eta), float(self.delta))
        return Adaptive(self.measure, adagrad_regression, None, own, (0.0, 0.0), bias=self.bias)
