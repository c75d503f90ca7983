"""Random problems, and what Section 4's experiments share: learners on random disjunctions, in pieces of a few runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.core.arrays import Bools
from littlestone.papers.comparisons import Comparison, mean_is
from littlestone.papers.outcome import Figure, Line
from littlestone.papers.runs import each
from littlestone.teachers import Disjunction

__all__ = [
    "HORIZON",
    "HORIZONS",
    "LEARNERS",
    "TRIO",
    "Found",
    "Means",
    "after",
    "as_recorded",
    "curves",
    "ends",
    "games",
    "gathered",
    "play_games",
    "problem",
]


def problem(rng: np.random.Generator) -> tuple[Bools, Bools, int, int]:
    """Return rows of random density, their labels by the first k attributes, n and k."""
    n = int(rng.integers(4, 40))
    k = int(rng.integers(1, n // 2 + 1))
    X = rng.random((int(rng.integers(50, 400)), n)) < rng.uniform(0.05, 0.6)
    return X, np.asarray(X[:, :k].any(axis=1)), n, k


Make = Callable[[int, int], ls.Learner]
Found = Mapping[int, Mapping[str, NDArray[np.int64]]]  # by size and learner
Means = Sequence[tuple[float, float | None]]  # by size, with standard deviations where they were noted

LEARNERS: Mapping[str, Make] = {
    "Perceptron": lambda n, k: ls.Perceptron(),
    "Winnow(1.5, N/k)": lambda n, k: ls.Winnow(alpha=1.5, theta=n / k),
    "elimination": lambda n, k: ls.Elimination(),
    "Winnow(2, N)": lambda n, k: ls.Winnow(alpha=2, theta=n),
    "Winnow(1.5, N)": lambda n, k: ls.Winnow(alpha=1.5, theta=n),
    "Perceptron, theta 1/2": lambda n, k: ls.Perceptron(theta=0.5, bias=False),
    "Perceptron, theta 1": lambda n, k: ls.Perceptron(theta=1, bias=False),
    "Perceptron, strict": lambda n, k: ls.Perceptron(theta=0.5),  # of whole numbers: 1 iff w.x > 0
    "Perceptron, theta N/k": lambda n, k: ls.Perceptron(theta=n / k, bias=False),
    "Winnow(N+1, 1)": lambda n, k: ls.Winnow(alpha=n + 1, theta=1),
}
TRIO = ["Perceptron", "Winnow(1.5, N/k)", "elimination"]
HORIZON = 20_000  # trials of the reference
HORIZONS = (50, 300, 1000, HORIZON, 50_000, 1_000_000)  # at which there are reference means
POINTS = 33  # of a curve


def points(trials: int) -> NDArray[np.int64]:
    """Return the trials at which curves are looked at."""
    own = [horizon for horizon in HORIZONS if horizon <= trials]
    return np.unique(np.append(np.geomspace(10, trials, POINTS).astype(np.int64), own))


def games(reading: str, ns: Sequence[int], k: int | None, block: int = 5, **sizes: Any) -> list[dict[str, Any]]:
    """Return the pieces of an experiment: ``block`` runs of one size each; without ``k`` it is 2N/5."""
    pieces = each(block, n="ns")(reading=reading, ns=ns, **sizes)
    return [{**piece, "k": 2 * piece["n"] // 5 if k is None else k} for piece in pieces]


def play_games(
    seed: int, *, reading: str, n: int, k: int, trials: int, players: Sequence[str], first: int, runs: int
) -> dict[str, Any]:
    """Play runs ``first``, ``first`` + 1, ...; of each learner keep the mistakes at the points of the curve."""
    at = points(trials)
    found: dict[str, Any] = {name: [] for name in players}
    for number in range(first, first + runs):
        stream = Disjunction(n, k, trials=trials, reading=reading, seed=seed + number)
        for name, run in zip(players, ls.play_all([LEARNERS[name](n, k) for name in players], stream), strict=True):
            found[name].append(np.searchsorted(run.mistake_trials, at).tolist())
    return {"n": n, "curves": found}


def gathered(done: Sequence[Mapping[str, Any]]) -> Found:
    """Return the curves of all runs, by size and learner: an array of runs and points."""
    found: dict[int, dict[str, Any]] = {}
    for n in dict.fromkeys(piece["n"] for piece in done):
        pieces = [piece["curves"] for piece in done if piece["n"] == n]
        found[n] = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    return found


def after(found: Found, trials: int, horizon: int) -> Found:
    """Return the mistakes in the first ``horizon`` trials, a number a run, by size and learner."""
    column = int(np.searchsorted(points(trials), horizon))
    return {n: {name: own[:, column] for name, own in by.items()} for n, by in found.items()}


def ends(found: Found) -> Found:
    """Return the mistakes in all trials, a number a run, by size and learner."""
    return {n: {name: own[:, -1] for name, own in by.items()} for n, by in found.items()}


def as_recorded(where: str, last: Found, reference: Mapping[str, Means], runs: int = 20) -> list[Comparison]:
    """Compare with reference means of so many runs, by learner; a deviation that was not noted is taken from here."""
    return [
        mean_is(f"{where}{n}: {name}, reference", own[name], mean, (spread or float(own[name].std(ddof=1))) / runs**0.5)
        for name, means in reference.items()
        for (n, own), (mean, spread) in zip(last.items(), means, strict=False)
    ]


def curves(found: Found, trials: int, title: str, names: Sequence[str]) -> Figure:
    """Return mean mistakes against trials with a band of one standard deviation, a line a learner and size.

    Where the last means are far apart both axes are logarithmic.
    """
    at, lines = points(trials), []
    for name in names:
        for n, own in found.items():
            mean, spread = own[name].mean(axis=0), own[name].std(axis=0, ddof=1)
            least, most = np.maximum(mean - spread, 0), mean + spread
            lines.append(Line(f"{name}, N={n}", *(part.tolist() for part in (at, mean, least, most))))
    runs = len(next(iter(next(iter(found.values())).values())))
    ends = [line.y[-1] for line in lines]
    far = max(ends) > 8 * max(min(ends), 1.0)
    caption = f"Mistakes so far, mean of {runs:,} runs; the band is one standard deviation to each side."
    if far:
        return Figure(title, f"{caption} Both axes are logarithmic.", "trials", "mistakes", lines, "log", "log")
    return Figure(title, caption, "trials", "mistakes", lines)
