"""What the paper says of other work: the real Perceptron, and what no run can decide."""

from __future__ import annotations

import numpy as np

import littlestone as ls
from littlestone.papers.comparisons import at_most, every, mean_is
from littlestone.papers.fang_venkatesh._runs import mean_of
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with
from littlestone.theory.drift import consistent_vector, expected_consistent, sample

__all__ = ["RESULTS"]

TOLD = {11: 27, 21: 132, 51: 814, 101: 2315}  # one run of 60,000 examples each


def _perceptron(n: int, trials: int, seed: int) -> int:
    """Return the mistakes of a Perceptron with real weights on positive examples; the first one counts."""
    u = sample(n, trials, seed=np.random.default_rng([seed, n])).astype(np.float64)
    learner = ls.Perceptron(bias=False, w1=u[0])  # from zero all would be predicted rightly, and nothing learned
    learner.learn(u[1:], np.ones(trials - 1, dtype=bool))
    return 1 + learner.mistakes


def _until_consistent(n: int, seed: int) -> int:
    """Return the mistakes until a Perceptron that goes through 10n examples again and again is right on all."""
    u = sample(n, 10 * n, seed=np.random.default_rng([seed, n, 1])).astype(np.float64)
    learner = ls.Perceptron(bias=False, w1=u[0])
    before = -1
    while learner.mistakes > before:  # it ends: for odd n the margin is 1
        before = learner.mistakes
        learner.learn(u, np.ones(len(u), dtype=bool))
    return 1 + learner.mistakes


@run_with(
    quick={"ns": [11, 21], "runs": 10, "trials": 10_000}, full={"ns": [11, 21, 51, 101], "runs": 20, "trials": 60_000}
)
@claim("real-perceptron", "Footnote 3: the Perceptron with real weights", "Section 1, footnote 3")
def real_perceptron(seed: int, ns: list[int], runs: int, trials: int) -> Outcome:
    """With real weights the classical Perceptron comes to a vector consistent with such a sample in time O(n^2)."""
    found = {n: [_perceptron(n, trials, seed + run) for run in range(runs)] for n in ns}
    cycled = {n: [_until_consistent(n, seed + run) for run in range(runs)] for n in ns}
    return Outcome(
        f"{', '.join(f'{mean_of(one):.0f}' for one in found.values())} mistakes for n = {', '.join(map(str, ns))} on "
        f"ever new examples, {', '.join(f'{mean_of(one):.0f}' for one in cycled.values())} until 10n given ones "
        "are right.",
        [
            *[at_most(f"n = {n}: most mistakes, and n^2", max(one), n * n) for n, one in found.items()],
            *[at_most(f"n = {n}: most mistakes until 10n examples are all right, and n^2", max(one), n * n)
              for n, one in cycled.items()],
            *[mean_is(f"n = {n}: mistakes, reference (one run)", one, TOLD[n], float(np.std(one, ddof=1)))
              for n, one in found.items()],
        ],
        note="n^2 is the Perceptron's bound for odd n: R^2 = |u|^2 = n and the margin is 1. For even n the margin is "
        f"0, and the bound says nothing. Mistakes in {trials:,} positive examples, the first, from zero weights, "
        "counted as one.",
        tables=[Table("Mistakes of the Perceptron", ["n", "mean", "s.d.", "10n examples again and again", "n^2"],
                      [[n, mean_of(one), float(np.std(one, ddof=1)), mean_of(cycled[n]), n * n]
                       for n, one in found.items()])],
    )  # fmt: skip


@run_with(quick={"ns": [11, 21], "runs": 10}, full={"ns": [11, 21, 31], "runs": 20})
@claim("typical-instances", "Typical instances are simple", "Section 1")
def typical_instances(seed: int, ns: list[int], runs: int) -> Outcome:
    """Though finding a consistent vertex is NP-complete, typical instances are simple and need little time and space.
    The authors mean Directed Drift with batches; here an integer program is given 3n random examples.
    """
    came, right = [], []
    for n in ns:
        for run in range(runs):
            rng = np.random.default_rng([seed, n, run])
            target = rng.integers(0, 2, n) * 2 - 1
            answer = consistent_vector(sample(n, 3 * n, seed=rng, target=target), time_limit=20)
            came.append(answer.w is not None)
            right.append(answer.w is not None and bool((answer.w == target).all()))
    others = mean_of([expected_consistent(n, 3 * n) - 1 for n in ns])
    return Outcome(
        f"A consistent vertex was found in {sum(came)} of {len(came)} samples; in {sum(right)} it was the target.",
        [
            every("samples with a consistent vertex found", came),
            mean_is(
                "part of them that is the target: 1 less the expected number of other consistent vertices",
                right,
                1 - others,
                (others / len(right)) ** 0.5,
            ),
        ],
        note=f"Odd n up to {max(ns)}, by HiGHS; it says nothing of large n, where the search takes exponential time. "
        "What Directed Drift needs is in table-1.",
    )


@claim("np-complete", "Consistency is NP-complete", "Section 1, after Pitt and Valiant")
def np_complete(seed: int) -> Outcome:
    """To decide whether some vertex is consistent with given examples is NP-complete; with real weights it is a linear
    program.
    """
    return Outcome(
        "Not run.",
        evidence="A statement about the worst case of all instances, proved elsewhere; no run "
        "of any algorithm decides it.",
    )


@claim("proofs", "Theorems 2 and 3 for all large n", "Section 3")
def proofs(seed: int) -> Outcome:
    """The expected mistakes are O(n) and O(1) as n goes to infinity; the formal proofs are to appear elsewhere."""
    return Outcome(
        "Not run beyond n = 401.",
        evidence="The paper gives no proof, and an O is about all n; Theorems 2 "
        "and 3 are checked above for the n that can be run.",
    )


RESULTS = (real_perceptron, typical_instances, np_complete, proofs)
