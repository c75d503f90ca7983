"""Section 3: Chernoff's bounds, and sets of which no two share much."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, floor

import numpy as np
from scipy.special import bdtr, bdtrc

from littlestone.papers.comparisons import Comparison, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with
from littlestone.teachers import lemma5, sparse_sets
from littlestone.teachers.set_systems import most_sets, packed

__all__ = ["RESULTS"]


def _at_most(k: int, m: int, p: float) -> float:
    """Return the chance that a binomial variable is at most k >= 0."""
    return float(bdtr(min(k, m), m, p))


def _more(k: int, m: int, p: float) -> float:
    """Return the chance that a binomial variable is more than k >= 0."""
    return float(bdtrc(min(k, m), m, p))


@claim("fact-4", "Fact 4: Chernoff bounds", "Section 3, Fact 4")
def fact_4(seed: int) -> Outcome:
    """Of m independent 0/1 variables of mean p the sum exceeds (1+c) p m with probability at most exp(-m p c^2/3), and
    falls below (1-c) p m with probability at most exp(-m p c^2/2), for 0 < c < 1.
    """
    above, below, closest = [], [], 0.0
    for m in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        for p in (Fraction(j, 20) for j in (1, 2, 5, 10, 15, 18)):
            for c in (Fraction(j, 10) for j in range(1, 10)):
                upper, lower = (1 + c) * p * m, (1 - c) * p * m
                over, under = _more(floor(upper), m, float(p)), _at_most(ceil(lower) - 1, m, float(p))
                limits = exp(-m * p * c**2 / 3), exp(-m * p * c**2 / 2)
                above.append(over <= limits[0])
                below.append(under <= limits[1])
                closest = max(closest, over / limits[0], under / limits[1])
    return Outcome(
        f"{sum(above) + sum(below):,} of {len(above) + len(below):,} binomial tails are within the bounds, the largest "
        f"at {closest:.2f} of its own.",
        [
            every("upper tails, exact, within exp(-m p c^2/3)", above),
            every("lower tails, exact, within exp(-m p c^2/2)", below),
        ],
    )


def _overlap(n: int, size: int, overlap: int, sets: int, construction: str, seed: int = 0) -> tuple[bool, int]:
    """Return whether all sets have the size, and the largest overlap of two of them."""
    members = sparse_sets(n, size, overlap, sets, construction=construction, seed=seed)
    words = packed(n, members)
    rows = [np.bitwise_count(words[i + 1 :] & words[i]).sum(axis=1).max(initial=0) for i in range(sets - 1)]
    return all(len(set(row)) == size for row in members.tolist()), int(max(rows, default=0))


@run_with(quick={"ns": [6720, 22_080], "sets": 1000}, full={"ns": [6720, 22_080, 44_160, 66_240], "sets": 3000})
@claim("lemma-5", "Lemma 5: sets of which no two share much", "Section 3, Lemma 5", rows=["C5"])
def lemma_5(seed: int, ns: list[int], sets: int) -> Outcome:
    """There are t = exp(n/9600) rows of n bits, n/20 of them on in each, of which no two share more than n/80: random
    rows with bits of probability 1/10 will do, as C(t,2) exp(-n/4800) + t exp(-n/80) < 1.
    """
    tails = [
        _at_most(ceil(n / 20) - 1, n, 0.1) <= exp(-n / 80) and _more(n // 80, n, 0.01) <= exp(-n / 4800)
        for n in range(80, 40_001, 80)
    ]
    union = [_union(n) < 1.0 for n in range(1, 100_000)]
    first = next(n for n in range(1, 1000) if 0.5 + exp(n / 9600 - n / 80) < 1.0)
    useful = next(n for n in range(1, 10_000) if lemma5(n).sets >= 2)
    claims: list[Comparison] = [
        every("exact tails of |x| < n/20 and of overlaps > n/80 within the bounds, n = 80, 160, ..., 40,000", tails),
        every("C(t,2) exp(-n/4800) + t exp(-n/80) < 1, n = 1, ..., 99,999", union),
        equal("the least n for which it is less than 1 with t^2/2 for C(t,2), reference", first, 56),
        equal("the least n for which exp(n/9600) is 2 or more", useful, 6655),
    ]
    rows = []
    for n in ns:
        told = lemma5(n)
        whole, shared = _overlap(n, *told, "greedy", seed)
        claims.append(
            every(f"n = {n:,}: {told.sets} random sets of n/20 share at most n/80", [whole, shared <= told.overlap])
        )
        rows.append([f"{n:,}", "random", told.size, told.overlap, shared, f"{told.sets:,}"])
    for n in (240, 320, 380):
        size, overlap = n // 20, n // 80
        whole, shared = _overlap(n, size, overlap, sets, "reed-solomon")
        claims.append(every(f"n = {n}: {sets:,} Reed-Solomon sets share at most n/80", [whole, shared <= overlap]))
        rows.append([str(n), "Reed-Solomon", size, overlap, shared, f"{most_sets(n, size, overlap):,}"])
    claims.append(
        equal("n = 320: Reed-Solomon sets of 16 that share at most 4, reference", most_sets(320, 16, 4), 2_476_099)
    )
    return Outcome(
        f"The union bound is less than 1 for {sum(union):,} of {len(union):,} n, but promises two sets only from n = "
        f"{useful:,} on; polynomials over a field give {most_sets(320, 16, 4):,} sets for n = 320.",
        claims,
        note="In our copy of the text the factor t of the second term is missing; the sentence before has it. With the "
        "paper's constant the lemma is of no practical use; constructions, which are ours, give thousands of sets.",
        tables=[
            Table(
                "Sets that were made and compared", ["n", "sets", "size", "n/80", "largest overlap", "there are"], rows
            )
        ],
    )


def _union(n: int) -> float:
    """Return C(t,2) exp(-n/4800) + t exp(-n/80) for t = exp(n/9600), without large numbers."""
    return (1.0 - exp(-n / 9600)) / 2.0 + exp(n / 9600 - n / 80)


RESULTS = (fact_4, lemma_5)
