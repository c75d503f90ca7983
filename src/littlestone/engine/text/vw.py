"""Vowpal Wabbit's text: lines to words, their hashes, and numbers.

As in `littlestone.engine.text.svmlight` the bytes are whole lines, no loop runs past a line feed, and the kernel stops
at a bad line.
"""

import math
from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import MOST, ONE, Bytes, Floats, Grid, Ints
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.text.names import BASIS, PRIME, Spelled, next_word
from littlestone.engine.text.numbers import AT, LARGEST, LONGEST, MORE, Known, note, resumed, short, undecided

# Where more things stand in meta: what has come, the largest number of the line, and the options of the file
WEIGHTED, TAGGED, SPACES, WIDEST, LIMIT, UNLABELLED, NUMBERED, FOREIGN, SIZE = range(MORE, MORE + 9)

# What `lines` returns
DONE, NO_LABEL, LABEL, WEIGHT, BASE, MANY, TAG, NO_BAR, SPACE, SCALE, NAME, VALUE, LARGE, MIXED, RANGE, TEXT = range(16)


class Rows(NamedTuple):
    """Room for rows: where their features end and the values of these, and what stands before the bar."""

    indptr: Ints
    values: Floats
    labels: Floats
    weights: Floats
    tags: Grid[Ints]
    lines: Ints


@inlined
def _ends(c: int) -> bool:
    """Tell whether a word is over: at a blank, a line feed or a bar."""
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 124  # noqa: PLR1714 -- a set would cost


@native
def _number(data: Bytes, p: np.uint64, known: Known, meta: Ints) -> tuple[float, np.uint64]:
    """Return the number that fills the word at ``p``, and where the word ends; NaN if it is none.

    A number that is not short is looked up; one that is not there is noted, and taken for a 0.
    """
    value, q = short(data, p)
    if q > p and _ends(data[q]):
        return value, q
    while not _ends(data[q]):
        q += ONE
    return undecided(p, q, 0.0, known, meta), q


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
    data: Bytes, p: np.uint64, row: np.uint64, known: Known, rows: Rows, meta: Ints
) -> tuple[int, np.uint64]:
    """Read ``[label [weight [base]]] [tag]`` up to the first bar; return what is wrong, and where."""
    _, _, labels, weights, tags, _ = rows
    labels[row], weights[row], tags[row, 0], tags[row, 1] = math.nan, 1.0, 0, 0
    count, tagged = 0, False
    p = next_word(data, p)
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
        elif count == 3:
            return MANY, at
        else:
            value, _ = _number(data, at, known, meta)
            if count == 0:
                labels[row] = value
                if not abs(value) <= MOST:
                    return LABEL, at
            elif count == 1:
                weights[row] = value
                meta[WEIGHTED] |= value != 1.0
                if not 0.0 <= value <= MOST:
                    return WEIGHT, at
            elif value != 0.0:
                return BASE, at
            count += 1
        p = next_word(data, p)
    return DONE, p


@inlined
def _namespace(
    data: Bytes, at: np.uint64, spaced: np.int64, spaces: Ints, known: Known, meta: Ints
) -> tuple[int, np.uint64, np.uint64, np.int64, np.uint64, float]:
    """Read ``namespace[:scale]`` behind a bar; return what is wrong and where, and where it ends.

    Then its number (0: it has no name), the hash with which its names begin, and its scale.
    """
    code, p, owner, basis, scale = DONE, at, np.int64(0), BASIS, 1.0
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
        scale, p = _number(data, at, known, meta)
        code = SCALE if code == DONE and not abs(scale) <= MOST else code
    return code, at, p, owner, basis, scale


@inlined
def _numbered(data: Bytes, at: np.uint64, owner: np.int64, limit: np.int64) -> tuple[int, np.int64, np.uint64]:
    """Read an attribute that is a number; return what is wrong, the number, and where it ends."""
    code, p, attribute = DONE, at, np.int64(0)
    while 48 <= data[p] <= 57:
        attribute = 10 * attribute + np.int64(data[p]) - 48
        p += ONE
    if owner > 0 or not (_ends(data[p]) or data[p] == 58):
        code = MIXED
    elif attribute >= limit or p - at > LONGEST:
        code = RANGE
    return code, attribute, p


@inlined
def _value(
    data: Bytes, at: np.uint64, p: np.uint64, scale: float, known: Known, meta: Ints
) -> tuple[int, np.uint64, float, np.uint64]:
    """Read the value behind the colon at ``p``, of the name from ``at``; return what is wrong, where, and its end."""
    code, place = (NAME, at) if p == at else (DONE, p + ONE)
    value, p = _number(data, p + ONE, known, meta)
    if not abs(value) <= MOST:
        code = VALUE
    return code, place, value * scale, p


@inlined
def _name(words: Spelled, at: np.uint64, owner: np.int64, basis: np.uint64, stored: np.uint64) -> np.uint64:
    """Read a name, note it as number ``stored`` of the words, and return where it ends."""
    p, h, c = at, basis, words.data[at]
    while not (_ends(c) or c == 58):
        h = (h ^ np.uint64(c)) * PRIME
        p += ONE
        c = words.data[p]
    words.places[stored], words.lengths[stored], words.owners[stored], words.hashes[stored] = at, p - at, owner, h
    return p


@inlined
def _features(
    words: Spelled, p: np.uint64, owner: np.int64, basis: np.uint64, scale: float, stored: np.uint64, real: bool,
    total: float, known: Known, values: Floats, meta: Ints,
) -> tuple[int, np.uint64, np.uint64, np.uint64, bool, float]:  # fmt: skip
    """Read ``name[:value] ...`` up to a bar or the end of the line.

    Return what is wrong and where, where it ends, how many are stored, whether values are, and the sum of their sizes.
    """
    code, at, data = DONE, p, words.data
    numbered, limit, largest = meta[NUMBERED] != 0, meta[LIMIT], meta[WIDEST]
    while True:
        if data[p] == 32:
            p += ONE
        if data[p] <= 32:
            p = next_word(data, p)
        if data[p] == 10 or data[p] == 124:
            break
        at, value = p, scale
        if numbered:
            code, attribute, p = _numbered(data, p, owner, limit)
            largest = max(largest, attribute)
            words.places[stored] = attribute
        else:
            p = _name(words, p, owner, basis, stored)
        if data[p] == 58 and code == DONE:
            code, at, value, p = _value(data, at, p, scale, known, meta)
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
        stored += ONE
    meta[WIDEST] = largest
    return code, at, p, stored, real, total


@native
def lines(words: Spelled, known: Known, rows: Rows, meta: Ints) -> int:
    """Read lines ``[label [weight [base]]] [tag]|namespace[:scale] name[:value] ... |...`` until a bad one.

    The name of a feature is the ``lengths`` bytes at ``places``, behind its namespace from ``spaces[2 owner - 2]`` to
    ``spaces[2 owner - 1]``, if it has one (owner > 0). Where attributes are numbers (``meta[NUMBERED]``), ``places``
    holds them, all below ``meta[LIMIT]``, the rest nothing. Values are not written while all of them are 1. Lines
    without a label are taken if ``meta[UNLABELLED]``; if ``meta[FOREIGN]``, each is checked to be UTF-8 without zero
    bytes.
    """
    words, known, rows, meta = borrowed(words), borrowed(known), borrowed(rows), borrowed(meta)
    data = words.data
    p, line, row, stored, real = resumed(meta)
    end, spaced, code = np.uint64(len(data)), meta[SPACES], DONE
    while p < end:
        begin, kept = p, stored
        p = next_word(data, p)
        if data[p] == 10:
            p += ONE
            line += 1
            continue
        code, p = _label_side(data, p, row, known, rows, meta)
        at, total, meta[WIDEST] = p, 0.0, -1
        if code == DONE and meta[UNLABELLED] == 0 and math.isnan(rows.labels[row]):
            code, at = NO_LABEL, begin
        while code == DONE and data[p] == 124:
            code, at, p, owner, basis, scale = _namespace(data, p + ONE, spaced, words.spaces, known, meta)
            if code == DONE:
                before = stored
                code, at, p, stored, real, total = _features(
                    words, p, owner, basis, scale, stored, real, total, known, rows.values, meta
                )
                spaced = max(spaced, owner) if stored > before else spaced
        if code == DONE and meta[FOREIGN] != 0:
            p = _bad_text(data, begin)
            code, at = DONE if data[p] == 10 else TEXT, p
        if code != DONE:
            meta[AT] = at
            p, stored = begin, kept
            break
        meta[LARGEST] = max(meta[LARGEST], meta[WIDEST])
        rows.lines[row] = line
        row += ONE
        rows.indptr[row] = stored
        p += ONE
        line += 1
    note(p, line, row, stored, real, meta)
    meta[SPACES] = spaced
    return code
