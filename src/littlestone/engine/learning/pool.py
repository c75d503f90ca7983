"""The engine of a pool of experts: linear learners of several kinds that all learn every row, in one pass.

A *target* tells one class from the rest. Of two classes one target is enough, that of the second; of more, each class
has one, and after the last comes the *spare*: what the target of a class looks like that nobody has seen, which learns
that no row is of that class.

Experts stand in groups of `GROUP`, each with two numbers an attribute: mean and variance; weight and sum of squares; u
and v. ``numbers`` has a row an attribute, and the spare one after the last; in it, target by target and group by group,
the first numbers of the group, then the second ones: a line of the cache. So a row of data costs one visit an attribute
and group, and a group is moved in a few instructions. ``constants`` has the same of the constant coordinate, a target a
row. ``scores`` is (rows, classes, experts): what each expert has to say of each row before it learns it; of two
classes, under 0, the score for the second.

There are three kinds of experts: of the second order, each with its learner's own rule, called by its address; with
Adagrad's rates, as in `rates`; Winnows, as in `factors`. A group may be mixed: a step of 0 changes no number.
"""

import math

import numpy as np

from littlestone.engine.arrays import FOUR, ONE, TWO, ZERO, Codes, Columns, Cube, Floats, Grid, Ints, Read, Row
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, each, four, if_positive, over, plus, prefetch, put_four, root, times
from littlestone.engine.learning.rules import is_asked, step

SECOND, RATES, WINNOW = range(3)  # what an expert is
HINGE, LOGISTIC = range(2)  # losses
RULE, WHEN, KIND = range(3)  # kind: the address of a rule, or the loss; when that rule is asked; what the expert is
FIRST, BETA, THETA, MARGIN = range(4)  # rule: r, C, phi, eta or alpha; the others are a Winnow's
SIZE, CLASSES = range(2)  # counts: attributes, classes
GROUP = 4  # experts that move together
LINE = 2 * GROUP  # their numbers

AHEAD = np.uint64(14)  # how many non-zeros ahead numbers are asked for
CACHED = 1 << 19  # below this many bytes asking ahead only costs
MOST, LARGEST, SAFE = 1e150, 1e200, 1e100  # as in `covariances`
SQUARES = 1e300  # as LARGEST in `rates`

Work = tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats]  # see `_room`
Steps = tuple[Floats, Floats, Floats, Floats]  # alphas and cs of the second order; pulls of rates, and their squares


@inlined
def _add(into: Floats, at: np.uint64, numbers: Floats, place: np.uint64) -> None:
    """Add a group's numbers of an attribute that is 1."""
    put_four(into, at, plus(four(into, at), four(numbers, place)))
    put_four(into, at + FOUR, plus(four(into, at + FOUR), four(numbers, place + FOUR)))


@inlined
def _add_times(
    into: Floats,
    at: np.uint64,
    numbers: Floats,
    place: np.uint64,
    x: float,
    squared: tuple[Floats, Floats],
    e: np.uint64,
) -> None:
    """Add a group's first numbers times x, and its second ones times x, or its square where ``squared`` says so."""
    xs = each(x)
    again = plus(if_positive(four(squared[0], e), xs), four(squared[1], e))
    put_four(into, at, plus(four(into, at), times(four(numbers, place), xs)))
    put_four(into, at + FOUR, plus(four(into, at + FOUR), times(times(four(numbers, place + FOUR), xs), again)))


@inlined
def _sum_ones(
    line: Row, numbers: Floats, size: np.uint64, at: np.uint64, ahead: bool, sums: Floats, odd: Floats
) -> None:
    """Sum the numbers of a group over a row of ones: two interleaved sums, as every learner has them."""
    indices, _, first, last = line
    j, whole, stride = first, first + ((last - first) & ~ONE), np.uint64(numbers.shape[1])
    while j < whole:
        if ahead:
            prefetch(numbers, stride * np.uint64(indices[j + AHEAD - ONE]) + at)
            prefetch(numbers, stride * np.uint64(indices[j + AHEAD - TWO]) + at)
        _add(sums, at, numbers, stride * min(np.uint64(indices[j]), size) + at)
        _add(odd, at, numbers, stride * min(np.uint64(indices[j + ONE]), size) + at)
        j += TWO
    if j < last:
        _add(sums, at, numbers, stride * min(np.uint64(indices[j]), size) + at)


@inlined
def _sum_values(
    line: Row,
    numbers: Floats,
    size: np.uint64,
    at: np.uint64,
    squared: tuple[Floats, Floats],
    sums: Floats,
    odd: Floats,
) -> None:
    """Sum the numbers of a group times the values of a row: variances times the squares."""
    indices, values, first, last = line
    j, stride, e = first, np.uint64(numbers.shape[1]), at // TWO % np.uint64(len(squared[0]))
    while j < last:
        place, into = stride * min(np.uint64(indices[j]), size) + at, odd if (j - first) & ONE else sums
        _add_times(into, at, numbers, place, values[j], squared, e)
        j += ONE


@native
def _sums(
    line: Row, numbers: Floats, size: np.uint64, used: int, squared: tuple[Floats, Floats], sums: Floats, odd: Floats
) -> None:
    """Put into ``sums`` the products of a row with all numbers: of variances with its squares."""
    ahead = bool(numbers.nbytes > CACHED and line[3] + AHEAD <= np.uint64(len(line[0])))
    for k in range(used):
        sums[k] = odd[k] = 0.0
    for k in range(0, used, LINE):
        if len(line[1]) == 0:
            _sum_ones(line, numbers, size, np.uint64(k), ahead, sums, odd)
        else:
            _sum_values(line, numbers, size, np.uint64(k), squared, sums, odd)
    for k in range(used):
        sums[k] += odd[k]


@inlined
def _total(values: Floats, first: np.uint64, last: np.uint64) -> float:
    """Return the sum of a row's sizes, the constant coordinate counted."""
    if len(values) == 0:
        return float(last - first) + 1.0
    total, j = 0.0, first
    while j < last:
        total += abs(values[j])
        j += ONE
    return total + 1.0


@inlined
def _place(expert: int) -> int:
    """Return where the first number of an expert is; the second is `GROUP` behind it."""
    return expert // GROUP * LINE + expert % GROUP


@native
def _finish(
    constants: Floats, kind: Ints, rule: Floats, targets: int, total: float, sums: Floats, scores: Floats
) -> None:
    """Add the constant coordinate to sums; put what they say into ``scores``, target by target."""
    width = 2 * len(kind)
    for t in range(targets):
        for k in range(width):
            sums[t * width + k] += constants[t, k]
        for e in range(len(kind)):
            at = t * width + _place(e)
            score = sums[at]
            if kind[e, KIND] == WINNOW:
                score = (score - sums[at + GROUP]) / total - rule[e, THETA]
            scores[t, e] = score


@native
def _move_ones(line: Row, numbers: Floats, at: int, eta: Floats, steps: Steps, second: bool, rates: bool) -> None:
    """Move a group, all but its Winnows, for a row of ones, where nothing can leave the floats."""
    indices, _, first, last = line
    alphas, cs, pulls, squares = steps
    a, c, pull, square, own = (
        four(alphas, ZERO),
        four(cs, ZERO),
        four(pulls, ZERO),
        four(squares, ZERO),
        four(eta, ZERO),
    )
    one, stride = each(1.0), np.uint64(numbers.shape[1])
    j = first
    while j < last:
        w = stride * np.uint64(indices[j]) + np.uint64(at)
        v = w + FOUR
        if second:
            was = four(numbers, v)
            put_four(numbers, w, plus(four(numbers, w), times(a, was)))
            put_four(numbers, v, over(was, plus(one, times(c, was))))
        if rates:
            put_four(numbers, v, plus(four(numbers, v), square))
            size = root(four(numbers, v))
            put_four(numbers, w, plus(four(numbers, w), times(own, if_positive(size, over(pull, size)))))
        j += ONE


@native
def _move(line: Row, numbers: Floats, at: int, kind: Ints, eta: Floats, steps: Steps) -> None:
    """Move a group, all but its Winnows, number by number, each held where floats end."""
    indices, values, first, last = line
    alphas, cs, pulls, _ = steps
    j = first
    while j < last:
        row, x = numbers[indices[j]][at : at + LINE], 1.0 if len(values) == 0 else values[j]
        for e in range(GROUP):
            if kind[e, KIND] == SECOND:
                sx = row[GROUP + e] * x
                row[e] = min(max(row[e] + alphas[e] * sx, -MOST), MOST)
                row[GROUP + e] /= 1.0 + cs[e] * (sx * x)
            elif kind[e, KIND] == RATES:
                g = pulls[e] * x
                row[GROUP + e] = min(row[GROUP + e] + g * g, SQUARES)
                size = math.sqrt(row[GROUP + e])
                if size > 0.0:
                    row[e] = min(max(row[e] + eta[e] * (g / size), -MOST), MOST)
        j += ONE


@inlined
def _move_winnow(
    line: Row, numbers: Floats, u: int, v: int, rule: Floats, positive: bool, weight: float, total: float
) -> None:
    """Multiply u and v by the factors of one Winnow; a negative value speaks for the other side."""
    indices, values, first, last = line
    boolean = len(values) == 0
    up, down = _factors(1.0 / total, weight, rule)
    j = first
    while j < last:
        row, favours = numbers[indices[j]], positive
        if not boolean:
            up, down = _factors(abs(values[j]) / total, weight, rule)
            favours = positive == (values[j] >= 0.0)
        row[u] = min(row[u] * (up if favours else down), MOST)
        row[v] = min(row[v] * (down if favours else up), MOST)
        j += ONE


@native
def _factors(x: float, weight: float, rule: Floats) -> tuple[float, float]:
    up, down = rule[FIRST] * (1.0 + x), rule[BETA] * (1.0 - x)
    return (up, down) if weight == 1.0 else (min(up**weight, LARGEST), min(down**weight, LARGEST))


@native
def _ask(
    kind: Ints, rule: Floats, positive: bool, weight: float, v: Floats, scores: Floats, steps: Steps
) -> tuple[bool, bool, bool]:
    """Ask the rules of a group, all but its Winnows'.

    Return whether one of the second order moves, whether one with rates does, and whether all steps of the second order
    are far from where floats end.
    """
    alphas, cs, pulls, squares = steps
    sign, second, rates, safe = 1.0 if positive else -1.0, False, False, weight < SAFE
    for e in range(GROUP):
        m = sign * scores[e]
        if kind[e, KIND] == SECOND:
            learned, alpha, c = False, 0.0, 0.0
            if is_asked(kind[e, WHEN], m, (scores[e] >= 0.0) == positive, 1.0):
                learned, alpha, c = step(kind[e, RULE], rule[e, FIRST], 0.0, m, v[e], weight)
            alphas[e], cs[e] = (sign * alpha, c) if learned else (0.0, 0.0)
            second = second or alphas[e] != 0.0 or cs[e] != 0.0
            safe = safe and abs(alphas[e]) < SAFE
        elif kind[e, KIND] == RATES:
            if kind[e, RULE] == HINGE:
                pulls[e] = 0.0 if m >= 1.0 else sign * weight
            else:
                pulls[e] = sign * (weight / (1.0 + math.exp(min(m, 700.0))))
            squares[e] = pulls[e] * pulls[e]
            rates = rates or pulls[e] != 0.0
    return second, rates, safe


@native
def _learn_group(
    line: Row, numbers: Floats, constant: Floats, own: tuple[Ints, Floats, Floats], at: int, positive: bool,
    weight: float, total: float, heard: tuple[Floats, Floats], steps: Steps,
) -> None:  # fmt: skip
    """Let a group learn a row; ``own``: kinds, rules and rates; ``heard``: scores, and sums of second numbers."""
    (kind, rule, eta), (scores, sums) = own, heard
    sign = 1.0 if positive else -1.0
    alphas, cs, pulls, squares = steps
    second, rates, safe = _ask(kind, rule, positive, weight, sums, scores, steps)
    if safe and len(line[1]) == 0:
        _move_ones(line, numbers, at, eta, steps, second, rates)
    elif second or rates:
        _move(line, numbers, at, kind, eta, steps)
    for e in range(GROUP):
        k = GROUP + e
        if kind[e, KIND] == SECOND:
            variance = constant[k]
            constant[e] = min(max(constant[e] + alphas[e] * variance, -MOST), MOST)
            constant[k] /= 1.0 + cs[e] * variance
        elif kind[e, KIND] == RATES:
            constant[k] = min(constant[k] + squares[e], SQUARES)
            size = math.sqrt(constant[k])
            if size > 0.0:
                constant[e] = min(max(constant[e] + eta[e] * (pulls[e] / size), -MOST), MOST)
        elif sign * scores[e] <= rule[e, MARGIN]:
            _move_winnow(line, numbers, at + e, at + k, rule[e], positive, weight, total)
            up, down = _factors(1.0 / total, weight, rule[e])
            constant[e] = min(constant[e] * (up if positive else down), MOST)
            constant[k] = min(constant[k] * (down if positive else up), MOST)


@native
def welcome(y: int, numbers: Grid[Floats], constants: Grid[Floats], kind: Grid[Ints], counts: Ints) -> None:
    """Make targets for all classes up to ``y``; there is room for them.

    The target of the second class against the first, with all signs changed, becomes that of the first.
    """
    size, width = counts[SIZE], 2 * len(kind)
    while counts[CLASSES] <= y:
        classes = counts[CLASSES]
        counts[CLASSES] += 1
        if classes < 2:
            continue
        start = numbers[size, :width].copy()
        for i in range(size + 2):
            row = numbers[i] if i <= size else constants.reshape(-1)
            if classes > 2:
                row[(classes + 1) * width : (classes + 2) * width] = row[classes * width : (classes + 1) * width]
                continue
            row[width : 2 * width] = row[:width]
            for e in range(len(kind)):
                at = _place(e)
                if kind[e, KIND] == WINNOW:
                    row[at], row[at + GROUP] = 2.0 * row[at + GROUP], 0.5 * row[at]  # from u = 2, v = 1
                else:
                    row[at] = -row[at]
            for target in range(2, 4):
                row[target * width : (target + 1) * width] = start


@inlined
def _room(constants: Floats, kind: Ints, rule: Floats) -> Work:
    """Return room to work in."""
    sums, odd, scores = np.zeros(constants.size), np.zeros(constants.size), np.zeros((len(constants), len(kind)))
    variances, others = np.zeros(len(kind)), np.zeros(len(kind))
    for e in range(len(kind)):
        (variances if kind[e, KIND] == SECOND else others)[e] = 1.0
    return sums, odd, scores, np.zeros((4, len(kind))), rule[:, FIRST].copy(), variances, others


@native
def _play(
    rows: tuple[Ints, Columns, Floats], outcomes: Codes, importance: Floats,
    kept: tuple[Floats, Floats, Ints, Floats, Ints], work: Work, scores: Floats,
) -> None:  # fmt: skip
    """Put down what each expert has to say of each row, and let it learn the row."""
    indptr, indices, values = borrowed(rows)
    numbers, constants, kind, rule, counts = borrowed(kept)
    sums, odd, after, steps, eta, variances, others = borrowed(work)
    size, width, squared = np.uint64(counts[SIZE]), 2 * len(kind), (variances, others)
    for row in range(len(scores)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        targets = 1 if counts[CLASSES] <= 2 else counts[CLASSES] + 1
        line, total = (indices, values, first, last), _total(values, first, last)
        _sums(line, numbers, size, targets * width, squared, sums, odd)
        _finish(constants, kind, rule, targets, total, sums, after)
        for t in range(min(targets, scores.shape[1])):
            for e in range(len(kind)):
                scores[row, t, e] = after[t, e]
        y, weight = outcomes[row], importance[row] if len(importance) > 0 else 1.0
        if y >= counts[CLASSES]:
            welcome(y, numbers, constants, kind, counts)
            if counts[CLASSES] > 2:
                targets = counts[CLASSES] + 1
                _sums(line, numbers, size, targets * width, squared, sums, odd)
                _finish(constants, kind, rule, targets, total, sums, after)
        for t in range(targets if weight != 0.0 else 0):
            positive = y == 1 if targets == 1 else y == t
            for g in range(0, len(kind), GROUP):
                at, those = t * width + 2 * g, slice(g, g + GROUP)
                _learn_group(
                    line, numbers, constants[t, 2 * g : 2 * g + LINE], (kind[those], rule[those], eta[those]), at,
                    positive, weight, total, (after[t, those], sums[at + GROUP : at + LINE]),
                    (steps[0, those], steps[1, those], steps[2, those], steps[3, those]),
                )  # fmt: skip


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, numbers: Read[Grid[Floats]], constants: Read[Grid[Floats]],
    kind: Grid[Ints], rule: Grid[Floats], counts: Read[Ints], scores: Cube[Floats],
) -> None:  # fmt: skip
    """Put down what each expert has to say of each row; nobody learns."""
    indices, values, numbers = borrowed(indices), borrowed(values), borrowed(numbers)
    sums, odd, after, _, _, variances, others = _room(constants, kind, rule)
    size, targets = np.uint64(counts[SIZE]), 1 if counts[CLASSES] <= 2 else counts[CLASSES] + 1
    for row in range(len(scores)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        line = (indices, values, first, last)
        _sums(line, numbers, size, targets * 2 * len(kind), (variances, others), sums, odd)
        _finish(constants, kind, rule, targets, _total(values, first, last), sums, after)
        for t in range(min(targets, scores.shape[1])):
            scores[row, t] = after[t]


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats, numbers: Grid[Floats],
    constants: Grid[Floats], kind: Grid[Ints], rule: Grid[Floats], counts: Ints, scores: Cube[Floats],
) -> None:  # fmt: skip
    """Put down what each expert has to say of each row, and let it learn the row."""
    kept = numbers, constants, kind, rule, counts
    _play((indptr, indices, values), outcomes, importance, kept, _room(constants, kind, rule), scores)
