"""Two commits side by side in one run, interleaved: whether a change has made anything slower.

    python benchmarks/commits.py OLD [NEW] [--rounds 15] [--only WORD]

OLD and NEW are what git calls a commit; NEW is the working tree if it is left out. Each is laid out in a folder of its
own, compiles into a cache of its own and runs in a process of its own. A second process of OLD is the control: how far
its ratio is from 1 is what this machine cannot tell apart. Times are CPU times of one pass, the least of three; ratios
are taken within a round, and the table has their median, least and greatest. Only public names are used, so that
commits far apart can be compared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

ROOT = Path(__file__).parents[1]
SHAPES = {75: (20_000, 100_000), 8: (60_000, 10_000)}  # attributes that are on: rows, attributes
BY_BLOCKS = (
    "Perceptron", "Winnow", "BalancedWinnow", "NormalizedWinnow", "ThresholdedBEG", "BayesBEG", "PNorm", "NaiveBayes",
    "PassiveAggressive", "OGD", "ROMMA", "ALMA", "ModifiedBalancedWinnow", "ShiftingWinnow", "AROW", "NHERD", "SCW",
    "ConfidenceWeighted", "SecondOrderPerceptron", "Adagrad", "MulticlassPerceptron", "WinnerTakesAll", "Auto",
)  # fmt: skip
ONE_AT_A_TIME = ("Perceptron", "Winnow", "BalancedWinnow", "AROW", "PassiveAggressive", "Auto", "NaiveBayes")
FEW = 400  # examples of one pass, one at a time
TRIES = 3


def block_pass(name: str, active: int) -> Callable[[], object]:
    """Return a pass of a new learner over rows in memory."""
    import littlestone as ls
    from common import make_data

    rows, n = SHAPES[active]
    rows = rows // 10 if name == "Auto" else rows
    block = ls.from_arrays(*make_data(rows, n, active)).block
    kind = getattr(ls, name)
    return lambda: kind().begin(n, labels=(False, True)).learn(block)


def single_pass(name: str) -> Callable[[], object]:
    """Return a pass over dicts of 25 of 1000 names, all of them known; the learner goes on learning."""
    import littlestone as ls

    rng = np.random.default_rng(0)
    names = [f"w{i}" for i in range(1000)]
    learner = getattr(ls, name)().begin(1000, labels=(False, True), names=names)
    chosen = [rng.choice(1000, 25, replace=False) for _ in range(FEW)]
    examples = [({names[i]: 1 for i in columns}, bool(columns.min() < 50)) for columns in chosen]

    def call() -> None:
        for x, y in examples:
            learner.predict_one(x)
            learner.learn_one(x, y)

    return call


def file_pass(suffix: str, folder: Path) -> Callable[[], object]:
    """Return a pass over a file: nothing but reading it."""
    import littlestone as ls
    from common import make_data

    path = folder / f"rows{suffix}"
    X, y = make_data(20_000, 100_000)
    rows = np.split(X.indices + 1, X.indptr[1:-1])
    with path.open("w") as file:
        for row, positive in zip(rows, y, strict=True):
            attributes = " ".join(f"{i}:1" if suffix == ".svm" else f"w{i}" for i in row)
            file.write(f"{1 if positive else -1} {'| ' if suffix == '.vw' else ''}{attributes}\n")
    return lambda: [len(block) for block in ls.open(path).blocks()]


def cases(folder: Path) -> Iterator[tuple[str, Callable[[], Callable[[], object]]]]:
    """Yield the names of all passes, each with what makes it ready."""
    for active in SHAPES:
        for name in BY_BLOCKS:
            yield f"{name}, {active} on", lambda name=name, active=active: block_pass(name, active)
    for name in ONE_AT_A_TIME:
        yield f"{name}, one at a time", lambda name=name: single_pass(name)
    for suffix in (".svm", ".vw"):
        yield f"reading {suffix}", lambda suffix=suffix: file_pass(suffix, folder)


def work(folder: Path) -> None:
    """Run the passes that are asked for, line by line, and print the seconds of each."""
    ready: dict[str, Callable[[], object]] = {}
    makers = dict(cases(folder))
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            ready.clear()  # one at a time: memory stays small
            ready[name] = makers[name]()
            ready[name]()
        times = []
        for _ in range(TRIES):
            started = process_time()
            ready[name]()
            times.append(process_time() - started)
        print(min(times), flush=True)


class Worker:
    """A process that runs the passes of one commit."""

    def __init__(self, source: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join((str(source / "src"), str(Path(__file__).parent))),
            "NUMBA_CACHE_DIR": str(source / ".cache" / "numba-commits"),
        }
        command = [sys.executable, __file__, "--work", str(folder)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def seconds(self, name: str) -> float:
        """Return how long a pass took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(name, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{name}: the process ended")
        return float(line)

    def end(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def laid_out(commit: str | None, folder: Path) -> Path:
    """Return a folder that has the files of a commit; the working tree where none is given."""
    if commit is None:
        return ROOT
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder


def compare(old: Path, new: Path, folder: Path, rounds: int, only: str) -> None:
    """Print the table."""
    workers = {"old": Worker(old, folder / "a"), "new": Worker(new, folder / "b"), "control": Worker(old, folder / "c")}
    print("| pass | old, ms | new / old | least to greatest | control | least to greatest |\n|---|--:|--:|---|--:|---|")
    for name, _ in cases(folder):
        if only not in name:
            continue
        for worker in workers.values():
            worker.seconds(name)  # warms up
        times: dict[str, list[float]] = {key: [] for key in workers}
        for turn in range(rounds):
            for key in list(workers) if turn % 2 else reversed(workers):
                times[key].append(workers[key].seconds(name))
        ratios = {key: [t / o for t, o in zip(times[key], times["old"], strict=True)] for key in ("new", "control")}
        shown = " | ".join(f"{median(r):.3f} | {min(r):.2f} to {max(r):.2f}" for r in ratios.values())
        print(f"| {name} | {1e3 * median(times['old']):.2f} | {shown} |", flush=True)
    for worker in workers.values():
        worker.end()


def main() -> None:
    """Print the table of two commits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", default="HEAD")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="passes whose name has this word")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = laid_out(options.old, folder / "old"), laid_out(options.new, folder / "new")
        print(f"load {os.getloadavg()[0]:.1f}, {options.rounds} rounds")
        compare(*sources, folder, options.rounds, options.only)


if __name__ == "__main__":
    main()
