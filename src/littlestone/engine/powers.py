"""The engine of Winnow and Balanced Winnow on Boolean rows: a weight is a state, its value stands in a table.

A weight is a function of whole exponents, ``w1 alpha^p demotion^q`` or ``w1 (alpha^p - alpha^-p)``. Each pair (p, q)
that occurs is a *state*: ``powers`` holds its value, ``moves`` the state it goes to on a demotion (row 0) and on a
promotion (row 1), -1 where nobody has been yet. An attribute costs two bytes, the hot loop two small gathers, and no
rounding ever accumulates.

The engine stops, and says at which row and why, when it needs the caller: at a state without a successor (NEW_STATE),
or where the score is so near to theta, or to the margin, that only exact numbers can tell (NEAR_TIE). Nothing of that
row has been done.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.intrinsics import prefetch
from littlestone.engine.options import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Columns = NDArray[np.uint32]
States = NDArray[np.uint16]
Moves = NDArray[np.int32]

# rule; EXACT says whether theta and margin, as floats, are the numbers that were meant; LARGEST is that of |powers|
THETA, MARGIN, TIE, EXACT, LARGEST = range(5)
# counts; BIAS is the state of the constant coordinate or -1; RULING the caller's on the next row: -1 none, else
# the prediction, plus 2 if an update is due
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS, BIAS, RULING, REASON = range(7)
DONE, NEW_STATE, NEAR_TIE = range(3)

ONE, TWO, THREE, FOUR = (np.uint64(i) for i in range(1, 5))
AHEAD = np.uint64(48)  # how many non-zeros ahead a state is asked for
CACHED = 1 << 19  # below this many bytes of states, asking ahead only costs
BAND, ROUNDING = 1e-12, 2.3e-16  # what is a near-tie, relatively to theta and the terms: the band, and more a term


@kernel
def _sum(indices: Columns, first: np.uint64, last: np.uint64, states: States, powers: Floats) -> float:
    """Return the sum of the weights of a row."""
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    if states.nbytes > CACHED and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(states, indices[j + AHEAD])
            prefetch(states, indices[j + AHEAD + ONE])
            prefetch(states, indices[j + AHEAD + TWO])
            prefetch(states, indices[j + AHEAD + THREE])
            s0 += powers[states[indices[j]]]
            s1 += powers[states[indices[j + ONE]]]
            s2 += powers[states[indices[j + TWO]]]
            s3 += powers[states[indices[j + THREE]]]
            j += FOUR
    else:
        while j < whole:
            s0 += powers[states[indices[j]]]
            s1 += powers[states[indices[j + ONE]]]
            s2 += powers[states[indices[j + TWO]]]
            s3 += powers[states[indices[j + THREE]]]
            j += FOUR
    while j < last:
        s0 += powers[states[indices[j]]]
        j += ONE
    return (s0 + s1) + (s2 + s3)


@kernel
def _is_near(
    gap: float, indices: Columns, first: np.uint64, last: np.uint64, bias: int,
    states: States, powers: Floats, exact: Bytes, rule: Floats,
) -> bool:  # fmt: skip
    """Tell whether rounding may have decided the row: its sum is close to a threshold, and not without rounding."""
    margin = rule[MARGIN] if 0.0 < rule[MARGIN] < np.inf else 0.0
    distance = min(abs(gap), abs(abs(gap) - margin))
    terms = float(last - first) + 1.0
    band = BAND + ROUNDING * terms
    if distance > band * (abs(rule[THETA]) + terms * rule[LARGEST]):
        return False
    size = largest = smallest = 0.0
    rounded = rule[EXACT] == 0.0
    j = first
    while j < last or bias >= 0:
        state = np.int64(bias) if j >= last else np.int64(states[indices[j]])
        value = abs(powers[state])
        size += value
        rounded |= exact[state] == 0 or 0.0 < value < 1e-200
        if value > 0.0 and not rounded:
            unit = math.ldexp(1.0, math.frexp(value)[1] - 53)  # to be: the lowest bit that is set in the value
            while value % (2.0 * unit) == 0.0:
                unit *= 2.0
            largest = max(largest, value)
            smallest = unit if smallest == 0.0 else min(smallest, unit)
        if j >= last:
            break
        j += ONE
    # All terms are multiples of the smallest bit: sums below 2^53 of it are exact in any order.
    rounded |= largest * terms >= smallest * 9007199254740992.0 and largest > 0.0
    return bool(rounded and distance <= band * (abs(rule[THETA]) + size))


@kernel
def _has_moves(indices: Columns, first: np.uint64, last: np.uint64, bias: int, states: States, moves: Moves) -> bool:
    """Tell whether every state of the row has a successor."""
    j = first
    while j < last:
        if moves[states[indices[j]]] < 0:
            return False
        j += ONE
    return bias < 0 or moves[bias] >= 0


@kernel
def learn(
    start: int, indptr: Ints, indices: Columns, outcomes: Bytes, states: States,
    powers: Floats, exact: Bytes, moves: Moves, rule: Floats, counts: Ints, predictions: Bytes,
) -> int:  # fmt: skip
    """Play the rows from ``start`` on; return the row that needs the caller, or the number of rows."""
    theta, margin, tie = rule[THETA], rule[MARGIN], rule[TIE] != 0.0
    for r in range(start, len(outcomes)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = _sum(indices, first, last, states, powers)
        if counts[BIAS] >= 0:
            s += powers[counts[BIAS]]
        gap = s - theta
        positive = outcomes[r] == 1
        predicted = gap > 0.0 or (tie and gap == 0.0)
        needed = predicted != positive or (gap if positive else -gap) <= margin
        if counts[RULING] >= 0:
            predicted, needed = counts[RULING] % 2 == 1, counts[RULING] >= 2
        elif _is_near(gap, indices, first, last, counts[BIAS], states, powers, exact, rule):
            counts[REASON] = NEAR_TIE
            return r
        if needed:
            way = 1 if positive else 0
            if not _has_moves(indices, first, last, counts[BIAS], states, moves[way]):
                counts[REASON] = NEW_STATE
                return r
            j = first
            while j < last:
                states[indices[j]] = moves[way, states[indices[j]]]
                j += ONE
            if counts[BIAS] >= 0:
                counts[BIAS] = moves[way, counts[BIAS]]
            counts[UPDATES] += 1
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        predictions[r] = predicted
        counts[TRIALS] += 1
        counts[RULING] = -1
    counts[REASON] = DONE
    return len(outcomes)


@kernel
def score(
    indptr: Ints, indices: Columns, states: States, powers: Floats, exact: Bytes, rule: Floats, counts: Ints,
    gaps: Floats, near: Bytes,
) -> None:  # fmt: skip
    """Write w.x - theta of each row, and whether only exact numbers can tell its sign."""
    for r in range(len(gaps)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = _sum(indices, first, last, states, powers)
        if counts[BIAS] >= 0:
            s += powers[counts[BIAS]]
        gaps[r] = s - rule[THETA]
        near[r] = _is_near(gaps[r], indices, first, last, counts[BIAS], states, powers, exact, rule)
