"""Section 1: the remark on batch learning, and attributes that only look random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.papers.comparisons import equal, every, less, mean_within
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim
from littlestone.teachers import Hadamard, XorFeatures

__all__ = ["RESULTS"]

Rows = NDArray[np.int64]
LEARNERS: dict[str, Callable[[int], ls.Learner]] = {
    "Perceptron": lambda n: ls.Perceptron(),
    "Winnow": lambda n: ls.Winnow(theta=n),
    "elimination": lambda n: ls.Elimination(),
}
PASSES = 3


def _errors(name: str, order: int, column: int, seen: Rows, unseen: Rows, rng: np.random.Generator) -> list[int]:
    """Train on both instances of the seen rows; return, of each unseen row, how many of its two are wrong."""
    teacher = Hadamard(order=order)
    X = np.array([row for t in seen for row in teacher.instances(int(t))])
    learner = LEARNERS[name](order)
    for _ in range(PASSES):
        shuffled = rng.permutation(len(X))
        learner.learn(X[shuffled], X[shuffled, column].astype(int))
    pairs = np.array([teacher.instances(int(t)) for t in unseen])
    said = learner.predict(pairs.reshape(-1, order)).reshape(-1, 2)
    return [int(wrong) for wrong in (said != pairs[:, :, column]).sum(axis=1)]


def _first_half(name: str, order: int, seed: int) -> list[float]:
    """Return the error on the second half after training on the first, for every column as target."""
    rows = np.arange(order)
    rng = np.random.default_rng([seed, order])
    halves = rows[: order // 2], rows[order // 2 :]
    return [sum(_errors(name, order, j, *halves, rng)) / order for j in range(order)]


def _one_of_each(order: int) -> list[int]:
    """Train the Perceptron on z' alone of the first half; return the wrong ones among those of the second half."""
    teacher = Hadamard(order=order)
    X = np.array([teacher.instances(t)[0] for t in range(order)])
    found = []
    for column in range(order):
        learner = ls.Perceptron().begin(order, labels=(0, 1))
        for _ in range(PASSES):
            learner.learn(X[: order // 2], X[: order // 2, column].astype(int))
        found.append(int((learner.predict(X[order // 2 :]) != X[order // 2 :, column]).sum()))
    return found


def _random_half(name: str, order: int, seed: int, runs: int) -> list[list[int]]:
    found = []
    for run in range(runs):
        rng = np.random.default_rng([seed, order, run])
        others = 1 + rng.permutation(order - 1)
        seen, unseen = np.append(others[: order // 2 - 1], 0), others[order // 2 - 1 :]
        found.append(_errors(name, order, int(rng.integers(order)), seen, unseen, rng))
    return found


@claim("batch", "The remark on batch learning", "Section 1", quick={"orders": [16, 32, 64], "runs": 20},
       full={"orders": [16, 32, 64, 128, 256], "runs": 100}, rows=["A11"])  # fmt: skip
def batch(seed: int, orders: list[int], runs: int) -> Outcome:
    """Trained on the instances of the first half of the rows of Hadamard's matrix, the Perceptron is wrong on about
    half of those of the second half. It is a weakness of the Perceptron: Winnow does better on them.
    """
    literal = {name: [_first_half(name, order, seed) for order in orders[:2]] for name in LEARNERS}
    drawn = {name: [_random_half(name, order, seed, runs) for order in orders] for name in LEARNERS}
    means = {
        name: [[float(np.mean(run)) / 2 for run in own] for own in told] for name, told in drawn.items()
    }  # of both instances
    small = {name: _first_half(name, 4, seed) for name in LEARNERS}
    claimed = [every(f"first half, l = {order}: error 1/2 of the Perceptron, targets",
                     [error == 0.5 for error in literal["Perceptron"][at]])
               for at, order in enumerate(orders[:2])]  # fmt: skip
    halves = [_one_of_each(order) for order in orders]
    claimed += [equal(f"first half, z' alone, l = {order}: wrong instances of {order // 2} for each target, in order",
                      sorted(halves[at]), sorted([0, order // 2] + [order // 4] * (order - 2)))
                for at, order in enumerate(orders)]  # fmt: skip
    claimed += [less(f"first half, l = {order}: error of Winnow less that of the Perceptron", literal["Winnow"][at],
                     literal["Perceptron"][at]) for at, order in enumerate(orders[:2])]  # fmt: skip
    corrected = [
        every(f"row 1 and half of the others, l = {order}: exactly one of z', z'' wrong by the Perceptron, unseen rows",
              [wrong == 1 for run in drawn["Perceptron"][at] for wrong in run])
        for at, order in enumerate(orders)
    ]  # fmt: skip
    corrected += [less(f"the same, l = {order}: error of Winnow less that of the Perceptron", means["Winnow"][at],
                       means["Perceptron"][at]) for at, order in enumerate(orders)]  # fmt: skip
    rows = [[name, *(float(np.mean(own)) for own in told)] for name, told in means.items()]
    return Outcome(
        f"First half: errors of {np.mean(literal['Perceptron'][-1]):g} (Perceptron) and "
        f"{np.mean(literal['Winnow'][-1]):g} (Winnow). Row 1 and a random half: {rows[0][-1]:.3g} and "
        f"{rows[1][-1]:.3g} for l = {orders[-1]}.",
        claimed, corrected,
        erratum="In the first half of the rows columns j and j + l/2 are equal, so that nothing there says which of "
        "them is the target: no learner can do better than half. Train on row 1 and any half of the others instead.",
        counterexample=f"l = 4, rows 1 and 2: columns 1 and 3 agree, as do 2 and 4; the errors of Winnow for the four "
        f"targets are {', '.join(f'{one:g}' for one in small['Winnow'])}.",
        tables=[Table(f"Error on unseen rows after training on row 1 and a random half, mean of {runs}",
                      ["learner", *(f"l = {order}" for order in orders)], rows)],
    )  # fmt: skip


def _sizes(ns: Sequence[int], runs: int, trials: int) -> list[dict[str, Any]]:
    return [{"n": n, "run": run, "trials": trials} for n in ns for run in range(runs)]


def _xor(seed: int, n: int, run: int, trials: int) -> list[int]:
    stream = XorFeatures(n, trials=trials, seed=seed + run)
    return [found.mistakes for found in ls.play_all([ls.Perceptron(), ls.Winnow()], stream)]


def slopes(sizes: Sequence[int], mistakes: NDArray[Any]) -> list[float]:
    """Return for each run (a column) the slope of ln mistakes against ln N, by least squares."""
    return [float(slope) for slope in np.polyfit(np.log(sizes), np.log(np.maximum(mistakes, 1)), 1)[0]]


@claim("pseudo-random", "Pseudo-random attributes", "Section 1",
       quick={"ns": [100, 200, 400], "runs": 8, "trials": 20_000},
       full={"ns": [100, 200, 400, 800], "runs": 100}, pieces=_sizes, part=_xor)  # fmt: skip
def pseudo_random(done: Sequence[list[int]], seed: int, ns: list[int], runs: int, trials: int) -> Outcome:
    """A few genuine random bits, expanded into many attributes, are enough: the mistakes of the Perceptron may grow
    almost linearly in the number of pseudo-random attributes.
    """
    found = np.array(done).reshape(len(ns), runs, 2)
    slope = [slopes(ns, found[:, :, learner]) for learner in (0, 1)]
    lines = [
        Line(name, ns, found[:, :, at].mean(axis=1).tolist(), found[:, :, at].min(axis=1).tolist(),
             found[:, :, at].max(axis=1).tolist())
        for at, name in enumerate(("Perceptron", "Winnow"))
    ]  # fmt: skip
    return Outcome(
        f"20 bits, N of their exclusive ors: Perceptron {lines[0].y[0]:.0f} to {lines[0].y[-1]:.0f} mistakes for N = "
        f"{ns[0]} to {ns[-1]}, Winnow {lines[1].y[0]:.0f} to {lines[1].y[-1]:.0f}.",
        [
            mean_within("Perceptron: exponent of N", slope[0], 0.6, 1.1),
            less("exponent of N: Winnow less Perceptron", slope[1], slope[0]),
            less("largest N: Winnow less Perceptron", found[-1, :, 1], found[-1, :, 0]),
        ],
        note="Each attribute is the exclusive or of 3 of 20 fair bits; the target is the disjunction of 3 attributes.",
        figures=[
            Figure("Mistakes on pseudo-random attributes",
                   f"Mistakes in {trials:,} trials, mean of {runs} runs; the band is from the least to the most. Both "
                   "axes are logarithmic.", "attributes N", "mistakes", lines, "log", "log")
        ],
    )  # fmt: skip


RESULTS = (batch, pseudo_random)
