"""How much memory `littlestone follow --max-attributes` takes on a pipe at full speed whose names are ever new.

    python benchmarks/live_soak.py [--minutes 10] [--write]

A line has two names of 100 that come again, which decide its label, and six that nobody has seen before; half of the
labels come later. What is measured is the resident memory of the process, twice a second. Two learners, each with its
own process and pipe, run at the same time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter, sleep
from typing import IO

import numpy as np

from common import USUAL, versions

PAGE = Path(__file__).with_name("RESULTS-live-soak.md")
MOST, LINES = 100_000, 5000
LEARNERS = ("perceptron", "winner-takes-all")


def feed(pipe: IO[bytes], minutes: float) -> None:
    """Write lines as fast as they are read."""
    rng, numbers, end = np.random.default_rng(0), count(), perf_counter() + 60.0 * minutes
    while perf_counter() < end:
        pairs, later = rng.integers(0, 100, (LINES, 2)).tolist(), (rng.random(LINES) < 0.5).tolist()
        lines = []
        for (one, other), late, at in zip(pairs, later, numbers, strict=False):
            new = " ".join(f"n{at}x{i}" for i in range(6))
            label = 1 if min(one, other) < 20 else -1
            lines.append(f"{'' if late else f'{label} '}'e{at}| k{one} k{other} {new}\n")
            if late:
                lines.append(f'{{"id": "e{at}", "label": {label}}}\n')
        pipe.write("".join(lines).encode())
    pipe.close()


def resident(process: int) -> float:
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def soaked(learner: str, minutes: float, folder: Path) -> tuple[list[tuple[float, float]], int, str]:
    """Follow for some minutes; return the memory at each moment, the answers, and the last report."""
    words = ["follow", folder / f"{learner}.npz", "-", "--format", "vw", "-l", learner, "--max-attributes", MOST]
    process = subprocess.Popen(
        [sys.executable, "-m", "littlestone", *map(str, words)], env=USUAL, stdin=subprocess.PIPE,
        stdout=(folder / f"{learner}.jsonl").open("wb"), stderr=(folder / f"{learner}.txt").open("wb"),
    )  # fmt: skip
    assert process.stdin is not None
    Thread(target=feed, args=(process.stdin, minutes), daemon=True).start()
    started, found = perf_counter(), []
    while process.poll() is None:
        found.append((perf_counter() - started, resident(process.pid)))
        sleep(0.5)
    last = (folder / f"{learner}.txt").read_text(encoding="utf-8").splitlines()[-1]
    with (folder / f"{learner}.jsonl").open("rb") as answers:
        number = sum(1 for line in answers if json.loads(line))
    return found, number, last


def by_minute(found: list[tuple[float, float]]) -> str:
    """Return the median of each whole minute but the first: in between it rises and falls with the attributes held."""
    minutes: dict[int, list[float]] = {}
    for moment, size in found:
        minutes.setdefault(int(moment // 60), []).append(size)
    whole = [sizes for at, sizes in minutes.items() if 0 < at < max(minutes)]
    return " ".join(f"{median(sizes):.0f}" for sizes in whole)


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = ["# Memory of follow", "", "Written by `python benchmarks/live_soak.py --write`, which says how.", ""]
    page += [
        versions("numpy"),
        "",
        "| learner | minutes | answers | MB after a minute | least after that | most | median of each minute |",
    ]
    page += ["|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
        all_found = list(threads.map(lambda learner: soaked(learner, options.minutes, Path(folder)), LEARNERS))
    for learner, (found, answers, last) in zip(LEARNERS, all_found, strict=True):
        after = [size for moment, size in found if moment >= min(60.0, 30.0 * options.minutes)]
        sizes = f"{after[0]:.1f} | {min(after):.1f} | {max(after):.1f} | {by_minute(found)}"
        page.append(f"| `{learner}` | {found[-1][0] / 60:.1f} | {answers:,} | {sizes} |")
        print(page[-1], last, sep="\n", flush=True)
    if options.write:
        PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
