"""Examples of Directed Drift: vertices drawn from the positive half-space of a target, and the bias of the paper's way.

The paper's reflection (footnote 1) draws any vertex and reflects it where it is negative. For odd n that is uniform.
For even n the vertices orthogonal to the target, a part c = C(n,n/2)/2^n of the cube, come half as often as they
should. The total variation c(1-c)/(1+c) vanishes as n grows, but what algorithm D makes of it does not: a hypothesis
with one coordinate wrong errs on such vertices alone. Expected mistakes from the opposite vertex, without and with it:

>>> from littlestone.theory.drift import chain
>>> for n in (2, 4, 10, 20, 100, 1000):
...     uniform, biased = (chain(n, sampling=way).mistakes(n) for way in ("uniform", "reflected"))
...     print(f"{n:4}  bias {float(reflection_bias(n)):.3f}  {uniform:9.4g}  {biased:9.4g}  {uniform / biased:.3f}")
   2  bias 0.167          4          4  1.000
   4  bias 0.170      13.76      12.97  1.061
  10  bias 0.149        209      178.5  1.171
  20  bias 0.123  3.009e+04  2.219e+04  1.356
 100  bias 0.068  8.066e+24  3.967e+24  2.033
1000  bias 0.024  2.897e+280  7.584e+279  3.820

D'' with m = pi n ln n makes 1.74 mistakes at n = 10, reflected 1.21; at n = 100 1.28 and 1.13 (measured, 4000 runs).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.drift_chain import Sampling, central, known_sampling
from littlestone.core.arrays import Bools
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.parameters import check_whole

__all__ = ["pack", "reflected_examples", "reflection_bias", "sample"]

Signs = NDArray[np.int8]
REMEDY = "make signs of them first, as np.where(X >= 0.5, 1, -1)"


def sample(
    n: int, size: int, *, seed: int | np.random.Generator, target: Any = None, sampling: Sampling = "uniform"
) -> Signs:
    """Draw ``size`` vertices u of {-1,+1}^n with ``<w*,u> >= 0``, one a row.

    Parameters
    ----------
    seed : int >= 0 or numpy Generator
        A generator goes on where it stands.
    target : n signs or Booleans, or None
        w*; None: all +1.
    sampling : "uniform" or "reflected"
        "reflected" is the paper's way. It is uniform for odd n; for even n an orthogonal vertex is drawn in its place
        with probability c/(1+c), c = C(n,n/2)/2^n, which makes up for the half that is missing. Nothing is rejected.

    Example
    -------
    >>> u = sample(4, 1000, seed=0, target=[1, -1, -1, 1])
    >>> (u @ [1, -1, -1, 1]).min(), u.dtype, len(np.unique(u, axis=0))
    (np.int64(0), dtype('int8'), 11)
    """
    n, size = check_whole("sample", "n", n), check_whole("sample", "size", size, least=0)
    way = known_sampling(sampling)
    if not isinstance(seed, np.random.Generator):
        seed = np.random.default_rng(check_whole("sample", "seed", seed, least=0))
    w = np.ones(n, dtype=np.int8) if target is None else signs("sample", "target", [target])[0]
    if len(w) != n:
        raise InvalidData(f"sample: expected a target of n={n} coordinates, got {len(w)}")
    agree = reflected(seed.integers(0, 2, (size, n), dtype=np.uint8).astype(bool))
    if n % 2 == 0 and way == "uniform":
        c = central(n)
        instead = np.flatnonzero(seed.random(size) < c / (1 + c))
        half = np.arange(n) < n // 2
        agree[instead] = seed.permuted(np.tile(half, (len(instead), 1)), axis=1)
    return np.where(agree, w, -w)


def reflected(agree: Bools) -> Bools:
    """Return rows of agreements, those with more disagreements than agreements the other way round."""
    negative: Bools = 2 * np.count_nonzero(agree, axis=1) < agree.shape[1]
    return agree ^ negative[:, np.newaxis]


def reflection_bias(n: int) -> Fraction:
    """Return the total variation between reflected and uniform sampling: 0 for odd n, ``c(1-c)/(1+c)`` for even n.

    >>> print(*[reflection_bias(n) for n in (2, 3, 4)])
    1/6 0 15/88
    """
    n = check_whole("reflection_bias", "n", n, most=10_000)
    c = Fraction(0) if n % 2 else Fraction(comb(n, n // 2), 2**n)
    return c * (1 - c) / (1 + c)


def pack(X: Any) -> NDArray[np.uint64]:
    """Return rows of signs or Booleans as words of 64 bits: bit j % 64 of word j // 64 is 1 iff coordinate j is +1.

    >>> pack([[1, -1, 1], [0 or -1, -1, 1]])
    array([[5],
           [4]], dtype=uint64)
    """
    bits = signs("pack", "X", X) > 0
    words = -(-bits.shape[1] // 64)
    room = np.zeros((len(bits), 8 * words), dtype=np.uint8)
    packed = np.packbits(bits, axis=1, bitorder="little")
    room[:, : packed.shape[1]] = packed
    return room.view("<u8").astype(np.uint64)


def signs(owner: str, name: str, X: Any) -> Signs:
    """Return rows of -1 and +1, given as such or as Booleans (0 or False is -1); refuse all else, saying where."""
    try:
        rows = np.asarray(X)
    except ValueError:  # rows of different lengths
        raise InvalidData(f"{owner}: expected {name} of rows of one length, got rows of several") from None
    if rows.ndim != 2 or rows.dtype.kind not in "biuf" or rows.shape[1] == 0:
        raise InvalidData(
            f"{owner}: expected {name} as rows of n >= 1 numbers, got {rows.dtype} of shape {rows.shape}; of a sparse "
            "matrix take .toarray()"
        )
    plus, minus, zero = rows == 1, rows == -1, rows == 0
    strange = ~(plus | minus | zero)
    if not strange.any() and minus.any():
        strange = zero
    if strange.any():
        row, column = np.argwhere(strange)[0]
        expected = "-1 or +1, as before," if minus.any() else "-1 or +1, or 0 or 1,"
        raise InvalidData(
            f"{owner}: {name}, row {row}, column {column}: expected {expected} got {rows[row, column]}; {REMEDY}"
        )
    return np.where(plus, np.int8(1), np.int8(-1))


def reflected_examples(owner: str, X: Any, y: Any) -> Signs:
    """Return u = y x for each labelled example (footnote 1 of the paper), or X where there are no labels."""
    rows = signs(owner, "X", X)
    if y is None:
        return rows
    labels = np.asarray(y)
    if labels.shape != (len(rows),):
        raise InvalidLabel(f"{owner}: expected a label for each of {len(rows)} rows, got y of shape {labels.shape}")
    return rows * signs(owner, "y", labels[:, np.newaxis])
