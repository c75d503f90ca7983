"""The engine of growing Winnow: attributes, conjunctions of them, and the mistakes that are remembered.

A conjunction hangs in the list of one of its attributes, that which was in the fewest remembered mistakes: a trial
looks at the attributes that are on and at the conjunctions in their lists, no others, and at each of these once. The
history has a bit for each remembered mistake and attribute; mistakes are forgotten 64 at a time, the oldest first.
After a mistake on a positive example one conjunction of attributes that are on may be added: see `_best`.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints, Places, Words
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import popcount

__all__ = ["Attributes", "Conjunctions", "Limits", "Memory", "Own", "learn", "move", "score"]

NONE = -1
UPDATES, PROMOTIONS, DEMOTIONS, USED, INTRODUCED = range(5)  # counts


class Limits(NamedTuple):
    """What does not change during a game."""

    alpha: float
    theta: float  # a sum from here on predicts 1
    lowest: int  # exponents stay between these
    highest: int
    newcomer: int  # a newcomer's exponent, without what the remembered mistakes add
    most: int  # a newcomer's largest exponent
    candidates: int  # how many attributes of a row a newcomer is made of


class Attributes(NamedTuple):
    """A weight alpha^exponent for each attribute, and the first conjunction in its list."""

    exponents: Places
    weights: Floats
    heads: Places


class Conjunctions(NamedTuple):
    """Their attributes and how many, weights, the attribute in whose list each hangs, and the next one there."""

    members: Grid[Places]
    sizes: Places
    exponents: Places
    weights: Floats
    listed: Places
    following: Places


class Memory(NamedTuple):
    """For each attribute the remembered mistakes in which it was on; which of these were on positive examples."""

    history: Grid[Words]  # words by attributes
    signs: Grid[Words]  # two rows: negative, positive


class Own(NamedTuple):
    """All that a learner has."""

    limits: Limits
    attributes: Attributes
    conjunctions: Conjunctions
    memory: Memory


@inlined
def _bits(word: np.uint64) -> Any:
    return np.int64(popcount(word))


@native
def _sum(
    row: Columns, on: Bytes, attributes: Attributes, conjunctions: Conjunctions, true: Places
) -> tuple[float, int]:
    """Return w.x, and the number of conjunctions that are true, which are written to ``true``."""
    total, found, left = 0.0, 0, len(true)
    for i in row:
        on[i] = 1
        total += attributes.weights[i]
    for i in row:
        c = attributes.heads[i]
        while c != NONE and left > 0:
            holds, left = True, left - 1
            for q in range(conjunctions.sizes[c]):
                if on[conjunctions.members[c, q]] == 0:
                    holds = False
                    break
            if holds:
                true[found] = c
                found += 1
                total += conjunctions.weights[c]
            c = conjunctions.following[c]
    for i in row:
        on[i] = 0
    return total, found


@native
def _remember(row: Columns, positive: bool, memory: Memory, counts: Ints) -> None:
    """Write a mistake down."""
    words = memory.signs.shape[1]
    at = counts[UPDATES] % (64 * words)
    word, bit = at // 64, np.uint64(1) << np.uint64(at % 64)
    if at % 64 == 0:
        memory.history[word] = 0
        memory.signs[0, word] = memory.signs[1, word] = 0
    memory.signs[1 if positive else 0, word] |= bit
    for i in row:
        memory.history[word, i] |= bit


@native
def _heaviest(row: Columns, exponents: Places, chosen: Places) -> int:
    """Write the heaviest attributes of a row, of equals the first, to ``chosen``; return how many."""
    number = 0
    for i in row:
        at = number
        while at > 0 and exponents[chosen[at - 1]] < exponents[i]:
            at -= 1
        if at < len(chosen):
            number = min(number + 1, len(chosen))
            for q in range(number - 1, at, -1):
                chosen[q] = chosen[q - 1]
            chosen[at] = i
    return number


@native
def _net(a: Words, b: Words) -> int:
    """Return in how many more positive than negative remembered mistakes both were on."""
    net = 0
    for q in range(a.shape[1]):
        net += _bits(a[1, q] & b[1, q]) - _bits(a[0, q] & b[0, q])
    return int(net)


@native
def _best(chosen: Places, memory: Memory, members: Places) -> tuple[int, int]:
    """Write the attributes of the best conjunction of chosen ones to ``members``; return how many, and its net.

    The net of a conjunction is the number of positive less that of negative remembered mistakes in which it was true:
    its exponent, had it been there. Begin with the best pair; add the attribute that raises the net most, while one
    does.
    """
    number, words = len(chosen), memory.signs.shape[1]
    seen = np.empty((number, 2, words), dtype=np.uint64)
    for u in range(number):
        for q in range(words):
            bits = memory.history[q, chosen[u]]
            seen[u, 0, q], seen[u, 1, q] = bits & memory.signs[0, q], bits & memory.signs[1, q]
    net, first, second = 0, 0, 0
    for u in range(1, number):
        for v in range(u):
            more = _net(seen[u], seen[v])
            if more > net:
                net, first, second = more, u, v
    if net == 0:
        return 0, 0
    members[0], members[1], size = chosen[first], chosen[second], 2
    both = seen[first] & seen[second]
    while size < len(members):
        third = NONE
        for u in range(number):
            more = _net(both, seen[u])
            if more > net:
                net, third = more, u
        if third == NONE:
            break
        members[size] = chosen[third]
        size += 1
        both &= seen[third]
    members[:size] = np.sort(members[:size])
    return size, net


@native
def _known(members: Places, conjunctions: Conjunctions, true: Places) -> bool:
    """Tell whether a conjunction is among those that are true."""
    for c in true:
        if conjunctions.sizes[c] == len(members) and np.all(conjunctions.members[c, : len(members)] == members):
            return True
    return False


@native
def _room(exponent: int, attributes: Attributes, conjunctions: Conjunctions, counts: Ints) -> int:
    """Return a free place, if need be that of the lightest conjunction, the first of equals, if it is lighter."""
    if counts[USED] < len(conjunctions.sizes):
        counts[USED] += 1
        return int(counts[USED] - 1)
    out = np.argmin(conjunctions.exponents)
    if conjunctions.exponents[out] >= exponent:
        return NONE
    i = conjunctions.listed[out]
    c = attributes.heads[i]
    if c == out:
        attributes.heads[i] = conjunctions.following[out]
    else:
        for _ in range(len(conjunctions.sizes)):  # no list is longer
            if conjunctions.following[c] == out:
                break
            c = conjunctions.following[c]
        conjunctions.following[c] = conjunctions.following[out]
    return int(out)


@native
def _rare(members: Places, memory: Memory) -> int:
    """Return the attribute that was on in the fewest remembered mistakes, the first of equals."""
    best, least = members[0], 1 << 62
    for i in members:
        times = 0
        for q in range(memory.history.shape[0]):
            times += _bits(memory.history[q, i])
        if times < least:
            best, least = i, times
    return int(best)


@native
def _grow(row: Columns, own: Own, true: Places, counts: Ints) -> None:
    """Add the best conjunction of a row's heaviest attributes, if it is new and there is room for it."""
    limits, attributes, conjunctions, memory = own
    chosen = np.empty(min(limits.candidates, len(row)), dtype=np.int32)
    members = np.empty(conjunctions.members.shape[1], dtype=np.int32)
    size, net = _best(chosen[: _heaviest(row, attributes.exponents, chosen)], memory, members)
    members = members[:size]
    if size == 0 or _known(members, conjunctions, true):
        return
    exponent = min(limits.newcomer + net, limits.most)
    c = _room(exponent, attributes, conjunctions, counts)
    if c == NONE:
        return
    i = _rare(members, memory)
    conjunctions.members[c, :size] = members
    conjunctions.sizes[c], conjunctions.exponents[c] = size, exponent
    conjunctions.weights[c] = limits.alpha ** float(exponent)
    conjunctions.listed[c], conjunctions.following[c], attributes.heads[i] = i, attributes.heads[i], c
    counts[INTRODUCED] += 1


@native
def move(places: Places, exponents: Places, weights: Floats, by: int, limits: Limits) -> None:
    """Add to exponents, within their limits."""
    for i in places:
        exponents[i] = min(max(exponents[i] + by, limits.lowest), limits.highest)
        weights[i] = limits.alpha ** float(exponents[i])


@native
def learn(
    indptr: Ints, indices: Columns, outcomes: Bytes, times: Ints, own: Own, counts: Ints, predictions: Bytes
) -> None:
    """Play the rows: predict, then update, then grow; ``times``: how often each counts, empty for once each."""
    limits, attributes, conjunctions, memory = own
    on = np.zeros(len(attributes.weights), dtype=np.uint8)
    places = np.empty(len(conjunctions.sizes), dtype=np.int32)
    for r in range(len(outcomes)):
        row = indices[indptr[r] : indptr[r + 1]]
        total, found = _sum(row, on, attributes, conjunctions, places)
        predictions[r] = total >= limits.theta
        often = times[r] if len(times) > 0 else 1
        if predictions[r] == outcomes[r] or often == 0:
            continue
        positive, true = outcomes[r] == 1, places[:found]
        by = often if positive else -often
        _remember(row, positive, memory, counts)
        move(row.astype(np.int32), attributes.exponents, attributes.weights, by, limits)
        move(true, conjunctions.exponents, conjunctions.weights, by, limits)
        if positive:
            _grow(row, own, true, counts)
        counts[UPDATES] += 1
        counts[PROMOTIONS if positive else DEMOTIONS] += 1


@native
def score(indptr: Ints, indices: Columns, attributes: Attributes, conjunctions: Conjunctions, sums: Floats) -> None:
    """Write w.x of each row."""
    on = np.zeros(len(attributes.weights), dtype=np.uint8)
    places = np.empty(len(conjunctions.sizes), dtype=np.int32)
    for r in range(len(sums)):
        sums[r], _ = _sum(indices[indptr[r] : indptr[r + 1]], on, attributes, conjunctions, places)
