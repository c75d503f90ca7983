"""Types in signatures: those that are public names are called by their full names, so that Sphinx links them."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from typing import Any

from docs.building.names import names

__all__ = ["qualified"]


@cache
def _imported(module: str) -> dict[str, tuple[str, str]]:
    """Return for each name in a module where it comes from, also of what only type checkers import."""
    found: dict[str, tuple[str, str]] = {}
    tree = ast.parse(inspect.getsource(import_module(module)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
        elif isinstance(node, ast.ClassDef):
            found[node.name] = module, node.name
    return found


@cache
def _public() -> dict[int, str]:
    return {id(name.thing): name.full for name in names() if inspect.isclass(name.thing)}


def qualified(annotation: str, module: str) -> str:
    """Return an annotation of a module with the full names of the public classes in it.

    >>> qualified("Iterable[Run] | None", "littlestone.games.game")
    'Iterable[littlestone.Run] | None'
    """

    def full(match: re.Match[str]) -> str:
        place, name = _imported(module).get(match[0], ("", ""))
        if not place.startswith("littlestone"):
            return match[0]
        thing: Any = getattr(import_module(place), name, None)
        return _public().get(id(thing), match[0])

    if not module.startswith("littlestone"):
        return annotation
    return re.sub(r"(?<![\w.'\"])[A-Z]\w*(?![\w'\"])", full, annotation)
