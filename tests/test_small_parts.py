"""Rationals, vocabularies, errors, and the list of public names."""

import ast
import inspect
import runpy
import tomllib
from dataclasses import is_dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core import errors
from littlestone.core.rational import simplest_fraction

SOURCE = Path(ls.__file__).parent
ROOMS = (
    "bounds", "games.certificates", "games.evaluation", "learners", "models.explanation", "models.files",
    "models.pruning", "models.training", "parts.bayes", "parts.kernels", "parts.links", "report", "river", "sklearn",
    "streams", "streams.datasets", "teachers", "theory.contests", "theory.diagnostics", "theory.drift",
    "theory.hindsight", "theory.online_to_batch", "theory.reductions",
)  # fmt: skip
BASES = {"LearnerClassifier", "ManyClassifier"}


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
def test_the_simplest_fraction_rounds_back(value):
    assert float(simplest_fraction(value)) == value


@given(st.integers(-1000, 1000), st.integers(1, 1000))
def test_a_small_fraction_is_found_again(numerator, denominator):
    assert simplest_fraction(numerator / denominator) == Fraction(numerator, denominator)


def test_exact_numbers_stay_what_they_are():
    assert simplest_fraction(Fraction(1, 3)) == Fraction(1, 3)
    assert simplest_fraction(7) == 7
    assert float(simplest_fraction(2.0**-1070)) == 2.0**-1070


def test_a_vocabulary_grows_and_forgets_nothing():
    words = ls.Vocabulary(["b", "a"])
    words.add(["c", "a"])
    assert list(words) == ["b", "a", "c"]
    assert words.unseen({"z", "y", "a"}) == ["y", "z"]
    assert words.unseen([("t", 1), 5, "x"]) == [5, "x", ("t", 1)]
    assert words.column("c") == 2
    assert words.column("q") is None
    assert words.name(0) == "b"
    assert "a" in words
    assert repr(words) == "Vocabulary(3 names)"
    assert list(ls.Vocabulary.from_state(words.state())) == ["b", "a", "c"]
    numbers = ls.Vocabulary([5, 3])
    assert list(ls.Vocabulary.from_state(numbers.state())) == [5, 3]
    assert len(ls.Vocabulary.from_state(ls.Vocabulary().state())) == 0
    mixed = [("a", ("b", 2.5)), 3, "", "a\0", "\ud800", -(2**70), 0.1, None, False, b"\xff"]
    again = list(ls.Vocabulary.from_state(ls.Vocabulary(mixed).state()))
    assert again == mixed
    assert list(map(type, again)) == list(map(type, mixed))
    with pytest.raises(errors.InvalidData, match="to be written down, .* got frozenset"):
        ls.Vocabulary([frozenset({1})]).state()
    copied = words.copy()
    copied.add(["d"])
    assert (len(words), len(copied)) == (3, 4)


def test_names_arrive_in_an_order_of_their_own():
    """Columns do not depend on how a set or a dict happened to be arranged."""
    one, other = ls.Perceptron(), ls.Perceptron()
    one.learn_one(["c", "a", "b"], 1)
    other.learn_one({"b": 1, "c": 1, "a": 1}, 1)
    assert list(one.vocabulary) == list(other.vocabulary) == ["a", "b", "c"]


def test_all_errors_are_in_the_tree():
    assert issubclass(errors.InvalidData, ValueError)
    for name in errors.__all__:
        assert name in (errors.__doc__ or "")
        assert issubclass(getattr(errors, name), errors.LittlestoneError)


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


def made_by_others(thing):
    """Tell whether it is a class that users do not make: an error, a plain record that is returned, a base."""
    if not inspect.isclass(thing):
        return False
    plain = is_dataclass(thing) or issubclass(thing, Exception | tuple)
    return plain or inspect.isabstract(thing) or getattr(thing, "_is_protocol", False) or thing.__name__ in BASES


def test_everything_public_has_an_example():
    """Examples run as doctests, with the files that they stand in."""
    without = []
    for name, thing in public_things().items():
        parts = [thing, *vars(thing).values()] if inspect.isclass(thing) else [thing]
        if not any(">>>" in (getattr(part, "__doc__", None) or "") for part in parts) and not made_by_others(thing):
            without.append(name)
    assert not without


def test_examples_of_all_pages_run():
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert {"src", "docs/*.md", "README.md"} <= set(settings["testpaths"])
    assert {"--doctest-modules", "--doctest-glob=*.md"} <= set(settings["addopts"].split())


@pytest.mark.parametrize("path", [p for p in sorted(SOURCE.rglob("*.py")) if p.name != "__main__.py"], ids=str)
def test_every_module_has_a_docstring_and_says_what_is_public(path):
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    if "engine" not in path.parts and len(tree.body) > 1:  # a folder that is only that offers nothing
        assert any(isinstance(node, ast.Assign) and node.targets[0].id == "__all__" for node in tree.body
                   if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name))  # fmt: skip
    assert len(path.read_text().splitlines()) <= 400


def test_naive_twins_never_import_littlestone():
    for path in (Path(__file__).parent / "naive").glob("*.py"):
        assert "littlestone" not in path.read_text().replace("never importing littlestone", "")


def test_there_is_a_twin_for_every_learner():
    twins = {path.stem for path in (Path(__file__).parent / "naive").glob("*.py")}
    learners = {name.replace("-", "_") for name in ls.learners.LEARNERS}
    assert learners - {"quasi_additive"} <= twins


@pytest.mark.parametrize("name", [
    "theorems", pytest.param("dnf", marks=pytest.mark.slow), pytest.param("papers", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_page_is_what_its_program_writes(name):
    root = SOURCE.parents[1]
    if not (root / "docs").is_dir():
        pytest.skip("the documentation is not beside the package")
    made = runpy.run_path(str(root / "docs" / f"{name}.py"))["page"]()
    assert (root / "docs" / f"{name}.md").read_text(encoding="utf-8") == made, "run make docs"


def test_kernels_that_stand_in_several_files_are_the_same():
    """Numba's cache does not notice changes in jitted functions of other files, so that each file has its own copy."""
    from littlestone.engine.learning import alma, duals, steps

    for name in ("_sum", "_dot"):  # csr's are for float32 too
        sums = {
            inspect.getsource(vars(module)[name].py_func).replace("Weights", "Floats")
            for module in (alma, duals, steps)
        }
        assert len(sums) == 1
