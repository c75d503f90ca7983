"""What the benchmarks share: data, clocks, processes, and how a ratio is told."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy import sparse

ACTIVE, RELEVANT = 75, 5
# As after an ordinary installation: modules are compiled once, not at every start.
USUAL = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

# A process inherits the peak of the one that starts it, so that a small one has to. It prints seconds, kilobytes and
# the seconds that processors were at work for it.
STARTER = """
import os, subprocess, sys
from time import perf_counter
started = perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(perf_counter() - started, usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


class Took(NamedTuple):
    """What a process took."""

    seconds: float
    megabytes: float
    work: float  # seconds of processors: those of all threads together


def columns_and_labels(
    rng: np.random.Generator, rows: int, n: int, active: int, relevant: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the attributes that are on, row by row, and the labels.

    ``active`` of ``n`` are on; half of the rows are positive, and those have one of the first ``relevant`` ones on.
    """
    # One attribute out of each of equal ranges: no repeats, sorted, uniform over the columns.
    width = (n - relevant) // active
    columns = relevant + width * np.arange(active) + rng.integers(0, width, (rows, active))
    y = rng.random(rows) < 0.5
    columns[y, 0] = rng.integers(0, relevant, int(y.sum()))
    return columns, y


def make_data(
    rows: int, n: int, active: int = ACTIVE, relevant: int = RELEVANT, seed: int = 0
) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return such rows as a matrix (float64, int32 indices), and the labels."""
    columns, y = columns_and_labels(np.random.default_rng(seed), rows, n, active, relevant)
    indptr = np.arange(rows + 1, dtype=np.int32) * active
    data = np.ones(rows * active)
    return sparse.csr_matrix((data, columns.astype(np.int32).ravel(), indptr), shape=(rows, n)), y


def make_skewed(rows: int, n: int, active: int = ACTIVE, seed: int = 0) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return rows as real streams have them, few common attributes and many rare ones, and labels that are hard.

    Attributes are drawn as n u^3, u uniform, repeats left out; the first thousandth of them decides, and every 25th
    label is wrong: a Perceptron errs on about a sixth of the rows.
    """
    rng = np.random.default_rng(seed)
    columns = np.sort((n * rng.random((rows, active)) ** 3).astype(np.int32), axis=1)
    new = np.ones(columns.shape, dtype=bool)
    new[:, 1:] = columns[:, 1:] != columns[:, :-1]
    indptr = np.concatenate(([0], np.cumsum(new.sum(axis=1)))).astype(np.int32)
    X = sparse.csr_matrix((np.ones(indptr[-1]), columns[new], indptr), shape=(rows, n))
    w = np.where(np.arange(n) < n // 1000, rng.normal(size=n), 0.0)
    return X, (X @ w > 0) ^ (rng.random(rows) < 0.04)


def timed(call: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    started = perf_counter()
    call()
    return perf_counter() - started


def measure(calls: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Time everything in turn, again and again, so that a busy moment hits all alike; the first round warms up."""
    for call in calls.values():
        call()
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            seconds[name].append(call())
    return seconds


def run(command: Sequence[str]) -> Took:
    """Run a process to its end and return what it took."""
    starter = [sys.executable, "-I", "-S", "-c", STARTER, *command]
    done = subprocess.run(starter, capture_output=True, text=True, env=USUAL, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ...: {done.stderr[-400:]}")
    seconds, kilobytes, work = done.stdout.split()[-3:]
    return Took(float(seconds), int(kilobytes) / 1024, float(work))


def race(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[Took]]:
    """Run all in turn, again and again, so that a busy moment hits all alike; the first round warms up."""
    took: dict[str, list[Took]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            result = run(command)
            if turn:
                took[name].append(result)
    return took


def spread(values: Sequence[float]) -> list[float]:
    """Return least, median and greatest."""
    return [min(values), median(values), max(values)]


def ratios(theirs: Sequence[float], own: Sequence[float]) -> list[float]:
    """Return how often longer theirs took than our own, round by round: least, median and greatest."""
    return spread([t / o for t, o in zip(theirs, own, strict=True)])


def told(three: Sequence[float]) -> str:
    """Return a ratio with its spread, in words."""
    least, typical, most = three
    return f"{typical:.2f} ({least:.2f} to {most:.2f})"


def versions(*packages: str) -> str:
    """Return the machine, Python and the packages, with versions."""
    return f"{platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}, " + ", ".join(
        f"{name} {version(name)}" for name in packages
    )


def processor() -> str:
    """Return the processor's name, where Linux tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
