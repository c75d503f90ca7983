"""The engine of many classes: one target a class, all of them played in one pass over CSR rows.

A *link* is a weight of one attribute in one class. The links of an attribute lie side by side in a pool, so that a row
adds to the scores of all classes attribute by attribute; what is not linked adds nothing. Memory grows with the links,
not with classes times attributes.

Shapes. ``places`` is (attributes + 1, 3): where the links of an attribute begin in the pool, how many there are, and
how many fit before they have to move; the last row is that of an attribute nobody has seen, which has none. ``owners``
has the class of each link; ``weights`` is (layers, pool): the weights ``v``, then the duals ``z`` (absent for the
identity link), then, if averaged, the correction ``u`` of the lazy mean (see `duals.py`; the clock is the number of
trials). ``constant`` is (classes, 3): v, z and u of each class's constant coordinate.
"""

import math

import numpy as np

from littlestone.engine.arrays import ONE, Codes, Columns, Floats, Grid, Ints, Words
from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning.duals import FARTHEST as FARTHEST_DUAL
from littlestone.engine.learning.duals import IDENTITY, POWER, SINH, held, sigmoid

Line = tuple[Columns, Floats, int, int]  # indices, values, and where a row begins and ends in them
Links = tuple[Grid[Words], Columns, Grid[Floats]]  # places, owners and weights

# rule: what never changes during a game; A, C, MOST are the link's, START and V1 the dual and weight of a new link
UP, DOWN, THETA, MARGIN, TIE, A, C, MOST, START, V1 = range(10)
# kind: the same, in integers
LINK, DUAL, AVERAGED, BIAS, POLICY, LINKED, BALANCED, CALIBRATED = range(8)
EACH, TOP, UNIFORM = range(3)  # policies; any other demotes classes in proportion to their scores
# state: what is behind probabilities. Activations are divided by their mean spread so far, SPREADS / MOVED, and
# multiplied by e^LOG_SCALE, which moves by gradients over the root of the sum of their SQUARES
LOG_SCALE, MOVED, SPREADS, SQUARES = range(4)
# counts of the game; CLASSES: how many targets there are, USED: how much of the pool
TRIALS, UPDATES, CLASSES, USED = range(4)
# tally: counts of each class
EXAMPLES, MISTAKES, PROMOTIONS, DEMOTIONS, LINKS = range(5)
BEGIN, COUNT, ROOM = range(3)

# Clamps: whatever the activations are, the scale is a positive number and no probability is NaN
LARGEST_LOG, STEEPEST, GENTLEST = 100.0, 1e100, 1e-150
LARGEST_SCALE, WIDEST, FARTHEST = 1e200, 1e200, 1e300
LARGEST_WEIGHT = 1e100  # of an example, with that of its class: beyond it sums of products would leave the floats


@native
def _weight(kind: Ints, rule: Floats, z: float) -> float:
    """Return the weight of the dual ``z``."""
    link = kind[LINK]
    if link == IDENTITY:
        return z
    if link == POWER:
        return float(min(rule[C] * rule[A] ** z, rule[MOST]))
    if link == SINH:
        e = rule[A] ** z
        return float(min(max(rule[C] * (e - 1.0 / e), -rule[MOST]), rule[MOST]))
    return sigmoid(z)


@native
def _scores(
    indices: Columns, values: Floats, first: int, last: int, kind: Ints, places: Words, owners: Columns,
    weights: Floats, constant: Floats, classes: int, s: Floats, past: Floats,
) -> None:  # fmt: skip
    """Put w.x of every class into ``s`` and, if averaged, the correction's into ``past``.

    Every row passes here, so that arrays come one by one: unpacking tuples of them costs a tenth of a short row.
    """
    v, u, averaged = weights[0], weights[-1], kind[AVERAGED] != 0
    boolean = len(values) == 0
    s[:classes] = 0.0
    past[:classes] = 0.0
    for j in range(first, last):
        i = indices[np.uint64(j)]
        x = 1.0 if boolean else values[np.uint64(j)]
        link = places[i, BEGIN]
        end = link + places[i, COUNT]
        if averaged:
            while link < end:
                c = owners[link]
                s[c] += v[link] * x
                past[c] += u[link] * x
                link += ONE
        else:
            while link < end:
                s[owners[link]] += v[link] * x
                link += ONE
    if kind[BIAS]:
        for c in range(classes):
            s[c] += constant[c, 0]
            past[c] += constant[c, 2]


@native
def _winner(s: Floats, past: Floats, clock: float, averaged: bool, classes: int) -> int:
    """Return the class with the largest activation, of equal ones the first; -1 where there is none."""
    best, most = -1, -np.inf
    for c in range(classes):
        score = clock * s[c] - past[c] if averaged else s[c]
        if best < 0 or score > most:
            best, most = c, score
    return best


@native
def scale_of(state: Floats) -> float:
    """Return the number by which activations are multiplied to give probabilities."""
    if state[SPREADS] <= 0.0:
        return 1.0
    return float(min(math.exp(state[LOG_SCALE]) * state[MOVED] / state[SPREADS], LARGEST_SCALE))


@native
def _calibrate(s: Floats, past: Floats, clock: float, averaged: bool, classes: int, y: int, state: Floats) -> None:
    """Move the scale of probabilities down the gradient of ln(1/p) of the true class, before the update."""
    most, least = -np.inf, np.inf
    for c in range(classes):
        activation = (clock * s[c] - past[c]) / clock if averaged else s[c]
        most, least = max(most, activation), min(least, activation)
    if state[SPREADS] > 0.0:
        scale, total, mean = scale_of(state), 0.0, 0.0
        for c in range(classes):
            below = max(((clock * s[c] - past[c]) / clock if averaged else s[c]) - most, -FARTHEST)
            p = math.exp(scale * below)
            total += p
            mean += p * below
        own = max(((clock * s[y] - past[y]) / clock if averaged else s[y]) - most, -FARTHEST)
        slope = min(max(scale * (mean / total - own), -STEEPEST), STEEPEST)
        if abs(slope) > GENTLEST:
            state[SQUARES] += slope * slope
            moved = state[LOG_SCALE] - slope / math.sqrt(state[SQUARES])
            state[LOG_SCALE] = min(max(moved, -LARGEST_LOG), LARGEST_LOG)
    state[MOVED] += 1.0
    if most > least:
        state[SPREADS] += min(most - least, WIDEST)


@native
def _decide(rule: Floats, kind: Ints, s: Floats, classes: int, y: int, steps: Floats) -> int:
    """Put the step of every class into ``steps`` (0: none); return how many classes move."""
    number, policy, margin = 0, kind[POLICY], rule[MARGIN]
    steps[:classes] = 0.0
    if policy == EACH:
        tie, thick = rule[TIE] != 0.0, margin > -np.inf
        for c in range(classes):
            gap = s[c] - rule[THETA]
            positive = c == y
            predicted = gap >= 0.0 if tie else gap > 0.0
            if predicted != positive or (thick and (gap if positive else -gap) <= margin):
                steps[c] = rule[UP] if positive else rule[DOWN]
                number += 1
        return number
    # Constraints: every class that does not lie below the true one by more than the margin breaks one.
    level = s[y] - max(margin, 0.0)
    top, total = -1, 0.0
    for c in range(classes):
        if c != y and s[c] >= level:
            number += 1
            total += s[c] - level
            if top < 0 or s[c] > s[top]:
                top = c
    if number == 0:
        return 0
    steps[y] = rule[UP]
    if policy == TOP:
        steps[top] = rule[DOWN]
        return 2
    moving = 1
    for c in range(classes):
        if c != y and s[c] >= level:
            if policy == UNIFORM or total <= 0.0:
                steps[c] = rule[DOWN] / number
            elif s[c] > level:
                steps[c] = rule[DOWN] * ((s[c] - level) / total)
            moving += steps[c] != 0.0
    return moving


@native
def _reserve(line: Line, steps: Floats, moving: int, links: Links, counts: Ints) -> bool:
    """Make room at each attribute of a row for links to the classes that move; False: the pool is full."""
    (indices, _, first, last), (places, owners, weights) = line, links
    for j in range(first, last):
        i = indices[np.uint64(j)]
        number, here = places[i, COUNT], places[i, BEGIN]
        if number + np.uint64(moving) <= places[i, ROOM]:
            continue
        missing = moving
        for k in range(number):
            missing -= steps[owners[here + k]] != 0.0
        if number + np.uint64(missing) <= places[i, ROOM]:
            continue
        room = max(number + np.uint64(missing), number + number)
        begin = np.uint64(counts[USED])
        if begin + room > np.uint64(len(owners)):
            return False
        for k in range(number):
            owners[begin + k] = owners[here + k]
            for layer in range(len(weights)):
                weights[layer, begin + k] = weights[layer, here + k]
        places[i, BEGIN], places[i, ROOM] = begin, room
        counts[USED] += np.int64(room)
    return True


@native
def _append(i: int, c: int, z: float, clock: float, kind: Ints, rule: Floats, links: Links, tally: Ints) -> float:
    """Link an attribute to a class, with the dual ``z``; return its weight. There is room."""
    places, owners, weights = links
    link = places[i, BEGIN] + places[i, COUNT]
    places[i, COUNT] += ONE
    v = _weight(kind, rule, z)
    owners[link] = c
    weights[0, link] = v
    if kind[DUAL]:
        weights[1, link] = z
    if kind[AVERAGED]:
        weights[-1, link] = clock * v  # before, it was 0
    tally[c, LINKS] += 1
    return v


@native
def _connect(line: Line, y: int, clock: float, kind: Ints, rule: Floats, links: Links, tally: Ints, s: Floats) -> None:
    """Link the attributes of a row to its class, where they are not yet."""
    (indices, values, first, last), (places, owners, _) = line, links
    for j in range(first, last):
        i = indices[np.uint64(j)]
        link = places[i, BEGIN]
        end = link + places[i, COUNT]
        while link < end and owners[link] != y:
            link += ONE
        if link == end:
            v = _append(i, y, rule[START], clock, kind, rule, links, tally)
            s[y] += v * (1.0 if len(values) == 0 else values[np.uint64(j)])


@native
def _move(
    line: Line, steps: Floats, moving: int, classes: int, clock: float, kind: Ints, rule: Floats, links: Links,
    constant: Floats, tally: Ints,
) -> None:  # fmt: skip
    """Make one update: ``z += step x`` on the links of classes that move; unless ``LINKED``, link what is not yet."""
    (indices, values, first, last), (places, owners, weights) = line, links
    v, z, u = weights[0], weights[kind[DUAL]], weights[-1]
    for j in range(first, last):
        i = indices[np.uint64(j)]
        x = 1.0 if len(values) == 0 else values[np.uint64(j)]
        left = moving
        link = places[i, BEGIN]
        end = link + places[i, COUNT]
        while link < end:
            step = steps[owners[link]]
            if step != 0.0:
                before = v[link]
                z[link] = held(z[link] + step * x, FARTHEST_DUAL)
                v[link] = _weight(kind, rule, z[link])
                if kind[AVERAGED]:
                    u[link] += clock * (v[link] - before)
                left -= 1
            link += ONE
        if left > 0 and not kind[LINKED]:
            for c in range(classes):
                if steps[c] != 0.0:
                    link = places[i, BEGIN]
                    while link < end and owners[link] != c:
                        link += ONE
                    if link == end:
                        dual = held(rule[START] + steps[c] * x, FARTHEST_DUAL)
                        _append(i, c, dual, clock, kind, rule, links, tally)
    if kind[BIAS]:
        for c in range(classes):
            if steps[c] != 0.0:
                before = constant[c, 0]
                constant[c, 1] = held(constant[c, 1] + steps[c], FARTHEST_DUAL)
                constant[c, 0] = _weight(kind, rule, constant[c, 1])
                constant[c, 2] += clock * (constant[c, 0] - before)


@native
def know(classes: int, clock: float, kind: Ints, rule: Floats, constant: Grid[Floats], counts: Ints) -> None:
    """Make the targets of all classes below ``classes`` that have none; ``clock`` trials have gone by."""
    while counts[CLASSES] < classes:
        c = counts[CLASSES]
        if kind[BIAS]:
            constant[c, 0], constant[c, 1], constant[c, 2] = rule[V1], rule[START], clock * rule[V1]
        counts[CLASSES] += 1


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats, factors: Floats,
    rule: Floats, kind: Ints, links: Links, constant: Grid[Floats], books: tuple[Grid[Ints], Floats, Ints],
    predictions: Codes,
) -> int:  # fmt: skip
    """Play a block: predict, then update, row by row. Return how many rows were played before the pool was full."""
    indices, values, links, books = borrowed(indices), borrowed(values), borrowed(links), borrowed(books)
    (places, owners, weights), (tally, state, counts) = links, books
    room = len(tally)
    s, past, steps = np.zeros(room), np.zeros(room), np.zeros(room)
    averaged, linked = kind[AVERAGED] != 0, kind[LINKED] != 0
    for row in range(len(outcomes)):
        first, last, y = indptr[row], indptr[row + 1], outcomes[row]
        classes, clock = counts[CLASSES], float(counts[TRIALS] + 1)
        line = (indices, values, first, last)
        _scores(indices, values, first, last, kind, places, owners, weights, constant, classes, s, past)
        predicted = _winner(s, past, clock, averaged, classes)
        weight = importance[row] if len(importance) > 0 else 1.0
        known, moving = max(classes, y + 1), 0
        if kind[BALANCED]:
            present = int(tally[y, EXAMPLES] == 0)
            for c in range(known):
                present += tally[c, EXAMPLES] > 0
            weight *= clock / (present * (tally[y, EXAMPLES] + 1))
        elif len(factors) > 0:
            weight *= factors[y]
        weight = min(weight, LARGEST_WEIGHT)
        for c in range(classes, known):
            s[c] = past[c] = 0.0
        if weight != 0.0:
            # Up to here nothing has changed; where there is no room, the row is played again.
            if linked:
                steps[:known] = 0.0
                steps[y], moving = 1.0, 1
            else:
                moving = _decide(rule, kind, s, known, y, steps)
            if moving > 0 and not _reserve(line, steps, moving, links, counts):
                return row
        if kind[CALIBRATED] and classes > 1 and y < classes:
            _calibrate(s, past, clock, averaged, classes, y, state)
        if known > classes:
            know(known, clock, kind, rule, constant, counts)
            if kind[BIAS]:
                s[y] += constant[y, 0]
        predictions[row] = predicted
        counts[TRIALS] += 1
        tally[y, EXAMPLES] += 1
        tally[y, MISTAKES] += predicted != y
        if weight == 0.0:
            continue
        if linked:
            _connect(line, y, clock, kind, rule, links, tally, s)
            moving = _decide(rule, kind, s, known, y, steps)
        if moving == 0:
            continue
        counts[UPDATES] += 1
        for c in range(known):
            if steps[c] != 0.0:
                tally[c, PROMOTIONS if c == y else DEMOTIONS] += 1
                steps[c] *= weight
        _move(line, steps, moving, known, clock, kind, rule, links, constant, tally)
    return len(outcomes)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, rule: Floats, kind: Ints, links: Links, constant: Grid[Floats],
    counts: Ints, predictions: Codes, activations: Grid[Floats],
) -> None:  # fmt: skip
    """Predict a block without learning: the very predictions that `learn` would make first, and each w.x - theta."""
    classes, clock, averaged = counts[CLASSES], float(counts[TRIALS] + 1), kind[AVERAGED] != 0
    places, owners, weights = borrowed(links)
    s, past = np.zeros(classes), np.zeros(classes)
    for row in range(len(predictions)):
        _scores(
            indices, values, indptr[row], indptr[row + 1], kind, places, owners, weights, constant, classes, s, past
        )
        predictions[row] = _winner(s, past, clock, averaged, classes)
        for c in range(classes):
            mean = (clock * s[c] - past[c]) / clock if averaged else s[c]
            activations[row, c] = mean - rule[THETA]


@native
def repack(
    places: Grid[Words], owners: Columns, weights: Grid[Floats], into_owners: Columns, into: Grid[Floats]
) -> int:
    """Copy all links, attribute by attribute, each with the room it had; return how much of the pool they take."""
    used = np.uint64(0)
    for i in range(len(places)):
        here = places[i, BEGIN]
        for k in range(places[i, COUNT]):
            into_owners[used + k] = owners[here + k]
            for layer in range(len(weights)):
                into[layer, used + k] = weights[layer, here + k]
        places[i, BEGIN] = used
        used += places[i, ROOM]
    return int(used)
