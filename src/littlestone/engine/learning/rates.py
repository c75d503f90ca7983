"""The engine of learners with a rate of its own for each attribute: the diagonal second-order Perceptron, and Adagrad.

Every such learner has its update in its own file, as small functions that its kernel inlines into the loop here:
``term(w, s, x)``, what an attribute adds to the score; ``pull(m, weight, own)``, the size of minus the gradient; and
``move(w, s, pull, x, own)``, the new w and s. Shapes are those of `covariances`: ``moments`` has a row an attribute, w
and s, and the spare one after the last; ``state`` the same for the constant coordinate.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Ints
from littlestone.engine.compiling import inlined
from littlestone.engine.intrinsics import prefetch
from littlestone.engine.learning.rows import AHEAD, CACHED, ONE, TWO
from littlestone.engine.learning.rules import ALWAYS, is_asked

__all__ = ["LARGEST", "held", "play", "scored"]

WEIGHT, SQUARES = range(2)  # columns of moments, and of state
WHEN, CONSTANT = range(2)  # kind: when a row is learned, whether there is a constant coordinate
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

MOST = 1e150  # where a weight is held, for two infinite ones would make a NaN of a score
LARGEST = 1e300  # where a sum of squares is held


@inlined
def held(w: float) -> float:
    """Return a weight, held between -MOST and MOST."""
    return min(max(w, -MOST), MOST)


@inlined
def _sum(
    term: Callable[..., float], indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats,
    far: bool,
) -> float:  # fmt: skip
    """Return the sum of the terms of a row: two interleaved sums, with values or without."""
    s0 = s1 = 0.0
    j = first
    whole = first + ((last - first) & ~ONE)
    if len(values) > 0:
        while j < whole:
            i, k = indices[j], indices[j + ONE]
            s0 += term(moments[i, WEIGHT], moments[i, SQUARES], values[j])
            s1 += term(moments[k, WEIGHT], moments[k, SQUARES], values[j + ONE])
            j += TWO
        if j < last:
            s0 += term(moments[indices[j], WEIGHT], moments[indices[j], SQUARES], values[j])
        return s0 + s1
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            i, k = indices[j], indices[j + ONE]
            prefetch(moments, TWO * indices[j + AHEAD])
            prefetch(moments, TWO * indices[j + AHEAD + ONE])
            s0 += term(moments[i, WEIGHT], moments[i, SQUARES], 1.0)
            s1 += term(moments[k, WEIGHT], moments[k, SQUARES], 1.0)
            j += TWO
    while j < whole:
        i, k = indices[j], indices[j + ONE]
        s0 += term(moments[i, WEIGHT], moments[i, SQUARES], 1.0)
        s1 += term(moments[k, WEIGHT], moments[k, SQUARES], 1.0)
        j += TWO
    if j < last:
        s0 += term(moments[indices[j], WEIGHT], moments[indices[j], SQUARES], 1.0)
    return s0 + s1


@inlined
def play(
    term: Callable[..., float], pull: Callable[..., float], move: Callable[..., tuple[float, float]], own: Any,
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    moments: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    when, constant = kind[WHEN], kind[CONSTANT] != 0
    boolean, far = len(values) == 0, moments.nbytes > CACHED
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _sum(term, indices, values, first, last, moments, far)
        if constant:
            s += term(state[WEIGHT], state[SQUARES], 1.0)
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (first == last and not constant) or not is_asked(when, m, predicted == positive, 1.0):
            continue
        counts[UPDATES] += 1
        if when != ALWAYS or predicted != positive:
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        way = pull(m, weight, own)
        way = way if positive else -way
        j = first
        while j < last:
            i, x = indices[j], 1.0 if boolean else values[j]
            moments[i, WEIGHT], moments[i, SQUARES] = move(moments[i, WEIGHT], moments[i, SQUARES], way, x, own)
            j += ONE
        if constant:
            state[WEIGHT], state[SQUARES] = move(state[WEIGHT], state[SQUARES], way, 1.0, own)


@inlined
def scored(
    term: Callable[..., float], indptr: Ints, indices: Columns, values: Floats, moments: Floats, kind: Ints,
    state: Floats, predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that learning would make first, and the scores."""
    far = moments.nbytes > CACHED
    for r in range(len(predictions)):
        s = _sum(term, indices, values, np.uint64(indptr[r]), np.uint64(indptr[r + 1]), moments, far)
        if kind[CONSTANT]:
            s += term(state[WEIGHT], state[SQUARES], 1.0)
        predictions[r], activations[r] = s >= 0.0, s
