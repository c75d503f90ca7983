"""How many files of the package one reads to follow a game, an example and a training: those whose code runs.

    python benchmarks/walks.py [--files]

Three walks: a svmlight file through Winnow to a ``Run``; dicts through ``learn_one`` of a new learner, the first calls;
``littlestone train``. A file counts if one of its functions runs, wherever it is imported; what runs only when a module
is imported does not. Kernels count by their callers: files of the engine are left out. Each walk is made twice, and the
second time counts, for the first one compiles and imports.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.cli import main as command

PACKAGE = Path(ls.__file__).parent
WANTED = {"svmlight -> Winnow -> Run": 23, "learn_one, first call": 12, "littlestone train": 34}
EXAMPLES = (({"a": 1, "b": 1}, 1), ({"b": 1, "c": 1}, 0), ({"a": 1}, 1), ({"a": 1, "d": 0.5}, 1))


def rows(path: Path) -> None:
    """Write some rows of svmlight."""
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        for _ in range(300):
            on = np.sort(rng.choice(50, 6, replace=False)) + 1
            file.write(f"{1 if on[0] <= 3 else -1} {' '.join(f'{i}:1' for i in on)}\n")


def game(path: Path) -> ls.Run:
    """Let Winnow play a file."""
    return ls.play(ls.Winnow(), ls.open(path))


def learn_one(learner: ls.Winnow) -> None:
    """Let a learner predict and learn, one example at a time."""
    for x, y in EXAMPLES:
        learner.predict_one(x)
        learner.learn_one(x, y)


def train(path: Path) -> None:
    """Train by the command line."""
    model = path.with_suffix(".npz")
    model.unlink(missing_ok=True)
    command(["train", str(path), "-l", "winnow", "-m", str(model), "-q"], standalone_mode=False)


def walked(go: Callable[[], Any]) -> set[str]:
    """Return the files whose functions run."""
    seen: set[str] = set()

    def called(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name != "<module>" and path.is_relative_to(PACKAGE):
            seen.add(path.relative_to(PACKAGE).as_posix())

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        go()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {path for path in seen if not path.startswith("engine/")}


def walks(folder: Path) -> dict[str, set[str]]:
    """Return the files of each walk."""
    path = folder / "rows.svm"
    rows(path)
    makers: tuple[Callable[[], Callable[[], Any]], ...] = (
        lambda: partial(game, path),
        lambda: partial(learn_one, ls.Winnow(theta=4.0)),
        lambda: partial(train, path),
    )
    found = {}
    for name, made in zip(WANTED, makers, strict=True):
        made()()
        found[name] = walked(made())
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", action="store_true", help="print the files, too")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = walks(Path(folder))
    print("| walk | files | wanted at most |\n|---|---|---|")
    for name, files in found.items():
        print(f"| {name} | {len(files)} | {WANTED[name]} |")
    for name, files in found.items() if told.files else ():
        print(f"\n{name}:\n  " + "\n  ".join(sorted(files)))


if __name__ == "__main__":
    main()
