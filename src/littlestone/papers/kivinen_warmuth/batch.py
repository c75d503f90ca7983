"""Section 1: the remark on batch learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.core.arrays import Bools
from littlestone.papers.comparisons import below, equal, every, less, mean_is
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with
from littlestone.teachers import hadamard_matrix

__all__ = ["RESULTS"]

Rows = NDArray[np.int64]
LEARNERS: dict[str, Callable[[int], ls.Learner]] = {
    "Perceptron": lambda n: ls.Perceptron(),
    "Winnow": lambda n: ls.Winnow(theta=n),
    "elimination": lambda n: ls.Elimination(),
}
PASSES = 3


@cache
def _pairs(order: int) -> Bools:
    """Return the instances of all rows: row, z' or z'', attribute."""
    matrix = hadamard_matrix(order)
    return np.stack([matrix > 0, matrix < 0], axis=1)


def _trained(name: str, X: Bools, column: int) -> ls.Learner:
    """Return a learner that has seen some instances several times, labelled by one of their attributes."""
    learner = LEARNERS[name](X.shape[1]).begin(X.shape[1], labels=(0, 1))
    for _ in range(PASSES):
        learner.learn(X, X[:, column].astype(int))
    return learner


def _wrong(learner: ls.Learner, X: Bools, column: int) -> Bools:
    return np.asarray(learner.predict(X) != X[:, column])


def _errors(name: str, X: Bools, unseen: Rows, column: int) -> list[int]:
    """Train on some instances; return, of each unseen row, how many of its two are wrong."""
    order = X.shape[1]
    pairs = _pairs(order)[unseen].reshape(-1, order)
    wrong = _wrong(_trained(name, X, column), pairs, column).reshape(-1, 2).sum(axis=1)
    return [int(count) for count in wrong]


def _first_half(name: str, order: int) -> list[float]:
    """Return the error on the second half after training on both instances of the first, for every column as target."""
    X = _pairs(order)[: order // 2].reshape(-1, order)
    return [sum(_errors(name, X, np.arange(order // 2, order), j)) / order for j in range(order)]


def _random_half(name: str, order: int, seed: int, run: int, *, both: bool) -> list[int]:
    """Train on row 1 and a random half of the others, both instances or one at random; return `_errors`."""
    rng = np.random.default_rng([seed, order, run])
    others = 1 + rng.permutation(order - 1)
    seen, unseen = np.append(others[: order // 2 - 1], 0), others[order // 2 - 1 :]
    X = _pairs(order)[seen]
    shuffled, one_each = rng.permutation(order), (np.arange(order // 2), rng.integers(2, size=order // 2))
    return _errors(name, X.reshape(-1, order)[shuffled] if both else X[one_each], unseen, int(rng.integers(order)))


def _undecided(order: int) -> bool:
    """Tell whether columns j and j + l/2 agree on the first half of the rows and are opposite on the second."""
    matrix, half = hadamard_matrix(order), order // 2
    left, right = matrix[:, :half], matrix[:, half:]
    return bool(np.array_equal(left[:half], right[:half]) and np.array_equal(left[half:], -right[half:]))


@run_with(quick={"orders": [16, 32, 64], "runs": 20}, full={"orders": [16, 32, 64, 128, 256], "runs": 100})
@claim("batch", "The remark on batch learning", "Section 1", rows=["A11"])
def batch(seed: int, orders: list[int], runs: int) -> Outcome:
    """Trained on the instances of the first half of the rows of Hadamard's matrix, the Perceptron is wrong on about
    half of those of the second half. This is told as a weakness of the Perceptron, so that Winnow should do better.
    """
    literal = {name: [_first_half(name, order) for order in orders[:2]] for name in LEARNERS}
    drawn = {
        name: [[_random_half(name, order, seed, run, both=True) for run in range(runs)] for order in orders]
        for name in LEARNERS
    }
    means = {name: [[float(np.mean(run)) / 2 for run in own] for own in told] for name, told in drawn.items()}
    smallest = {name: _first_half(name, 2) for name in LEARNERS}
    claimed = [
        every(
            f"first half, l = {order}: error 1/2 of the Perceptron, targets",
            [error == 0.5 for error in literal["Perceptron"][at]],
        )
        for at, order in enumerate(orders[:2])
    ]
    what = "first half, l = 2: error of Winnow, and of the Perceptron, target 1"
    claimed.append(below(what, smallest["Winnow"][0], smallest["Perceptron"][0]))
    for at, order in enumerate(orders[:2]):
        what = f"first half, l = {order}: error of Winnow less that of the Perceptron"
        claimed.append(less(what, literal["Winnow"][at], literal["Perceptron"][at]))
    corrected = [
        every(
            "first half: columns j and j + l/2 agree there and are opposite elsewhere, l = 2, 4, ..., 256",
            [_undecided(2**d) for d in range(1, 9)],
        )
    ]
    corrected += [
        every(
            f"row 1 and half of the others, l = {order}: exactly one of z', z'' wrong by the Perceptron, unseen rows",
            [wrong == 1 for run in drawn["Perceptron"][at] for wrong in run],
        )
        for at, order in enumerate(orders)
    ]
    for at, order in enumerate(orders):
        what = f"the same, l = {order}: error of Winnow less that of the Perceptron"
        corrected.append(less(what, means["Winnow"][at], means["Perceptron"][at]))
    rows = [[name, *(float(np.mean(own)) for own in told)] for name, told in means.items()]
    return Outcome(
        f"First half: errors of {np.mean(literal['Perceptron'][-1]):g} (Perceptron) and "
        f"{np.mean(literal['Winnow'][-1]):g} (Winnow). Row 1 and a random half: {rows[0][-1]:.3g} and "
        f"{rows[1][-1]:.3g} for l = {orders[-1]}.",
        claimed, corrected,
        erratum="In the first half of the rows columns j and j + l/2 are equal, so that nothing there says which of "
        "them is the target, and in the second half they are opposite: over the two targets every learner is wrong on "
        "half. Train on row 1 and any half of the others instead.",
        counterexample="l = 2, row 1: the two columns agree on it; the errors on row 2, for the two targets, are "
        f"{_listed(smallest['Perceptron'])} for the Perceptron, {_listed(smallest['Winnow'])} for Winnow, "
        f"{_listed(smallest['elimination'])} for elimination.",
        tables=[Table(f"Error on unseen rows after training on row 1 and a random half, mean of {runs}",
                      ["learner", *(f"l = {order}" for order in orders)], rows)],
    )  # fmt: skip


def _listed(errors: Sequence[float]) -> str:
    return " and ".join(f"{error:g}" for error in errors)


# Mean errors over 30 runs, by order
REFERENCE = {
    "Winnow": {16: 0.129, 32: 0.082, 64: 0.0, 128: 0.0008, 256: 0.0},
    "elimination": {16: 0.273, 32: 0.026, 64: 0.0, 128: 0.0, 256: 0.0},
}
REFERENCE_RUNS = 30
LEAST = 0.001  # the standard error of a reference mean of 0, or nearly so


@run_with(
    quick={"orders": [16, 32, 64], "runs": 60, "order": 128, "coins": 60},
    full={"orders": [16, 32, 64, 128, 256], "runs": 1000, "coins": 200},
)
@claim("batch-one-each", "Batch learning, one instance of each row", "Section 1")
def batch_one_each(seed: int, orders: list[int], runs: int, order: int, coins: int) -> Outcome:
    """Where one instance of each row is seen the Perceptron is wrong, in the others, on half of all instances and
    about half of one of each row; Winnow is not.
    """
    halves, expected = [_first_of_each(one) for one in orders], [[one // 4] * one for one in orders]
    for one, told in zip(orders, expected, strict=True):
        told[0], told[one // 2] = 0, one // 2
    means = {name: [[float(np.mean(_random_half(name, one, seed, run, both=False))) / 2 for run in range(runs)]
                    for one in orders] for name in LEARNERS}  # fmt: skip
    tossed = np.array([_random_member(order, seed, run) for run in range(coins)]) / (order // 2)
    variance = 1 / (4 * (order // 2))  # of the share of heads among so many fair coins
    rows = [[name, *(float(np.mean(own)) for own in told)] for name, told in means.items()]
    return Outcome(
        f"Errors for l = {', '.join(map(str, orders))}: {_shown(rows[0])} of the Perceptron, {_shown(rows[1])} of "
        f"Winnow. One unseen instance of each row, l = {order}: {tossed.mean():.3f} ± {tossed.std(ddof=1):.3f} wrong.",
        [
            *(equal(f"first half, z' alone, l = {one}: wrong of {one // 2}, targets 1 to {one}", own, told)
              for one, own, told in zip(orders, halves, expected, strict=True)),
            *(every(f"random half, random instances, l = {one}: error 1/2 of the Perceptron, runs",
                    [error == 0.5 for error in means["Perceptron"][at]]) for at, one in enumerate(orders)),
            *(less(f"the same, l = {one}: error of Winnow less that of the Perceptron", means["Winnow"][at],
                   means["Perceptron"][at]) for at, one in enumerate(orders)),
            *(mean_is(f"the same, l = {one}: error of {name}, reference", means[name][at], told[one],
                      max(float(np.std(means[name][at], ddof=1)) / REFERENCE_RUNS**0.5, LEAST))
              for name, told in REFERENCE.items() for at, one in enumerate(orders)),
            mean_is(f"one unseen instance of each row, l = {order}: share that is wrong", tossed, 0.5),
            mean_is("the same: its squared distance from 1/2, as of fair coins", (tossed - 0.5) ** 2, variance),
        ],
        note="With z' alone the labels of target 1 are all 1, and none is wrong; at target l/2 + 1 all are. Fair coins "
        f"have a standard deviation of {variance**0.5:.4f}.",
        tables=[Table(f"Error on unseen rows after one instance of row 1 and of a random half each, mean of {runs:,}",
                      ["learner", *(f"l = {one}" for one in orders)], rows)],
    )  # fmt: skip


def _shown(row: Sequence[object]) -> str:
    return ", ".join(f"{one:.3g}" for one in row[1:])


def _first_of_each(order: int) -> list[int]:
    """Train the Perceptron on z' of the first half; return, for each target, the wrong ones of the second half."""
    X = _pairs(order)[:, 0]
    half = order // 2
    return [int(_wrong(_trained("Perceptron", X[:half], j), X[half:], j).sum()) for j in range(order)]


def _random_member(order: int, seed: int, run: int) -> int:
    """Train the Perceptron on a random instance of row 1 and of half of the others; count the wrong ones, one each."""
    rng = np.random.default_rng([seed, order, run])
    rows, half = np.append(0, 1 + rng.permutation(order - 1)), order // 2
    X = _pairs(order)[rows, rng.integers(2, size=order)]
    column = int(rng.integers(order))
    return int(_wrong(_trained("Perceptron", X[:half], column), X[half:], column).sum())


RESULTS = (batch, batch_one_each)
