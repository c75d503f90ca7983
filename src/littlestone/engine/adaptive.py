"""The engine of learners with a rate of its own for each attribute: the diagonal second-order Perceptron, and Adagrad.

Shapes are those of `second_order`: ``moments`` has a column an attribute and the spare one after the last, ``state``
the same for the constant coordinate. Row 0 holds the weights of Boolean rows.

The second-order Perceptron keeps theta, the sum of y x over the mistakes, and A, which is a plus the sum of x^2; it
predicts by the sum of theta x / (A + x^2), which includes the row itself; on Boolean rows this is linear, with the
weights theta / (A + 1). Adagrad keeps G, the sum of squared gradients.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.intrinsics import prefetch
from littlestone.engine.options import inlined, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Columns = NDArray[np.uint32]

WEIGHT, SQUARES, THETA = range(3)  # rows of moments, and of state; SQUARES: A or G
ETA, DELTA = range(2)  # rule, of Adagrad
SOP, ADAGRAD = range(2)  # kind: its CODE
CODE, CONSTANT = range(2)
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

ONE, TWO, THREE, FOUR = (np.uint64(i) for i in (1, 2, 3, 4))
AHEAD = np.uint64(48)  # how many non-zeros ahead a number is asked for
CACHED = 1 << 19  # below this many bytes asking ahead only costs
MOST = 1e150  # where a weight is held, for two infinite ones would make a NaN of a score
LARGEST = 1e300


@inlined
def _sum(indices: Columns, first: np.uint64, last: np.uint64, w: Floats, far: bool) -> float:
    """Return the sum of the numbers of a Boolean row: four interleaved sums."""
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(w, indices[j + AHEAD])
            prefetch(w, indices[j + AHEAD + ONE])
            prefetch(w, indices[j + AHEAD + TWO])
            prefetch(w, indices[j + AHEAD + THREE])
            s0 += w[indices[j]]
            s1 += w[indices[j + ONE]]
            s2 += w[indices[j + TWO]]
            s3 += w[indices[j + THREE]]
            j += FOUR
    while j < whole:
        s0 += w[indices[j]]
        s1 += w[indices[j + ONE]]
        s2 += w[indices[j + TWO]]
        s3 += w[indices[j + THREE]]
        j += FOUR
    while j < last:
        s0 += w[indices[j]]
        j += ONE
    return (s0 + s1) + (s2 + s3)


@inlined
def _dot(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, w: Floats) -> float:
    """Return w.x of a row with values."""
    s = 0.0
    j = first
    while j < last:
        s += w[indices[j]] * values[j]
        j += ONE
    return s


@inlined
def _ratio(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats) -> float:
    """Return the sum of theta x / (A + x^2) of a row with values."""
    s = 0.0
    j = first
    while j < last:
        i, x = indices[j], values[j]
        s += moments[THETA, i] / (moments[SQUARES, i] + x * x) * x
        j += ONE
    return s


@kernel
def _score(
    indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats, kind: Ints, state: Floats
) -> float:
    """Return the score of a row."""
    w = moments[WEIGHT]
    if len(values) == 0:
        s = _sum(indices, first, last, w, w.nbytes > CACHED)
    elif kind[CODE] == SOP:
        s = _ratio(indices, values, first, last, moments)
    else:
        s = _dot(indices, values, first, last, w)
    return float(s + state[WEIGHT])


@kernel
def _perceptron(column: Floats, step: float, x: float, weight: float) -> None:
    """Move one attribute of the second-order Perceptron; ``step`` is y times the weight of the example."""
    column[THETA] = min(max(column[THETA] + step * x, -MOST), MOST)
    column[SQUARES] = min(column[SQUARES] + weight * (x * x), LARGEST)
    column[WEIGHT] = column[THETA] / (column[SQUARES] + 1.0)


@kernel
def _adagrad(column: Floats, rule: Floats, g: float) -> None:
    """Move one attribute of Adagrad against its gradient, -g."""
    column[SQUARES] = min(column[SQUARES] + g * g, LARGEST)
    size = rule[DELTA] + math.sqrt(column[SQUARES])
    if size > 0.0:  # else g * g is too small for a float
        column[WEIGHT] = min(max(column[WEIGHT] + rule[ETA] * (g / size), -MOST), MOST)


@kernel
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    moments: Floats, rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row; on mistakes, or, Adagrad, where the hinge loss is not 0."""
    perceptron = kind[CODE] == SOP
    boolean = len(values) == 0
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _score(indices, values, first, last, moments, kind, state)
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (predicted == positive if perceptron else (s if positive else -s) >= 1.0):
            continue
        if first == last and not kind[CONSTANT]:
            continue  # x = 0
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        step = weight if positive else -weight
        j = first
        while j < last:
            column, x = moments[:, indices[j]], 1.0 if boolean else values[j]
            if perceptron:
                _perceptron(column, step, x, weight)
            else:
                _adagrad(column, rule, step * x)
            j += ONE
        if kind[CONSTANT]:
            if perceptron:
                _perceptron(state, step, 1.0, weight)
            else:
                _adagrad(state, rule, step)


@kernel
def score(
    indptr: Ints, indices: Columns, values: Floats, moments: Floats, kind: Ints, state: Floats,
    predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that `learn` would make first, and the scores."""
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = _score(indices, values, first, last, moments, kind, state)
        predictions[r], activations[r] = s >= 0.0, s
