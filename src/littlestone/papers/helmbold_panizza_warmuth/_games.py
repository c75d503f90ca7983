"""Games that the theorems are tried on: searched to the end, played by a greedy adversary, or drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import littlestone as ls
from littlestone.core.arrays import Bools
from littlestone.papers.comparisons import Comparison, every
from littlestone.papers.outcome import Figure, Line, Table
from littlestone.teachers import Disjunction, Greedy

__all__ = [
    "FULL", "Bound", "Contest", "Make", "Played", "certified", "clean", "cut", "first_above", "gathered", "golden",
    "golden_table", "greedy", "kept", "largest", "longest", "noisy", "played", "random_games", "sums", "table",
]  # fmt: skip

Make = Callable[[int, int], ls.Learner]  # of n and k
Bound = Callable[[int, int, int], float]  # of n, k and attribute errors

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


def longest(
    make: Make, bound: Bound, ns: Iterable[int], ks: Iterable[int], errors: Iterable[int] = (0,)
) -> list[Played]:
    """Search whole games: the most mistakes that any teacher can force, for each size and number of errors."""
    return [
        Played(n, k, a, ls.worst_case(make(n, k), n, k, a), bound(n, k, a))
        for n in ns
        for k in ks
        if k <= n
        for a in errors
    ]


def table(caption: str, games: Sequence[Played]) -> Table:
    """Return a table of games: a row for each n, a column for each k and number of attribute errors."""
    columns = dict.fromkeys((game.k, game.errors) for game in games)
    noise = any(errors for _, errors in columns)
    heads = [f"k={k}, A={errors}" if noise else f"k={k}" for k, errors in columns]
    found = {(game.n, game.k, game.errors): f"{game.mistakes:g} of {game.bound:.1f}" for game in games}
    rows = [[n, *(found.get((n, *column), "") for column in columns)] for n in dict.fromkeys(game.n for game in games)]
    return Table(caption, ["n", *heads], rows)


def golden_table(
    games: Sequence[Played], reference: Mapping[int, Sequence[int]], least: int = 0
) -> tuple[list[list[float]], list[list[int]]]:
    """Return the mistakes of searched games beside those of a reference, for k = least, least + 1, ..."""
    found = {(game.n, game.k): game.mistakes for game in games if not game.errors}
    sizes = [n for n in reference if (n, least) in found]
    return (
        [[found[n, k] for k in range(least, least + len(reference[n]))] for n in sizes],
        [list(reference[n]) for n in sizes],
    )


def sums(title: str, caption: str, games: Sequence[Played], theory: Mapping[str, Callable[[int], float]]) -> Figure:
    """Return a figure of mistakes against the number of attributes, with bounds."""
    ns = [game.n for game in games]
    lines = [Line("greedy adversary", ns, [game.mistakes for game in games])]
    lines += [Line(name, ns, [bound(n) for n in ns], kind="theory") for name, bound in theory.items()]
    return Figure(title, caption, "attributes n", "mistakes", lines, "log", "linear")


def greedy(
    make: Make,
    bound: Bound,
    ns: Iterable[int],
    ks: Iterable[int],
    errors: Iterable[int] = (0,),
    ways: Sequence[str] = ("heavy", "light"),
) -> list[Played]:
    """Play the greedy adversary, both ways it can go, and keep the longer game."""
    found = []
    for n in ns:
        for k in ks:
            for a in errors if k <= n else ():
                runs = [ls.play(make(n, k), Greedy(range(k), n, attribute_errors=a, first=first)) for first in ways]
                found.append(Played(n, k, a, max(run.mistakes for run in runs), bound(n, k, a)))
    return found


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


def random_games(make: Make, bound: Bound, seed: int, runs: int, first: int = 0) -> list[Played]:
    """Play random streams without noise."""
    found = []
    for number in range(first, first + runs):
        X, y, k = clean(seed, number)
        n = X.shape[1]
        learner = make(n, k).begin(n, labels=(0, 1))
        learner.learn(X, y.astype(int))
        found.append(Played(n, k, 0, learner.mistakes, bound(n, k, 0)))
    return found


def certified(make: Callable[[], ls.Learner], seed: int, runs: int, noise: float = 0.0) -> list[bool]:
    """Play random streams of 30 attributes; tell of each whether its ledger gives a bound that holds."""
    found = []
    for number in range(runs):
        stream = Disjunction(30, 3, trials=400, reading="R1", noise=noise, seed=seed + number)
        run = ls.play(make(), stream)
        found.append(run.mistakes <= run.certificate({0, 1, 2}).bound)
    return found


def cut(
    searched: Sequence[int],
    searched_ks: Sequence[int],
    ns: Sequence[int],
    ks: Sequence[int],
    runs: int,
    block: int = 250,
) -> list[dict[str, Any]]:
    """Return the pieces of a theorem's games: the search, the greedy adversary for each n, random streams."""
    return [
        {"what": "search", "ns": list(searched), "ks": list(searched_ks)},
        *({"what": "greedy", "ns": [n], "ks": list(ks)} for n in ns),
        *({"what": "drawn", "first": first, "runs": min(block, runs - first)} for first in range(0, runs, block)),
    ]


def played(make: Make, bound: Bound, seed: int, what: str, **told: Any) -> dict[str, Any]:
    """Play one of these pieces."""
    if what == "drawn":
        games = random_games(make, bound, seed, **told)
    else:
        games = (longest if what == "search" else greedy)(make, bound, **told)
    return {"what": what, "games": games}


def gathered(done: Iterable[Mapping[str, Any]]) -> dict[str, list[Played]]:
    """Return the games of all pieces, by what they are."""
    found: dict[str, list[Played]] = {}
    for piece in done:
        found.setdefault(piece["what"], []).extend(Played(*game) for game in piece["games"])
    return found


class Contest:
    """All games of a theorem without noise, against its bound and against a sharper one that its proof gives."""

    def __init__(self, done: Iterable[Mapping[str, Any]], sharper: Bound) -> None:
        found = gathered(done)
        self.searched, self.forced, self.drawn = (found[what] for what in ("search", "greedy", "drawn"))
        self.games = [*self.searched, *self.forced, *self.drawn]
        self.sharper = [game._replace(bound=sharper(game.n, game.k, 0)) for game in self.games]
        first, last = len(self.searched), len(self.searched) + len(self.forced)
        self.parts = largest(self.forced).ratio, largest(self.sharper[first:last]).ratio  # by the greedy adversary

    def within(self, bound: str, sharper: str) -> list[Comparison]:
        """Compare all games with both bounds."""
        return [
            every(f"games within {name}", [game.mistakes <= game.bound for game in games])
            for name, games in ((bound, self.games), (sharper, self.sharper))
        ]

    def told(self, bound: str, sharper: str) -> str:
        """Return in words how many games kept to both bounds, and how near the nearest came."""
        near, nearer = largest(self.games), largest(self.sharper)
        return (
            f"{kept(self.games)} {bound}: at most {near.ratio:.3f} of it (n={near.n}, "
            f"k={near.k}), and {nearer.ratio:.3f} of {sharper} (n={nearer.n}, k={nearer.k}: {nearer.mistakes:g} of "
            f"{nearer.bound:.1f})."
        )


def golden(n: int, k: int, trials: int, density: float, seed: int = 0) -> tuple[Bools, Bools]:
    """Return the rows on which counts were recorded."""
    X = np.random.default_rng(seed).random((trials, n)) < density
    return X, np.asarray(X[:, :k].any(axis=1))
