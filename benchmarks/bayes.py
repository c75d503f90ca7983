"""Trials a second of Weighted Majority over all disjunctions: the table, the closure map, and 2^n weights in NumPy.

    python benchmarks/bayes.py [--trials 100]

All play the same trials in turn, block by block, so that a busy moment hits all alike; what takes too long is left out.
The rival writes all 2^n weights down as floats and finds who says 1 by one Boolean operation on 2^n numbers.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib.metadata import version
from statistics import median
from time import perf_counter

import numpy as np

from littlestone.core.errors import TooLarge
from littlestone.learners import WeightedMajority

BLOCK = 10
PATIENCE = 20.0  # seconds for a column of the table


class Written:
    """All weights written down, in NumPy."""

    def __init__(self, n: int) -> None:
        self.sets, self.w = np.arange(1 << n, dtype=np.uint32), np.ones(1 << n)
        self.powers = 1 << np.arange(n, dtype=np.int64)
        self.mistakes = 0

    def learn(self, X: np.ndarray, y: np.ndarray) -> None:
        """Play each row in turn."""
        for row, outcome in zip(X, y, strict=True):
            says = (self.sets & np.uint32(row @ self.powers)) != 0
            self.mistakes += (2.0 * self.w[says].sum() >= self.w.sum()) != outcome
            self.w[says != outcome] *= 0.5
            self.w /= self.w.max()


def data(n: int, density: float, trials: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows, and the labels of a disjunction of three attributes, one in twenty flipped."""
    rng = np.random.default_rng(0)
    X = rng.random((trials, n)) < density
    return X, X[:, :3].any(axis=1) ^ (rng.random(trials) < 0.05)


def race(players: dict[str, object], X: np.ndarray, y: np.ndarray) -> dict[str, tuple[float, int, str]]:
    """Return for each player the median time of a trial, its mistakes and how it ended."""
    seconds: dict[str, list[float]] = {name: [] for name in players}
    ends = dict.fromkeys(players, "")
    for start in range(0, len(X), BLOCK):
        for name, player in players.items():
            if ends[name]:
                continue
            started = perf_counter()
            try:
                player.learn(X[start : start + BLOCK], y[start : start + BLOCK])
            except TooLarge:
                ends[name] = f"over its cap after {start} trials"
            seconds[name].append(perf_counter() - started)
            if sum(seconds[name]) > PATIENCE and not ends[name]:
                ends[name] = f"stopped after {start + BLOCK} trials"
    return {name: (median(times) / BLOCK, players[name].mistakes, ends[name]) for name, times in seconds.items()}


def lines(n: int, density: float, policy: str, trials: int) -> list[str]:
    """Return the lines of one setting, a line a player."""
    X, y = data(n, density, trials)
    players: dict[str, object] = {"map": WeightedMajority(backend="map", policy=policy)}
    if n <= 22:
        players["table"] = WeightedMajority(backend="table", policy=policy)
        if policy == "always":
            players["2^n weights"] = Written(n)
    for player in players.values():
        if isinstance(player, WeightedMajority):
            player.begin(n, labels=(False, True))
    found = []
    for name, (each, mistakes, end) in race(players, X, y).items():
        size = len(players[name].state()["closed"]) if name == "map" else 2**n
        shown = f"{size:,}" if size < 2**30 else f"2^{n}"
        found.append(
            f"| {n} | {density} | {policy} | {name} | {1000 * each:.3f} | {1 / each:,.0f} | {shown} | {mistakes} "
            f"| {end} |"
        )
    return found


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=100)
    options = parser.parse_args()
    warm = WeightedMajority().begin(3)  # kernels are compiled at their first call
    warm.learn(np.eye(3, dtype=bool), np.array([True, False, True]))
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}; Python "
        f"{platform.python_version()}, numpy {version('numpy')}, numba {version('numba')}; {options.trials} trials\n"
    )
    print("| n | density | update | kept as | ms a trial (median) | trials/s | numbers kept | mistakes | |")
    print("|---|---|---|---|---|---|---|---|---|")
    settings = [(n, 0.3, "always") for n in (8, 12, 16, 18, 20, 22)]
    settings += [(20, 0.05, "always"), (22, 0.05, "always"), (20, 0.9, "always")]
    settings += [(n, 0.9, policy) for n in (50, 100, 200, 400) for policy in ("always", "mistakes")]
    settings += [(n, 0.5, "mistakes") for n in (20, 30, 40)]
    for n, density, policy in settings:
        for line in lines(n, density, policy, options.trials):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
