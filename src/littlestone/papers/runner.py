"""reproduce: the results of the papers checked, on many cores, each unit kept as soon as it is done."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from littlestone.core.errors import LittlestoneError
from littlestone.core.parameters import check_whole
from littlestone.papers.outcome import Outcome, Verdict
from littlestone.papers.result import Paper, Result
from littlestone.papers.store import Store, versions
from littlestone.papers.work import check_joblib, computed, stopped

__all__ = ["Checked", "Progress", "checked"]

NAMED = 3  # results that a message names
KEPT = "; no page is written, what is finished is kept, and the same call computes the rest; please report it"


@dataclass(frozen=True)
class Checked:
    """A result with what was found of it.

    >>> from littlestone.papers import Checked, Outcome, selected
    >>> from littlestone.papers.comparisons import equal
    >>> paper, result = selected("kivinen-warmuth", "theorem-13")[0]
    >>> outcome = Outcome("4 of 4 trials were mistakes", [equal("mistakes", 4, 4)])
    >>> found = Checked(paper, result, outcome, seed=0, full=False, seconds=0.1)
    >>> str(found.verdict), found.anchor
    ('confirmed exactly', 'kivinen_warmuth-theorem-13')
    """

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
    def anchor(self) -> str:
        """The name under which a page has it."""
        return f"{self.paper.key}-{self.result.key}"

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
    """How far it is: units done of all, those kept from before, those that failed, and the results that run now."""

    done: int
    total: int
    reused: int
    running: Sequence[str]
    failed: int = 0


@dataclass
class _Unit:
    paper: Paper
    result: Result
    parameters: dict[str, Any]
    path: Path
    found: dict[str, Any] | None


def checked(
    chosen: Sequence[tuple[Paper, Result]], store: Store, *, full: bool = False, seed: int = 0,
    workers: int | None = None, on_progress: Callable[[Progress], None] | None = None,
) -> list[Checked]:  # fmt: skip
    """Check results: those units that are in the store are read, the others are computed and kept.

    ``workers`` is joblib's n_jobs: None is what ``joblib.parallel_config`` says, and one where nothing is said; the
    backend is the one that is active there, so that a cluster can do the work. Numbers depend on none of this.
    """
    check_joblib()
    check_whole("reproduce", "seed", seed, least=0)
    store.prepare()
    units = list(_units(chosen, store, full=full, seed=seed))
    first = {unit.path: number for number, unit in reversed(list(enumerate(units)))}
    todo = [number for number in sorted(first.values()) if units[number].found is None]
    total, left = len(first), list(todo)
    reused = total - len(todo)
    failed: dict[int, dict[str, Any]] = {}

    def tell() -> None:
        if on_progress is not None:
            now = dict.fromkeys(units[number].result.key for number in left[: max(1, workers or 1)])
            on_progress(Progress(total - len(left), total, reused, list(now), len(failed)))

    tell()
    calls = [(*units[number].result.address, seed, units[number].parameters, number) for number in todo]
    for number, answer in computed(calls, workers):
        left.remove(number)
        if "error" in answer:
            failed[number] = answer
        else:
            units[number].found = answer
            store.keep(units[number].path, answer)
        tell()
    if failed:
        raise _failure([(units[number], answer) for number, answer in sorted(failed.items())])
    for number, unit in enumerate(units):
        if first[unit.path] != number:  # work that was another's already: its time is counted there
            unit.found = {**(units[first[unit.path]].found or {}), "seconds": 0.0}
    return [_joined(paper, result, units, full=full, seed=seed) for paper, result in chosen]


def _units(chosen: Sequence[tuple[Paper, Result]], store: Store, *, full: bool, seed: int) -> Iterator[_Unit]:
    for paper, result in chosen:
        with _named(paper, result):
            several = result.units(full=full)
        for parameters in several:
            path = store.path(paper, result, parameters, seed)
            yield _Unit(paper, result, parameters, path, store.read(path))


def _joined(paper: Paper, result: Result, units: Sequence[_Unit], *, full: bool, seed: int) -> Checked:
    own = [unit.found for unit in units if unit.paper is paper and unit.result is result and unit.found is not None]
    seconds = sum(found["seconds"] for found in own)
    if result.part is None:
        answer = own[0]["answer"]
    else:
        with _named(paper, result):
            made = result.check([found["answer"] for found in own], seed=seed, **result.parameters(full=full))
            answer = json.loads(json.dumps(made.as_dict(), allow_nan=False))
    return Checked(paper, result, Outcome.from_dict(answer), seed, full, seconds)


def _failure(failed: Sequence[tuple[_Unit, dict[str, Any]]]) -> LittlestoneError:
    """Return the error that names the results whose checks stopped, and has the whole story in its notes."""
    by_result = {(unit.paper.key, unit.result.key): answer for unit, answer in reversed(failed)}
    sentences = [_sentence(*key, answer["error"]) for key, answer in reversed(by_result.items())]
    more = f"; and so did {len(sentences) - NAMED} more" if len(sentences) > NAMED else ""
    error = LittlestoneError("; ".join(sentences[:NAMED]) + more + KEPT)
    for answer in by_result.values():
        error.add_note(answer["trace"])
    return error


@contextmanager
def _named(paper: Paper, result: Result) -> Iterator[None]:
    """Give an error the name of the result it comes from."""
    try:
        yield
    except Exception as error:
        raise LittlestoneError(_sentence(paper.key, result.key, stopped(error)) + KEPT) from error


def _sentence(paper: str, result: str, error: str) -> str:
    return f"{paper} {result}: its check stopped with {error}"
