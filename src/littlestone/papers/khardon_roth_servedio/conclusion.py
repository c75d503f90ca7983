"""Sections 1 and 5: what the authors say of maximum-margin machines, and of the work of others."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import winnow_theorem2
from littlestone.learners import BoxWinnow, KernelPerceptron
from littlestone.papers.comparisons import at_most, close, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.parts.kernels import Conjunctions
from littlestone.streams import Stream
from littlestone.teachers import KernelTrap, KernelTrapSample

__all__ = ["RESULTS"]

KERNEL = Conjunctions(monotone=True)


class _Widest:
    """The hyperplane through the origin of the largest margin on some rows, over normalised features of the kernel."""

    def __init__(self, X: NDArray[np.bool_], y: NDArray[np.int64]) -> None:
        self.rows, first = np.unique(X, axis=0, return_index=True)
        factor = np.linalg.cholesky(KERNEL.gram(self.rows, normalized=True))  # coordinates with the same dot products
        found = ls.hindsight.margin(ls.from_arrays(factor, y[first]), bias=False)
        assert found.u2 is not None
        self.coefficients = np.linalg.solve(factor.T, found.u2)

    def predict(self, X: NDArray[np.bool_]) -> NDArray[np.int64]:
        values = KERNEL.gram(X, self.rows, normalized=True) @ self.coefficients
        return np.asarray(values >= 0.0).astype(np.int64)


def _rows(stream: Stream) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    block = ls.Block.joined(list(stream.blocks()))
    X = np.zeros((len(block), stream.n_attributes or 0), dtype=bool)
    for row in range(len(block)):
        X[row, block.row(row)[0]] = True
    assert block.outcomes is not None
    return X, np.asarray(block.outcomes, dtype=np.int64)


def _solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction]:
    """Return the solution of A x = b, by elimination; A is positive definite."""
    rows = [[*row, right] for row, right in zip(A, b, strict=True)]
    for i, pivot in enumerate(rows):
        pivot[:] = [value / pivot[i] for value in pivot]
        for other in rows:
            if other is not pivot and other[i]:
                factor = other[i]
                other[:] = [one - factor * two for one, two in zip(other, pivot, strict=True)]
    return [row[-1] for row in rows]


def _exactly(X: NDArray[np.bool_], y: NDArray[np.int64], t: int) -> tuple[bool, int]:
    """Return whether the plain kernel's largest margin over t rows was found, and the later rows it has wrong.

    With y K y a = 1 every row has the same margin, and if all of a is positive no hyperplane has a larger one.
    """
    kernel = KERNEL.gram(X, X[:t], exact=True).tolist()
    signs = np.where(y == 1, 1, -1).tolist()
    signed = [
        [Fraction(one * other * value) for other, value in zip(signs, row, strict=False)]
        for one, row in zip(signs[:t], kernel, strict=False)
    ]
    a = _solved(signed, [Fraction(1)] * t)
    values = [sum(c * sign * k for c, sign, k in zip(a, signs, row, strict=False)) for row in kernel[t:]]
    return min(a) > 0, sum(int(value >= 0) != label for value, label in zip(values, y[t:].tolist(), strict=True))


@run_with(quick={"runs": 8, "sets": 40}, full={"runs": 20, "sets": 100})
@claim("maximum-margin", "The trap does not catch maximum-margin machines", "Section 5")
def maximum_margin(seed: int, runs: int, sets: int) -> Outcome:
    """The constructions against the kernel Perceptron do not extend, in the PAC or the on-line setting, to hypotheses
    of maximum margin over the same kernel.
    """
    errors: dict[int, list[tuple[float, float]]] = {10: [], 30: [], 100: []}
    for size, found in errors.items():
        for number in range(runs):
            sample = KernelTrapSample(320, trials=size, seed=seed + number)
            X, y = _rows(sample)
            if y.min() < y.max() and len(np.unique(X[y == 0], axis=0)) > 1:
                learner = KernelPerceptron("monotone")
                ls.play(learner, sample)
                found.append((float(sample.error(learner)), float(sample.error(_Widest(X, y)))))
    trap = KernelTrap(320, sets=sets)
    X, y = _rows(trap)
    wrong = sum(int(_Widest(X[:t], y[:t]).predict(X[t : t + 1])[0] != y[t]) for t in range(2, len(y)))
    online = ls.play(KernelPerceptron("monotone"), trap).mistakes - 2
    plain = [_exactly(X, y, t) for t in range(2, 11)]
    exact = "features not normalised, in rationals, 2 to 10 rows"
    head = ["examples", "samples", "kernel Perceptron", "largest margin"]
    rows = [
        [size, len(found), *(round(float(mean), 4) for mean in np.mean(found, axis=0))]
        for size, found in errors.items()
    ]
    return Outcome(
        f"Mean error after 10, 30, 100 examples: {', '.join(f'{row[3]:g}' for row in rows)} with the largest margin, "
        f"{', '.join(f'{row[2]:.3f}' for row in rows)} with the kernel Perceptron; on-line {wrong} of {len(y) - 2} "
        f"sets are mistakes, against {online}.",
        [
            *(
                every(f"samples of {size}: error 0 with the largest margin", [widest == 0.0 for _, widest in found])
                for size, found in errors.items()
            ),
            at_most("on-line, after 0^n and 1^n: mistakes with the largest margin", wrong, 1),
            every(f"{exact}: the largest margin is found", [one for one, _ in plain]),
            equal("the same: later sets that are mistakes", [count for _, count in plain], [0] * len(plain)),
        ],
        note="Features are normalised, K(x,y) / sqrt(K(x,x) K(y,y)), but for the last two lines. Samples with both "
        "labels and two different negative rows are counted. The authors prove other negative results for such "
        "machines elsewhere.",
        tables=[Table("Mean errors, n = 320, 3,000 sets", head, rows)],
    )


GRIDS = {(6,): 21, (4, 4): 100, (3, 3, 3): 216}  # sides, and how many boxes there are
INTERVALS = (100_000, 300_000), (450_000, 600_000), (800_000, 900_000)


def _boxes(sides: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    """Return all boxes of a grid: the ends of an interval in each dimension."""
    return list(product(*([(lo, hi) for lo in range(m) for hi in range(lo, m)] for m in sides)))


def _same_game(sides: tuple[int, ...], rng: np.random.Generator) -> bool:
    """Tell whether both forms of Winnow predict alike: boxes written down as features, and hulls of the mistakes."""
    X, y = rng.integers(0, sides, size=(40, len(sides))), rng.integers(2, size=40)
    inside: NDArray[np.bool_] = np.array(
        [
            [all(lo <= x <= hi for x, (lo, hi) in zip(row, box, strict=True)) for box in _boxes(sides)]
            for row in X.tolist()
        ]
    )
    theta = int(rng.choice([len(inside[0]), 10]))
    one = BoxWinnow(sides=sides, theta=theta).begin(labels=(0, 1))
    other = ls.Winnow(theta=theta).begin(inside.shape[1], labels=(0, 1))
    return bool(np.array_equal(one.learn(X, y), other.learn(inside, y)))


@run_with(quick={"games": 10, "trials": 3000}, full={"games": 100, "trials": 20_000})
@claim("geometric-classes", "Winnow over geometric concepts can be run", "Section 1.2, after Maass and Warmuth")
def geometric_classes(seed: int, games: int, trials: int) -> Outcome:
    """Where the features are simple geometric concepts, Winnow over exponentially many of them can be run efficiently:
    here all boxes of a grid. The mistakes are within Theorem 2's bound.
    """
    same = {
        sides: [_same_game(sides, np.random.default_rng([seed, number])) for number in range(games)] for sides in GRIDS
    }
    X = np.random.default_rng([seed, 0]).integers(0, 10**6, (trials, 1))
    y = np.any([(lo <= X[:, 0]) & (X[:, 0] < hi) for lo, hi in INTERVALS], axis=0)
    learner, mapped = BoxWinnow(sides=10**6), BoxWinnow(sides=10**6, backend="map").begin(labels=(0, 1), n=1)
    learner.learn(X, y)
    for x, label in zip(X, y.astype(int), strict=True):
        if mapped.mistakes < 21:
            mapped.learn_one(x, label)
    number = 10**6 * (10**6 + 1) // 2
    mistakes, bound = int(learner.mistakes), winnow_theorem2(n=number, k=3).value
    return Outcome(
        f"{sum(map(sum, same.values()))} of {len(same) * games} games agree with explicit boxes; a union of three "
        f"intervals of 1,000,000 points costs {mistakes} mistakes in {trials:,} trials, bound {bound:.0f}, with "
        f"{learner.sets} points kept for {number:,} weights.",
        [
            equal("boxes of the grids 6, 4x4, 3x3x3, reference", [len(_boxes(sides)) for sides in GRIDS],
                  list(GRIDS.values())),
            *[every(f"{' x '.join(map(str, sides))}: games with the predictions of Winnow over explicit boxes", found)
              for sides, found in same.items()],
            at_most("three intervals of 1,000,000 points: mistakes, and Theorem 2's bound", mistakes, bound),
            close("that bound, reference", bound, 361, 0.5),
            at_most("points kept, and mistakes", learner.sets, mistakes),
            equal("after 21 mistakes: hulls in a map, reference", mapped.sets, 232),
        ],
        note="Maass and Warmuth's classes are others as well; the sum over hulls of the mistakes is ours. M "
        "points on a line have M(M+1)/2 hulls, and there is the whole line.",
    )  # fmt: skip


@claim("other-work", "What is said of other work", "Footnote 1 and Section 5")
def other_work(seed: int) -> Outcome:
    """No on-line learner whose hypotheses are DNF formulas learns DNF efficiently (Angluin); the kernels extend to
    expressions in description logic, with success in applications (Cumby and Roth); other multiplicative algorithms
    can be run with kernels for losses that are additive over the attributes (Takimoto and Warmuth); machines of
    maximum margin with the monomial kernel have negative results of their own (Khardon and Servedio).
    """
    return Outcome(
        "Not run: the statements are those of other papers.",
        evidence="The paper quotes them without the numbers or the definitions that a run would need; Angluin's is "
        "about all learners with such hypotheses. What it says of maximum margins and of its own construction is run "
        "above.",
    )


RESULTS = results(globals())
