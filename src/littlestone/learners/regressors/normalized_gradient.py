"""Normalised adaptive gradient descent: no attribute's unit matters."""

from __future__ import annotations

from math import sqrt

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.parameters import flag, number
from littlestone.engine.arrays import Grid, Read
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import adaptive, losses
from littlestone.engine.learning.adaptive import AT, LOSS, OWN, TIE
from littlestone.learners.regressors.base import Regressor
from littlestone.learners.regressors.mirror_descent import loss_function
from littlestone.machines.adaptive import Normalized
from littlestone.machines.machine import Machine
from littlestone.parts.losses import Loss, loss_of

__all__ = ["NormalizedGradient", "normalized", "normalized_scores"]

# of an attribute: the weight times the largest value so far, squared gradients, that value; ETA; of all rows
WEIGHT, SQUARES, SCALE = range(3)
ETA = OWN
TRIALS, NORMS = range(2)


@inlined
def _term(numbers: Floats, i: int, x: float) -> tuple[float, float]:
    """Return what an attribute adds to w.x, its weight as it is after x has been seen, and to the row's norm."""
    size = max(numbers[i, SCALE], abs(x))
    share = x / size if size > 0.0 else 0.0
    return numbers[i, WEIGHT] * share, share * share


@inlined
def _pull(
    _s: float, q: float, p: float, y: float, weight: float, own: Floats, totals: Floats
) -> tuple[float, float]:  # fmt: skip
    """Return the slope, and eta sqrt(t/N)."""
    totals[TRIALS] = min(totals[TRIALS] + weight, adaptive.LARGEST)
    totals[NORMS] = min(totals[NORMS] + weight * q, adaptive.LARGEST)
    rate = own[ETA] * sqrt(totals[TRIALS] / totals[NORMS]) if totals[NORMS] > 0.0 else 0.0
    return weight * losses.slope(int(own[LOSS]), own[AT], own[TIE], p, y), adaptive.held(rate)


@inlined
def _move(numbers: Floats, i: int, x: float, way: float, rate: float, _own: Floats) -> None:
    """Move the weight by the share that this gradient has in all of its gradients."""
    numbers[i, SCALE] = max(numbers[i, SCALE], abs(x))
    g = adaptive.held(way * x)
    numbers[i, SQUARES] = min(numbers[i, SQUARES] + g * g, adaptive.LARGEST)
    if numbers[i, SQUARES] > 0.0:
        numbers[i, WEIGHT] = adaptive.held(numbers[i, WEIGHT] - rate * (g / sqrt(numbers[i, SQUARES])))


@kept
def normalized(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    numbers: Grid[Floats], constant: Grid[Floats], totals: Floats, counts: Ints, own: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    adaptive.play(
        _term, adaptive.plain, _pull, _move, indptr, borrowed(indices), borrowed(values), outcomes,
        importance, borrowed(numbers), borrowed(constant), borrowed(totals), counts,
        borrowed(own), predictions,
    )  # fmt: skip


@kept
def normalized_scores(
    indptr: Ints, indices: Columns, values: Floats, numbers: Read[Grid[Floats]], constant: Read[Grid[Floats]],
    own: Read[Floats], predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning."""
    adaptive.scored(
        _term, adaptive.plain, indptr, indices, values, numbers, constant, own, predictions, activations
    )  # fmt: skip


class NormalizedGradient(Regressor):
    """NAG, normalised adaptive gradient descent: rows in other units of the attributes get the same predictions.

    At first w, s, G, N = 0. In trial t, for each attribute of the row

        if |x_i| > s_i:  w_i <- w_i s_i/|x_i|,  s_i <- |x_i|;

    predict ``w.x``; with g the slope of the loss, 2 (w.x - y) for the square loss,

        N <- N + sum of (x_i/s_i)^2,   G_i <- G_i + (g x_i)^2,   w_i <- w_i - eta sqrt(t/N) g x_i/(s_i sqrt(G_i)).

    A row's weight multiplies the slope, and counts in t and N as so many rows. A step does not depend on how large the
    outcomes are: with eta, which is about as far as a normalised weight goes in one step, they should be scaled.

    Bound
    -----
    None is claimed here.

    Example
    -------
    >>> import littlestone as ls
    >>> for unit in (1.0, 1000.0):
    ...     learner = ls.NormalizedGradient(bias=False)
    ...     learner.learn([[1 * unit, 0], [2 * unit, 1], [0, 2]], [1.0, 2.0, 0.0]).round(3).tolist()
    [0.0, 0.5, 0.408]
    [0.0, 0.5, 0.408]

    Reference
    ---------
    Ross, Mineiro and Langford, "Normalized online learning", UAI 2013 (Algorithm 2).
    """

    eta: float = number(default=0.5, above=0, says="The learning rate.")
    loss_function: str | Loss = loss_function()
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    @property
    def measure(self) -> Loss:
        """The loss that it pays, and whose slope it goes down."""
        return loss_of(self.loss_function)

    def _build(self, n: int | None) -> Machine:
        del n
        own, start = (float(self.eta),), (0.0, 0.0, 0.0)
        return Normalized(self.measure, normalized, normalized_scores, own, start, bias=self.bias, totals=2)
