"""The engine of learners that count: Naive Bayes and singly variant Bayes.

Every attribute has a whole count, also those that are off; what is summed over all attributes is summed over the
*distinct* counts. They stand in a list in ascending order, each with the number of its attributes; an update moves the
attributes of a row by one, so that a count enters and leaves the list beside its neighbour. A trial costs the row's
attributes, and, after an update, the distinct counts; sums are made anew each time and do not drift.

A list is an array of four rows (the count, how many attributes have it, the places of the next smaller and the next
larger), at most a column an attribute; ``ends`` holds the places of the smallest and the largest, of the first column
that was left, and of the first that was never used; ``places`` says where each attribute's count stands. Lists are made
by `listed` and changed by `_shift` alone: there are no rings in them.

The engine stops at a row whose score is so near to 0 that only exact numbers can tell; the caller's RULING decides it.
"""

import math
from typing import Any

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Cube, Floats, Grid, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed

Rows = tuple[Ints, Columns]  # where they end, and their attributes
NaiveBayes = tuple[
    Grid[Ints], Cube[Ints], Grid[Ints], Floats
]  # places, lists and ends, all of both classes; `absent` of each class
SinglyVariant = tuple[Ints, Grid[Ints], Ints, Floats, Floats]  # places, a list and its ends; what `share` writes

COUNT, MEMBERS, SMALLER, LARGER = range(4)  # rows of a list
LEAST, MOST, LEFT, UNUSED = range(4)  # its ends
NONE = -1
# counts; RULING is the caller's prediction of the next row or -1; SEEN_0 and SEEN_1 the examples of each class counted
UPDATES, PROMOTIONS, DEMOTIONS, ALWAYS, RULING, SEEN_0, SEEN_1 = range(7)
BAND, ROUNDING = 1e-12, 1e-15  # what is a near-tie, relatively to the terms: the band, and more for each rounding


@native
def _shift(a: int, way: int, counted: Ints, ends: Ints) -> int:
    """Move one attribute from the count at ``a`` to the next whole one, up (way 1) or down (-1); return its place."""
    count = counted[COUNT, a] + way
    there, back, end = (LARGER, SMALLER, MOST) if way > 0 else (SMALLER, LARGER, LEAST)
    b = counted[there, a]
    if b == NONE or counted[COUNT, b] != count:
        if counted[MEMBERS, a] == 1:  # it takes its place with it
            counted[COUNT, a] = count
            return a
        new = ends[LEFT]
        if new == NONE:
            new = ends[UNUSED]
            ends[UNUSED] += 1
        else:
            ends[LEFT] = counted[LARGER, new]
        counted[COUNT, new], counted[MEMBERS, new], counted[there, new], counted[back, new] = count, 0, b, a
        counted[there, a] = new
        if b == NONE:
            ends[end] = new
        else:
            counted[back, b] = new
        b = new
    counted[MEMBERS, b] += 1
    counted[MEMBERS, a] -= 1
    if counted[MEMBERS, a] == 0:
        behind = counted[back, a]
        counted[back, b] = behind
        if behind == NONE:
            ends[1 - end] = b
        else:
            counted[there, behind] = b
        counted[LARGER, a] = ends[LEFT]
        ends[LEFT] = a
    return int(b)


@native
def _wanted(row: int, predicted: bool, outcomes: Bytes, importance: Floats, counts: Ints) -> bool:
    """Tell whether the row is learned, and count it."""
    counts[RULING] = -1
    positive = outcomes[row] == 1
    if (predicted == positive and counts[ALWAYS] == 0) or (len(importance) > 0 and importance[row] == 0.0):
        return False
    counts[UPDATES] += 1
    counts[SEEN_1 if positive else SEEN_0] += 1
    if predicted != positive:
        counts[PROMOTIONS if positive else DEMOTIONS] += 1
    return True


@inlined
def _play(
    score: Any, update: Any, start: int, rows: Rows, outcomes: Bytes, importance: Floats, own: Any, counts: Ints,
    predictions: Bytes,
) -> int:  # fmt: skip
    """Play the rows from ``start`` on; return the row that needs the caller, or the number of rows."""
    rows, own = borrowed(rows), borrowed(own)
    for row in range(start, len(outcomes)):
        predicted = counts[RULING] == 1
        if counts[RULING] < 0 and counts[SEEN_0] + counts[SEEN_1] > 0:  # before the first example all is equal
            gap, near = score(rows, row, own, counts)
            if near:
                return row
            predicted = gap > 0.0
        predictions[row] = predicted
        if _wanted(row, predicted, outcomes, importance, counts):
            update(rows, row, np.int64(outcomes[row]), own, counts)
    return len(outcomes)


# Naive Bayes: for each class y a list of the o_i, the examples of class y with attribute i on


@native
def absent(counted: Grid[Ints], ends: Ints, seen: int) -> float:
    """Return the sum over all attributes of ln P(x_i = 0 | y), for a class of ``seen`` examples."""
    of, total, lost = seen + 2.0, 0.0, 0.0
    at = ends[LEAST]
    while at != NONE:  # no list is longer than there are attributes: each has one count
        o = counted[COUNT, at]
        # ln(1 - p), precise near both ends
        each = math.log1p(-(o + 1) / of) if 2 * o < seen else math.log((seen + 1 - o) / of)
        term = counted[MEMBERS, at] * each - lost
        sooner = total
        total += term
        lost = (total - sooner) - term  # compensated: the list may be long
        at = counted[LARGER, at]
    return total


@inlined
def _odds(zero: int, one: int, counts: Ints) -> float:
    """Return the weight of an attribute: ln [p(1|1) p(0|0) / (p(0|1) p(1|0))]."""
    return math.log((one + 1.0) * (counts[SEEN_0] - zero + 1.0) / ((counts[SEEN_1] - one + 1.0) * (zero + 1.0)))


@native
def _naive_bayes(rows: Rows, row: int, own: NaiveBayes, counts: Ints) -> tuple[float, bool]:
    """Return the difference of the log-scores of a row, and whether it is a near-tie."""
    (indptr, indices), (places, counted, _, sums) = rows, own
    prior = math.log((counts[SEEN_1] + 1.0) / (counts[SEEN_0] + 1.0))
    gap, size = 0.0, abs(prior) - sums[0] - sums[1]
    for j in range(indptr[row], indptr[row + 1]):
        i = np.int64(indices[j])
        w = _odds(counted[0, COUNT, places[i, 0]], counted[1, COUNT, places[i, 1]], counts)
        gap += w
        size += abs(w)
    gap += prior + (sums[1] - sums[0])
    terms = indptr[row + 1] - indptr[row] + 4
    return gap, abs(gap) <= BAND * size + ROUNDING * terms * (1.0 + size)


@native
def _count(rows: Rows, row: int, y: int, own: NaiveBayes, counts: Ints) -> None:
    """Count the attributes of a row of class y."""
    (indptr, indices), (places, counted, ends, sums) = rows, own
    for j in range(indptr[row], indptr[row + 1]):
        i = np.int64(indices[j])
        places[i, y] = _shift(places[i, y], 1, counted[y], ends[y])
    sums[y] = absent(counted[y], ends[y], counts[SEEN_0 + y])


@native
def learn_naive_bayes(
    start: int, rows: Rows, outcomes: Bytes, importance: Floats, own: NaiveBayes, counts: Ints, predictions: Bytes
) -> int:
    """Play the rows from ``start`` on; return the row that needs the caller, or the number of rows."""
    return _play(_naive_bayes, _count, start, rows, outcomes, importance, own, counts, predictions)


@native
def score_naive_bayes(rows: Rows, own: NaiveBayes, counts: Ints, gaps: Floats, near: Bytes) -> None:
    """Write the difference of the log-scores of each row, and whether it is a near-tie."""
    for row in range(len(gaps)):
        gaps[row], near[row] = _naive_bayes(rows, row, own, counts)


# Singly variant Bayes: a list of u_i, the positive examples less the negative ones with attribute i on, so that
# s_i = u_i + (the number of negative examples)


@native
def share(counted: Grid[Ints], ends: Ints, counts: Ints, shares: Floats, sums: Floats) -> None:
    """Write the posterior probability of an attribute by the place of its count; theta, its size and its rounding."""
    t = counts[SEEN_0] + counts[SEEN_1]
    low, high = counted[COUNT, ends[LEAST]] + counts[SEEN_0], counted[COUNT, ends[MOST]] + counts[SEEN_0]
    # 1/C(t, s) is largest at one of the ends: nothing overflows.
    largest = max(
        math.lgamma(low + 1.0) + math.lgamma(t - low + 1.0), math.lgamma(high + 1.0) + math.lgamma(t - high + 1.0)
    )
    total = theta = size = 0.0
    at = ends[LEAST]
    while at != NONE:
        s = counted[COUNT, at] + counts[SEEN_0]
        shares[at] = math.exp(math.lgamma(s + 1.0) + math.lgamma(t - s + 1.0) - largest)
        of_all = counted[MEMBERS, at] * shares[at]
        total += of_all
        theta += of_all * (s - counts[SEEN_1])
        size += of_all * abs(s - counts[SEEN_1])
        at = counted[LARGER, at]
    at = ends[LEAST]
    while at != NONE:
        shares[at] /= total
        at = counted[LARGER, at]
    sums[0], sums[1], sums[2] = theta / total, size / total, ROUNDING * (10.0 + math.lgamma(t + 1.0))


@native
def _singly_variant(rows: Rows, row: int, own: SinglyVariant, counts: Ints) -> tuple[float, bool]:
    """Return w.x - theta of a row, and whether it is a near-tie."""
    (indptr, indices), (places, counted, _, shares, sums) = rows, own
    lead = counts[SEEN_0] - counts[SEEN_1]
    gap, size = 0.0, sums[1]
    for j in range(indptr[row], indptr[row + 1]):
        at = places[np.int64(indices[j])]
        w = shares[at] * (2 * counted[COUNT, at] + lead)  # 2 s_i - t
        gap += w
        size += abs(w)
    gap -= sums[0]
    terms = indptr[row + 1] - indptr[row] + 4
    return gap, abs(gap) <= (BAND + sums[2] + ROUNDING * terms) * size


@native
def _count_net(rows: Rows, row: int, y: int, own: SinglyVariant, counts: Ints) -> None:
    """Count the attributes of a row of class y."""
    (indptr, indices), (places, counted, ends, shares, sums) = rows, own
    for j in range(indptr[row], indptr[row + 1]):
        i = np.int64(indices[j])
        places[i] = _shift(places[i], 1 if y == 1 else -1, counted, ends)
    share(counted, ends, counts, shares, sums)


@native
def learn_singly_variant(
    start: int, rows: Rows, outcomes: Bytes, importance: Floats, own: SinglyVariant, counts: Ints, predictions: Bytes
) -> int:
    """Play the rows from ``start`` on; return the row that needs the caller, or the number of rows."""
    return _play(_singly_variant, _count_net, start, rows, outcomes, importance, own, counts, predictions)


@native
def score_singly_variant(rows: Rows, own: SinglyVariant, counts: Ints, gaps: Floats, near: Bytes) -> None:
    """Write w.x - theta of each row, and whether it is a near-tie."""
    for row in range(len(gaps)):
        gaps[row], near[row] = _singly_variant(rows, row, own, counts)
