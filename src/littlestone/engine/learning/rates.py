"""The engine of learners with a rate of its own for each attribute: the diagonal second-order Perceptron, and Adagrad.

Shapes are those of `second_order`: ``moments`` has a row an attribute and the spare one after the last, ``state`` the
same for the constant coordinate. The second-order Perceptron keeps theta, the sum of y x over the mistakes, and A,
which is a plus the sum of x^2; it predicts by the sum of theta x/(A + x^2), which includes the row itself. Adagrad
keeps the weight, and G, the sum of squared gradients.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import prefetch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Columns = NDArray[np.uint32]

WEIGHT, SQUARES = range(2)  # columns of moments, and of state: the weight or theta; G or A
ETA, DELTA = range(2)  # rule, of Adagrad
SOP, HINGE, LOGISTIC = range(3)  # kind: its CODE; the losses of Adagrad
CODE, CONSTANT = range(2)
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

ONE, TWO = np.uint64(1), np.uint64(2)
AHEAD = np.uint64(48)  # how many non-zeros ahead a number is asked for
CACHED = 1 << 19  # below this many bytes asking ahead only costs
MOST = 1e150  # where a weight is held, for two infinite ones would make a NaN of a score
LARGEST = 1e300


@inlined
def _sum(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats, far: bool) -> float:
    """Return w.x of a row: two interleaved sums, with values or without."""
    s0 = s1 = 0.0
    j = first
    whole = first + ((last - first) & ~ONE)
    if len(values) > 0:
        while j < whole:
            s0 += moments[indices[j], WEIGHT] * values[j]
            s1 += moments[indices[j + ONE], WEIGHT] * values[j + ONE]
            j += TWO
        if j < last:
            s0 += moments[indices[j], WEIGHT] * values[j]
        return s0 + s1
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(moments, TWO * indices[j + AHEAD])
            prefetch(moments, TWO * indices[j + AHEAD + ONE])
            s0 += moments[indices[j], WEIGHT]
            s1 += moments[indices[j + ONE], WEIGHT]
            j += TWO
    while j < whole:
        s0 += moments[indices[j], WEIGHT]
        s1 += moments[indices[j + ONE], WEIGHT]
        j += TWO
    if j < last:
        s0 += moments[indices[j], WEIGHT]
    return s0 + s1


@inlined
def _ratio(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats, far: bool) -> float:
    """Return the sum of theta x/(A + x^2) of a row: two interleaved sums, with values or without."""
    s0 = s1 = 0.0
    j = first
    whole = first + ((last - first) & ~ONE)
    if len(values) > 0:
        while j < whole:
            i, k, x, y = indices[j], indices[j + ONE], values[j], values[j + ONE]
            s0 += moments[i, WEIGHT] / (moments[i, SQUARES] + x * x) * x
            s1 += moments[k, WEIGHT] / (moments[k, SQUARES] + y * y) * y
            j += TWO
        if j < last:
            i, x = indices[j], values[j]
            s0 += moments[i, WEIGHT] / (moments[i, SQUARES] + x * x) * x
        return s0 + s1
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(moments, TWO * indices[j + AHEAD])
            prefetch(moments, TWO * indices[j + AHEAD + ONE])
            s0 += moments[indices[j], WEIGHT] / (moments[indices[j], SQUARES] + 1.0)
            s1 += moments[indices[j + ONE], WEIGHT] / (moments[indices[j + ONE], SQUARES] + 1.0)
            j += TWO
    while j < whole:
        s0 += moments[indices[j], WEIGHT] / (moments[indices[j], SQUARES] + 1.0)
        s1 += moments[indices[j + ONE], WEIGHT] / (moments[indices[j + ONE], SQUARES] + 1.0)
        j += TWO
    if j < last:
        s0 += moments[indices[j], WEIGHT] / (moments[indices[j], SQUARES] + 1.0)
    return s0 + s1


@native
def learn_perceptron(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    moments: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block as the second-order Perceptron does: predict, then, on a mistake, update, row by row."""
    far, boolean, constant = moments.nbytes > CACHED, len(values) == 0, kind[CONSTANT] != 0
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _ratio(indices, values, first, last, moments, far)
        if constant:
            s += state[WEIGHT] / (state[SQUARES] + 1.0)
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or predicted == positive or (first == last and not constant):
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        way = weight if positive else -weight
        j = first
        while j < last:
            i, x = indices[j], 1.0 if boolean else values[j]
            moments[i, WEIGHT] = min(max(moments[i, WEIGHT] + way * x, -MOST), MOST)
            moments[i, SQUARES] = min(moments[i, SQUARES] + weight * (x * x), LARGEST)
            j += ONE
        if constant:
            state[WEIGHT] = min(max(state[WEIGHT] + way, -MOST), MOST)
            state[SQUARES] += weight


@native
def learn_adagrad(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    moments: Floats, rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block as Adagrad does: predict, then, where the gradient of the loss is not 0, update, row by row."""
    far, boolean, constant = moments.nbytes > CACHED, len(values) == 0, kind[CONSTANT] != 0
    eta, delta, hinge = rule[ETA], rule[DELTA], kind[CODE] == HINGE
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _sum(indices, values, first, last, moments, far) + state[WEIGHT]
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (hinge and m >= 1.0) or (first == last and not constant):
            continue
        counts[UPDATES] += 1
        if hinge or predicted != positive:
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        if not hinge:
            weight /= 1.0 + math.exp(min(m, 700.0))  # beyond it e^m is no float
        way = weight if positive else -weight
        j = first
        while j < last:
            i, g = indices[j], way if boolean else way * values[j]  # minus the gradient
            moments[i, SQUARES] = min(moments[i, SQUARES] + g * g, LARGEST)
            size = delta + math.sqrt(moments[i, SQUARES])
            if size > 0.0:  # else g * g is too small for a float
                moments[i, WEIGHT] = min(max(moments[i, WEIGHT] + eta * (g / size), -MOST), MOST)
            j += ONE
        if constant:
            state[SQUARES] = min(state[SQUARES] + way * way, LARGEST)
            size = delta + math.sqrt(state[SQUARES])
            if size > 0.0:
                state[WEIGHT] = min(max(state[WEIGHT] + eta * (way / size), -MOST), MOST)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, moments: Floats, kind: Ints, state: Floats,
    predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that learning would make first, and the scores."""
    far = moments.nbytes > CACHED
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        if kind[CODE] == SOP:
            s = _ratio(indices, values, first, last, moments, far)
            if kind[CONSTANT]:
                s += state[WEIGHT] / (state[SQUARES] + 1.0)
        else:
            s = _sum(indices, values, first, last, moments, far) + state[WEIGHT]
        predictions[r], activations[r] = s >= 0.0, s
