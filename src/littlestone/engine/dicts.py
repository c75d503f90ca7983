"""One dict at a time: the kernels of blocks, called for a single example with as little around them as can be.

To look up ten names and to make two arrays of them costs Python five times what it costs to learn from them. So here
Python hands over a dict and the columns of names, and the extension module reads both by CPython's own functions: names
that are strings or whole numbers, values that are plain numbers, so that nothing there runs anybody's code. A kernel
gets what it read, ``indices`` and ``values`` in the order of the dict, as room of its own. Where a name or a value is
of another kind, or a name is new, or a value is out of range, what comes back is `LONG_WAY`: nothing has been done.

The rules of learning are those of `duals` and `exponents`, which are called.
"""

import numpy as np

from littlestone.engine import ahead
from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints, Weights
from littlestone.engine.compiling import inlined, native, of_dict
from littlestone.engine.learning import duals, exponents
from littlestone.engine.learning.exponents import Moves, States

STATE, COUNTS = duals.CERTAIN + 1, duals.SEED + 1  # where these begin, behind the rule and the kind
LIMITS = -2  # and the least and the largest value that a dict may be read with are the last of all
LONG_WAY, VALUED, ONES = -1, 0, 1
FEW = 64  # up to so many attributes it is fastest to count for each how many come before it

USABLE = ahead.native is not None  # only the extension module can read a dict


@native
def arrange(indices: Columns, values: Floats, least: float, most: float) -> int:
    """Put a row into column order, in place and without zeros; return how many are left.

    That is LONG_WAY where a value is not from ``least`` to ``most``, and ``-2 - left`` where all that are left are 1.
    """
    sound = ones = True
    for j in range(len(values)):
        sound &= (least <= values[j]) & (values[j] <= most)
        ones &= values[j] == 1.0
    if not sound:
        return LONG_WAY
    if len(values) > FEW:
        order = np.argsort(indices)
        indices[:], values[:] = indices[order], values[order]
    else:
        _sort_few(indices, values, ones)
    if ones:
        return -2 - len(values)
    left, ones = 0, True
    for j in range(len(values)):
        if values[j] != 0.0:
            indices[left], values[left] = indices[j], values[j]
            ones &= values[j] == 1.0
            left += 1
    return -2 - left if ones else left


@native
def arrange_rows(indptr: Ints, indices: Columns, values: Floats, most: float) -> int:
    """Do that with rows, in place: ONES where all values that are left are 1, or else VALUED, is returned.

    It is LONG_WAY where the size of a value is larger than ``most``, or it is none.
    """
    first = left = 0
    ones = True
    for row in range(len(indptr) - 1):
        last = indptr[row + 1]
        count = arrange(indices[first:last], values[first:last], -most, most)
        if count == LONG_WAY:
            return LONG_WAY
        ones &= count < LONG_WAY
        count = -2 - count if count < LONG_WAY else count
        for j in range(count):
            indices[left + j], values[left + j] = indices[first + j], values[first + j]
        first, left = last, left + count
        indptr[row + 1] = left
    return ONES if ones else VALUED


@inlined
def _sort_few(indices: Columns, values: Floats, ones: bool) -> None:
    """Sort a row of at most `FEW` attributes; no branch depends on their order, for a processor cannot foresee it."""
    room = np.zeros(FEW + FEW // 2)  # never an index that is none, whatever comes
    moved, sorted_ = room[:FEW], room[FEW:].view(np.uint32)
    for j in range(len(indices)):
        index, before = indices[j], np.uint32(0)
        for i in range(len(indices)):
            before += np.uint32(indices[i] < index)
        sorted_[before], moved[before] = index, values[j]
    indices[:] = sorted_[: len(indices)]
    if not ones:
        values[:] = moved[: len(indices)]


@inlined
def _row(indices: Columns, values: Floats, least: float, most: float) -> tuple[Columns, Floats, bool]:
    """Return the row, its values empty where all are 1, and whether it may be taken."""
    left = arrange(indices, values, least, most)
    if left < LONG_WAY:
        return indices[: -2 - left], values[:0], True
    return indices[: max(left, 0)], values[: max(left, 0)], left >= 0


@of_dict
def learn(
    indices: Columns, values: Floats, outcome: int,
    weights: Grid[Weights], numbers: Floats, whole: Ints,
) -> int:  # fmt: skip
    """Play one dict as `duals.learn` plays a row; return the prediction, or LONG_WAY: nothing has been done."""
    indices, values, sound = _row(indices, values, numbers[LIMITS], numbers[LIMITS + 1])
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


@of_dict
def predict(
    indices: Columns, values: Floats,
    weights: Grid[Weights], numbers: Floats, whole: Ints,
) -> int:  # fmt: skip
    """Return the prediction of one dict, as `duals.score` makes it, or LONG_WAY."""
    indices, values, sound = _row(indices, values, numbers[LIMITS], numbers[LIMITS + 1])
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


@of_dict
def learn_powers(
    indices: Columns, values: Floats, outcome: int, largest: float,
    states: States, table: Grid[Floats], exact: Bytes, moves: Grid[Moves], rule: Floats, counts: Ints,
) -> int:  # fmt: skip
    """Play one Boolean dict as `exponents.learn` plays a row; return the prediction, or LONG_WAY."""
    indices, values, sound = _row(indices, values, rule[LIMITS], rule[LIMITS + 1])
    if not sound or len(values) > 0:
        return LONG_WAY
    room = np.empty(4, np.int64)
    indptr, outcomes, predictions = room[:2], room[2:3].view(np.uint8)[:1], room[3:].view(np.uint8)[:1]
    indptr[0], indptr[1], outcomes[0] = 0, len(indices), outcome
    rule[exponents.NEAR] = exponents.nearness(len(indices) + 1, rule[exponents.THETA], largest)
    row = exponents.learn(0, indptr, indices, outcomes, states, table, exact, moves, rule, counts, predictions)
    return int(predictions[0]) if row == 1 else LONG_WAY


@of_dict
def predict_powers(
    indices: Columns, values: Floats, largest: float,
    states: States, table: Grid[Floats], exact: Bytes, rule: Floats, counts: Ints,
) -> int:  # fmt: skip
    """Return the prediction of one Boolean dict, or LONG_WAY, where only exact numbers can tell it among others."""
    indices, values, sound = _row(indices, values, rule[LIMITS], rule[LIMITS + 1])
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
