"""Public names: the same everywhere; tests/docs/test_reference.py has their pages and examples."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import littlestone as ls

SOURCE = Path(ls.__file__).parent
ROOMS = (
    "bounds", "games.certificates", "games.evaluation", "learners", "models.explanation", "models.files",
    "models.pruning", "models.training", "parts.bayes", "parts.kernels", "parts.links", "report", "river", "sklearn",
    "streams", "streams.datasets", "teachers", "theory.contests", "theory.diagnostics", "theory.drift",
    "theory.hindsight", "theory.online_to_batch", "theory.reductions",
)  # fmt: skip


def test_public_names_are_the_same_everywhere():
    """__all__, what can be had, dir() and the stub for type checkers agree."""
    stub = ast.parse((SOURCE / "__init__.pyi").read_text())
    stubbed = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert stubbed == set(ls.__all__)
    assert sorted(ls.__all__) == sorted(set(ls.__all__))
    for name in ls.__all__:
        assert getattr(ls, name) is not None
    assert set(ls.__all__) <= set(dir(ls))
    with pytest.raises(AttributeError, match="no attribute 'Winow'"):
        ls.Winow  # noqa: B018


def public_things():
    """What the package and its public modules offer to be called, by its full name."""
    inner = {thing.__name__ for thing in (getattr(ls, name) for name in ls.__all__) if inspect.ismodule(thing)}
    found = {}
    for module in [ls, *map(import_module, sorted(inner | {f"littlestone.{name}" for name in ROOMS}))]:
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and not inspect.ismodule(thing):
                found.setdefault(f"{thing.__module__}.{name}", thing)
    return found
