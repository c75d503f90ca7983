"""Section 3: the adversary made of Hadamard's matrices, and the lower bounds for additive learners."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import littlestone as ls
from littlestone.bounds import additive_lower, winnow_disjunction
from littlestone.papers.comparisons import Comparison, equal, every
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


@claim(
    "theorem-13", "Theorem 13: a zero start", "Section 3, Theorem 13",
    quick={"largest": 7, "ks": [1, 2, 3, 5]}, full={"largest": 9}, rows=["A1", "A2"],
)  # fmt: skip
def theorem_13(seed: int, largest: int, ks: list[int]) -> Outcome:
    """For N = 2^d + k - 1 an adversary makes every additive learner that starts at zero, whatever its thresholds, err
    l = N - k + 1 times on a disjunction of k attributes.
    """
    found: list[Comparison] = []
    for name, make in ADDITIVE.items():
        mistakes, trials, targets = [], [], []
        for d in range(1, largest + 1):
            for k in ks:
                teacher = Hadamard(d, k)
                run = ls.play(make(), teacher, record=True)
                mistakes.append(run.mistakes == additive_lower(n=teacher.n_attributes, k=k).value)
                trials.append(run.trials == run.mistakes == 2**d == teacher.n_attributes - k + 1)
                targets.append(_labelled(run, teacher))
        found += [every(f"{name}: N - k + 1 mistakes, games", mistakes), every(f"{name}: all trials wrong", trials),
                  every(f"{name}: the target has k attributes and gives the labels", targets)]  # fmt: skip
    games = largest * len(ks)
    return Outcome(
        f"{len(ADDITIVE)} additive learners made N - k + 1 mistakes in each of {games} games, N up to "
        f"{2**largest + max(ks) - 1}.",
        found,
        figures=[_growth(largest)],
    )  # fmt: skip


def _labelled(run: ls.Run, teacher: Hadamard) -> bool:
    """Tell whether the target has k attributes and all labels are its own."""
    assert run.transcript is not None
    assert teacher.target is not None
    on = [bool(teacher.target[block.row(0)[0]].any()) for block in run.transcript.blocks]
    return bool(teacher.target.sum() == teacher.k and np.array_equal(on, run.transcript.outcomes.astype(bool)))


def _growth(largest: int) -> Figure:
    """Draw mistakes against N for both kinds of learner, with what theory says of them."""
    sizes = [2**d for d in range(1, largest + 1)]
    players: dict[str, Callable[[int], ls.Learner]] = {
        "Perceptron": lambda n: ls.Perceptron(),
        "Winnow, alpha 2, theta N": lambda n: ls.Winnow(theta=n),
    }
    lines = [
        Line(name, sizes, [ls.play(make(n), Hadamard(order=n)).mistakes for n in sizes])
        for name, make in players.items()
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


RESULTS = (theorem_13, winnow_in_the_game)
