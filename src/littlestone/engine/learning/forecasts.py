"""What the experts of `AutoRegressor` say of a row, and how they learn it.

All count from the first outcome: they predict ``y - y_1``. There are three means of the outcomes; four times least
squares with a full covariance, while attributes are few; two normalised adaptive gradient descents and two normalised
least mean squares for any number of attributes. None depends on the units of attributes or outcomes.

Shapes. ``numbers`` has a row a coordinate, the constant one first: the largest value so far (SCALE), a weight and a sum
of squared gradients for each of the two descents, a weight for each of the two others; weights are those of values over
SCALE. Coordinates of least squares are the constant, the last two outcomes, and the attributes, less their values in
the first row. ``factor`` and ``moments`` have, for each of the four, L and D of the inverse ``L' D L`` of its matrix,
as in Bierman's factors, and its weights; then the first row, and the square of the first value of a coordinate that is
not 0, by which its prior is in its units.
"""

import math

import numpy as np

from littlestone.engine.arrays import ONE, ZERO, Cube, Floats, Grid, Row
from littlestone.engine.compiling import inlined, native

__all__ = [
    "COORDINATES", "DESCENTS", "ETAS", "FAR", "FEW", "FIRST", "FORESEES", "FOR_ALL", "FULL", "GAP", "HIGH", "IN",
    "LAGGED", "LOSSES", "LOW", "MEANS", "MEMORY", "MOST", "NORMS", "PRIOR", "RATES", "SCALE", "SINGLE", "SLOW",
    "TOTALS", "WEIGHT", "WIDTH", "Y1", "absorb", "learn", "say",
]  # fmt: skip

FEW = 100  # attributes that a full covariance is kept of
SLOW = 0.1  # what the slow mean takes of an outcome
# Least squares: what the square of the weights' length costs, what stays of the past after a row, whether a prediction
# is made with the present row (Vovk, Azoury and Warmuth), and whether the last two outcomes are coordinates
PRIOR, MEMORY = (1.0, 0.01, 0.1, 0.1), (1.0, 1.0, 1.0, 0.98)
FORESEES, LAGGED = (True, False, False, False), (False, False, True, True)
ETAS, RATES = (0.05, 0.2), (0.05, 0.5)

MEANS, FULL, DESCENTS, STEPS = 3, 4, 2, 2
SINGLE = MEANS + FULL + DESCENTS + STEPS  # experts that look at rows
COORDINATES = 3  # of least squares, before the attributes
FIRST, SQUARE = 2 * FULL, 2 * FULL + 1  # rows of moments, after variances and weights
SCALE, WIDTH = 0, 1 + 2 * DESCENTS + STEPS  # of numbers

# totals; FOR_ALL is what all experts have lost in the first trial, and from LOSSES on what each has in the others
WEIGHT, NORMS, Y1, LOW, HIGH, MEAN, LAST, BEFORE, SLOWLY, IN, GAP, FOR_ALL, LOSSES = range(13)
TOTALS = LOSSES + SINGLE + 1

FAR = 1e200  # a row with x' A^-1 x beyond this is not learned, and variances are held there
MOST = 1e150  # where a weight is held


@inlined
def held(w: float) -> float:
    """Return a number, held between -MOST and MOST."""
    return min(max(w, -MOST), MOST)


@native
def say(line: Row, numbers: Grid[Floats], full: tuple[Cube[Floats], Grid[Floats]], totals: Floats,
        room: Grid[Floats], said: Floats) -> tuple[float, bool]:  # fmt: skip
    """Write what each expert says; return the square of the normalised row, and whether least squares take part.

    ``room`` is filled for `learn`: ``L x`` and ``x' A^-1 x`` of each, then x.
    """
    indices, values, first, last = line
    said[0], said[1], said[2] = totals[MEAN], totals[LAST], totals[SLOWLY]
    there = totals[IN] != 0.0 and (first == last or indices[last - ONE] < FEW)
    said[MEANS : MEANS + FULL] = 0.0
    if there:
        _say_full(line, full[0], full[1], totals, room, said)
    at, norm = MEANS + FULL, 1.0
    for k in range(DESCENTS):
        said[at + k] = numbers[0, 1 + 2 * k]
    for k in range(STEPS):
        said[at + DESCENTS + k] = numbers[0, 1 + 2 * DESCENTS + k]
    j = first
    while j < last:
        i, x = np.uint64(indices[j]) + ONE, 1.0 if len(values) == 0 else values[j]
        known = i < np.uint64(len(numbers))
        size = max(numbers[i, SCALE], abs(x)) if known else abs(x)
        share = x / size if size > 0.0 else 0.0
        norm += share * share
        if known:
            for k in range(DESCENTS):
                said[at + k] += numbers[i, 1 + 2 * k] * share
            for k in range(STEPS):
                said[at + DESCENTS + k] += numbers[i, 1 + 2 * DESCENTS + k] * share
        j += ONE
    return norm, there


@native
def _say_full(
    line: Row, factor: Cube[Floats], moments: Grid[Floats], totals: Floats, room: Grid[Floats], said: Floats
) -> None:  # fmt: skip
    """Write what least squares say, ``L x`` and ``x' A^-1 x`` of each, and x."""
    indices, values, first, last = line
    x, size = room[FULL], moments.shape[1]
    places = np.empty(size, dtype=np.int64)
    x[:size] = 0.0
    x[0] = 1.0
    begun = totals[WEIGHT] > 0.0  # in the first trial a row is as the first row is
    for i in range(COORDINATES, size):
        x[i] = -moments[FIRST, i]
    j = first
    while j < last and begun:
        place = np.int64(indices[j]) + COORDINATES
        if place < size:
            x[place] += 1.0 if len(values) == 0 else values[j]
        j += ONE
    for e in range(FULL):
        x[1], x[2] = (totals[LAST], totals[BEFORE]) if LAGGED[e] else (0.0, 0.0)
        f, variance, mean = room[e], moments[e], moments[FULL + e]
        s = v = 0.0
        on = 0
        for k in range(size):
            s += mean[k] * x[k]
            t = x[k]
            for at in range(on):
                t += factor[e, k, places[at]] * x[places[at]]
            f[k] = t
            if t != 0.0:
                v += _varies(variance[k], PRIOR[e], moments[SQUARE, k], x[k]) * (t * t)
            if x[k] != 0.0:
                places[on] = k
                on += 1
        j = first
        while j < last and begun:
            if np.int64(indices[j]) + COORDINATES >= size:  # one that nobody has seen
                t = 1.0 if len(values) == 0 else values[j]
                v += _varies(0.0, PRIOR[e], 0.0, t) * (t * t)
            j += ONE
        room[e, size] = v
        said[MEANS + e] = s / (1.0 + v) if FORESEES[e] else s


@inlined
def _varies(variance: float, a: float, square: float, x: float) -> float:
    """Return D of a coordinate, or what it begins with: 1/a in units of its first value."""
    if variance > 0.0:
        return variance
    return min(1.0 / max(a * (square if square > 0.0 else x * x), 1.0 / FAR), FAR)


@native
def absorb(
    alpha: float, residual: float, f: Floats, b: Floats, factor: Grid[Floats], variance: Floats, mean: Floats
) -> None:
    """Add x x'/alpha to a matrix, and move the weights; ``f = L x``, and b is room for as many numbers."""
    for k in range(len(mean)):
        b[k] = 0.0
        if f[k] == 0.0:
            continue
        g, before = variance[k] * f[k], -f[k] / alpha
        beta = alpha + f[k] * g
        variance[k] = max(variance[k] * (alpha / beta), 1.0 / MOST / MOST)
        for i in range(k):
            u = factor[k, i]
            factor[k, i] = held(u + b[i] * before)
            b[i] += u * g
        b[k], alpha = g, beta
    for k in range(len(mean)):
        mean[k] = held(mean[k] + residual * (b[k] / alpha))


@native
def _learn_full(
    r: float, weight: float, factor: Cube[Floats], moments: Grid[Floats], totals: Floats, room: Grid[Floats],
    said: Floats,
) -> None:  # fmt: skip
    """Let least squares learn a row."""
    size, x = moments.shape[1], room[FULL]
    for e in range(FULL):
        x[1], x[2] = (totals[LAST], totals[BEFORE]) if LAGGED[e] else (0.0, 0.0)
        v = room[e, size]
        if not v < FAR:
            continue
        variance = moments[e]
        for k in range(size):
            if x[k] != 0.0 and moments[SQUARE, k] == 0.0:
                moments[SQUARE, k] = max(x[k] * x[k], 1.0 / FAR)
            if room[e, k] != 0.0:
                variance[k] = _varies(variance[k], PRIOR[e], moments[SQUARE, k], x[k])
        s = said[MEANS + e] * (1.0 + v) if FORESEES[e] else said[MEANS + e]
        absorb(1.0 / max(weight, 1e-100), r - s, room[e, :size], room[FULL + 1], factor[e], variance, moments[FULL + e])
        if MEMORY[e] < 1.0:
            for k in range(size):
                if variance[k] > 0.0:
                    variance[k] = min(variance[k] / MEMORY[e], _varies(0.0, PRIOR[e], moments[SQUARE, k], 0.0))


@native
def learn(
    line: Row, y: float, weight: float, norm: float, there: bool, numbers: Grid[Floats],
    full: tuple[Cube[Floats], Grid[Floats]], totals: Floats, room: Grid[Floats], said: Floats,
) -> None:  # fmt: skip
    """Let each expert learn a row of which `say` has told what they say; LOW and HIGH know the outcome already."""
    indices, values, first, last = line
    r = y - totals[Y1]
    if there:
        if totals[WEIGHT] == 0.0:
            j = first
            while j < last:
                full[1][FIRST, np.int64(indices[j]) + COORDINATES] = 1.0 if len(values) == 0 else values[j]
                j += ONE
        _learn_full(r, weight, full[0], full[1], totals, room, said)
    totals[WEIGHT] = min(totals[WEIGHT] + weight, MOST)
    totals[NORMS] = min(totals[NORMS] + weight * norm, MOST)
    totals[MEAN] += (r - totals[MEAN]) * min(weight / totals[WEIGHT], 1.0)
    totals[BEFORE], totals[LAST] = totals[LAST], r
    totals[SLOWLY] += (r - totals[SLOWLY]) * (1.0 - (1.0 - SLOW) ** weight)
    width = (totals[HIGH] - totals[LOW]) * math.sqrt(totals[WEIGHT] / totals[NORMS])
    _step(numbers, ZERO, 1.0, r, weight, norm, width, said)
    j = first
    while j < last:
        _step(numbers, np.uint64(indices[j]) + ONE, 1.0 if len(values) == 0 else values[j], r, weight, norm, width,
              said)  # fmt: skip
        j += ONE


@inlined
def _step(
    numbers: Grid[Floats], i: np.uint64, x: float, r: float, weight: float, norm: float, width: float, said: Floats
) -> None:
    """Move the weights of a coordinate."""
    numbers[i, SCALE] = max(numbers[i, SCALE], abs(x))
    share = x / numbers[i, SCALE] if x != 0.0 else 0.0
    for k in range(DESCENTS):
        g = held(2.0 * weight * (said[MEANS + FULL + k] - r)) * share
        numbers[i, 2 + 2 * k] = min(numbers[i, 2 + 2 * k] + g * g, MOST * MOST)
        if numbers[i, 2 + 2 * k] > 0.0:
            numbers[i, 1 + 2 * k] = held(
                numbers[i, 1 + 2 * k] - ETAS[k] * width * (g / math.sqrt(numbers[i, 2 + 2 * k]))
            )
    for k in range(STEPS):
        part = 1.0 - (1.0 - RATES[k]) ** weight
        at = 1 + 2 * DESCENTS + k
        numbers[i, at] = held(numbers[i, at] + part * (r - said[MEANS + FULL + DESCENTS + k]) * share / norm)
