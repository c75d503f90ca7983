"""Tables in text: rows to cells, cells to numbers and hashes, and columns of both to CSR rows.

As in `littlestone.engine.text.svmlight` the bytes are whole lines, and no loop runs past the last line feed.
"""

import math

import numpy as np

from littlestone.engine.arrays import Bytes, Columns, Floats, Grid, Ints, Read, Words
from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.text.names import hashed, sort
from littlestone.engine.text.numbers import short

ROWS, LINES, SPARE, SIZE = range(4)  # of meta: rows, lines, and where unquoted text ends behind the bytes


@native
def tokens(
    data: Bytes, size: int, delimiter: int, quote: int, longest: int, starts: Grid[Columns], ends: Grid[Columns],
    numbers: Ints, meta: Ints,
) -> bool:  # fmt: skip
    """Divide ``data[:size]`` into rows of ``len(starts)`` cells each; tell whether all of them are sound.

    Cell c of row r is ``data[starts[c, r]:ends[c, r]]``; a quoted one with quotes inside is written without them behind
    the bytes. A row begins in line ``numbers[r]``, counted from 0. Empty lines are no rows.
    """
    p, row, line, width, spare = 0, 0, 0, len(starts), size
    while p < size:
        if data[p] == 10 or (data[p] == 13 and data[p + 1] == 10):
            p += 1 if data[p] == 10 else 2
            line += 1
            continue
        numbers[row], cell = line, 0
        while True:
            if cell == width:
                return False
            if data[p] == quote:
                p += 1
                at, begin, plain = p, spare, True
                while True:
                    while p < size and data[p] != quote:
                        line += data[p] == 10
                        p += 1
                    if p == size:
                        return False
                    if data[p + 1] != quote:
                        break
                    plain = False
                    for q in range(at, p + 1):
                        data[spare] = data[q]
                        spare += 1
                    p += 2
                    at = p
                if plain:
                    starts[cell, row], ends[cell, row] = at, p
                else:
                    for q in range(at, p):
                        data[spare] = data[q]
                        spare += 1
                    starts[cell, row], ends[cell, row] = begin, spare
                    data[spare] = 10
                    spare += 1
                p += 1
                if data[p] == 13 and data[p + 1] == 10:
                    p += 1
                if data[p] != delimiter and data[p] != 10:
                    return False
            else:
                at = p
                while data[p] != delimiter and data[p] != 10 and data[p] != 13:
                    p += 1
                starts[cell, row], ends[cell, row] = at, p
                if data[p] == 13:
                    p += 1
                    if data[p] != 10:
                        return False
            if np.int64(ends[cell, row]) - np.int64(starts[cell, row]) > longest:
                return False
            cell += 1
            p += 1
            if data[p - 1] == 10:
                break
        if cell < width:
            return False
        line += 1
        row += 1
    meta[ROWS], meta[LINES], meta[SPARE] = row, line, spare
    return True


@native
def numbers(data: Read[Bytes], starts: Columns, ends: Columns, empty: bool, values: Floats, odd: Columns) -> int:
    """Read a column of short numbers; NaN is a cell that is ``empty`` (if it may be), or one of those in ``odd``."""
    data, count = borrowed(data), 0
    for row in range(len(starts)):
        at, stop = np.uint64(starts[row]), np.uint64(ends[row])
        value, end = short(data, at)
        if end != stop or at == stop:
            value = math.nan
            if at < stop or not empty:
                odd[count] = row
                count += 1
        values[row] = value
    return count


@native
def hashes(data: Read[Bytes], starts: Columns, ends: Columns, lengths: Columns, found: Words) -> None:
    """Hash the cells of a column."""
    data = borrowed(data)
    for row in range(len(starts)):
        lengths[row] = ends[row] - starts[row]
        found[row] = hashed(data, np.uint64(starts[row]), np.uint64(ends[row]))


@native
def gather(
    named: Grid[Ints], numeric: Ints, values: Grid[Floats], zeros: bool, indptr: Ints, indices: Columns, out: Floats
) -> bool:
    """Put columns together to rows: ``named[c, r]`` is an attribute that is on, if it is not negative.

    Attribute ``numeric[c]`` has the value ``values[c, r]``, if it is not NaN, nor 0 unless ``zeros`` are kept. ``out``
    is written where there is any value other than 1; return whether there is.
    """
    stored, real = 0, False
    for row in range(len(indptr) - 1):
        first = stored
        for c in range(len(named) + len(numeric)):
            value = 1.0
            if c < len(named):
                column = named[c, row]
                if column < 0:
                    continue
            else:
                column, value = numeric[c - len(named)], values[c - len(named), row]
                if not value < 0.0 and not value > 0.0 and not (zeros and value == 0.0):  # NaN, or 0
                    continue
                real = real or value != 1.0
            indices[stored], out[stored] = column, value
            stored += 1
        sort(indices, out, first, stored, True)
        indptr[row + 1] = stored
    return real
