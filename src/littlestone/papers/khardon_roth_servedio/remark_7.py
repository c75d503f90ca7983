"""Section 3, Remark 7: thresholds and learning rates do not help."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import numpy as np

from littlestone.learners import KernelPerceptron
from littlestone.papers.comparisons import Comparison, equal, every
from littlestone.papers.khardon_roth_servedio._traps import SETS, mistakes, sequence
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim
from littlestone.teachers import KernelTrap

__all__ = ["RESULTS"]

# theta, and the mistakes on the 3,000 sets
POSITIVE = {Fraction(1, 3): 3000, Fraction(1): 3000, Fraction(2**18): 3000, Fraction(2**20 - 10**4): 3000,
            Fraction(2**20 - 1): 2, Fraction(2**20): 1, Fraction(2**20 + 1): 0}  # fmt: skip
NEGATIVE = [Fraction(-1), Fraction(-3), Fraction(-7, 2), Fraction(-1, 4), Fraction(-1000)]


def _shown(theta: Fraction) -> str:
    return f"{int(theta):,}" if theta.denominator == 1 else str(theta)


@claim(
    "remark-7-rate", "Remark 7: thresholds up to 2^(0.047 n), and the learning rate", "Section 3, Remark 7", rows=["C6"]
)
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
    rates = [Fraction(3, 7), Fraction(3)]
    scaled = [
        mistakes(sequence(), theta=theta * eta, eta=eta) == 1 + sets
        for theta, sets in POSITIVE.items()
        for eta in rates
    ]
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
            every(
                "theta/2 - 1 repetitions are all mistakes",
                [wrong >= Fraction(theta) / 2 - 1 for theta, wrong in found.items()],
            ),
            every(
                "there are exactly ceil(theta/2)",
                [wrong == ceil(Fraction(theta) / 2) for theta, wrong in found.items()],
            ),
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
    return Outcome(
        f"theta = {', '.join(map(_shown, whole))}: 0^n is a mistake "
        f"{', '.join(f'{zeros[theta]:,}' for theta in whole)} times; for {sum(rest)} of {len(rest)} thresholds 1^n and "
        "all 1,500 sets follow.",
        [equal(f"theta = {_shown(theta)}: mistakes on 0^n", zeros[theta], ceil(-theta)) for theta in NEGATIVE],
        [
            equal("mistakes on 0^n are floor(-theta) + 1, theta = -1, -3, -7/2, -1/4, -1000",
                  [zeros[theta] for theta in NEGATIVE], [floor(-theta) + 1 for theta in NEGATIVE]),
            every("where -theta is whole, one more than ceil(-theta)",
                  [zeros[theta] == ceil(-theta) + 1 for theta in whole]),
            every("then 1^n and 1,500 sets are mistakes", rest),
        ],
        erratum="It takes floor(-theta) + 1 repetitions: ceil(-theta) is one short where -theta is a whole number, as "
        "a value equal to theta is predicted 1 (w.x >= theta, which the first step of Theorem 6 needs).",
        counterexample=f"theta = -1: the value of 0^n is 0, then -1 >= -1, then -2: {zeros[NEGATIVE[0]]} mistakes, "
        f"and not {ceil(-NEGATIVE[0])}.",
    )  # fmt: skip


RESULTS = (remark_7_rate, remark_7_large, remark_7_negative)
