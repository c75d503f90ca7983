"""Sections 1 and 5: the situation in on-line linear regression, to which the paper likens its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

import littlestone as ls
from littlestone.bounds import eg_plus_minus, gradient_descent
from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.papers.comparisons import Comparison, below, equal, less
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import each

__all__ = ["RESULTS"]

K = 3  # attributes of the sparse target
ROWS, UNITS = 200, 1 << 20  # drawn together: dense rows, and those in which one attribute is on
TIMES = [2.0**power for power in range(-2, 21)]  # rates, in those of the theorems
REFERENCE = (
    "The paper says who wins; the algorithms, bounds and experiments are found in the reference, not in the paper's "
    "own text: Kivinen and Warmuth, Exponentiated gradient versus gradient descent for linear predictors."
)


def _sparse_target(seed: int, n: int, trials: int) -> tuple[Floats, Iterator[Block]]:
    """Return a target of few attributes, and dense rows of -1 and 1."""
    u = np.zeros(n)
    u[:K] = 1.0

    def rows() -> Iterator[Block]:
        rng = np.random.default_rng([seed, n, 0])
        for start in range(0, trials, ROWS):
            X = 2.0 * rng.integers(0, 2, (min(ROWS, trials - start), n)).astype(np.int8) - 1.0
            columns, ends = np.tile(np.arange(n, dtype=np.uint32), len(X)), n * np.arange(len(X) + 1)
            yield Block.from_csr(ends, columns, X.ravel(), n_attributes=n).numbered(X[:, :K].sum(axis=1))

    return u, rows()


def _dense_target(seed: int, n: int, trials: int) -> tuple[Floats, Iterator[Block]]:
    """Return a target of -1 and 1 on all attributes, and rows in which one attribute is on."""
    rng = np.random.default_rng([seed, n, 1])
    u: Floats = 2.0 * rng.integers(0, 2, n).astype(np.float64) - 1.0

    def rows() -> Iterator[Block]:
        for start in range(0, trials, UNITS):
            on = rng.integers(0, n, min(UNITS, trials - start)).astype(np.uint32)
            yield Block(np.arange(len(on) + 1), on, None, n_attributes=n).numbered(u[on])

    return u, rows()


KINDS = {"sparse": _sparse_target, "dense": _dense_target}


def _rates(kind: str, n: int, u: Floats) -> tuple[float, float, float]:
    """Return the rates that the theorems have where a target loses nothing, and the U of EG+-."""
    U, length = float(np.abs(u).sum()), float(n if kind == "sparse" else 1)
    return 1.0 / (2.0 * length), 2.0 / (2.0 * U) ** 2, U


def _bounds(kind: str, n: int, u: Floats) -> tuple[float, float]:
    """Return what the theorems say of both, for a target that loses nothing."""
    length, U, norm = float(n if kind == "sparse" else 1) ** 0.5, float(np.abs(u).sum()), float(np.sqrt(u @ u))
    share = np.abs(u[u != 0.0]) / U
    divergence = log(2 * n) + float((share * np.log(share)).sum())  # of u from the uniform start, on (x, -x)
    return (
        float(gradient_descent(X=length, norm=norm).value),
        float(eg_plus_minus(U=U, X=1.0, n=n, divergence=divergence).value),
    )


def _losses(kind: str, seed: int, n: int, trials: int, times: Sequence[float]) -> list[list[float]]:
    """Return what gradient descent and EG+- lose, with rates of so many times those of the theorems."""
    u, blocks = KINDS[kind](seed, n, trials)
    first, second, U = _rates(kind, n, u)
    players: list[list[ls.Regressor]] = [
        [ls.GradientDescent(eta=first * m, bias=False).begin(n) for m in times if m <= 1.0],
        [ls.EGPlusMinus(eta=second * m, U=U, bias=False).begin(n) for m in times],
    ]
    for block in blocks:
        for learner in players[0] + players[1]:
            learner.learn(block)
    return [[learner.loss for learner in each] for each in players]


def _play(seed: int, n: int, run: int, most: int) -> dict[str, Any]:
    """Return the losses of both games, with the theorems' rates and, where n is small, the least of all rates."""
    found: dict[str, Any] = {}
    own = seed + run
    for kind, trials in (("sparse", max(2000, n // 4)), ("dense", int(n**1.5))):
        gd, eg = (float(one[0]) for one in _losses(kind, own, n, trials, [1.0]))
        found[kind] = [gd, eg, *_bounds(kind, n, KINDS[kind](own, n, 1)[0])]
        if n <= most and run == 0:
            with catch_warnings():
                simplefilter("ignore", ls.DivergenceWarning)  # among many rates some are too large
                found[f"{kind}, best"] = [min(each) for each in _losses(kind, own, n, trials, TIMES)]
    return found


NAMES = ("gradient descent", "EG+-")
# Games: what they are called, and who loses more in them and who less, by their places among the names
GAMES = {"sparse": ("sparse target, dense rows", 0, 1), "dense": ("dense target, sparse rows", 1, 0)}


@run_with(
    quick={"ns": [100, 300, 1000, 3000], "runs": 4, "most": 300},
    full={"ns": [100, 1000, 10_000, 100_000], "runs": 4, "most": 1000},
)
@claim(
    "regression", "The situation in on-line linear regression", "Sections 1 and 5",
    pieces=each(n="ns", run="runs"), part=_play,
)  # fmt: skip
def regression(done: Sequence[dict[str, Any]], seed: int, ns: Sequence[int], runs: int, most: int) -> Outcome:
    """In on-line linear regression the exponentiated gradient algorithms win for sparse targets and dense instances,
    gradient descent wins for dense targets and sparse instances: in the bounds proven, and on simple artificial data.
    """
    lines: list[Line] = []
    rows: list[list[Any]] = []
    claimed: list[Comparison] = []
    for kind, (title, loser, winner) in GAMES.items():
        found = np.array([one[kind] for one in done]).reshape(len(ns), runs, 4)
        lost, proven = found[:, :, loser] / found[:, :, winner], found[:, 0, 2 + loser] / found[:, 0, 2 + winner]
        beyond = int((found[:, :, :2] > found[:, :, 2:] * (1.0 + 1e-9)).sum())
        claimed += [
            less(
                f"{title}, n = {ns[-1]}: {NAMES[winner]} less {NAMES[loser]}", found[-1, :, winner], found[-1, :, loser]
            ),
            less(f"{title}: the factor at n = {ns[0]} less that at {ns[-1]}", lost[0], lost[-1]),
            below(f"{title}: ratio of the bounds, n = {ns[0]} and {ns[-1]}", float(proven[0]), float(proven[-1])),
            equal(f"{title}: games beyond a bound", beyond, 0),
        ]
        band = [several(axis=1).tolist() for several in (lost.mean, lost.min, lost.max)]
        lines += [Line(f"{title}: {NAMES[loser]} / {NAMES[winner]}", ns, *band)]
        lines += [Line(f"{title}: bounds", ns, proven.tolist(), kind="theory")]
        for at, n in enumerate(ns):
            best = done[at * runs].get(f"{kind}, best")
            means = found[at].mean(axis=0).tolist()
            rows.append([title, n, *(f"{one:.4g}" for one in means), *(f"{one:.4g}" for one in best or ())])
            rows[-1] += ["-"] * (8 - len(rows[-1]))
    head = ["game", "n", "GD", "EG+-", "bound, GD", "bound, EG+-", "GD, best rate", "EG+-, best rate"]
    caption = f"Mean of {runs} runs with the least and the most; broken lines are the ratios of the bounds. Both axes "
    title = "How many times as much the worse one loses"
    return Outcome(
        f"From n = {ns[0]} to {ns[-1]}: with a sparse target gradient descent loses {lines[0].y[0]:.3g} to "
        f"{lines[0].y[-1]:.3g} times as much, with a dense one EG+- {lines[2].y[0]:.3g} to {lines[2].y[-1]:.3g} times.",
        claimed,
        note=REFERENCE + " Rates are those with which the theorems hold, best for a target without losses. With the "
        "best of many rates, chosen afterwards, EG+- loses little more than gradient descent with these dense targets, "
        "too (last columns); no theorem has such rates.",
        tables=[Table("Cumulative square loss", head, rows)],
        figures=[Figure(title, caption + "are logarithmic.", "attributes n", "ratio of losses", lines, "log", "log")],
    )


RESULTS = results(globals())
