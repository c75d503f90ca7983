"""Sections 1 and 2: upper bounds for Winnow, elimination and the Perceptron; what limits them."""

from __future__ import annotations

from itertools import product
from math import ceil, log2

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import winnow_disjunction
from littlestone.core.rational import simplest_fraction, steps
from littlestone.papers.comparisons import Comparison, at_most, close, equal, every
from littlestone.papers.kivinen_warmuth._runs import problem
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import mistakes, weights
from littlestone.teachers import Greedy

__all__ = ["RESULTS"]


@run_with(quick={"problems": 400}, full={"problems": 10_000})
@claim("winnow-bound", "Winnow's upper bound", "Sections 1 and 2.2", rows=["A8"])
def winnow_bound(seed: int, problems: int) -> Outcome:
    """On disjunctions of k attributes Winnow makes O(k log N) mistakes: promotions are at most k ceil(log theta / log
    alpha), demotions less than alpha N / ((alpha - 1) theta) + alpha times the promotions.
    """
    rng = np.random.default_rng(seed)
    promotions, demotions, mistakes, heaviest, relevant = [], [], [], [], []
    most, ratio = 0.0, 0.0
    for _ in range(problems):
        X, y, n, k = problem(rng)
        alpha = float(rng.choice([1.5, 2.0, 3.0]))
        theta = float(rng.choice([n, n / k, n / 2, 1.0]))
        learner = ls.Winnow(alpha=alpha, theta=theta)
        run = ls.play(learner, ls.from_arrays(X, y))
        most_allowed = k * steps(simplest_fraction(theta), simplest_fraction(alpha))
        promotions.append(run.promotions <= most_allowed)
        w = weights(learner)
        heaviest.append(w.max() <= alpha * max(theta, 1.0) * (1 + 1e-12))
        relevant.append(w[:k].min() >= 1.0)
        demotions.append(run.demotions < alpha * n / ((alpha - 1) * theta) + alpha * run.promotions)
        bound = winnow_disjunction(n=n, k=k, alpha=alpha, theta=theta).value
        mistakes.append(run.mistakes <= bound)
        most = max(most, run.promotions / most_allowed if most_allowed else 0.0)
        ratio = max(ratio, run.mistakes / bound if bound else 0.0)
    greedy, allowed = ls.play(ls.Winnow(), Greedy(range(4), n=256)).mistakes, winnow_disjunction(n=256, k=4).value
    tuned = [winnow_disjunction(n=n, k=20, alpha=1.5, theta=n / 20).value for n in (200, 400)]
    sizes = [(n, k) for n in range(2, 65) for k in {1, n // 2, n}]
    doubling = [winnow_disjunction(n=n, k=k).value == 3 * k * ceil(log2(n)) + 1 for n, k in sizes]
    k_20 = "alpha 3/2, theta N/k, k = 20"
    return Outcome(
        f"{problems:,} random problems: promotions up to {most:.2f} and mistakes up to {ratio:.2f} of their bounds.",
        [
            every("promotions within their bound", promotions),
            every("demotions below theirs", demotions),
            every("mistakes within theirs", mistakes),
            every("no weight above alpha theta at the end", heaviest),
            every("no relevant weight below its start", relevant),
            close("promotions / their bound, the largest: attained", most, 1.0),
            at_most("N = 256, k = 4, the greedy adversary: mistakes", greedy, allowed),
            equal(f"{k_20}: bounds for N = 200, 400, reference (less than 360, 460)", tuned, [359, 459]),
            every("alpha 2, theta N: the bound is 3 k ceil(log2 N) + 1, N = 2 to 64 and k = 1, N/2, N", doubling),
        ],
    )


@claim("winnow-tuned", "The bound of Winnow tuned for k", "Section 4 (twice), against Section 1")
def winnow_tuned(seed: int) -> Outcome:
    """With alpha = 3/2 and theta = N/k Winnow makes O(k + log(N/k)) mistakes: for one constant c, at most
    c (k + log2(N/k)) for all N and k.
    """
    sizes = [(k << m, k, m) for k in range(1, 33) for m in range(1, 33)]
    forced_on_all = {(n, k): int(bounds.vc_lower(n=n, k=k).value) for n in range(1, 33) for k in range(1, n + 1)}
    n, k = next((n, k) for (n, k), one in forced_on_all.items() if one > k + log2(n / k))
    one, allowed = forced_on_all[n, k], k + log2(n / k)
    claimed = [at_most(f"c = 1: least mistakes of any learner, N = {n}, k = {k}", one, allowed)]
    for c in (10, 100):
        m = 2 * c + 1  # then m m > c (m + m)
        forced = bounds.vc_lower(n=m << m, k=m).value
        claimed.append(at_most(f"c = {c}: least mistakes of any learner, k = {m}, N = 2^{m} k", forced, 2 * c * m))
    upper = [
        winnow_disjunction(n=n, k=k, alpha=1.5, theta=n // k).value <= 2.5 * k * ceil(m / log2(1.5)) + 3 * k
        for n, k, m in sizes
    ]
    return Outcome(
        f"Any learner can be made to err k log2(N/k) times: {one} > {allowed:g} at N = {n}, k = {k}.",
        claimed=claimed,
        corrected=[every("alpha 3/2, theta N/k: bound <= 2.5 k ceil(log(N/k) / log(3/2)) + 3k, sizes", upper)],
        erratum="It must be O(k + k log(N/k)), as Section 1 has it: no learner does better than k floor(log2(N/k)), "
        "which no constant times k + log(N/k) limits.",
        counterexample=f"c = 1: N = {n}, k = {k}: {one} mistakes can be forced on every learner, and k + log2(N/k) = "
        f"{allowed:g}; for smaller N this bound on all learners does not exceed it.",
    )


@run_with(quick={"problems": 100}, full={"problems": 2000})
@claim("elimination", "Winnow as elimination", "Sections 1 and 4", rows=["A9"])
def elimination(seed: int, problems: int) -> Outcome:
    """With theta = 1 and a very large eta Winnow is the elimination algorithm, which makes at most N - k mistakes."""
    rng = np.random.default_rng(seed)
    same, within, promotions = [], [], 0
    for _ in range(problems):
        X, y, n, k = problem(rng)
        winnow, other = ls.Winnow(alpha=n + 1, theta=1), ls.Elimination()
        same.append(np.array_equal(winnow.learn(X, y), other.learn(X, y)))
        within.append(other.mistakes <= bounds.elimination(n=n, k=k).value)
        promotions += int(other.mistakes - other.demotions)
    units = mistakes(ls.Elimination(), np.eye(10, dtype=bool)[3:], np.zeros(7))
    return Outcome(
        f"The same predictions in {sum(same)} of {problems} random problems, at most N - k mistakes in {sum(within)}.",
        [
            every("Winnow(alpha N + 1, theta 1) predicts as elimination, problems", same),
            every("at most N - k mistakes, problems", within),
            equal("mistakes on positive rows, all problems", promotions, 0),
            equal("unit vectors of the irrelevant attributes, N = 10, k = 3: mistakes", units, 7),
        ],
        note="Alpha > N is large enough: then one demotion leaves less than 1 in all.",
    )


@claim("elimination-noise", "Elimination does not bear noise", "Section 1", quick={"trials": 100})
def elimination_noise(seed: int, trials: int) -> Outcome:
    """Winnow tuned as elimination is not robust against noise; with alpha = 3/2 and theta = N/k it is."""
    X, y = np.ones((trials, 1), dtype=bool), np.ones(trials, dtype=int)
    y[0] = 0  # the one wrong label
    struck_out, robust = (mistakes(learner, X, y) for learner in (ls.Elimination(), ls.Winnow(alpha=1.5, theta=1)))
    bound = winnow_disjunction(n=1, k=1, alpha=1.5, theta=1, attribute_errors=1).value
    return Outcome(
        f"N = k = 1, x = 1 in {trials} trials, the first label wrong: {struck_out} mistakes of elimination, "
        f"{robust} of Winnow.",
        [
            equal("one wrong label: mistakes of elimination, trials", struck_out, trials),
            at_most("one wrong label: mistakes of Winnow(3/2, N/k)", robust, bound),
        ],
        note="Elimination never takes back what it has struck out. What noise costs the others is measured in the "
        "chapter on what the papers left open.",
    )


@run_with(quick={"problems": 200}, full={"problems": 5000})
@claim("perceptron-bound", "The Perceptron's upper bound", "Section 2.2")
def perceptron_bound(seed: int, problems: int) -> Outcome:
    """Where no row has more than X attributes on, the Perceptron makes O(kX) mistakes; with a constant coordinate at
    most (4k + 1)(X + 1).
    """
    rng = np.random.default_rng(seed)
    within, ratio = [], 0.0
    for _ in range(problems):
        X, y, _, k = problem(rng)
        bound = bounds.perceptron_disjunction(k=k, X=int(X.sum(axis=1).max())).value
        mistakes = ls.play(ls.Perceptron(), ls.from_arrays(X, y)).mistakes
        within.append(mistakes <= bound)
        ratio = max(ratio, mistakes / bound)
    return Outcome(
        f"{problems} random problems: at most {ratio:.2f} of the bound.", [every("within the bound, problems", within)]
    )


@run_with(
    quick={"sizes": [[4, 2], [8, 1], [8, 2], [12, 3], [16, 2]]},
    full={"sizes": [[4, 2], [8, 1], [8, 2], [12, 3], [16, 2], [16, 4], [32, 2], [64, 2]]},
)
@claim("vc-dimension", "The VC dimension of disjunctions", "Section 1")
def vc_dimension(seed: int, sizes: list[list[int]]) -> Outcome:
    """The disjunctions of k attributes shatter k floor(log2(N/k)) instances, so that every learner can be made to err
    that often: Winnow tuned for k is optimal up to a constant.
    """
    found: list[Comparison] = []
    for n, k in sizes:
        width = n // k
        bits = width.bit_length() - 1
        points = np.zeros((k * bits, n), dtype=bool)
        for block, bit in product(range(k), range(bits)):
            points[block * bits + bit, block * width : (block + 1) * width] = np.arange(width) >> bit & 1
        targets = np.array(list(product(range(width), repeat=k))) + width * np.arange(k)
        labellings = {np.any(points[:, target], axis=1).tobytes() for target in targets}
        found.append(equal(f"N = {n}, k = {k}: labellings of {k * bits} instances", len(labellings), 2 ** (k * bits)))
        found.append(equal(f"N = {n}, k = {k}: instances", k * bits, int(bounds.vc_lower(n=n, k=k).value)))
    held = sum(one.holds for one in found[::2])
    return Outcome(f"All labellings occur for {held} of {len(sizes)} pairs (N, k).", found)


RESULTS = results(globals())
