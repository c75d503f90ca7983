"""The engine of a pool of experts: linear learners of several kinds that all learn every row, in one pass.

A *target* tells one class from the rest. Of two classes one target is enough, that of the second; of more, each class
has one, and after the last comes the *spare*: what the target of a class looks like that nobody has seen, which learns
that no row is of that class.

Shapes. ``numbers`` has a row an attribute, and the spare one after the last. In it, side by side, target by target: the
first number of each expert, then the second (mean and variance; weight and sum of squares; u and v), so that a row of
data costs one visit an attribute, whatever the number of experts. ``constants`` has the same of the constant
coordinate, a target a row. The experts come in three groups: of the second order, each with its learner's own rule,
called by its address; with Adagrad's rates, as in `rates`; Winnows, as in `factors`. ``scores`` is (rows, classes,
experts): what each expert has to say of each row before it learns it; of two classes, under 0, the score for the
second.
"""

import math

import numpy as np

from littlestone.engine.arrays import ONE, TWO, Codes, Columns, Cube, Floats, Grid, Ints, Row
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, prefetch
from littlestone.engine.learning.rules import is_asked, step

HINGE, LOGISTIC = range(2)  # losses
RULE, WHEN = range(2)  # kind: the address of a rule of the second order, or the loss; when that rule is asked
SECOND, RATES, WINNOWS = 6, 4, 2  # how many there are of each kind: constants, so that loops over them are unrolled
SLOWER, EXPERTS, WIDTH = SECOND + RATES, SECOND + RATES + WINNOWS, 2 * (SECOND + RATES + WINNOWS)  # where they end
FIRST, BETA, THETA, MARGIN = range(4)  # rule: r, C, phi, eta or alpha; the others are a Winnow's
SIZE, CLASSES = range(2)  # counts: attributes, classes

AHEAD = np.uint64(14)  # how many non-zeros ahead numbers are asked for
LINE = np.uint64(8)  # numbers in a line of the cache
CACHED = 1 << 19  # below this many bytes asking ahead only costs
MOST, LARGEST, SAFE = 1e150, 1e200, 1e100  # as in `covariances`
SQUARES = 1e300  # as LARGEST in `rates`


@inlined
def _add(row: Floats, x: float, used: int, sums: Floats) -> None:
    """Add an attribute's numbers times its value: of variances its square."""
    for at in range(0, used, WIDTH):
        for k in range(at, at + EXPERTS):
            sums[k] += row[k] * x
        for k in range(at + EXPERTS, at + EXPERTS + SECOND):
            sums[k] += row[k] * x * x
        for k in range(at + EXPERTS + SLOWER, at + WIDTH):
            sums[k] += row[k] * x


@native
def _sums(line: Row, numbers: Floats, size: np.uint64, targets: int, sums: Floats, odd: Floats) -> None:
    """Put into ``sums`` the products of a row with all numbers: of variances with its squares."""
    (indices, values, first, last), used = line, targets * WIDTH
    for k in range(used):
        sums[k] = odd[k] = 0.0
    # Two interleaved sums, as every learner has them
    j, whole = first, first + ((last - first) & ~ONE)
    if len(values) > 0:
        while j < whole:
            _add(numbers[min(np.uint64(indices[j]), size)], values[j], used, sums)
            _add(numbers[min(np.uint64(indices[j + ONE]), size)], values[j + ONE], used, odd)
            j += TWO
        if j < last:
            _add(numbers[min(np.uint64(indices[j]), size)], values[j], used, sums)
        for k in range(used):
            sums[k] += odd[k]
        return
    ahead = numbers.nbytes > CACHED and last + AHEAD <= np.uint64(len(indices))
    stride = np.uint64(numbers.shape[1])
    while j < whole:
        if ahead:
            for k in range(2):
                at_line = stride * np.uint64(indices[j + AHEAD - ONE - np.uint64(k)])
                prefetch(numbers, at_line)
                prefetch(numbers, at_line + LINE)
                prefetch(numbers, at_line + LINE + LINE)
        row, other = numbers[min(np.uint64(indices[j]), size)], numbers[min(np.uint64(indices[j + ONE]), size)]
        for k in range(used):
            sums[k] += row[k]
            odd[k] += other[k]
        j += TWO
    if j < last:
        row = numbers[min(np.uint64(indices[j]), size)]
        for k in range(used):
            sums[k] += row[k]
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


@native
def _finish(constants: Floats, rule: Floats, targets: int, total: float, sums: Floats, scores: Floats) -> None:
    """Add the constant coordinate to sums; put what they say into ``scores``, target by target."""
    for t in range(targets):
        at = t * WIDTH
        for k in range(WIDTH):
            sums[at + k] += constants[t, k]
        for e in range(SLOWER):
            scores[t, e] = sums[at + e]
        for e in range(SLOWER, EXPERTS):
            scores[t, e] = (sums[at + e] - sums[at + EXPERTS + e]) / total - rule[e, THETA]


@inlined
def _move_ones(line: Row, numbers: Floats, at: int, rule: Floats, alphas: Floats, cs: Floats, moved: bool) -> None:
    """Make the steps of all but the Winnows for a row of ones, where nothing can leave the floats."""
    indices, _, first, last = line
    j = first
    while j < last:
        row = numbers[indices[j]][at : at + WIDTH]
        if moved:
            for e in range(SECOND):
                was = row[EXPERTS + e]
                row[e] += alphas[e] * was
                row[EXPERTS + e] = was / (1.0 + cs[e] * was)
        for e in range(SECOND, SLOWER):
            squares = row[EXPERTS + e] + cs[e]
            row[EXPERTS + e] = squares
            size = math.sqrt(squares)
            row[e] += rule[e, FIRST] * (alphas[e] / size) if size > 0.0 else 0.0
        j += ONE


@inlined
def _move(line: Row, numbers: Floats, at: int, rule: Floats, alphas: Floats, cs: Floats) -> None:
    """Make the steps of all but the Winnows."""
    indices, values, first, last = line
    j = first
    while j < last:
        row, x = numbers[indices[j]][at : at + WIDTH], 1.0 if len(values) == 0 else values[j]
        for e in range(SECOND):
            sx = row[EXPERTS + e] * x
            row[e] = min(max(row[e] + alphas[e] * sx, -MOST), MOST)
            row[EXPERTS + e] /= 1.0 + cs[e] * (sx * x)
        for e in range(SECOND, SLOWER):
            g = alphas[e] * x
            row[EXPERTS + e] = min(row[EXPERTS + e] + g * g, SQUARES)
            size = math.sqrt(row[EXPERTS + e])
            if size > 0.0:
                row[e] = min(max(row[e] + rule[e, FIRST] * (g / size), -MOST), MOST)
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
def _steps(
    kind: Ints, rule: Floats, positive: bool, weight: float, v: Floats, scores: Floats, alphas: Floats, cs: Floats
) -> tuple[bool, bool]:
    """Ask the rules of all but the Winnows.

    Return whether one of the second order moves, and whether all steps are far from where floats end.
    """
    sign, moved, safe = 1.0 if positive else -1.0, False, weight < SAFE
    for e in range(SECOND):
        learned, alpha, c, m = False, 0.0, 0.0, sign * scores[e]
        if is_asked(kind[e, WHEN], m, (scores[e] >= 0.0) == positive, 1.0):
            learned, alpha, c = step(kind[e, RULE], rule[e, FIRST], 0.0, m, v[e], weight)
        alphas[e], cs[e] = (sign * alpha, c) if learned else (0.0, 0.0)
        moved = moved or alphas[e] != 0.0 or cs[e] != 0.0
        safe = safe and abs(alphas[e]) < SAFE
    for e in range(SECOND, SLOWER):
        m = sign * scores[e]
        if kind[e, RULE] == HINGE:
            alphas[e] = 0.0 if m >= 1.0 else sign * weight
        else:
            alphas[e] = sign * (weight / (1.0 + math.exp(min(m, 700.0))))
        cs[e] = alphas[e] * alphas[e]
    return moved, safe


@native
def _learn_target(
    line: Row, numbers: Floats, constant: Floats, kind: Ints, rule: Floats, target: int, positive: bool, weight: float,
    total: float, work: tuple[Floats, Floats, Floats, Floats],
) -> None:  # fmt: skip
    """Let all experts learn a row for one target; ``work``: sums, scores, and room for the steps."""
    sums, scores, alphas, cs = work
    at, sign = WIDTH * target, 1.0 if positive else -1.0
    variances = sums[at + EXPERTS : at + EXPERTS + SECOND]
    moved, safe = _steps(kind, rule, positive, weight, variances, scores, alphas, cs)
    if safe and len(line[1]) == 0:
        _move_ones(line, numbers, at, rule, alphas, cs, moved)
    else:
        _move(line, numbers, at, rule, alphas, cs)
    for e in range(SECOND):
        variance = constant[EXPERTS + e]
        constant[e] = min(max(constant[e] + alphas[e] * variance, -MOST), MOST)
        constant[EXPERTS + e] /= 1.0 + cs[e] * variance
    for e in range(SECOND, SLOWER):
        constant[EXPERTS + e] = min(constant[EXPERTS + e] + cs[e], SQUARES)
        size = math.sqrt(constant[EXPERTS + e])
        if size > 0.0:
            constant[e] = min(max(constant[e] + rule[e, FIRST] * (alphas[e] / size), -MOST), MOST)
    for e in range(SLOWER, EXPERTS):
        if sign * scores[e] > rule[e, MARGIN]:
            continue
        _move_winnow(line, numbers, at + e, at + EXPERTS + e, rule[e], positive, weight, total)
        up, down = _factors(1.0 / total, weight, rule[e])
        constant[e] = min(constant[e] * (up if positive else down), MOST)
        constant[EXPERTS + e] = min(constant[EXPERTS + e] * (down if positive else up), MOST)


@native
def welcome(y: int, numbers: Grid[Floats], constants: Grid[Floats], counts: Ints) -> None:
    """Make targets for all classes up to ``y``; there is room for them.

    The target of the second class against the first, with all signs changed, becomes that of the first.
    """
    size = counts[SIZE]
    while counts[CLASSES] <= y:
        classes = counts[CLASSES]
        counts[CLASSES] += 1
        if classes < 2:
            continue
        start = numbers[size, :WIDTH].copy()
        for i in range(size + 2):
            row = numbers[i] if i <= size else constants.reshape(-1)
            if classes > 2:
                row[(classes + 1) * WIDTH : (classes + 2) * WIDTH] = row[classes * WIDTH : (classes + 1) * WIDTH]
                continue
            row[WIDTH : 2 * WIDTH] = row[:WIDTH]
            for e in range(SLOWER):
                row[e] = -row[e]
            for e in range(SLOWER, EXPERTS):
                row[e], row[EXPERTS + e] = 2.0 * row[EXPERTS + e], 0.5 * row[e]  # from u = 2, v = 1
            for target in range(2, 4):
                row[target * WIDTH : (target + 1) * WIDTH] = start


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, numbers: Grid[Floats], constants: Grid[Floats], rule: Grid[Floats],
    counts: Ints, scores: Cube[Floats],
) -> None:  # fmt: skip
    """Put down what each expert has to say of each row; nobody learns."""
    indices, values = borrowed(indices), borrowed(values)
    size, targets = np.uint64(counts[SIZE]), 1 if counts[CLASSES] <= 2 else counts[CLASSES] + 1
    sums, odd, after = np.zeros(constants.size), np.zeros(constants.size), np.zeros((len(constants), EXPERTS))
    for row in range(len(scores)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        _sums((indices, values, first, last), numbers, size, targets, sums, odd)
        _finish(constants, rule, targets, _total(values, first, last), sums, after)
        for t in range(min(targets, scores.shape[1])):
            scores[row, t] = after[t]


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats, numbers: Grid[Floats],
    constants: Grid[Floats], kind: Grid[Ints], rule: Grid[Floats], counts: Ints, scores: Cube[Floats],
) -> None:  # fmt: skip
    """Put down what each expert has to say of each row, and let it learn the row."""
    indices, values = borrowed(indices), borrowed(values)
    size, alphas, cs = np.uint64(counts[SIZE]), np.zeros(EXPERTS), np.zeros(EXPERTS)
    sums, odd, after = np.zeros(constants.size), np.zeros(constants.size), np.zeros((len(constants), EXPERTS))
    for row in range(len(scores)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        targets = 1 if counts[CLASSES] <= 2 else counts[CLASSES] + 1
        line, total = (indices, values, first, last), _total(values, first, last)
        _sums(line, numbers, size, targets, sums, odd)
        _finish(constants, rule, targets, total, sums, after)
        for t in range(min(targets, scores.shape[1])):
            scores[row, t] = after[t]
        y = outcomes[row]
        weight = importance[row] if len(importance) > 0 else 1.0
        if y >= counts[CLASSES]:
            welcome(y, numbers, constants, counts)
            if counts[CLASSES] > 2:
                targets = counts[CLASSES] + 1
                _sums(line, numbers, size, targets, sums, odd)
                _finish(constants, rule, targets, total, sums, after)
        for t in range(targets):
            if weight != 0.0:
                positive = y == 1 if targets == 1 else y == t
                work = (sums, after[t], alphas, cs)
                _learn_target(line, numbers, constants[t], kind, rule, t, positive, weight, total, work)
