"""The engine of ALMA: duals in a p-norm, ``theta = UNIT z``, corrected by ever smaller steps and kept in the unit ball.

The weights of the duals are ``v_i = sign(z_i) |z_i|^(p-1)``, and ``w = UNIT v / |z|_p^(p-2)``; POWER is |z|_p^p, kept
up to date with each correction. To leave the ball is answered by UNIT alone, so that a trial costs the active
attributes; only where z leaves the range in which its powers are floats, or where POWER has become mostly rounding,
everything is computed anew, by a power of two. For p = 2 v and z are the same array.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Ints, Row
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning.rows import CACHED, ONE, dot, ones

# rule: p; SLACK is (1 - alpha) B sqrt(p-1); RATE is C / sqrt(p-1)
P, SLACK, RATE, BIAS = range(4)
# state; the constant coordinate's v and z; PEAK is the largest POWER since all was computed anew
CONSTANT, CONSTANT_Z, UNIT, POWER, PEAK = range(5)
# counts
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)

MOST_BITS = 400.0  # POWER stays below 2 to this, and above 2 to minus this
DROP = 2.0**-10  # how far POWER may fall before it is summed anew
SHORTEST, LONGEST = 1e-150, 1e90  # where a step is held: w is in the unit ball, and UNIT stays within the floats
NOTHING = 1e-200  # duals below this are what steps that cancel each other have left: nothing


@inlined
def _boolean_length(number: np.uint64, p: float, known: Floats) -> float:
    """Return the p-norm of so many ones; ``known`` are those that have been computed."""
    if p == 2.0:
        return float(np.sqrt(float(number)))
    if number >= np.uint64(len(known)):
        return float(float(number) ** (1.0 / p))
    if known[number] == 0.0:
        known[number] = float(number) ** (1.0 / p)
    return float(known[number])


@native
def _length(values: Floats, first: np.uint64, last: np.uint64, p: float, bias: bool) -> float:
    """Return |x|_p of a row with values, the constant coordinate counted."""
    largest = 1.0 if bias else 0.0
    j = first
    while j < last:
        largest = max(largest, abs(values[j]))
        j += ONE
    if largest == 0.0:
        return 0.0
    total = (1.0 / largest) ** p if bias else 0.0
    j = first
    while j < last:
        ratio = abs(values[j]) / largest
        total += ratio * ratio if p == 2.0 else ratio**p
        j += ONE
    return float(largest * (np.sqrt(total) if p == 2.0 else total ** (1.0 / p)))


@inlined
def _weight(z: float, p: float) -> float:
    """Return the weight of a dual."""
    if p == 2.0:
        return z
    size = abs(z) ** (p - 1.0)
    return float(size if z >= 0.0 else -size)


@native
def _anew(v: Floats, z: Floats, rule: Floats, state: Floats, factor: float) -> None:
    """Divide the duals by a power of two (0: so that the largest is about 1) and compute all the rest from them."""
    p, known = rule[P], factor != 0.0
    if not known:
        largest = abs(state[CONSTANT_Z])
        for i in range(len(z)):
            largest = max(largest, abs(z[i]))
        factor = math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0.0 else 1.0
        if state[UNIT] * largest < NOTHING:
            z[:] = 0.0
            state[CONSTANT_Z] = 0.0
    state[UNIT] *= factor
    state[CONSTANT_Z] /= factor
    state[CONSTANT] = _weight(state[CONSTANT_Z], p)
    total = state[CONSTANT] * state[CONSTANT_Z]
    for i in range(len(z)):
        z[i] /= factor
        v[i] = _weight(z[i], p)
        total += v[i] * z[i]
    state[POWER] = state[PEAK] = total
    if total == 0.0 and not known:
        state[UNIT] = 1.0


@native
def per_weight(rule: Floats, state: Floats) -> float:
    """Return what v is to be multiplied by to give w."""
    p = rule[P]
    if p == 2.0 or state[POWER] <= 0.0:
        return float(state[UNIT])
    return float(state[UNIT] / state[POWER] ** ((p - 2.0) / p))


@native
def _correct(line: Row, step: float, v: Floats, z: Floats, rule: Floats, state: Floats) -> None:
    """Add ``step x`` to the duals, where no ``|step x_i|`` is more than ``|step| |x|_p``; return into the ball."""
    (indices, values, first, last), p = line, rule[P]
    step /= state[UNIT]
    gained = 0.0
    j = first
    while j < last:
        i = indices[j]
        before = v[i] * z[i]
        z[i] += step if len(values) == 0 else step * values[j]
        v[i] = _weight(z[i], p)
        gained += v[i] * z[i] - before
        j += ONE
    if rule[BIAS]:
        before = state[CONSTANT] * state[CONSTANT_Z]
        state[CONSTANT_Z] += step
        state[CONSTANT] = _weight(state[CONSTANT_Z], p)
        gained += state[CONSTANT] * state[CONSTANT_Z] - before
    state[POWER] += gained
    state[PEAK] = max(state[PEAK], state[POWER])
    if state[POWER] < DROP * state[PEAK]:
        _anew(v, z, rule, state, 0.0)
    norm = state[POWER] ** (1.0 / p)
    if state[UNIT] * norm > 1.0:
        state[UNIT] = 1.0 / norm


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    v: Floats, z: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then correct, row by row."""
    indices, values, p, bias = borrowed(indices), borrowed(values), rule[P], rule[BIAS] != 0.0
    boolean, far = len(values) == 0, v.nbytes > CACHED
    one, known = np.uint64(bias), np.zeros(256)
    unit, slack = per_weight(rule, state), rule[SLACK] / np.sqrt(counts[UPDATES] + 1.0)
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = unit * (s + state[CONSTANT])
        predicted = s >= 0.0
        positive = outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0:
            continue
        length = _boolean_length(last - first + one, p, known) if boolean else _length(values, first, last, p, bias)
        if m > slack * length or length < 1e-100:
            continue
        eta = min(max(weight * rule[RATE] / np.sqrt(counts[UPDATES] + 1.0), SHORTEST), LONGEST)
        reach = state[POWER] ** (1.0 / p) + eta / state[UNIT]
        if not 2.0 ** (-MOST_BITS / p) < reach < 2.0 ** (MOST_BITS / p):
            _anew(v, z, rule, state, math.ldexp(1.0, math.frexp(reach)[1]))
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        step = (eta if positive else -eta) / length
        _correct((indices, values, first, last), step, v, z, rule, state)
        unit, slack = per_weight(rule, state), rule[SLACK] / np.sqrt(counts[UPDATES] + 1.0)
    counts[TRIALS] += len(outcomes)
