"""The engine beside its rivals, in one run, interleaved: scikit-learn, SciPy and the same loops in C.

``python benchmarks/engine.py`` prints a table of ratios; ``--write`` puts it into RESULTS.md beside this file.
The data: Boolean rows with 75 of n attributes on; half of the rows are positive, and those have one of 5 relevant
attributes on. A pass is one call on data that are in each tool's own form already (a Block, a CSR matrix). The last
table is of skewed and noisy rows (`common.make_skewed`): whole calls of `learn` and of `play` beside the loop in C.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import littlestone as ls
from common import ACTIVE, make_data, make_skewed, measure, ratios, timed, told, versions

HERE = Path(__file__).parent
AHEAD = 48


class Loops:
    """The C loops, with and without asking ahead, where there is a compiler."""

    def __init__(self, stream: ls.Stream, y: np.ndarray) -> None:
        self.block, self.y = stream.block, y.astype(np.uint8)
        self.folder = tempfile.TemporaryDirectory()
        self.libraries = {}
        compiler = shutil.which("gcc") or shutil.which("cc")
        for name, ahead in (("C", 0), ("C, asking ahead", AHEAD)) if compiler else ():
            path = Path(self.folder.name, f"loops{ahead}.so")
            options = ["-O3", "-march=native", f"-DAHEAD={ahead}", "-shared", "-fPIC"]
            subprocess.run([compiler, *options, str(HERE / "engine.c"), "-o", str(path)], check=True)
            self.libraries[name] = ctypes.CDLL(str(path))

    def _call(self, function: Callable[..., int], *more: object) -> float:
        block = self.block
        arrays = (block.indptr, block.indices, self.y)
        predictions = np.empty(len(self.y), dtype=np.uint8)
        arguments = [array.ctypes for array in arrays]
        arguments += [ctypes.c_int64(len(self.y)), ctypes.c_int64(len(block.indices)), *more, predictions.ctypes]
        started = perf_counter()
        self.mistakes = function(*arguments)
        return perf_counter() - started

    def perceptron(self, name: str) -> float:
        """Return the seconds of a Perceptron pass."""
        w = np.zeros(self.block.n_attributes)
        return self._call(self.libraries[name].perceptron, w.ctypes)

    def winnow(self, name: str) -> float:
        """Return the seconds of a Winnow pass."""
        states = np.full(self.block.n_attributes, 100, dtype=np.uint8)
        powers = 2.0 ** (np.arange(256) - 100.0)
        theta = ctypes.c_double(self.block.n_attributes)
        return self._call(self.libraries[name].winnow, states.ctypes, powers.ctypes, theta)


def contestants(rows: int, n: int) -> tuple[dict[str, Callable[[], float]], dict[str, int]]:
    """Return what is to be timed, by name, and the mistakes of those that count them."""
    from sklearn.linear_model import Perceptron as SklearnPerceptron

    X, y = make_data(rows, n)
    stream = ls.from_arrays(X, y)
    dense = np.random.default_rng(1).random(n)
    loops = Loops(stream, y)
    mistakes: dict[str, int] = {}

    def learner(kind: type[ls.Learner], name: str, data: object, labels: object = None) -> Callable[[], float]:
        def call() -> float:
            player = kind().begin(n)
            seconds = timed(lambda: player.learn(data, labels))
            mistakes[name] = player.mistakes
            return seconds

        return call

    def sklearn(*, shuffle: bool) -> Callable[[], float]:
        def call() -> float:
            rival = SklearnPerceptron(shuffle=shuffle)
            return timed(lambda: rival.partial_fit(X, y, classes=[False, True]))

        return call

    calls: dict[str, Callable[[], float]] = {
        "Perceptron": learner(ls.Perceptron, "Perceptron", stream.block),
        "Winnow": learner(ls.Winnow, "Winnow", stream.block),
        "Perceptron, from the CSR matrix": learner(ls.Perceptron, "", X, y),
        "scikit-learn, shuffle=False": sklearn(shuffle=False),
        "scikit-learn, default": sklearn(shuffle=True),
        "SciPy matrix-vector product": lambda: timed(lambda: X @ dense),
    }
    for name in loops.libraries:
        calls[f"Perceptron in {name}"] = lambda name=name: loops.perceptron(name)
        calls[f"Winnow in {name}"] = lambda name=name: loops.winnow(name)
    return calls, mistakes


def report(rows: int, n: int, repeats: int) -> str:
    """Return the table for one size."""
    calls, mistakes = contestants(rows, n)
    before = os.getloadavg()[0]
    seconds = measure(calls, repeats)
    nonzeros = rows * ACTIVE
    lines = [
        f"{rows:,} rows, {ACTIVE} of {n:,} attributes on; {repeats} rounds; load {before:.2f} before, "
        f"{os.getloadavg()[0]:.2f} after; mistakes: "
        + ", ".join(f"{name} {count}" for name, count in mistakes.items() if name),
        "",
        "| | ms (median) | million non-zeros/s | Perceptron is faster by | Winnow is faster by |",
        "|---|---|---|---|---|",
    ]
    for name, times in seconds.items():
        ratios = [
            f"{median(t / own for t, own in zip(times, seconds[mine], strict=True)):.2f}"
            for mine in ("Perceptron", "Winnow")
        ]
        typical = median(times)
        lines.append(f"| {name} | {1000 * typical:.1f} | {nonzeros / typical / 1e6:.0f} | {' | '.join(ratios)} |")
    return "\n".join([*lines, ""])


def skewed(rows: int, n: int, repeats: int) -> str:
    """Return the table for rows as real streams have them."""
    X, y = make_skewed(rows, n)
    stream, dense = ls.from_arrays(X, y), np.random.default_rng(1).random(n)
    loops, blocks = Loops(stream, y), list(ls.from_arrays(X, y).blocks())
    mistakes = ls.play(ls.Perceptron().begin(n), stream).mistakes

    def in_blocks() -> None:
        learner = ls.Perceptron().begin(n)
        for block in blocks:
            learner.learn(block)

    calls: dict[str, Callable[[], float]] = {
        f"Perceptron in {name}": lambda name=name: loops.perceptron(name) for name in loops.libraries
    }
    calls |= {
        "`learn`, all rows at once": lambda: timed(lambda: ls.Perceptron().begin(n).learn(stream.block)),
        f"`learn`, {len(blocks)} blocks": lambda: timed(in_blocks),
        "`play`": lambda: timed(lambda: ls.play(ls.Perceptron().begin(n), stream)),
        "SciPy matrix-vector product": lambda: timed(lambda: X @ dense),
    }
    before = os.getloadavg()[0]
    seconds = measure(calls, repeats)
    about = f"{X.nnz / rows:.1f} of {n:,} attributes on, a Perceptron errs on {mistakes / rows:.1%}"
    load = f"load {before:.2f} before, {os.getloadavg()[0]:.2f} after"
    lines = [
        f"{rows:,} skewed rows, {about}; {repeats} rounds; {load}",
        "",
        "| | ms (median) | times the loop in C (least to greatest) |",
        "|---|---|---|",
    ]
    rival = next(iter(seconds.values()))
    lines += [
        f"| {name} | {1000 * median(times):.1f} | {told(ratios(times, rival))} |" for name, times in seconds.items()
    ]
    return "\n".join([*lines, ""])


def memory(rows: int, n: int) -> str:
    """Return what learning takes beyond the data."""
    X, y = make_data(rows, n)
    lines = ["Memory beyond the data, at the peak of one pass from the CSR matrix:", ""]
    for kind in (ls.Perceptron, ls.Winnow):
        learner = kind().begin(n)
        tracemalloc.start()
        learner.learn(X, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        data = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
        lines.append(f"- {kind.__name__}: {peak / 1e6:.1f} MB beside {data / 1e6:.0f} MB of data")
    return "\n".join([*lines, ""])


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--write", action="store_true", help="write RESULTS.md beside this file")
    options = parser.parse_args()
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    parts = [
        f"{versions('numpy', 'numba', 'scipy', 'scikit-learn')}; {compiler}\n",
        report(options.rows, 100_000, options.rounds),
        report(options.rows, 4_000_000, options.rounds),
        skewed(options.rows, 100_000, options.rounds),
        memory(options.rows, 100_000),
    ]
    text = "\n".join(parts)
    print(text)
    if options.write:
        title = "# The engine beside its rivals\n\nWritten by `python benchmarks/engine.py --write`.\n\n"
        (HERE / "RESULTS.md").write_text(title + text)


if __name__ == "__main__":
    sys.exit(main())
