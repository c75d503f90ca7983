"""The papers that are known, each imported when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from littlestone.core.errors import InvalidParameter
from littlestone.papers.result import Paper, Result

__all__ = ["PAPERS", "load", "selected"]

PAPERS = {  # key: the module that has it as PAPER; in the order of the page
    "kivinen_warmuth": "littlestone.papers.kivinen_warmuth",
    "agarwal": "littlestone.papers.agarwal",
    "khardon_roth_servedio": "littlestone.papers.khardon_roth_servedio",
    "helmbold_panizza_warmuth": "littlestone.papers.helmbold_panizza_warmuth",
    "fang_venkatesh": "littlestone.papers.fang_venkatesh",
    "open_questions": "littlestone.papers.open_questions",
}


def load(key: str) -> Paper:
    """Return the paper of this key.

    >>> load("kivinen_warmuth").title
    'The Perceptron algorithm vs. Winnow'
    """
    found: Paper = import_module(PAPERS[_known("paper", key.replace("-", "_"), list(PAPERS))]).PAPER
    return found


def selected(paper: str | None = None, result: str | None = None) -> list[tuple[Paper, Result]]:
    """Return one result of a paper, or all of them, or those of all papers; an unknown name lists the known ones.

    >>> [(paper.key, result.key) for paper, result in selected("kivinen-warmuth", "theorem-13")]
    [('kivinen_warmuth', 'theorem-13')]
    """
    if paper is None:
        if result is not None:
            raise InvalidParameter(f"reproduce: expected the paper of the result {result!r}, got none")
        return [(one, found) for one in map(load, PAPERS) for found in one.results]
    chosen = load(paper)
    by_key = {found.key: found for found in chosen.results}
    keys = list(by_key) if result is None else [_known(f"result of {chosen.key}", result, list(by_key))]
    return [(chosen, by_key[key]) for key in keys]


def _known(what: str, name: str, known: list[str]) -> str:
    if name in known:
        return name
    near = get_close_matches(name, known, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise InvalidParameter(f"reproduce: no {what} is called {name!r}{hint}; known are: {', '.join(known)}")
