"""Section 1: half-spaces of the cube, how examples are drawn from them, and how many are needed."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, log, pi, sqrt

import numpy as np

from littlestone.papers.comparisons import above, below, close, equal, every, mean_is, reference
from littlestone.papers.fang_venkatesh._runs import half_space, mean_of, played, spread
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.theory.drift import (
    annealed_constant,
    chain,
    consistent_fraction,
    expected_consistent,
    positive_half,
    reflection_bias,
)

__all__ = ["RESULTS"]


@claim("half-spaces", "Half-spaces of the cube", "Section 1", quick={"largest": 10}, rows=["A23"])
def half_spaces(seed: int, largest: int) -> Outcome:
    """The vertices that agree with w in at least half of the coordinates are 2^(n-1) for odd n, and half of the
    orthogonal ones more for even n. The bias of one coordinate of an example, E[u_k w_k], is the chance that a
    hypothesis with one wrong coordinate errs.
    """
    sizes = range(1, largest + 1)
    counted = [len(half_space(n)) for n in sizes]
    bias = [Fraction(int(half_space(n)[:, 0].sum()), counted[n - 1]) for n in sizes]
    return Outcome(
        f"{', '.join(map(str, counted))} vertices for n = 1 to {largest}.",
        [
            equal("vertices counted, and by formula", counted, [positive_half(n) for n in sizes]),
            equal("reference: vertices for n = 1 to 10", counted[:10], [1, 3, 4, 11, 16, 42, 64, 163, 256, 638]),
            equal("bias of a coordinate, and P_1 of the chain", bias, [chain(n, exact=True).P[1] for n in sizes]),
        ],
        tables=[Table("Bias of one coordinate", ["n", *map(str, sizes)], [["bias", *map(str, bias)]])],
    )


def _reflected(n: int) -> Fraction:
    """Return the total variation between reflected vertices and the uniform law, by counting."""
    many = len(half_space(n))
    found = Fraction(0)
    for ties in half_space(n).sum(axis=1) == 0:
        found += abs(Fraction(1 if ties else 2, 2**n) - Fraction(1, many))
    return found / 2


@claim("footnote-1", "Footnote 1: negative examples reflected", "Section 1, footnote 1", quick={"largest": 8})
def footnote_1(seed: int, largest: int) -> Outcome:
    """Vertices of the whole cube, those that are negative reflected about the origin, are uniform on the half-space for
    odd n; for even n they differ from it only by a term of order n^(-1/2).
    """
    sizes, even = range(1, largest + 1), range(2, 1001, 2)
    counted, formula = [_reflected(n) for n in sizes], [reflection_bias(n) for n in sizes]
    scaled = [float(reflection_bias(n)) * sqrt(n) for n in even]
    return Outcome(
        f"Total variation {', '.join(map(str, counted[:6]))} for n = 1 to 6.",
        [
            every("odd n: uniform", [one == 0 for one in counted[::2]]),
            equal("total variation counted, and c(1-c)/(1+c) with c = C(n,n/2)/2^n", counted, formula),
            equal("reference, n = 2", counted[1], Fraction(1, 6)),
            close("reference, n = 4", float(counted[3]), 0.170455, 5e-7),
            every("times sqrt(n) below sqrt(2/pi), even n up to 1000", [one < sqrt(2 / pi) for one in scaled]),
            every("and rising towards it from n = 4 on", np.diff(scaled[1:]) > 0),
        ],
    )


@claim("two-models", "The two models of examples", "Section 1, footnote 1", quick={"runs": 1000}, full={"runs": 4000})
def two_models(seed: int, runs: int) -> Outcome:
    """Positive examples drawn uniformly, and labelled examples of the whole cube, the negative ones reflected, are
    asymptotically the same model; so Directed Drift's expected mistakes should come to be the same in both.
    """
    sizes = [2, 4, 6, 8, 10, 20, 50, 100, 200, 500, 1000]
    both = {n: [float(chain(n, sampling=way).mistakes(n)) for way in ("uniform", "reflected")] for n in sizes}
    ratios = [one / other for one, other in both.values()]
    found = {
        (n, way): played(seed, n, "synchronous", round(pi * n * log(n)), sampling=way, runs=runs).mistakes
        for n in (10, 100)
        for way in ("uniform", "reflected")
    }
    four = [chain(4, sampling=way, exact=True).mistakes(4) for way in ("uniform", "reflected")]
    error = sqrt(chain(10, sampling="reflected").variance(10) / 4000)
    means = {(10, "uniform"): 1.738, (10, "reflected"): 1.214, (100, "uniform"): 1.277, (100, "reflected"): 1.126}
    return Outcome(
        f"Algorithm D makes {ratios[4]:.2f} times as many mistakes in the first model at n = 10, {ratios[7]:.2f} times "
        f"at n = 100, {ratios[-1]:.2f} times at n = 1000.",
        [close("D from the opposite vertex, mistakes in the one model by those in the other, n = 1000", ratios[-1],
               1.0, 0.1)],
        [
            every("the ratio rises with n, n = 2 to 1000", np.diff(ratios) > 0),
            close("reference: D, n = 10, opposite vertex, uniform", both[10][0], 209.04, 0.005),
            close("reference of 4000 runs: the same, reflected", both[10][1], 178.9, 5 * error),
            *[reference(f"D'', m = pi n ln n, n = {n}, {way}", found[n, way], mean, 4000, 0.001)
              for (n, way), mean in means.items()],
        ],
        "The laws come close, the learner's mistakes do not. For even n a hypothesis with one wrong coordinate errs on "
        "vertices orthogonal to the target alone, and reflection gives these half of their weight. For odd n the "
        "models are the same.",
        f"n = 4 (at n = 2 both have {both[2][0]:g}): from the opposite vertex D makes {four[0]} = {float(four[0]):.3f} "
        f"mistakes in the one model and {four[1]} = {float(four[1]):.3f} in the other, a ratio of "
        f"{float(four[0] / four[1]):.3f}, which grows with n: {ratios[-1]:.2f} at n = {sizes[-1]}.",
        tables=[
            Table("Expected mistakes of D from the opposite vertex", ["n", "uniform", "reflected", "ratio"],
                  [[n, *both[n], ratio] for n, ratio in zip(sizes, ratios, strict=True)]),
            Table(f"Mistakes of D'' with m = pi n ln n, {runs} runs", ["n", "uniform", "reflected"],
                  [[n, *(spread(found[n, way]) for way in ("uniform", "reflected"))] for n in (10, 100)]),
        ],
    )  # fmt: skip


def _errs(n: int, d: int, *, strict: bool) -> Fraction:
    """Return the chance that a hypothesis with d wrong coordinates errs, by counting."""
    examples = half_space(n, strict=strict)
    w = np.where(np.arange(n) < d, -1, 1)
    return Fraction(int((examples @ w < 0).sum()), len(examples))


@claim("positive-or-not-negative", "Positive inner products, or none negative", "Abstract", quick={"largest": 8})
def positive_or_not_negative(seed: int, largest: int) -> Outcome:
    """The abstract supposes examples that have positive inner product with the target, and says that they lead Directed
    Drift to it with probability one; Section 1 allows inner products of zero.
    """
    pairs = [(n, d) for n in range(1, largest + 1) for d in range(1, n + 1)]
    strict = [_errs(n, d, strict=True) > 0 for n, d in pairs]
    loose = [_errs(n, d, strict=False) > 0 for n, d in pairs]
    cannot = [list(pair) for pair, can in zip(pairs, strict, strict=True) if not can]
    examples = half_space(2, strict=True).tolist()
    return Outcome(
        f"With positive products {strict.count(False)} of {len(pairs)} kinds of wrong hypotheses (n, d) never err; "
        f"with products that are not negative {loose.count(False)}.",
        [every("wrong hypotheses that can err, positive products", strict)],
        [
            equal("those that cannot err (n, d)", cannot, [[n, 1] for n in range(2, largest + 1, 2)]),
            every("wrong hypotheses that can err, products not negative", loose),
        ],
        "For even n examples orthogonal to the target are needed, as Section 1 has them: without them a hypothesis "
        "with one wrong coordinate is never found out.",
        f"n = 2, target (1, 1): the only example is {tuple(examples[0])}, and on it (1, -1) has product 0: no mistake.",
    )


@run_with(quick={"largest": 10})
@claim("more-matches", "The target matches more coordinates than not", "Section 2, after algorithm D")
def more_matches(seed: int, largest: int) -> Outcome:
    """The target agrees with every positive example in more coordinates than it disagrees."""
    gaps = {n: half_space(n).sum(axis=1) for n in range(1, largest + 1)}  # agreeing coordinates less the others
    more = {n: int((gap > 0).sum()) for n, gap in gaps.items()}
    tied, ties = [len(gaps[n]) - more[n] for n in gaps], [comb(n, n // 2) * (n % 2 == 0) for n in gaps]
    first = next((n for n, gap in gaps.items() if more[n] < len(gap)), largest)
    example = tuple(half_space(first)[np.argmin(gaps[first])].tolist())
    return Outcome(
        f"True for {sum(more.values()):,} of {sum(map(len, gaps.values())):,} examples, n up to {largest}; for "
        f"{sum(more[n] == len(gap) for n, gap in gaps.items())} of {largest} n for all.",
        [every("more coordinates agree, examples of all n", np.concatenate([gap > 0 for gap in gaps.values()]))],
        [
            every("at least as many agree", np.concatenate([gap >= 0 for gap in gaps.values()])),
            every("odd n: more agree", np.concatenate([gap > 0 for n, gap in gaps.items() if n % 2])),
            equal("as many agree as not: C(n,n/2) examples for even n", tied, ties),
        ],
        "For even n half of the coordinates may agree, as the half-space has vertices orthogonal to the target. At "
        "least half of them is enough for what is concluded from it, see pigeonhole.",
        f"n = {first}, target {(1,) * first}: the example {example} agrees in "
        f"{first // 2} coordinate and disagrees in {first // 2}.",
    )


@run_with(quick={"samples": 60}, full={"samples": 400})
@claim("1.45-n-examples", "1.45 n examples single out the target", "Section 1, after Lyuu and Rivin")
def enough_examples(seed: int, samples: int) -> Outcome:
    """From 1.45 n random examples on, the chance that any other vertex is consistent with all of them is exponentially
    small in n.
    """
    ratio, distance = annealed_constant()
    sizes = [101, 201, 501, 1001, 2001]
    others = [expected_consistent(n, ceil(1.45 * n)) - 1 for n in sizes]
    parts = {(n, r): consistent_fraction(n, r, samples, seed=seed + n) for n in (11, 15, 19) for r in (1.45, 2.5)}
    alone = {11: 0.52, 15: 0.52, 19: 0.63}
    flags = {key: np.arange(samples) < round(part * samples) for key, part in parts.items()}
    what = "part of samples with the target alone, reference of 60"
    rows = [[n, parts[n, 1.45], parts[n, 2.5]] for n in alone]
    return Outcome(
        f"The constant is {ratio:.5f}; but at 1.45 n the target is alone in {parts[11, 1.45]:.0%}, "
        f"{parts[15, 1.45]:.0%} and {parts[19, 1.45]:.0%} of samples for n = 11, 15, 19.",
        [
            below("examples a coordinate from which on the expected number of others vanishes", ratio, 1.45),
            close("reference: the constant", ratio, 1.44797, 5e-6),
            close("reference: part of wrong coordinates that decides", distance, 0.1512, 5e-5),
            every("expected number of others at 1.45 n falls, odd n = 101 to 2001", np.diff(others) < 0),
            *(mean_is(f"n = {n}, 1.45 n: {what}", flags[n, 1.45], p, sqrt(p * (1 - p) / 60)) for n, p in alone.items()),
            *(mean_is(f"n = {n}, 2.5 n: {what}", flags[n, 2.5], 0.98, sqrt(0.98 * 0.02 / 60)) for n in alone),
        ],
        note="The statement is asymptotic, and slow: 1.45 is only 0.14% above the constant, so the expected number of "
        f"others is {others[0]:.2f} at n = 101 and still {others[-1]:.2f} at n = 2001; for even n it still grows at "
        f"n = 3000 ({expected_consistent(3000, 4350):.1e}), for ties count as consistent. With 2.5 n examples the "
        f"target is alone in {min(parts[n, 2.5] for n in alone):.0%} of the samples or more. A consistent hypothesis "
        "after 1.45 n examples is no sign of success at practical n.",
        tables=[Table("Part of samples in which only the target is consistent", ["n", "1.45 n", "2.5 n"], rows)],
    )


@claim("approximate-goal", "Footnote 2: to be near the target", "Section 1, footnote 2", quick={"runs": 1000})
def approximate_goal(seed: int, runs: int) -> Outcome:
    """The more modest goal of a good approximation needs only small changes of the analysis: the same chain, ended at a
    distance from the target, and much cheaper.
    """
    goals, expected = [0, 1, 2, 3, 5, 7, 9, 12], {0: 7.7e6, 1: 5.6e5, 3: 1.6e4, 7: 306.0}
    exact = {goal: float(chain(31).mistakes(31, within=goal)) for goal in goals}
    near = played(seed, 31, start="opposite", within=7, runs=runs).mistakes
    return Outcome(
        f"n = 31 from the opposite vertex: {exact[0]:.2g} mistakes to the target, {exact[1]:.2g} to distance 1, "
        f"{exact[3]:.2g} to 3, {exact[7]:.0f} to 7.",
        [
            *[close(f"reference: mistakes to distance {goal}, by the reference", exact[goal] / mean, 1.0, 0.01)
              for goal, mean in expected.items()],
            every("each step nearer costs more", np.diff([exact[goal] for goal in goals]) < 0),
            mean_is("mistakes to distance 7, simulated", near, exact[7]),
            above("mistakes to the target by those to distance 7", exact[0] / exact[7], 10_000),
        ],
        note=f"Simulated to distance 7: {mean_of(near):.0f} in the mean. The paper gives no numbers.",
        figures=[Figure(
            "Mistakes until the hypothesis is near", "Expected mistakes of algorithm D, n = 31, from the opposite "
            "vertex until at most so many coordinates are wrong; logarithmic.", "wrong coordinates allowed", "mistakes",
            [Line("exact chain, n = 31", goals, list(exact.values()))], "linear", "log")],
    )  # fmt: skip


RESULTS = results(globals())
