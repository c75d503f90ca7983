"""`littlestone train` and `predict` beside Vowpal Wabbit and scikit-learn, whole processes on text files, in one run.

    python benchmarks/files.py [--sizes 12 37 300 1000] [--large] [--rounds 5] [--folder DIR] [--write]

One generated data set in each tool's own text: svmlight for littlestone and scikit-learn, Vowpal Wabbit's (an index
alone, its value is 1) for Vowpal Wabbit. Boolean rows with 75 of 131,072 attributes on; half of the rows are positive,
and those have one of 5 relevant attributes on. Vowpal Wabbit learns with ``--loss_function hinge --sgd`` and as many
weights (-b 17). A time is that of a whole process, from its start to its end; "work" is the time of processors, of all
threads together; peak memory is the operating system's figure for that process. Predictions go to a file, by a model of
the smallest one. All that read one file play in turn, round after round; files have been read once before (page cache).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from common import ACTIVE, RELEVANT, Took, columns_and_labels, race, ratios, run, spread, told, versions

HERE = Path(__file__).parent
BITS = 17
N = 1 << BITS
PART = 20_000  # rows made at once
SIZES, LARGE = (12, 37, 300, 1000), 3000  # megabytes of svmlight text
SMALL, SAME_TEXT = "37 MB", "300 MB"  # where scikit-learn plays, and where Vowpal Wabbit's text is read, too
RABBIT = """
import sys, pylibvw
learning = [] if "-t" in sys.argv else ["--loss_function", "hinge", "--sgd", "-b", sys.argv[2]]
w = pylibvw.vw(["-d", sys.argv[1], *learning, "--binary", "--quiet", *sys.argv[3:]])
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
    return [own(), "train", str(path), "-q", "-l", "perceptron", *more]


def own() -> str:
    """Return the program."""
    return str(Path(sys.executable).with_name("littlestone"))


def rabbit(path: Path, *more: str) -> list[str]:
    """Return the command that trains Vowpal Wabbit; its Python package brings no program of its own."""
    return [sys.executable, "-c", RABBIT, str(path), str(BITS), *more]


def scikit(path: Path) -> list[str]:
    """Return the command that loads with scikit-learn and learns."""
    return [sys.executable, "-c", SCIKIT, str(path)]


def commands(folder: Path, name: str, paths: tuple[Path, Path]) -> dict[str, tuple[list[str], Path]]:
    """Return what plays on one data set, with the file that it reads."""
    svmlight, vw = paths
    model, theirs, out = folder / "model.npz", folder / "model.vw", folder / "out"
    found = {
        f"train, {name}: littlestone": (ours(svmlight), svmlight),
        f"train, {name}: Vowpal Wabbit": (rabbit(vw), vw),
        f"predict, {name}: littlestone": ([own(), "predict", str(model), str(svmlight), "-o", str(out)], svmlight),
        f"predict, {name}: Vowpal Wabbit": (rabbit(vw, "-t", "-i", str(theirs), "-p", str(out)), vw),
    }
    if name == SAME_TEXT:
        found[f"train, {name}: littlestone, VW's text"] = (ours(vw), vw)
        found[f"train, {name}: littlestone, VW's text, --hash-bits {BITS}"] = (ours(vw, "--hash-bits", str(BITS)), vw)
        found[f"train, {name}: littlestone, saved"] = (ours(svmlight, "-m", str(folder / "saved.npz")), svmlight)
    if name == SMALL:
        found[f"train, {name}: scikit-learn"] = (scikit(svmlight), svmlight)
    return found


def table(took: Mapping[str, list[Took]], size: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a table; others are told by how many times littlestone's time they take."""
    yield "| | file, MB | seconds (least to greatest) | work, s | MB/s | peak memory, MB | times ours | in work |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, results in took.items():
        least, typical, most = spread([one.seconds for one in results])
        work, peak = median(one.work for one in results), max(one.megabytes for one in results)
        ours = took[f"{name.partition(':')[0]}: littlestone"]
        times = works = ""
        if "littlestone" not in name:
            times = told(ratios([one.seconds for one in results], [one.seconds for one in ours]))
            works = told(ratios([one.work for one in results], [one.work for one in ours]))
        yield (
            f"| {name} | {size[name]:.0f} | {typical:.3f} ({least:.3f} to {most:.3f}) | {work:.3f} "
            f"| {size[name] / typical:.0f} | {peak:.0f} | {times} | {works} |"
        )


def report(folder: Path, sizes: Sequence[int], rounds: int) -> Iterator[str]:
    """Yield the lines of the whole report."""
    # Rows are made many at a time: a file becomes a little larger than asked for.
    sets = {f"{size} MB": make(folder, f"rows-{size}", size - 1, seed) for seed, size in enumerate(sizes)}
    before = os.getloadavg()[0]
    rows = ", ".join(f"{name}: {count:,} rows" for name, (_, _, count) in sets.items())
    yield f"{ACTIVE} of {N:,} attributes on; {rows}; {rounds} rounds."
    yield ""
    first = next(iter(sets.values()))
    run(ours(first[0], "-m", str(folder / "model.npz")))
    run(rabbit(first[1], "-f", str(folder / "model.vw")))
    took, read = dict[str, list[Took]](), dict[str, float]()
    for name, (*paths, _) in sets.items():
        found = commands(folder, name, (paths[0], paths[1]))
        read |= {who: path.stat().st_size / 1e6 for who, (_, path) in found.items()}
        took |= race({who: command for who, (command, _) in found.items()}, rounds)
    yield from table(took, read)
    yield ""
    yield from slopes(took, read, list(sets)[-2:])
    path, megabytes = sets[SAME_TEXT][0], sets[SAME_TEXT][0].stat().st_size / 1e6
    for threads in (1, 2):
        done = subprocess.run([sys.executable, "-c", PARSER, str(path), str(threads)],
                              capture_output=True, text=True, check=True)  # fmt: skip
        yield f"- The parser alone, {threads} thread(s), best of three: {megabytes / float(done.stdout):.0f} MB/s"
    yield f"- Load: {before:.2f} before, {os.getloadavg()[0]:.2f} after"


def slopes(took: Mapping[str, list[Took]], size: Mapping[str, float], two: Sequence[str]) -> Iterator[str]:
    """Yield what the last additional data took: start-up is in both of the largest files."""
    small, large = two
    for what in ("train", "predict"):
        taken, rate = {}, {}
        for who in ("littlestone", "Vowpal Wabbit"):
            names = f"{what}, {large}: {who}", f"{what}, {small}: {who}"
            taken[who] = [a.seconds - b.seconds for a, b in zip(*(took[name] for name in names), strict=True)]
            rate[who] = (size[names[0]] - size[names[1]]) / median(taken[who])
        times = told(ratios(taken["Vowpal Wabbit"], taken["littlestone"]))
        yield (
            f"- {what}, from {small} to {large}: littlestone {rate['littlestone']:.0f} MB/s of its text, Vowpal Wabbit "
            f"{rate['Vowpal Wabbit']:.0f} of its; Vowpal Wabbit takes {times} times as long."
        )


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="megabytes, 300 among them")
    parser.add_argument("--large", action="store_true", help=f"{LARGE} megabytes, too")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the data go (twice as much); they are removed")
    parser.add_argument("--write", action="store_true", help="write RESULTS-files.md beside this file")
    options = parser.parse_args()
    packages = ("numpy", "numba", "scikit-learn", "vowpalwabbit")
    head = versions(*packages)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        lines = [head, ""]
        for line in report(Path(folder), [*options.sizes, *([LARGE] if options.large else [])], options.rounds):
            print(line, flush=True)
            lines.append(line)
    if options.write:
        title = "# Training and predicting from files, beside Vowpal Wabbit and scikit-learn\n\n"
        method = "Written by `python benchmarks/files.py --write`; what is measured, and how, is said there.\n\n"
        (HERE / "RESULTS-files.md").write_text(title + method + "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
