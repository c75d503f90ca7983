"""The engine of regressors: ``z -= step x`` where the prediction is off, ``w = link(z)``, one call a block.

Weights, duals and scales are those of `duals`. Each family of regressors has its step in its own file, and a kernel
that inlines it into the loop here, `play`; `learn` is the kernel of those that go down the slope of a loss.
"""

from collections.abc import Callable

import numpy as np

from littlestone.engine.arrays import Columns, Floats, Grid, Ints, Read
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import duals, losses
from littlestone.engine.learning.rows import CACHED, ONE, add, dot, ones, square

# own: what never changes; LOSS, AT and TIE are the loss; ETA (0: SHARE over the largest row so far); MEASURE says what
# makes a row large; X2 and Y are the largest row and outcome that a guarantee is for; from OWN on, a step's parameters
LOSS, AT, TIE, ETA, SHARE, MEASURE, P, X2, Y, OWN = range(10)
# seen: the largest row so far; the first trials, from 1 on, with a row beyond X2, an outcome beyond Y, and a step
# which was so long that the residual of its own row grew (0: none yet)
LARGEST, BEYOND_X, BEYOND_Y, STEEP = range(4)

FASTEST = 1e200  # where a step is held: with a value of 1e100 it stays within the floats
LENGTH, SPREAD, NORM, SIZE = range(4)  # measures: |x|^2, (max x - min x)^2, (p - 1) |x|_p^2, max x^2


@inlined
def measured(
    measure: int, p: float, values: Floats, first: np.uint64, last: np.uint64, bias: bool, whole: bool
) -> float:
    """Return how large a row is, the constant coordinate counted; ``whole``: no attribute is left out of it."""
    if measure == LENGTH:
        return square(values, first, last, bias)
    if len(values) == 0:
        return _of_ones(measure, p, float(last - first), bias, whole)
    return _of_values(measure, p, values, first, last, bias, whole)


@native
def _of_ones(measure: int, p: float, count: float, bias: bool, whole: bool) -> float:
    """Return how large a row of ones is by another measure than its length."""
    if measure == NORM:
        return float((p - 1.0) * (count + bias) ** (2.0 / p))
    if measure == SPREAD and whole:
        return 0.0
    return 1.0 if bias or count > 0.0 else 0.0


@native
def _of_values(
    measure: int, p: float, values: Read[Floats], first: np.uint64, last: np.uint64, bias: bool, whole: bool
) -> float:
    """Return how large a row of other values is by another measure than its length."""
    high, low = 1.0 if bias else 0.0, 0.0
    if whole and measure == SPREAD:
        low = high = high if bias or first == last else values[first]
    for j in range(first, last):
        high, low = max(high, values[j]), min(low, values[j])
    if measure == SPREAD:
        return (high - low) * (high - low)
    size = max(high, -low)
    if measure == SIZE or size == 0.0:
        return size * size
    total = (1.0 / size) ** p if bias else 0.0
    for j in range(first, last):
        total += (abs(values[j]) / size) ** p  # in the unit of the largest, for powers soon leave the floats
    return float((p - 1.0) * total ** (2.0 / p)) * (size * size)


@inlined
def play(
    step: Callable[..., float], indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    weights: Floats, rule: Floats, kind: Ints, state: Floats, counts: Ints, own: Floats, seen: Floats,
    predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row, by ``z -= step(p, y, size, weight, own, seen) x``."""
    v, size, bias = weights[0], np.uint64(kind[duals.SIZE]), rule[duals.BIAS] != 0.0
    boolean, far, loss, measure = len(values) == 0, v.nbytes > CACHED, int(own[LOSS]), int(own[MEASURE])
    scaled, additive = kind[duals.SCALE] != duals.UNSCALED, kind[duals.LINK] == duals.IDENTITY
    scale = duals.scale_of(kind, rule, state)
    trials = counts[duals.TRIALS]
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        trials += 1
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = (s + state[duals.BIAS_V]) / scale
        p, y = losses.predicted(loss, s), outcomes[r]
        predictions[r] = p
        large = measured(measure, own[P], values, first, last, bias, last - first == size)
        seen[LARGEST] = max(seen[LARGEST], large)
        if large > own[X2] and seen[BEYOND_X] == 0.0:
            seen[BEYOND_X] = trials
        if abs(y) > own[Y] and seen[BEYOND_Y] == 0.0:
            seen[BEYOND_Y] = trials
        weight = importance[r] if len(importance) > 0 else 1.0
        moved = min(max(-step(p, y, large, weight, own, seen), -FASTEST), FASTEST)
        if moved == 0.0:
            continue
        if loss == losses.SQUARE and moved / (y - p) * large > 2.0 * weight and seen[STEEP] == 0.0:
            seen[STEEP] = trials
        counts[duals.UPDATES] += 1
        counts[duals.PROMOTIONS if moved > 0.0 else duals.DEMOTIONS] += 1
        if additive and abs(moved) < duals.SAFE:  # no game is so long that this leaves the floats
            add(indices, values, first, last, moved, v)
            if bias:
                state[duals.BIAS_Z] += moved
                state[duals.BIAS_V] = state[duals.BIAS_Z]
            continue
        duals.move((indices, values, first, last), moved, weights, rule, kind, state)
        if scaled:
            scale = duals.scale_of(kind, rule, state)
    counts[duals.TRIALS] = trials


@inlined
def downhill(p: float, y: float, _size: float, weight: float, own: Floats, seen: Floats) -> float:
    """Return eta times the slope of the loss."""
    slope = weight * losses.slope(int(own[LOSS]), own[AT], own[TIE], p, y)
    if slope == 0.0 or (own[ETA] <= 0.0 and seen[LARGEST] == 0.0):
        return 0.0  # of rows whose size is 0 no step would change a prediction
    eta = own[ETA] if own[ETA] > 0.0 else own[SHARE] / max(seen[LARGEST], 1e-200)
    return float(eta * slope)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    weights: Grid[Floats], rule: Floats, kind: Ints, state: Floats, counts: Ints, own: Floats, seen: Floats,
    predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then go down the slope of the loss, row by row."""
    play(
        downhill, indptr, borrowed(indices), borrowed(values), outcomes, importance, borrowed(weights),
        borrowed(rule), borrowed(kind), borrowed(state), counts, borrowed(own), borrowed(seen), predictions,
    )  # fmt: skip


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, weights: Read[Grid[Floats]], rule: Read[Floats], kind: Read[Ints],
    state: Read[Floats], loss: int, predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that learning would make first, and w.x."""
    v = weights[0]
    boolean, far = len(values) == 0, v.nbytes > CACHED
    scale = duals.scale_of(kind, rule, state)
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = (s + state[duals.BIAS_V]) / scale
        predictions[r], activations[r] = losses.predicted(loss, s), s
