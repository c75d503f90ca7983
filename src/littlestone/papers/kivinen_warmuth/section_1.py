"""Section 1: the remark on batch learning, and DNF as a disjunction of all conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import winnow_disjunction
from littlestone.core.arrays import Bools
from littlestone.core.block import Block
from littlestone.papers import Comparison
from littlestone.papers.comparisons import at_most, below, equal, every, less, mean_is, mean_within, reference
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import each
from littlestone.parts.kernels import Conjunctions
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
    counts: list[int] = _wrong(_trained(name, X, column), pairs, column).reshape(-1, 2).sum(axis=1).tolist()
    return counts


def _first_half(name: str, order: int) -> list[float]:
    """Return the error on the second half after training on both instances of the first, for every column as target."""
    X = _pairs(order)[: order // 2].reshape(-1, order)
    return [sum(_errors(name, X, np.arange(order // 2, order), j)) / order for j in range(order)]


def _random_halves(name: str, orders: list[int], seed: int, runs: int, *, both: bool) -> dict[int, list[list[int]]]:
    return {order: [_random_half(name, order, seed, run, both=both) for run in range(runs)] for order in orders}


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
    half of those of the second half. This is called a weakness of the Perceptron, so that Winnow should do better.
    """
    literal = {name: {order: _first_half(name, order) for order in (2, *orders[:2])} for name in LEARNERS}
    drawn = {name: _random_halves(name, orders, seed, runs, both=True) for name in LEARNERS}
    means = {
        name: {one: [float(np.mean(run)) / 2 for run in own] for one, own in by.items()} for name, by in drawn.items()
    }
    perceptron, winnow = literal["Perceptron"], literal["Winnow"]
    claimed = [
        every(f"first half, l = {order}: error 1/2 of the Perceptron, targets", [e == 0.5 for e in perceptron[order]])
        for order in orders[:2]
    ]
    what = "first half, l = 2: error of Winnow, and of the Perceptron, target 1"
    claimed.append(below(what, winnow[2][0], perceptron[2][0]))
    for order in orders[:2]:
        what = f"first half, l = {order}: error of Winnow less that of the Perceptron"
        claimed.append(less(what, winnow[order], perceptron[order]))
    what = "first half: columns j and j + l/2 agree there and are opposite elsewhere, l = 2, 4, ..., 256"
    corrected = [every(what, [_undecided(2**d) for d in range(1, 9)])]
    for order, own in drawn["Perceptron"].items():
        what = f"row 1 and half of the others, l = {order}: exactly one of z', z'' wrong by the Perceptron, unseen rows"
        corrected.append(every(what, [wrong == 1 for run in own for wrong in run]))
    corrected += _winnow_ahead(means)
    rows = [[name, *(float(np.mean(own)) for own in by.values())] for name, by in means.items()]
    caption = f"Error on unseen rows after training on row 1 and a random half, mean of {runs}"
    smallest = {name: " and ".join(f"{error:g}" for error in by[2]) for name, by in literal.items()}
    return Outcome(
        f"First half: errors of {np.mean(perceptron[orders[1]]):g} (Perceptron) and "
        f"{np.mean(winnow[orders[1]]):g} (Winnow). Row 1 and a random half: {rows[0][-1]:.3g} and "
        f"{rows[1][-1]:.3g} for l = {orders[-1]}.",
        claimed,
        corrected,
        erratum="In the first half of the rows columns j and j + l/2 are equal, so that nothing there says which of "
        "them is the target, and in the second half they are opposite: over the two targets every learner is wrong on "
        "half. Train on row 1 and any half of the others instead.",
        counterexample="l = 2, row 1: the two columns agree on it; the errors on row 2, for the two targets, are "
        f"{smallest['Perceptron']} for the Perceptron, {smallest['Winnow']} for Winnow, {smallest['elimination']} for "
        "elimination.",
        tables=[Table(caption, ["learner", *(f"l = {order}" for order in orders)], rows)],
    )


def _winnow_ahead(means: dict[str, dict[int, list[float]]]) -> list[Comparison]:
    what = "error of Winnow less that of the Perceptron"
    return [
        less(f"the same, l = {order}: {what}", own, means["Perceptron"][order])
        for order, own in means["Winnow"].items()
    ]


# Mean errors over 30 runs, by order
REFERENCE = {
    "Winnow": {16: 0.129, 32: 0.082, 64: 0.0, 128: 0.0008, 256: 0.0},
    "elimination": {16: 0.273, 32: 0.026, 64: 0.0, 128: 0.0, 256: 0.0},
}


@run_with(
    quick={"orders": [16, 32, 64], "runs": 60, "order": 128, "coins": 60},
    full={"orders": [16, 32, 64, 128, 256], "runs": 1000, "coins": 200},
)
@claim("batch-one-each", "Batch learning, one instance of each row", "Section 1")
def batch_one_each(seed: int, orders: list[int], runs: int, order: int, coins: int) -> Outcome:
    """Where one instance of each row is seen the Perceptron is wrong, in the others, on half of all instances and
    about half of one of each row; Winnow is not.
    """
    expected = {one: [0, *[one // 4] * (one // 2 - 1), one // 2, *[one // 4] * (one // 2 - 1)] for one in orders}
    drawn = {name: _random_halves(name, orders, seed, runs, both=False) for name in LEARNERS}
    means = {
        name: {one: [float(np.mean(run)) / 2 for run in own] for one, own in by.items()} for name, by in drawn.items()
    }
    tossed = np.array([_random_member(order, seed, run) for run in range(coins)]) / (order // 2)
    variance = 1 / (4 * (order // 2))  # of the share of heads among so many fair coins
    rows = [[name, *(float(np.mean(own)) for own in by.values())] for name, by in means.items()]
    shown = [", ".join(f"{one:.3g}" for one in row[1:]) for row in rows]
    caption = f"Error on unseen rows after one instance of row 1 and of a random half each, mean of {runs:,}"
    return Outcome(
        f"Errors for l = {', '.join(map(str, orders))}: {shown[0]} of the Perceptron, {shown[1]} of "
        f"Winnow. One unseen instance of each row, l = {order}: {tossed.mean():.3f} ± {tossed.std(ddof=1):.3f} wrong.",
        [
            *(
                equal(
                    f"first half, z' alone, l = {one}: wrong of {one // 2}, targets 1 to {one}",
                    _first_of_each(one),
                    own,
                )
                for one, own in expected.items()
            ),
            *(
                every(
                    f"random half, random instances, l = {one}: error 1/2 of the Perceptron, runs", np.equal(own, 0.5)
                )
                for one, own in means["Perceptron"].items()
            ),
            *_winnow_ahead(means),
            *(
                mean_is(f"the same, l = {one}: error of {name}, reference", own, by[one], _error(own))
                for name, by in REFERENCE.items()
                for one, own in means[name].items()
            ),
            mean_is(f"one unseen instance of each row, l = {order}: share that is wrong", tossed, 0.5),
            mean_is("the same: its squared distance from 1/2, as of fair coins", (tossed - 0.5) ** 2, variance),
        ],
        note="With z' alone the labels of target 1 are all 1, and none is wrong; at target l/2 + 1 all are. Fair coins "
        f"have a standard deviation of {variance**0.5:.4f}.",
        tables=[Table(caption, ["learner", *(f"l = {one}" for one in orders)], rows)],
    )


def _error(errors: Sequence[float]) -> float:
    """Return the standard error of a reference mean, of 30 runs; one of 0, or nearly so, is not known that well."""
    return max(float(np.std(errors, ddof=1) / 30**0.5), 0.001)


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


def _expanded(X: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each row, which of the 3^N conjunctions hold: 2^N of them, as numbers in base 3."""
    literals = np.where(X, 1, 2) * 3 ** np.arange(X.shape[1])
    chosen = np.arange(2 ** X.shape[1])[:, np.newaxis] >> np.arange(X.shape[1]) & 1
    return np.asarray(np.sort(literals @ chosen.T, axis=1))


def _stream(seed: int, n: int, terms: int, size: int, trials: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return uniform rows, labelled by a DNF of random terms with ``size`` literals each."""
    rng = np.random.default_rng(seed)
    X = rng.random((trials, n)) < 0.5
    y = np.zeros(trials, dtype=np.int64)
    for _ in range(terms):
        chosen, signs = rng.choice(n, size, replace=False), rng.random(size) < 0.5
        y |= (X[:, chosen] == signs).all(axis=1)
    return X, y


def _block(X: NDArray[np.bool_]) -> Block:
    on = _expanded(X)
    indptr = np.arange(len(X) + 1) * on.shape[1]
    return Block.from_csr(indptr, on.ravel(), n_attributes=3 ** X.shape[1])


@run_with(quick={"largest": 4, "runs": 3, "trials": 300}, full={"largest": 6, "runs": 30})
@claim("dnf-kernel", "The kernel of all conjunctions", "Section 1", rows=["A14"])
def dnf_kernel(seed: int, largest: int, runs: int, trials: int) -> Outcome:
    """One attribute for each of the 3^N conjunctions makes a DNF a disjunction. Their dot products are 2 to the number
    of bits on which two instances agree, so that an additive learner need not write them down.
    """
    pairs, same = [], []
    for n in range(1, largest + 1):
        cube = np.array(list(product([False, True], repeat=n)))
        on = [set(row) for row in _expanded(cube).tolist()]
        for (x, ones), (z, others) in product(zip(cube, on, strict=True), repeat=2):
            pairs.append(len(ones & others) == Conjunctions()(x, z) == 2 ** int((x == z).sum()))
    for run in range(runs):
        X, y = _stream(seed + run, 6, 3, 3, trials)
        explicit, kernel = ls.Perceptron(bias=False), ls.KernelPerceptron("conjunctions")
        one = explicit.begin(3**6, labels=(0, 1)).learn(_block(X), y)
        same.append(np.array_equal(one, kernel.begin(6, labels=(0, 1)).learn(X, y)))
    return Outcome(
        f"{sum(pairs):,} of {len(pairs):,} pairs for N <= {largest}; kernel and explicit Perceptron predict alike in "
        f"{sum(same)} of {runs} runs.",
        [
            every("dot product of 3^N features = kernel = 2^agreements, pairs", pairs),
            every("the Perceptron over 3^6 features and the kernel Perceptron predict alike, runs", same),
        ],
    )


def _play(seed: int, run: int, n: int, terms: int, size: int, trials: int) -> list[int]:
    X, y = _stream(seed + run, n, terms, size, trials)
    block = _block(X)
    players = [ls.Perceptron(bias=False), ls.Winnow(alpha=1.5, theta=3**n / terms), ls.Winnow(alpha=2, theta=3**n)]
    for player in players:
        player.begin(3**n, labels=(0, 1)).learn(block, y)
    return [player.mistakes for player in players]


# Mean mistakes of 5 runs; what was drawn is not noted beyond the number of terms
DNF_REFERENCE = {"Perceptron": 65, "Winnow(1.5, 3^N/k)": 86, "Winnow(2, 3^N)": 74}
CONSTANT = 20  # of the O()


@run_with(quick={"n": 8, "terms": 4, "size": 3, "trials": 3000, "runs": 16}, full={"runs": 1000})
@claim("dnf-experiment", "DNF by expansion: the experiment", "Section 1", pieces=each(run="runs"), part=_play)
def dnf_experiment(done: Sequence[Any], seed: int, n: int, terms: int, size: int, trials: int, runs: int) -> Outcome:
    """On uniform instances, all 3^N conjunctions as attributes, Winnow does not come close to its bound on k-term DNF
    (which we read as 0.6 of it), and the Perceptron makes fewer mistakes than Winnow tuned as in the theorems.
    """
    found = np.array(done)
    bound = winnow_disjunction(n=3**n, k=terms, alpha=1.5, theta=3**n / terms).value
    doubled = winnow_disjunction(n=3**n, k=terms).value
    players = zip(DNF_REFERENCE, found.T, ("\N{EN DASH}", bound, doubled), strict=True)
    rows = [[name, float(own.mean()), float(own.std(ddof=1)), limit] for name, own, limit in players]
    return Outcome(
        f"{3**n:,} conjunctions, {terms} random terms: Perceptron {rows[0][1]:.0f}, Winnow {rows[1][1]:.0f} mistakes; "
        f"its bound is {bound:.0f}.",
        [
            less("Perceptron less Winnow(1.5, 3^N/k)", found[:, 0], found[:, 1]),
            mean_within("Winnow(1.5, 3^N/k): mistakes over the bound", found[:, 1] / bound, 0.0, 0.6),
            mean_within("Winnow(2, 3^N): mistakes over the bound", found[:, 2] / doubled, 0.0, 0.6),
            equal("runs beyond a bound", int((found[:, 1] > bound).sum() + (found[:, 2] > doubled).sum()), 0),
            equal("Winnow(1.5, 3^N/k): the bound, reference (less than 202)", bound, 201),
            *(reference(name, own, mean, 5) for own, (name, mean) in zip(found.T, DNF_REFERENCE.items(), strict=True)),
        ],
        note=f"The paper does not say which formulas were drawn; here each term has {size} literals, on {size} of the "
        f"{n} attributes.",
        tables=[Table(f"Mistakes in {trials:,} trials, {runs:,} runs", ["learner", "mean", "s.d.", "bound"], rows)],
    )


@claim("dnf-bound", "The bound for k-term DNF", "Section 1", quick={"largest": 10}, full={"largest": 12})
def dnf_bound(seed: int, largest: int) -> Outcome:
    """Over all 3^N conjunctions Winnow tuned for k makes O(k (N - log k)) mistakes on k-term DNF; the logarithm of the
    number of such formulas is of the same order.
    """
    sizes = [(n, k) for n in range(1, largest + 1) for k in range(1, 2**n + 1)]
    size = {(n, k): k * (n - log(k)) for n, k in sizes}
    upper = {(n, k): winnow_disjunction(n=3**n, k=k, alpha=1.5, theta=Fraction(3**n, k)).value for n, k in sizes}
    bound = {one: upper[one] / size[one] for one in sizes}
    formulas = {(n, k): (lgamma(3**n + 1) - lgamma(k + 1) - lgamma(3**n - k + 1)) / size[n, k] for n, k in sizes}
    worst, most = max(bound, key=lambda one: bound[one]), max(formulas.values())
    return Outcome(
        f"For N <= {largest} and all k <= 2^N the bound is {min(bound.values()):.1f} to {bound[worst]:.1f} times "
        f"k (N - ln k), the logarithm of the number of formulas at most {most:.2f} times.",
        [
            at_most("bound / (k (N - ln k)), the largest", bound[worst], CONSTANT),
            at_most("ln(formulas) / (k (N - ln k)), the largest", most, CONSTANT),
        ],
        note=f"The largest is at N = {worst[0]}, k = {worst[1]}. The logarithm must be natural, or to another base "
        "above 2: with base 2, N - log k would be 0 at k = 2^N.",
    )


RESULTS = results(globals())
