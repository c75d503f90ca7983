"""How much memory `littlestone follow --max-attributes` takes on a pipe at full speed whose names are ever new.

    python benchmarks/live_soak.py [--minutes 10] [--write]

A line has two names of 100 that come again, which decide its label, and six that nobody has seen before; half of the
labels come later. What is measured is the resident memory of the process, twice a second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
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
        stdout=(folder / "answers.jsonl").open("wb"), stderr=(folder / "report").open("wb"),
    )  # fmt: skip
    assert process.stdin is not None
    Thread(target=feed, args=(process.stdin, minutes), daemon=True).start()
    started, found = perf_counter(), []
    while process.poll() is None:
        found.append((perf_counter() - started, resident(process.pid)))
        sleep(0.5)
        (folder / "answers.jsonl").stat()
    last = (folder / "report").read_text(encoding="utf-8").splitlines()[-1]
    with (folder / "answers.jsonl").open("rb") as answers:
        number = sum(1 for line in answers if json.loads(line))
    return found, number, last


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = ["# Memory of follow", "", "Written by `python benchmarks/live_soak.py --write`, which says how.", ""]
    page += [versions("numpy"), "", "| learner | minutes | answers | MB after a minute | least after that | most |"]
    page += ["|---|---|---|---|---|---|"]
    for learner in LEARNERS:
        with tempfile.TemporaryDirectory() as folder:
            found, answers, last = soaked(learner, options.minutes, Path(folder))
        after = [size for moment, size in found if moment >= min(60.0, 30.0 * options.minutes)]
        sizes = f"{after[0]:.1f} | {min(after):.1f} | {max(after):.1f}"
        page.append(f"| `{learner}` | {found[-1][0] / 60:.1f} | {answers:,} | {sizes} |")
        print(page[-1], last, sep="\n", flush=True)
    if options.write:
        PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
