"""The engine of multiplicative learners with rules of their own: floored weights, and Modified Balanced Winnow."""

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.rows import FOUR, ONE, THREE, TWO, dot, ones

# rule of floored Winnow
THETA, ALPHA, DEMOTION, FLOOR = range(4)
# rule of Modified Balanced Winnow, THETA and ALPHA as above; state: the constant coordinate's u - v, u and v
BETA, MARGIN, BIAS = range(2, 5)
# counts
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)

MOST = 1e150  # where a weight is held: times a value of 1e100 it is still a float


@native
def learn_floored(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    w: Floats, rule: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: Winnow whose weights never fall below the floor."""
    theta, floor, boolean = rule[THETA], rule[FLOOR], len(values) == 0
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        predicted = (ones(indices, first, last, w, False) if boolean else dot(indices, values, first, last, w)) >= theta
        positive = outcomes[r] == 1
        predictions[r] = predicted
        weight = importance[r] if len(importance) > 0 else 1.0
        if predicted == positive or weight == 0.0:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        factor = rule[ALPHA] if positive else rule[DEMOTION]
        if weight != 1.0:
            factor **= weight
        j = first
        while j < last:
            i = indices[j]
            w[i] = min(max(w[i] * (factor if boolean else factor ** values[j]), floor), MOST)
            j += ONE
    counts[TRIALS] += len(outcomes)


@inlined
def _total(values: Floats, first: np.uint64, last: np.uint64, bias: bool) -> float:
    """Return the sum of a row's values, the constant coordinate counted; summed as `dot` does, for the first tie."""
    one = 1.0 if bias else 0.0
    if len(values) == 0:
        return float(last - first) + one
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    while j < whole:
        s0 += values[j]
        s1 += values[j + ONE]
        s2 += values[j + TWO]
        s3 += values[j + THREE]
        j += FOUR
    while j < last:
        s0 += values[j]
        j += ONE
    return (s0 + s1) + (s2 + s3) + one


@inlined
def _both(x: float, positive: bool, weight: float, rule: Floats) -> tuple[float, float]:
    """Return the factors of u and v for an attribute of the value x."""
    up, down = rule[ALPHA] * (1.0 + x), rule[BETA] * (1.0 - x)
    if weight != 1.0:
        up, down = min(up**weight, MOST), down**weight  # an infinite one times a weight of 0 would be a NaN
    return (up, down) if positive else (down, up)


@native
def learn_modified(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    columns: Grid[Floats], rule: Floats, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: Modified Balanced Winnow; the rows of ``columns`` are u - v, u and v."""
    w, u, v = columns[0], columns[1], columns[2]
    theta, margin, bias, boolean = rule[THETA], rule[MARGIN], rule[BIAS] != 0.0, len(values) == 0
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        total = _total(values, first, last, bias)
        s = (ones(indices, first, last, w, False) if boolean else dot(indices, values, first, last, w)) + state[0]
        gap = (s / total if total > 0.0 else 0.0) - theta
        predicted = gap >= 0.0
        positive = outcomes[r] == 1
        predictions[r] = predicted
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or total == 0.0 or (gap if positive else -gap) > margin:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        a, b = _both(1.0 / total, positive, weight, rule)
        if bias:
            state[1], state[2] = min(state[1] * a, MOST), min(state[2] * b, MOST)
            state[0] = state[1] - state[2]
        j = first
        while j < last:
            i = indices[j]
            if len(values) > 0:
                a, b = _both(values[j] / total, positive, weight, rule)
            u[i] = min(u[i] * a, MOST)
            v[i] = min(v[i] * b, MOST)
            w[i] = u[i] - v[i]
            j += ONE
    counts[TRIALS] += len(outcomes)


@native
def score_modified(
    indptr: Ints, indices: Columns, values: Floats,
    w: Floats, rule: Floats, state: Floats, predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning."""
    bias, boolean = rule[BIAS] != 0.0, len(values) == 0
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        total = _total(values, first, last, bias)
        s = (ones(indices, first, last, w, False) if boolean else dot(indices, values, first, last, w)) + state[0]
        gap = (s / total if total > 0.0 else 0.0) - rule[THETA]
        predictions[r] = gap >= 0.0
        activations[r] = gap
