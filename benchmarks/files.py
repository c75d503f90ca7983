"""`littlestone train` beside Vowpal Wabbit and scikit-learn, whole processes on text files, in one run.

    python benchmarks/files.py [--megabytes 1000] [--rounds 5] [--folder DIR] [--write]

One generated data set in each tool's own text: svmlight for littlestone and scikit-learn, Vowpal Wabbit's (an index
alone, its value is 1) for Vowpal Wabbit. Boolean rows with 75 of 131,072 attributes on; half of the rows are positive,
and those have one of 5 relevant attributes on. Vowpal Wabbit learns with ``--loss_function hinge --sgd`` and as many
weights (-b 17). A time is that of a whole process, from its start to its end; peak memory is the operating system's
figure for that process. All play in turn, round after round; the files have been read once before (page cache).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from common import ACTIVE, RELEVANT, Took, columns_and_labels, race, ratios, told, versions

HERE = Path(__file__).parent
BITS = 17
N = 1 << BITS
PART = 20_000  # rows made at once
RABBIT = """
import sys, pylibvw
w = pylibvw.vw(["-d", sys.argv[1], "--loss_function", "hinge", "--sgd", "-b", sys.argv[2], "--binary", "--quiet"])
w.run_parser()
w.finish()
"""
SCIKIT = """
import sys
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
X, y = load_svmlight_file(sys.argv[1])
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
Perceptron().partial_fit(X, y, classes=np.unique(y))
"""
PARSER = """
import sys
from time import perf_counter
import littlestone as ls
best = 9e9
for _ in range(3):
    stream = ls.open(sys.argv[1], threads=int(sys.argv[2]))
    started = perf_counter()
    rows = sum(len(block) for block in stream.blocks())
    best = min(best, perf_counter() - started)
print(best)
"""


def make(folder: Path, name: str, megabytes: float, seed: int) -> tuple[Path, Path, int]:
    """Write one data set in both formats; return the paths and the number of rows."""
    rng, rows = np.random.default_rng(seed), 0
    pairs = np.array([f" {i + 1}:1" for i in range(N)])
    words = np.array([f" {i + 1}" for i in range(N)])
    paths = folder / f"{name}.svm", folder / f"{name}.vw"
    with paths[0].open("w") as svmlight, paths[1].open("w") as rabbit:
        while svmlight.tell() < 1e6 * megabytes:
            columns, y = columns_and_labels(rng, PART, N - 1, ACTIVE, RELEVANT)
            heads = np.where(y, "1", "-1").tolist()
            svmlight.writelines(f"{a}{''.join(row)}\n" for a, row in zip(heads, pairs[columns].tolist(), strict=True))
            rabbit.writelines(f"{a} |{''.join(row)}\n" for a, row in zip(heads, words[columns].tolist(), strict=True))
            rows += PART
    return *paths, rows


def ours(path: Path, *more: str) -> list[str]:
    """Return the command that trains a Perceptron."""
    return [str(Path(sys.executable).with_name("littlestone")), "train", str(path), "-q", "-l", "perceptron", *more]


def rabbit(path: Path) -> list[str]:
    """Return the command that trains Vowpal Wabbit; its Python package brings no program of its own."""
    return [sys.executable, "-c", RABBIT, str(path), str(BITS)]


def scikit(path: Path) -> list[str]:
    """Return the command that loads with scikit-learn and learns."""
    return [sys.executable, "-c", SCIKIT, str(path)]


def table(took: dict[str, list[Took]], sizes: dict[str, float], against: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| | file, MB | seconds (median) | MB/s | peak memory, MB | littlestone is faster by |"
    yield "|---|---|---|---|---|---|"
    for name, results in took.items():
        seconds, peak = median(t.seconds for t in results), max(t.megabytes for t in results)
        own = [t.seconds for t in took[against.get(name, name)]]
        faster = told(ratios([t.seconds for t in results], own)) if name in against else ""
        yield f"| {name} | {sizes[name]:.0f} | {seconds:.3f} | {sizes[name] / seconds:.0f} | {peak:.0f} | {faster} |"


def slope(large: list[Took], small: list[Took]) -> list[float]:
    """Return the seconds that the additional data took, round by round: start-up is in both."""
    return [a.seconds - b.seconds for a, b in zip(large, small, strict=True)]


def report(folder: Path, megabytes: float, rounds: int) -> Iterator[str]:
    """Yield the lines of the whole report."""
    sets = {"tiny": make(folder, "tiny", 0.001, 3), "part": make(folder, "part", megabytes / 10, 2),
            "one": make(folder, "one", megabytes, 0), "three": make(folder, "three", 3 * megabytes, 1)}  # fmt: skip
    size = {path.name: path.stat().st_size / 1e6 for one in sets.values() for path in one[:2]}
    before = os.getloadavg()[0]
    yield f"{ACTIVE} of {N:,} attributes on; " + ", ".join(
        f"{name}: {rows:,} rows" for name, (_, _, rows) in sets.items()
    )
    yield ""
    commands, sizes, against = {}, {}, {}
    for name in ("tiny", "one", "three"):
        for who, command, path in (("littlestone", ours, sets[name][0]), ("Vowpal Wabbit", rabbit, sets[name][1])):
            commands[f"{who}, {name}"], sizes[f"{who}, {name}"] = command(path), size[path.name]
        against[f"Vowpal Wabbit, {name}"] = f"littlestone, {name}"
    for who, command in (("littlestone", ours), ("scikit-learn", scikit)):
        commands[f"{who}, part"], sizes[f"{who}, part"] = command(sets["part"][0]), size["part.svm"]
    against["scikit-learn, part"] = "littlestone, part"
    saved = folder / "model.npz"
    commands["littlestone, one, saved"], sizes["littlestone, one, saved"] = (
        ours(sets["one"][0], "-m", str(saved)), size["one.svm"],
    )  # fmt: skip
    took = race(commands, rounds)
    yield from table(took, sizes, against)
    yield ""
    own, theirs = (slope(took[f"{who}, three"], took[f"{who}, one"]) for who in ("littlestone", "Vowpal Wabbit"))
    more = size["three.svm"] - size["one.svm"]
    yield (
        f"The slope, from one to three: littlestone {more / median(own):.0f} MB/s of its text, Vowpal Wabbit "
        f"{(size['three.vw'] - size['one.vw']) / median(theirs):.0f} of its; littlestone is faster by "
        f"{told(ratios(theirs, own))}."
    )
    yield ""
    for threads in (1, 2):
        done = subprocess.run([sys.executable, "-c", PARSER, str(sets["one"][0]), str(threads)],
                              capture_output=True, text=True, check=True)  # fmt: skip
        yield f"- The parser alone, {threads} thread(s), best of three: {size['one.svm'] / float(done.stdout):.0f} MB/s"
    yield f"- Load: {before:.2f} before, {os.getloadavg()[0]:.2f} after"


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=1000.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the data go (six times as much); they are removed")
    parser.add_argument("--write", action="store_true", help="write RESULTS-files.md beside this file")
    options = parser.parse_args()
    packages = ("numpy", "numba", "scikit-learn", "vowpalwabbit")
    head = versions(*packages)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        lines = [head, ""]
        for line in report(Path(folder), options.megabytes, options.rounds):
            print(line, flush=True)
            lines.append(line)
    if options.write:
        title = "# Training from files, beside Vowpal Wabbit and scikit-learn\n\n"
        method = "Written by `python benchmarks/files.py --write`; what is measured, and how, is said there.\n\n"
        (HERE / "RESULTS-files.md").write_text(title + method + "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
