"""Games that the theorems are tried on: searched to the end, played by a greedy adversary, or drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.core.arrays import Bools
from littlestone.papers.comparisons import Comparison, equal, every
from littlestone.papers.helmbold_panizza_warmuth._enumeration import attribute_errors
from littlestone.papers.outcome import Figure, Line, Table
from littlestone.papers.runs import blocks, mistakes
from littlestone.teachers import Disjunction, Greedy

__all__ = [
    "FULL", "Bound", "Contest", "Make", "Played", "against_all", "as_recorded", "beg", "certified", "clean", "cut",
    "first_above", "gathered", "greedy", "kept", "largest", "least_bound", "longest", "noisy", "part", "quick",
    "recorded", "table", "theta", "winnow",
]  # fmt: skip

Make = Callable[[int, int], ls.Learner]  # of n and k
Bound = Callable[[int, int, int], float]  # of n, k and attribute errors
Ints = Iterable[int]

FULL = {"ns": [16, 32, 64, 128, 256, 512, 1024], "ks": list(range(1, 9)), "runs": 1000}  # games of a full run


class Played(NamedTuple):
    """The mistakes of a game, and what a theorem allows."""

    n: int
    k: int
    errors: int
    mistakes: float
    bound: float

    @property
    def ratio(self) -> float:
        """What part of the bound was attained."""
        return self.mistakes / self.bound if self.bound else float(self.mistakes > 0)


def largest(games: Iterable[Played]) -> Played:
    """Return the game that came nearest to its bound."""
    return max(games, key=lambda game: game.ratio)


def kept(games: Collection[Played]) -> str:
    """Return in words how many games stayed within their bounds."""
    return f"{sum(game.mistakes <= game.bound for game in games):,} of {len(games):,} games stay within"


def first_above(games: Iterable[Played]) -> Played:
    """Return the first game above its bound, and the last of all where there is none; later ones are not played."""
    for game in games:
        if game.mistakes > game.bound:
            break
    return game


def _sizes(ns: Ints, ks: Ints, errors: Ints) -> list[tuple[int, int, int]]:
    return [(n, k, a) for n in ns for k in ks if k <= n for a in errors]


def longest(make: Make, bound: Bound, ns: Ints, ks: Ints, errors: Ints = (0,)) -> list[Played]:
    """Search whole games: the most mistakes that any teacher can force, for each size and number of errors."""
    return [Played(n, k, a, ls.worst_case(make(n, k), n, k, a), bound(n, k, a)) for n, k, a in _sizes(ns, ks, errors)]


def greedy(
    make: Make, bound: Bound, ns: Ints, ks: Ints, errors: Ints = (0,), ways: Sequence[str] = ("heavy", "light")
) -> list[Played]:
    """Play the greedy adversary, both ways it can go, and keep the longer game."""
    found = []
    for n, k, a in _sizes(ns, ks, errors):
        runs = [ls.play(make(n, k), Greedy(range(k), n, attribute_errors=a, first=first)) for first in ways]
        found.append(Played(n, k, a, max(run.mistakes for run in runs), bound(n, k, a)))
    return found


def table(caption: str, games: Sequence[Played]) -> Table:
    """Return a table of games: a row for each n, a column for each k and number of attribute errors."""
    columns = dict.fromkeys((game.k, game.errors) for game in games)
    noise = any(errors for _, errors in columns)
    heads = [f"k={k}, A={errors}" if noise else f"k={k}" for k, errors in columns]
    found = {(game.n, game.k, game.errors): f"{game.mistakes:g} of {game.bound:.1f}" for game in games}
    rows = [[n, *(found.get((n, *column), "") for column in columns)] for n in dict.fromkeys(game.n for game in games)]
    return Table(caption, ["n", *heads], rows)


def as_recorded(what: str, games: Iterable[Played], reference: Mapping[int, Sequence[int]], least: int) -> Comparison:
    """Compare the mistakes of searched games with those of a reference, for k = least, least + 1, ..."""
    found = {(game.n, game.k): game.mistakes for game in games if not game.errors}
    sizes = [n for n in reference if (n, least) in found]
    own = [[found[n, k] for k in range(least, least + len(reference[n]))] for n in sizes]
    return equal(f"longest games, {what}, reference", own, [list(reference[n]) for n in sizes])


def clean(seed: int, number: int, trials: int = 150) -> tuple[Bools, Bools, int]:
    """Draw the rows of a random size, the labels of a disjunction, and its size."""
    rng = np.random.default_rng([seed, number])
    n = int(rng.integers(2, 40))
    k = int(rng.integers(0, min(n, 6) + 1))
    X = rng.random((trials, n)) < rng.uniform(0.02, 0.6)
    return X, np.asarray(X[:, rng.permutation(n)[:k]].any(axis=1)), k


def noisy(seed: int, number: int, trials: int = 60, most: int = 8) -> tuple[Bools, Bools]:
    """Draw rows whose labels are those of a disjunction, or of none at all."""
    rng = np.random.default_rng([seed, number, 1])
    n = int(rng.integers(2, most + 1))
    X = rng.random((trials, n)) < rng.uniform(0.1, 0.6)
    y = X[:, : int(rng.integers(1, n + 1))].any(axis=1)
    return X, y ^ (rng.random(trials) < rng.choice([0.02, 0.1, 0.3, 0.5]))


def recorded(n: int, k: int, trials: int, density: float, seed: int = 0) -> tuple[Bools, Bools]:
    """Return the rows on which counts were recorded."""
    X = np.random.default_rng(seed).random((trials, n)) < density
    return X, np.asarray(X[:, :k].any(axis=1))


def _random_games(make: Make, bound: Bound, seed: int, runs: int, first: int = 0) -> list[Played]:
    found = []
    for number in range(first, first + runs):
        X, y, k = clean(seed, number)
        n = X.shape[1]
        found.append(Played(n, k, 0, mistakes(make(n, k), X, y), bound(n, k, 0)))
    return found


def certified(make: Callable[[], ls.Learner], seed: int, runs: int, noise: float = 0.0) -> list[bool]:
    """Play random streams of 30 attributes; tell of each whether its ledger gives a bound that holds."""
    found = []
    for number in range(runs):
        stream = Disjunction(30, 3, trials=400, reading="R1", noise=noise, seed=seed + number)
        run = ls.play(make(), stream)
        found.append(run.mistakes <= run.certificate({0, 1, 2}).bound)
    return found


def quick(searched: Ints, searched_ks: Ints, ks: Sequence[int], ns: Sequence[int] = (16, 128, 1024)) -> dict[str, Any]:
    """Return the sizes of a quick run of a theorem's games."""
    return {"searched": list(searched), "searched_ks": list(searched_ks), "ns": list(ns), "ks": list(ks), "runs": 60}


def cut(searched: Ints, searched_ks: Ints, ns: Ints, ks: Ints, runs: int, block: int = 250) -> list[dict[str, Any]]:
    """Return the pieces of a theorem's games: the search, the greedy adversary for each n, random streams."""
    return [
        {"what": "search", "ns": list(searched), "ks": list(searched_ks)},
        *({"what": "greedy", "ns": [n], "ks": list(ks)} for n in ns),
        *({"what": "drawn", **piece} for piece in blocks(runs, block)),
    ]


def part(make: Make, bound: Bound, seed: int, what: str, **piece: Any) -> dict[str, Any]:
    """Play one of these pieces."""
    if what == "drawn":
        games = _random_games(make, bound, seed, **piece)
    else:
        games = (longest if what == "search" else greedy)(make, bound, **piece)
    return {"what": what, "games": games}


def gathered(done: Iterable[Mapping[str, Any]]) -> dict[str, list[Played]]:
    """Return the games of all pieces, by what they are."""
    found: dict[str, list[Played]] = {}
    for piece in done:
        found.setdefault(piece["what"], []).extend(Played(*game) for game in piece["games"])
    return found


class Contest:
    """All games of a theorem without noise, against its bound and against a sharper one that its proof gives."""

    def __init__(self, done: Iterable[Mapping[str, Any]], bound: str, sharper: str, sharper_bound: Bound) -> None:
        found = gathered(done)
        self.searched, self.forced, self.drawn = (found[what] for what in ("search", "greedy", "drawn"))
        self.games = [*self.searched, *self.forced, *self.drawn]
        self.sharper = [game._replace(bound=sharper_bound(game.n, game.k, 0)) for game in self.games]
        first, last = len(self.searched), len(self.searched) + len(self.forced)
        self.parts = largest(self.forced).ratio, largest(self.sharper[first:last]).ratio  # by the greedy adversary
        near, nearer = largest(self.games), largest(self.sharper)
        self.summary = (
            f"{kept(self.games)} {bound}: at most {near.ratio:.3f} of it (n={near.n}, "
            f"k={near.k}), and {nearer.ratio:.3f} of {sharper} (n={nearer.n}, k={nearer.k}: {nearer.mistakes:g} of "
            f"{nearer.bound:.1f})."
        )
        self.table = table(f"The longest games there are, by search, and the bound {bound}", self.searched)

    def within(self, bound: str, sharper: str) -> list[Comparison]:
        """Compare all games with both bounds."""
        return [
            every(f"games within {name}", [game.mistakes <= game.bound for game in games])
            for name, games in ((bound, self.games), (sharper, self.sharper))
        ]

    def as_recorded(self, what: str, reference: Mapping[int, Sequence[int]], least: int = 0) -> Comparison:
        """Compare the longest games with those of a reference."""
        return as_recorded(what, self.searched, reference, least)

    def figure(self, title: str, axis: str, bounds: Mapping[str, Bound]) -> Figure:
        """Return the greedy adversary's mistakes against the number of attributes, k = 2, with bounds."""
        games = [game for game in self.forced if game.k == 2]
        ns = [game.n for game in games]
        lines = [Line("greedy adversary", ns, [game.mistakes for game in games])]
        lines += [Line(name, ns, [bound(n, 2, 0) for n in ns], kind="theory") for name, bound in bounds.items()]
        caption = f"The greedy adversary's games with two relevant attributes, against both bounds; {axis}."
        return Figure(f"{title}: mistakes and n, k = 2", caption, "attributes n", "mistakes", lines, "log", "linear")


def theta(alpha: float) -> float:
    """Return Theorem 5's threshold."""
    return alpha * log(alpha) / (alpha * alpha - 1.0)


def beg(alpha: float, w1: float | None = None) -> tuple[Make, Bound]:
    """Return Theorem 5's learner and its bound."""
    return (
        lambda n, k: ls.ThresholdedBEG(beta1=alpha, beta0=1.0 / alpha, w1=w1),
        lambda n, k, a: bounds.thresholded_beg(n=n, k=k, alpha=alpha, w1=w1, attribute_errors=a).value,
    )


def winnow(alpha: float) -> tuple[Make, Bound]:
    """Return Winnow as Auer and Warmuth have it, and its bound."""
    return (
        lambda n, k: ls.Winnow(alpha=alpha, theta=theta(alpha), w1=1.0 / n, tie=0),
        lambda n, k, a: bounds.winnow_attribute_errors(n=n, k=k, alpha=alpha, attribute_errors=a).value,
    )


def least_bound(X: Bools, y: Bools, bound: Callable[[int, int], float]) -> tuple[float, int, int]:
    """Return the least bound that any of the 2^n disjunctions gives, with its size and attribute errors."""
    n = X.shape[1]
    errors, sizes = attribute_errors(X, y), np.bitwise_count(np.arange(1 << n))
    fewest = [int(errors[sizes == k].min()) for k in range(n + 1)]
    return min((bound(k, a), k, a) for k, a in enumerate(fewest))


def against_all(make: Make, bound: Bound, seed: int, runs: int, first: int = 0) -> list[Played]:
    """Play noisy streams; the bound is the least that any of the 2^n disjunctions gives, the empty one too.

    Attribute errors are counted on the mistakes alone: no more than in all rows, so that the bound is no larger.
    """
    found = []
    for number in range(first, first + runs):
        X, y = noisy(seed, number)
        n = X.shape[1]
        learner = make(n, 1).begin(n, labels=(0, 1))
        wrong = learner.learn(X, y.astype(int)) != y
        least, k, a = least_bound(X[wrong], y[wrong], lambda k, a, n=n: bound(n, k, a))  # type: ignore[misc]
        found.append(Played(n, k, a, learner.mistakes, least))
    return found
