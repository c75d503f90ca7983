"""Boolean rows as 64-bit words: overlaps by counting bits, signed histograms of them, and the exact sign of a sum.

Stored rows lie in tiles: ``words[tile, w, lane]`` is word w of row ``LANES * tile + lane``, so that a pass over the
store reads memory in order and counts the bits of several rows at once. A row with coefficient 0 does not count.

The *level* of a stored row y at a row x is the number of attributes on in both or, ``negated``, of those on which they
differ; ``hist[row, level]`` is the sum of the coefficients of the stored rows there.
"""

import numpy as np

from littlestone.engine.arrays import LANES, ONE, Bytes, Columns, Cube, Floats, Grid, Ints, Read, Words
from littlestone.engine.compiling import native
from littlestone.engine.intrinsics import overlap, popcount

FULL = 1 << 61  # beyond it a sum of carries has decided: what follows is smaller, whatever it is
CARRY, TABLE = range(2)
PLACE, SHIFT = np.uint64(63), np.uint64(6)


def words_for(n: int) -> int:
    """Return how many words hold ``n`` bits."""
    return max(1, -(-n // 64))


def packed(indptr: Ints, indices: Columns, words: int) -> Words:
    """Return CSR rows as bits; what is beyond the last word is left out."""
    rows: Words = np.zeros((len(indptr) - 1, words), dtype=np.uint64)
    pack(indptr, indices, rows)
    return rows


@native
def pack(indptr: Ints, indices: Columns, rows: Grid[Words]) -> None:
    """Set the bits of CSR rows."""
    most = np.uint64(rows.shape[1] * 64)
    for r in range(len(rows)):
        for j in range(indptr[r], indptr[r + 1]):
            i = np.uint64(indices[j])
            if i < most:
                rows[r, i >> SHIFT] |= ONE << (i & PLACE)


@native
def overlaps(A: Grid[Words], B: Grid[Words], found: Grid[Ints]) -> None:
    """Write for all pairs how many bits are on in both."""
    for i in range(len(A)):
        for j in range(len(B)):
            common = np.uint64(0)
            for w in range(A.shape[1]):
                common += popcount(A[i, w] & B[j, w])
            found[i, j] = np.int64(common)


@native
def weigh(keys: Read[Grid[Words]], coefficients: Floats, z: Read[Words], counts: Floats) -> tuple[float, float]:
    """Return the sum of coefficients times counts of what is common with z, and that of its terms' sizes."""
    total, size = 0.0, 0.0
    for e in range(len(keys)):
        common = np.uint64(0)
        for w in range(len(z)):
            common += popcount(keys[e, w] & z[w])
        term = coefficients[e] * counts[common]
        total += term
        size += abs(term)
    return total, size


@native
def put(rows: Grid[Words], words: Cube[Words], first: int) -> None:
    """Write rows into the tiles, from place ``first`` on."""
    for r in range(len(rows)):
        for w in range(rows.shape[1]):
            words[(first + r) // LANES, w, (first + r) % LANES] = rows[r, w]


@native
def count(
    words: Cube[Words],
    coefficients: Ints,
    sizes: Ints,
    stored: int,
    rows: Grid[Words],
    on: Ints,
    negated: bool,
    hist: Grid[Ints],
) -> None:
    """Add all stored rows to the histogram of each row; a tile is read once, and stays in the cache for all rows."""
    common = np.zeros(LANES, dtype=np.int64)
    for tile in range((stored + LANES - 1) // LANES):
        at = LANES * tile
        lanes = min(LANES, stored - at)
        for r in range(len(rows)):
            overlap(words, tile, rows[r], common)
            if negated:
                for lane in range(lanes):
                    hist[r, on[r] + sizes[at + lane] - 2 * common[lane]] += coefficients[at + lane]
            else:
                for lane in range(lanes):
                    hist[r, common[lane]] += coefficients[at + lane]


@native
def correct(
    row: Words, on: int, coefficient: int, rows: Grid[Words], ons: Ints, negated: bool, hist: Grid[Ints]
) -> None:
    """Add one row, stored meanwhile (or forgotten: with the coefficient's opposite), to the histograms of others."""
    for r in range(len(rows)):
        common = np.uint64(0)
        for w in range(len(row)):
            common += popcount(row[w] & rows[r, w])
        o = np.int64(common)
        hist[r, on + ons[r] - 2 * o if negated else o] += coefficient


@native
def carry(hist: Ints, falling: bool) -> tuple[int, int]:
    """Return (a, s) such that the sum of ``hist[i] 2^i`` (falling: ``hist[i] 2^(top - i)``) is a 2^s or near it.

    From the highest power down, what is there is carried over to the next power. Where all powers are used up, s is 0
    and a the sum; where a is beyond FULL, the rest cannot change its sign, nor much of its size, as long as the
    coefficients sum to less than 2^60.
    """
    a = np.int64(0)
    top = len(hist) - 1
    for s in range(top, -1, -1):
        a = 2 * a + hist[top - s if falling else s]
        if a >= FULL or a <= -FULL:
            return a, s
    return a, 0  # type: ignore[return-value]


@native
def decide(
    hist: Grid[Ints], row: int, way: int, table: Ints, falling: bool, threshold: int, outcomes: Bytes,
    predictions: Bytes, sums: Ints, shifts: Ints,
) -> int:  # fmt: skip
    """Predict from ``row`` on, until one is wrong (no outcomes: to the end); return where it stopped.

    The sum of a row is ``sums[row] 2^shifts[row]``; it is compared with the threshold (0 where sums are carried).
    """
    while row < len(hist):
        if way == CARRY:
            sums[row], shifts[row] = carry(hist[row], falling)
        else:
            total = np.int64(0)
            for level in range(hist.shape[1]):
                total += hist[row, level] * table[level]
            sums[row], shifts[row] = total, 0
        predictions[row] = 1 if sums[row] >= threshold else 0
        if len(outcomes) and predictions[row] != outcomes[row]:
            return row
        row += 1
    return row
