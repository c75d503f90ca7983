"""An extension module that is not to be trusted is never called, and what works without one, or without Numba."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import littlestone as ls
from littlestone.engine import ahead
from native.build import NoCompiler, linker

pytestmark = pytest.mark.skipif(ahead.native is None, reason="there is no extension module")

SOURCE, SUFFIX = ahead.PACKAGE, sysconfig.get_config_var("EXT_SUFFIX")
REMEDY = "install littlestone again (pip install .)"
PLAY = """
import sys
import littlestone as ls
from littlestone.engine import ahead
X, y = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1, 0]
said = []
for make in (ls.Perceptron, lambda: ls.Winnow(theta=2), ls.Auto):
    learner = make()
    said += [*learner.learn(X, y).tolist(), *learner.predict(X).tolist()]
print(ahead.native is None, "numba" in sys.modules, ahead.PACKAGE, *said)
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package, whose module a test may spoil."""
    shutil.copytree(SOURCE, tmp_path / "littlestone", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "littlestone"


def run(*call, package=SOURCE, **environment):
    told = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONWARNINGS": "always", **environment}
    return subprocess.run([sys.executable, *call], capture_output=True, text=True, check=False, env=told)


def played(package=SOURCE, code=PLAY, **environment):
    """Return whether the module was passed over, whether Numba was imported, what was said, and the warnings."""
    done = run("-c", code, package=package, **environment)
    assert done.returncode == 0, done.stderr
    passed_over, numba, place, *said = done.stdout.split()
    assert Path(place) == package
    warned = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    return passed_over == "True", numba == "True", said, warned


@pytest.fixture(scope="module")
def expected():
    passed_over, numba, said, warned = played()
    assert (passed_over, numba, warned) == (False, False, [])
    return said


ASKED = """
from littlestone.engine import ahead
from littlestone.engine.learning import duals
from littlestone.learners.arow import arow
print(ahead.native, duals.learn.ahead, ahead.address_of("littlestone.learners.arow", "arow"))
"""


def refused(package, reason):
    """Check that no kernel is taken from it, and one warning that names the reason and the remedy."""
    done = run("-c", ASKED, package=package)
    assert (done.returncode, done.stdout) == (0, "None None None\n"), done.stderr
    warned = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert len(warned) == 1
    assert reason in warned[0]
    assert REMEDY in warned[0]


def test_a_copy_of_the_package_uses_its_own_module(package, expected):
    assert played(package) == (False, False, expected, [])


def test_one_of_another_python(package):
    module = package / "engine" / f"_native{SUFFIX}"
    module.rename(module.with_name("_native.cpython-310-x86_64-linux-gnu.so"))
    refused(package, "are of another Python than this one, cpython 3.")


def test_one_made_from_other_sources(package):
    with (package / "engine" / "arrays.py").open("a") as file:
        file.write("# changed\n")
    refused(package, "were made from other sources")
    code = "import littlestone as ls; print(ls.Perceptron().learn([[1, 0], [0, 1]], [0, 1]).tolist())"
    said = ls.Perceptron().learn([[1, 0], [0, 1]], [0, 1]).tolist()
    assert run("-c", code, package=package, NUMBA_CACHE_DIR=str(package / "cache")).stdout == f"{said}\n"


def test_a_new_file_of_the_engine_makes_other_sources(package):
    (package / "engine" / "sets" / "more.py").write_text("")
    refused(package, "were made from other sources")


@pytest.mark.parametrize("left", [0, 10, 1000, 200_000, 0.5, 0.99, -1])
def test_one_that_was_cut_off(left, package):
    """To load it would end the process, at some lengths, with a bus error."""
    module = package / "engine" / f"_native{SUFFIX}"
    data = module.read_bytes()
    module.write_bytes(data[: left if isinstance(left, int) else int(left * len(data))])
    refused(package, "are in a file that is damaged")


@pytest.mark.parametrize("at", [0.0, 0.1, 0.6, 0.9999])
def test_one_with_a_wrong_byte(at, package):
    module = package / "engine" / f"_native{SUFFIX}"
    data = bytearray(module.read_bytes())
    data[int(at * len(data))] ^= 1
    module.write_bytes(data)
    refused(package, "are in a file that is damaged")


def test_one_that_is_no_module_at_all(package):
    text = b"this is not a module"
    (package / "engine" / f"_native{SUFFIX}").write_bytes(text + ahead.checksum(text))
    refused(package, "cannot be loaded")


TINY = """
#include <Python.h>
#include <stdlib.h>
static PyObject *no(PyObject *module, PyObject *nothing) { Py_RETURN_FALSE; }
static PyObject *crash(PyObject *module, PyObject *given) { abort(); }
static PyMethodDef methods[] = {
    {"runs_here", no, METH_NOARGS, NULL}, {"addresses", crash, METH_NOARGS, NULL},
    {"littlestone.engine.learning.duals.learn", crash, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", NULL, -1, methods};
PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    PyModule_AddStringConstant(module, "FACTS", "{\\"cpu\\": \\"x86-64-v9\\", \\"engine\\": \\"ENGINE\\"}");
    return module;
}
"""


def test_one_for_another_processor(package, tmp_path):
    """It says that it does not run here; whatever else is called in it would end the process."""
    try:
        command = linker()
    except NoCompiler as error:
        pytest.skip(str(error))
    source, module = tmp_path / "tiny.c", package / "engine" / f"_native{SUFFIX}"
    source.write_text(TINY.replace("ENGINE", ahead.digest(ahead.ENGINE)))
    include = sysconfig.get_paths()["include"]
    subprocess.run([*command, "-shared", "-fPIC", f"-I{include}", str(source), "-o", str(module)], check=True)
    data = module.read_bytes()
    module.write_bytes(data + ahead.checksum(data))
    refused(package, "are for another processor (x86-64-v9)")


def test_a_kernel_outside_the_engine_whose_file_has_changed_is_compiled_anew(package):
    """The others are still those of the module."""
    path = package / "learners" / "passive_aggressive.py"
    text = path.read_text()
    assert "@kept" in text
    path.write_text(text + "\n# changed\n")
    code = """
import littlestone as ls
from littlestone.engine import ahead, compiling
from littlestone.engine.learning import duals
ls.Perceptron().learn([[1, 0], [0, 1]], [0, 1])
assert ahead.native is not None and compiling.WORK.seconds == 0
from littlestone.learners.passive_aggressive import passive_aggressive
print(passive_aggressive.code.ahead is None, duals.learn.ahead is None)
print(ls.PassiveAggressive().learn([[1, 0], [0, 1]], [0, 1]).tolist(), compiling.WORK.seconds > 0)
"""
    done = run("-c", code, package=package, NUMBA_CACHE_DIR=str(package.parent / "cache"))
    said = ls.PassiveAggressive().learn([[1, 0], [0, 1]], [0, 1]).tolist()
    assert done.stdout.split("\n")[:2] == ["True False", f"{said} True"], done.stderr


@pytest.mark.parametrize("name", ["LITTLESTONE_NATIVE=none", "NUMBA_BOUNDSCHECK=1", "NUMBA_DISABLE_JIT=1"])
def test_one_that_is_not_asked_for_is_passed_over_in_silence(name, expected):
    name, _, value = name.partition("=")
    quickly = PLAY.replace(", ls.Auto)", ")")  # to compile Auto takes long
    passed_over, numba, said, warned = played(code=quickly, **{name: value})
    assert (passed_over, said, warned) == (True, expected[: len(said)], [])
    assert len(said) == 16
    assert numba == (name != "NUMBA_DISABLE_JIT")  # in plain Python nobody asks for it


def test_a_home_that_cannot_be_written_to_and_no_cache(expected, package):
    """With the module nothing is compiled, so that nothing has to be kept."""
    nowhere = {"HOME": "/proc/nowhere", "NUMBA_CACHE_DIR": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}
    nowhere |= {"PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": "/proc/nowhere"}
    before = sorted(package.rglob("*"))
    assert played(package, **nowhere) == (False, False, expected, [])
    assert sorted(package.rglob("*")) == before


# Without Numba

HOOK = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {"numba", "llvmlite"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""
COMMAND = HOOK + "from littlestone.cli import main\nmain()\n"
ROWS = [("1", "1:1 3:1"), ("0", "2:1 3:1"), ("1", "1:1 2:1"), ("0", "3:1")] * 5


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{y} {x}\n" for y, x in ROWS))
    return path


@pytest.mark.parametrize("learner", ["perceptron", "winnow", "auto"])
def test_without_numba_one_trains_predicts_and_evaluates(learner, file, tmp_path):
    with_numba, without = tmp_path / "with.npz", tmp_path / "without.npz"
    settings = ["theta=2"] if learner == "winnow" else []
    more = [word for setting in settings for word in ("--set", setting)]
    for model, call in ((with_numba, ["-m", "littlestone"]), (without, ["-c", COMMAND])):
        done = run(*call, "train", str(file), "-l", learner, *more, "-m", str(model))
        assert done.returncode == 0, done.stderr
    ours, theirs = ls.load(without).learner.state(), ls.load(with_numba).learner.state()
    assert all(ours[name].tobytes() == array.tobytes() for name, array in theirs.items())
    calls = (["-m", "littlestone"], ["-c", COMMAND])
    said = [run(*call, "predict", str(with_numba), str(file)).stdout for call in calls]
    assert said[0] == said[1]
    assert len(said[0].split()) == len(ROWS)
    done = run("-c", COMMAND, "evaluate", str(without), str(file))
    assert done.returncode == 0, done.stderr
    code = f"""
import littlestone as ls
learner = ls.load({str(with_numba)!r})
print(learner.predict([[1, 0, 1], [0, 1, 1]]).tolist())
learner.learn([[1, 0, 1], [0, 1, 1]], [1, 0])
"""
    done = run("-c", HOOK + code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run("-c", code).stdout


MUST_COMPILE = {
    "a link of one's own": "ls.link(lambda z: z * z * z)",
    "a rule of one's own": "ls.rule(lambda m, v, weight: (1 - m, weight))",
    "a kernel for other types": """
from littlestone.engine.sets import bits
import numpy as np
bits.carry(np.zeros(3, dtype=np.int16), False)""",
}


@pytest.mark.parametrize("what", MUST_COMPILE)
def test_without_numba_what_must_be_compiled_says_what_to_install(what):
    code = f"{HOOK}\nimport littlestone as ls\n{MUST_COMPILE[what]}\n"
    done = run("-c", code)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert re.fullmatch(
        r"ModuleNotFoundError: \S+ is not compiled, and there is no Numba to compile it \(No module named 'numba'\): "
        r"pip install numba",
        last,
    )


def test_without_numba_and_without_a_module_one_line_says_what_to_install(file):
    done = run("-c", COMMAND, "train", str(file), LITTLESTONE_NATIVE="none")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("(No module named 'numba'): pip install numba")
    assert "Traceback" not in done.stderr


def test_without_numba_everything_runs_in_plain_python(expected):
    done = run("-c", HOOK + PLAY, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[3:] == expected
