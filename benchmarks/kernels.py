"""Exact predictions of kernel learners, side by side with what else could make them.

    python benchmarks/kernels.py [--rounds 30]

Kernel Perceptron: one row against many stored mistakes at n = 1024, all conjunctions without negations. The rivals:
NumPy (bitwise_count, then whole numbers of any size), scikit-learn's polynomial kernel in float32 (not exact, and no
2^s), and the limit: the time to read the stored words once. All predict the same row in turn, so that a busy moment
hits all alike. The tables go to benchmarks/RESULTS-kernels.md too.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from numba import njit
from sklearn.metrics.pairwise import polynomial_kernel
from threadpoolctl import threadpool_limits

from littlestone.core import threads as pool
from littlestone.core.block import Block
from littlestone.learners import KernelPerceptron
from littlestone.machines.stored import mistakes

RESULTS = Path(__file__).with_name("RESULTS-kernels.md")
N = 1024


@njit(nogil=True)
def read(words: np.ndarray) -> int:
    """Add up words: what it takes to read them."""
    total = np.uint64(0)
    for word in words:
        total += word
    return total


def holding(X: np.ndarray | Block, coefficients: np.ndarray, kernel: str) -> KernelPerceptron:
    """Return a learner that has stored these rows."""
    rows = Block.from_arrays(X)
    learner = KernelPerceptron(kernel).begin(rows.n_attributes, labels=(0, 1))
    stored = {"stored": rows.indptr, "attributes": rows.indices, "coefficients": coefficients}
    return KernelPerceptron.from_state(learner.params(), learner.state() | stored)


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Let the learner use so many threads."""
    before, pool.THREADS = pool.THREADS, number
    yield
    pool.THREADS = before


def race(players: dict[str, Callable[[int], object]], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each player in each round; all play a round before any plays the next, each once first."""
    seconds: dict[str, list[float]] = {name: [] for name in players}
    names = list(players)
    for turn in range(-2, rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            started = perf_counter()
            players[name](turn % rounds)
            if turn >= 0:
                seconds[name].append(perf_counter() - started)
    return seconds


def one_row(stored: int, rounds: int) -> list[str]:
    """Return the lines of the table of single predictions."""
    rng = np.random.default_rng(0)
    X, Z = rng.random((stored, N)) < 0.5, rng.random((rounds, N)) < 0.5
    signs = rng.choice([-1, 1], stored)
    rows = [Block.from_arrays(z[np.newaxis]) for z in Z]
    words = np.packbits(X, axis=1, bitorder="little").view(np.uint64)
    queries = np.packbits(Z, axis=1, bitorder="little").view(np.uint64)
    floats, floating = X.astype(np.float32), Z.astype(np.float32)
    learners = {name: holding(X, signs, name) for name in ("monotone", "conjunctions", "monotone:2")}

    def in_numpy(turn: int) -> int:
        overlaps = np.bitwise_count(words & queries[turn]).sum(axis=1)
        histogram = np.bincount(overlaps, weights=signs)
        return int(sum(int(histogram[s]) << int(s) for s in np.flatnonzero(histogram)) >= 0)

    def in_floats(turn: int) -> int:
        return int((polynomial_kernel(floating[turn : turn + 1], floats, degree=10, gamma=1.0) @ signs)[0] >= 0)

    assert [in_numpy(turn) for turn in range(rounds)] == learners["monotone"].predict(Z).tolist()
    players: dict[str, Callable[[int], object]] = {
        "the limit: read the words once": lambda _turn: read(words.ravel()),
        **{f"KernelPerceptron({name!r})": lambda turn, it=it: it.predict(rows[turn]) for name, it in learners.items()},
        "the first, from an array": lambda turn: learners["monotone"].predict(Z[turn : turn + 1]),
        "NumPy, bitwise_count and whole numbers": in_numpy,
        "scikit-learn, polynomial kernel, float32": in_floats,
    }
    with threads(1), threadpool_limits(1):
        seconds = race(players, rounds)
    limit, ours = (median(seconds[name]) for name in list(players)[:2])
    return [
        f"| {stored:,} | {name} | {1e3 * median(times):.3f} | {1e3 * min(times):.3f} | {median(times) / limit:.1f} "
        f"| {median(times) / ours:.1f} |"
        for name, times in seconds.items()
    ]


def blocks(stored: int, rounds: int) -> list[str]:
    """Return the lines of the table of blocks of rows, by one and by two threads."""
    rng = np.random.default_rng(1)
    learner = holding(rng.random((stored, N)) < 0.5, rng.choice([-1, 1], stored), "monotone")
    many = Block.from_arrays(rng.random((256, N)) < 0.5)

    def by(number: int) -> Callable[[int], object]:
        def play(_turn: int) -> None:
            with threads(number):
                learner.predict(many)

        return play

    seconds = race({"1": by(1), "2": by(2)}, max(3, rounds // 6))
    return [f"| {stored:,} | {name} | {256 / median(times):,.0f} |" for name, times in seconds.items()]


def wide(stored: int, rounds: int) -> list[str]:
    """Return the lines of the table of rows with few attributes on among many: lists, and what bits would take."""
    rng = np.random.default_rng(2)
    n, on = 100_000, 75

    def rows(number: int) -> Block:
        chosen = np.sort(rng.integers(0, n // on, (number, on)) + np.arange(on) * (n // on), axis=1)
        return Block.from_csr(np.arange(0, number * on + 1, on), chosen.ravel(), n_attributes=n)

    X, signs, queries = rows(stored), rng.choice([-1, 1], stored), [rows(1) for _ in range(rounds)]
    learners = {}
    for name, sparse in (("lists, as chosen", mistakes.SPARSE), ("bits", np.inf)):
        before, mistakes.SPARSE = mistakes.SPARSE, sparse
        learners[name] = holding(X, signs, "monotone")
        mistakes.SPARSE = before
    seconds = race({name: lambda turn, it=it: it.predict(queries[turn]) for name, it in learners.items()}, rounds)
    return [f"| {stored:,} | {name} | {1e3 * median(times):.3f} |" for name, times in seconds.items()]


def perceptron(rounds: int) -> Iterator[str]:
    """Yield the section of the kernel Perceptron."""
    yield f"## Kernel Perceptron, n = {N}, one row at a time, one thread\n"
    yield "| mistakes stored | | ms, median | ms, least | to the limit | to the first of ours |"
    yield "|---|---|---|---|---|---|"
    for stored in (10_000, 100_000):
        yield from one_row(stored, rounds)
    yield "\nBlocks of 256 rows, which share a pass over the store:\n"
    yield "| mistakes stored | threads | rows/s |\n|---|---|---|"
    for stored in (10_000, 100_000):
        yield from blocks(stored, rounds)
    yield "\nn = 100,000 with 75 on, one row at a time:\n"
    yield "| mistakes stored | kept as | ms, median |\n|---|---|---|"
    yield from wide(10_000, rounds)


SECTIONS = (perceptron,)


def main() -> None:
    """Run everything, print it and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"
    command = f"`python benchmarks/kernels.py --rounds {options.rounds}`"
    lines = ["# Kernel learners\n", f"{command}: {machine}; Python {platform.python_version()}, {packages}.\n"]
    print("\n".join(lines))
    for section in SECTIONS:
        for line in section(options.rounds):
            print(line, flush=True)
            lines.append(line)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
