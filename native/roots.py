"""Which compiled functions Python calls: they are what the module has to have; all others are compiled into them.

Found in the sources: a name of a kernel that stands outside of all kernels.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["of_dicts", "roots", "rules"]

KERNELS = frozenset({"native", "inlined", "kept", "of_dict"})
RULES = frozenset({"second_order"})

Trees = dict[str, ast.Module]


def _decorators(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for decorator in getattr(node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name):
            found.add(called.id)
    return found


def _trees(package: Path) -> Trees:
    """Return the sources of a package, by the names of their modules."""
    found: Trees = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text("utf-8"))
    return found


def _decorated(trees: Trees, by: frozenset[str]) -> dict[str, dict[str, set[str]]]:
    """Return the functions at the top of each module that are decorated, and with what."""
    found = {
        module: {
            node.name: _decorators(node)
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and _decorators(node) & by
        }
        for module, tree in trees.items()
    }
    return {module: functions for module, functions in found.items() if functions}


def _known(module: str, tree: ast.Module, kernels: dict[str, dict[str, set[str]]]) -> dict[str, str]:
    """Return what names of a module stand for: a kernel, or a module that has some."""
    found = {name: f"{module}.{name}" for name in kernels.get(module, ())}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in kernels or alias.name in kernels.get(node.module, ()):
                    found[alias.asname or alias.name] = full
    return found


def _used(node: ast.AST, known: dict[str, str], kernels: dict[str, dict[str, set[str]]]) -> Iterator[str]:
    """Yield the kernels that are named in Python's own code."""
    if isinstance(node, ast.FunctionDef) and _decorators(node) & (KERNELS | RULES):
        return
    if isinstance(node, ast.Name) and node.id in known:
        yield known[node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = known.get(node.value.id, "")
        if node.attr in kernels.get(module, ()):
            yield f"{module}.{node.attr}"
    for child in ast.iter_child_nodes(node):
        yield from _used(child, known, kernels)


def roots(package: Path) -> list[str]:
    """Return the full names of the kernels that Python calls."""
    trees = _trees(package)
    kernels = _decorated(trees, KERNELS)
    found = {name for module, tree in trees.items() for name in _used(tree, _known(module, tree, kernels), kernels)}
    found |= {f"{module}.{name}" for module, those in kernels.items() for name in those if "kept" in those[name]}
    every = {f"{module}.{name}": by for module, those in kernels.items() for name, by in those.items()}
    return sorted(name for name in found if name in every and "inlined" not in every[name])


def of_dicts(package: Path) -> set[str]:
    """Return the full names of the kernels of one row that Python calls with a dict."""
    kernels = _decorated(_trees(package), KERNELS)
    return {f"{module}.{name}" for module, those in kernels.items() for name in those if "of_dict" in those[name]}


def rules(package: Path) -> list[str]:
    """Return the full names of the rules that kernels call by their addresses."""
    return sorted(f"{module}.{name}" for module, those in _decorated(_trees(package), RULES).items() for name in those)
