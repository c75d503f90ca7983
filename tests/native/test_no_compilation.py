"""Where kernels are compiled ahead of time nothing is compiled, nor Numba imported; else it is announced."""

import json
import os
import subprocess
import sys

import pytest

from littlestone.engine import ahead

ROWS = [({"a": 1, "c": 0.5}, 1), ({"b": 1, "c": 1}, 0), ({"a": 1, "b": 1}, 1), ({"c": 1}, 0)] * 10
LEARNERS = ("perceptron", "winnow", "auto", "arow", "balanced-winnow", "passive-aggressive", "adagrad", "naive-bayes")
TAKES_VALUES = ("perceptron", "winnow", "auto", "arow", "balanced-winnow", "passive-aggressive", "adagrad")
CALLS = """
import json, sys
from littlestone.cli import main
from littlestone.engine import compiling
for call in json.loads(sys.argv[1]):
    main.main(args=call, standalone_mode=False)
    for name in ("numba", "llvmlite"):
        assert name not in sys.modules, (name, call)
    assert compiling.WORK.seconds == 0, call
print("nothing was compiled")
"""


def svmlight(x, y):
    return f"{y} " + " ".join(f"{'abc'.index(name) + 1}:{value}" for name, value in x.items())


def vw(x, y):
    return f"{2 * y - 1} | " + " ".join(f"{name}:{value}" for name, value in x.items())


def csv(x, y):
    return ",".join(str(x.get(name, 0)) for name in "abc") + f",{'red' if y else 'blue'},{y}"


def jsonl(x, y):
    return json.dumps({**x, "label": y})


FORMATS = {"rows.svm": svmlight, "rows.vw": vw, "rows.csv": csv, "rows.jsonl": jsonl}
LABELLED = ("rows.csv", "rows.jsonl")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("rows")
    for name, line in FORMATS.items():
        head = "a,b,c,colour,label\n" if name == "rows.csv" else ""
        (found / name).write_text(head + "".join(f"{line(x, y)}\n" for x, y in ROWS))
    boolean = "".join(f"{y} " + " ".join(f"{'abc'.index(name) + 1}:1" for name in x) + "\n" for x, y in ROWS)
    (found / "boolean.svm").write_text(boolean)
    return found


def python(code, *arguments, **environment):
    told = {**os.environ, **environment}
    call = [sys.executable, "-c", code, *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False, env=told)


def nothing_compiled(calls):
    done = python(CALLS, json.dumps(calls))
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("nothing was compiled\n")
    assert "compiling" not in done.stderr


needed = pytest.mark.skipif(ahead.native is None, reason="there is no extension module")


@needed
def test_to_compare_compiles_nothing():
    """The first thing that anybody sees, with all its learners; and Auto beside others."""
    nothing_compiled([["compare", "-t", "300"], ["compare", "-t", "300", "-l", "auto,perceptron,arow"]])


@needed
@pytest.mark.parametrize("name", FORMATS)
def test_to_train_predict_evaluate_and_explain_compiles_nothing(name, folder, tmp_path):
    file, model = str(folder / name), str(tmp_path / "model.npz")
    label = ["--label", "label"] if name in LABELLED else []
    calls = []
    for learner in TAKES_VALUES:
        calls += [
            ["train", file, *label, "-l", learner, "-m", model, "--holdout", "5", "--passes", "2"],
            ["predict", model, file],
            ["evaluate", model, file],
        ]
        if learner != "auto":
            calls.append(["explain", model])
    nothing_compiled(calls)


@needed
def test_boolean_rows_hashed_names_and_pairs_compile_nothing(folder, tmp_path):
    model = str(tmp_path / "model.npz")
    calls = [["train", str(folder / "boolean.svm"), "-l", learner, "-m", model] for learner in LEARNERS]
    words = str(folder / "rows.vw")
    for more in (["--hash-bits", "10"], ["--pairs"]):
        calls += [["train", words, *more, "-m", model], ["predict", model, words]]
    calls += [["compare", str(folder / "boolean.svm")]]
    nothing_compiled(calls)


ONE = """
import sys
import littlestone as ls
from littlestone.engine import compiling
for make in (ls.Perceptron, lambda: ls.Winnow(theta=2), ls.BalancedWinnow, ls.AROW, ls.Auto):
    learner = make()
    for i in range(20):
        x = {"a": 1, f"b{i % 3}": 1}
        learner.predict_one(x)
        learner.learn_one(x, i % 2)
    ls.freeze(learner).predict_one({"a": 1, "b1": 1})
print("numba" in sys.modules, "llvmlite" in sys.modules, compiling.WORK.seconds)
"""


@needed
def test_to_learn_one_by_one_compiles_nothing():
    done = python(ONE)
    assert (done.returncode, done.stdout.strip()) == (0, "False False 0.0"), done.stderr


TIMED = """
import json, sys
from littlestone.cli import main
from littlestone.engine import compiling
main.main(args=sys.argv[1:], standalone_mode=False)
print(compiling.WORK.seconds)
"""


def test_without_a_module_what_is_compiled_is_announced_once_and_not_counted(folder, tmp_path):
    """As it happens, on stderr; and in the rate of examples the time for it is left out."""
    file, fresh = str(folder / "rows.jsonl"), {"LITTLESTONE_NATIVE": "none", "NUMBA_CACHE_DIR": str(tmp_path)}
    call = ["train", file, "--label", "label", "-l", "perceptron", "--json"]
    done = python(TIMED, *call, **fresh)
    assert done.returncode == 0, done.stderr
    report, compiled = done.stdout.rsplit("\n", 2)[:2]
    said = [line for line in done.stderr.splitlines() if line.startswith("compiling ")]
    assert "compiling engine.learning.duals.learn, once" in said
    assert len(said) == len(set(said))
    assert float(compiled) > 0.5
    report = json.loads(report)
    assert report["seconds"] < 0.5 * float(compiled)
    assert report["examples_per_second"] > len(ROWS) / float(compiled)
    again = python(TIMED, *call, **fresh)
    assert "compiling" not in again.stderr
    assert again.stdout.splitlines()[-1] == "0.0"
