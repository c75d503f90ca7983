"""reproduce: the results of the papers checked, on many cores, each unit kept as soon as it is done."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from littlestone.errors import InvalidParameter
from littlestone.learners._parameters import check_whole
from littlestone.papers.outcome import Outcome, Verdict
from littlestone.papers.result import Paper, Result
from littlestone.papers.store import Store, versions

__all__ = ["Checked", "Progress", "check_joblib", "checked", "compute"]

FEW = 16  # units that are computed before any of them is kept, where it cannot be otherwise


@dataclass(frozen=True)
class Checked:
    """A result with what was found of it."""

    paper: Paper
    result: Result
    outcome: Outcome
    seed: int
    full: bool
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return self.outcome.verdict

    @property
    def command(self) -> str:
        """What to type to see it again."""
        size = "--full" if self.full else "--quick"
        return shlex.join(["littlestone", "reproduce", self.paper.key, self.result.key, size, "--seed", str(self.seed)])

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        result = self.result
        return {
            "paper": self.paper.key, "result": result.key, "title": result.title, "claim": result.claim,
            "place": result.place, "rows": list(result.rows), **self.outcome.as_dict(), "seed": self.seed,
            "mode": "full" if self.full else "quick", "parameters": result.parameters(full=self.full),
            "command": self.command, "seconds": round(self.seconds, 3), "versions": versions(),
        }  # fmt: skip


@dataclass(frozen=True)
class Progress:
    """How far it is: units done of all, and the results that are being worked on."""

    done: int
    total: int
    reused: int
    running: Sequence[str]


@dataclass
class _Unit:
    paper: Paper
    result: Result
    told: dict[str, Any]
    path: Path
    found: dict[str, Any] | None


def check_joblib() -> None:
    """Refuse, with the remedy, where joblib is not there."""
    if find_spec("joblib") is None:
        raise InvalidParameter("reproduce: it needs the package joblib: pip install littlestone[papers]")


def compute(module: str, name: str, seed: int, told: dict[str, Any], number: int = 0) -> tuple[int, dict[str, Any]]:
    """Compute one unit, in whatever process: its number, and its answer with the seconds it took.

    The answer passes through JSON, so that one that was kept is no other than one that was not.
    """
    result: Result = getattr(import_module(module), name)
    started = perf_counter()
    answer = result.check(seed=seed, **told).as_dict() if result.part is None else result.part(seed=seed, **told)
    seconds = perf_counter() - started
    return number, {"answer": json.loads(json.dumps(answer, allow_nan=False)), "seconds": seconds}


def checked(
    chosen: Sequence[tuple[Paper, Result]], store: Store, *, full: bool = False, seed: int = 0,
    workers: int | None = None, on_progress: Callable[[Progress], None] | None = None,
) -> list[Checked]:  # fmt: skip
    """Check results: those units that are in the store are read, the others are computed and kept.

    ``workers`` is joblib's n_jobs: None is what ``joblib.parallel_config`` says, and one where nothing is said; the
    backend is the one that is active there, so that a cluster can do the work. Numbers depend on none of this.
    """
    from littlestone.papers.store import write

    check_joblib()
    check_whole("reproduce", "seed", seed, least=0)
    store.prepare()
    units = [
        _Unit(paper, result, told, path, store.read(path))
        for paper, result in chosen
        for told in result.units(full=full)
        for path in [store.path(paper, result, told, seed)]
    ]
    first = {unit.path: number for number, unit in reversed(list(enumerate(units)))}
    todo = [number for number in sorted(first.values()) if units[number].found is None]
    total, left = len(first), list(todo)
    reused = total - len(todo)

    def tell() -> None:
        if on_progress is not None:
            now = dict.fromkeys(units[number].result.key for number in left[: max(1, workers or 1)])
            on_progress(Progress(total - len(left), total, reused, list(now)))

    tell()
    for number, answer in _computed(units, todo, seed, workers):
        units[number].found = answer
        left.remove(number)
        write(units[number].path, json.dumps(answer, allow_nan=False))
        tell()
    for number, unit in enumerate(units):
        if first[unit.path] != number:  # work that was another's already: its time is counted there
            unit.found = {**(units[first[unit.path]].found or {}), "seconds": 0.0}
    return [_joined(paper, result, units, full=full, seed=seed) for paper, result in chosen]


def _computed(
    units: Sequence[_Unit], todo: Sequence[int], seed: int, workers: int | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    if not todo:
        return
    from joblib import Parallel, delayed

    calls = [delayed(compute)(*units[number].result.address, seed, units[number].told, number) for number in todo]
    try:
        run = Parallel(n_jobs=workers, return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)
    except ValueError:  # a backend that gives nothing before all is done: then a few at a time
        run = Parallel(n_jobs=workers)
        for start in range(0, len(calls), FEW):
            yield from run(calls[start : start + FEW])
    else:
        yield from run(calls)


def _joined(paper: Paper, result: Result, units: Sequence[_Unit], *, full: bool, seed: int) -> Checked:
    own = [unit.found for unit in units if unit.paper is paper and unit.result is result and unit.found is not None]
    seconds = sum(found["seconds"] for found in own)
    if result.part is None:
        outcome = Outcome.from_dict({name: one for name, one in own[0]["answer"].items() if name != "verdict"})
    else:
        made = result.check([found["answer"] for found in own], seed=seed, **result.parameters(full=full))
        outcome = Outcome.from_dict(json.loads(json.dumps(made.as_dict(), allow_nan=False)))
    return Checked(paper, result, outcome, seed, full, seconds)
