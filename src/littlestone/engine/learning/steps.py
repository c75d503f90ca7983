"""The engine of additive learners with a step of their own: ``w <- c w + tau y x``, one call a block.

Every such learner has its step in its own file, and a kernel that inlines it into the loop here, `play`. The weights
are ``w = SCALE v``: to shrink or to stretch all of them changes one number, and a trial costs the active attributes.
The last column of ``v`` is the spare one, which is never updated. ROMMA's weights may outgrow the floats where no
hyperplane separates the rows: its margin, 1 in the paper, is UNIT, and both are made smaller together.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.rows import CACHED, ONE, add, dot, ones, square
from littlestone.engine.learning.rules import ALWAYS, first_order, is_asked

# rule: when the step is asked; RADIUS of the ball that w is kept in (0: none); from OWN on, the learner's parameters
WHEN, RADIUS, BIAS, OWN = range(4)
# state; CONSTANT is the weight of the constant coordinate, in the unit of v; SQUARE is |w|^2, where it is needed, and
# ERROR by what share of itself rounding may have moved ROMMA's
CONSTANT, SCALE, SQUARE, UNIT, ERROR = range(5)
# counts
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)

TINY = 1e-200  # a row whose square is below this is taken for one without attributes
LONGEST = 1e100  # where a step of gradient descent is held
LARGE = 2.0**200


@native
def fold(v: Floats, state: Floats) -> None:
    """Put the scale into the weights."""
    for i in range(len(v)):
        v[i] *= state[SCALE]
    state[CONSTANT] *= state[SCALE]
    state[SCALE] = 1.0


@native
def _project(radius: float, v: Floats, state: Floats) -> None:
    """Bring w back into the ball."""
    if state[SQUARE] > radius * radius:
        state[SCALE] *= radius / np.sqrt(state[SQUARE])
        state[SQUARE] = radius * radius
        if state[SCALE] < 1.0 / LARGE:
            fold(v, state)


@inlined
def play(
    step: Callable[..., float], own: Any, indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes,
    importance: Floats, v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row, by ``tau = step(m, |x|^2, weight, trial, own)``; 0: no update."""
    when, radius, bias = int(rule[WHEN]), rule[RADIUS], rule[BIAS] != 0.0
    boolean, far = len(values) == 0, v.nbytes > CACHED
    trials = counts[TRIALS]
    for row in range(len(outcomes)):
        r = np.uint64(row)
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + ONE])
        trials += 1
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = state[SCALE] * (s + state[CONSTANT])
        predicted = s >= 0.0
        positive = outcomes[r] == 1
        predictions[r] = predicted
        m = s if positive else -s
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0 or not is_asked(when, m, predicted == positive, state[UNIT]):
            continue
        size = square(values, first, last, bias)
        tau = step(m, size, weight, trials, own)
        if tau == 0.0:
            continue
        counts[UPDATES] += 1
        if when != ALWAYS or predicted != positive:
            counts[PROMOTIONS if positive else DEMOTIONS] += 1
        moved = (tau if positive else -tau) / state[SCALE]
        add(indices, values, first, last, moved, v)
        if bias:
            state[CONSTANT] += moved
        if radius > 0.0:
            state[SQUARE] += tau * (2.0 * m + tau * size)
            _project(radius, v, state)
    counts[TRIALS] = trials


@inlined
def _asked(m: float, size: float, weight: float, trial: int, address: int) -> float:
    """Ask the rule at an address."""
    return float(first_order(address, m, size, weight, float(trial)))


@native
def learn(
    address: int, indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats,
    v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block by the rule at an address: a user's own."""
    play(_asked, address, indptr, indices, values, outcomes, importance, v, rule, state, counts, predictions)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, v: Floats, state: Floats, predictions: Bytes, activations: Floats
) -> None:
    """Predict a block without learning: the very predictions that learning would make first, and w.x."""
    boolean, far = len(values) == 0, v.nbytes > CACHED
    for r in range(len(predictions)):
        first, last = np.uint64(indptr[r]), np.uint64(indptr[r + 1])
        s = ones(indices, first, last, v, far) if boolean else dot(indices, values, first, last, v)
        s = state[SCALE] * (s + state[CONSTANT])
        predictions[r] = s >= 0.0
        activations[r] = s
