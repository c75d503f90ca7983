"""Section 3: the adversary made of Hadamard's matrices, and the lower bounds for additive learners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.bounds import additive_lower, winnow_disjunction
from littlestone.papers.comparisons import equal, every
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim
from littlestone.teachers import Hadamard

__all__ = ["RESULTS"]

# What is additive and starts at zero, whatever its threshold and step
ADDITIVE: dict[str, Callable[[], ls.Learner]] = {
    "Perceptron": ls.Perceptron,
    "Perceptron, theta 0": lambda: ls.Perceptron(bias=False),
    "Perceptron, theta 1.3, eta 0.37": lambda: ls.Perceptron(theta=1.3, eta=0.37, bias=False),
    "Perceptron, theta -2": lambda: ls.Perceptron(theta=-2, bias=False),
    "ellipsoid": ls.Ellipsoid,
    "ellipsoid, deep cuts": lambda: ls.Ellipsoid(deep=True),
    "ellipsoid, theta 0": lambda: ls.Ellipsoid(bias=False),
}


PLAYERS: dict[str, Callable[[], ls.Learner]] = {**ADDITIVE, "Winnow, alpha 2, theta N": ls.Winnow}


def _pieces(largest: int, ks: list[int]) -> list[dict[str, Any]]:
    return [{"player": name, "d": d, "ks": ks} for name in PLAYERS for d in range(1, largest + 1)]


def _games(seed: int, player: str, d: int, ks: list[int]) -> list[list[int]]:
    """Return of each game, one for each k, the mistakes, the trials, and whether the target is as it should be."""
    found = []
    for k in ks:
        teacher = Hadamard(d, k)
        run = ls.play(PLAYERS[player](), teacher, record=True)
        found.append([run.mistakes, run.trials, int(_labelled(run, teacher))])
    return found


@claim(
    "theorem-13", "Theorem 13: a zero start", "Section 3, Theorem 13",
    quick={"largest": 7, "ks": [1, 2, 3, 5]}, full={"largest": 9}, rows=["A1", "A2"], pieces=_pieces, part=_games,
)  # fmt: skip
def theorem_13(done: Sequence[Any], seed: int, largest: int, ks: list[int]) -> Outcome:
    """For N = 2^d + k - 1 an adversary makes every additive learner that starts at zero, whatever its thresholds, err
    l = N - k + 1 times on a disjunction of k attributes.
    """
    games = np.array(done).reshape(len(PLAYERS), largest, len(ks), 3)
    own = games[: len(ADDITIVE)]
    lower = [[additive_lower(n=2**d + k - 1, k=k).value for k in ks] for d in range(1, largest + 1)]
    found = [
        every(f"{name}: games with N - k + 1 mistakes", (told[..., 0] == lower).ravel())
        for name, told in zip(ADDITIVE, own, strict=True)
    ]
    found.append(every("games in which every trial is a mistake", (own[..., 0] == own[..., 1]).ravel()))
    found.append(every("games whose target has k attributes and gives the labels", games[..., 2].ravel()))
    return Outcome(
        f"{len(ADDITIVE)} additive learners made N - k + 1 mistakes in each of {largest * len(ks)} games, N up to "
        f"{2**largest + max(ks) - 1}.",
        found,
        figures=[_growth([2**d for d in range(1, largest + 1)], games[:, :, ks.index(1), 0])],
    )


def _labelled(run: ls.Run, teacher: Hadamard) -> bool:
    """Tell whether the target has k attributes and all labels are its own."""
    assert run.transcript is not None
    assert teacher.target is not None
    on = [bool(teacher.target[block.row(0)[0]].any()) for block in run.transcript.blocks]
    return bool(teacher.target.sum() == teacher.k and np.array_equal(on, run.transcript.outcomes.astype(bool)))


def _growth(sizes: list[int], mistakes: Any) -> Figure:
    """Draw mistakes against N for both kinds of learner, with what theory says of them."""
    lines = [
        Line(name, sizes, own.tolist())
        for name, own in zip(PLAYERS, mistakes, strict=True)
        if name in {"Perceptron", "Winnow, alpha 2, theta N"}
    ]
    lower = [additive_lower(n=n, k=1).value for n in sizes]
    upper = [winnow_disjunction(n=n, k=1).value for n in sizes]
    lines += [Line("lower bound, additive", sizes, lower, kind="theory"),
              Line("upper bound, Winnow", sizes, upper, kind="theory")]  # fmt: skip
    return Figure(
        "Mistakes against the number of attributes",
        "Mistakes against the adversary of Theorem 13, one relevant attribute, both axes logarithmic: the Perceptron's "
        "are N, Winnow's grow as the logarithm. Broken lines are the bounds.",
        "attributes N", "mistakes", lines, "log", "log",
    )  # fmt: skip


WINNOW: dict[str, tuple[Callable[[int], ls.Learner], list[int]]] = {
    "Winnow, alpha 2, theta N": (lambda n: ls.Winnow(theta=n), [1, 3, 5, 8, 10, 13, 16, 19, 21]),
    "Winnow, alpha 3/2, theta N": (lambda n: ls.Winnow(alpha=1.5, theta=n), [1, 3, 5, 8, 10, 12, 17, 22, 24]),
    "elimination": (lambda n: ls.Elimination(), list(range(1, 10))),
}


@claim("winnow-in-the-game", "Winnow against the same adversary", "Sections 1 and 3", rows=["A7"])
def winnow_in_the_game(seed: int) -> Outcome:
    """Learners that are not additive escape: against the adversary Winnow's mistakes grow as log N."""
    sizes = [2**d for d in range(1, 10)]
    found, rows = [], []
    for name, (make, expected) in WINNOW.items():
        mistakes = [ls.play(make(n), Hadamard(order=n)).mistakes for n in sizes]
        found.append(equal(f"{name}: mistakes for N = 2, 4, ..., 512", mistakes, expected))
        rows.append([name, *mistakes])
    bounds = [winnow_disjunction(n=n, k=1).value for n in sizes]
    found.append(every("Winnow, alpha 2: within its bound", np.array(rows[0][1:]) <= np.array(bounds)))
    return Outcome(
        f"At N = 512 Winnow errs {rows[0][-1]} times, elimination {rows[2][-1]}, every additive learner 512 times.",
        found,
        tables=[Table("Mistakes, one relevant attribute", ["learner", *map(str, sizes)], rows)],
    )


START = {"largest": 7, "problems": 60}


@claim(
    "theorem-13-any-start", "Theorem 13: any start", "Section 3, Theorem 13", quick=START, full={"problems": 1000},
    rows=["A3"],
)  # fmt: skip
def theorem_13_any_start(seed: int, largest: int, problems: int) -> Outcome:
    """Whatever its first weights, an additive learner can be made to err l/2 times, l = N - k + 1."""
    rng = np.random.default_rng(seed)
    at_least_differing, at_least_half, least = [], [], np.inf
    for _ in range(problems):
        teacher = Hadamard(int(rng.integers(1, 6)), int(rng.integers(1, 4)))
        w1 = rng.integers(-20, 21, size=teacher.n_attributes) / 4
        theta, eta = float(rng.choice([0.0, 0.5, -1.25, 3.0])), float(rng.choice([0.25, 1.0]))
        run = ls.play(ls.Perceptron(w1=w1.tolist(), theta=theta, eta=eta, bias=bool(rng.integers(2))), teacher)
        at_least_differing.append(run.mistakes >= teacher.differing)
        at_least_half.append(teacher.differing >= teacher.order / 2)
        least = min(least, run.mistakes / teacher.order)
    attained = [_from_second(d) for d in range(1, largest + 1)]
    return Outcome(
        f"{problems} random starts: never fewer than {least:.2f} l mistakes; from w1 = e_2 exactly l/2.",
        [
            every("mistakes >= differing trials, problems", at_least_differing),
            every("differing trials >= l/2, problems", at_least_half),
            equal("w1 = e_2, theta 1/2, eta 1e-9: mistakes", attained, [2**d // 2 for d in range(1, largest + 1)]),
        ],
    )


def _from_second(d: int) -> int:
    w1 = np.zeros(2**d)
    w1[1] = 1.0
    return ls.play(ls.Perceptron(w1=w1.tolist(), theta=0.5, eta=1e-9, bias=False), Hadamard(d)).mistakes


SEQUENCES = {
    (1, 1): "00/0 10/1",
    (2, 1): "0000/0 1010/1 0011/0 1001/1",
    (2, 2): "00000/0 10100/1 00110/0 10010/1",
    (3, 1): "00000000/0 10101010/1 00110011/0 10011001/1 00001111/0 10100101/1 00111100/0 10010110/1",
}


@claim(
    "theorem-13-game",
    "The game of the Perceptron, trial by trial",
    "Section 3",
    quick={"largest": 8},
    rows=["A4", "A5"],
)
def theorem_13_game(seed: int, largest: int) -> Outcome:
    """The adversary shows the Perceptron, for each row of the matrix, the one of its two instances on which it errs;
    after all of them the weights are l/2 for the target attribute and zero elsewhere.
    """
    found = [
        equal(f"instances for N = {2**d + k - 1}, k = {k}", _instances(d, k), expected)
        for (d, k), expected in SEQUENCES.items()
    ]
    weights = []
    for d in range(1, largest + 1):
        learner = ls.Perceptron()
        ls.play(learner, Hadamard(d))
        hypothesis = learner.hypothesis()
        assert hypothesis is not None
        weights.append(hypothesis.w.tolist() == [2 ** (d - 1)] + [0] * (2**d - 1) and hypothesis.theta == 0)
    found.append(every(f"last weights (l/2, 0, ..., 0), threshold 0, for l = 2, ..., {2**largest}", weights))
    return Outcome(f"For N = 4 the instances are {_instances(2, 1)}; the last weights are (l/2, 0, ..., 0).", found)


def _instances(d: int, k: int) -> str:
    teacher = Hadamard(d, k)
    run = ls.play(ls.Perceptron(), teacher, record=True)
    assert run.transcript is not None
    rows = (set(block.row(0)[0].tolist()) for block in run.transcript.blocks)
    shown = ("".join("01"[i in on] for i in range(teacher.n_attributes)) for on in rows)
    return " ".join(f"{row}/{y}" for row, y in zip(shown, run.transcript.outcomes.tolist(), strict=True))


@claim(
    "theorem-8",
    "Theorem 8: coefficients chosen in hindsight",
    "Section 3, Theorem 8",
    quick={"games": 100},
    full={"games": 5000},
)
def theorem_8(seed: int, games: int) -> Outcome:
    """On a sequence with pairwise constant dot products an additive learner errs wherever its start and the target
    differ, even if it chooses all coefficients and thresholds anew in each trial, as it likes.
    """
    rng = np.random.default_rng(seed)
    wrong, same = [], []
    for _ in range(games):
        teacher = Hadamard(int(rng.integers(1, 7)), int(rng.integers(1, 5)))
        learner = _Hindsight(teacher, rng)
        teacher.begin(learner)
        while (answer := teacher.trial(learner)) is not None:
            row, label = answer
            wrong.append(learner.predict(row) != label)
            learner.take(row)
            if len(learner.rows) < teacher.order:
                first, second = teacher.instances(len(learner.rows))
                same.append(int(learner.w @ first) == int(learner.w @ second))
    return Outcome(
        f"{games} games of learners with random coefficients and thresholds: all {len(wrong):,} trials were mistakes.",
        [every("mistakes, trials", wrong), every("w.z' = w.z'' of the next row, trials", same)],
    )


class _Hindsight:
    """An additive learner as its teacher sees it: all earlier rows with new coefficients in each trial."""

    trials = 0

    def __init__(self, teacher: Hadamard, rng: np.random.Generator) -> None:
        self.rng, self.rows = rng, np.zeros((0, teacher.n_attributes), dtype=np.int64)
        self.w, self.theta = np.zeros(teacher.n_attributes, dtype=np.int64), 0.0

    def take(self, row: Any) -> None:
        self.rows = np.vstack([self.rows, row])
        self.w = self.rng.integers(-9, 10, size=len(self.rows)) @ self.rows
        self.theta = int(self.rng.integers(-20, 20)) / 2

    def hypothesis(self) -> ls.Hypothesis:
        return ls.Hypothesis(self.w.astype(np.float64), self.theta)

    def activation(self, row: Any) -> float:
        return float(self.w @ np.asarray(row) - self.theta)

    def predict(self, row: Any) -> int:
        return int(self.activation(row) >= 0)


RESULTS = (theorem_8, theorem_13, theorem_13_any_start, theorem_13_game, winnow_in_the_game)
