"""Units of work, computed in this process or in others, wherever joblib sends them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from traceback import extract_tb, format_exc
from typing import TYPE_CHECKING, Any

from littlestone.core.errors import InvalidParameter, LittlestoneError
from littlestone.core.messages import install

if TYPE_CHECKING:
    from littlestone.papers.result import Result

__all__ = ["check_joblib", "compute", "computed", "stopped"]

ASKED = {"comparisons.py", "outcome.py"}  # what these refuse, their callers have done
FEW = 16  # units that are computed before any of them is kept, where it cannot be otherwise


def check_joblib() -> None:
    """Refuse, with the remedy, where joblib is not there."""
    if find_spec("joblib") is None:
        raise InvalidParameter(f"reproduce: it needs the package joblib: {install('papers')}")


def compute(module: str, name: str, seed: int, unit: dict[str, Any], number: int = 0) -> tuple[int, dict[str, Any]]:
    """Compute one unit, in whatever process: its number, and its answer with the seconds it took.

    The answer passes through JSON, so that one that was kept is no other than one that was not. An error is an answer
    too, in words: the others go on, and whoever waits knows the name of the result.
    """
    result: Result = getattr(import_module(module), name)
    started = perf_counter()
    try:
        answer = result.check(seed=seed, **unit).as_dict() if result.part is None else result.part(seed=seed, **unit)
        plain = json.loads(json.dumps(answer, allow_nan=False))
    except Exception as error:  # noqa: BLE001 - of any kind
        return number, {"error": stopped(error), "trace": format_exc()}
    return number, {"answer": plain, "seconds": perf_counter() - started}


def stopped(error: Exception) -> str:
    """Return an error in a line, with the place it came from."""
    places = [(Path(frame.filename).name, frame.lineno) for frame in extract_tb(error.__traceback__)]
    name, line = next((place for place in reversed(places) if place[0] not in ASKED), places[-1])
    return f"{type(error).__name__}: {error} ({name}, line {line})"


def computed(
    calls: Sequence[tuple[str, str, int, dict[str, Any], int]], workers: int | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Call `compute` with these arguments, and give every answer as soon as the backend has it."""
    if not calls:
        return
    from joblib import Parallel, delayed

    work = [delayed(compute)(*call) for call in calls]
    try:
        run = Parallel(n_jobs=workers, return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)
    except ValueError:  # a backend that gives nothing before all is done: then a few at a time
        several = Parallel(n_jobs=workers)
        for start in range(0, len(work), FEW):
            yield from several(work[start : start + FEW])
        return
    try:
        yield from run(work)
    except BrokenExecutor as error:
        raise LittlestoneError(
            "reproduce: a worker was ended from outside, perhaps for want of memory; what is finished is kept, and the "
            "same call goes on; fewer workers need less"
        ) from error
