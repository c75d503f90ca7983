"""Section 3: the adversary made of Hadamard's matrices, and the lower bound for a zero start; Winnow escapes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.bounds import additive_lower, winnow_disjunction
from littlestone.papers.comparisons import equal, every
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, in_pieces, run_with
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


def _pieces(largest: int, ks: list[int]) -> list[dict[str, Any]]:
    return [{"player": name, "d": d, "ks": ks} for name in ADDITIVE for d in range(1, largest + 1)]


def _games(seed: int, player: str, d: int, ks: list[int]) -> list[list[int]]:
    """Return of each game, one for each k, the mistakes, the trials, and whether the target is as it should be."""
    found = []
    for k in ks:
        teacher = Hadamard(d, k)
        run = ls.play(ADDITIVE[player](), teacher, record=True)
        found.append([run.mistakes, run.trials, int(_labelled(run, teacher))])
    return found


@run_with(quick={"largest": 7, "ks": [1, 2, 3, 5]}, full={"largest": 9})
@in_pieces(_pieces, _games)
@claim("theorem-13", "Theorem 13: a zero start", "Section 3, Theorem 13", rows=["A1", "A2"])
def theorem_13(done: Sequence[Any], seed: int, largest: int, ks: list[int]) -> Outcome:
    """For N = 2^d + k - 1 an adversary makes every additive learner that starts at zero, whatever its thresholds, err
    l = N - k + 1 times on a disjunction of k attributes.
    """
    games = np.array(done).reshape(len(ADDITIVE), largest, len(ks), 3)
    lower = [[additive_lower(n=2**d + k - 1, k=k).value for k in ks] for d in range(1, largest + 1)]
    right = games[..., 0] == lower
    found = [
        every(f"{name}: games with N - k + 1 mistakes", own.ravel()) for name, own in zip(ADDITIVE, right, strict=True)
    ]
    found.append(every("games in which every trial is a mistake", (games[..., 0] == games[..., 1]).ravel()))
    found.append(every("games whose target has k attributes and gives the labels", games[..., 2].ravel()))
    return Outcome(
        f"{len(ADDITIVE)} additive learners made N - k + 1 mistakes in {int(right.sum())} of {right.size} games, N up "
        f"to {2**largest + max(ks) - 1}.",
        found,
    )


def _labelled(run: ls.Run, teacher: Hadamard) -> bool:
    """Tell whether the target has k attributes and all labels are its own."""
    assert run.transcript is not None
    assert teacher.target is not None
    on = [bool(teacher.target[block.row(0)[0]].any()) for block in run.transcript.blocks]
    return bool(teacher.target.sum() == teacher.k and np.array_equal(on, run.transcript.outcomes.astype(bool)))


SIZES = [2**d for d in range(1, 10)]
GAME: dict[str, tuple[Callable[[int], ls.Learner], list[int]]] = {  # and the mistakes for N = 2, 4, ..., 512
    "Perceptron": (lambda n: ls.Perceptron(), SIZES),
    "Winnow, alpha 2, theta N": (lambda n: ls.Winnow(theta=n), [1, 3, 5, 8, 10, 13, 16, 19, 21]),
    "Winnow, alpha 3/2, theta N": (lambda n: ls.Winnow(alpha=1.5, theta=n), [1, 3, 5, 8, 10, 12, 17, 22, 24]),
    "elimination": (lambda n: ls.Elimination(), list(range(1, 10))),
}


@claim("winnow-in-the-game", "Winnow against the same adversary", "Sections 1 and 3", rows=["A7"])
def winnow_in_the_game(seed: int) -> Outcome:
    """Learners that are not additive escape: against the adversary the mistakes of the Perceptron are N, those of
    Winnow grow as log N.
    """
    played = {name: [ls.play(make(n), Hadamard(order=n)).mistakes for n in SIZES] for name, (make, _) in GAME.items()}
    found = [equal(f"{name}: mistakes for N = 2, 4, ..., 512", played[name], told) for name, (_, told) in GAME.items()]
    lower = [additive_lower(n=n, k=1).value for n in SIZES]
    upper = [winnow_disjunction(n=n, k=1).value for n in SIZES]
    within = np.array(played["Winnow, alpha 2, theta N"]) <= np.array(upper)
    found.append(every("Winnow, alpha 2: within its bound, sizes", within))
    lines = [Line(name, SIZES, mistakes) for name, mistakes in played.items()]
    lines += [
        Line("lower bound, additive", SIZES, lower, kind="theory"),
        Line("upper bound, Winnow, alpha 2", SIZES, upper, kind="theory"),
    ]
    last = [mistakes[-1] for mistakes in played.values()]
    return Outcome(
        f"At N = 512 the Perceptron errs {last[0]} times, Winnow {last[1]} and {last[2]}, elimination {last[3]}.",
        found,
        tables=[Table("Mistakes, one relevant attribute", ["learner", *map(str, SIZES)],
                      [[name, *mistakes] for name, mistakes in played.items()])],
        figures=[
            Figure("Mistakes against the number of attributes",
                   "Mistakes against the adversary of Theorem 13, one relevant attribute, both axes logarithmic: the "
                   "Perceptron's are N, Winnow's grow as the logarithm. Broken lines are the bounds.",
                   "attributes N", "mistakes", lines, "log", "log")
        ],
    )  # fmt: skip


@run_with(quick={"orders": [12, 20, 24]}, full={"orders": [12, 20, 24, 44, 48, 60, 80]})
@claim("paley", "Other Hadamard matrices", "Section 3")
def paley(seed: int, orders: list[int]) -> Outcome:
    """The adversary needs orthogonal rows, the first of them all ones, and no more: Paley's matrices, whose orders are
    no powers of two, serve as well, so that N need not be 2^d + k - 1.
    """
    found = {
        name: [ls.play(make(), Hadamard(order=order, k=k)).mistakes for order in orders for k in (1, 4)]
        for name, make in ADDITIVE.items()
    }
    expected = [order for order in orders for _ in (1, 4)]
    return Outcome(
        f"Orders {', '.join(map(str, orders))}: the Perceptron errs {', '.join(map(str, found['Perceptron'][::2]))} "
        "times.",
        [equal(f"{name}: mistakes, k = 1 and 4", mistakes, expected) for name, mistakes in found.items()],
        note="An extension: the paper speaks of powers of two.",
    )


SEQUENCES = {
    (1, 1): "00/0 10/1",
    (2, 1): "0000/0 1010/1 0011/0 1001/1",
    (2, 2): "00000/0 10100/1 00110/0 10010/1",
    (3, 1): "00000000/0 10101010/1 00110011/0 10011001/1 00001111/0 10100101/1 00111100/0 10010110/1",
}


@run_with(quick={"largest": 8})
@claim("theorem-13-game", "The game of the Perceptron, trial by trial", "Section 3", rows=["A4", "A5"])
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
    fixed = ls.Perceptron(theta=1, bias=False)
    found.append(
        equal("theta 1, not learned, N = 4: instances", _instances(2, 1, fixed), "1111/1 0101/0 0011/0 1001/1")
    )
    hypothesis = fixed.hypothesis()
    assert hypothesis is not None
    found.append(equal("theta 1, not learned, N = 4: last weights", hypothesis.w.astype(int), [2, 0, 0, 0]))
    return Outcome(
        f"For N = 4 the instances are {_instances(2, 1)}; the last weights are (l/2, 0, ..., 0) in {sum(weights)} of "
        f"{len(weights)} games.",
        found,
    )


def _instances(d: int, k: int, learner: ls.Learner | None = None) -> str:
    """Return what the Perceptron, or another learner, is shown, with the labels."""
    teacher = Hadamard(d, k)
    run = ls.play(learner or ls.Perceptron(), teacher, record=True)
    assert run.transcript is not None
    rows = (set(block.row(0)[0].tolist()) for block in run.transcript.blocks)
    shown = ("".join("01"[i in on] for i in range(teacher.n_attributes)) for on in rows)
    return " ".join(f"{row}/{y}" for row, y in zip(shown, run.transcript.outcomes.tolist(), strict=True))


RESULTS = (theorem_13, theorem_13_game, paley, winnow_in_the_game)
