"""Result: one claim of a paper and the code that checks it; Paper: the results of one."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.papers.outcome import Outcome

__all__ = ["Paper", "Result", "claim", "in_pieces", "meets", "results", "run_with"]

Pieces = Callable[..., Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Result:
    """A claim in our own words, its place in the paper, and the function that checks it; made by `claim`.

    ``check(seed=..., **parameters)`` returns an `Outcome`. With ``part`` the work is done in pieces:
    ``pieces(**parameters)`` says which, ``part(seed=..., **piece)`` returns plain numbers (what JSON can hold), and
    ``check(done, seed=..., **parameters)`` makes the outcome of the list of them. Results whose pieces are done by the
    same ``part`` share them.

    >>> from littlestone.papers import selected
    >>> _, result = selected("kivinen-warmuth", "theorem-13")[0]
    >>> result.key, result.title, result.place
    ('theorem-13', 'Theorem 13: a zero start', 'Section 3, Theorem 13')
    """

    key: str
    title: str
    claim: str
    place: str
    check: Callable[..., Outcome]
    quick: Mapping[str, Any] = field(default_factory=dict)
    full: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[str] = ()
    pieces: Pieces | None = None
    part: Callable[..., Any] | None = None

    @property
    def address(self) -> tuple[str, str]:
        """Where a worker finds it: the module and the name in it."""
        return self.check.__module__, self.check.__qualname__

    def parameters(self, *, full: bool) -> dict[str, Any]:
        """Return the parameters of a quick run, or of a full one: what it does not say is as in the quick one."""
        return {**self.quick, **self.full} if full else dict(self.quick)

    def units(self, *, full: bool) -> list[dict[str, Any]]:
        """Return what each unit of work is called with: the pieces, or the whole."""
        chosen = self.parameters(full=full)
        return [chosen] if self.pieces is None else [dict(piece) for piece in self.pieces(**chosen)]


def claim(
    key: str, title: str, place: str, *, quick: Mapping[str, Any] | None = None, full: Mapping[str, Any] | None = None,
    rows: Sequence[str] = (), pieces: Pieces | None = None, part: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Outcome]], Result]:  # fmt: skip
    """Make a `Result` of a function at the top of a module; its docstring is the claim, in our own words.

    >>> from littlestone.papers.comparisons import at_most
    >>> @claim("elimination", "Elimination", "Section 1", quick={"n": 10, "k": 3})
    ... def _elimination(seed, n, k):
    ...     "At most n - k mistakes."
    ...     return Outcome(f"{n - k} mistakes", [at_most("mistakes", n - k, n - k)])
    >>> _elimination.claim, _elimination.check(0, **_elimination.parameters(full=True)).verdict.value
    ('At most n - k mistakes.', 'confirmed exactly')
    """
    if (pieces is None) != (part is None):
        raise InvalidParameter(f"claim {key}: expected both pieces and part, or neither")

    def make(check: Callable[..., Outcome]) -> Result:
        words = " ".join((check.__doc__ or "").split())
        if not words:
            raise InvalidParameter(f"claim {key}: expected a docstring that says the claim, got none")
        return Result(key, title, words, place, check, quick or {}, full or {}, tuple(rows), pieces, part)

    return make


def run_with(quick: Mapping[str, Any], full: Mapping[str, Any] | None = None) -> Callable[[Result], Result]:
    """Give a result the parameters of a quick run, and those of a full one that are others.

    >>> @run_with(quick={"n": 10}, full={"n": 1000})
    ... @claim("one", "One", "Section 1")
    ... def _one(seed, n):
    ...     "It is one."
    >>> _one.parameters(full=False), _one.parameters(full=True)
    ({'n': 10}, {'n': 1000})
    """
    return lambda result: replace(result, quick=quick, full=full or {})


def meets(*rows: str) -> Callable[[Result], Result]:
    """Name the rows of the checklist that a result meets."""
    return lambda result: replace(result, rows=rows)


def in_pieces(pieces: Pieces, part: Callable[..., Any]) -> Callable[[Result], Result]:
    """Have a result checked in pieces: ``part(seed, **piece)`` for each piece, and the check gets the answers.

    >>> def _halves(n):
    ...     return [{"first": 0, "n": n // 2}, {"first": n // 2, "n": n - n // 2}]
    >>> @in_pieces(_halves, lambda seed, first, n: first + n)
    ... @claim("one", "One", "Section 1", quick={"n": 9})
    ... def _one(done, seed, n):
    ...     "It is one."
    >>> _one.units(full=False)
    [{'first': 0, 'n': 4}, {'first': 4, 'n': 5}]
    """
    return lambda result: replace(result, pieces=pieces, part=part)


def results(names: Mapping[str, Any]) -> list[Result]:
    """Return the results that a module has defined, in its order: ``results(globals())``."""
    return [value for value in names.values() if isinstance(value, Result)]


@dataclass(frozen=True)
class Paper:
    """A paper, or the chapter of open questions: what it is called, where it appeared, what it claims.

    >>> from littlestone.papers import selected
    >>> paper, _ = selected("kivinen-warmuth", "theorem-13")[0]
    >>> paper.key, paper.title
    ('kivinen_warmuth', 'The Perceptron algorithm vs. Winnow')
    """

    key: str
    title: str
    source: str
    results: Sequence[Result]
    about: str = ""

    @classmethod
    def of_chapters(cls, package: str, title: str, source: str, chapters: str, about: str = "") -> Paper:
        """Return the paper of a package: its results are the RESULTS of these modules of it, in this order."""
        modules = [import_module(f"{package}.{chapter}") for chapter in chapters.split()]
        results = [result for module in modules for result in module.RESULTS]
        return cls(package.rpartition(".")[2], title, source, results, about)

    def __post_init__(self) -> None:
        keys = [result.key for result in self.results]
        double = sorted({key for key in keys if keys.count(key) > 1})
        if double:
            raise InvalidParameter(f"{self.key}: expected different results, got {', '.join(double)} twice")

    @cached_property
    def files(self) -> list[Path]:
        """The files in which its checks are written: their modules, and those beside them in a package of its own."""
        modules = {result.check.__module__ for result in self.results}
        found = {Path(inspect.getfile(sys.modules[name])) for name in modules}
        folders = {path.parent for path in found if path.parent.name == self.key}
        return sorted(found | {path for folder in folders for path in folder.glob("*.py")})
