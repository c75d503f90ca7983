"""The engine of exponentiated gradient: weights on the simplex, each moved by a factor, one call a block.

``w = v / TOTAL``. On a row of ones the factor is the same for all attributes: an update costs one exponential, and what
it adds to the total is known from the prediction. Where the total has left a wide range, or is mostly rounding, all
``v`` are brought back near 1 by a power of two, which rounds nothing. No ``v`` falls below LEAST.
"""

import math

import numpy as np

from littlestone.engine.arrays import Columns, Floats, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import losses
from littlestone.engine.learning.descent import (
    BEYOND_X,
    BEYOND_Y,
    FASTEST,
    LARGEST,
    LOSS,
    MEASURE,
    X2,
    P,
    Y,
    downhill,
    measured,
)
from littlestone.engine.learning.rows import CACHED, ONE, dot, ones

__all__ = ["CONSTANT", "LEAST", "PEAK", "STEEPEST", "TOTAL", "learn", "renew", "score"]

CONSTANT, TOTAL, PEAK = range(3)  # state; CONSTANT is the v of the constant coordinate, 0 without one
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)  # counts

LEAST = 1e-280  # where a v is held, beside a total of about 1
STEEPEST = 200.0  # the largest exponent of a factor
DROP = 2.0**-20  # how far the total may fall before it is summed anew


@native
def _sum(v: Floats, state: Floats) -> float:
    """Return the sum of all v but the spare one, which stands for all where there are no others."""
    total = state[CONSTANT] if len(v) > 1 or state[CONSTANT] > 0.0 else v[0]
    for i in range(len(v) - 1):
        total += v[i]
    return float(total)


@native
def renew(v: Floats, state: Floats) -> None:
    """Bring the total near 1, and sum it anew; the last column, which is spare, moves with the others."""
    unit = math.ldexp(1.0, -math.frexp(_sum(v, state))[1])  # the total that was kept may be all rounding
    state[CONSTANT] = max(state[CONSTANT] * unit, LEAST) if state[CONSTANT] > 0.0 else 0.0
    for i in range(len(v)):
        v[i] = max(v[i] * unit, LEAST)
    state[TOTAL] = state[PEAK] = _sum(v, state)
    v[-1] = min(v[-1], state[TOTAL])  # no attribute has more


@inlined
def _held(exponent: float) -> float:
    return min(max(exponent, -STEEPEST), STEEPEST)


@inlined
def _multiply(
    indices: Columns,
    values: Floats,
    first: np.uint64,
    last: np.uint64,
    moved: float,
    v: Floats,
    state: Floats,
    s: float,
) -> None:
    """Multiply the weights of a row by ``e^(moved x)``; ``s`` is the sum of v x before."""
    gained, factor = 0.0, math.exp(_held(moved))
    alike, j = True, first
    while alike and j < last and len(values) > 0:
        alike = values[j] == 1.0  # so that such a row counts the same among Boolean rows and among others
        j += ONE
    j = first
    if len(values) == 0:
        while j < last:
            after = v[indices[j]] * factor
            v[indices[j]] = after if after > LEAST else LEAST  # noqa: FURB136 - max() asks for NaN, too
            j += ONE
    else:
        while j < last:
            before = v[indices[j]]
            after = max(before * math.exp(_held(moved * values[j])), LEAST)
            v[indices[j]] = after
            gained += after - before
            j += ONE
    if alike:
        gained = (factor - 1.0) * (s - state[CONSTANT])
    if state[CONSTANT] > 0.0:
        before = state[CONSTANT]
        state[CONSTANT] = max(before * factor, LEAST)
        gained += state[CONSTANT] - before
    state[TOTAL] += gained
    state[PEAK] = max(state[PEAK], state[TOTAL])
    if not 1e-30 < state[TOTAL] < 1e100 or not state[PEAK] * DROP <= state[TOTAL]:
        renew(v, state)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    v: Floats, state: Floats, counts: Ints, own: Floats, seen: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then go down the slope of the loss, row by row."""
    indices, values, v, state = borrowed(indices), borrowed(values), borrowed(v), borrowed(state)
    own, seen = borrowed(own), borrowed(seen)
    boolean, far, loss, measure = len(values) == 0, v.nbytes > CACHED, int(own[LOSS]), int(own[MEASURE])
    size, bias = np.uint64(len(v) - 1), state[CONSTANT] > 0.0
    trials, unit = counts[TRIALS], 1.0 / state[TOTAL]
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        trials += 1
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s += state[CONSTANT]
        p, y = losses.predicted(loss, s * unit), outcomes[r]
        predictions[r] = p
        large = measured(measure, own[P], values, first, last, bias, last - first == size)
        seen[LARGEST] = max(seen[LARGEST], large)
        if large > own[X2] and seen[BEYOND_X] == 0.0:
            seen[BEYOND_X] = trials
        if abs(y) > own[Y] and seen[BEYOND_Y] == 0.0:
            seen[BEYOND_Y] = trials
        weight = importance[r] if len(importance) > 0 else 1.0
        moved = min(max(-downhill(p, y, large, weight, own, seen), -FASTEST), FASTEST)
        if moved == 0.0:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if moved > 0.0 else DEMOTIONS] += 1
        _multiply(indices, values, first, last, moved, v, state, s)
        unit = 1.0 / state[TOTAL]  # now, while the next row is fetched
    counts[TRIALS] = trials


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, v: Floats, state: Floats, loss: int, predictions: Floats,
    activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that learning would make first, and w.x."""
    boolean, far, unit = len(values) == 0, v.nbytes > CACHED, 1.0 / state[TOTAL]
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = (s + state[CONSTANT]) * unit
        predictions[r], activations[r] = losses.predicted(loss, s), s
