"""The engine of the quasi-additive family on CSR rows: ``z += step x``, ``w = link(z)``, one call a block.

A trial: the score ``w.x`` (four interleaved sums, then the constant coordinate) is compared with ``theta``; on a
mistake, or inside the margin, the active duals move and their weights are computed anew. Weights are cached, so a
trial without an update costs one gather a non-zero.

Shapes. ``weights`` is (rows, columns): row 0 the weights ``v``, then the duals ``z`` (absent for the identity link),
then, if averaged, the correction ``u``. The column after the last attribute is the *spare*: what an attribute looks
like that nobody has seen yet. The hypothesis is ``v / scale``; scale is 1, the sum of ``v`` or a p-norm.

Averaging is lazy: with a clock ``C`` that gains ``1/scale`` a trial, the sum of all hypotheses so far is ``C v - u``.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints, Read, Row, Weights
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import asking, borrowed
from littlestone.engine.learning.rows import CACHED, ONE, add, dot, ones
from littlestone.engine.splitmix import key_of

# rule: what never changes during a game
# (A, B, C are the link's own parameters; DROP is how far the total may fall before it is summed anew; MOST: where a
# weight is held, for two infinite ones would make a NaN of a score; CERTAIN: the score that a coin takes for a sure 1)
UP, DOWN, THETA, MARGIN, TIE, BIAS, A, B, C, DROP, MOST, CERTAIN = range(12)
# kind: the same, in integers; ADDRESS is that of a user's compiled link, SEED that of randomised predictions (-1: none)
LINK, SCALE, ADDRESS, DUAL, AVERAGED, SIZE, SEED = range(7)
# state: scalars that move; SHIFT is the unit in which v is kept (subtracted for exp, divided by for a p-norm)
BIAS_V, BIAS_Z, BIAS_U, CLOCK, TOTAL, PEAK, SHIFT = range(7)
# counts
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)

_call_user_link = asking(1, 1)  # a user's link

IDENTITY, POWER, SINH, EXP, SIGMOID, BAYES, P_NORM, USER, TWO_EXPS = range(9)
UNSCALED, SUM, NORM, BOTH = range(4)  # BOTH: the sum of e^z + e^-z

FARTHEST, FARTHEST_32 = 1e150, 1e25  # where a dual is held, in 64 and in 32 bits: then no score leaves the floats
SAFE = 1e10  # no game is so long that steps up to this lead there
LEAST_BITS = 600  # a p-norm's unit is at least 2^(p - 600): the scale, about 2^p over it, stays within the floats


@native
def _softplus(x: float) -> float:
    """Return ln(1 + e^x)."""
    return float(max(x, 0.0) + np.log1p(np.exp(-abs(x))))


@native
def sigmoid(z: float) -> float:
    """Return 1/(1 + e^-z)."""
    if z >= 0:
        return float(1.0 / (1.0 + np.exp(-z)))
    e = np.exp(z)
    return float(e / (1.0 + e))


@inlined
def _exp(x: float) -> float:
    """Return e^x; 0 where that is no normal float, which would take many times as long."""
    return float(np.exp(x)) if x > -708.0 else 0.0


@native
def _power(base: float, z: float) -> float:
    """Return ``base ** z``; a power of 2 below the normal floats, where ``**`` is slow, is made of its bits."""
    if base != 2.0 or z >= -1022.0 or z != np.floor(z):
        return float(base**z)
    return float(np.int64(1 << np.int64(z + 1074.0)).view(np.float64)) if z >= -1074.0 else 0.0


@native
def _link(kind: Ints, rule: Floats, shift: float, z: float) -> float:
    """Return the weight of the dual ``z``."""
    link = kind[LINK]
    if link == IDENTITY:
        return z
    if link == POWER:
        return float(min(rule[C] * _power(rule[A], z), rule[MOST]))
    if link == SINH:
        return float(min(max(rule[C] * (_power(rule[A], z) - _power(rule[A], -z)), -rule[MOST]), rule[MOST]))
    if link == EXP:
        return float(min(np.exp(z - shift), rule[MOST]))
    if link == TWO_EXPS:
        return float(rule[C] * (_exp(z - shift) - _exp(-z - shift)))
    if link == SIGMOID:
        return sigmoid(z)
    if link == BAYES:
        z = min(z, 1e9)  # beyond it the two would be equal but for rounding
        return float(rule[C] + _softplus(z + rule[A]) - _softplus(z + rule[B]))
    if link == P_NORM:
        return float(np.sign(z) * min((abs(z) / shift) ** (rule[A] - 1.0), rule[MOST]))
    w = _call_user_link(kind[ADDRESS], z)
    return float(w if np.isnan(w) else min(max(w, -rule[MOST]), rule[MOST]))


@native
def _share(kind: Ints, shift: float, v: float, z: float) -> float:
    """Return what one attribute adds to the total behind the scale."""
    if kind[SCALE] == SUM:
        return v
    if kind[SCALE] == BOTH:
        return float(_exp(z - shift) + _exp(-z - shift))
    return abs(v) * (abs(z) / shift)


@native
def scale_of(kind: Read[Ints], rule: Read[Floats], state: Read[Floats]) -> float:
    """Return the number by which ``v`` is divided to give the hypothesis."""
    if kind[SCALE] == UNSCALED:
        return 1.0
    if kind[SCALE] != NORM:
        return float(state[TOTAL])
    if state[TOTAL] <= 0.0:
        return 1.0
    return float(state[TOTAL] ** ((rule[A] - 2.0) / rule[A]) / state[SHIFT])


@native
def rescale(weights: Grid[Weights], rule: Floats, kind: Ints, state: Floats) -> None:
    """Compute all ``v``, the total and the unit anew from the duals; the sum of past hypotheses stays what it was."""
    v, z, size = weights[0], weights[kind[DUAL]], kind[SIZE]
    if kind[AVERAGED] and state[CLOCK] != 0.0:
        _fold(weights, kind, state)
    largest = -np.inf if kind[SCALE] == SUM else 0.0
    for i in range(max(size, 1)):
        largest = max(largest, z[i] if kind[SCALE] == SUM else abs(z[i]))
    if rule[BIAS]:
        largest = max(largest, state[BIAS_Z] if kind[SCALE] == SUM else abs(state[BIAS_Z]))
    if kind[SCALE] != NORM:
        state[SHIFT] = largest if np.isfinite(largest) else 0.0
    else:
        # A power of two, so that whole duals keep their ties.
        bits = max(math.frexp(largest)[1] - 1, int(min(rule[A], 500.0)) - LEAST_BITS)
        state[SHIFT] = math.ldexp(1.0, bits) if largest > 0.0 else 1.0
    total = 0.0
    for i in range(size + 1):
        v[i] = _link(kind, rule, state[SHIFT], z[i])
        if i < size:
            total += _share(kind, state[SHIFT], v[i], z[i])
    if rule[BIAS]:
        state[BIAS_V] = _link(kind, rule, state[SHIFT], state[BIAS_Z])
        total += _share(kind, state[SHIFT], state[BIAS_V], state[BIAS_Z])
    elif size == 0:
        total = _share(kind, state[SHIFT], v[0], z[0])  # nothing seen yet: the spare one stands for all
    state[TOTAL] = total
    state[PEAK] = total


@native
def _fold(weights: Weights, kind: Ints, state: Floats) -> None:
    """Put the sum of past hypotheses into the corrections alone, and start the clock anew."""
    v, u = weights[0], weights[-1]
    for i in range(kind[SIZE] + 1):
        u[i] -= state[CLOCK] * v[i]
    state[BIAS_U] -= state[CLOCK] * state[BIAS_V]
    state[CLOCK] = 0.0


@inlined
def held(z: float, most: float) -> float:
    """Return a dual within its range; one that is eliminated stays so."""
    return z if z == -np.inf else min(max(z, -most), most)


@native
def _go_back_until_defined(z: Weights, i: int, v: Weights, k: int, before: float, rule: Floats, kind: Ints) -> None:
    """Take ``z[i]`` back, half of the way, half of that, ..., until a user's link has a number for its weight."""
    for _ in range(1100):  # then it is where it was
        z[i] = before + 0.5 * (z[i] - before)
        v[k] = _link(kind, rule, 0.0, z[i])
        if not np.isnan(v[k]):
            return


@native
def _outgrows_unit(line: Row, step: float, z: Weights, rule: Floats, kind: Ints, state: Floats) -> bool:
    """Tell whether an update takes a dual far beyond the unit in which v is kept."""
    indices, values, first, last = line
    largest = state[BIAS_Z] + step if rule[BIAS] else -np.inf
    if kind[SCALE] != SUM:
        largest = abs(largest) if rule[BIAS] else 0.0
    for j in range(first, last):
        moved = z[indices[j]] + (step if len(values) == 0 else step * values[j])
        largest = max(largest, moved if kind[SCALE] == SUM else abs(moved))
    if kind[SCALE] != NORM:
        return bool(largest > state[SHIFT] + 7.0)
    return bool(largest > state[SHIFT] * 1024.0 ** (1.0 / rule[A]))


@native
def _score_in_own_unit(line: Row, weights: Weights, rule: Floats, kind: Ints, state: Floats) -> float:
    """Return the score of a row that is 0: in the unit of its own largest dual, if its weights are too small to see."""
    (indices, values, first, last), v, z = line, weights[0], weights[kind[DUAL]]
    unit = state[BIAS_Z] if rule[BIAS] else -np.inf
    if kind[SCALE] == NORM:
        unit = abs(unit) if rule[BIAS] else 0.0
    mass = abs(state[BIAS_V])
    for j in range(first, last):
        mass += abs(v[indices[j]])
        unit = max(unit, z[indices[j]] if kind[SCALE] == SUM else abs(z[indices[j]]))
    if mass > 1e-250 or not np.isfinite(unit) or (kind[SCALE] == NORM and unit == 0.0):
        return 0.0  # a tie is a tie
    s = _link(kind, rule, unit, state[BIAS_Z]) if rule[BIAS] else 0.0
    for j in range(first, last):
        s += _link(kind, rule, unit, z[indices[j]]) * (1.0 if len(values) == 0 else values[j])
    return float(s)


@native
def move(line: Row, step: float, weights: Weights, rule: Floats, kind: Ints, state: Floats) -> None:
    """Make one update: ``z += step x`` on the active attributes, and their weights from it."""
    indices, values, first, last = line
    v, z, u = weights[0], weights[kind[DUAL]], weights[-1]
    boolean = len(values) == 0
    scaled = kind[SCALE] != UNSCALED
    outgrown = scaled and _outgrows_unit(line, step, z, rule, kind, state)
    if outgrown and kind[AVERAGED]:
        _fold(weights, kind, state)  # with the weights as they were
    shift, most, user = state[SHIFT], FARTHEST if z.itemsize == 8 else FARTHEST_32, kind[LINK] == USER
    gained = 0.0
    j = first
    while j < last:
        i = indices[j]
        before_v, before_z = v[i], z[i]
        z[i] = held(z[i] + (step if boolean else step * values[j]), most)
        v[i] = _link(kind, rule, shift, z[i])
        if user and np.isnan(v[i]):
            _go_back_until_defined(z, i, v, i, before_z, rule, kind)
        if kind[AVERAGED]:
            u[i] += state[CLOCK] * (v[i] - before_v)
        if scaled:
            gained += _share(kind, shift, v[i], z[i]) - _share(kind, shift, before_v, before_z)
        j += ONE
    if rule[BIAS]:
        before_v, before_z = state[BIAS_V], state[BIAS_Z]
        state[BIAS_Z] = held(state[BIAS_Z] + step, most)
        state[BIAS_V] = _link(kind, rule, shift, state[BIAS_Z])
        if user and np.isnan(state[BIAS_V]):
            _go_back_until_defined(state, BIAS_Z, state, BIAS_V, before_z, rule, kind)
        if kind[AVERAGED]:
            state[BIAS_U] += state[CLOCK] * (state[BIAS_V] - before_v)
        if scaled:
            gained += _share(kind, shift, state[BIAS_V], state[BIAS_Z]) - _share(kind, shift, before_v, before_z)
    if scaled:
        state[TOTAL] += gained
        state[PEAK] = max(state[PEAK], state[TOTAL])
        # A total far below its peak is mostly rounding; and nothing may leave the floats.
        if outgrown or not state[PEAK] * rule[DROP] <= state[TOTAL] or state[TOTAL] < 1e-30:
            rescale(weights, rule, kind, state)


@native
def _predicts_one(s: float, certain: float, seed: int, trial: int) -> bool:
    """Toss the coin of a trial, which depends on the seed and the trial's number alone: 1 with chance s/certain."""
    return float(key_of(np.uint64(seed), np.uint64(trial)) >> np.uint64(11)) * 2.0**-53 * certain < s


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    weights: Grid[Weights], rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row.

    With coins predictions are randomised, and an update is due unless the prediction was certain and right.
    """
    indices, values, weights = borrowed(indices), borrowed(values), borrowed(weights)
    rule, kind, state, v, u = borrowed(rule), borrowed(kind), borrowed(state), weights[0], weights[-1]
    theta, margin, tie = rule[THETA], rule[MARGIN], rule[TIE] != 0.0
    boolean, far, coins = len(values) == 0, v.nbytes > CACHED, kind[SEED] >= 0
    averaged, scaled = kind[AVERAGED] != 0, kind[SCALE] != UNSCALED
    additive = kind[LINK] == IDENTITY and boolean and not averaged
    trials, has_margin = counts[TRIALS], margin > -np.inf
    plain = scaled and theta == 0.0 and not averaged and not has_margin  # only the sign of a score matters
    scale = scale_of(kind, rule, state)
    for row in range(len(outcomes)):
        r = np.uint64(row)  # unsigned: no question whether it counts from the end
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        trials += 1
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s += state[BIAS_V]
        if plain and s == 0.0:
            s = _score_in_own_unit((indices, values, first, last), weights, rule, kind, state)
        gap = s - theta * scale if scale > 0.0 else -theta  # scale 0: all eliminated, w is 0
        predicted = gap >= 0.0 if tie else gap > 0.0  # no branch that depends on the data
        positive = outcomes[r] == 1
        needed = predicted != positive or (has_margin and (gap if positive else -gap) <= margin * scale)
        if coins:
            predicted = _predicts_one(s, rule[CERTAIN], kind[SEED], trials - 1)
            needed = s < rule[CERTAIN] if positive else s > 0.0
        predictions[r] = predicted
        if averaged:
            if scale > 0.0:
                state[CLOCK] += 1.0 / scale
            past = ones(indices, first, last, u, far) if boolean else dot(indices, values, first, last, u)
            mean = state[CLOCK] * s - (past + state[BIAS_U]) - theta * trials
            predictions[r] = mean >= 0.0 if tie else mean > 0.0
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or not (needed or margin == np.inf):
            continue
        counts[UPDATES] += 1
        if predicted != positive or (margin < np.inf and not coins):
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        step = weight * (rule[UP] if positive else rule[DOWN])
        if additive and abs(step) < SAFE:  # the Perceptron's update, without the questions
            add(indices, values, first, last, step, v)
            first = last  # of what is left, `move` sees to the constant coordinate
        move((indices, values, first, last), step, weights, rule, kind, state)
        if scaled:
            scale = scale_of(kind, rule, state)
    counts[TRIALS] = trials


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, weights: Read[Grid[Weights]], rule: Read[Floats], kind: Read[Ints],
    state: Read[Floats], counts: Read[Ints], predictions: Bytes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that `learn` would make first, and w.x - theta."""
    v, u = weights[0], weights[-1]
    theta, tie = rule[THETA], rule[TIE] != 0.0
    boolean, far = len(values) == 0, v.nbytes > CACHED
    scale = scale_of(kind, rule, state)
    clock = state[CLOCK] + 1.0 / scale if scale > 0.0 else state[CLOCK]
    trials = counts[TRIALS] + 1.0
    plain = kind[SCALE] != UNSCALED and theta == 0.0 and not kind[AVERAGED] and rule[MARGIN] == -np.inf
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s += state[BIAS_V]
        if plain and s == 0.0:
            s = _score_in_own_unit((indices, values, first, last), weights, rule, kind, state)
        # Where all are eliminated, a row may yet have new attributes, which `learn` would give weights.
        gap = s - theta * scale if scale > 0.0 or theta == 0.0 else -theta
        unit = scale if scale > 0.0 else 1.0
        if kind[AVERAGED]:
            past = ones(indices, first, last, u, far) if boolean else dot(indices, values, first, last, u)
            gap = clock * s - (past + state[BIAS_U]) - theta * trials
            unit = trials
        predictions[r] = gap >= 0.0 if tie else gap > 0.0
        if kind[SEED] >= 0:
            predictions[r] = _predicts_one(s, rule[CERTAIN], kind[SEED], counts[TRIALS] + r)
        activations[r] = gap / unit


@native
def transform(kind: Ints, rule: Floats, shift: float, z: Floats, w: Floats) -> None:
    """Apply the link to many duals."""
    for i in range(len(z)):
        w[i] = _link(kind, rule, shift, z[i])
