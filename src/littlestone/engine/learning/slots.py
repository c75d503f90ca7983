"""Attributes to slots, row by row, as far as there is room; and weights that rows can do without."""

from littlestone.engine.arrays import Bytes, Floats, Ints
from littlestone.engine.compiling import native

NEW, GONE = -1, -2  # where an attribute stands that has no slot, or is never to have one
FREE, SERIAL, FRESH = range(3)  # of meta: how many slots are free, how many rows were seen, slots that are taken


@native
def admit(
    start: int, indptr: Ints, local: Ints, where: Ints, eligible: int,
    seen: Ints, last: Ints, owner: Ints, free: Ints, fresh: Ints, meta: Ints, mapped: Ints,
) -> int:  # fmt: skip
    """Give slots to the attributes of rows, and write the slot of each non-zero, or -1 if it does not count.

    New ones of one row take the smallest free slots in the order in which the row has them. Return the first row whose
    new attributes find too few free slots, or the number of rows.
    """
    rows = len(indptr) - 1
    for row in range(start, rows):
        new = 0
        for j in range(indptr[row], indptr[row + 1]):
            new += where[local[j]] == NEW
        if new > meta[FREE]:
            return row
        for j in range(indptr[row], indptr[row + 1]):
            slot = where[local[j]]
            if slot == GONE:
                mapped[j] = -1
                continue
            if slot == NEW:
                meta[FREE] -= 1
                slot = free[meta[FREE]]
                where[local[j]], owner[slot], seen[slot] = slot, local[j], 0
                fresh[meta[FRESH]] = slot
                meta[FRESH] += 1
            seen[slot] += 1
            last[slot] = meta[SERIAL]  # the row, not the non-zero: how a reader numbers names is not to matter
            mapped[j] = slot if seen[slot] >= eligible else -1
        meta[SERIAL] += 1
    return rows


@native
def spare(
    order: Ints, starts: Ints, rows: Ints, values: Floats, weights: Floats, positive: Bytes, slack: Floats,
    gaps: Floats, kept: Bytes,
) -> None:  # fmt: skip
    """Set aside weights, in this order, as long as every row stays on its side of the threshold.

    Attribute c is in ``rows[starts[c]:starts[c + 1]]``; ``gaps`` are w.x - theta, and change as weights go.
    """
    for c in order:
        good = True
        for j in range(starts[c], starts[c + 1]):
            gap = gaps[rows[j]] - weights[c] * values[j]
            if positive[rows[j]]:
                good = good and (gap > slack[rows[j]] or gap >= gaps[rows[j]])
            else:
                good = good and (gap < -slack[rows[j]] or gap <= gaps[rows[j]])
        if good:
            kept[c] = 0
            for j in range(starts[c], starts[c + 1]):
                gaps[rows[j]] -= weights[c] * values[j]
