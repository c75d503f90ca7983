"""How long an answer takes after its line has come through a pipe; what a fast pipe takes, also of another checkout.

    python benchmarks/live.py [--megabytes 300] [--other SRC] [--write]

A line is sent a hundred times a second; what is measured is the time from before it is written until its answer has
been read: by `predict`, and by `follow`, which learns it too and saves the model each second. The fast pipe is
`cat FILE | littlestone predict`, one after the other with the sources in SRC, if any are given (the ``src`` of another
checkout, with its own compiled kernels), least of five rounds.
"""

from __future__ import annotations

import argparse
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import numpy as np

from common import USUAL, versions

PAGE = Path(__file__).with_name("RESULTS-live.md")
LINES, EVERY, ROUNDS = 1000, 0.01, 5
KINDS = ("svm", "vw", "csv", "tsv", "jsonl")
COMMANDS = {"predict": (), "follow": ("--seconds", 1, "-q")}


def examples(count: int, seed: int) -> list[tuple[int, list[int]]]:
    """Return labels, and which of 30 attributes are on."""
    rng = np.random.default_rng(seed)
    labels, on = (rng.random(count) < 0.5).tolist(), rng.random((count, 30)) < 0.3
    return [(int(y), (np.flatnonzero(row) + 1).tolist()) for y, row in zip(labels, on, strict=True)]


def written(kind: str, lines: list[tuple[int, list[int]]]) -> tuple[str, list[str]]:
    """Return the first line, if it is no example, and the examples, in a format."""
    if kind == "svm":
        return "", [f"{2 * y - 1} {' '.join(f'{i}:1' for i in on)}\n" for y, on in lines]
    if kind == "vw":
        return "", [f"{2 * y - 1} | {' '.join(f'w{i}' for i in on)}\n" for y, on in lines]
    if kind == "csv":
        return "size,first,label\n", [f"{len(on)},{'few' if 3 in on else 'many'},{y}\n" for y, on in lines]
    words = [" ".join(f"word{i}" for i in on) for _, on in lines]
    if kind == "tsv":
        return "label\tmessage\n", [f"{y}\tsee {text} at noon\n" for (y, _), text in zip(lines, words, strict=True)]
    quoted = [", ".join(f'"w{i}"' for i in on) for _, on in lines]
    return "", [f'{{"label": {y}, "features": [{on}]}}\n' for (y, _), on in zip(lines, quoted, strict=True)]


def command(*words: object, source: str | None = None) -> tuple[list[str], dict[str, str]]:
    """Return a command of this checkout, or of another one, and its environment."""
    environment = USUAL if source is None else {**USUAL, "PYTHONPATH": source}
    return [sys.executable, "-m", "littlestone", *map(str, words)], environment


def latencies(name: str, model: Path, head: str, lines: list[str]) -> list[float]:
    """Return how long each answer of a command took, in milliseconds."""
    words, environment = command(name, model, "-", *COMMANDS[name])
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    found = []
    process.stdin.write(head.encode())
    for line in lines:
        started = perf_counter()
        process.stdin.write(line.encode())
        if not select.select([process.stdout], [], [], 10.0)[0]:
            raise SystemExit(f"{model}: no answer within ten seconds")
        process.stdout.read(1 << 16)
        found.append(1000 * (perf_counter() - started))
        sleep(max(0.0, EVERY - (perf_counter() - started)))
    process.stdin.close()
    process.wait()
    return found[1:]  # the first one waits for the start of the process


def seconds(path: Path, model: Path, source: str | None) -> float:
    """Return how long a fast pipe takes."""
    words, environment = command("predict", model, "-", source=source)
    started = perf_counter()
    with subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE) as cat:
        subprocess.run(words, stdin=cat.stdout, stdout=subprocess.DEVNULL, env=environment, check=True)
    return perf_counter() - started


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--other", metavar="SRC", help="sources of another checkout")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = ["# Pipes", "", "Written by `python benchmarks/live.py --write`, which says how.", "", versions("numpy"), ""]
    page += ["| format | command | median, ms | 99th percentile, ms | largest, ms |", "|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            head, lines = written(kind, examples(LINES + 1, seed=1))
            path, model = Path(folder) / f"rows.{kind}", Path(folder) / f"{kind}.npz"
            path.write_text(head + "".join(written(kind, examples(2000, seed=0))[1]))
            words, environment = command("train", path, "-q", "-m", model)
            subprocess.run(words, check=True, env=environment)
            for name in COMMANDS:
                own = Path(folder) / f"{name}-{kind}.npz"  # follow changes it
                own.write_bytes(model.read_bytes())
                took = sorted(latencies(name, own, head, lines))
                most = f"{took[int(0.99 * len(took))]:.2f} | {took[-1]:.2f}"
                page.append(f"| {kind} | {name} | {median(took):.2f} | {most} |")
                print(page[-1], flush=True)
        many = "".join(written("svm", examples(20_000, seed=2))[1]).encode()
        large, model = Path(folder) / "large.svm", Path(folder) / "svm.npz"
        with large.open("wb") as file:
            for _ in range(options.megabytes * 1_000_000 // len(many)):
                file.write(many)
        sources = [None] if options.other is None else [None, str(Path(options.other).resolve())]
        rounds = [[seconds(large, model, source) for source in sources] for _ in range(ROUNDS)]
        size = large.stat().st_size / 1e6
    best = [min(times) for times in zip(*rounds, strict=True)]
    page += ["", f"A fast pipe of {size:.0f} MB, `predict`: {best[0]:.2f} s ({size / best[0]:.0f} MB/s)"]
    if len(best) > 1:
        page[-1] += f"; the other checkout {best[1]:.2f} s, {best[0] / best[1]:.3f} times that"
    page[-1] += "."
    print(page[-1])
    if options.write:
        PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
