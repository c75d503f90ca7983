"""Numbers in the bytes of text, read exactly; and where the parsers of lines note how far they are.

The bytes are whole lines, each ended by a line feed: no loop runs past one, so none needs to look for the end.
"""

import math
from typing import NamedTuple

import numpy as np

from littlestone.engine.arrays import HALF, LOW, ONE, TWO, Bytes, Floats, Ints, Read, Whole, Words
from littlestone.engine.compiling import inlined, native

# Where things stand in meta, whatever is parsed; a format may have more
POSITION, LINE, ROWS, STORED, REAL, LARGEST, HARD, AT, MORE = range(9)

DIGITS = 18  # so many fit in an int64
LONGEST = np.uint64(DIGITS)
FARTHEST = 10**9  # exponents beyond it are all the same
TENS = np.array([float(10**k) for k in range(23)])  # those that are floats exactly
LEAST_POWER, MOST_POWER = -342, 308
FIFTEEN = np.uint64(15)


class Known(NamedTuple):
    """Numbers that a kernel does not decide: those known by now, by the places where they begin, in order.

    In ``spans`` a kernel notes where others begin and end, ``meta[HARD]`` of them: it has to begin again with these.
    """

    at: Ints
    values: Floats
    spans: Ints


def _powers_of_five() -> Words:
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
def undecided(p: np.uint64, stop: np.uint64, guess: float, known: Known, meta: Ints) -> float:
    """Return the number from ``p`` to ``stop`` if it is known; note where it stands, and return a guess, if not."""
    k = np.searchsorted(known.at, np.int64(p))
    if k < len(known.at) and known.at[k] == np.int64(p):
        return float(known.values[k])
    known.spans[2 * meta[HARD]], known.spans[2 * meta[HARD] + 1] = p, stop
    meta[HARD] += 1
    return guess


@native
def _exponent(data: Bytes, p: np.uint64) -> tuple[np.int64, np.uint64]:
    """Return the exponent behind the e at ``p``, and where it ends: at ``p`` where there is none."""
    down = data[p + ONE] == 45
    q = p + (TWO if down or data[p + ONE] == 43 else ONE)
    first, e = q, np.int64(0)
    while 48 <= data[q] <= 57:
        e = min(10 * e + np.int64(data[q]) - 48, np.int64(FARTHEST))
        q += ONE
    return -e if down else e, p if q == first else q


@native
def number(data: Bytes, p: np.uint64, known: Known, meta: Ints) -> tuple[float, np.uint64]:
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
        e, stop = _exponent(data, p)
        if stop == p:
            return 0.0, p  # whoever called sees the e
        exponent, p = exponent + e, stop
    if m == 0:
        value = 0.0
    elif rest:
        value = _nearest(m, exponent)
        if value != _nearest(m + 1, exponent):  # 18 digits do not decide
            return undecided(start, p, value, known, meta), p
    elif m <= 1 << 53 and -22 <= exponent <= 22:
        value = m * TENS[exponent] if exponent >= 0 else m / TENS[-exponent]
    else:
        value = _nearest(m, exponent)
    return -value if negative else value, p


@inlined
def digits(data: Bytes, p: np.uint64, m: np.int64) -> tuple[np.int64, np.uint64, np.int64]:
    """Read the digits at ``p``, behind those of m; return the number, where it ends, and the byte there less 48."""
    d = np.int64(data[p]) - 48
    while 0 <= d <= 9:
        m = 10 * m + d
        p += ONE
        d = np.int64(data[p]) - 48
    return m, p, d


@native
def short(data: Bytes, p: np.uint64) -> tuple[float, np.uint64]:
    """Return a number of at most 15 digits without exponent, and where it ends; ``p`` if it is another one."""
    start, negative = p, data[p] == 45
    if negative or data[p] == 43:
        p += ONE
    first = p
    m, p, d = digits(data, p, np.int64(0))
    if d != -2:
        value = float(m)
        length = p - first
    else:
        point = p + ONE
        m, p, _ = digits(data, point, m)
        length = p - first - ONE
        value = m / TENS[min(p - point, FIFTEEN)]
    return -value if negative else value, p if length - ONE < FIFTEEN else start


@native
def decimals(data: Read[Bytes], words: Ints, known: Known, out: Floats, meta: Ints) -> None:
    """Read the number from ``words[2 k]`` to ``words[2 k + 1]``, for each k; NaN is what is none."""
    for k in range(len(out)):
        value, p = number(data, np.uint64(words[2 * k]), known, meta)
        out[k] = value if np.int64(p) == words[2 * k + 1] and words[2 * k] < words[2 * k + 1] else math.nan


@inlined
def resumed(meta: Ints) -> tuple[np.uint64, np.int64, np.uint64, np.uint64, bool]:
    """Return where a parser goes on: position, line, rows, what is stored, and whether it has values other than 1."""
    return np.uint64(meta[POSITION]), meta[LINE], np.uint64(meta[ROWS]), np.uint64(meta[STORED]), meta[REAL] != 0


@inlined
def note(p: np.uint64, line: np.int64, row: np.uint64, stored: np.uint64, real: bool, meta: Ints) -> None:
    """Write down where a parser has stopped, for `resumed`."""
    meta[POSITION], meta[LINE], meta[ROWS], meta[STORED], meta[REAL] = p, line, row, stored, real
