"""One example at a time with named attributes, beside river's Perceptron, in one run, interleaved.

``python benchmarks/one_at_a_time.py`` prints a table: microseconds for predict_one and learn_one together, and how many
times as fast as river's `linear_model.Perceptron`. Everything is warm: all names are known. The time is that of the
thread, the least of some passes over each part of the examples, and so in each repeat; ratios are between times of the
same repeat, and their spread is over repeats. ``rows()`` returns the figures.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median
from time import thread_time
from typing import Any

import numpy as np
from river import linear_model

import littlestone as ls
import littlestone.river as facade

ACTIVE, SIZES = (10, 25, 50), (10**3, 10**4, 10**5, 10**6)
EXAMPLES, PART, PASSES, REPEATS = 200, 50, 4, 5
Example = tuple[dict[str, float], bool]


@dataclass(frozen=True)
class Row:
    """What one learner came to on one kind of examples; the ratio is river's time over its own."""

    learner: str
    values: str  # "Boolean" or "real"
    active: int  # attributes of an example
    known: int  # attributes ever seen
    drawn: int  # attributes that the examples are drawn from
    microseconds: float
    ratio: float
    least_ratio: float
    largest_ratio: float


def examples(n: int, active: int, *, real: bool, seed: int = 0) -> list[Example]:
    """Return examples of ``active`` out of ``n`` attributes; positive are those with one of the first twentieth."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(EXAMPLES):
        columns = rng.choice(n, active, replace=False)
        values = np.round(rng.uniform(0.01, 1.0, active), 3).tolist() if real else [1] * active
        found.append(
            ({f"w{i}": v for i, v in zip(columns.tolist(), values, strict=True)}, bool(columns.min() < n // 20))
        )
    return found


def models(n: int) -> dict[str, Any]:
    """Return what is compared; those of this package know ``n`` names beforehand."""
    names, labels = [f"w{i}" for i in range(n)], (False, True)
    made: dict[str, Any] = {
        "river Perceptron": linear_model.Perceptron(),
        "ls.Perceptron": ls.Perceptron().begin(labels=labels, names=names),
        "ls.Winnow": ls.Winnow().begin(n, labels=labels, names=names),
        "river.PerceptronClassifier": facade.PerceptronClassifier(labels=labels),
        "river.WinnowClassifier": facade.WinnowClassifier(n=n, labels=labels),
    }
    for model in list(made.values())[3:]:
        model.learner_.begin(labels=labels, names=names)
    for start in range(0, n, 1000):  # river's has a weight for each of them too
        made["river Perceptron"].learn_one(dict.fromkeys(names[start : start + 1000], 1e-9), start % 2000 == 0)
    return made


def measured(made: dict[str, Any], stream: list[Example]) -> dict[str, float]:
    """Return the microseconds of predict_one and learn_one together, each the least of some passes, part by part."""
    parts = [stream[i : i + PART] for i in range(0, len(stream), PART)]
    best = {name: [np.inf] * len(parts) for name in made}
    for _ in range(PASSES):
        for at, part in enumerate(parts):
            for name, model in made.items():
                start = thread_time()
                for x, y in part:
                    model.predict_one(x)
                    model.learn_one(x, y)
                best[name][at] = min(best[name][at], thread_time() - start)
    return {name: 1e6 * sum(times) / len(stream) for name, times in best.items()}


def cases(sizes: tuple[int, ...]) -> Iterator[tuple[int, int, int, bool]]:
    """Yield names known, names drawn from, attributes of an example, whether their values are real."""
    for active in ACTIVE:
        yield sizes[0], sizes[0], active, False
        yield sizes[0], sizes[0], active, True
    for n in sizes[1:]:
        yield n, sizes[0], 25, False  # the same examples, whatever else has been seen
    for n in sizes[1:]:
        yield n, n, 25, False  # examples from all over memory: each name is far from the others


def rows(sizes: tuple[int, ...] = SIZES, repeats: int = REPEATS) -> list[Row]:
    """Return the figures: all kinds of examples with 1000 names, and 25 Boolean attributes with up to a million."""
    found = []
    for n, drawn, active, real in cases(sizes):
        made, stream = models(n), examples(drawn, active, real=real)
        measured(made, stream)  # warms everything up
        times = [measured(made, stream) for _ in range(repeats)]
        for name in made:
            ratios = [time["river Perceptron"] / time[name] for time in times]
            spent = min(time[name] for time in times)
            figures = (spent, median(ratios), min(ratios), max(ratios))
            found.append(Row(name, "real" if real else "Boolean", active, n, drawn, *figures))
    return found


def table(found: list[Row]) -> str:
    """Return the figures as a table."""
    lines = [
        "| values | active | names | learner | us | times as fast as river (spread) |",
        "|---|--:|--:|---|--:|---|",
    ]
    for row in found:
        ratio = f"{row.ratio:.2f} ({row.least_ratio:.2f} to {row.largest_ratio:.2f})"
        lines.append(
            f"| {row.values} | {row.active} | {row.known} | {row.drawn} | {row.learner} | {row.microseconds:.1f} "
            f"| {ratio} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the most names that are known")
    told = parser.parse_args()
    machine = platform.processor() or platform.machine()
    print(f"{machine}, Python {platform.python_version()}, river {version('river')}, load {os.getloadavg()[0]:.1f}")
    print(table(rows(tuple(n for n in SIZES if n <= told.largest), told.repeats)))


if __name__ == "__main__":
    main()
