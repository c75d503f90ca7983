"""Losses of predicted numbers: what a loss is, and its slope, by a code and the loss's own numbers.

A loss is asked with the prediction p and the outcome y. Its slope is the derivative by ``w.x``: of the logistic loss,
whose prediction is ``1/(1 + e^-w.x)``, that is p - y. Where a loss has a kink its slope there is 0; the linear hinge
has the slope of the side on which its classifier errs.
"""

import math

from littlestone.engine.arrays import Floats, Read
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.duals import sigmoid

__all__ = [
    "ABSOLUTE",
    "HUBER",
    "INSENSITIVE",
    "LINEAR_HINGE",
    "LOGISTIC",
    "QUANTILE",
    "SQUARE",
    "add_up",
    "predicted",
    "predictions_of",
    "slope",
    "slopes",
    "value",
]

LARGEST = 1e300  # where a loss is held, and their sum

CERTAIN = 1.0 - 2.0**-53  # the float below 1: a prediction of 1 would cost more than ``w.x`` is to blame for
SQUARE, ABSOLUTE, INSENSITIVE, HUBER, QUANTILE, LOGISTIC, LINEAR_HINGE = range(7)


@inlined
def predicted(loss: int, s: float) -> float:
    """Return the prediction that belongs to ``w.x``."""
    return float(min(sigmoid(s), CERTAIN)) if loss == LOGISTIC else s


@inlined
def slope(loss: int, at: float, tie: float, p: float, y: float) -> float:
    """Return the derivative of the loss by ``w.x``."""
    r = p - y
    if loss == SQUARE:
        return 2.0 * r
    if loss == LOGISTIC:
        return r
    if loss == HUBER:
        return 2.0 * min(max(r, -at), at)
    if loss == LINEAR_HINGE:
        one = p >= at if tie != 0.0 else p > at
        return (1.0 if one else 0.0) - y
    if loss == QUANTILE:
        return (1.0 - at if r > 0.0 else -at) if r != 0.0 else 0.0
    free = at if loss == INSENSITIVE else 0.0
    return (1.0 if r > 0.0 else -1.0) if abs(r) > free else 0.0


@native
def value(loss: int, at: float, p: float, y: float) -> float:
    """Return the loss."""
    r = p - y
    if loss == SQUARE:
        return r * r
    if loss == LOGISTIC:
        return max(_entropy(y, p) + _entropy(1.0 - y, 1.0 - p), 0.0)  # where p = y rounding may go below
    if loss == HUBER:
        return r * r if abs(r) <= at else at * (2.0 * abs(r) - at)
    if loss == LINEAR_HINGE:
        return max(0.0, at - p) if y == 1.0 else max(0.0, p - at)
    if loss == QUANTILE:
        return (1.0 - at) * r if r > 0.0 else -at * r
    return max(0.0, abs(r) - at) if loss == INSENSITIVE else abs(r)


@native
def _entropy(y: float, p: float) -> float:
    """Return ``y ln(y/p)``; a prediction of 0 is taken for the least number there is."""
    return y * math.log(y / max(p, 2.3e-308)) if y > 0.0 else 0.0


@native
def add_up(
    loss: int, at: float, predictions: Read[Floats], outcomes: Read[Floats], losses: Floats, total: float
) -> float:
    """Write the loss of each trial; return their sum and ``total``, added in this order whatever the blocks."""
    for r in range(len(losses)):
        losses[r] = min(value(loss, at, predictions[r], outcomes[r]), LARGEST)
        total = min(total + losses[r], LARGEST)
    return total


@native
def slopes(
    loss: int, at: float, tie: float, predictions: Read[Floats], outcomes: Read[Floats], found: Floats
) -> None:  # fmt: skip
    """Write the slope of each trial."""
    for r in range(len(found)):
        found[r] = slope(loss, at, tie, predictions[r], outcomes[r])


@native
def predictions_of(loss: int, scores: Read[Floats], found: Floats) -> None:
    """Write the predictions that belong to each ``w.x``."""
    for r in range(len(found)):
        found[r] = predicted(loss, scores[r])
