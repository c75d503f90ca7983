"""The engine of calibrated probabilities: scores become probabilities by a logistic model that is learned on-line.

Row r has K scores ``scores[r, k, c]`` of each of its classes c. The probability of class c is proportional to e^a(c),

    a(c) = 1/2 sum_k theta_k s_k(c),   of two classes with theta_K more for the second.

When the outcome y is known, with phi(c) the gradient of a(c) by theta and m the mean of phi under the probabilities,

    g = phi(y) - m,   P <- P + (the larger of g g' and the covariance of phi),   theta <- theta + P^-1 g:

a step of Newton's, of which P, a precision, is the memory. The larger one is that with the larger trace: a surprise
moves theta less than the covariance alone, near 0 where all was sure, would have it.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Codes, Cube, Floats, Grid, Ints
from littlestone.engine.compiling import inlined, native

__all__ = ["EVERY", "FAR", "LARGEST", "LEAST", "MOST", "WIDEST", "calibrate", "calibrate_two"]

EVERY = 128  # so many trials are looked at, and of each doubling after them half as many
FAR = 8.0  # usual sizes: where scores are held
MOST = 1e290  # a size that can be added up
LEAST = 1e-12  # relatively, by how much the predicted label is more probable than any other
WIDEST = 64.0  # where scores are held that are no activations
LARGEST = 1e6  # where theta is held


@inlined
def _phi(scores: Floats, row: int, k: int, c: int, classes: int) -> float:
    """Return how theta_k enters a(c)."""
    if k == scores.shape[1]:
        return 1.0 if c == 1 and classes == 2 else 0.0
    return 0.5 * min(max(float(scores[row, k, c]), -WIDEST), WIDEST)


@native
def _solve(P: Floats, g: Floats, low: Floats) -> None:
    """Put P^-1 g into ``g``, by Cholesky's decomposition of P, which goes to ``low``."""
    size = len(g)
    for i in range(size):
        for j in range(i + 1):
            total = P[i, j]
            for k in range(j):
                total -= low[i, k] * low[j, k]
            low[i, j] = math.sqrt(total) if i == j else total / low[j, j]
    for i in range(size):
        for k in range(i):
            g[i] -= low[i, k] * g[k]
        g[i] /= low[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            g[i] -= low[k, i] * g[k]
        g[i] /= low[i, i]


@native
def calibrate(
    scores: Cube[Floats], classes: Ints, outcomes: Codes, importance: Floats, theta: Floats, P: Grid[Floats],
    out: Grid[Floats],
) -> None:  # fmt: skip
    """Put the probabilities of each row's classes, of which there are ``classes[r]``, into ``out``; others are 0.

    With ``outcomes``, learn after each row; from one whose class is new there is nothing to learn.
    """
    size = len(theta)
    mean, g, moment, low = np.zeros(size), np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
    for row in range(len(out)):
        known = classes[row]
        top = -np.inf
        for c in range(known):
            a = 0.0
            for k in range(size):
                a += theta[k] * _phi(scores, row, k, c, known)
            out[row, c] = a
            top = max(top, a)
        total = 0.0
        for c in range(known):
            out[row, c] = math.exp(out[row, c] - top)
            total += out[row, c]
        for c in range(out.shape[1]):
            out[row, c] = out[row, c] / total if c < known else 0.0
        weight = importance[row] if len(importance) > 0 else 1.0
        if len(outcomes) == 0 or outcomes[row] >= known or known < 2 or weight == 0.0:
            continue
        for k in range(size):
            mean[k] = 0.0
            for c in range(known):
                mean[k] += out[row, c] * _phi(scores, row, k, c, known)
        square = spread = 0.0
        for k in range(size):
            g[k] = _phi(scores, row, k, outcomes[row], known) - mean[k]
            square += g[k] * g[k]
            for i in range(k + 1):
                moment[k, i] = 0.0
                for c in range(known):
                    moment[k, i] += (
                        out[row, c]
                        * (_phi(scores, row, k, c, known) - mean[k])
                        * (_phi(scores, row, i, c, known) - mean[i])
                    )
            spread += moment[k, k]
        for k in range(size):
            for i in range(k + 1):
                P[k, i] += weight * (g[k] * g[i] if square > spread else moment[k, i])
                P[i, k] = P[k, i]
        for k in range(size):
            g[k] *= weight
        _solve(P, g, low)
        for k in range(size):
            theta[k] = min(max(theta[k] + g[k], -LARGEST), LARGEST)


@inlined
def _looked_at(trial: int) -> bool:
    """Tell whether the activation of a trial is learned from."""
    step = 1
    while trial >= EVERY * step:
        step *= 2
    return trial % step == 0


@native
def calibrate_two(
    activations: Floats, trial: int, outcomes: Bytes, predicted: Bytes, importance: Floats, sizes: Floats,
    theta: Floats, P: Grid[Floats], out: Grid[Floats],
) -> None:  # fmt: skip
    """Put the probabilities of two labels into ``out``, from activations that were heard before each row was learned.

    The first row is the learner's trial number ``trial``; from those that are looked at it is learned. ``sizes`` are
    the sum of the sizes of the activations that were looked at, and their number. The label that is ``predicted`` is
    always the most probable one.
    """
    both, said, heard, risen = np.full(1, 2), np.zeros((1, 2, 2)), np.zeros((1, 2)), np.zeros(len(theta))
    nobody, outcome = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
    for row in range(len(activations)):
        a, usual = activations[row], sizes[0] / max(sizes[1], 1.0)
        unit = a / usual if usual > 0.0 else 0.0
        unit = 0.0 if math.isnan(unit) else min(max(unit, -FAR), FAR)
        within = min(max(unit, -1.0), 1.0)
        said[0, 0, 0], said[0, 0, 1] = -within, within
        said[0, 1, 0], said[0, 1, 1] = within - unit, unit - within
        for k in range(len(theta)):
            risen[k] = max(theta[k], 0.0) if k < len(theta) - 1 else theta[k]
        calibrate(said, both, nobody, importance[:0], risen, P, out[row : row + 1])
        if _looked_at(trial + row):
            sizes[0] += min(abs(a), MOST)
            sizes[1] += 1.0
            outcome[0] = outcomes[row]
            calibrate(said, both, outcome, importance[row : row + 1], theta, P, heard)
        top, other = out[row, predicted[row]], out[row, 1 - predicted[row]]
        if other >= top:
            mean = 0.5 * (other + top)
            out[row, predicted[row]], out[row, 1 - predicted[row]] = mean * (1.0 + LEAST), mean * (1.0 - LEAST)
