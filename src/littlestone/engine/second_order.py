"""The engine of second-order learners: a Gaussian over hypotheses, its mean and its covariance, one call a block.

A trial: the score ``mean.x`` decides. With m = y mean.x and v = x' Sigma x, a rule says whether to update, and by how
much (`_step`): ``mean += alpha y Sigma x`` and ``Sigma^-1 += c x x'``. With a diagonal covariance only the diagonal of
x x' is added, and a trial costs the row's attributes; with a full one an update costs the square of their number.

Shapes. ``moments`` is (2, columns): the means and the variances; the column after the last attribute is the *spare*:
what an attribute looks like that nobody has seen yet. The constant coordinate's are in ``state``. A full covariance is
kept as a ``root`` J with Sigma = JJ', so that rounding cannot cost it its definiteness; its first coordinate is the
constant one, where there is one.
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

MEAN, VARIANCE = range(2)  # rows of moments; of state for the constant coordinate
CODE, CONSTANT, SIZE = range(3)  # kind: which rule, whether there is a constant coordinate, how many attributes
UPDATES, PROMOTIONS, DEMOTIONS = range(3)  # counts
SOP, AROW, NHERD, NAROW, CW_VARIANCE, CW_STDEV, SCW_1, SCW_2 = range(8)  # rules; the first three want m alone to begin

ONE, TWO, THREE, FOUR = (np.uint64(i) for i in (1, 2, 3, 4))
AHEAD = np.uint64(48)  # how many non-zeros ahead a number is asked for
CACHED = 1 << 19  # below this many bytes asking ahead only costs
MOST = 1e150  # where a mean is held, for two infinite ones would make a NaN of a score
LARGEST = 1e200  # where a step is held


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
def _dot(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, w: Floats, power: int) -> float:
    """Return w.x of a row with values, or, with power 2, the sum of w x^2."""
    s = 0.0
    j = first
    while j < last:
        term = w[indices[j]] * values[j]
        s += term if power == 1 else term * values[j]
        j += ONE
    return s


@kernel
def _confident(m: float, v: float, phi: float) -> float:
    """Return the alpha that makes ``m = phi sqrt(v)`` true: exact confidence-weighted learning (standard deviation).

    Each quotient is written so that it does not subtract near-equal numbers.
    """
    psi, xi = 1.0 + 0.5 * phi * phi, 1.0 + phi * phi
    h = math.hypot(0.5 * m * phi * phi, phi * math.sqrt(v * xi))
    if m >= 0.0:
        deviation = phi * math.sqrt(v)
        return (deviation - m) * (deviation + m) / (v * (h + m * psi))
    return (h - m * psi) / (v * xi)


@kernel
def _confident_variance(m: float, v: float, phi: float) -> float:
    """Return the alpha that makes ``m = phi v`` true: confidence-weighted learning with the variance."""
    h, s = math.hypot(1.0 - 2.0 * phi * m, phi * math.sqrt(8.0 * v)), 1.0 + 2.0 * phi * m
    return 2.0 * (phi * v - m) / (v * (h + s)) if s >= 0.0 else (h - s) / (4.0 * phi * v)


@kernel
def _soft(m: float, v: float, phi: float, C: float) -> float:
    """Return the alpha of SCW-II."""
    n = v + 0.5 / C
    q = v / n
    t = 1.0 + q * phi * phi
    h, s = phi * math.hypot(phi * m * q, 2.0 * math.sqrt(v * t)), m * (1.0 + t)
    if m >= 0.0:
        deviation = phi * math.sqrt(v)
        return 2.0 * (deviation - m) * (deviation + m) / (n * (h + s))
    return (h - s) / (2.0 * n * t)


@kernel
def step(code: int, rule: Floats, m: float, v: float) -> tuple[bool, float, float]:
    """Return whether a row is learned, alpha, and what is added to the inverse covariance."""
    a = rule[0]
    if not v > 0.0:
        return False, 0.0, 0.0
    if code in (SOP, AROW):
        alpha, c = (1.0 - m) / (v + a), 1.0 / a
    elif code == NHERD:
        alpha, c = (1.0 - m) / (v + 1.0 / a), a * (2.0 + a * v)
    elif code == NAROW:
        c = max(a - 1.0 / v, 0.0)
        if not m < 1.0 + c * v:
            return False, 0.0, 0.0
        alpha = (1.0 - c * m) / (1.0 + c * v)
    elif code == CW_VARIANCE:
        if not m < a * v:
            return False, 0.0, 0.0
        alpha = _confident_variance(m, v, a)
        c = 2.0 * alpha * a
    else:
        if not m < a * math.sqrt(v):
            return False, 0.0, 0.0
        alpha = _soft(m, v, a, rule[1]) if code == SCW_2 else _confident(m, v, a)
        if code == SCW_1:
            alpha = min(alpha, rule[1])
        # alpha phi / sqrt(u), where sqrt(u) is what the standard deviation becomes
        deviation = math.sqrt(v)
        c = 0.5 * alpha * a * (alpha * deviation * a + math.hypot(alpha * deviation * a, 2.0)) / deviation
    return not math.isnan(alpha), min(max(alpha, -LARGEST), LARGEST), min(c, LARGEST)


@kernel
def _held(mean: float) -> float:
    return min(max(mean, -MOST), MOST)


@kernel
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    moments: Floats, rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block with a diagonal covariance: predict, then update, row by row."""
    mean, variance = moments[MEAN], moments[VARIANCE]
    code, constant = kind[CODE], kind[CONSTANT] != 0
    boolean, far = len(values) == 0, mean.nbytes > CACHED
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _sum(indices, first, last, mean, far) if boolean else _dot(indices, values, first, last, mean, 1)
        s += state[MEAN]
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (code == SOP and predicted == positive) or (code <= NHERD and m >= 1.0):
            continue
        v = _sum(indices, first, last, variance, far) if boolean else _dot(indices, values, first, last, variance, 2)
        if constant:
            v += state[VARIANCE]
        learned, alpha, c = step(code, rule, m, v)
        if not learned:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        alpha, c = weight * (alpha if positive else -alpha), weight * c
        j = first
        while j < last:
            i = indices[j]
            x = 1.0 if boolean else values[j]
            sx = variance[i] * x
            mean[i] = _held(mean[i] + alpha * sx)
            variance[i] /= 1.0 + c * (sx * x)
            j += ONE
        if constant:
            state[MEAN] = _held(state[MEAN] + alpha * state[VARIANCE])
            state[VARIANCE] /= 1.0 + c * state[VARIANCE]


@kernel
def learn_full(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    mean: Floats, root: Floats, rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block with a full covariance: predict, then update, row by row."""
    code, constant = kind[CODE], kind[CONSTANT]
    boolean = len(values) == 0
    size = kind[SIZE] + constant
    p = np.empty(size)
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = _sum(indices, first, last, mean, False) if boolean else _dot(indices, values, first, last, mean, 1)
        s += state[MEAN]
        predicted, positive = s >= 0.0, outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (code == SOP and predicted == positive) or (code <= NHERD and m >= 1.0):
            continue
        p[:] = root[0, :size] if constant else np.zeros(size)  # J'x
        for j in range(indptr[row], indptr[row + 1]):
            p += root[np.int64(indices[j]) + constant, :size] * (1.0 if boolean else values[j])
        v = 0.0
        for k in range(size):
            v += p[k] * p[k]
        learned, alpha, c = step(code, rule, m, v)
        if not learned:
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        _shrink(root, p, v, weight * (alpha if positive else -alpha), weight * c, mean, state, constant)


@kernel
def _shrink(
    root: Floats, p: Floats, v: float, alpha: float, c: float, mean: Floats, state: Floats, constant: int
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
            state[MEAN] = _held(state[MEAN] + alpha * b)
        else:
            mean[i - constant] = _held(mean[i - constant] + alpha * b)
        b *= kappa
        for k in range(len(p)):
            line[k] -= b * p[k]


@kernel
def score(
    indptr: Ints, indices: Columns, values: Floats, mean: Floats, state: Floats, predictions: Bytes, activations: Floats
) -> None:
    """Predict a block without learning: the very predictions that `learn` would make first, and mean.x."""
    boolean, far = len(values) == 0, mean.nbytes > CACHED
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = _sum(indices, first, last, mean, far) if boolean else _dot(indices, values, first, last, mean, 1)
        s += state[MEAN]
        predictions[r], activations[r] = s >= 0.0, s
