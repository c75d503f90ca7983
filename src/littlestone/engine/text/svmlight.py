"""The lines of svmlight (libsvm) files to CSR arrays.

As in `littlestone.engine.text.numbers` the bytes are whole lines and no loop runs past a line feed. The kernel stops at
the first bad line, says where and why in ``meta``, and can be sent on behind it.
"""

import math
from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import MOST, ONE, TWO, Bytes, Columns, Floats, Ints, Read, Whole
from littlestone.engine.compiling import inlined, native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.text.names import next_word, sort
from littlestone.engine.text.numbers import AT, LARGEST, LONGEST, MORE, Known, digits, note, number, resumed, short

# Where more things stand in meta: an index that comes twice, and the options of the file
WHAT, BASE, LIMIT, UNLABELLED, SIZE = range(MORE, MORE + 5)

# What the kernel returns
DONE, NO_LABEL, LABEL, LABELS, PAIR, VALUE, INFINITE, LARGE, ZERO, RANGE, TWICE, QUERY = range(12)


class Rows(NamedTuple):
    """Room for rows: CSR arrays, labels, and the lines on which they stand."""

    indptr: Ints
    indices: Columns
    values: Floats
    labels: Floats
    lines: Ints


@native
def _wrong(data: Bytes, p: np.uint64, otherwise: int) -> int:
    """Return why what begins at ``p`` is no number: "nan" and "inf" are refused by name."""
    if data[p] == 43 or data[p] == 45:
        p += ONE
    second = 97 if data[p] | 32 == 110 else 110 if data[p] | 32 == 105 else 0
    return INFINITE if second and data[p + ONE] | 32 == second else otherwise


@native
def _tidy(indices: Columns, values: Floats, first: Whole, last: Whole, real: bool) -> tuple[Whole, Whole]:
    """Sort a row and drop its zeros; return where it ends, and an index that comes twice, or -1."""
    sort(indices, values, first, last, real)
    kept = first
    for i in range(first, last):
        if i > first and indices[i] == indices[i - 1]:
            return last, np.int64(indices[i])
    for i in range(first, last):
        if not real or values[i] != 0.0:
            indices[kept] = indices[i]
            if real:
                values[kept] = values[i]
            kept += 1
    return kept, -1


@inlined
def _ends(c: int) -> bool:
    """Tell whether a word is over: at a blank, a line feed or a comment."""
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 35  # noqa: PLR1714 -- a set would cost


@native
def _after_query(data: Bytes, p: np.uint64) -> np.uint64:
    """Return where "qid:" and a whole number end, or ``p`` if it is something else."""
    q = p
    for c in (113, 105, 100, 58):
        if data[q] != c:
            return p
        q += ONE
    digits = q
    while 48 <= data[q] <= 57:
        q += ONE
    return q if q > digits and _ends(data[q]) else p


@inlined
def _label(data: Bytes, at: np.uint64, unlabelled: bool, known: Known, meta: Ints) -> tuple[int, float, np.uint64]:
    """Read the label at ``at``; return what is wrong, the label (NaN: none), and where it ends."""
    code = DONE
    label, p = short(data, at)
    if p == at or not _ends(data[p]):
        label, p = number(data, at, known, meta)
    if p == at or not _ends(data[p]):
        code = _wrong(data, at, LABEL) if p == at else LABEL
        if p > at and data[p] == 44:
            code = LABELS
        elif p > at and data[p] == 58:
            label, p = math.nan, at
            code = DONE if unlabelled else NO_LABEL
    elif not abs(label) <= MOST:
        code = LARGE
    return code, label, p


@inlined
def _usual(
    data: Bytes,
    p: np.uint64,
    base: np.int64,
    limit: np.int64,
    last: np.int64,
    real: bool,
    stored: np.uint64,
    rows: Rows,
) -> tuple[np.uint64, np.int64, np.uint64]:
    """Read features as long as they look as most do; return where that ends, the last index, and how many are stored.

    They do if there is one blank before, the index is larger than the last, and the value is short or, unless there
    are others (``real``), 1.
    """
    while data[p] == 32:
        index, q, d = digits(data, p + ONE, np.int64(0))
        index -= base
        if d != 10 or q - p - TWO >= LONGEST or index <= last or index >= limit:
            break
        q += ONE
        value = 1.0
        if data[q] == 49 and _ends(data[q + ONE]):
            q += ONE
        elif real:
            value, r = short(data, q)
            if r == q or not _ends(data[r]) or value == 0.0:
                break
            q = r
        else:
            break
        if real:
            rows.values[stored] = value
        rows.indices[stored] = index
        stored += ONE
        last, p = index, q
    return p, last, stored


@inlined
def _feature(
    data: Bytes, at: np.uint64, base: np.int64, limit: np.int64, known: Known, meta: Ints
) -> tuple[int, np.uint64, np.int64, float, np.uint64]:
    """Read any feature, which begins with a digit; return what is wrong and where, index, value, and where it ends."""
    code, value = DONE, 0.0
    index, p, d = digits(data, at, np.int64(0))
    index -= base
    if d != 10 or p - at > LONGEST or not 0 <= index < limit:
        code = PAIR if d != 10 else ZERO if index < 0 and p - at <= LONGEST else RANGE
    else:
        at = p + ONE
        value, p = number(data, at, known, meta)
        if p == at or not _ends(data[p]):
            code = _wrong(data, at, VALUE)
        elif not abs(value) <= MOST:
            code = LARGE
    return code, at, index, value, p


@inlined
def _features(
    data: Bytes, p: np.uint64, stored: np.uint64, real: bool, known: Known, rows: Rows, meta: Ints
) -> tuple[int, np.uint64, np.uint64, np.int64, bool, np.uint64, bool]:
    """Read ``[qid:q] index:value ...`` up to the end of the line or a comment.

    Return what is wrong and where, where it ends, the last index, whether all indices rise and no value is 0, how many
    are stored, and whether values are.
    """
    code, at, last, rising, base, limit = DONE, p, np.int64(-1), True, meta[BASE], meta[LIMIT]
    while True:
        p, last, stored = _usual(data, p, base, limit, last, real, stored, rows)
        p = next_word(data, p)
        at = p
        if data[p] == 10 or data[p] == 35:
            break
        if not 48 <= data[p] <= 57:
            p = _after_query(data, p) if last < 0 else p
            if p > at:
                continue
            code = QUERY if data[p] == 113 else PAIR
            break
        code, at, index, value, p = _feature(data, p, base, limit, known, meta)
        if code != DONE:
            break
        if value != 1.0 and not real:
            rows.values[:stored] = 1.0
            real = True
        if real:
            rows.values[stored] = value
        rising = rising and value != 0.0 and bool(index > last)
        last = index
        rows.indices[stored] = index
        stored += ONE
    return code, at, p, last, rising, stored, real


@native
def svmlight(data: Read[Bytes], known: Known, rows: Rows, meta: Ints) -> int:
    """Read lines ``label [qid:q] index:value ... # comment`` until their end, or a bad one.

    Indices begin at ``meta[BASE]`` and are below ``meta[LIMIT]`` behind it; lines without a label are taken if
    ``meta[UNLABELLED]``. Values are not written while all of them are 1.
    """
    data, known, rows, meta = borrowed(data), borrowed(known), borrowed(rows), borrowed(meta)
    p, line, row, stored, real = resumed(meta)
    end, code = np.uint64(len(data)), DONE
    while p < end:
        begin, kept = p, stored
        p = next_word(data, p)
        if data[p] != 10 and data[p] != 35:
            at, last, rising = p, np.int64(-1), True
            code, label, p = _label(data, p, meta[UNLABELLED] != 0, known, meta)
            if code == DONE:
                code, at, p, last, rising, stored, real = _features(data, p, stored, real, known, rows, meta)
            if code == DONE and not rising:
                last = np.int64(rows.indices[kept:stored].max())
                stop, meta[WHAT] = _tidy(rows.indices, rows.values, np.int64(kept), np.int64(stored), real)
                stored = np.uint64(stop)
                if meta[WHAT] >= 0:
                    code, at = TWICE, begin
            if code != DONE:
                meta[AT] = at
                p, stored = begin, kept
                break
            meta[LARGEST] = max(meta[LARGEST], last)
            rows.labels[row], rows.lines[row] = label, line
            row += ONE
            rows.indptr[row] = stored
        while data[p] != 10:
            p += ONE
        p += ONE
        line += 1
    note(p, line, row, stored, real, meta)
    return code
