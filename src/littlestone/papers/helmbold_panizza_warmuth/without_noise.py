"""Section 4.3, Corollary 1: Thresholded-BEG that eliminates, and its bound beside that of Theorem 3."""

from __future__ import annotations

from collections.abc import Sequence
from math import e, floor, log
from typing import Any

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.papers.comparisons import at_least, at_most, close, equal
from littlestone.papers.helmbold_panizza_warmuth._games import FULL, Contest, cut, golden_table, played, sums, table
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim, in_pieces, run_with

__all__ = ["RESULTS"]

# Corollary 1: for k = 0, 1, 2, 3, 4
COROLLARY = {2: [2, 1, 0], 3: [1, 2, 2, 3], 4: [2, 2, 3, 3, 4], 5: [2, 3, 3, 4, 4], 6: [2, 4, 6, 7, 9],
             7: [2, 4, 6, 8, 9], 8: [2, 4, 6, 8, 10], 9: [2, 4, 7, 9, 12]}  # fmt: skip


def _free(n: int, k: int) -> ls.Learner:
    return ls.ThresholdedBEG.noise_free(n)


def _seventeen(n: int, k: int, errors: int) -> float:
    return bounds.thresholded_beg_corollary1(n=n, k=k).value


def _sharper(n: int, k: int, errors: int) -> float:
    return bounds.thresholded_beg_noise_free(n=n, k=k).value


def _part(seed: int, what: str, **told: Any) -> dict[str, Any]:
    return played(_free, _seventeen, seed, what, **told)


@run_with(
    quick={
        "searched": list(range(2, 10)),
        "searched_ks": [0, 1, 2, 3, 4],
        "ns": [16, 128, 1024],
        "ks": [1, 2, 4],
        "runs": 60,
    },
    full=FULL,
)
@in_pieces(cut, _part)
@claim(
    "corollary-1",
    "Corollary 1: Thresholded-BEG without noise",
    "Section 4.3, Corollary 1, bound (17)",
    rows=["C13", "C14"],
)
def corollary_1(done: Sequence[Any], seed: int, **_: Any) -> Outcome:
    """With beta0 = 0, beta1 = e, theta = 1/e and w1 = 1/n, Thresholded-BEG makes at most 3.76 + 2.72 k ln n mistakes on
    any sequence that a disjunction of k attributes labels.
    """
    contest = Contest(done, _sharper)
    proved = [(n, k) for n in range(2, 60) for k in range(n + 1) if _sharper(n, k, 0) > _seventeen(n, k, 0)]
    whole = floor(_sharper(2, 0, 0))
    return Outcome(
        contest.told("(17)", "e (k ln n + (n-k) ln(n/(n-1)))"),
        [*contest.within("(17)", "e (k ln n + (n-k) ln(n/(n-1))), which its proof gives"),
         equal("longest games, k = 0, ..., 4, n = 2, ..., 9, reference", *golden_table(contest.searched, COROLLARY)),
         close("greedy adversary: the largest part of (17), reference", contest.parts[0], 0.846, 1e-3),
         close("and of the sharper bound, reference", contest.parts[1], 0.881, 5e-4),
         equal("n < 60 and k at which the proof gives more than (17)", proved, [(2, 0)]),
         at_most("n = 2, k = 0: whole mistakes that the proof allows, and (17)", whole, _seventeen(2, 0, 0))],
        note=f"3.76 is 2 e ln 2 = {2 * e * log(2):.4f}, cut, not rounded. It matters only at n = 2, k = 0, where both "
        f"bounds mean {whole} mistakes: (17) is true.",
        tables=[table("The longest games there are, by search, and the bound (17)", contest.searched)],
        figures=[sums("Corollary 1: mistakes and n, k = 2",
                      "The greedy adversary's games with two relevant attributes, against both bounds; the axis of n "
                      "is logarithmic.",
                      [game for game in contest.forced if game.k == 2],
                      {"bound (17)": lambda n: _seventeen(n, 2, 0),
                       "sharper bound": lambda n: _sharper(n, 2, 0)})],
    )  # fmt: skip


@run_with(quick={"most": 100_000}, full={"most": 10_000_000})
@claim("incomparable", "Corollary 1 and Theorem 3 are incomparable", "Section 4.3, before Corollary 1")
def incomparable(seed: int, most: int) -> Outcome:
    """The bound of Corollary 1 is incomparable to that of Theorem 3: each is smaller somewhere."""
    n = np.arange(2, most + 1)
    c = ((e + 1.0) / (e - 1.0)) ** (1.0 / n)
    slopes = 2.48 * (1.0 + np.ceil(np.log2(2.0 * (n - 1) / ((1.0 + c) * (e - 1.0))))), 2.72 * np.log(n)
    steeper = n[slopes[0] < slopes[1]].tolist()  # only there can (12) be smaller, for its constant is larger
    first = [
        (int(size), k)
        for size in steeper
        for k in range(size + 1)
        if bounds.bayes_beg_theorem3(n=size, k=k).value < _seventeen(size, k, 0)
    ]
    games = {
        k: [ls.worst_case(make(9, k), 9, k) for make in (lambda n, k: ls.BayesBEG.theorem3(n), _free)]
        for k in (1, 2, 3)
    }
    return Outcome(
        f"Theorem 3's bound is the smaller one at n = 2, k = 2 ({bounds.bayes_beg_theorem3(n=2, k=2).value:.2f}, not "
        f"{_seventeen(2, 2, 0):.2f}), and nowhere else up to n = {most:,}.",
        [
            at_least("pairs n, k at which (12) < (17)", len(first), 1),
            equal("they are", first, [(2, 2)]),
            at_most("n = 3, k = 1: (17) and (12)", _seventeen(3, 1, 0), bounds.bayes_beg_theorem3(n=3, k=1).value),
        ],
        note=f"So as numbers (17) is smaller for all n from 3 to {most:,} and all k: {len(first)} exception in all. As "
        f"n grows the slopes are {2.48 / log(2):.2f} k ln n and 2.72 k ln n. The longest games at n = 9 agree: "
        + ", ".join(f"{one} and {other}" for one, other in games.values())
        + " mistakes for k = 1, 2, 3.",
    )


RESULTS = (corollary_1, incomparable)
