"""Sections 1 and 5: what the authors say of the work of others."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import winnow_theorem2
from littlestone.learners import BoxWinnow
from littlestone.papers.comparisons import at_most, close, equal, every
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim, run_with

__all__ = ["RESULTS"]

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


RESULTS = (geometric_classes, other_work)
