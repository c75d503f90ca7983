"""Sections 3 and 3.1: Remark 7, thresholds and learning rates do not help; Theorem 8, a sample teaches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, product
from math import ceil, floor
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.learners import KernelPerceptron
from littlestone.papers.comparisons import Comparison, equal, every, less, mean_is, reference
from littlestone.papers.khardon_roth_servedio.theorem_6 import SETS, mistakes, sequence
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, in_pieces, meets, results, run_with
from littlestone.papers.runs import each
from littlestone.teachers import KernelTrap, KernelTrapSample

__all__ = ["RESULTS"]

# theta, and the mistakes on the 3,000 sets
POSITIVE = {Fraction(1, 3): 3000, Fraction(1): 3000, Fraction(2**18): 3000, Fraction(2**20 - 10**4): 3000,
            Fraction(2**20 - 1): 2, Fraction(2**20): 1, Fraction(2**20 + 1): 0}  # fmt: skip
NEGATIVE = [Fraction(-1), Fraction(-3), Fraction(-7, 2), Fraction(-1, 4), Fraction(-1000)]


def _shown(theta: Fraction) -> str:
    return f"{int(theta):,}" if theta.denominator == 1 else str(theta)


@meets("C6")
@claim("remark-7-rate", "Remark 7: thresholds up to 2^(0.047 n), and the learning rate", "Section 3, Remark 7")
def remark_7_rate(seed: int) -> Outcome:
    """With a threshold 0 < theta <= 2^(0.047 n) the sequence of Theorem 6 is still all mistakes but for 0^n. A learning
    rate changes nothing: only theta/eta matters.
    """
    claims: list[Comparison] = []
    rows = []
    for theta, sets in POSITIVE.items():
        wrong = mistakes(sequence(), theta=theta)
        claims.append(equal(f"theta = {_shown(theta)}: mistakes, 1^n and the sets, reference", wrong, 1 + sets))
        rows.append([_shown(theta), wrong])
    largest = floor(2 ** (0.047 * 400))
    wrong = mistakes(sequence(), theta=largest)
    claims.append(equal(f"theta = 2^(0.047 n) = {largest:,}, n = 400: mistakes", wrong, 1 + SETS))
    trials = sequence().trials
    rates = (Fraction(3, 7), Fraction(3))
    cases = product(POSITIVE.items(), rates)
    scaled = [mistakes(sequence(), theta=theta * eta, eta=eta) == 1 + sets for (theta, sets), eta in cases]
    claims.append(every("theta and eta times 3/7 or 3: the same numbers of mistakes", scaled))
    return Outcome(
        f"n = 400: {wrong:,} of {trials:,} trials are mistakes with theta = {largest:,} = 2^(0.047 n), "
        f"{', '.join(f'{found:,} with {theta}' for theta, found in rows[3:])}.",
        claims,
        tables=[Table("n = 400, 3,000 sets of 20 attributes: mistakes by threshold", ["theta", "mistakes"], rows)],
    )


def _repeated(theta: Fraction, on: int) -> int:
    """Return the mistakes on a row with so many attributes on, of 60, repeated until it is right and a little longer.

    It is positive if an attribute is on: the target is the disjunction of all, or any other function that is 0 at 0^n.
    """
    times = ceil(abs(theta)) + 5
    X = np.zeros((times, 60), dtype=bool)
    X[:, :on] = True
    learner = KernelPerceptron("monotone", theta=theta).begin(60, labels=(0, 1))
    wrong = learner.learn(X, np.full(times, int(on > 0))) != int(on > 0)
    assert not wrong[-1]
    return int(np.argmin(wrong))


@claim("remark-7-large", "Remark 7: large thresholds", "Section 3, Remark 7", rows=["C6"])
def remark_7_large(seed: int) -> Outcome:
    """With a larger threshold the disjunction of all attributes costs theta/2 - 1 mistakes at least: the row with the
    first attribute alone satisfies two monomials, and is repeated.
    """
    found = {theta: _repeated(Fraction(theta), 1) for theta in (1, 2, 3, 10, 11, 1001, 3.5, 5000)}
    return Outcome(
        f"theta = 10, 11, 1001: {found[10]}, {found[11]}, {found[1001]} mistakes.",
        [
            every("theta/2 - 1 repetitions are all mistakes", [one >= theta / 2 - 1 for theta, one in found.items()]),
            every("there are exactly ceil(theta/2)", [one == ceil(theta / 2) for theta, one in found.items()]),
            equal("theta = 10, 11, 1001: mistakes, reference", [found[theta] for theta in (10, 11, 1001)], [5, 6, 501]),
        ],
        note="theta/2 - 1 repetitions are safe; one or two more are mistakes as well.",
    )


@claim("remark-7-negative", "Remark 7: negative thresholds", "Section 3, Remark 7", rows=["C6"])
def remark_7_negative(seed: int) -> Outcome:
    """With theta < 0 the row 0^n is misclassified, and right after ceil(-theta) repetitions; then 1^n and all sets are
    mistakes.
    """
    zeros = {theta: _repeated(theta, 0) for theta in NEGATIVE}
    rest = [
        mistakes(KernelTrap(400, sets=1500, theta=theta), theta=theta) == zeros[theta] + 1 + 1500 for theta in NEGATIVE
    ]
    whole = [theta for theta in NEGATIVE if theta.denominator == 1]
    thetas, expected = "theta = -1, -3, -7/2, -1/4, -1000", [floor(-theta) + 1 for theta in NEGATIVE]
    return Outcome(
        f"theta = {', '.join(map(_shown, whole))}: 0^n is a mistake "
        f"{', '.join(f'{zeros[theta]:,}' for theta in whole)} times; for {sum(rest)} of {len(rest)} thresholds 1^n and "
        "all 1,500 sets follow.",
        [equal(f"theta = {_shown(theta)}: mistakes on 0^n", zeros[theta], ceil(-theta)) for theta in NEGATIVE],
        [
            equal(f"mistakes on 0^n are floor(-theta) + 1, {thetas}", list(zeros.values()), expected),
            every("where -theta is whole, one more than ceil(-theta)", [zeros[one] == ceil(-one) + 1 for one in whole]),
            every("then 1^n and 1,500 sets are mistakes", rest),
        ],
        erratum="It takes floor(-theta) + 1 repetitions: ceil(-theta) is one short where -theta is a whole number, as "
        "a value equal to theta is predicted 1 (w.x >= theta, which the first step of Theorem 6 needs).",
        counterexample=f"theta = -1: the value of 0^n is 0, then -1 >= -1, then -2: {zeros[NEGATIVE[0]]} mistakes, "
        f"and not {ceil(-NEGATIVE[0])}.",
    )


REFERENCE = {10: 0.484, 30: 0.498, 100: 0.492}  # mean errors, to three digits, n = 400
OFTEN = {10: 0.94, 30: 1.00, 100: 1.00}  # part of the runs with an error of 0.49 or more
RUNS = 48  # of the reference
SAMPLES = each(48, size="sizes")


def _errors(seed: int, n: int, size: int, first: int, runs: int) -> list[list[Any]]:
    """Return the error of the last hypothesis of each run, exact, and whether 0^n, then 1^n came first."""
    found = []
    for number in range(first, first + runs):
        sample = KernelTrapSample(n, trials=size, seed=seed + number)
        learner = KernelPerceptron("monotone")
        ls.play(learner, sample)
        on = [len(block.row(0)[0]) for block in islice(sample.blocks(rows=1), 2)]
        # after 0^n and 1^n, every example takes 2^size at most from the value of 1^n
        event = on == [0, n]
        left = not event or learner.value(np.ones(n)) >= 2**n - 1 - (size - 2) * 2**sample.trap.size
        found.append([str(sample.error(learner)), event, sample.trap.sets, bool(left)])
    return found


@run_with(quick={"n": 320, "sizes": [10, 30, 100], "runs": 108}, full={"n": 400, "runs": 480})
@in_pieces(SAMPLES, _errors)
@claim("theorem-8", "Theorem 8: kernel Perceptron is no PAC learner", "Section 3.1, Theorem 8", rows=["D2"])
def theorem_8(done: Sequence[list[list[Any]]], seed: int, n: int, sizes: Sequence[int], runs: int) -> Outcome:
    """Let 0^n have probability 1/4, 1^n 1/4, and Lemma 5's sets 1/2 together. After a polynomial number of examples the
    error of the kernel Perceptron's hypothesis is 0.49 or more with probability 1/16 at least: whenever 0^n comes first
    and 1^n second.
    """
    by_size: dict[int, list[list[Any]]] = {size: [] for size in sizes}
    for piece, found in zip(SAMPLES(n=n, sizes=sizes, runs=runs), done, strict=True):
        by_size[piece["size"]] += found
    claims: list[Comparison] = []
    rows = []
    for size, found in by_size.items():
        errors = [Fraction(error) for error, *_ in found]
        numbers, sets = [float(error) for error in errors], found[0][2]
        certain = [error for error, (_, event, *_) in zip(errors, found, strict=True) if event]
        often = [float(error >= Fraction(49, 100)) for error in errors]
        left = [left for *_, event, _, left in found if event]
        where, floor_ = f"sample of {size}", (1 - Fraction(size, sets)) / 2
        claims += [
            every(
                f"{where}: error >= (1 - sample/sets)/2 wherever 0^n, 1^n came first", [e >= floor_ for e in certain]
            ),
            every(f"{where}: there, 1^n has lost at most 2^size for each later example", left),
            less(f"{where}: 1/16 less how often the error is 0.49 or more", np.full(runs, 1 / 16), often),
            reference(f"{where}: how often the error is 0.49 or more", often, OFTEN[size], RUNS, 0.01),
            reference(f"{where}: mean error", numbers, REFERENCE[size], RUNS, 0.001),
        ]
        least = f"{float(min(certain, default=0)):.4f}"
        rows.append([size, f"{np.mean(numbers):.3f}", f"{np.mean(often):.2f}", len(certain), least])
    first = [float(event) for _, event, *_ in by_size[sizes[0]]]
    claims.append(mean_is("how often 0^n comes first and 1^n second", first, 1 / 16))
    head = ["examples", "mean error", "share of 0.49 or more", "runs with 0^n, 1^n first", "least error of those"]
    return Outcome(
        f"n = {n}, {sets:,} sets, {runs} runs: mean error {', '.join(str(row[1]) for row in rows)} after "
        f"{', '.join(map(str, sizes))} examples; the error is 0.49 or more in {', '.join(str(row[2]) for row in rows)} "
        "of the runs.",
        claims,
        note="1/16 is far from tight: hardly anything else happens. Errors are exact, computed over all sets.",
        tables=[Table("Errors of the last hypothesis", head, rows)],
    )


RESULTS = results(globals())
