"""Bytes of text to CSR arrays: decimals read exactly, and the lines of svmlight (libsvm) files.

The bytes are whole lines, each ended by a line feed: no loop here runs past one, so none needs to look for the end.
A kernel stops at the first bad line, says where and why in ``meta``, and can be sent on behind it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from littlestone.engine.compiling import inlined, native

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Columns = NDArray[np.uint32]
Floats = NDArray[np.float64]
Whole = int | np.int64

# Where things stand in meta
POSITION, LINE, ROWS, STORED, REAL, LARGEST, HARD, AT, WHAT, SIZE = range(10)

# What a kernel returns
DONE, NO_LABEL, LABEL, LABELS, PAIR, VALUE, INFINITE, LARGE, ZERO, RANGE, TWICE, QUERY = range(12)

MOST = 1e100
DIGITS = 18  # so many fit in an int64
LONGEST, FIFTEEN = np.uint64(DIGITS), np.uint64(15)
FARTHEST = 10**9  # exponents beyond it are all the same
TENS = np.array([float(10**k) for k in range(23)])  # those that are floats exactly
LEAST_POWER, MOST_POWER = -342, 308
ONE, TWO, HALF, LOW = np.uint64(1), np.uint64(2), np.uint64(32), np.uint64(0xFFFFFFFF)


def _powers_of_five() -> NDArray[np.uint64]:
    """Return the first 128 bits of 5^q, rounded up where q < 0, as two words each."""
    words = []
    for q in range(LEAST_POWER, MOST_POWER + 1):
        power = 5 ** abs(q)
        if q < 0:
            power = (1 << (power.bit_length() + 127 + (0 if q >= -27 else power.bit_length() + 1))) // power + 1
        length = power.bit_length()
        bits = power >> (length - 128) if length > 128 else power << (128 - length)
        words.append((bits >> 64, bits & (2**64 - 1)))
    return np.array(words, dtype=np.uint64)


FIVES = _powers_of_five()


@native
def _product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the high and the low word of a product."""
    a0, a1, b0, b1 = a & LOW, a >> HALF, b & LOW, b >> HALF
    low, middle, other = a0 * b0, a1 * b0, a0 * b1
    carried = (low >> HALF) + (middle & LOW) + (other & LOW)
    return a1 * b1 + (middle >> HALF) + (other >> HALF) + (carried >> HALF), (low & LOW) | (carried << HALF)


@native
def _nearest(m: Whole, q: Whole) -> float:
    """Return the float nearest to m 10^q, for 0 < m < 10^18 + 1.

    Eisel and Lemire's algorithm (D. Lemire, Number parsing at a gigabyte per second, 2021), which needs no second
    thought for so few digits (N. Mushtak and D. Lemire, Fast number parsing without fallback, 2023).
    """
    if q < LEAST_POWER:
        return 0.0
    if q > MOST_POWER:
        return math.inf
    zeros, w = 0, np.uint64(m)
    for shift in (32, 16, 8, 4, 2, 1):
        if w >> np.uint64(64 - shift) == np.uint64(0):
            w <<= np.uint64(shift)
            zeros += shift
    high, low = _product(w, FIVES[q - LEAST_POWER, 0])
    if high & np.uint64(0x1FF) == np.uint64(0x1FF):
        more, _ = _product(w, FIVES[q - LEAST_POWER, 1])
        low += more
        if low < more:
            high += np.uint64(1)
    upper = np.int64(high >> np.uint64(63))
    cut = np.uint64(upper + 9)
    mantissa = np.int64(high >> cut)
    power = ((217706 * q) >> 16) + 63 + upper - zeros + 1023
    if power <= 0:  # a subnormal number
        if power <= -63:
            return 0.0
        mantissa >>= 1 - power
        mantissa = (mantissa + (mantissa & 1)) >> 1
        return math.ldexp(float(mantissa), -1074)
    if low <= np.uint64(1) and -4 <= q <= 23 and mantissa & 3 == 1 and np.uint64(mantissa) << cut == high:
        mantissa -= 1  # a tie goes to the even one
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if power >= 2046 and (power > 2046 or mantissa >= 1 << 53):
        return math.inf
    return math.ldexp(float(mantissa), int(power - 1075))


@native
def _hard(p: np.uint64, stop: np.uint64, guess: float, known_at: Ints, known: Floats, spans: Ints, meta: Ints) -> float:
    """Return a number that 18 digits do not decide, if it is known; note where it stands, if it is not."""
    k = np.searchsorted(known_at, np.int64(p))
    if k < len(known_at) and known_at[k] == p:
        return float(known[k])
    spans[2 * meta[HARD]], spans[2 * meta[HARD] + 1] = p, stop
    meta[HARD] += 1
    return guess


@native
def _number(
    data: Bytes, p: np.uint64, known_at: Ints, known: Floats, spans: Ints, meta: Ints
) -> tuple[float, np.uint64]:  # fmt: skip
    """Return the number that begins at ``p`` and where it ends; it ends at ``p`` where none begins."""
    start, negative = p, data[p] == 45
    if negative or data[p] == 43:
        p += ONE
    m, exponent, digits, seen = np.int64(0), np.int64(0), 0, 0
    rest = fraction = False
    while True:
        d = np.int64(data[p]) - 48
        if 0 <= d <= 9:
            seen += 1
            if digits < DIGITS:
                m = 10 * m + d
                digits += 1 if m > 0 else 0
                exponent -= 1 if fraction else 0
            else:
                rest = rest or bool(d > 0)
                exponent += 0 if fraction else 1
        elif d == -2 and not fraction:
            fraction = True
        else:
            break
        p += ONE
    if seen == 0:
        return 0.0, start
    if data[p] | 32 == 101:
        e, mark, down = np.int64(0), p, data[p + ONE] == 45
        p += TWO if down or data[p + ONE] == 43 else ONE
        first = p
        while 48 <= data[p] <= 57:
            e = min(10 * e + np.int64(data[p]) - 48, np.int64(FARTHEST))
            p += ONE
        if p == first:
            return 0.0, mark  # whoever called sees the e
        exponent += -e if down else e
    if m == 0:
        value = 0.0
    elif rest:
        value = _nearest(m, exponent)
        if value != _nearest(m + 1, exponent):
            value = _hard(start, p, value, known_at, known, spans, meta)
            return value, p
    elif m <= 1 << 53 and -22 <= exponent <= 22:
        value = m * TENS[exponent] if exponent >= 0 else m / TENS[-exponent]
    else:
        value = _nearest(m, exponent)
    return -value if negative else value, p


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


@native
def decimals(data: Bytes, words: Ints, known_at: Ints, known: Floats, spans: Ints, out: Floats, meta: Ints) -> None:
    """Read the number from ``words[2 k]`` to ``words[2 k + 1]``, for each k; NaN is what is none."""
    for k in range(len(out)):
        value, p = _number(data, np.uint64(words[2 * k]), known_at, known, spans, meta)
        out[k] = value if np.int64(p) == words[2 * k + 1] and words[2 * k] < words[2 * k + 1] else math.nan


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
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:  # Shell's sort, with Knuth's steps: of the order of n^(3/2) at most
        for i in range(first + gap, last):
            index, value, j = indices[i], values[i] if real else 1.0, i - gap
            while j >= first and indices[j] > index:
                indices[j + gap] = indices[j]
                if real:
                    values[j + gap] = values[j]
                j -= gap
            indices[j + gap] = index
            if real:
                values[j + gap] = value
        gap //= 3
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
def _word(data: Bytes, p: np.uint64) -> np.uint64:
    """Return where the next word begins, or the line ends."""
    while data[p] == 32 or data[p] == 9 or data[p] == 13:
        p += ONE
    return p


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


@native
def svmlight(
    data: Bytes, base: int, most: int, unlabelled: bool, known_at: Ints, known: Floats, spans: Ints,
    indptr: Ints, indices: Columns, values: Floats, labels: Floats, lines: Ints, meta: Ints,
) -> int:  # fmt: skip
    """Read lines ``label [qid:q] index:value ... # comment`` until their end, or a bad one.

    Indices begin at ``base`` and are below ``most`` behind it. ``values`` is not written while all of them are 1.
    """
    p, end, line, row = np.uint64(meta[POSITION]), np.uint64(len(data)), meta[LINE], np.uint64(meta[ROWS])
    stored, real, largest, code = np.uint64(meta[STORED]), meta[REAL] != 0, meta[LARGEST], DONE
    while p < end:
        begin, kept = p, stored
        p = _word(data, p)
        if data[p] != 10 and data[p] != 35:
            at = p
            label, p = _short(data, p)
            if p == at or not _ends(data[p]):
                label, p = _number(data, at, known_at, known, spans, meta)
            if p == at or not _ends(data[p]):
                code = _wrong(data, at, LABEL) if p == at else LABEL
                if p > at and data[p] == 44:
                    code = LABELS
                elif p > at and data[p] == 58:
                    label, p = math.nan, at
                    code = DONE if unlabelled else NO_LABEL
            elif not abs(label) <= MOST:
                code = LARGE
            last, tidy = np.int64(-1), False
            while code == DONE:
                while data[p] == 32:  # what most features look like; any other is left to what follows
                    q, index = p + ONE, np.int64(0)
                    d = np.int64(data[q]) - 48
                    while 0 <= d <= 9:
                        index = 10 * index + d
                        q += ONE
                        d = np.int64(data[q]) - 48
                    index -= base
                    if d != 10 or q - p - TWO >= LONGEST or index <= last or index >= most:
                        break
                    q += ONE
                    value = 1.0
                    if data[q] == 49 and _ends(data[q + ONE]):
                        q += ONE
                    elif real:
                        value, r = _short(data, q)
                        if r == q or not _ends(data[r]) or value == 0.0:
                            break
                        q = r
                    else:
                        break
                    if real:
                        values[stored] = value
                    indices[stored] = index
                    stored += ONE
                    last, p = index, q
                p = _word(data, p)
                c = np.int64(data[p])
                if c == 10 or c == 35:  # noqa: PLR1714
                    break
                at, index = p, c - 48
                if not 0 <= index <= 9:
                    p = _after_query(data, p) if last < 0 else p
                    if p == at:
                        code = QUERY if c == 113 else PAIR
                    continue
                p += ONE
                d = np.int64(data[p]) - 48
                while 0 <= d <= 9:
                    index = 10 * index + d
                    p += ONE
                    d = np.int64(data[p]) - 48
                index -= base
                if d != 10 or p - at > LONGEST or not 0 <= index < most:
                    code = PAIR if d != 10 else ZERO if index < 0 and p - at <= LONGEST else RANGE
                    break
                p += ONE
                at = p
                value, p = _number(data, p, known_at, known, spans, meta)
                if p == at or not _ends(data[p]):
                    code = _wrong(data, at, VALUE)
                    break
                if not abs(value) <= MOST:
                    code = LARGE
                    break
                if value != 1.0 and not real:
                    values[:stored] = 1.0
                    real = True
                if real:
                    values[stored] = value
                tidy = tidy or value == 0.0 or bool(index <= last)
                last = index
                indices[stored] = index
                stored += ONE
            if code == DONE and tidy:
                last = np.int64(indices[kept:stored].max())
                ends, meta[WHAT] = _tidy(indices, values, np.int64(kept), np.int64(stored), real)
                stored = np.uint64(ends)
                if meta[WHAT] >= 0:
                    code, at = TWICE, begin
            if code != DONE:
                meta[AT] = at
                p, stored = begin, kept
                break
            largest = max(largest, last)
            labels[row], lines[row] = label, line
            row += ONE
            indptr[row] = stored
        while data[p] != 10:
            p += ONE
        p += ONE
        line += 1
    meta[POSITION], meta[LINE], meta[ROWS], meta[STORED] = p, line, row, stored
    meta[REAL], meta[LARGEST] = real, largest
    return code
