"""Write docs/theorems/: every theorem of `littlestone.bounds` by its paper and by its learner, from the registers."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable
from doctest import DocTestParser
from importlib import import_module
from itertools import groupby
from typing import Any

from by_learner import by_learner
from guarantees import guarantees, named
from linking import api, paper_of, theorem, title
from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.bound import Statement
from littlestone.bounds.symbols import BOUNDED
from littlestone.papers import PAPERS

__all__ = ["pages"]

INTRO = """# Theorems

Every theorem is a function in `littlestone.bounds` that takes numbers and returns a `Bound`: its value, whether it is
an upper bound, a lower bound or exact, of what, the theorem, its assumptions and its source. On the command line
`littlestone bound NAME n=... k=...` asks it, `littlestone bound NAME n=... k=? --target 100` the other way round.

```python
>>> import littlestone as ls
>>> bound = ls.bounds.winnow_disjunction(n=1000, k=5)
>>> bound.value, bound.at(k=1).value
(151, 31)
>>> print(bound.needed("n", 200))
n <= 8192 (mistakes <= 196, Kivinen-Warmuth, Winnow, derived)

```

Below they stand by the papers that they are from; [by learner](by-learner.md) they stand by those that have them as a
guarantee. What a source proves with other constants, or only implies, is called derived. A test computes the formulas
and compares them with the functions; `tests/bounds/test_formulas.py` names the three that cannot be computed so, and
says why.
"""
RELATION = re.compile(r"(?<= )(?:=|<|>|\\le|\\ge)(?= )")
KINDS = {"upper": "upper bound on", "lower": "lower bound on", "exact": "exact value of the"}


def pages() -> dict[str, str]:
    """Return the pages by their paths below docs/."""
    papers = {paper: list(group) for paper, group in groupby(STATEMENTS.values(), paper_of)}
    made = {"index": _index(papers), "by-learner": by_learner()}
    made |= {paper: _page(paper, own) for paper, own in papers.items()}
    return {f"theorems/{name}.md": text for name, text in made.items()}


# The index


def _index(papers: dict[str, list[Statement]]) -> str:
    lines = [INTRO]
    for paper, own in papers.items():
        rows = [f"| {theorem(one.name)} | {one.theorem} | {KINDS[one.kind]} {one.of} | ${one.says}$ |" for one in own]
        lines += [
            f"## [{title(paper)}]({paper}.md)\n",
            "| function | theorem | what it is | formula |",
            "|---|---|---|---|",
        ]
        lines += [*rows, ""]
    return "\n".join(lines).rstrip() + "\n"


# A paper


def _page(paper: str, own: Iterable[Statement]) -> str:
    about = inspect.getdoc(import_module(f"littlestone.bounds.{paper}")) or ""
    parts = [f"# {title(paper)}: theorems", about.replace("``", "`")]
    if paper in PAPERS:
        parts.append(
            f"What became of the paper's claims when they were checked: [results](../papers/{paper}/index.md)."
        )
    parts.append("```python\n>>> import littlestone as ls\n\n```")
    parts += ["\n\n".join(_entry(statement)) for statement in own]
    return "\n\n".join([*parts, "[All theorems](index.md), [by learner](by-learner.md)"]) + "\n"


def _entry(statement: Statement) -> list[str]:
    """Return the parts of a theorem's entry."""
    parts = [f"## `{statement.name}`", f"**{statement.theorem}**: {KINDS[statement.kind]} {statement.of}."]
    parts += [f"$$\n{statement.says}\n$$"]
    if statement.implicit:
        parts.append("The bound is the largest $M$ for which this holds.")
    parts += _where(statement.where)
    parts += [_arguments(statement), f"Assumes: {statement.assumptions}.", f"Source: {statement.source}."]
    parts += [*_words(statement.name), _example(statement), _function(statement)]
    return [*parts, *_learners(statement.name)]


def _where(lines: Iterable[str]) -> list[str]:
    """Return what defines symbols, a line each, and under which conditions the theorem says something."""
    made, conditions = [], []
    for line in lines:
        found = RELATION.search(line)
        (made if found is not None and found[0] == "=" else conditions).append(f"${line}$")
    parts = ["\n".join(["where", "", *(f"- {line}" for line in made)])] if made else []
    return parts + ([f"It says nothing unless {' and '.join(conditions)}."] if conditions else [])


def _function(statement: Statement) -> str:
    numbers = [*statement.required, *(f"{name}={_short(number)}" for name, number in statement.optional.items())]
    return f"Function: {api(f'bounds.{statement.name}')}, `{statement.name}({', '.join(numbers)})`."


def _short(number: float | None) -> str:
    return "None" if number is None else f"{number:g}"


def _arguments(statement: Statement) -> str:
    """Return what the function takes, a line each: the symbol, the name, what it is, and what it may be."""
    bounded = BOUNDED[statement.of]
    first = (
        []
        if any(symbol == bounded for symbol, _ in statement.symbols.values())
        else [f"- ${bounded}$: the {statement.of}"]
    )
    lines = []
    for name, (symbol, meaning) in statement.symbols.items():
        kind = "a whole number" if name in statement.whole else "a number"
        said = f"- ${symbol}$, `{name}`: {meaning}; {' '.join([kind, statement.ranges.get(name, '')]).strip()}"
        if name in statement.usual:
            said += f", or None: ${statement.usual[name]}$"
        elif name in statement.optional:
            number = statement.optional[name]
            said += ", or None" if number is None else f", {_short(number)} if not given"
        lines.append(said)
    return "\n".join(["with", "", *first, *lines])


def _words(name: str) -> list[str]:
    """Return what the docstring says besides its examples, a paragraph each."""
    text = inspect.getdoc(THEOREMS[name]) or ""
    paragraphs = (part for part in text.split("\n\n") if not part.lstrip().startswith(">>>"))
    return [part.replace("``", "`") for part in paragraphs]


def _example(statement: Statement) -> str:
    """Return a call of the function with the arguments of its docstring, and what it prints."""
    numbers = _call(statement)
    found = textwrap.fill(str(THEOREMS[statement.name](**numbers)), 116, break_on_hyphens=False, break_long_words=False)
    told = ", ".join(f"{name}={number}" for name, number in numbers.items())
    return f"```python\n>>> print(ls.bounds.{statement.name}({told}))\n{found}\n\n```"


def _call(statement: Statement) -> dict[str, Any]:
    """Return the arguments of the first call in the docstring, those that are plain numbers there."""
    function = THEOREMS[statement.name]
    space = vars(import_module(function.__module__))
    for example in DocTestParser().get_examples(function.__doc__ or ""):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == statement.name:
                given = {one.arg: _number(one.value, space) for one in node.keywords if one.arg is not None}
                return {name: number for name, number in given.items() if number is not None}
    raise ValueError(f"{statement.name}: its docstring has no example that calls it")


def _number(node: ast.expr, space: dict[str, Any]) -> float | None:
    """Return the number that an argument is, in few digits if it is computed; None: a name that is not known."""
    try:
        found: float = eval(ast.unparse(node), dict(space))  # noqa: S307 - of a docstring of ours
    except NameError:
        return None
    return found if isinstance(node, ast.Constant) or isinstance(found, int) else float(f"{found:.4g}")


def _learners(theorem: str) -> list[str]:
    """Return whose guarantee it is, and who else names it."""
    having = {name: one.made for name, own in guarantees().items() for one in own if one.bound.name == theorem}
    naming = [name for name, theorems in named().items() if theorem in theorems and name not in having]
    parts = []
    if having:
        parts.append("Guarantee of " + ", ".join(f"{api(name)} (`{made}`)" for name, made in having.items()) + ".")
    if naming:
        parts.append(f"{'Also about' if having else 'About'} {', '.join(map(api, naming))}.")
    return parts


if __name__ == "__main__":
    from writing import write_pages

    write_pages("theorems", pages())
