"""New states of Winnow with two factors, w1 alpha^p demotion^q: there are many, so that they are made in compiled code.

What Python does for a row of which some states have no successor yet, number by number and in the same order: the
weights are products of whole numbers of 160 binary digits, cut off as `core.rational.times` cuts them, and so are the
floats that are made of them. What is not the usual case is left to Python: small exponents, whose weights are exact;
powers that it has not handed over yet; a table that is full.
"""

import math
from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import HALF, LOW, ONE, Bytes, Columns, Floats, Grid, Ints, Places, Words
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed, high
from littlestone.engine.learning import exponents
from littlestone.engine.learning.exponents import Moves, States

__all__ = ["FINE", "MANY", "POWERS", "START", "WORDS", "Made", "blank", "enter", "in_order", "learn"]

WORDS = 3  # of 64 binary digits each, the lowest first: what a power is handed over in
FINE, POWERS = 256, 256 + 1024  # rows of the powers of a base: by the lowest 8 digits of an exponent, by the others
START = 2 * POWERS  # the row of w1
READY = 2048  # rows after it for w1 alpha^p that were asked for last, and as many for demotion^q
KNOWN, TWOS = range(2)  # of notes: the exponent of the power plus one (0: none), and the exponent of two
SMALL = 64  # exponents up to this size have weights that are computed exactly
DIGITS, SPARE = 160, 163  # binary digits of a weight, and of each of its powers
LACKING = DIGITS - 53  # those that a float has no room for
TOP = np.uint64((1 << LACKING % 64) - 1)  # those of them in the second word
MOST_WEIGHT = 1e290
LEAST_TWOS = -5000  # any float is 0 there
PLACES = 1 << 17  # of the hash table
MANY, CROWD = 512, 300  # places of the largest set of states that is put in order here, and the most in it
PROBES, SHIFT = 9, 5  # how Python's sets look for a place


class Made(NamedTuple):
    """The pairs (p, q) of the states, how to find one, and what weights are made of."""

    pairs: Grid[Ints]
    places: Places  # a state plus one, or 0
    taken: Ints  # how many states there are
    largest: Floats  # the largest weight
    powers: Grid[Words]  # their mantissas, and a word that is 0
    notes: Grid[Ints]
    room: Grid[Words]  # for products
    sets: Grid[Ints]  # for states in order, and new pairs


def blank(pairs: Ints) -> Made:
    """Return what is needed to make states of these pairs, of which there is none yet."""
    rows = START + 1 + 2 * READY
    return Made(
        pairs, np.zeros(PLACES, dtype=np.int32), np.zeros(1, dtype=np.int64), np.zeros(1),
        np.zeros((rows, WORDS + 1), dtype=np.uint64), np.zeros((rows, 2), dtype=np.int64),
        np.zeros((3, 2 * WORDS + 1), dtype=np.uint64), np.zeros((3, MANY), dtype=np.int64),
    )  # fmt: skip


# Functions take the few arrays that they need: to hand all of them over would cost more than what is done with them.


@inlined
def _find(p: int, q: int, pairs: Grid[Ints], places: Places) -> int:
    """Return the place of a pair in the hash table, or that where it belongs."""
    at = ((p * 73856093) ^ (q * 19349663)) & (PLACES - 1)
    while places[at] > 0 and (pairs[places[at] - 1, 0] != p or pairs[places[at] - 1, 1] != q):
        at = (at + 1) & (PLACES - 1)  # at most half of them are taken
    return at


@native
def _enter(state: int, pairs: Grid[Ints], places: Places, moves: Grid[Moves]) -> None:
    """Enter the pair of a new state, and say where it goes, and what goes to it."""
    p, q = pairs[state, 0], pairs[state, 1]
    places[_find(p, q, pairs, places)] = state + 1
    for way in range(2):
        follower = places[_find(p + way, q + 1 - way, pairs, places)]
        if follower > 0:
            moves[way, state] = follower
        origin = places[_find(p - way, q - 1 + way, pairs, places)]
        if origin > 0:
            moves[way, origin - 1] = state + 1


@native
def enter(first: int, last: int, moves: Grid[Moves], made: Made) -> None:
    """Enter the pairs of new states."""
    pairs, places, moves = borrowed(made.pairs), borrowed(made.places), borrowed(moves)
    for state in range(first, last):
        _enter(state, pairs, places, moves)


# The order of states: that of a set of Python's, in which model files have always had them


@native
def _put(state: int, table: Ints, mask: int) -> bool:
    """Put a state plus one into a table as Python's sets do; tell whether it is new."""
    at, perturb = state & mask, state
    while True:  # in the end every place is looked at, and two fifths are free
        last = at + PROBES if at + PROBES <= mask else at
        for place in range(at, last + 1):
            if table[place] == 0:
                table[place] = state + 1
                return True
            if table[place] == state + 1:
                return False
        perturb >>= SHIFT
        at = (at * 5 + 1 + perturb) & mask


@native
def _only(row: Columns, states: States, bias: int, moves: Moves, sets: Grid[Ints]) -> bool:
    """Tell whether only one state of a row has no successor, and write it to ``sets[2]``: then no order is needed."""
    only = -1
    for j in range(len(row) + 1):
        state = int(states[row[j]]) if j < len(row) else max(bias, 0)
        if moves[state] == 0 and state != only:
            if only >= 0:
                return False
            only = state
    sets[2, 0] = only
    return True


@native
def in_order(row: Columns, states: States, bias: int, sets: Grid[Ints]) -> int:
    """Write the different states of a row, and that of the constant, to ``sets[2]``, in order; -1: they are many."""
    old, new, mask, used = 0, 1, 7, 0
    sets[old, : mask + 1] = 0
    for j in range(len(row) + 1):
        state = int(states[row[j]]) if j < len(row) else max(bias, 0)
        if not _put(state, sets[old], mask):
            continue
        used += 1
        if used > CROWD:
            return -1
        if used * 5 >= mask * 3:
            before = mask
            while mask < 4 * used:
                mask = 2 * mask + 1
            sets[new, : mask + 1] = 0
            for place in range(before + 1):
                if sets[old, place] > 0:
                    _put(sets[old, place] - 1, sets[new], mask)
            old, new = new, old
    found = 0
    for place in range(mask + 1):
        if sets[old, place] > 0:
            sets[2, found] = sets[old, place] - 1
            found += 1
    return found


# Weights


@native
def _length(number: Words) -> int:
    """Return how many binary digits a number has."""
    for i in range(len(number) - 1, -1, -1):
        if number[i] > LOW:
            return 64 * i + 32 + math.frexp(float(number[i] >> HALF))[1]
        if number[i] > 0:
            return 64 * i + math.frexp(float(number[i]))[1]
    return 0


@native
def _times(a: Words, b: Words, digits: int, wide: Words, found: Words) -> int:
    """Write the product of two numbers to ``found``, cut to so many binary digits; return how many were cut off."""
    wide[:] = 0
    for i in range(WORDS):
        carry = np.uint64(0)
        for j in range(WORDS):
            low = a[i] * b[j]
            above = high(a[i], b[j])
            low += carry
            above += np.uint64(low < carry)
            low += wide[i + j]
            above += np.uint64(low < wide[i + j])
            wide[i + j], carry = low, above
        wide[i + WORDS] = carry
    extra = max(_length(wide[: 2 * WORDS]) - digits, 0)
    for i in range(WORDS):
        found[i] = _from(wide, extra + 64 * i)
    return extra


@native
def _from(number: Words, at: int) -> np.uint64:
    """Return 64 digits of a number, from this one on; there are two words beyond it."""
    word, part = at // 64, np.uint64(at % 64)
    return np.uint64((number[word] >> part) | ((number[word + 1] << ONE) << (np.uint64(63) - part)))


@inlined
def _row(base: int, exponent: int) -> int:
    """Return where a power that was asked for last stands."""
    return START + 1 + base * READY + exponent % READY


@inlined
def _coarse(base: int, exponent: int) -> int:
    """Return where the power of all but the lowest digits of an exponent stands."""
    return base * POWERS + FINE + exponent // FINE % (POWERS - FINE)


@inlined
def _has(base: int, exponent: int, notes: Grid[Ints]) -> bool:
    """Tell whether there is a power, or all that it is made of."""
    return bool(
        notes[_row(base, exponent), KNOWN] == exponent + 1
        or (
            notes[base * POWERS + exponent % FINE, KNOWN] > 0
            and notes[_coarse(base, exponent), KNOWN] == exponent - exponent % FINE + 1
        )
    )


@native
def _power(base: int, exponent: int, powers: Grid[Words], notes: Grid[Ints], room: Grid[Words]) -> None:
    """Write a power to its row; that of alpha is w1 times as much."""
    fine, coarse, found = base * POWERS + exponent % FINE, _coarse(base, exponent), room[0]
    twos = notes[fine, TWOS] + notes[coarse, TWOS] + _times(powers[fine], powers[coarse], SPARE, room[2], found)
    if base == 0:
        found = room[1]
        twos += notes[START, TWOS] + _times(powers[START], room[0], DIGITS, room[2], found)
    row = _row(base, exponent)
    powers[row], notes[row, KNOWN], notes[row, TWOS] = found[: WORDS + 1], exponent + 1, twos


@native
def _rounded(number: Words, length: int) -> tuple[float, bool]:
    """Return a number of so many digits as a float of 53 digits, a half to even, and whether it was rounded up.

    Where the length is more than 53, the number is that float times 2^(length - 53).
    """
    if length <= 53:
        return float(number[0]), False
    kept, half = _from(number, length - 53), length - 54
    word, bit = half // 64, ONE << np.uint64(half % 64)
    below = (number[word] & (bit - ONE)) > 0 or (word > 0 and number[0] > 0) or (word > 1 and number[1] > 0)
    up = bool((number[word] & bit) > 0 and (below or (kept & ONE) > 0))
    return float(kept + ONE if up else kept), up


@native
def _split(number: Words, twos: int, rest: Words) -> tuple[float, float]:
    """Return a number of DIGITS digits as a float, and what the float lacks as another."""
    value, up = _rounded(number, DIGITS)
    rest[:] = 0
    rest[0], rest[1] = number[0], number[1] & TOP
    if up:  # it lacks less than nothing: what the lowest digits lack of the next one
        rest[1] = TOP - rest[1] + np.uint64(rest[0] == 0)
        rest[0] = ~rest[0] + ONE
    length = _length(rest[:2])
    low, _ = _rounded(rest, length)
    twos = max(twos, LEAST_TWOS)
    low = math.ldexp(low, twos + max(length - 53, 0))
    return math.ldexp(value, twos + LACKING), -low if up else low


@native
def _weight(p: int, q: int, powers: Grid[Words], notes: Grid[Ints], room: Grid[Words]) -> tuple[float, float]:
    """Return w1 alpha^p demotion^q as a float, and what the float lacks."""
    up, down = _row(0, p), _row(1, q)
    if notes[up, KNOWN] != p + 1:
        _power(0, p, powers, notes, room)
    if q == 0:
        return _split(powers[up], notes[up, TWOS], room[0])
    if notes[down, KNOWN] != q + 1:
        _power(1, q, powers, notes, room)
    cut = _times(powers[up], powers[down], DIGITS, room[2], room[1])
    return _split(room[1], notes[up, TWOS] + notes[down, TWOS] + cut, room[0])


# States


@native
def _new_pairs(way: int, found: int, moves: Moves, pairs: Grid[Ints], notes: Grid[Ints], sets: Grid[Ints]) -> int:
    """Write where the states in order go that have no successor to ``sets[:2]``; return how many, -1: not here."""
    new = 0
    for at in range(found):
        state = sets[2, at]
        if moves[state] > 0:
            continue
        p, q = pairs[state, 0] + way, pairs[state, 1] + 1 - way
        if max(p, q) <= SMALL or not _has(0, p, notes) or (q > 0 and not _has(1, q, notes)):
            return -1
        sets[0, new], sets[1, new] = p, q
        new += 1
    return new


@inlined
def _make(
    row: Columns, way: int, bias: int, states: States, powers: Grid[Floats], exact: Bytes, moves: Grid[Moves],
    made: Made,
) -> bool:  # fmt: skip
    """Make the states to which a row's go that have no successor; False: that is for Python, and nothing is done."""
    pairs, places, count, sets = made.pairs, made.places, made.taken[0], made.sets
    found = 1 if _only(row, states, bias, moves[way], sets) else in_order(row, states, bias, sets)
    new = _new_pairs(way, found, moves[way], pairs, made.notes, sets)
    most, good = min(256 if states.itemsize == 1 else 1 << 16, len(pairs)), new > 0
    if count + new > most:
        new, good = 0, False
    for at in range(new):
        value, rest = _weight(sets[0, at], sets[1, at], made.powers, made.notes, made.room)
        powers[0, count + at], powers[1, count + at], exact[count + at] = value, rest, 0
        good &= value <= MOST_WEIGHT
    if good:
        for at in range(new):
            pairs[count + at, 0], pairs[count + at, 1] = sets[0, at], sets[1, at]
            _enter(count + at, pairs, places, moves)
            made.largest[0] = max(made.largest[0], powers[0, count + at])
        made.taken[0] = count + new
    return good


@native
def learn(
    start: int, indptr: Ints, indices: Columns, outcomes: Bytes, states: States, powers: Grid[Floats], exact: Bytes,
    moves: Grid[Moves], rule: Floats, counts: Ints, predictions: Bytes, made: Made,
) -> int:  # fmt: skip
    """Play the rows as `exponents.learn`, making new states; return the row that needs the caller, or their number."""
    indices, states, powers = borrowed(indices), borrowed(states), borrowed(powers)
    moves, made, terms = borrowed(moves), borrowed(made), 0
    for r in range(len(outcomes)):
        terms = max(terms, indptr[r + 1] - indptr[r])
    row = start
    while True:
        row = exponents.learn(
            row, indptr, indices, outcomes, states, powers, exact, moves, rule, counts, predictions
        )  # fmt: skip
        if row == len(outcomes) or counts[exponents.REASON] != exponents.NEW_STATE:
            return row
        largest = made.largest[0]
        active, way = indices[indptr[row] : indptr[row + 1]], int(outcomes[row] == 1)
        if not _make(active, way, counts[exponents.BIAS], states, powers, exact, moves, made):
            return row
        if made.largest[0] != largest:
            rule[exponents.NEAR] = exponents.nearness(terms + 1, rule[exponents.THETA], made.largest[0])
