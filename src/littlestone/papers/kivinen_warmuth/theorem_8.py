"""Section 3: the adversary against additive learners with any start, any coefficients and any thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.core.arrays import Ints
from littlestone.papers.comparisons import equal, every
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim, run_with
from littlestone.teachers import Hadamard

__all__ = ["RESULTS"]


class _Hindsight:
    """An additive learner as its teacher sees it: its start and all earlier rows, with new coefficients each time."""

    trials = 0

    def __init__(self, w1: Ints, rng: np.random.Generator) -> None:
        self.rng, self.rows = rng, np.zeros((0, len(w1)), dtype=np.int64)
        self.w1, self.w, self.theta = w1, w1, 0.0

    def take(self, row: Any) -> None:
        self.rows = np.vstack([self.rows, row])
        self.w = self.w1 + self.rng.integers(-9, 10, size=len(self.rows)) @ self.rows
        self.theta = int(self.rng.integers(-20, 20)) / 2

    def hypothesis(self) -> ls.Hypothesis:
        return ls.Hypothesis(self.w.astype(np.float64), self.theta)

    def activation(self, row: Any) -> float:
        return float(self.w @ np.asarray(row) - self.theta)

    def predict(self, row: Any) -> int:
        return int(self.activation(row) >= 0)


def _differ(teacher: Hadamard, w1: Ints) -> NDArray[np.bool_]:
    """Tell of each trial whether the start and the target differ in it (Definition 7)."""
    assert teacher.target is not None
    q = teacher.matrix[:, int(np.argmax(teacher.target[: teacher.order]))]
    preferred = teacher.matrix @ w1[: teacher.order]  # w1.z' - w1.z''
    return np.where(q > 0, preferred <= 0, preferred >= 0)


@run_with(quick={"games": 100}, full={"games": 5000})
@claim("theorem-8", "Theorem 8: coefficients chosen in hindsight", "Section 3, Definition 7 and Theorem 8")
def theorem_8(seed: int, games: int) -> Outcome:
    """On a sequence with pairwise constant dot products an additive learner errs wherever its start and the target
    differ, even if it chooses all coefficients and thresholds anew in each trial, as it likes.
    """
    rng = np.random.default_rng(seed)
    where_they_differ: list[bool] = []
    elsewhere: list[bool] = []
    kept = []
    for game in range(games):
        teacher = Hadamard(int(rng.integers(1, 7)), int(rng.integers(1, 5)))
        w1 = rng.integers(-9, 10, size=teacher.n_attributes) * (game % 2)  # every other one starts at zero
        learner = _Hindsight(w1, rng)
        teacher.begin(learner)
        for t, differ in enumerate(_differ(teacher, w1)):
            first, second = (instance.astype(np.int64) for instance in teacher.instances(t))
            kept.append(int(learner.w @ (first - second)) == int(w1 @ (first - second)))
            answer = teacher.trial(learner)
            assert answer is not None
            (where_they_differ if differ else elsewhere).append(learner.predict(answer[0]) != answer[1])
            learner.take(answer[0])
    return Outcome(
        f"{games:,} games of learners with random coefficients and thresholds: mistakes in {sum(where_they_differ):,} "
        f"of the {len(where_they_differ):,} trials in which start and target differ, and in {sum(elsewhere):,} of the "
        f"other {len(elsewhere):,}.",
        [
            every("mistakes, trials in which start and target differ", where_they_differ),
            every("w.z' - w.z'' is what it was at the start, trials", kept),
        ],
        note="Half of the games start at zero, where start and target differ in every trial (Lemma 11).",
    )


@run_with(quick={"largest": 7, "problems": 60}, full={"problems": 1000})
@claim("theorem-13-any-start", "Theorem 13: any start", "Section 3, Lemma 12 and Theorem 13", rows=["A3"])
def theorem_13_any_start(seed: int, largest: int, problems: int) -> Outcome:
    """Whatever its first weights, an additive learner can be made to err l/2 times, l = N - k + 1."""
    rng = np.random.default_rng(seed)
    at_least_differing, at_least_half, least = [], [], np.inf
    for _ in range(problems):
        teacher = Hadamard(int(rng.integers(1, 6)), int(rng.integers(1, 4)))
        w1 = rng.integers(-20, 21, size=teacher.n_attributes) / 4
        theta, eta = float(rng.choice([0.0, 0.5, -1.25, 3.0])), float(rng.choice([0.25, 1.0]))
        run = ls.play(ls.Perceptron(w1=w1.tolist(), theta=theta, eta=eta, bias=bool(rng.integers(2))), teacher)
        differing = int(_differ(teacher, (4 * w1).astype(np.int64)).sum())
        at_least_differing.append(run.mistakes >= differing)
        at_least_half.append(2 * differing >= teacher.order)
        least = min(least, run.mistakes / teacher.order)
    sizes = range(1, largest + 1)
    attained, ones = [_from_second(d) for d in sizes], [_from_ones(d) for d in sizes]
    return Outcome(
        f"{problems:,} random starts: never fewer than {least:.2f} l mistakes; from w1 = e_2 {attained[-1]} for l = "
        f"{2**largest}.",
        [
            every("mistakes >= differing trials, problems", at_least_differing),
            every("differing trials >= l/2, problems", at_least_half),
            equal("w1 = e_2, theta 1/2, eta 1e-9: mistakes for l = 2, 4, ...", attained, [2**d // 2 for d in sizes]),
            equal(
                "w1 = (1, ..., 1), theta 0: mistakes and differing trials, reference",
                ones,
                [[2**d, 2**d - 1] for d in sizes],
            ),
        ],
        note="The half is attained: from w1 = e_2 no more mistakes than l/2 are made.",
    )


def _from_second(d: int) -> int:
    """Return the mistakes of a Perceptron that starts at e_2 and hardly moves."""
    w1 = np.zeros(2**d)
    w1[1] = 1.0
    return ls.play(ls.Perceptron(w1=w1.tolist(), theta=0.5, eta=1e-9, bias=False), Hadamard(d)).mistakes


def _from_ones(d: int) -> list[int]:
    """Return the mistakes of a Perceptron that starts at (1, ..., 1), and in how many trials the target differs."""
    teacher = Hadamard(d)
    mistakes = ls.play(ls.Perceptron(w1=1.0, bias=False), teacher).mistakes
    return [mistakes, int(_differ(teacher, np.ones(2**d, dtype=np.int64)).sum())]


RESULTS = (theorem_8, theorem_13_any_start)
