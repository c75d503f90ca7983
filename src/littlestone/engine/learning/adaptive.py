"""The engine of regressors with numbers of its own for each attribute, on which its rate depends, one call a block.

Every such regressor has its update in its own file, as small functions that its kernels inline into the loop here:
``term(numbers, i, x)``, what attribute i adds to two sums, s and q; ``said(s, q)``, the score that follows;
``pull(s, q, p, y, weight, own, totals)``, how far the row pulls, and at what rate; and
``move(numbers, i, x, way, rate, own)``, which moves the numbers of attribute i.

Shapes. ``numbers`` has a row an attribute, its weight first; the row after the last is the *spare*, what an attribute
looks like that nobody has seen yet. ``constant`` has one row, that of the constant coordinate.
"""

from collections.abc import Callable

import numpy as np

from littlestone.engine.arrays import ZERO, Columns, Floats, Grid, Ints, Read
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch
from littlestone.engine.learning import losses
from littlestone.engine.learning.rows import AHEAD, CACHED, ONE, TWO

__all__ = ["AT", "BIAS", "LARGEST", "LOSS", "OWN", "TIE", "held", "linear", "plain", "play", "score", "scored"]

LOSS, AT, TIE, BIAS, OWN = range(5)  # own: the loss, whether there is a constant coordinate, and a step's parameters
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

MOST = 1e150  # where a weight is held, for two infinite ones would make a NaN of a score
LARGEST = 1e300  # where a sum of squares is held


@inlined
def held(w: float) -> float:
    """Return a number, held between -MOST and MOST."""
    return min(max(w, -MOST), MOST)


@inlined
def linear(numbers: Floats, i: np.uint64, x: float) -> tuple[float, float]:
    """Return what an attribute adds to w.x, and 0."""
    return numbers[i, 0] * x, 0.0


@inlined
def plain(s: float, _q: float) -> float:
    """Return the first sum."""
    return s


@inlined
def _sums(
    term: Callable[..., tuple[float, float]], indices: Columns, values: Floats, first: np.uint64, last: np.uint64,
    numbers: Floats, far: bool,
) -> tuple[float, float]:  # fmt: skip
    """Return both sums of a row: two interleaved parts of each, with values or without."""
    s0 = s1 = q0 = q1 = 0.0
    boolean, ahead = len(values) == 0, far and last + AHEAD <= np.uint64(len(indices))
    width = np.uint64(numbers.shape[1])
    j = first
    whole = first + ((last - first) & ~ONE)
    while j < whole:
        if ahead:
            prefetch(numbers, width * indices[j + AHEAD])
            prefetch(numbers, width * indices[j + AHEAD + ONE])
        s, q = term(numbers, indices[j], 1.0 if boolean else values[j])
        t, r = term(numbers, indices[j + ONE], 1.0 if boolean else values[j + ONE])
        s0, q0, s1, q1 = s0 + s, q0 + q, s1 + t, q1 + r
        j += TWO
    if j < last:
        s, q = term(numbers, indices[j], 1.0 if boolean else values[j])
        s0, q0 = s0 + s, q0 + q
    return s0 + s1, q0 + q1


@inlined
def play(
    term: Callable[..., tuple[float, float]], said: Callable[..., float], pull: Callable[..., tuple[float, float]],
    move: Callable[..., None], indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats,
    numbers: Floats, constant: Floats, totals: Floats, counts: Ints, own: Floats, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    bias, loss, boolean, far = own[BIAS] != 0.0, int(own[LOSS]), len(values) == 0, numbers.nbytes > CACHED
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s, q = _sums(term, indices, values, first, last, numbers, far)
        if bias:
            t, u = term(constant, ZERO, 1.0)
            s, q = s + t, q + u
        p, y = losses.predicted(loss, said(s, q)), outcomes[r]
        predictions[r] = p
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0:
            continue
        way, rate = pull(s, q, p, y, weight, own, totals)
        if way != 0.0 and (bias or first < last):
            counts[UPDATES] += 1
            counts[PROMOTIONS if y > p else DEMOTIONS] += 1
        j = first
        while j < last:
            move(numbers, indices[j], 1.0 if boolean else values[j], way, rate, own)
            j += ONE
        if bias:
            move(constant, ZERO, 1.0, way, rate, own)


@inlined
def scored(
    term: Callable[..., tuple[float, float]], said: Callable[..., float], indptr: Ints, indices: Columns,
    values: Floats, numbers: Floats, constant: Floats, own: Floats, predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that learning would make first, and the scores."""
    bias, loss, far = own[BIAS] != 0.0, int(own[LOSS]), numbers.nbytes > CACHED
    for row in range(len(predictions)):
        r = np.uint64(row)
        s, q = _sums(term, indices, values, np.uint64(indptr[r]), np.uint64(indptr[r + ONE]), numbers, far)
        if bias:
            t, u = term(constant, ZERO, 1.0)
            s, q = s + t, q + u
        activations[r] = said(s, q)
        predictions[r] = losses.predicted(loss, activations[r])


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, numbers: Read[Grid[Floats]], constant: Read[Grid[Floats]],
    own: Read[Floats], predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block by w.x without learning."""
    scored(
        linear, plain, indptr, borrowed(indices), borrowed(values), borrowed(numbers), borrowed(constant), own,
        predictions, activations,
    )  # fmt: skip
