"""The engine of Winnow and Balanced Winnow on Boolean rows: a weight is a state, its value stands in a table.

A weight is a function of whole exponents, ``w1 alpha^p demotion^q`` or ``w1 (alpha^p - alpha^-p)``. Each pair (p, q)
that occurs is a *state*: ``powers`` holds its value (row 0) and what that float lacks (row 1), ``moves`` the state it
goes to on a demotion (row 0) and on a promotion (row 1), plus one; 0 where nobody has been yet. An attribute costs one
byte (two beyond 256 states), the hot loop two small gathers, and no rounding ever accumulates.

Where a score is so near to theta, or to the margin, that rounding may decide, it is summed once more with twice the
digits and a bound on the error. The engine stops, and says at which row and why, when it needs the caller: at a state
without a successor (NEW_STATE), or where those digits do not tell either, and only exact numbers can (NEAR_TIE).
Nothing of that row has been done.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.arrays import FOUR, ONE, THREE, TWO, Bytes, Columns, Floats, Grid, Ints, Places
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch

States = NDArray[np.uint8] | NDArray[np.uint16]
Moves = Places

# rule; EXACT says whether theta and margin, as floats, are the numbers that were meant; NEAR is a distance from a
# threshold beyond which no row of the block is a near-tie; REST is what theta as a float lacks; ABOVE and BELOW are
# theta + margin and theta - margin, each followed by what it lacks
THETA, MARGIN, TIE, EXACT, NEAR, REST, ABOVE, ABOVE_REST, BELOW, BELOW_REST = range(10)
# counts; BIAS is the state of the constant coordinate or -1; RULING the caller's on the next row: -1 none, else
# the prediction, plus 2 if an update is due
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS, BIAS, RULING, REASON = range(7)
DONE, NEW_STATE, NEAR_TIE = range(3)

AHEAD = np.uint64(48)  # how many non-zeros ahead a state is asked for
CACHED = 1 << 19  # below this many bytes of states, asking ahead only costs
BAND, ROUNDING = 1e-12, 2.3e-16  # what is a near-tie, relatively to theta and the terms: the band, and more a term
UNIT = 2.0**-53  # the relative error of a sum
PAIR = 2.0**-102  # more than the relative error of a weight or threshold given by two floats
LEAST = 1e-300  # more than what floats near 0 lose
TINY = 2.2250738585072014e-308  # the smallest normal float


@inlined
def _sum(indices: Columns, first: np.uint64, last: np.uint64, states: States, powers: Floats, far: bool) -> float:
    """Return the sum of the weights of a row."""
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    if far and last + AHEAD <= np.uint64(len(indices)):
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


@native
def nearness(terms: int, theta: float, largest: float) -> float:
    """Return a distance from a threshold beyond which no row of so many terms can be a near-tie."""
    return (BAND + ROUNDING * terms) * (abs(theta) + terms * largest)


@native
def _is_near(
    distance: float, indices: Columns, first: np.uint64, last: np.uint64, bias: int,
    states: States, powers: Floats, exact: Bytes, rule: Floats,
) -> bool:  # fmt: skip
    """Tell whether rounding may have decided the row: its sum is close to a threshold, and not without rounding."""
    size = largest = smallest = 0.0
    rounded = rule[EXACT] == 0.0
    terms = float(last - first) + 3.0
    for j in range(np.int64(first), np.int64(last) + 3):
        # The row's weights, then the constant coordinate, theta and the margin.
        if j < np.int64(last) or (j == np.int64(last) and bias >= 0):
            state = np.int64(bias) if j == np.int64(last) else np.int64(states[indices[j]])
            value = abs(powers[state])
            size += value
            rounded |= exact[state] == 0
        elif j == np.int64(last):
            continue
        else:
            value = abs(rule[THETA] if j == np.int64(last) + 1 else rule[MARGIN])
        if 0.0 < value < 1e-200:
            rounded = True
        if 0.0 < value < np.inf and not rounded:
            unit = math.ldexp(1.0, math.frexp(value)[1] - 53)  # to be: the lowest bit that is set in the value
            while value % (2.0 * unit) == 0.0:  # at most 53 times: no value is a multiple of twice its highest bit
                unit *= 2.0
            largest = max(largest, value)
            smallest = unit if smallest == 0.0 else min(smallest, unit)
    # All terms are multiples of the smallest bit: sums below 2^53 of it are exact in any order.
    rounded |= largest * terms >= smallest * 9007199254740992.0 and largest > 0.0
    return bool(rounded and distance <= (BAND + ROUNDING * terms) * (abs(rule[THETA]) + size))


@native
def _sign(
    indices: Columns, first: np.uint64, last: np.uint64, bias: int, states: States, powers: Floats,
    theta: float, rest: float,
) -> int:  # fmt: skip
    """Return the sign of w.x - (theta + rest), each weight being two floats; 0: it is not certain.

    ``total`` is the sum of the first floats, rounded, and each rounding error is known exactly. So ``small``, the sum
    of these errors and the second floats, is all that is itself rounded, twice a term: by at most ``terms`` UNIT
    ``lost``, taken twice here, since ``lost`` and the bound are rounded, too, and so is a second float that is large
    (of a difference of nearly equal powers). What two floats lack of a number is within PAIR, or LEAST.
    """
    total, small = -theta, -rest
    size, lost = abs(theta), abs(rest)
    for j in range(np.int64(first), np.int64(last) + (1 if bias >= 0 else 0)):
        state = np.int64(bias) if j == np.int64(last) else np.int64(states[indices[j]])
        weight, low = powers[0, state], powers[1, state]
        after = total + weight
        part = after - total
        error = (total - (after - part)) + (weight - part)
        total = after
        small += error + low
        size += abs(weight)
        lost += abs(error) + abs(low)
    terms = float(last - first) + 8.0
    distance = total + small
    if abs(distance) > 2.0 * terms * UNIT * lost + PAIR * size + LEAST:  # false where anything is unknown, a nan
        return 1 if distance > 0.0 else -1
    return 0


@native
def _ruling(
    indices: Columns, first: np.uint64, last: np.uint64, bias: int, states: States, powers: Floats, rule: Floats,
    positive: bool,
) -> int:  # fmt: skip
    """Return the prediction of a near-tie, plus 2 if an update is due; -1: it is not certain."""
    sign = _sign(indices, first, last, bias, states, powers, rule[THETA], rule[REST])
    if sign == 0:
        return -1
    needed = (sign > 0) != positive
    if np.isfinite(rule[MARGIN]) and not needed:
        at = ABOVE if positive else BELOW
        beyond = _sign(indices, first, last, bias, states, powers, rule[at], rule[at + 1])
        if beyond == 0:
            return -1
        needed = (beyond < 0) == positive
    return (1 if sign > 0 else 0) + (2 if needed else 0)


@native
def _has_moves(indices: Columns, first: np.uint64, last: np.uint64, bias: int, states: States, moves: Moves) -> bool:
    """Tell whether every state of the row has a successor."""
    j = first
    while j < last:
        if moves[states[indices[j]]] == 0:
            return False
        j += ONE
    return bias < 0 or moves[bias] > 0


@native
def _scan(
    start: int, indptr: Ints, indices: Columns, outcomes: Bytes, states: States, powers: Floats, rule: Floats,
    bias: float, predictions: Bytes,
) -> int:  # fmt: skip
    """Predict rows until one needs attention: it is wrong, inside the margin, or near a threshold; return it."""
    theta, margin, tie, near = rule[THETA], rule[MARGIN], rule[TIE] != 0.0, rule[NEAR]
    has_margin, far = margin > -np.inf, states.nbytes > CACHED
    for row in range(start, len(outcomes)):
        r = np.uint64(row)  # unsigned: no question whether it counts from the end
        gap = _sum(indices, np.uint64(indptr[r]), np.uint64(indptr[r + ONE]), states, powers, far) + bias - theta
        predicted = gap >= 0.0 if tie else gap > 0.0  # no branch that depends on the data
        predictions[r] = predicted
        if predicted != (outcomes[r] == 1) or abs(gap) <= near:
            return row
        if has_margin and abs(gap) <= margin + near:
            return row
    return len(outcomes)


@native
def learn(
    start: int, indptr: Ints, indices: Columns, outcomes: Bytes, states: States,
    powers: Grid[Floats], exact: Bytes, moves: Grid[Moves], rule: Floats, counts: Ints, predictions: Bytes,
) -> int:  # fmt: skip
    """Play the rows from ``start`` on; return the row that needs the caller, or the number of rows."""
    indices, states, powers, moves = borrowed(indices), borrowed(states), borrowed(powers), borrowed(moves)
    weights = powers[0]
    margin, tie = rule[MARGIN], rule[TIE] != 0.0
    thick = margin if 0.0 < margin < np.inf else 0.0
    trials, row = counts[TRIALS] - start, start
    while True:  # a row is played each time, or needs the caller
        bias = weights[counts[BIAS]] if counts[BIAS] >= 0 else 0.0
        if counts[RULING] < 0:
            row = _scan(row, indptr, indices, outcomes, states, weights, rule, bias, predictions)
        counts[TRIALS] = trials + row
        if row == len(outcomes):
            counts[REASON] = DONE
            return row
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        gap = _sum(indices, first, last, states, weights, False) + bias - rule[THETA]
        positive = outcomes[row] == 1
        predicted = gap > 0.0 or (tie and gap == 0.0)
        needed = predicted != positive or (gap if positive else -gap) <= margin
        distance = min(abs(gap), abs(abs(gap) - thick))
        ruling = counts[RULING]
        if (
            ruling < 0
            and distance <= rule[NEAR]
            and _is_near(distance, indices, first, last, counts[BIAS], states, weights, exact, rule)
        ):
            ruling = _ruling(indices, first, last, counts[BIAS], states, powers, rule, positive)
            if ruling < 0:
                counts[REASON] = NEAR_TIE
                return row
        if ruling >= 0:
            predicted, needed = ruling % 2 == 1, ruling >= 2
        if needed:
            way = 1 if positive else 0
            if not _has_moves(indices, first, last, counts[BIAS], states, moves[way]):
                counts[REASON] = NEW_STATE
                return row
            j = first
            while j < last:
                states[indices[j]] = moves[way, states[indices[j]]] - 1
                j += ONE
            if counts[BIAS] >= 0:
                counts[BIAS] = moves[way, counts[BIAS]] - 1
            counts[UPDATES] += 1
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        predictions[row] = predicted
        counts[RULING] = -1
        row += 1


@native
def score(
    indptr: Ints, indices: Columns, states: States, powers: Grid[Floats], exact: Bytes, rule: Floats, counts: Ints,
    gaps: Floats, near: Bytes,
) -> None:  # fmt: skip
    """Write w.x - theta of each row, and whether only exact numbers can tell its sign."""
    indices, states, powers = borrowed(indices), borrowed(states), borrowed(powers)
    bias, far, weights = counts[BIAS], states.nbytes > CACHED, powers[0]
    for r in range(len(gaps)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = _sum(indices, first, last, states, weights, far)
        if bias >= 0:
            s += weights[bias]
        gaps[r] = s - rule[THETA]
        near[r] = abs(gaps[r]) <= rule[NEAR] and _is_near(
            abs(gaps[r]), indices, first, last, bias, states, weights, exact, rule
        )
        if near[r]:
            sign = _sign(indices, first, last, bias, states, powers, rule[THETA], rule[REST])
            if sign != 0:
                near[r], gaps[r] = False, sign * max(abs(gaps[r]), TINY)
