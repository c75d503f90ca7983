"""Memory, latency and disk of a service that learns without a pause, from rows whose names are ever new.

    python benchmarks/service_soak.py [--minutes 15] [--batches 20] [--folder DIR] [--write]

24 clients learn row by row as fast as they are answered, 8 send batches of 100 (so many a second in all), 4 predict. A
row has four names of 100, which decide its label, and six that nobody has seen before; the learner keeps 100,000 names.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from common import processor, versions
from littlestone.learners import Bounded, Perceptron
from littlestone.models.following.beginning import new_model
from service import Generator, Service, littlestone, number

PAGE = Path(__file__).with_name("RESULTS-service-soak.md")
MOST, PERIOD = 100_000, 30.0


def resident(process: int) -> float:
    """Return the memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def worker(front: int) -> int:
    """Return the process that learns, the child of the one that listens."""
    return int(Path(f"/proc/{front}/task/{front}/children").read_text(encoding="ascii").split()[0])


def megabytes(folder: Path, pattern: str = "**/*") -> float:
    """Return how large the files of a folder are; some may go meanwhile."""
    total = 0
    for path in folder.glob(pattern):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total / 1e6


def soaked(service: Service, folder: Path, options: argparse.Namespace, period: float) -> tuple[list[str], list[Any]]:
    """Load the service; return the lines of the table, and what was found in each period."""
    seconds, turns = 60 * options.minutes, round(60 * options.minutes / period)
    kinds = (("learn", 24, ()), ("batch", 8, ("--pace", options.batches)), ("predict", 4, ()))
    makers = [
        Generator("new", kind, service.port, links, seconds, "--period", period, "--seed", seed, *more)
        for seed, (kind, links, more) in enumerate(kinds)
    ]
    for one in makers:
        one.begin()
    times = ("learn one p50, p99, ms", "batch p50, p99, ms", "predict p50, p99, ms")
    heads = ("minute", "examples", "front, MB", "worker, MB", "data folder, MB", "journal, MB", *times)
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    print(*lines, sep="\n", flush=True)
    found = []
    for turn in range(1, turns + 1):
        learn, batch, predict = (one.period() for one in makers)
        data = folder / "service"
        at = {"front": resident(service.process.pid), "worker": resident(worker(service.process.pid)),
              "data": megabytes(data), "journal": megabytes(data, "journal.db*"), "count": number(service),
              "learn": learn, "batch": batch, "predict": predict}  # fmt: skip
        found.append(at)
        took = " | ".join(f"{one['p50']:.1f}, {one['p99']:.1f}" for one in (learn, batch, predict))
        sizes = " | ".join(f"{at[name]:.0f}" for name in ("front", "worker", "data", "journal"))
        lines.append(f"| {turn * period / 60:.1f} | {at['count']:,} | {sizes} | {took} |")
        print(lines[-1], flush=True)
    told = sum(one.end()["acknowledged"] for one in makers[:2])
    makers[2].end()
    if told != number(service):
        raise SystemExit(f"{told:,} examples were acknowledged, and {number(service):,} learned")
    return lines, found


def summary(found: list[Any]) -> list[str]:
    """Return what all of it says: the second quarter beside the last."""
    quarter = max(1, len(found) // 4)
    early, late = found[quarter : 2 * quarter] or found[:1], found[-quarter:]

    def mean(some: list[Any], name: str, what: str | None = None) -> float:
        return sum(one[name] if what is None else one[name][what] for one in some) / len(some)

    lines = ["Means of the second quarter, and of the last:", ""]
    for title, name in (("memory of the front", "front"), ("memory of the worker", "worker")):
        lines.append(f"- {title}: {mean(early, name):.0f} and {mean(late, name):.0f} MB")
    for title, name in (("learn one", "learn"), ("batch of 100", "batch"), ("predict", "predict")):
        pair = [f"{mean(some, name, 'p50'):.1f} (p99 {mean(some, name, 'p99'):.1f})" for some in (early, late)]
        lines.append(f"- {title}: {pair[0]} and {pair[1]} ms")
    if len(found) > 1:
        grown = found[-1]["journal"] - found[0]["journal"]
        rows = found[-1]["count"] - found[0]["count"]
        share = (
            100
            * sum(one["batch"]["rows"] for one in found)
            / sum(one["batch"]["rows"] + one["learn"]["rows"] for one in found)
        )
        each = f"The journal grew by {1e6 * grown / rows:.0f} MB per million examples; {share:.0f}% came in batches."
        lines += ["", f"{each} `littlestone journal DIR compact` drops what lies before a snapshot."]
    return lines


def main() -> None:
    """Soak, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--batches", type=float, default=20.0, help="batches a second, at most")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="on the disk that counts")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    page = [
        "# A soak of the service",
        "",
        "Written by `python benchmarks/service_soak.py --write`, which says how.",
        "",
    ]
    page += [
        f"{processor()}; {versions('littlestone', 'starlette', 'uvicorn')}. {options.batches:g} batches a second.",
        "",
    ]
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        learner = Bounded(Perceptron(), max_attributes=MOST)
        new_model(learner, "jsonl", {"labels": ("no", "yes")}).save(folder / "m.npz")
        with littlestone(folder, str(folder / "m.npz")) as service:
            lines, found = soaked(service, folder, options, min(PERIOD, 15 * options.minutes))
    told = summary(found)
    print("", *told, sep="\n")
    if options.write:
        PAGE.write_text("\n".join([*page, *lines, "", *told]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
