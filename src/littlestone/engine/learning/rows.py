"""What kernels do with one CSR row: its product with weights, its square, and adding it to them.

All of it is inlined. Sums are four interleaved ones, the same everywhere, so that ties are the same everywhere. One
function for rows of ones and rows with values, which asks inside, would be shorter, but was measured to cost half as
much again on short rows: so kernels ask which it is. One loop that asks whether to prefetch costs a tenth there.
"""

import numpy as np

from littlestone.engine.arrays import FOUR, ONE, THREE, TWO, Columns, Floats, Weights
from littlestone.engine.compiling import inlined
from littlestone.engine.intrinsics import prefetch

__all__ = ["AHEAD", "CACHED", "FOUR", "ONE", "THREE", "TWO", "add", "dot", "ones", "square"]

AHEAD = np.uint64(48)  # how many non-zeros ahead a weight is asked for
CACHED = 1 << 20  # below this many bytes of weights, asking ahead only costs


@inlined
def ones(indices: Columns, first: np.uint64, last: np.uint64, w: Weights, far: bool) -> float:
    """Return the sum of the weights of a Boolean row."""
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    if far and last + AHEAD <= np.uint64(len(indices)):
        while j < whole:
            prefetch(w, indices[j + AHEAD])
            prefetch(w, indices[j + AHEAD + ONE])
            prefetch(w, indices[j + AHEAD + TWO])
            prefetch(w, indices[j + AHEAD + THREE])
            s0 += w[indices[j]]
            s1 += w[indices[j + ONE]]
            s2 += w[indices[j + TWO]]
            s3 += w[indices[j + THREE]]
            j += FOUR
    else:
        while j < whole:
            s0 += w[indices[j]]
            s1 += w[indices[j + ONE]]
            s2 += w[indices[j + TWO]]
            s3 += w[indices[j + THREE]]
            j += FOUR
    while j < last:
        s0 += w[indices[j]]
        j += ONE
    return (s0 + s1) + (s2 + s3)


@inlined
def dot(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, w: Weights) -> float:
    """Return w.x of a row with values, summed as `ones` does."""
    s0 = s1 = s2 = s3 = 0.0
    j = first
    whole = first + ((last - first) & ~THREE)
    while j < whole:
        s0 += w[indices[j]] * values[j]
        s1 += w[indices[j + ONE]] * values[j + ONE]
        s2 += w[indices[j + TWO]] * values[j + TWO]
        s3 += w[indices[j + THREE]] * values[j + THREE]
        j += FOUR
    while j < last:
        s0 += w[indices[j]] * values[j]
        j += ONE
    return (s0 + s1) + (s2 + s3)


@inlined
def square(values: Floats, first: np.uint64, last: np.uint64, bias: bool) -> float:
    """Return |x|^2, the constant coordinate counted."""
    total = 1.0 if bias else 0.0
    if len(values) == 0:
        return total + float(last - first)
    j = first
    while j < last:
        total += values[j] * values[j]
        j += ONE
    return total


@inlined
def add(indices: Columns, values: Floats, first: np.uint64, last: np.uint64, step: float, v: Floats) -> None:
    """Add ``step x`` to v."""
    j = first
    if len(values) == 0:
        while j < last:
            v[indices[j]] += step
            j += ONE
    else:
        while j < last:
            v[indices[j]] += step * values[j]
            j += ONE
