"""The engine of the experts of a pool that keep a full covariance, for few attributes and two classes.

``means`` has a row an expert, ``roots`` its J' with the covariance JJ', see `covariances`: transposed, so that the
long loops run along rows and in vectors, and the sums are still the same. Coordinate 0 is the constant one. With a row
that has an attribute beyond the first `FEW`, or is of a third class, they are out for good.
"""

import math

import numpy as np

from littlestone.engine.arrays import ONE, Bytes, Codes, Columns, Cube, Floats, Grid, Ints, Row
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.rules import is_asked, step

FEW = 300  # attributes that a full covariance is kept of
IN = 2  # counts: whether these experts take part
RULE, WHEN = range(2)  # kind: the address of an expert's rule, and when it is asked

MOST = 1e150  # as in `covariances`


@inlined
def _fits(indices: Columns, first: np.uint64, last: np.uint64) -> bool:
    """Tell whether a row has none but the first `FEW` attributes."""
    j, fits = first, True
    while j < last:
        fits = fits and indices[j] < FEW
        j += ONE
    return fits


@inlined
def _score(
    indices: Columns, values: Floats, first: np.uint64, last: np.uint64, mean: Floats, largest: np.uint64
) -> float:
    """Return mean.x: two interleaved sums; attributes that nobody has seen have the mean 0."""
    s0 = s1 = 0.0
    j = first
    while j < last:
        i = np.uint64(indices[j]) + ONE
        m = mean[i] if i <= largest else 0.0
        if len(values) > 0:
            m *= values[j]
        if (j - first) & ONE:
            s1 += m
        else:
            s0 += m
        j += ONE
    return float(s0 + s1 + mean[0])


@native
def _learn(
    line: Row, mean: Floats, root: Floats, kind: Ints, a: float,
    positive: bool, weight: float, s: float, p: Floats, moves: Floats,
) -> None:  # fmt: skip
    """Let an expert learn a row: move the mean by alpha Sigma x, and add c x x' to the inverse of Sigma."""
    indices, values, first, last = line
    m = s if positive else -s
    if not is_asked(kind[WHEN], m, (s >= 0.0) == positive, 1.0):
        return
    for k in range(len(p)):
        p[k] = root[k, 0]
    j = first
    while j < last:
        at, x = np.int64(indices[j]) + 1, 1.0 if len(values) == 0 else values[j]
        for k in range(len(p)):
            p[k] += root[k, at] * x
        j += ONE
    v = 0.0
    for k in range(len(p)):
        v += p[k] * p[k]
    learned, alpha, c = step(kind[RULE], a, 0.0, m, v, weight)
    if not learned:
        return
    alpha = alpha if positive else -alpha
    grown = math.sqrt(1.0 + c * v)
    kappa = (1.0 - 1.0 / grown) / v if c * v > 1.0 else c / (grown * (1.0 + grown))
    moves[:] = 0.0  # Sigma x = J p
    for k in range(len(p)):
        across, q = root[k], p[k]
        for i in range(len(p)):
            moves[i] += across[i] * q
    for i in range(len(p)):
        mean[i] = min(max(mean[i] + alpha * moves[i], -MOST), MOST)
        moves[i] *= kappa
    for k in range(len(p)):
        across, q = root[k], p[k]
        for i in range(len(p)):
            across[i] -= moves[i] * q


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, means: Grid[Floats], scores: Grid[Floats], present: Bytes
) -> None:
    """Put down the score of each row by each expert, and whether they are there."""
    largest = np.uint64(means.shape[1] - 1)
    for row in range(len(present)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        present[row] = _fits(indices, first, last)
        for e in range(len(means) if present[row] else 0):
            scores[row, e] = _score(indices, values, first, last, means[e], largest)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats, means: Grid[Floats],
    roots: Cube[Floats], kind: Grid[Ints], rule: Floats, counts: Ints, scores: Grid[Floats], present: Bytes,
) -> None:  # fmt: skip
    """Put down the score of each row by each expert, and whether they are there; let them learn."""
    p, moves, largest = np.zeros(roots.shape[1]), np.zeros(roots.shape[1]), np.uint64(means.shape[1] - 1)
    for row in range(len(present)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        there = counts[IN] != 0 and _fits(indices, first, last)
        present[row] = there
        if not there or outcomes[row] > 1:
            counts[IN] = 0
        if not there:
            continue
        weight = importance[row] if len(importance) > 0 else 1.0
        for e in range(len(means)):
            s = _score(indices, values, first, last, means[e], largest)
            scores[row, e] = s
            if counts[IN] and weight != 0.0:
                line = (indices, values, first, last)
                _learn(line, means[e], roots[e], kind[e], rule[e], outcomes[row] == 1, weight, s, p, moves)
