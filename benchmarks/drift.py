"""Directed Drift: runs a second of the simulation beside a straightforward one in NumPy, and the cost of a batch.

    python benchmarks/drift.py [--runs 1000] [--rival-runs 20]

The rival draws each batch as a matrix of signs, reflects the negative rows, sums the votes and flips the coordinate
with the most of them. Both play D' at n = 101 and m = pi/2 n ln n, in turn; ratios are of times a run.
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

from littlestone.theory.drift import batch_size, simulate


def rival(n: int, batch: int, rng: np.random.Generator) -> int:
    """Return the mistakes of one run in NumPy; the target is all ones."""
    w, mistakes = rng.choice(np.array([-1, 1], dtype=np.int8), n), 0

    def drawn(rows: int) -> np.ndarray:
        u = 2 * rng.integers(0, 2, (rows, n), dtype=np.int8) - 1
        return u * np.where(u.sum(axis=1) < 0, -1, 1).astype(np.int8)[:, None]

    while (w < 0).any():
        u = drawn(1)
        if int(u[0] @ w.astype(np.int64)) >= 0:
            continue
        mistakes += 1
        votes = (np.vstack([u, drawn(batch - 1)]) != w).sum(axis=0)
        w[rng.choice(np.flatnonzero(votes == votes.max()))] *= -1
    return mistakes


def timed(play: object, *arguments: object, **options: object) -> tuple[float, object]:
    """Return the time of a call, and what it gave."""
    started = perf_counter()
    result = play(*arguments, **options)
    return perf_counter() - started, result


def against_numpy(n: int, runs: int, rival_runs: int, rounds: int) -> list[str]:
    """Return the lines of the race: medians over rounds in which all play in turn."""
    batch, rng = batch_size(n, "asynchronous"), np.random.default_rng(0)
    times: dict[str, list[float]] = {"NumPy": [], "1 thread": [], "all cores": []}
    means: dict[str, list[float]] = {name: [] for name in times}
    simulate(n, "asynchronous", runs=2)
    for turn in range(rounds):
        seconds, mistakes = timed(lambda: [rival(n, batch, rng) for _ in range(rival_runs)])
        times["NumPy"].append(seconds / rival_runs)
        means["NumPy"].append(float(np.mean(mistakes)))
        for name, threads in (("1 thread", 1), ("all cores", None)):
            seconds, found = timed(simulate, n, "asynchronous", runs=runs, seed=turn, threads=threads)
            times[name].append(seconds / runs)
            means[name].append(found.mean)
    base = median(times["NumPy"])
    lines = [f"| D', n={n}, m={batch} | ms a run | runs/s | times NumPy | mistakes/n |", "|---|---|---|---|---|"]
    for name, taken in times.items():
        one = median(taken)
        lines.append(
            f"| {name} | {1e3 * one:.3g} | {1 / one:,.0f} | {base / one:.1f} | {np.mean(means[name]) / n:.3f} |"
        )
    return lines


def batches(rounds: int) -> list[str]:
    """Return the time of a batch over n m / 64 words: it stays about the same as n and m grow."""
    lines = ["| D'', one thread | n | m | microseconds a batch | ns a word of n m / 64 |", "|---|---|---|---|---|"]
    for n in (65, 129, 257, 513, 1025):
        for batch in (1025, 8193):
            simulate(n, "synchronous", batch, runs=2, cap=1)
            runs = max(20, 400_000_000 // (n * batch * 10))
            taken = [
                timed(simulate, n, "synchronous", batch, runs=runs, cap=1, threads=1)[0] / runs for _ in range(rounds)
            ]
            one = median(taken)
            lines.append(f"| | {n} | {batch} | {1e6 * one:.1f} | {1e9 * one * 64 / (n * batch):.2f} |")
    return lines


def main() -> None:
    """Run the benchmark and print it as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rival-runs", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"Directed Drift, {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; "
          f"Python {sys.version.split()[0]}, numpy {version('numpy')}, numba {version('numba')}\n")  # fmt: skip
    print("\n".join(against_numpy(101, options.runs, options.rival_runs, options.rounds)), "\n")
    print("\n".join(batches(options.rounds)))


if __name__ == "__main__":
    main()
