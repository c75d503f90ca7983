"""littlestone beside scikit-learn, Vowpal Wabbit, river and LIBLINEAR: one command, one run, one page.

    python benchmarks/peers.py [--quick] [--probabilities] [--out DIR]

writes docs/peers.json (what was measured), docs/peers.md (the page, with what follows from it) and the figure of
docs/growth.svg. Mistakes are counted in one pass, in file order, each row predicted before it is learned; times are
those of warm calls, all in turn, round after round. The sets in LITTLESTONE_DATA are played where it is set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import growth
import peers_page
import speeds
from common import make_data, processor, versions
from rivals import BATCH, LOG_LOSSES, OURS, PEERS

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "vowpalwabbit", "river")
EVERYBODY = {**OURS, **PEERS, **BATCH}
MANY_CLASSES = ("qc_train", "20newsgroups_train")
QUICK_SETS = ("badges", "vote", "spell_raise_rise")


@lru_cache(maxsize=1)
def generated(kind: str, n: int, seed: int, trials: int) -> Any:
    """Return a generated stream."""
    return growth.stream(kind, n, seed, trials)


@lru_cache(maxsize=1)
def real(name: str) -> Any:
    """Return the rows and labels of a set in LITTLESTONE_DATA."""
    from sklearn.datasets import load_svmlight_file

    with gzip.open(Path(os.environ["LITTLESTONE_DATA"]) / f"{name}.libsvm.gz") as file:
        X, y = load_svmlight_file(file, zero_based=False)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, y


def names_of_sets(quick: bool) -> list[str]:
    """Return the binary training sets, the small ones only where it is to be quick."""
    folder = os.environ.get("LITTLESTONE_DATA")
    paths = sorted(Path(folder).glob("*.libsvm.gz")) if folder else []
    names = [path.name.removesuffix(".libsvm.gz") for path in paths]
    train = [name for name in names if not name.endswith(("_test", "_dev")) and name not in MANY_CLASSES]
    return [name for name in train if not quick or name in QUICK_SETS]


def play(task: tuple[Any, ...]) -> int | None:
    """Play one stream; None where the player does not take such rows."""
    *where, name = task
    X, y = generated(*where) if len(where) > 1 else real(*where)
    try:
        return EVERYBODY[name](X, y if y.dtype == bool else y > 0)
    except ValueError:
        if (X.data == 1).all():
            raise
        return None


def mistakes(sizes: Iterable[int], seeds: Iterable[int], trials: int, sets: list[str]) -> tuple[Any, Any]:
    """Return everybody's mistakes on generated streams and on real sets; all cores play."""
    about = {}
    for name in sets:
        X, y = real(name)
        about[name] = {"rows": len(y), "n": X.shape[1], "active": X.nnz / len(y), "Boolean": bool((X.data == 1).all())}
    # The longest first, and all players of a stream one after another, since a process keeps the last stream.
    tasks: list[tuple[Any, ...]] = [(name, player) for name in sets for player in EVERYBODY]
    tasks.sort(key=lambda task: (-about[task[0]]["rows"], task[0], "SGD" not in task[1]))
    tasks += [(kind, n, seed, trials, player) for kind, n, seed, player in growth.tasks(tuple(sizes), tuple(seeds))]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        counts = dict(zip(tasks, pool.map(play, tasks), strict=True))
    made: dict[str, dict[str, dict[str, list[Any]]]] = {"wide": {}, "narrow": {}}
    for (*where, name), count in counts.items():
        if len(where) == 1:
            about[where[0]].setdefault("mistakes", {})[name] = count
    for n in sorted(sizes):
        for kind, by_size in made.items():
            of = by_size[str(n)] = {}
            for name in [*OURS, *PEERS]:
                each = [counts.get((kind, n, seed, trials, name)) for seed in seeds]
                if None not in each:
                    of[name] = each
    return made, about


def log_loss(task: tuple[str, str]) -> float:
    """Return the mean progressive log loss of one player's probabilities on a set."""
    name, player = task
    X, y = real(name)
    return LOG_LOSSES[player](X, y > 0)


def log_losses(sets: list[str]) -> dict[str, dict[str, float]]:
    """Return everybody's log loss on the real sets: each row's probability before it is learned."""
    tasks = [(name, player) for name in sets for player in LOG_LOSSES]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        found = dict(zip(tasks, pool.map(log_loss, tasks), strict=True))
    return {name: {player: found[name, player] for player in LOG_LOSSES} for name in sets}


def results(*, quick: bool) -> dict[str, Any]:
    """Measure everything."""
    started = datetime.now(UTC)
    rounds = 1 if quick else 5
    sets = names_of_sets(quick)
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say("in memory")
        held = {f"75 of {n:,} attributes on": make_data(1_000 if quick else 50_000, n) for n in (100_000, 1_000_000)}
        held |= {name: real(name) for name in sets if name == ("vote" if quick else "conll2000np_train")}
        passes = {told: speeds.in_memory(X, y > 0, rounds, folder) for told, (X, y) in held.items()}
        say("one at a time")
        one = one_at_a_time(quick)
        say("from file")
        file = speeds.from_file(folder, 1.0 if quick else 300.0, rounds)
        say("start-up and memory")
        start = speeds.starts(rounds)
        memory = speeds.memory(folder, 1 if quick else 3, *((1_000, 10_000) if quick else (20_000, 1_000_000)))
    say("mistakes")
    made, about = mistakes(growth.SIZES[:2] if quick else growth.SIZES, growth.SEEDS[:1] if quick else growth.SEEDS,
                           400 if quick else growth.TRIALS, sets)  # fmt: skip
    say("probabilities")
    losses = log_losses(sets)
    load.append(os.getloadavg()[0])
    return {
        "machine": f"{processor()}; {versions(*PACKAGES)}", "date": f"{started:%Y-%m-%d %H:%M} UTC",
        "minutes": (datetime.now(UTC) - started).total_seconds() / 60, "load": load, "rounds": rounds, "quick": quick,
        "ours": [*OURS], "peers": [*PEERS], "batch": [*BATCH],
        "generated": made, "real": about, "in memory": passes, "one at a time": one, "from file": file,
        "start-up": start, "memory": memory, "log loss": {"sets": losses, "date": f"{started:%Y-%m-%d %H:%M} UTC"},
    }  # fmt: skip


def one_at_a_time(quick: bool) -> list[dict[str, Any]]:
    """Return what benchmarks/one_at_a_time.py measures."""
    import one_at_a_time as benchmark

    return [asdict(row) for row in benchmark.rows(benchmark.SIZES[:1] if quick else benchmark.SIZES, 1 if quick else 5)]


def rounded(value: Any) -> Any:
    """Return what goes to JSON: numbers with six digits."""
    if isinstance(value, dict):
        return {str(name): rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def now() -> str:
    """Return the date, as the page tells it."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def say(what: str) -> None:
    """Say on stderr what comes next."""
    print(f"{datetime.now(UTC):%H:%M:%S} {what}", file=sys.stderr, flush=True)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small data, one round: that everything runs")
    parser.add_argument("--out", type=Path, default=growth.DOCS, help="the folder that is written to")
    parser.add_argument("--probabilities", action="store_true", help="measure the log losses alone, and add them")
    options = parser.parse_args()
    if options.probabilities:
        found = json.loads((options.out / "peers.json").read_text(encoding="utf-8"))
        found["log loss"] = rounded({"sets": log_losses(names_of_sets(options.quick)), "date": now()})
    else:
        found = rounded(results(quick=options.quick))
    (options.out / "peers.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    page = peers_page.page(found)
    (options.out / "peers.md").write_text(page, encoding="utf-8")
    growth.draw(found["generated"], options.out)
    print(page)


if __name__ == "__main__":
    main()
