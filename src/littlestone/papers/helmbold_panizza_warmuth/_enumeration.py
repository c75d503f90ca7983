"""What the paper's sums say when they are written out: every disjunction, every vector of labels, in rationals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bits", "attribute_errors", "bayes", "bits", "disjunctions", "fraction", "majority", "not_linear", "posterior",
]  # fmt: skip

Bits = tuple[int, ...]
Trial = tuple[int, dict[frozenset[int], Fraction], bool]  # prediction, shares of the disjunctions, a tie
Given = Callable[[int, int, int], Fraction]  # P(y | x, d) of one attribute

ONE = Fraction(1)


def fraction(rng: np.random.Generator, parts: int = 6) -> Fraction:
    """Draw a fraction strictly between 0 and 1."""
    return Fraction(int(rng.integers(1, parts)), parts)


def bits(rng: np.random.Generator, n: int) -> Bits:
    """Draw a row."""
    return tuple(rng.integers(0, 2, n).tolist())


def disjunctions(n: int, largest: int | None = None) -> Iterator[frozenset[int]]:
    """Return all disjunctions of at most so many attributes, the empty one first."""
    for size in range((n if largest is None else largest) + 1):
        yield from map(frozenset, combinations(range(n), size))


def _says(d: frozenset[int], x: Sequence[int]) -> int:
    return int(any(x[i] for i in d))


def bayes(
    nu: Fraction, n: int, largest: int | None, trials: Iterable[tuple[Bits, int]], tie: int = 1
) -> Iterator[Trial]:
    """Play equation (1) as it is printed, from equal probabilities; yield what it says before each update."""
    p = dict.fromkeys(disjunctions(n, largest), ONE)
    p = {d: one / len(p) for d, one in p.items()}
    for x, y in trials:
        zero, one = (
            sum((share * (1 - nu if _says(d, x) == label else nu) for d, share in p.items()), Fraction(0))
            for label in (0, 1)
        )
        yield (tie if one == zero else int(one > zero)), p, one == zero
        p = {d: share * (1 - nu if _says(d, x) == y else nu) for d, share in p.items()}
        total = sum(p.values())
        p = {d: share / total for d, share in p.items()}


def majority(
    beta: Fraction, n: int, largest: int | None, trials: Iterable[tuple[Bits, int]], tie: int = 1
) -> Iterator[Trial]:
    """Play Weighted Majority with a weight for each disjunction; yield what it says before each update."""
    w = dict.fromkeys(disjunctions(n, largest), ONE)
    for x, y in trials:
        total = sum(w.values())
        one = sum((weight for d, weight in w.items() if _says(d, x)), Fraction(0))
        shares = {d: weight / total for d, weight in w.items()}
        yield (tie if 2 * one == total else int(2 * one > total)), shares, 2 * one == total
        w = {d: weight if _says(d, x) == y else beta * weight for d, weight in w.items()}


def posterior(w: Sequence[Fraction], given: Given, trials: Iterable[tuple[Bits, Bits]]) -> dict[Bits, Fraction]:
    """Return P(d | S) by Bayes' rule over all 2^n disjunctions: AS1 the prior, AS4 the labels given by ``given``."""
    found = {
        d: prod((p if bit else 1 - p for p, bit in zip(w, d, strict=True)), start=ONE)
        for d in product((0, 1), repeat=len(w))
    }
    for x, y in trials:
        found = {d: p * prod(map(given, y, x, d), start=ONE) for d, p in found.items()}
        total = sum(found.values())
        found = {d: p / total for d, p in found.items()}
    return found


def attribute_errors(X: NDArray[np.bool_], y: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the attribute errors of all 2^n disjunctions at once; bit i of the position says that i is in.

    Negative rows cost a disjunction the attributes it shares with them; a positive row costs 1 where it shares none,
    that is, where it lies in the complement: a sum over subsets, made attribute by attribute.
    """
    n = X.shape[1]
    powers = 1 << np.arange(n)
    outside = np.bincount(X[y] @ powers, minlength=1 << n)
    for i in range(n):
        halves = outside.reshape(-1, 2, 1 << i)
        halves[:, 1] += halves[:, 0]
    members = np.arange(1 << n)[:, np.newaxis] >> np.arange(n) & 1
    return np.asarray(members @ X[~y].sum(axis=0) + outside[::-1])


def not_linear(predicted: dict[Bits, bool]) -> tuple[list[Bits], list[Bits]] | None:
    """Return two rows predicted 1 and two predicted 0 with the same sum: no weights and threshold do that."""
    sums: dict[tuple[int, ...], list[Bits]] = {}
    for a, b in combinations_with_replacement([x for x, one in predicted.items() if one], 2):
        sums[tuple(np.add(a, b).tolist())] = [a, b]
    for a, b in combinations_with_replacement([x for x, one in predicted.items() if not one], 2):
        total = tuple(np.add(a, b).tolist())
        if total in sums:
            return sums[total], [a, b]
    return None
