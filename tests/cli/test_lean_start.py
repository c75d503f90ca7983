"""What a command imports, and how much memory it takes: no more than it uses."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from littlestone.cli import _output
from littlestone.cli import main as command

# What no command needs that learns from a file or predicts one
HEAVY = ("numba", "llvmlite", "scipy", "rich", "jinja2", "numpy.ma", "numpy.random", "concurrent", "importlib.metadata")
UNUSED = (
    "littlestone.theory",
    "littlestone.games.certificates",
    "littlestone.models.explanation",
    "littlestone.papers",
)
SCRIPT = """
import json, os, sys
before = dict(os.environ)
from littlestone.cli import main
code = main(sys.argv[1:], prog_name="littlestone", standalone_mode=False)
named = {name: value for name, value in os.environ.items() if name not in before}
print(json.dumps([sorted(sys.modules), named]), file=sys.stderr)
"""
MEMORY = """
import resource, sys
from littlestone.cli import main
main(sys.argv[1:], prog_name="littlestone", standalone_mode=False)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
STARTER = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"


def run(script, *words, **environment):
    """Run a command in a process of its own, whose parent is small; return the last line of its stderr."""
    starter = [sys.executable, "-I", "-S", "-c", STARTER, sys.executable, "-c", script]
    usual = {name: value for name, value in os.environ.items() if name not in _output.ASKED_OF_RICH}  # pytest sets some
    done = subprocess.run(
        [*starter, *map(str, words)], capture_output=True, text=True, check=True, env=usual | environment
    )
    return done.stderr.splitlines()[-1]


def imported(*words, **environment):
    return json.loads(run(SCRIPT, *words, **environment))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of a kilobyte in two formats, and a model."""
    folder = tmp_path_factory.mktemp("lean")
    (folder / "rows.svm").write_text("".join(f"{1 if i % 3 else -1} {i % 3 + 1}:1 {i % 7 + 5}:1\n" for i in range(80)))
    (folder / "rows.vw").write_text("".join(f"{1 if i % 3 else -1} |a x{i % 3} y{i % 7}\n" for i in range(80)))
    command(["train", str(folder / "rows.svm"), "-q", "-m", str(folder / "model.npz")], standalone_mode=False)
    return folder


def ahead():
    """Tell whether kernels were compiled when the package was installed: otherwise Numba is needed."""
    from littlestone.engine import ahead as found

    return found.native is not None


@pytest.mark.skipif(not ahead(), reason="kernels are compiled as they are called")
@pytest.mark.parametrize(
    "call",
    [
        "train rows.svm -l perceptron",
        "train rows.svm -l winnow -q -m new.npz",
        "train rows.svm -l auto -q",
        "train rows.vw --json",
        "train rows.vw -q --hash-bits 10",
        "predict model.npz rows.svm",
        "evaluate model.npz rows.svm",
    ],
)
def test_a_command_imports_no_compiler_and_nothing_that_it_does_not_use(files, call):
    words = [files / word if "." in word else word for word in call.split()]
    modules, _ = imported(*words)
    found = [m for m in modules if any(m == name or m.startswith(f"{name}.") for name in (*HEAVY, *UNUSED))]
    assert found == []
    assert len([m for m in modules if m.startswith("littlestone.bounds.")]) <= 4
    if call.startswith("train") and "-m" not in words:
        assert not any(m.startswith("littlestone.models.files") for m in modules)


@pytest.mark.skipif(not ahead(), reason="kernels are compiled as they are called")
@pytest.mark.parametrize("call", ["compare -t 300", "compare rows.svm", "compare rows.vw -l theory"])
def test_a_comparison_needs_no_scipy_and_nothing_that_draws(files, call):
    words = [files / word if "." in word else word for word in call.split()]
    modules, _ = imported(*words)
    heavy = {"numba", "llvmlite", "scipy", "rich", "jinja2", "matplotlib"}
    assert [module for module in modules if module.split(".")[0] in heavy] == []


def test_numpy_starts_no_threads_unless_they_are_asked_for(files):
    _, named = imported("train", files / "rows.svm", "-q")
    assert named["OPENBLAS_NUM_THREADS"] == named["MKL_NUM_THREADS"] == "1"
    _, named = imported("train", files / "rows.svm", "-q", OPENBLAS_NUM_THREADS="2")
    assert "OPENBLAS_NUM_THREADS" not in named


def test_the_library_leaves_the_environment_alone():
    code = "import os, sys; b = dict(os.environ); import littlestone as ls; ls.Winnow; print(b == dict(os.environ))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems count memory in other units")
@pytest.mark.skipif(not ahead(), reason="a compiler takes memory")
def test_memory_does_not_grow_with_the_file(tmp_path):
    rng, peaks = np.random.default_rng(0), []
    for rows in (100, 20_000):
        columns = np.sort(rng.integers(1, 1700, (rows, 75)) + 1700 * np.arange(75), axis=1).tolist()
        lines = (f"{1 if row[0] < 800 else -1} {' '.join(f'{i}:1' for i in row)}\n" for row in columns)
        path = tmp_path / f"{rows}.svm"
        path.write_text("".join(lines))
        peaks.append(int(run(MEMORY, "train", path, "-q", "-l", "perceptron")) / 1024)
    assert peaks[0] < 60  # megabytes; NumPy alone takes 25
    assert peaks[1] < 90


def test_a_table_looks_as_rich_draws_it(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    rng = np.random.default_rng(0)

    def word():
        return "".join(rng.choice(list("ab1,.-[] ()"), rng.integers(0, 10)))

    plain = 0
    for _ in range(300):
        count = int(rng.integers(1, 6))
        options = [{"justify": "right"}, {}, {"no_wrap": True}][rng.integers(3)]
        columns = [(word(), options) for _ in range(count)]
        rows = [tuple(word() for _ in range(count)) for _ in range(rng.integers(0, 5))]
        _output.print_table(columns, rows)
        drawn = capsys.readouterr().out
        with monkeypatch.context() as patch:
            patch.setattr(_output, "_plain_table", lambda *_: None)
            _output.print_table(columns, rows)
        assert drawn == capsys.readouterr().out
        plain += _output._plain_table(columns, rows) is not None
    assert plain > 10


@pytest.mark.parametrize("cell", ["\u4f60", ":smile:", "a\nb", "x" * 130, ""])
def test_what_only_rich_can_draw_is_left_to_rich(monkeypatch, cell):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert _output._plain_table([(cell, {})], []) is None
    monkeypatch.setenv("COLUMNS", "80")
    assert _output._plain_table([("a", {})], []) is None
