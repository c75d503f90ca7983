"""The house: no room looks into another room's private modules and names, and there are few rooms and floors."""

import ast
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import littlestone as ls

SOURCE = Path(ls.__file__).parent
SETTINGS = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS = SETTINGS["contracts"][0]["layers"]


def room(path):
    """The room that a file stands in."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def private_imports(path, tree):
    """Yield what a file imports from another room's private modules, or under a private name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("littlestone."):
            parts = node.module.split(".")[1:]
            names = [*parts[1:], *(alias.name for alias in node.names)]
            if parts[0] != room(path) and any(name.startswith("_") and name != "__version__" for name in names):
                yield f"{path.relative_to(SOURCE)}:{node.lineno} {node.module}"


def test_no_room_imports_what_is_private_in_another():
    found = [
        line for path in SOURCE.rglob("*.py") for line in private_imports(path, ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


def test_a_private_import_would_be_noticed():
    tree = ast.parse("from littlestone.streams.formats._lines import lines\nfrom littlestone.core.rows import _row")
    assert len([*private_imports(SOURCE / "cli" / "train.py", tree)]) == 2
    assert [*private_imports(SOURCE / "streams" / "base.py", tree)] == [
        f"{Path('streams') / 'base.py'}:2 littlestone.core.rows"
    ]


def test_there_are_few_rooms_and_floors():
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    files = {path.name for path in SOURCE.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert len(rooms | files) <= 18
    assert {name.strip() for layer in LAYERS for name in layer.split("|")} == rooms | {"__main__"}
    assert len(LAYERS) <= 13


def test_learners_are_all_public():
    assert [path.name for path in (SOURCE / "learners").glob("_*.py")] == ["__init__.py"]


@pytest.mark.parametrize("path", [p for p in sorted(SOURCE.rglob("*.py")) if p.name != "__main__.py"], ids=str)
def test_every_module_has_a_docstring_and_says_what_is_public(path):
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    if path.with_suffix(".pyi").exists():  # a package whose names follow from the register of learners
        assert import_module(".".join(path.relative_to(SOURCE.parent).parent.parts)).__all__
    elif "engine" not in path.parts and len(tree.body) > 1:  # a folder that is only that offers nothing
        assert any(isinstance(node, ast.Assign) and node.targets[0].id == "__all__" for node in tree.body
                   if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name))  # fmt: skip
    assert len(path.read_text().splitlines()) <= 400


def test_naive_twins_never_import_littlestone():
    for path in (Path(__file__).parent / "naive").glob("*.py"):
        assert "littlestone" not in path.read_text().replace("never importing littlestone", "")


def test_there_is_a_twin_for_every_learner():
    twins = {path.stem for path in (Path(__file__).parent / "naive").glob("*.py")}
    learners = {name.replace("-", "_") for name in ls.learners.LEARNERS}
    assert learners - {"own_rule", "quasi_additive"} <= twins
