"""Directed Drift on packed words: a weight is a bit, 1 for +1, and a row's product with w is ``n - 2 |w xor u|``.

The learner keeps the votes of a batch in bit-sliced counters: plane p holds bit p of the counts of 64 coordinates a
word. The simulation draws a batch as a bit matrix, 64 rows a word, so that everything in it is a loop over words.
Word i of a run's random bits is splitmix64's: it depends on the seed, the run's number and i alone.
"""

from typing import Any

import numpy as np

from littlestone.engine.arrays import HALF, LOW, ONE, ZERO, Bools, Bytes, Grid, Ints, Words
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import popcount
from littlestone.engine.splitmix import STEP, key_of, mixed, word_of

__all__ = ["ASYNCHRONOUS", "SINGLE", "SYNCHRONOUS", "key_of", "learn", "products", "simulate", "word_of"]

SINGLE, ASYNCHRONOUS, SYNCHRONOUS = 0, 1, 2
LANES = 16  # words of 64 rows each that a batch is drawn in: loops over them are vectorised
GROUP = 8  # columns that are added up together
Kind = tuple[int, int, int, int]  # n, the mode, the size of a batch, and the patience
State = tuple[np.uint64, Words, Grid[Words], Ints]  # the key of the random words, w, the votes, and counts
ALL, SIX = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(63)

# Random numbers


@native
def _below(key: np.uint64, used: Ints, k: int) -> np.int64:
    """Return a whole number below ``k`` < 2^32, every one with exactly the same chance (Lemire's way).

    Each draw is in vain with a chance below 1/2, so that two are enough on average, whatever the data are.
    """
    size = np.uint64(k)
    while True:
        product = (word_of(key, np.uint64(used[0])) >> HALF) * size
        used[0] += 1
        if (product & LOW) >= size or (product & LOW) >= (LOW + ONE - size) % size:
            return np.int64(product >> HALF)


# Bits


@inlined
def _bits(word: np.uint64) -> Any:
    return np.int64(popcount(word))


@inlined
def _on(words: Words, k: int) -> np.uint64:
    return np.uint64((words[k >> 6] >> (np.uint64(k) & SIX)) & ONE)


@native
def _count(words: Words) -> int:
    total = 0
    for j in range(len(words)):
        total += _bits(words[j])
    return total


@native
def _distance(a: Words, b: Words) -> int:
    total = 0
    for j in range(len(a)):
        total += _bits(a[j] ^ b[j])
    return total


@native
def _flip_one(key: np.uint64, used: Ints, w: Words, candidates: Words, lowest: bool) -> None:
    """Flip one bit of ``w``: any of the candidates, with equal chances, or the lowest of them."""
    left = 0 if lowest else _below(key, used, _count(candidates))
    for j in range(len(candidates)):
        word = candidates[j]
        here = _bits(word)
        if left >= here:
            left -= here
            continue
        for _ in range(left):
            word &= word - ONE  # the lowest bit goes
        w[j] ^= word & (ZERO - word)
        return


# Bit-sliced counters


@native
def _vote(planes: Words, j: int, carry: np.uint64) -> None:
    """Add 1 to the counts of the coordinates in ``carry``, of word ``j``."""
    for plane in range(len(planes)):  # there are planes enough for as many votes as a batch has
        if carry == ZERO:
            return
        kept = planes[plane, j]
        planes[plane, j] = kept ^ carry
        carry &= kept


@inlined
def _at_least(planes: Words, j: int, number: int) -> np.uint64:
    """Return where the counts of word ``j`` are at least ``number``."""
    more, equal = ZERO, ALL
    for plane in range(len(planes) - 1, -1, -1):
        counts = planes[plane, j]
        if (number >> plane) & 1:
            equal &= counts
        else:
            more |= equal & counts
            equal &= ~counts
    return more | equal


@native
def _most(planes: Words, candidates: Words) -> None:
    """Find the coordinates with the most votes: by their highest bits first."""
    candidates[:] = ALL
    for plane in range(len(planes) - 1, -1, -1):
        some = ZERO
        for j in range(len(candidates)):
            some |= candidates[j] & planes[plane, j]
        if some != ZERO:
            for j in range(len(candidates)):
                candidates[j] &= planes[plane, j]


@native
def _add_columns(columns: Words, planes: Words, low: Words) -> None:
    """Count the ones of each row: eight columns at a time by full adders, their eights by a ripple."""
    low[:] = ZERO
    planes[:] = ZERO
    for k in range(0, len(columns), GROUP):
        for i in range(LANES):
            a, b, c, d = columns[k, i], columns[k + 1, i], columns[k + 2, i], columns[k + 3, i]
            e, f, g, h = columns[k + 4, i], columns[k + 5, i], columns[k + 6, i], columns[k + 7, i]
            ones, twos, fours = low[0, i], low[1, i], low[2, i]
            x, y, z = a ^ b, d ^ e, g ^ h
            twos1, twos2, twos3 = (a & b) | (x & c), (d & e) | (y & f), (g & h) | (z & ones)
            x, y, z = x ^ c, y ^ f, z ^ ones
            twos4 = (x & y) | ((x ^ y) & z)
            low[0, i] = x ^ y ^ z
            x = twos1 ^ twos2
            fours1 = (twos1 & twos2) | (x & twos3)
            x ^= twos3
            fours2 = (x & twos4) | ((x ^ twos4) & twos)
            low[1, i] = x ^ twos4 ^ twos
            x = fours1 ^ fours2
            low[2, i] = x ^ fours
            low[3, i] = (fours1 & fours2) | (x & fours)
        for plane in range(3, len(planes)):
            for i in range(LANES):
                kept = planes[plane, i]
                planes[plane, i] = kept ^ low[3, i]
                low[3, i] &= kept
    for plane in range(3):  # a slice takes Numba seconds to compile
        for i in range(LANES):
            planes[plane, i] = low[plane, i]


# The simulation: the target is all ones, which by symmetry is as good as any


@native
def _draw(key: np.uint64, used: Ints, u: Words, n: int, last: np.uint64, redraw: bool) -> None:
    """Draw a row with at least as many ones as zeros: a row with fewer is drawn again, or reflected."""
    while True:  # less than half of all rows have fewer
        for j in range(len(u)):
            u[j] = word_of(key, np.uint64(used[0] + j))
        used[0] += len(u)
        u[len(u) - 1] &= last
        fewer = 2 * _count(u) < n
        if redraw and fewer:
            continue
        flip = ZERO - np.uint64(fewer)  # no branch: it would be mispredicted every other time
        for j in range(len(u)):
            u[j] ^= flip
        u[len(u) - 1] &= last
        return


@native
def _batch(
    key: np.uint64, used: Ints, w: Words, votes: Ints, columns: Words, planes: Words, low: Words, n: int, redraw: bool,
    rows: int,
) -> None:  # fmt: skip
    """Let ``rows`` new rows, drawn as by `_draw`, vote on what disagrees with ``w``: of each draw at least half do."""
    flips, voting = np.empty((2, LANES), dtype=np.uint64)
    while rows > 0:
        flat = columns.reshape(-1)
        start = key + np.uint64(used[0] + 1) * STEP
        for i in range(n * LANES):
            flat[i] = mixed(start + np.uint64(i) * STEP)
        used[0] += n * LANES
        _add_columns(columns, planes, low)
        for i in range(LANES):
            good = _at_least(planes, i, (n + 1) // 2)
            flips[i] = ZERO if redraw else ~good
            chosen = good if redraw else ALL
            while _bits(chosen) > rows:
                chosen &= chosen - ONE
            rows -= _bits(chosen)
            voting[i] = chosen
        for k in range(n):
            against, number = ZERO - _on(w, k), 0
            for i in range(LANES):
                number += _bits((columns[k, i] ^ flips[i] ^ against) & voting[i])
            votes[k] += number


@native
def _answer(
    key: np.uint64, used: Ints, w: Words, votes: Ints, candidates: Words, mode: int, batch: int, lowest: bool
) -> None:
    """Flip the coordinate with the most votes (of several, see `_flip_one`), or all with half of the votes."""
    least = (batch + 1) // 2
    if mode == ASYNCHRONOUS:
        least = 0
        for k in range(len(votes)):
            least = max(least, votes[k])
    candidates[:] = ZERO
    for k in range(len(votes)):
        if votes[k] >= least:
            candidates[k >> 6] |= ONE << (np.uint64(k) & SIX)
    if mode == ASYNCHRONOUS:
        _flip_one(key, used, w, candidates, lowest)
        return
    for j in range(len(w)):
        w[j] ^= candidates[j]


@native
def simulate(
    seed: np.uint64, first: int, n: int, mode: int, batch: int, start: int, within: int, cap: int, patience: int,
    reflected: bool, lowest: bool, found: Grid[Ints],
) -> None:  # fmt: skip
    """Play one run for each column of ``found``, from run ``first`` on: its mistakes, tests, first and last distance.

    A run ends within distance ``within`` of the target, after ``cap`` mistakes, or after ``patience`` (if not 0) right
    predictions in a row: any other hypothesis errs with a positive chance. It starts with ``start`` wrong weights (-1:
    at random).
    """
    length, last = (n + 63) // 64, ALL >> np.uint64(-n % 64)
    redraw = n % 2 == 0 and not reflected  # reflection halves the chance of rows that are orthogonal to the target
    depth = 4  # planes for counts up to n, and at least for eight
    while n >> depth:
        depth += 1
    w, u, candidates = np.empty((3, length), dtype=np.uint64)
    votes, used = np.empty(n, dtype=np.int64), np.empty(1, dtype=np.int64)
    columns = np.zeros(((n + GROUP - 1) // GROUP * GROUP, LANES), dtype=np.uint64)
    planes, low = np.empty((depth, LANES), dtype=np.uint64), np.empty((4, LANES), dtype=np.uint64)
    for run in range(found.shape[1]):
        key = key_of(seed, np.uint64(first + run))
        used[0] = length
        for j in range(length):
            w[j] = word_of(key, np.uint64(j)) if start < 0 else ALL
        for k in range(start):
            w[k >> 6] ^= ONE << (np.uint64(k) & SIX)
        w[length - 1] &= last
        away = n - _count(w)
        begun, calm, errors, trials = away, 0, 0, 0
        while away > within and errors < cap:
            _draw(key, used, u, n, last, redraw)
            trials += 1
            if 2 * _distance(w, u) <= n:
                calm += 1
                if calm == patience:
                    break
                continue
            errors += 1
            calm = 0
            if mode == SINGLE:
                for j in range(length):
                    candidates[j] = w[j] ^ u[j]
                _flip_one(key, used, w, candidates, lowest)
            else:
                for k in range(n):
                    votes[k] = np.int64(_on(w, k) ^ _on(u, k))
                _batch(key, used, w, votes, columns, planes, low, n, redraw, batch - 1)
                _answer(key, used, w, votes, candidates, mode, batch, lowest)
            away = n - _count(w)
        found[0, run], found[1, run], found[2, run], found[3, run] = errors, trials, begun, away


# The learner


@native
def products(rows: Grid[Words], w: Words, n: int, found: Ints) -> None:
    """Write the product of each packed row with ``w``."""
    for r in range(len(rows)):
        found[r] = n - 2 * _distance(rows[r], w)


@native
def learn(
    rows: Grid[Words], outcomes: Bytes, skipped: Bools, kind: Kind, state: State, predictions: Bytes, was_tested: Bools
) -> None:
    """Predict, then learn, row by row.

    Counts: random words used, rows tested, mistakes, updates, promotions, demotions, right predictions in a row, votes
    to come, the outcome that they answer, and whether the algorithm has ended (after ``patience`` right predictions).
    """
    (n, mode, batch, patience), (key, w, planes, counts) = kind, state
    last = ALL >> np.uint64(-n % 64)
    candidates = np.empty(len(w), dtype=np.uint64)
    for r in range(len(rows)):
        against = 2 * _distance(rows[r], w)
        predictions[r] = 1 if against <= n else 0
        was_tested[r] = False
        if skipped[r] or counts[9]:
            continue
        if counts[7] == 0:
            was_tested[r] = predictions[r] == outcomes[r] or against != n
            counts[1] += 1
            if predictions[r] == outcomes[r] or against == n:  # the reflection of a tie is one too, and right
                counts[6] += 1
                counts[9] = counts[6] == patience
                continue
            counts[2] += 1
            counts[6] = 0
            counts[7], counts[8] = batch, outcomes[r]
        reflect = ZERO if outcomes[r] else ALL
        for j in range(len(w)):
            candidates[j] = w[j] ^ rows[r, j] ^ reflect
        candidates[len(w) - 1] &= last
        counts[7] -= 1
        if mode != SINGLE:
            for j in range(len(w)):
                _vote(planes, j, candidates[j])
        if counts[7] > 0:
            continue
        if mode == SYNCHRONOUS:
            for j in range(len(w)):
                w[j] ^= _at_least(planes, j, (batch + 1) // 2)
        else:
            if mode == ASYNCHRONOUS:
                _most(planes, candidates)
            _flip_one(key, counts, w, candidates, False)
        planes[:] = ZERO
        counts[3] += 1
        counts[4 if counts[8] else 5] += 1
