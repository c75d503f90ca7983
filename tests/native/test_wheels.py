"""Wheels: one for this platform, with the extension module, and one of plain Python; both install, and learn the same.

What `make wheel` does, in a copy of the sources; all of it needs a registry of packages, and minutes.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from native.build import NoCompiler, linker

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SOURCES = ("src", "native", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "constraints.txt")
SMOKE = """
import sys
from littlestone.cli import main
from littlestone.engine import ahead, compiling
train = ["train", "rows.svm", "-l", "winnow", "--set", "theta=2", "-q", "-m", sys.argv[1]]
for call in (train, ["predict", sys.argv[1], "rows.svm"]):
    main.main(args=call, standalone_mode=False)
print(ahead.native is not None, compiling.WORK.seconds == 0, "numba" in sys.modules)
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A copy of what a wheel is made from, in which an editable install has left a module."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "_native*"))
        else:
            shutil.copy(ROOT / name, copy)
    (copy / "src" / "littlestone" / "engine" / "_native.cpython-311-x86_64-linux-gnu.so").write_bytes(b"left behind")
    return copy


def made(sources, out, **environment):
    """Make a wheel; return it, and what pip said."""
    told = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt"), **environment}
    told.pop("PYTHONPATH", None)
    call = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "-w", str(out), str(sources)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=told)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    [wheel] = out.glob("*.whl")
    return wheel, done.stdout + done.stderr


def modules_in(wheel):
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    assert any(name.endswith("littlestone/engine/ahead.py") for name in names)
    assert not any(name.startswith(("native", "tests")) for name in names)
    return [name for name in names if "_native" in name]


@pytest.fixture(scope="module")
def pure(sources, tmp_path_factory):
    return made(sources, tmp_path_factory.mktemp("pure"), LITTLESTONE_NATIVE="none")[0]


@pytest.fixture(scope="module")
def platform(sources, tmp_path_factory):
    try:
        linker()
    except NoCompiler as error:
        pytest.skip(str(error))
    return made(sources, tmp_path_factory.mktemp("platform"))[0]


def installed(wheel, folder):
    """Install a wheel into an empty environment; return what the smoke test says there, and the bytes of its model."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    told = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "NUMBA_CACHE_DIR"}}
    told["PIP_CONSTRAINT"] = str(ROOT / "constraints.txt")
    subprocess.run([python, "-m", "pip", "install", "-q", str(wheel)], check=True, env=told)
    (folder / "rows.svm").write_text("1 1:1 3:1\n0 2:1 3:1\n1 1:1 2:1\n0 3:1\n" * 5)
    call = [python, "-c", SMOKE, "model.npz"]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=folder, env=told)
    assert done.returncode == 0, done.stderr
    *predictions, facts = done.stdout.splitlines()
    return predictions, facts, (folder / "model.npz").read_bytes()


def test_the_wheel_of_plain_python_has_no_module_whatever_lies_about(pure):
    assert pure.name.endswith("-py3-none-any.whl")
    assert modules_in(pure) == []


def test_the_wheel_for_this_platform_has_a_module_of_its_own(platform):
    version, machine = "".join(map(str, sys.version_info[:2])), sysconfig.get_platform().replace("-", "_")
    assert platform.name.endswith(f"-cp{version}-cp{version}-{machine}.whl")
    name = f"littlestone/engine/_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    assert modules_in(platform) == [name]
    with zipfile.ZipFile(platform) as opened:
        assert len(opened.read(name)) > 100_000  # not the one that lay about


def test_both_install_into_an_empty_environment_and_learn_the_same(platform, pure, tmp_path):
    found = []
    for wheel, name in ((platform, "platform"), (pure, "pure")):
        (tmp_path / name).mkdir()
        found.append(installed(wheel, tmp_path / name))
    (predictions, facts, model), (others, other_facts, other_model) = found
    assert (facts, other_facts) == ("True True False", "False False True")
    assert predictions == others
    assert len(predictions) == 20
    assert model == other_model


def test_without_a_compiler_the_wheel_is_of_plain_python_and_says_why(sources, tmp_path):
    """Neither a compiler on the path nor ziglang: it is built all the same."""
    wheel, said = made(sources, tmp_path, PATH=str(tmp_path / "empty"), CC="")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert modules_in(wheel) == []
    assert "kernels are not compiled ahead of time" in said
    assert "no C compiler (cc, gcc, clang) on the path, and no ziglang installed" in said
