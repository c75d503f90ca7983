"""The engine of regularised least squares: a full covariance of all coordinates, one call a block.

The inverse of ``A = a 1 + sum of x x'`` is kept as ``L' D L`` (Bierman's U D U' with U = L'): ``factor`` has L but for
its diagonal of ones, ``variance`` has D. A row moves each of D by a factor, without any difference that could cost it
its sign or its digits, however ill-conditioned A is. A trial costs the row's attributes times the number of
coordinates, an update the square of that number at most. The constant coordinate, if there is one, comes first.
"""

import math

import numpy as np

from littlestone.engine.arrays import Columns, Floats, Grid, Ints, Read
from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import borrowed

__all__ = ["CONSTANT", "FAR", "FORESEES", "LOG_DET", "MOST", "SIZE", "STEEP", "Y", "learn", "score"]

CONSTANT, SIZE, FORESEES = range(3)  # kind: a constant coordinate or none, attributes, whether A has the present row
LOG_DET, Y = range(2)  # totals: ln det(A/a), the largest outcome
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts

MOST = 1e150  # where a weight is held, for two infinite ones would make a NaN of a score
STEEP = 1e100  # where L is held
FAR = 1e250  # a row with x' A^-1 x beyond this is not learned


@native
def _product(indices: Columns, values: Floats, first: int, last: int, constant: int, mean: Floats) -> float:
    """Return w.x."""
    s = mean[0] if constant else 0.0
    for j in range(first, last):
        i = np.int64(indices[j]) + constant
        if i < len(mean):
            s += mean[i] * (1.0 if len(values) == 0 else values[j])
    return float(s)


@native
def _spread(
    indices: Columns, values: Floats, first: int, last: int, constant: int, factor: Floats, variance: Floats, f: Floats
) -> float:
    """Write ``f = L x``, and return ``x' A^-1 x``."""
    for k in range(len(f)):
        line = factor[k]
        s = line[0] if constant else 0.0
        for j in range(first, last):
            i = np.int64(indices[j]) + constant
            if i < k:
                s += line[i] * (1.0 if len(values) == 0 else values[j])
        f[k] = s
    if constant:
        f[0] += 1.0
    for j in range(first, last):
        i = np.int64(indices[j]) + constant
        if i < len(f):
            f[i] += 1.0 if len(values) == 0 else values[j]
    v = 0.0
    for k in range(len(f)):
        v += variance[k] * (f[k] * f[k])
    return float(v)


@native
def _absorb(
    alpha: float, residual: float, f: Floats, b: Floats, factor: Floats, variance: Floats, mean: Floats
) -> None:  # fmt: skip
    """Add x x'/alpha to A, and move the weights; ``f = L x``, and b is room for as many numbers."""
    for k in range(len(f)):
        b[k] = 0.0
        if f[k] == 0.0:
            continue
        line, g, before = factor[k], variance[k] * f[k], -f[k] / alpha
        beta = alpha + f[k] * g
        variance[k] *= alpha / beta
        for i in range(k):
            u = line[i]
            line[i] = min(max(u + b[i] * before, -STEEP), STEEP)
            b[i] += u * g
        b[k], alpha = g, beta
    for k in range(len(f)):
        mean[k] = min(max(mean[k] + residual * (b[k] / alpha), -MOST), MOST)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Floats, importance: Floats, factor: Grid[Floats],
    variance: Floats, mean: Floats, kind: Read[Ints], totals: Floats, counts: Ints, predictions: Floats,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    constant = kind[CONSTANT]
    size = kind[SIZE] + constant
    f, b, factor, variance, mean = np.empty(size), np.empty(size), borrowed(factor), variance[:size], mean[:size]
    for r in range(len(outcomes)):
        first, last = indptr[r], indptr[r + 1]
        s, y = _product(indices, values, first, last, constant, mean), outcomes[r]
        v = _spread(indices, values, first, last, constant, factor, variance, f)
        p = s / (1.0 + v) if kind[FORESEES] else s
        predictions[r] = p
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or v == 0.0 or not v < FAR:
            continue
        counts[UPDATES] += 1
        if y != p:
            counts[PROMOTIONS if y > p else DEMOTIONS] += 1
        _absorb(1.0 / max(weight, 1e-200), y - s, f, b, factor, variance, mean)
        totals[LOG_DET] += math.log1p(v * weight)
        totals[Y] = max(totals[Y], abs(y))


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, factor: Read[Grid[Floats]], variance: Read[Floats],
    mean: Read[Floats], kind: Read[Ints], predictions: Floats, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning; an attribute beyond those that are known varies as the last of D does."""
    constant = kind[CONSTANT]
    size = kind[SIZE] + constant
    f, spare = np.empty(size), variance[size]
    for r in range(len(predictions)):
        first, last = indptr[r], indptr[r + 1]
        s = _product(indices, values, first, last, constant, mean[:size])
        if kind[FORESEES]:
            v = _spread(indices, values, first, last, constant, factor, variance, f)
            for j in range(first, last):
                if indices[j] >= kind[SIZE]:
                    x = 1.0 if len(values) == 0 else values[j]
                    v += spare * (x * x)
            s /= 1.0 + v
        predictions[r] = activations[r] = s
