"""Vowpal Wabbit's text: lines to words, their hashes, and numbers.

As in `littlestone.engine.text.svmlight` the bytes are whole lines and no loop runs past a line feed.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import inlined, native

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Columns = NDArray[np.uint32]
Floats = NDArray[np.float64]
Whole = int | np.int64

# Where things stand in meta
POSITION, LINE, ROWS, STORED, REAL, LARGEST, HARD, AT, WEIGHTED, TAGGED, SPACES, SIZE = range(12)

# What `lines` returns
DONE, NO_LABEL, LABEL, WEIGHT, BASE, MANY, TAG, NO_BAR, SPACE, SCALE, NAME, VALUE, LARGE, MIXED, RANGE, TEXT = range(16)

MOST = 1e100
TENS = np.array([float(10**k) for k in range(23)])
ONE, FIFTEEN, LONGEST = np.uint64(1), np.uint64(15), np.uint64(18)
BASIS, PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)  # of Fowler, Noll and Vo


@native
def _short(data: Bytes, p: np.uint64) -> tuple[float, np.uint64]:
    """Return a number of at most 15 digits without exponent, and where it ends; ``p`` if it is another one."""
    start, negative = p, data[p] == 45
    if negative or data[p] == 43:
        p += ONE
    first, m = p, np.int64(0)
    d = np.int64(data[p]) - 48
    while 0 <= d <= 9:
        m = 10 * m + d
        p += ONE
        d = np.int64(data[p]) - 48
    if d != -2:
        value = float(m)
        digits = p - first
    else:
        p += ONE
        point = p
        d = np.int64(data[p]) - 48
        while 0 <= d <= 9:
            m = 10 * m + d
            p += ONE
            d = np.int64(data[p]) - 48
        digits = p - first - ONE
        value = m / TENS[min(p - point, FIFTEEN)]
    return -value if negative else value, p if digits - ONE < FIFTEEN else start


@inlined
def _ends(c: int) -> bool:
    """Tell whether a word is over: at a blank, a line feed or a bar."""
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 124  # noqa: PLR1714 -- a set would cost


@native
def _number(
    data: Bytes, p: np.uint64, known_at: Ints, known: Floats, spans: Ints, meta: Ints
) -> tuple[float, np.uint64]:
    """Return the number that fills the word at ``p``, and where the word ends; NaN if it is none.

    A number that is not short is looked up; one that is not there is noted, and taken for a 0.
    """
    value, q = _short(data, p)
    if q > p and _ends(data[q]):
        return value, q
    while not _ends(data[q]):
        q += ONE
    k = np.searchsorted(known_at, np.int64(p))
    if k < len(known_at) and known_at[k] == np.int64(p):
        return known[k], q
    spans[2 * meta[HARD]], spans[2 * meta[HARD] + 1] = p, q
    meta[HARD] += 1
    return 0.0, q


@native
def _word(data: Bytes, p: np.uint64) -> np.uint64:
    """Return where the next word begins, or the line ends."""
    while data[p] == 32 or data[p] == 9 or data[p] == 13:
        p += ONE
    return p


@native
def _bad_text(data: Bytes, p: np.uint64) -> np.uint64:
    """Return where in the line at ``p`` there is a zero byte or no UTF-8; the line's end, if nowhere."""
    while data[p] != 10:
        c, more, least = np.int64(data[p]), 0, 0
        if c == 0 or 128 <= c < 194 or c > 244:
            return p
        if c >= 240:
            more, least, c = 3, 0x10000, c & 7
        elif c >= 224:
            more, least, c = 2, 0x800, c & 15
        elif c >= 194:
            more, least, c = 1, 0x80, c & 31
        q = p + ONE
        for _ in range(more):
            if data[q] >> 6 != 2:
                return p
            c = (c << 6) | (np.int64(data[q]) & 63)
            q += ONE
        if c < least or c > 0x10FFFF or 0xD800 <= c < 0xE000:
            return p
        p = q
    return p


@native
def _label_side(
    data: Bytes, p: np.uint64, row: np.uint64, known_at: Ints, known: Floats, spans: Ints,
    labels: Floats, weights: Floats, tags: Ints, meta: Ints,
) -> tuple[int, np.uint64]:  # fmt: skip
    """Read ``[label [weight [base]]] [tag]`` up to the first bar; return what is wrong, and where."""
    labels[row], weights[row], tags[row, 0], tags[row, 1] = math.nan, 1.0, 0, 0
    number, tagged = 0, False
    p = _word(data, p)
    while data[p] != 124:
        if data[p] == 10:
            return NO_BAR, p
        at = p
        while not _ends(data[p]):
            p += ONE
        if tagged:
            return TAG, at
        if data[at] == 39 or data[p] == 124:
            tags[row, 0], tags[row, 1] = at + (ONE if data[at] == 39 else np.uint64(0)), p
            tagged, meta[TAGGED] = True, 1
        elif number == 3:
            return MANY, at
        else:
            value, _ = _number(data, at, known_at, known, spans, meta)
            if number == 0:
                labels[row] = value
                if not abs(value) <= MOST:
                    return LABEL, at
            elif number == 1:
                weights[row] = value
                meta[WEIGHTED] |= value != 1.0
                if not 0.0 <= value <= MOST:
                    return WEIGHT, at
            elif value != 0.0:
                return BASE, at
            number += 1
        p = _word(data, p)
    return DONE, p


@native
def lines(
    data: Bytes, most: int, unlabelled: bool, numbered: bool, foreign: bool, known_at: Ints, known: Floats, spans: Ints,
    indptr: Ints, places: Columns, lengths: Columns, owners: Columns, hashes: Words, values: Floats, spaces: Ints,
    labels: Floats, weights: Floats, tags: Ints, numbers: Ints, meta: Ints,
) -> int:  # fmt: skip
    """Read lines ``[label [weight [base]]] [tag]|namespace[:scale] name[:value] ... |...`` until a bad one.

    The name of a feature is the ``lengths`` bytes at ``places``, behind its namespace from ``spaces[2 owner - 2]`` to
    ``spaces[2 owner - 1]``, if it has one (owner > 0). Where attributes are ``numbered``, ``places`` holds their
    numbers, the rest nothing. ``values`` is not written while all of them are 1. With ``foreign`` each line is
    checked to be UTF-8 without zero bytes.
    """
    p, end, line, row = np.uint64(meta[POSITION]), np.uint64(len(data)), meta[LINE], np.uint64(meta[ROWS])
    stored, real, spaced, code = np.uint64(meta[STORED]), meta[REAL] != 0, meta[SPACES], DONE
    while p < end:
        begin, kept = p, stored
        p = _word(data, p)
        if data[p] == 10:
            p += ONE
            line += 1
            continue
        code, p = _label_side(data, p, row, known_at, known, spans, labels, weights, tags, meta)
        at, total, largest = p, 0.0, np.int64(-1)
        if code == DONE and not unlabelled and math.isnan(labels[row]):
            code, at = NO_LABEL, begin
        while code == DONE and data[p] == 124:
            p += ONE
            at, scale, owner, basis = p, 1.0, np.int64(0), BASIS
            while not (_ends(data[p]) or data[p] == 58):
                basis = (basis ^ np.uint64(data[p])) * PRIME
                p += ONE
            if p > at:
                basis = (basis ^ np.uint64(94)) * PRIME
                owner = spaced + 1
                spaces[2 * spaced], spaces[2 * spaced + 1] = at, p
            if data[p] == 58:
                code = DONE if owner > 0 else SPACE
                at = p + ONE
                scale, p = _number(data, at, known_at, known, spans, meta)
                code = SCALE if code == DONE and not abs(scale) <= MOST else code
            while code == DONE:
                if data[p] == 32:
                    p += ONE
                c = data[p]
                if c <= 32:
                    p = _word(data, p)
                    c = data[p]
                if c == 10 or c == 124:  # noqa: PLR1714
                    break
                at, h, name = p, basis, p
                if numbered:
                    number = np.int64(0)
                    while 48 <= c <= 57:
                        number = 10 * number + np.int64(c) - 48
                        p += ONE
                        c = data[p]
                    if owner > 0 or not (_ends(c) or c == 58):
                        code = MIXED
                    elif number >= most or p - at > LONGEST:
                        code = RANGE
                    largest, name = max(largest, number), np.uint64(number)
                else:
                    while not (_ends(c) or c == 58):
                        h = (h ^ np.uint64(c)) * PRIME
                        p += ONE
                        c = data[p]
                length, value = p - at, scale
                if c == 58 and code == DONE:
                    code = NAME if length == 0 else DONE
                    at = at if length == 0 else p + ONE
                    value, p = _number(data, p + ONE, known_at, known, spans, meta)
                    if not abs(value) <= MOST:
                        code = VALUE
                    value *= scale
                if value != 1.0:
                    total += abs(value)
                    if not total <= MOST and code == DONE:
                        code = LARGE
                    if not real:
                        values[:stored] = 1.0
                        real = True
                if code != DONE:
                    break
                if real:
                    values[stored] = value
                places[stored] = name
                if not numbered:
                    lengths[stored], owners[stored], hashes[stored] = length, owner, h
                    spaced = max(spaced, owner)
                stored += ONE
        if code == DONE and foreign:
            p = _bad_text(data, begin)
            code, at = DONE if data[p] == 10 else TEXT, p
        if code != DONE:
            meta[AT] = at
            p, stored = begin, kept
            break
        meta[LARGEST] = max(meta[LARGEST], largest)
        numbers[row] = line
        row += ONE
        indptr[row] = stored
        p += ONE
        line += 1
    meta[POSITION], meta[LINE], meta[ROWS], meta[STORED], meta[REAL], meta[SPACES] = p, line, row, stored, real, spaced
    return code
