"""The engine of second-order learners: a Gaussian over hypotheses, its mean and its covariance, one call a block.

A trial: the score ``mean.x`` decides. With m = y mean.x and v = x' Sigma x, the learner's rule, called by its address,
says whether to update, and by how much: ``mean += alpha y Sigma x`` and ``Sigma^-1 += c x x'``. With a diagonal
covariance only the diagonal of x x' is added, and a trial costs the row's attributes; with a full one an update costs
the square of their number.

Shapes. ``moments`` has a row an attribute, its mean and its variance, side by side since a trial wants both; the row
after the last is the *spare*: what an attribute looks like that nobody has seen yet. The constant coordinate's are in
``state``. A full covariance is kept as a ``root`` J with Sigma = JJ', so that rounding cannot cost it its definiteness;
its first coordinate is the constant one, where there is one.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints, Read
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch
from littlestone.engine.learning.rows import AHEAD, CACHED, ONE, TWO
from littlestone.engine.learning.rules import is_asked, step

MEAN, VARIANCE = range(2)  # columns of moments; of state for the constant coordinate
WHEN, CONSTANT, SIZE = range(3)  # kind: when the rule is asked, whether there is a constant coordinate, attributes
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

MOST = 1e150  # where a mean is held, for two infinite ones would make a NaN of a score
SAFE = 1e100  # steps up to this, of Boolean rows, never lead to MOST


@inlined
def _moments_of(
    indices: Columns, values: Floats, first: np.uint64, last: np.uint64, moments: Floats, far: bool
) -> tuple[float, float]:
    """Return mean.x and the sum of variance x^2 of a row: two interleaved sums each, with values or without."""
    s0 = s1 = v0 = v1 = 0.0
    j = first
    whole = first + ((last - first) & ~ONE)
    if len(values) > 0:
        while j < whole:
            i, k, x, y = indices[j], indices[j + ONE], values[j], values[j + ONE]
            s0 += moments[i, MEAN] * x
            v0 += moments[i, VARIANCE] * x * x
            s1 += moments[k, MEAN] * y
            v1 += moments[k, VARIANCE] * y * y
            j += TWO
        if j < last:
            s0 += moments[indices[j], MEAN] * values[j]
            v0 += moments[indices[j], VARIANCE] * values[j] * values[j]
        return s0 + s1, v0 + v1
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(moments, TWO * indices[j + AHEAD])
            prefetch(moments, TWO * indices[j + AHEAD + ONE])
            s0 += moments[indices[j], MEAN]
            v0 += moments[indices[j], VARIANCE]
            s1 += moments[indices[j + ONE], MEAN]
            v1 += moments[indices[j + ONE], VARIANCE]
            j += TWO
    while j < whole:
        s0 += moments[indices[j], MEAN]
        v0 += moments[indices[j], VARIANCE]
        s1 += moments[indices[j + ONE], MEAN]
        v1 += moments[indices[j + ONE], VARIANCE]
        j += TWO
    if j < last:
        s0 += moments[indices[j], MEAN]
        v0 += moments[indices[j], VARIANCE]
    return s0 + s1, v0 + v1


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats, address: int,
    moments: Grid[Floats], rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block with a diagonal covariance: predict, then update, row by row."""
    indices, values, moments = borrowed(indices), borrowed(values), borrowed(moments)
    when, a, b, constant = kind[WHEN], rule[0], rule[1], kind[CONSTANT] != 0
    boolean, far = len(values) == 0, moments.nbytes > CACHED
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s, v = _moments_of(indices, values, first, last, moments, far)
        s += state[MEAN]
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or not is_asked(when, m, predicted == positive, 1.0):
            continue
        if constant:
            v += state[VARIANCE]
        learned, alpha, c = step(address, a, b, m, v, weight)
        if not learned:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        alpha = alpha if positive else -alpha
        j = first
        while j < last and boolean and abs(alpha) < SAFE:
            i = indices[j]
            variance = moments[i, VARIANCE]
            moments[i, MEAN] += alpha * variance
            moments[i, VARIANCE] = variance / (1.0 + c * variance)
            j += ONE
        while j < last:
            i, x = indices[j], 1.0 if boolean else values[j]
            sx = moments[i, VARIANCE] * x
            moments[i, MEAN] = min(max(moments[i, MEAN] + alpha * sx, -MOST), MOST)
            moments[i, VARIANCE] /= 1.0 + c * (sx * x)
            j += ONE
        if constant:
            state[MEAN] = min(max(state[MEAN] + alpha * state[VARIANCE], -MOST), MOST)
            state[VARIANCE] /= 1.0 + c * state[VARIANCE]


@native
def learn_full(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats, address: int,
    both: tuple[Grid[Floats], Grid[Floats]], rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block with a full covariance: predict, then update, row by row; ``both`` are moments and root.

    The variances among the moments stay what they were.
    """
    moments, root = both
    when, a, b, constant = kind[WHEN], rule[0], rule[1], kind[CONSTANT]
    size = kind[SIZE] + constant
    p = np.empty(size)
    for row in range(len(outcomes)):
        r = np.uint64(row)
        s, _ = _moments_of(indices, values, np.uint64(indptr[r]), np.uint64(indptr[r + ONE]), moments, False)
        s += state[MEAN]
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or not is_asked(when, m, predicted == positive, 1.0):
            continue
        p[:] = root[0, :size] if constant else np.zeros(size)  # J'x
        for j in range(indptr[row], indptr[row + 1]):
            p += root[np.int64(indices[j]) + constant, :size] * (1.0 if len(values) == 0 else values[j])
        v = 0.0
        for k in range(size):
            v += p[k] * p[k]
        learned, alpha, c = step(address, a, b, m, v, weight)
        if not learned:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        _shrink(root, p, v, alpha if positive else -alpha, c, moments, state, constant)


@native
def _shrink(
    root: Floats, p: Floats, v: float, alpha: float, c: float, moments: Floats, state: Floats, constant: int
) -> None:
    """Move the mean by alpha Sigma x, and add c x x' to the inverse of Sigma: ``J <- J - kappa Sigma x p'``."""
    grown = math.sqrt(1.0 + c * v)
    kappa = (1.0 - 1.0 / grown) / v if c * v > 1.0 else c / (grown * (1.0 + grown))
    for i in range(len(p)):
        line = root[i, : len(p)]
        b = 0.0  # of Sigma x = J p
        for k in range(len(p)):
            b += line[k] * p[k]
        if i < constant:
            state[MEAN] = min(max(state[MEAN] + alpha * b, -MOST), MOST)
        else:
            moments[i - constant, MEAN] = min(max(moments[i - constant, MEAN] + alpha * b, -MOST), MOST)
        b *= kappa
        for k in range(len(p)):
            line[k] -= b * p[k]


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, moments: Read[Grid[Floats]], state: Read[Floats],
    predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that `learn` would make first, and mean.x."""
    far = moments.nbytes > CACHED
    for r in range(len(predictions)):
        s, _ = _moments_of(indices, values, np.uint64(indptr[r]), np.uint64(indptr[r + 1]), moments, far)
        s += state[MEAN]
        predictions[r], activations[r] = s >= 0.0, s
