"""Section 4, before its theorem: Winnow over all monomials, exactly, where that can be done."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.bounds import kernel_winnow_dnf
from littlestone.core.arrays import Bools
from littlestone.learners import KernelWinnow
from littlestone.machines.sets.closures import ClosureMap, Subsets, extent_value, local_value
from littlestone.papers.comparisons import Comparison, at_most, equal, every, less, mean_is, mean_within
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, in_pieces, meets, results, run_with
from littlestone.parts.kernels import Conjunctions

__all__ = ["RESULTS"]


def _two_terms(n: int, density: float, rows: int, seed: Any) -> tuple[Bools, Bools]:
    """Return random rows, positive where the first two attributes are on or the next two."""
    X = np.random.default_rng(seed).random((rows, n)) < density
    return X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]


def _closed_case(rng: np.random.Generator) -> tuple[bool, bool]:
    """Tell for random sets and factors whether map, local map and extents have the sum over all T, and their number."""
    m = int(rng.integers(1, 7))
    sets = [int(x) for x in rng.integers(1, 2**m, size=int(rng.integers(1, 7)))]
    factors = [Fraction(int(rng.integers(1, 6)), int(rng.integers(1, 6))) for _ in sets]
    pairs, z = list(zip(sets, factors, strict=True)), int(rng.integers(0, 2**m))
    weights = {T: prod((a for x, a in pairs if T & x == T), start=Fraction(1)) for T in range(1, 2**m)}
    expected = sum((w for T, w in weights.items() if T & z == T), start=Fraction(0))
    lattice = Subsets(m, smallest=1)
    kept: ClosureMap[int] = ClosureMap(lattice)
    for x, a in pairs:
        kept.add(x, a)
    closed = {2**m - 1}
    for x in sets:
        closed |= {x & other for other in closed}
    same = kept.value(z) == local_value(lattice, z, pairs) == extent_value(lattice, z, pairs) == expected
    return bool(same), set(kept.coefficients) <= closed


def _explicit_game(rng: np.random.Generator) -> tuple[bool, bool]:
    """Tell whether kernel Winnow predicts as Winnow over explicit features, and has its values at the end."""
    m, monotone = int(rng.integers(1, 6)), bool(rng.integers(2))
    X, y = rng.random((60, m)) < 0.6, rng.integers(2, size=60)
    kernel = Conjunctions(monotone=monotone, max_size=[None, 1, 2][rng.integers(3)], include_empty=False)
    features = kernel.expand(X)
    theta = int(rng.choice([2**m - 1, 3, 2 ** (m - 1) + 1]))
    implicit = KernelWinnow(theta=theta, monotone=monotone, max_size=kernel.max_size).begin(m, labels=(0, 1))
    explicit = ls.Winnow(theta=theta).begin(features.shape[1], labels=(0, 1))
    predicted, expected = implicit.learn(X, y), explicit.learn(features, y)
    wrong = expected != y
    net = (np.where(y[wrong] == 1, 1, -1)[:, np.newaxis] * features[wrong]).sum(axis=0)
    weights = [Fraction(2) ** int(exponent) for exponent in net]
    values = [
        implicit.value(x) == sum((w for w, on in zip(weights, row, strict=True) if on), start=Fraction(0))
        for x, row in zip(X[:10], features[:10], strict=True)
    ]
    return bool(np.array_equal(predicted, expected)), all(values)


def _weights(learner: KernelWinnow) -> list[Fraction]:
    """Return the weights of x1, x2 and x1 x2 over two attributes, from the values of their rows."""
    one, two, both = (learner.value(np.array(row)) for row in ([1, 0], [0, 1], [1, 1]))
    return [one, two, both - one - two]


@run_with(quick={"cases": 400, "games": 40}, full={"cases": 2000, "games": 200})
@claim("kernel-winnow-exact", "Kernel Winnow, exactly", "Section 4, the problem KWP", rows=["C3", "C4"])
def kernel_winnow_exact(seed: int, cases: int, games: int) -> Outcome:
    """KWP asks for the prediction of Winnow over all 2^m - 1 monomials, each of weight 1 at first. It can be computed
    without writing them down, by a sum over the intersections of the mistakes; exponential at worst.
    """
    sums = [_closed_case(np.random.default_rng([seed, 0, number])) for number in range(cases)]
    plays = [_explicit_game(np.random.default_rng([seed, 1, number])) for number in range(games)]
    lattices = {}
    for m in (8, 12):
        kept: ClosureMap[int] = ClosureMap(Subsets(m, smallest=1))
        for i in range(m):
            kept.add((2**m - 1) & ~(1 << i), 2)
        lattices[m] = len(kept)
    X, y = _two_terms(12, 0.5, 300, 0)  # the rows of the reference, whatever the seed
    golden = KernelWinnow(backend="map")
    golden.learn(X, y)
    other = KernelWinnow(theta=2**12)
    other.learn(X, y)
    small = KernelWinnow().begin(2, labels=(0, 1))
    values = []
    for row, label in [([0, 1], 1), ([1, 0], 0), ([1, 1], 1), ([1, 0], 1), ([1, 1], 0)]:
        values.append(small.value(np.array(row)))
        small.learn_one(np.array(row), label)
    return Outcome(
        f"{sum(same for same, _ in sums):,} of {cases:,} sums and {sum(same for same, _ in plays)} of {games} games "
        f"agree with explicit weights; 300 trials on x1 x2 or x3 x4 cost {golden.mistakes} mistakes, and a map of "
        f"{golden.sets} intersections for 4,095 weights.",
        [
            every("map, local map and extents have the sum of explicit weights", [same for same, _ in sums]),
            every("the map keeps nothing but intersections of the sets", [within for _, within in sums]),
            every("games, with and without negations, all sizes or some: predictions of Winnow over explicit features",
                  [same for same, _ in plays]),
            every("the same: values of Winnow over explicit features", [same for _, same in plays]),
            equal("m = 2, theta 3: values before (01,+), (10,-), (11,+), (10,+), (11,-)", values, [1, 1, 4, 1, 5]),
            equal("the same: mistakes, and the weights of x1, x2 and x1 x2 at the end",
                  [small.mistakes, *_weights(small)], [3, 1, 1, Fraction(1, 2)]),
            equal("12 attributes, 300 trials: mistakes, intersections, reference", [golden.mistakes, golden.sets],
                  [33, 328]),
            equal("the same: value of 1^12, reference", golden.value(np.ones(12)), Fraction(157_483, 8)),
            equal("the same with theta 2^12 for 2^12 - 1: mistakes, reference", int(other.mistakes), 33),
            equal("all sets but for one attribute, m = 8 and 12: intersections", list(lattices.values()),
                  [2**m - 1 for m in lattices]),
        ],
        note="The m sets that lack one attribute each have 2^m - 1 intersections: the worst case is exponential, as "
        "Theorem 9 lets one expect. The map needs exact numbers, as its terms cancel.",
    )  # fmt: skip


# attributes, density, and trials: more than the bound, or it would hold whatever is predicted
REACH = [(20, 0.5, 600), (50, 0.2, 600), (100, 0.1, 2000), (200, 0.05, 4000), (100, 0.2, 1000), (30, 0.5, 600)]
ONE_RUN = {(20, 0.5): 45, (50, 0.2): 53, (30, 0.5): 57}  # mistakes of the reference
ENOUGH = 8  # runs, for a mean to be compared


def _reached(count: int, runs: int) -> list[dict[str, Any]]:
    sizes = [{"n": n, "density": density, "trials": trials} for n, density, trials in REACH[:count]]
    return [{**size, "number": number} for size in sizes for number in range(runs)]


def _learned(seed: int, n: int, density: float, trials: int, number: int) -> list[int]:
    X, y = _two_terms(n, density, trials, [seed, number])
    learner = KernelWinnow(cap=1 << 20)
    learner.learn(X, y)
    return [int(learner.mistakes), int(learner.sets)]


@run_with(quick={"count": 4, "runs": 2}, full={"count": 6, "runs": 10})
@in_pieces(_reached, _learned)
@meets("C14")
@claim("winnow-learns-dnf", "Winnow over all monomials learns DNF with few mistakes", "Section 1.2, after Theorem 2")
def winnow_learns_dnf(done: Sequence[list[int]], seed: int, count: int, runs: int) -> Outcome:
    """For alpha = 2 and theta = N, Theorem 2's bound is logarithmic in the number N of features: over all monomials of
    m attributes a DNF of k terms costs at most 2 + 3k(1 + log2(2^m - 1)) mistakes, a polynomial in m.
    """
    claims: list[Comparison] = []
    rows = []
    found = np.array(done).reshape(count, runs, 2)
    for (n, density, trials), own in zip(REACH[:count], found, strict=True):
        bound = kernel_winnow_dnf(n=n, k=2).value
        most = int(own[:, 0].max())
        where = f"m = {n}, density {density}"
        claims.append(at_most(f"{where}, {trials:,} trials: most mistakes, and the bound", most, bound))
        if runs >= ENOUGH and (n, density) in ONE_RUN:
            error, single = float(own[:, 0].std(ddof=1)), ONE_RUN[n, density]
            claims.append(mean_is(f"{where}: mistakes, reference (one run)", own[:, 0], single, error))
        mistakes, sets = own.mean(axis=0)
        rows.append([where, trials, round(mistakes, 1), round(bound, 1), f"{sets:,.0f}", f"2^{n}"])
    head = ["rows", "trials", "mistakes", "bound", "intersections", "monomials"]
    shown = ", ".join(f"{row[2]:g} mistakes (bound {row[3]:.0f}) for {row[0]}" for row in rows[:3])
    return Outcome(
        f"Two terms: {shown}.",
        claims,
        note="What grows is not the number of mistakes but the work: the number of intersections. Dense random rows of "
        "50 attributes are already out of reach.",
        tables=[Table(f"Kernel Winnow, alpha 2, theta N; means of {runs} runs", head, rows)],
    )


# of the reference, 400 sweeps a stage: the median error of the logarithm, and how many predictions agree, of how many
SAMPLED = {(20, 0.5): (0.022, 78, 79), (30, 0.3): (0.016, 74, 74)}
PLAYED = [[36, 37], [27, 34], [41, 40], [42, 42]]  # mistakes of the exact learner and of the sampled one


def _chains(points: int, games: int, **_: Any) -> list[dict[str, Any]]:
    sampled = [(n, density, points, -1) for n, density in SAMPLED]
    played = [(16, 0.5, 0, game) for game in range(games)]
    return [dict(zip(("n", "density", "points", "game"), one, strict=True)) for one in sampled + played]


def _chain(seed: int, n: int, density: float, points: int, game: int) -> list[list[float]] | list[int]:
    """Return errors of estimated logarithms, in themselves and by their standard errors, and unlike predictions.

    Of a game, the mistakes of the exact learner and of the sampled one.
    """
    if game >= 0:
        X, y = _two_terms(n, density, 250, [seed, game])
        players = KernelWinnow(), KernelWinnow(method="gibbs", sweeps=150, seed=seed + game)
        for player in players:
            player.learn(X, y)
        return [int(player.mistakes) for player in players]
    X, y = _two_terms(n, density, 5 * points, [seed, n])
    exact = KernelWinnow().begin(n, labels=(0, 1))
    found = []
    for t in range(0, 5 * points, 5):
        settings = exact.params() | {"method": "gibbs", "seed": seed + t}
        sampled = KernelWinnow.from_state(settings, exact.state())
        truth, (estimate, error) = exact.estimate(X[t])[0], sampled.estimate(X[t])
        if np.isfinite(truth) and error > 0.0:
            unlike = exact.predict(X[t : t + 1])[0] != sampled.predict(X[t : t + 1])[0]
            found.append([abs(estimate - truth), (estimate - truth) / error, float(unlike)])
        exact.learn(X[t : t + 5], y[t : t + 5])
    return found


@run_with(quick={"points": 40, "games": 8}, full={"points": 80, "games": 24})
@in_pieces(_chains, _chain)
@claim("monte-carlo", "Kernel Winnow by Monte Carlo", "Section 5: Chawla, Li and Scott", rows=["D1"])
def monte_carlo(done: Sequence[Any], seed: int, points: int, games: int) -> Outcome:
    """The predictions of Winnow over exponentially many features can be approximated by Monte Carlo estimation."""
    claims: list[Comparison] = []
    rows = []
    for (n, density), found in zip(SAMPLED, done, strict=False):
        off, _, unlike = np.array(found).T
        where = f"m = {n}, density {density}"
        median, agreed, of = SAMPLED[n, density]
        what = f"{where}: part of the predictions that agree, reference"
        claims.append(mean_is(what, 1 - unlike, agreed / of, 1 / of))
        quantiles = (round(float(q), 4) for q in np.quantile(off, [0.5, 0.9, 1.0]))
        rows.append([where, *quantiles, median, f"{len(off) - int(unlike.sum())} of {len(off)}"])
    off, standard, unlike = np.concatenate(done[: len(SAMPLED)]).T
    shares = {
        "errors of the logarithm beyond 0.25": off > 0.25,
        "errors beyond 3 standard errors": abs(standard) > 3,
        "predictions unlike the exact ones": unlike,
    }
    claims += [
        less(f"both: share of {name}, less 1/4", share, np.full(len(off), 0.25)) for name, share in shares.items()
    ]
    pairs = np.array(done[len(SAMPLED) :])
    difference = "mistakes of the sampled learner less those of the exact one"
    before = np.mean(PLAYED, axis=0).tolist(), np.std(PLAYED, axis=0, ddof=1).tolist()
    bound = kernel_winnow_dnf(n=16, k=2).value
    head = ["rows", "median", "90%", "largest", "median, reference", "same prediction"]
    claims += [
        mean_within(f"m = 16: {difference}", pairs[:, 1] - pairs[:, 0], -10.0, 10.0),
        *(
            mean_is(f"m = 16: mistakes of the {name} learner, reference of 4 games", own, mean, spread / 2)
            for name, own, mean, spread in zip(("exact", "sampled"), pairs.T, *before, strict=True)
        ),
        at_most("m = 16: most mistakes of the sampled learner, and Theorem 2's bound", int(pairs[:, 1].max()), bound),
    ]
    return Outcome(
        f"Median error of the logarithm {rows[0][1]:.3f} (m = 20) and {rows[1][1]:.3f} (m = 30); predictions agree in "
        f"{rows[0][5]} and {rows[1][5]}; games of 250 trials cost {pairs.mean(axis=0)[1]:.1f} mistakes, exact "
        f"{pairs.mean(axis=0)[0]:.1f}.",
        claims,
        evidence="The paper cites this work without numbers; the sampler is a reconstruction, without a proof. Errors "
        "grow with the number of mistakes, and the reference does not say after how many trials it measured them.",
        tables=[Table("Error of the estimated logarithm of the value", head, rows)],
    )


RESULTS = results(globals())
