"""Section 2: when to stop. What the rule says of one hypothesis, and what it does not say of the output."""

from __future__ import annotations

from fractions import Fraction
from math import log, pi, sqrt

import numpy as np

from littlestone.bounds.drift_chain import closest_mistakes
from littlestone.papers.comparisons import below, close, equal, every, less, mean_is
from littlestone.papers.fang_venkatesh._runs import mean_of, played
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.theory.drift import chain, failure_probability, hypothesis_rule, least_rule, overall_rule, paper_rule

__all__ = ["RESULTS"]

DELTAS = ["1/10", "1/100", "1/1000", "1/1000000"]


def _survives(n: int, T: int) -> Fraction:
    """Return the chance that the wrong hypothesis which errs least is right on T examples."""
    return (1 - Fraction(chain(n, exact=True).P[1])) ** T


@claim("termination-odd", "The rule of termination, odd n", "Section 2, after Theorem 1", quick={"largest": 2001})
def termination_odd(seed: int, largest: int) -> Outcome:
    """A wrong hypothesis is right on T examples in a row with a probability below delta, if T exceeds
    sqrt(pi n/2) ln(1/delta). Here: odd n.
    """
    sizes = range(1, largest + 1, 2)
    least = [n for n in sizes if n <= 99]
    likely = [closest_mistakes(n) > sqrt(2 / (pi * n)) for n in sizes]
    nearest = [min(chain(n).P[1:]) >= chain(n).P[1] * (1 - 1e-12) for n in least]
    below_delta = {
        delta: [_survives(n, paper_rule(n, float(Fraction(delta)))) < Fraction(delta) for n in least]
        for delta in DELTAS
    }
    return Outcome(
        f"P_1 > sqrt(2/(pi n)), from which the rule follows, for {sum(likely):,} of {len(likely):,} odd n up to "
        f"{largest}; in rationals it holds in {sum(map(sum, below_delta.values()))} of "
        f"{sum(map(len, below_delta.values()))} cases, n up to 99 and {len(DELTAS)} values of delta.",
        [
            every(f"P_1 > sqrt(2/(pi n)), odd n up to {largest}", likely),
            every("no distance errs less than 1, n up to 99", nearest),
            *[every(f"(1 - P_1)^T < delta = {delta}, n up to 99", holds) for delta, holds in below_delta.items()],
        ],
        note="The logarithm is the natural one.",
    )


@claim("termination-even", "The rule of termination, even n", "Section 2, after Theorem 1", quick={"largest": 100})
def termination_even(seed: int, largest: int) -> Outcome:
    """A wrong hypothesis is right on T examples in a row with a probability below delta, if T exceeds
    sqrt(pi n/2) ln(1/delta). Here: even n.
    """
    sizes = range(2, largest + 1, 2)
    chances = {(n, delta): _survives(n, paper_rule(n, float(Fraction(delta)))) for n in sizes for delta in DELTAS}
    bad = [key for key, chance in chances.items() if chance >= Fraction(key[1])]
    n, delta = bad[0] if bad else (2, DELTAS[0])
    T = paper_rule(n, float(Fraction(delta)))
    right = {key: hypothesis_rule(key[0], float(Fraction(key[1]))) for key in chances}
    holds, fewer = (
        [_survives(m, rule - less_by) < Fraction(one) for (m, one), rule in right.items()] for less_by in (0, 1)
    )
    about = {(m, one): (sqrt(pi * m / 2) + 0.5) * -log(Fraction(one)) + 0.5 for m, one in right if m >= 4}
    within = [abs(rule - right[key]) < 2 for key, rule in about.items()]
    survivals = {(20, "1/10"): 0.121, (10, "1/10"): 0.111, (10, "1/1000000"): 5.6e-6}
    return Outcome(
        f"At n = 20, delta = 0.1 such a hypothesis is right on {paper_rule(20, 0.1)} examples with probability "
        f"{float(chances[20, '1/10']):.3f}; the rule fails in {len(bad)} of {len(chances)} cases.",
        [every("survival below delta, even n and delta", [one < Fraction(key[1]) for key, one in chances.items()])],
        [
            every("with T above ln(1/delta)/ln(1+c) it holds", holds),
            every("and with one less it does not", [not one for one in fewer]),
            every("that is (sqrt(pi n/2) + 1/2) ln(1/delta) within 2, n from 4 on", within),
            *(
                close(f"reference: survival, n = {m}, delta = {one}", float(chances[m, one]) / chance, 1.0, 0.01)
                for (m, one), chance in survivals.items()
            ),
        ],
        "For even n a hypothesis with one wrong coordinate errs with probability c/(1+c), c = C(n,n/2)/2^n, less than "
        "sqrt(2/(pi n)); T must exceed ln(1/delta)/ln(1+c), about (sqrt(pi n/2) + 1/2) ln(1/delta).",
        f"n = {n}, delta = {delta}: T = {T}, and the survival is {chances[n, delta]} = {float(chances[n, delta]):.4f}.",
    )


WRONG = {
    (0.1, 5): 0.2317, (0.1, 11): 0.7244, (0.1, 21): 0.9787, (0.01, 5): 0.0167, (0.01, 11): 0.0872, (0.01, 21): 0.3988,
    (0.01, 51): 0.9986, (1e-3, 11): 0.00705, (1e-3, 51): 0.5875, (1e-6, 51): 1.5e-4, (1e-6, 101): 8.0e-4,
}  # fmt: skip


@run_with(quick={"runs": 4000}, full={"runs": 20_000})
@claim("termination-output", "The rule of termination and the output", "Section 2, after Theorem 1")
def termination_output(seed: int, runs: int) -> Outcome:
    """Stopped by the rule of termination with delta, the algorithm has come to the target with a confidence of more
    than 1 - delta.
    """
    sizes, deltas = range(2, 42), (0.1, 0.01, 1e-3, 1e-6)
    wrong = {(delta, n): failure_probability(n, paper_rule(n, delta)) for delta in deltas for n in [*sizes, 51, 101]}
    bad = [key for key, chance in wrong.items() if chance >= key[0]]
    delta, n = bad[0] if bad else (0.1, 2)
    odd = next((m for d, m in bad if d == delta and m % 2), 3)
    stopped = {d: played(seed, 11, runs=runs, patience=paper_rule(11, d), cap=1 << 40).deceived for d in (0.1, 0.01)}
    safe = {d: played(seed + 1, 11, runs=runs, patience=least_rule(11, d), cap=1 << 40).deceived for d in (0.1,)}
    pairs = [(d, m) for d in deltas for m in sizes]
    lines = [
        Line(f"delta = {d:g}, {parity} n", own, [wrong[d, m] for m in own])
        for d in deltas[:3]
        for parity, own in (("even", list(sizes)[::2]), ("odd", list(sizes)[1::2]))
    ]
    return Outcome(
        f"With delta = 0.1 the output is wrong with probability {wrong[0.1, 5]:.3f} at n = 5, {wrong[0.1, 11]:.3f} at "
        f"n = 11 and {wrong[0.1, 21]:.3f} at n = 21.",
        [every("probability of a wrong output below delta, delta and n = 2 to 41",
               [wrong[pair] < pair[0] for pair in pairs])],
        [
            *[close(f"reference: wrong output, delta = {d:g}, n = {m}, by the reference", wrong[d, m] / chance, 1.0,
                    0.04 if chance < 1e-3 else 0.01) for (d, m), chance in WRONG.items()],
            *[mean_is(f"n = 11, delta = {d:g}: part of runs with a wrong output, by the chain", flags, wrong[d, 11])
              for d, flags in stopped.items()],
            every("patience of the exact chain: wrong at most delta",
                  [failure_probability(m, least_rule(m, d)) <= d for d, m in pairs]),
            every("and one example less is not enough",
                  [failure_probability(m, least_rule(m, d) - 1) > d for d, m in pairs if least_rule(m, d) > 1]),
            every("the rule with delta/(1 + E): wrong at most delta",
                  [failure_probability(m, overall_rule(m, d)) <= d for d, m in pairs]),
            mean_is("n = 11, delta = 0.1, patience of the chain: part of runs with a wrong output", safe[0.1],
                    failure_probability(11, least_rule(11, 0.1))),
        ],
        "Delta bounds the chance that one given wrong hypothesis survives; a run visits many of them. A guarantee for "
        "the output needs delta/(1 + E) in place of delta, E the expected mistakes, or the exact chain.",
        f"n = {n}, delta = {delta:g}: stopped after {paper_rule(n, delta)} consistent examples, a random start ends "
        f"wrong with probability {wrong[delta, n]:.4f}; the smallest odd n for this delta is {odd}: "
        f"{wrong[delta, odd]:.4f}.",
        tables=[Table("Consistent examples to wait for, delta = 0.1", ["n", "the paper", "exact chain", "delta/(1+E)",
                                                                       "wrong by the paper's"],
                      [[m, paper_rule(m, 0.1), least_rule(m, 0.1), overall_rule(m, 0.1), wrong[0.1, m]]
                       for m in (5, 11, 21, 41, 101)])],
        figures=[Figure("Wrong outputs under the paper's rule", "Probability that algorithm D, stopped by the paper's "
                        "rule, is wrong: exact, random start; logarithmic. Even n are worse than odd ones.", "n",
                        "probability of a wrong output", lines, "linear", "log")],
    )  # fmt: skip


BATCHED = {(11, "asynchronous"): 0.133, (11, "synchronous"): 0.0105, (10, "asynchronous"): 0.288,
           (10, "synchronous"): 0.077, (20, "asynchronous"): 0.336, (20, "synchronous"): 0.059}  # fmt: skip
NAMES = {"asynchronous": "D'", "synchronous": "D''"}


@claim("termination-batches", "The rule of termination in the batch modes", "Sections 2 and 3", quick={"runs": 4000})
def termination_batches(seed: int, runs: int) -> Outcome:
    """The rule of termination, given for algorithm D, carries over to D' and D'': with the batches of Table 1 and
    delta = 0.1 the output is wrong with a probability below 0.1.
    """
    found = {
        (n, mode): played(seed, n, mode, runs=runs, patience=paper_rule(n, 0.1), cap=1 << 40).deceived
        for n in (1, 2, 4, 10, 11, 20)
        for mode in NAMES
    }
    parts = {key: mean_of(flags) for key, flags in found.items()}
    delta = np.full(runs, 0.1)
    strict = played(seed + 1, 20, "asynchronous", runs=runs, patience=paper_rule(20, 0.1 / 21), cap=1 << 40).deceived
    least = int(played(seed, 20, "asynchronous", runs=100, start="opposite").mistakes.min())
    rows = [[n, *(f"{parts[n, mode]:.3f}" for mode in NAMES)] for n in dict.fromkeys(n for n, _ in found)]
    return Outcome(
        f"D' is wrong in {parts[11, 'asynchronous']:.1%} of runs at n = 11 and {parts[20, 'asynchronous']:.1%} at "
        f"n = 20; D'' in {parts[11, 'synchronous']:.1%} and {parts[20, 'synchronous']:.1%}, but in "
        f"{parts[2, 'synchronous']:.1%} at n = 2.",
        [below(f"{NAMES[mode]}, n = {n}: part of runs that end wrong", part, 0.1) for (n, mode), part in parts.items()],
        [
            *[mean_is(f"{NAMES[mode]}, n = {n}: part of runs, reference of 4000", found[n, mode], part,
                      sqrt(part * (1 - part) / 4000)) for (n, mode), part in BATCHED.items()],
            *[less(f"{NAMES[mode]}, n = {n}: 0.1 less the part of runs", delta, found[n, mode])
              for n in (2, 4) for mode in NAMES],
            less("D', n = 20, the rule with delta/(1 + n): part of runs less 0.1", strict, delta),
            equal("D', n = 20, opposite vertex: least number of hypotheses that are left behind", least, 20),
        ],
        "D' leaves about as many wrong hypotheses behind as the start has wrong coordinates, and each had its chance "
        "to survive; with delta/(1 + n) it is safe. D'' leaves one or two behind, and exceeds delta only where the "
        "rule is too short for a single one, at small even n.",
        f"n = 2, delta = 0.1: {parts[2, 'asynchronous']:.3f} of {runs:,} runs of D' ended wrong and "
        f"{parts[2, 'synchronous']:.3f} of D'' (at n = 1 {parts[1, 'asynchronous']:g} and "
        f"{parts[1, 'synchronous']:g}).",
        tables=[Table(f"Part of {runs:,} runs that ended wrong, delta = 0.1", ["n", *NAMES.values()], rows)],
    )  # fmt: skip


RESULTS = results(globals())
