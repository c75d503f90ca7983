"""Sets of attributes of one size of which no two share much: Lemma 5 of Khardon, Roth and Servedio, constructed."""

from __future__ import annotations

from math import exp, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.orders import is_prime
from littlestone.core.arrays import Words
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.parameters import check_whole
from littlestone.teachers._drawn import check_size

__all__ = [
    "CONSTRUCTIONS",
    "Lemma5",
    "Members",
    "greedy",
    "largest_size",
    "lemma5",
    "most_sets",
    "packed",
    "sets_for",
    "sparse_sets",
]

Members = NDArray[np.int64]

CONSTRUCTIONS = ("reed-solomon", "greedy", "disjoint", "random")
PATIENCE = 2000  # sets that greedy search rejects, one after another, before it gives up
MOST_CELLS = 1 << 26
PACKED_CELLS = 1 << 24  # bits that are bytes at the same time


class Lemma5(NamedTuple):
    """What Lemma 5 says there is: ``sets`` sets of ``size`` attributes, no two of which share more than ``overlap``."""

    size: int
    overlap: int
    sets: int


def lemma5(n: int) -> Lemma5:
    """Return what Lemma 5 promises for n attributes: e^(n/9600) sets of n/20, of which two share at most n/80.

    One set is no promise, and below n = 6655 it is all there is. Constructions give far more:

    >>> lemma5(320), lemma5(6655).sets, most_sets(320, 16, 4)
    (Lemma5(size=16, overlap=4, sets=1), 2, 2476099)
    """
    n = check_whole("lemma5", "n", n, most=9600 * 700)  # the floats end at e^709
    return Lemma5(n // 20, n // 80, floor(exp(n / 9600)))


def _field(n: int, size: int) -> int | None:
    """Return the largest prime q with ``size * q <= n``, which must have ``size`` points."""
    return next((q for q in range(n // size, size - 1, -1) if is_prime(q)), None)


def largest_size(n: int) -> int:
    """Return the largest size of Reed-Solomon sets: some prime q is at least it, and at most n / size.

    >>> largest_size(320), largest_size(400), largest_size(2000)
    (17, 19, 43)
    """
    return next(size for size in range(int(n**0.5) + 1, 0, -1) if _field(n, size) is not None)


def most_sets(n: int, size: int, overlap: int, construction: str = "reed-solomon") -> int | None:
    """Return how many sets a construction has; None where that is not known before they are searched or drawn.

    >>> most_sets(80, 4, 1), most_sets(80, 4, 0, "disjoint"), most_sets(400, 20, 5), most_sets(400, 20, 5, "greedy")
    (361, 20, 0, None)
    """
    if construction == "reed-solomon":
        q = _field(n, size)
        return 0 if q is None else int(q ** (overlap + 1))
    return n // size if construction == "disjoint" else None


def sparse_sets(
    n: int, size: int, overlap: int | None, sets: int, *, construction: str = "reed-solomon", seed: int = 0
) -> Members:
    """Return so many sets of ``size`` of n attributes, no two of which share more than ``overlap``, a row each.

    - "reed-solomon": the graphs of polynomials f of degree <= overlap over the q elements of a prime field, at the
      points a < size: set j has the attributes ``q a + f(a)``, where the coefficients of f are the digits of j to the
      base q. Two polynomials agree on at most ``overlap`` points. There are q^(overlap+1), q the largest prime with
      ``size * q <= n``; nothing is random.
    - "greedy": random sets, ``default_rng(seed).choice(n, size, replace=False)`` one after another; a set that shares
      more than ``overlap`` with one before it is left out.
    - "disjoint": the first attributes, the next ones, and so on.
    - "random": as greedy, but nothing is left out; ``overlap`` is None.

    >>> sparse_sets(9, 3, 1, 4).tolist()
    [[0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8]]
    """
    return sets_for("sparse_sets", n, size, overlap, sets, construction, seed)


def sets_for(owner: str, n: int, size: int, overlap: int | None, sets: int, construction: str, seed: int) -> Members:
    """Return the sets of `sparse_sets`; what is refused is refused in the name of ``owner``."""
    n = check_size(owner, n)
    if construction not in CONSTRUCTIONS:
        raise InvalidParameter(f"{owner}: construction must be one of {', '.join(CONSTRUCTIONS)}, got {construction!r}")
    size = check_whole(owner, "size", size, most=n)
    sets, seed = check_whole(owner, "sets", sets, least=0), check_whole(owner, "seed", seed, least=0)
    if sets * max(size, n // 64) > MOST_CELLS:
        raise TooLarge(f"{owner}: expected sets that fit in memory, got {sets:,} of {size:,} attributes; ask for fewer")
    if construction == "random":
        if overlap is not None:
            raise InvalidParameter(f"{owner}: overlap must be left out with random sets, got {overlap!r}; use greedy")
        return greedy(n, size, size, sets, np.random.default_rng(seed))[0]
    overlap = check_whole(owner, "overlap", overlap, least=0, most=size - 1)
    if construction == "greedy":
        found, tries = greedy(n, size, overlap, sets, np.random.default_rng(seed))
        if len(found) < sets:
            raise InvalidParameter(
                f"{owner}: greedy search found {len(found):,} sets of {size} of {n} attributes with overlaps of at "
                f"most {overlap} in {tries:,} tries, got sets={sets}; ask for fewer, or for a larger overlap"
            )
        return found
    most = most_sets(n, size, overlap, construction)
    assert most is not None
    if most == 0:
        raise InvalidParameter(
            f"{owner}: reed-solomon sets need a prime q with size <= q <= n / size, got size={size}, n={n}",
            Remedy(
                f"for this n sizes to {largest_size(n)} are possible, for others use construction='greedy'",
                typed=f"for this n sizes to {largest_size(n)} are possible, for others use construction=greedy",
            ),
        )
    if sets > most:
        raise InvalidParameter(
            f"{owner}: there are {most:,} {construction} sets of {size} of {n} attributes"
            f"{'' if construction == 'disjoint' else f' with overlaps of at most {overlap}'}, got sets={sets}; "
            f"ask for fewer, or for {'smaller sets' if construction == 'disjoint' else 'a larger overlap'}"
        )
    return _disjoint(size, sets) if construction == "disjoint" else _reed_solomon(n, size, overlap, sets)


def _disjoint(size: int, count: int) -> Members:
    return np.arange(count * size).reshape(count, size)


def _reed_solomon(n: int, size: int, overlap: int, count: int) -> Members:
    q = _field(n, size)
    assert q is not None
    a, numbers = np.arange(size), np.arange(count)
    f = np.zeros((count, size), dtype=np.int64)
    for i in range(overlap, -1, -1):  # Horner's rule; a digit beyond those of the largest number is 0
        digits = numbers // q**i % q if q**i < count else np.zeros(count, dtype=np.int64)
        f = (f * a + digits[:, np.newaxis]) % q
    return a * q + f


def packed(n: int, sets: Members) -> Words:
    """Return the sets as bits, 64 to a word."""
    words = np.empty((len(sets), -(-n // 64)), dtype=np.uint64)
    step = max(1, PACKED_CELLS // n)
    for start in range(0, len(sets), step):
        part = words[start : start + step]
        bits = np.zeros((len(part), 64 * part.shape[1]), dtype=bool)
        np.put_along_axis(bits, sets[start : start + step], values=True, axis=1)
        part[:] = np.packbits(bits, axis=1).view(np.uint64)
    return words


def greedy(n: int, size: int, overlap: int, count: int, rng: np.random.Generator) -> tuple[Members, int]:
    """Return random sets, each of which shares at most ``overlap`` with those before it, and the number of tries.

    There may be fewer than ``count``: the search ends when 2000 sets have been left out one after another.
    """
    sets = np.empty((count, size), dtype=np.int64)
    words = np.empty((count, -(-n // 64)), dtype=np.uint64)
    found = tries = rejected = 0
    while found < count and rejected < PATIENCE:
        tries, rejected = tries + 1, rejected + 1
        sets[found] = np.sort(rng.choice(n, size, replace=False))
        words[found] = packed(n, sets[found : found + 1])[0]
        shared = np.bitwise_count(words[:found] & words[found]).sum(axis=1, dtype=np.int64)
        if overlap >= size or shared.max(initial=0) <= overlap:
            found, rejected = found + 1, 0
    return sets[:found], tries
