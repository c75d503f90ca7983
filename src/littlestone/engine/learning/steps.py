"""The engine of additive learners with a step of their own: ``w <- c w + tau y x``, one call a block.

Passive-aggressive, ROMMA and on-line gradient descent differ in when they update, and in c and tau. The weights are
``w = SCALE v``: to shrink or to stretch all of them changes one number, and a trial costs the active attributes alone.
The last column of ``v`` is the spare one, which is never updated. ROMMA's weights may outgrow the floats where no
hyperplane separates the rows: its margin, 1 in the paper, is UNIT, and both are made smaller together.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.rows import CACHED, ONE, add, dot, square

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Columns = NDArray[np.uint32]

# rule: the algorithm; RATE is C or eta; RADIUS that of the ball that w is kept in (0: none)
ALGORITHM, RATE, RADIUS, BIAS = range(4)
PA, PA_I, PA_II, ROMMA, AGGRESSIVE, HINGE, LOGISTIC = range(7)
# state; CONSTANT is the weight of the constant coordinate, in the unit of v; SQUARE is |w|^2, where it is needed, and
# ERROR by what share of itself rounding may have moved ROMMA's
CONSTANT, SCALE, SQUARE, UNIT, ERROR = range(5)
# counts
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)

FLAT = 1e-12  # ROMMA: sin^2 of the angle between w and x below which their constraints contradict each other
ROUNDING = 1e-15  # of one step
ENOUGH = 1e-6  # how well ROMMA must know what it divides by
TINY = 1e-200  # a row whose square is below this is taken for one without attributes
LONGEST = 1e100  # where a step of gradient descent is held
LARGE = 2.0**200
ROOT = 2.0**100
FAR = 300  # bits: what is longer or shorter by more than these is brought into ROMMA's unit before it is squared


@native
def _fold(v: Floats, state: Floats) -> None:
    """Put the scale into the weights."""
    for i in range(len(v)):
        v[i] *= state[SCALE]
    state[CONSTANT] *= state[SCALE]
    state[SCALE] = 1.0


@native
def _measure(v: Floats, state: Floats) -> float:
    """Compute |w|^2 anew."""
    total = state[CONSTANT] * state[CONSTANT]
    for i in range(len(v)):
        total += v[i] * v[i]
    state[SQUARE], state[ERROR] = total * state[SCALE] * state[SCALE], ROUNDING
    return float(state[SQUARE])


@native
def _renew(square: float, v: Floats, state: Floats) -> float:
    """Set w to the shortest one with y (w.x) = UNIT, but for x itself: return tau."""
    if state[SQUARE] != 0.0:  # what was learned is forgotten
        v[:] = 0.0
        state[CONSTANT] = 0.0
    bits = math.frexp(state[UNIT])[1] - math.frexp(square)[1] // 2
    if abs(bits) > FAR:
        state[UNIT] = math.ldexp(state[UNIT], -bits)
    tau = state[UNIT] / square
    state[SCALE], state[SQUARE], state[ERROR] = 1.0, state[UNIT] * tau, ROUNDING
    return float(tau)


@native
def _lengthen(m: float, square: float, state: Floats) -> float:
    """Make ROMMA's step where w becomes longer by more than `FAR` bits: in a unit in which the new w is as long as w.

    With a = cos of the angle between w and y x, and q = UNIT / (|w| |x|), c is (1 - q a) / (1 - a^2), tau is (q - a) /
    (1 - a^2) |w| / |x|, and |w|^2 grows by (1 - 2 q a + q^2) / (1 - a^2); all in units of ``f``, so that q f is near 1.
    """
    length, size = np.sqrt(state[SQUARE]), np.sqrt(square)
    a, q = m / length / size, state[UNIT] / length / size
    f = math.ldexp(1.0, -math.frexp(q)[1])
    rest, q = 1.0 - a * a, q * f
    if rest <= FLAT:
        return 0.0
    state[UNIT] *= f
    c = (f - q * a) / rest
    growth = (f * f - 2.0 * q * a * f + q * q) / rest
    state[SCALE] *= c
    state[SQUARE] *= growth
    state[ERROR] = c / growth * c * state[ERROR] + ROUNDING * (1.0 + c / growth * c + 1.0 / rest)
    return float((q - a * f) / rest * length / size)


@native
def _relax(m: float, square: float, aggressive: bool, v: Floats, state: Floats) -> float:
    """Make ROMMA's step: scale w by c and return tau, for a row of this square and m = y (w.x); 0: no step."""
    unit, norm = state[UNIT], state[SQUARE]
    if square < TINY:
        return 0.0
    together = square * norm
    if state[ERROR] > ROUNDING and state[ERROR] * together > ENOUGH * (together - m * m):
        # Where no hyperplane separates the rows, errors of |w|^2 grow from step to step.
        norm = _measure(v, state)
        together = square * norm
    if norm == 0.0 or (aggressive and unit * m >= together):
        # The shortest w with y (w.x) = 1 keeps the other constraint too.
        tau = _renew(square, v, state)
    elif math.frexp(unit)[1] - (math.frexp(norm)[1] + math.frexp(square)[1]) // 2 > FAR:
        tau = _lengthen(m, square, state)
    else:
        rest = together - m * m
        if rest <= FLAT * together:
            return 0.0
        c = (together - unit * m) / rest
        tau = norm * (unit - m) / rest
        state[SCALE] *= c
        state[SQUARE] = c * norm + tau * unit
        growth = c * norm / state[SQUARE] * c
        state[ERROR] = growth * state[ERROR] + ROUNDING * (1.0 + growth + together / rest)
    for _ in range(5):  # it is enough: |w|^2 was, or is now, within 2^(2 FAR) of 1, times 2^240 at most
        if state[SQUARE] > LARGE:
            tau /= ROOT
            state[SCALE] /= ROOT
            state[UNIT] /= ROOT
            state[SQUARE] /= LARGE
        if state[SQUARE] < 1.0 / LARGE:
            tau *= ROOT
            state[SCALE] *= ROOT
            state[UNIT] *= ROOT
            state[SQUARE] *= LARGE
    if not 1.0 / LARGE < state[SCALE] < LARGE:
        _fold(v, state)
    return float(tau)


@native
def _project(radius: float, v: Floats, state: Floats) -> None:
    """Bring w back into the ball."""
    if state[SQUARE] > radius * radius:
        state[SCALE] *= radius / np.sqrt(state[SQUARE])
        state[SQUARE] = radius * radius
        if state[SCALE] < 1.0 / LARGE:
            _fold(v, state)


@inlined
def _step(algorithm: int, rate: float, m: float, square: float, weight: float, trials: int) -> float:
    """Return the step of an algorithm that leaves the scale as it is."""
    if algorithm >= HINGE:
        tau = weight * rate / np.sqrt(trials)
        if algorithm == LOGISTIC:
            tau /= 1.0 + np.exp(min(m, 700.0))  # beyond it e^m is no float
        return float(min(tau, LONGEST / max(1.0, np.sqrt(square))))
    if square < TINY:
        return 0.0
    if algorithm == PA_II:
        return float((1.0 - m) / (square + 0.5 / (rate * weight)))
    tau = (1.0 - m) / square
    return float(min(tau, rate * weight) if algorithm == PA_I else tau)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    algorithm, rate, radius, bias = int(rule[ALGORITHM]), rule[RATE], rule[RADIUS], rule[BIAS] != 0.0
    far = v.nbytes > CACHED
    relaxed = algorithm in {ROMMA, AGGRESSIVE}
    trials = counts[TRIALS]
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        trials += 1
        s = dot(indices, values, first, last, v, far)
        s = state[SCALE] * (s + state[CONSTANT])
        predicted = s >= 0.0
        positive = outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or (algorithm != LOGISTIC and m >= state[UNIT]):
            continue
        if algorithm == ROMMA and predicted == positive:
            continue
        size = square(values, first, last, bias)
        if relaxed:
            tau = _relax(m, size, algorithm == AGGRESSIVE, v, state)
        else:
            tau = _step(algorithm, rate, m, size, weight, trials)
        if tau == 0.0:
            continue
        counts[UPDATES] += 1
        if algorithm != LOGISTIC or predicted != positive:
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        step = (tau if positive else -tau) / state[SCALE]
        add(indices, values, first, last, step, v)
        if bias:
            state[CONSTANT] += step
        if radius > 0.0:
            state[SQUARE] += tau * (2.0 * m + tau * size)
            _project(radius, v, state)
    counts[TRIALS] = trials


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, v: Floats, state: Floats, predictions: Bytes, activations: Floats
) -> None:
    """Predict a block without learning: the very predictions that `learn` would make first, and w.x."""
    far = v.nbytes > CACHED
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = dot(indices, values, first, last, v, far)
        s = state[SCALE] * (s + state[CONSTANT])
        predictions[r] = s >= 0.0
        activations[r] = s
