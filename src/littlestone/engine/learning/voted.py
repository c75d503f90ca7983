"""The engine of the voted Perceptron: all hypotheses of a game at once, from the stored mistakes.

Hypothesis j is the sum of the first j stored rows, each times its coefficient. The entries of stored rows are found by
attribute, so that a row's products with all stored rows cost the entries that it meets; one running sum over them then
gives its score under every hypothesis. Most entries are sorted by attribute (``starts``, ``owners``, ``sizes``); the
latest are in lists (``head``, ``following``, ``owner``) until they are as many as the sorted ones, or as attributes.
"""

from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Ints, Places
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed

# counts; UPDATES is the number of stored rows
TRIALS, UPDATES, PROMOTIONS, DEMOTIONS = range(4)
NONE = -1
MOST = 1e150  # where an entry is held: times a value of 1e100 it is still a float


class Mistakes(NamedTuple):
    """The stored rows, their entries by attribute, and how long each hypothesis survived."""

    starts: Ints
    owners: Places
    sizes: Floats
    head: Ints
    following: Ints
    owner: Places
    attributes: Columns
    amounts: Floats
    ends: Ints
    coefficients: Floats
    survived: Ints


@inlined
def _vote(
    indices: Columns, values: Floats, first: int, last: int, kept: Mistakes, stored: int, bias: bool, products: Floats
) -> tuple[float, float]:
    """Return the vote of all hypotheses, and the score under the last one."""
    starts, owners, sizes, head, following, owner, _, amounts, _, coefficients, survived = kept
    for j in range(stored):
        products[j] = coefficients[j] if bias else 0.0
    for at in range(first, last):
        i = indices[at]
        x = values[at] if len(values) > 0 else 1.0
        for entry in range(starts[i], starts[i + 1]):
            products[owners[entry]] += sizes[entry] * x
        entry = head[i]
        while entry != NONE:  # each entry is in one list, before those that came sooner
            products[owner[entry]] += amounts[entry] * x
            entry = following[entry]
    s, vote = 0.0, float(survived[0])  # the first hypothesis, 0, says 1
    for j in range(stored):
        s += products[j]
        vote += survived[j + 1] if s >= 0.0 else -survived[j + 1]
    return vote, s


@native
def arrange(mistakes: Mistakes, stored: int) -> None:
    """Sort all entries by attribute, and empty the lists."""
    starts, owners, sizes, head, _, _, attributes, amounts, ends, _, _ = mistakes
    starts[:] = 0
    for entry in range(ends[stored]):
        starts[attributes[entry] + 1] += 1
    for i in range(1, len(starts)):
        starts[i] += starts[i - 1]
    for mistake in range(stored):
        for entry in range(ends[mistake], ends[mistake + 1]):
            i = attributes[entry]
            owners[starts[i]], sizes[starts[i]] = mistake, amounts[entry]
            starts[i] += 1
    for i in range(len(starts) - 1, 0, -1):  # each start has become the next one's
        starts[i] = starts[i - 1]
    starts[0] = 0
    head[:] = NONE


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Bytes, importance: Floats, mistakes: Mistakes,
    counts: Ints, bias: bool, predictions: Bytes,
) -> None:  # fmt: skip
    """Play a block: the vote predicts, the last hypothesis learns; there is room for every row to be a mistake."""
    mistakes = borrowed(mistakes)
    starts, _, _, head, following, owner, attributes, amounts, ends, coefficients, survived = mistakes
    products = np.empty(len(coefficients))
    for r in range(len(outcomes)):
        first, last = indptr[r], indptr[r + 1]
        stored = counts[UPDATES]
        vote, s = _vote(indices, values, first, last, mistakes, stored, bias, products)
        predictions[r] = vote >= 0.0
        counts[TRIALS] += 1
        weight = importance[r] if len(importance) > 0 else 1.0
        if weight == 0.0:
            continue
        positive = outcomes[r] == 1
        if (s >= 0.0) == positive:
            survived[stored] += 1
            continue
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
        coefficient = weight if positive else -weight
        entry = ends[stored]
        for at in range(first, last):
            i = indices[at]
            attributes[entry] = i
            amount = coefficient * (values[at] if len(values) > 0 else 1.0)
            amounts[entry] = min(max(amount, -MOST), MOST)
            following[entry], owner[entry] = head[i], stored
            head[i] = entry
            entry += 1
        ends[stored + 1], coefficients[stored], survived[stored + 1] = entry, coefficient, 1
        sorted_ones = starts[len(starts) - 1]
        if entry - sorted_ones > max(sorted_ones, len(starts)):
            arrange(mistakes, stored + 1)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, mistakes: Mistakes, stored: int, bias: bool, votes: Floats
) -> None:
    """Write the vote of each row; change nothing."""
    mistakes, products = borrowed(mistakes), np.empty(stored)
    for r in range(len(votes)):
        first, last = indptr[r], indptr[r + 1]
        votes[r], _ = _vote(indices, values, first, last, mistakes, stored, bias, products)
