"""One dict at a time: the kernels of blocks, called for a single example with as little around them as can be.

To look up ten names and to make two arrays of them costs Python five times what it costs to learn from them. So here an
example is the address of its dict, and so are the columns of names, and compiled code reads them by the functions that
Python itself is written with. Whoever calls holds both dicts, and Python's lock (a kernel of `OPTIONS` lets it go,
`reading` does not). Names must be strings or whole numbers, and values plain numbers, so that nothing here runs
anybody's code; where they are not, or a name is new, or a value is out of range, the caller goes the long way.

What must be known of Python's inside for it, and of which versions, is in `cpython`. The rules of learning are those of
`duals` and `exponents`, which are called.
"""

import numpy as np
from numba import config

from littlestone.engine.arrays import Bytes, Columns, Floats, Ints, Weights
from littlestone.engine.compiling import native, reading
from littlestone.engine.cpython import KIND_AT, REAL_AT, functions, holds, is_known
from littlestone.engine.intrinsics import calling, loading
from littlestone.engine.learning import duals, exponents
from littlestone.engine.learning.exponents import Moves, States

SIZE, NEXT, FIND, WHOLE, WRONG, CLEAR, STR, INT, BOOL, FLOAT, NUMPY, ONE, TRUE = range(13)
OBJECTS = (str, int, bool, float, np.float64, 1, True)

STATE, COUNTS = duals.CERTAIN + 1, duals.SEED + 1  # where these begin, behind the rule and the kind
LIMITS = -2  # and the least and the largest value that a dict may be read with are the last of all
LONG_WAY = -1
FEW = 64  # up to so many attributes insertion is the fastest way to sort


# Any Python whose inside is not known takes the ordinary way
USABLE = not getattr(config, "DISABLE_JIT", 0) and is_known() and holds()
PYTHON = np.array(
    [*functions(), *(id(one) for one in OBJECTS)] if USABLE else [0] * (TRUE + 1), dtype=np.int64
)  # where these are

_step, _find, _whole = calling("i32", 4), calling("i64", 2), calling("i64", 1)
_failed, _clear, _word, _real = calling("i64", 0), calling("void", 0), loading("i64"), loading("double")


@reading
def _value(python: Ints, one: int) -> float:
    """Return a plain number; nan for anything else."""
    if one == python[ONE] or one == python[TRUE]:
        return 1.0
    kind = _word(one + KIND_AT)
    if kind == python[FLOAT] or kind == python[NUMPY]:
        return float(_real(one + REAL_AT))
    if kind != python[INT] and kind != python[BOOL]:
        return np.nan
    value = _whole(python[WHOLE], one)
    if value == -1 and _failed(python[WRONG]) != 0:  # it is too large
        _clear(python[CLEAR])
        return np.nan
    return float(value)


@reading
def read(python: Ints, example: int, columns: int, indices: Columns, values: Floats) -> bool:
    """Write the columns and values of a dict of as many attributes; False: that must be seen to in Python."""
    at = np.zeros(3, np.int64)  # the position in the dict, a name, its value
    here, count = np.int64(at.ctypes.data), 0
    while count < len(indices) and _step(python[NEXT], example, here, here + 8, here + 16) != 0:
        kind = _word(at[1] + KIND_AT)
        if kind != python[STR] and kind != python[INT]:
            return False
        column = _find(python[FIND], columns, at[1])
        if column == 0:
            _clear(python[CLEAR])
            return False
        indices[count], values[count] = _whole(python[WHOLE], column), _value(python, at[2])
        count += 1
    return count == len(indices)


@native
def arrange(indices: Columns, values: Floats, least: float, most: float) -> int:
    """Put a row into column order, in place and without zeros; return how many are left.

    That is LONG_WAY where a value is not from ``least`` to ``most``, and ``-2 - left`` where all that are left are 1.
    """
    for j in range(len(values)):
        if not least <= values[j] <= most:
            return LONG_WAY
    if len(values) > FEW:
        order = np.argsort(indices)
        indices[:], values[:] = indices[order], values[order]
    else:
        for j in range(1, len(values)):
            index, value, i = indices[j], values[j], j
            while i > 0 and indices[i - 1] > index:
                indices[i], values[i] = indices[i - 1], values[i - 1]
                i -= 1
            indices[i], values[i] = index, value
    left, ones = 0, True
    for j in range(len(values)):
        if values[j] != 0.0:
            indices[left], values[left] = indices[j], values[j]
            ones &= values[j] == 1.0
            left += 1
    return -2 - left if ones else left


@reading
def _row(python: Ints, example: int, columns: int, least: float, most: float) -> tuple[Columns, Floats, bool]:
    """Return the row of a dict, its values empty where all are 1, and whether it could be read."""
    size = _whole(python[SIZE], example)
    indices, values = np.empty(size, np.uint32), np.empty(size, np.float64)
    left = LONG_WAY
    if read(python, example, columns, indices, values):
        left = arrange(indices, values, least, most)
    if left < LONG_WAY:
        return indices[: -2 - left], values[:0], True
    return indices[: max(left, 0)], values[: max(left, 0)], left >= 0


@reading
def learn(
    python: Ints, example: int, columns: int, outcome: int,
    weights: Weights, numbers: Floats, whole: Ints,
) -> int:  # fmt: skip
    """Play one dict as `duals.learn` plays a row; return the prediction, or LONG_WAY: nothing has been done."""
    indices, values, sound = _row(python, example, columns, numbers[LIMITS], numbers[LIMITS + 1])
    if not sound:
        return LONG_WAY
    room = np.empty(4, np.int64)  # one piece of memory for all that a block has
    indptr, outcomes, predictions = room[:2], room[2:3].view(np.uint8)[:1], room[3:].view(np.uint8)[:1]
    indptr[0], indptr[1], outcomes[0] = 0, len(indices), outcome
    duals.learn(
        indptr, indices, values, outcomes, room[:0].view(np.float64),
        weights, numbers[:STATE], whole[:COUNTS], numbers[STATE:], whole[COUNTS:], predictions,
    )  # fmt: skip
    return int(predictions[0])


@reading
def predict(
    python: Ints, example: int, columns: int,
    weights: Weights, numbers: Floats, whole: Ints,
) -> int:  # fmt: skip
    """Return the prediction of one dict, as `duals.score` makes it, or LONG_WAY."""
    indices, values, sound = _row(python, example, columns, numbers[LIMITS], numbers[LIMITS + 1])
    if not sound:
        return LONG_WAY
    room = np.empty(4, np.int64)
    indptr, predictions, activations = room[:2], room[2:3].view(np.uint8)[:1], room[3:].view(np.float64)
    indptr[0], indptr[1] = 0, len(indices)
    duals.score(
        indptr, indices, values, weights, numbers[:STATE], whole[:COUNTS], numbers[STATE:], whole[COUNTS:],
        predictions, activations,
    )  # fmt: skip
    return int(predictions[0])


@reading
def learn_powers(
    python: Ints, example: int, columns: int, outcome: int, largest: float,
    states: States, table: Floats, exact: Bytes, moves: Moves, rule: Floats, counts: Ints,
) -> int:  # fmt: skip
    """Play one Boolean dict as `exponents.learn` plays a row; return the prediction, or LONG_WAY."""
    indices, values, sound = _row(python, example, columns, rule[LIMITS], rule[LIMITS + 1])
    if not sound or len(values) > 0:
        return LONG_WAY
    room = np.empty(4, np.int64)
    indptr, outcomes, predictions = room[:2], room[2:3].view(np.uint8)[:1], room[3:].view(np.uint8)[:1]
    indptr[0], indptr[1], outcomes[0] = 0, len(indices), outcome
    rule[exponents.NEAR] = exponents.nearness(len(indices) + 1, rule[exponents.THETA], largest)
    row = exponents.learn(0, indptr, indices, outcomes, states, table, exact, moves, rule, counts, predictions)
    return int(predictions[0]) if row == 1 else LONG_WAY


@reading
def predict_powers(
    python: Ints, example: int, columns: int, largest: float,
    states: States, table: Floats, exact: Bytes, rule: Floats, counts: Ints,
) -> int:  # fmt: skip
    """Return the prediction of one Boolean dict, or LONG_WAY, where only exact numbers can tell it among others."""
    indices, values, sound = _row(python, example, columns, rule[LIMITS], rule[LIMITS + 1])
    if not sound or len(values) > 0:
        return LONG_WAY
    room = np.empty(4 + len(rule), np.int64)
    indptr, gaps, near, own = room[:2], room[2:3].view(np.float64), room[3:4].view(np.uint8), room[4:].view(np.float64)
    indptr[0], indptr[1] = 0, len(indices)
    own[:] = rule
    own[exponents.NEAR] = exponents.nearness(len(indices) + 1, rule[exponents.THETA], largest)
    exponents.score(indptr, indices, states, table, exact, own, counts, gaps, near)
    if near[0]:
        return LONG_WAY
    return int(gaps[0] >= 0.0 if rule[exponents.TIE] else gaps[0] > 0.0)
