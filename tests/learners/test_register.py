"""The register: a learner is its file, and a learner of another package its entry point; nothing else is written."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import littlestone as ls
from littlestone.learners.register import LEARNERS, command_name, ours
from littlestone.learners.regressors.register import our_regressors

SOURCE = Path(ls.__file__).parent
LAZY = '''
"""The lazy Perceptron."""

from littlestone.core.parameters import number
from littlestone.learners.quasi_additive import Duals, QuasiAdditiveLearner, Rule
from littlestone.parts import links
from littlestone.parts.links import conservative

__all__ = ["LazyPerceptron"]


class LazyPerceptron(QuasiAdditiveLearner):
    """The Perceptron, which begins with small steps."""

    eta: float = number(default=0.25, above=0, says="The step.")

    def _build(self, n):
        rule = Rule.counted(
            self.eta, link=links.identity(), start=0.0, theta=0.0, margin=conservative(self.margin),
            averaged=self.averaged, dtype=self.dtype,
        )
        return Duals(rule, n)
'''
FACADES = """
import numpy as np, littlestone.sklearn, littlestone.river
X = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]); y = np.array([1, 0, 1, 1])
model = littlestone.sklearn.LazyPerceptronClassifier(eta=0.5).fit(X, y)
print(type(model.learner_).__name__, model.get_params()["eta"], model.run_.trials)
model = littlestone.river.LazyPerceptronClassifier(eta=0.5)
model.learn_one({"a": 1}, True)
print(type(model.learner_).__name__, model.learner_.trials)
import pickle
print(type(pickle.loads(pickle.dumps(model))).__name__)
"""
CLASSIFIED = ["LazyPerceptron 0.5 4", "LazyPerceptron 1", "LazyPerceptronClassifier"]


def run(*arguments, path, expected=0):
    """Run Python with these folders first on its path; return stdout and stderr."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONWARNINGS": "default"}
    environment["COLUMNS"] = "160"
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False, timeout=300
    )
    assert done.returncode == expected, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def package(folder, name, points, **files):
    """Write an installed package: its modules, and a dist-info with entry points."""
    (folder / f"{name}-1.2.dist-info").mkdir(parents=True)
    (folder / f"{name}-1.2.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    lines = "\n".join(f"{key} = {value}" for key, value in points.items())
    (folder / f"{name}-1.2.dist-info" / "entry_points.txt").write_text(f"[littlestone.learners]\n{lines}\n")
    for file, text in files.items():
        (folder / f"{file}.py").write_text(text)
    return folder


def test_a_learner_is_the_class_that_its_file_is_called_after():
    """Whoever writes a learner into a file of another name learns of it here, not by its absence."""
    every = {*ours().values(), *our_regressors().values()}
    kinds = [ls.Learner]
    for kind in kinds:
        kinds += kind.__subclasses__()
    public = {kind for kind in kinds if kind.__module__.startswith("littlestone.learners.")}
    concrete = {kind for kind in public if not getattr(kind, "__abstractmethods__", None)}
    assert concrete == every
    for kind in concrete:
        room = "learners.regressors" if issubclass(kind, ls.Regressor) else "learners"
        assert kind.__module__ == f"littlestone.{room}.{command_name(kind).replace('-', '_')}"


def test_the_register_is_a_mapping_that_imports_what_is_asked_for():
    assert set(LEARNERS) == {command_name(kind) for kind in LEARNERS.values()}
    assert len(LEARNERS) == len(list(LEARNERS)) >= 39
    assert all(name in LEARNERS and LEARNERS[name]().params() is not None for name in LEARNERS)
    assert not {"base", "second-order", "counting", "experts", "delayed", "", "Winnow", 3} & {
        name for name in ("base", "second-order", "counting", "experts", "delayed", "", "Winnow", 3) if name in LEARNERS
    }
    code = (
        "import sys; from littlestone.learners import by_name; by_name('winnow'); print(sorted(m for m in sys.modules"
    )
    shown, _ = run("-c", f"{code} if m.startswith('littlestone.learners.')))", path=[SOURCE.parent])
    assert "littlestone.learners.winnow" in shown and "romma" not in shown and "kernel" not in shown


@pytest.mark.parametrize("name", ["", "bounds", "learners", "streams", "teachers", "theory.drift"])
def test_the_stubs_of_names_are_what_their_program_writes(name):
    program = SOURCE.parents[1] / "docs" / "stubs.py"
    if not program.exists():
        pytest.skip("the documentation is not beside the package")
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")
    pytest.importorskip("river", reason="river is not installed: pip install littlestone[river]")
    made = runpy.run_path(str(program))
    assert made["stub"](name).read_text() == made["page"](name), "run make stubs"


def test_adding_a_learner_takes_one_file(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")
    pytest.importorskip("river", reason="river is not installed: pip install littlestone[river]")
    shutil.copytree(SOURCE, tmp_path / "littlestone", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "littlestone" / "learners" / "lazy_perceptron.py").write_text(LAZY)
    code = """
import littlestone as ls
print(*ls.LazyPerceptron().params().values(), "LazyPerceptron" in ls.__all__, "LazyPerceptron" in dir(ls))
print(ls.learners.by_name("lazy-perceptron") is ls.LazyPerceptron is ls.learners.LazyPerceptron)
ls.check_learner(ls.LazyPerceptron())
"""
    shown, _ = run("-c", code + FACADES, path=[tmp_path])
    assert shown.splitlines() == ["0.25 False 0.0 False float64 True True", "True", *CLASSIFIED]
    shown, _ = run("-m", "littlestone", "duel", "lazy-perceptron", "hadamard", "d=3", "-s", "eta=2", path=[tmp_path])
    assert shown.startswith("LazyPerceptron(eta=2) against")
    shown, _ = run("-m", "littlestone", "learners", "lazy-perceptron", path=[tmp_path])
    assert "The step." in shown and "Predict with the mean of all hypotheses so far." in shown


def test_a_learner_of_another_package(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")
    pytest.importorskip("river", reason="river is not installed: pip install littlestone[river]")
    package(tmp_path, "lazy", {"lazy-perceptron": "lazy.learners:LazyPerceptron"})
    (tmp_path / "lazy").mkdir()
    (tmp_path / "lazy" / "__init__.py").write_text("")
    (tmp_path / "lazy" / "learners.py").write_text(LAZY)
    path = [tmp_path, SOURCE.parent]
    code = f"""
import littlestone as ls
kind = ls.learners.by_name("lazy-perceptron")
print(kind.__module__, "lazy-perceptron" in list(ls.learners.LEARNERS), hasattr(ls, "LazyPerceptron"))
ls.check_learner(kind())
ls.save(kind(eta=2.0), {str(tmp_path / "model.npz")!r})
print(repr(ls.load({str(tmp_path / "model.npz")!r})))
"""
    shown, _ = run("-c", code + FACADES, path=path)
    assert shown.splitlines() == ["lazy.learners True False", "LazyPerceptron(eta=2.0)", *CLASSIFIED]
    shown, _ = run("-m", "littlestone", "duel", "lazy-perceptron", "hadamard", "d=3", path=path)
    assert shown.startswith("LazyPerceptron() against")
    _, said = run("-m", "littlestone", "duel", "lazy-perceptro", "hadamard", path=path, expected=2)
    assert "lazy-perceptron" in said


def test_a_package_that_is_broken_breaks_nothing_of_ours(tmp_path):
    broken = {
        "torn-learner": "torn:TornLearner",
        "no-learner": "missing_module:NoLearner",
        "some-thing": "things:SomeThing",
        "odd-name": "things:Winnow",
        "half-learner": "things:HalfLearner",
    }
    things = (
        "import littlestone as ls\nclass SomeThing: pass\nclass Winnow(ls.Winnow): pass\n"
        "class HalfLearner(ls.Winnow):\n    def __init__(self, *, k): super().__init__()\n"
    )
    package(tmp_path, "torn", broken, torn="raise RuntimeError('torn apart')", things=things)
    path = [tmp_path, SOURCE.parent]
    shown, said = run("-m", "littlestone", "--help", path=path)
    assert "duel" in shown and not said
    shown, _ = run("-m", "littlestone", "duel", "winnow", "disjunction", "n=20", "k=2", "trials=10", path=path)
    assert shown.startswith("Winnow()")
    shown, _ = run("-m", "littlestone", "learners", path=path)
    assert "Multiply the weights it misses" in shown and "RuntimeError: torn apart" in " ".join(shown.split())
    wrong = {
        "torn-learner": "torn 1.2 as torn:TornLearner, which cannot be imported: RuntimeError: torn apart",
        "no-learner": "cannot be imported: ModuleNotFoundError: No module named 'missing_module'",
        "some-thing": "expected a class that is a littlestone.Learner",
        "odd-name": "must go by the name 'winnow'",
        "half-learner": "expected a default of every parameter",
    }
    code = f"""
import littlestone as ls
for name in {list(wrong)!r}:
    try:
        ls.learners.by_name(name)
    except ls.InvalidParameter as error:
        print(error)
"""
    shown, _ = run("-c", code, path=path)
    lines = shown.splitlines()
    assert len(lines) == len(wrong)
    for line, (name, message) in zip(lines, wrong.items(), strict=True):
        assert line.startswith(f"learner: {name!r} is registered by the package torn 1.2") and message in line
    _, said = run("-m", "littlestone", "duel", "torn-learner", "hadamard", path=path, expected=2)
    assert "package torn 1.2" in said and "Traceback" not in said


def test_a_name_of_ours_is_refused_and_so_is_one_that_two_packages_claim(tmp_path):
    package(
        tmp_path, "thief", {"winnow": "thief:Winnow"}, thief="import littlestone as ls\nclass Winnow(ls.Winnow): pass"
    )
    package(tmp_path, "one", {"lazy-perceptron": "lazy_one:LazyPerceptron"}, lazy_one=LAZY)
    package(tmp_path, "two", {"lazy-perceptron": "lazy_two:LazyPerceptron"}, lazy_two=LAZY)
    code = "from littlestone.learners import LEARNERS; print(len(list(LEARNERS)), LEARNERS['winnow'].__module__)"
    shown, said = run("-c", code, path=[tmp_path, SOURCE.parent])
    assert shown == f"{len(LEARNERS) + 1} littlestone.learners.winnow"
    assert "thief 1.2 registers thief:Winnow as the learner 'winnow', which is the name of littlestone's own" in said
    assert "registers lazy_" in said and "it needs a name of its own" in said
