"""What a command takes before and besides its work: whole processes on a kilobyte, and what they import.

    python benchmarks/startup.py [--rounds 15] [--write]

A generated file of about a kilobyte, in svmlight's text for littlestone and in Vowpal Wabbit's own for Vowpal Wabbit.
All processes run in turn, round after round. A time is that of a whole process, from its start to its end; "work" is
the time of processors, of all threads together; peak memory is the operating system's figure. ``import numpy`` is the
floor of any program that uses NumPy. What is left of `train` is told by Python's ``-X importtime``: the time of each
module without those that it imports, the median of some runs; one that is imported by its name, when something in it is
asked for, counts with the module that asked.
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

from common import USUAL, Took, race, ratios, spread, told, versions
from files import BITS, RABBIT

HERE = Path(__file__).parent
FLOOR, TRAIN = "import numpy", "littlestone train -l perceptron"
LINES = 60
SHOWN = 24  # modules listed one by one
RUNS = 7  # of which the median is the time of a module


def make(folder: Path) -> tuple[Path, Path]:
    """Write a kilobyte of rows in both formats."""
    paths = folder / "rows.svm", folder / "rows.vw"
    rows = [(1 if i % 3 else -1, (i % 3 + 1, i % 7 + 5, i % 11 + 13)) for i in range(LINES)]
    paths[0].write_text("".join(f"{y} {' '.join(f'{i}:1' for i in row)}\n" for y, row in rows))
    paths[1].write_text("".join(f"{y} | {' '.join(map(str, row))}\n" for y, row in rows))
    return paths


def commands(folder: Path) -> dict[str, list[str]]:
    """Return what is run, by name; models are made on the way."""
    svmlight, vw = map(str, make(folder))
    model, theirs, out = (str(folder / name) for name in ("model.npz", "model.vw", "out"))
    python, own = sys.executable, str(Path(sys.executable).with_name("littlestone"))
    rabbit = [python, "-c", RABBIT, vw, str(BITS)]
    subprocess.run([own, "train", svmlight, "-q", "-m", model], check=True)
    subprocess.run([*rabbit, "-f", theirs], check=True)
    return {
        "python -c pass": [python, "-c", "pass"],
        FLOOR: [python, "-c", "import numpy"],
        TRAIN: [own, "train", svmlight, "-l", "perceptron", "-q"],
        f"{TRAIN} -m": [own, "train", svmlight, "-l", "perceptron", "-q", "-m", out],
        "littlestone predict": [own, "predict", model, svmlight],
        "littlestone evaluate": [own, "evaluate", model, svmlight],
        "littlestone train -l auto": [own, "train", svmlight, "-l", "auto", "-q"],
        "littlestone compare": [own, "compare", svmlight],
        "Vowpal Wabbit": rabbit,
        "Vowpal Wabbit, predicting": [*rabbit, "-t", "-i", theirs, "-p", out],
    }


def table(took: Mapping[str, list[Took]]) -> Iterator[str]:
    """Yield the lines of a table: medians, spread, and all against the floor."""
    yield f"| | ms | least to greatest | work, ms | peak memory, MB | times `{FLOOR}` | the same in work |"
    yield "|---|---|---|---|---|---|---|"
    floor = took[FLOOR]
    for name, results in took.items():
        least, typical, most = (1000 * value for value in spread([one.seconds for one in results]))
        work, peak = 1000 * median(one.work for one in results), max(one.megabytes for one in results)
        times = told(ratios([one.seconds for one in results], [one.seconds for one in floor]))
        works = told(ratios([one.work for one in results], [one.work for one in floor]))
        yield f"| `{name}` | {typical:.0f} | {least:.0f} to {most:.0f} | {work:.0f} | {peak:.0f} | {times} | {works} |"


def imports(command: Sequence[str]) -> dict[str, float]:
    """Return how many milliseconds each module took that a command imports, without those that it imports itself."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True, env=USUAL
    )
    found = {}
    for line in done.stderr.splitlines():
        own, _, name = line.removeprefix("import time:").partition("|")
        if own.strip().isdigit():
            found[name.rpartition("|")[2].strip()] = int(own) / 1000
    return found


def whose(module: str) -> str:
    """Return to whom a module belongs: to a package, to a room of ours, or to Python."""
    first, *rest = module.split(".")
    if first == "littlestone":
        return f"littlestone.{rest[0]}" if rest else "littlestone"
    return first if first in {"numpy", "click"} else "Python's own"


def left(command: Sequence[str]) -> Iterator[str]:
    """Yield what the modules took, by their owners, and the longest one by one."""
    runs = [imports(command) for _ in range(RUNS)]
    times = {name: median(run.get(name, 0.0) for run in runs) for name in runs[0]}
    groups: dict[str, list[float]] = {}
    for name, time in times.items():
        groups.setdefault(whose(name), []).append(time)
    yield "| whose | modules | ms |"
    yield "|---|---|---|"
    for owner, each in sorted(groups.items(), key=lambda group: -sum(group[1])):
        yield f"| {owner} | {len(each)} | {sum(each):.1f} |"
    own = [time for name, time in times.items() if name.startswith("littlestone")]
    yield f"| all of littlestone | {len(own)} | {sum(own):.1f} |"
    yield f"| all | {len(times)} | {sum(times.values()):.1f} |"
    yield ""
    yield f"The {SHOWN} longest outside NumPy:"
    yield ""
    yield "| module | ms |"
    yield "|---|---|"
    others = {name: time for name, time in times.items() if whose(name) != "numpy"}
    for name in sorted(others, key=lambda name: -others[name])[:SHOWN]:
        yield f"| {name} | {others[name]:.2f} |"


def report(rounds: int) -> Iterator[str]:
    """Yield the lines of the whole report."""
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        everything = commands(Path(folder))
        yield f"{LINES} rows, {(Path(folder) / 'rows.svm').stat().st_size} bytes; {rounds} rounds."
        yield ""
        yield from table(race(everything, rounds))
        yield ""
        yield f"## What `{TRAIN}` imports"
        yield ""
        yield from left(everything[TRAIN])
        yield ""
    yield f"Load: {before:.2f} before, {os.getloadavg()[0]:.2f} after."


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="write RESULTS-startup.md beside this file")
    options = parser.parse_args()
    lines = [versions("numpy", "click", "numba", "vowpalwabbit"), ""]
    for line in report(options.rounds):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        title = "# What a command takes besides its work\n\n"
        method = "Written by `python benchmarks/startup.py --write`; what is measured, and how, is said there.\n\n"
        (HERE / "RESULTS-startup.md").write_text(title + method + "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
