"""The source archive and the wheels: built as they are published, checked, and tried in empty environments.

On every Python from 3.11 on that is found here. It needs a registry of packages, and minutes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

import littlestone as ls

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NAME = f"littlestone-{ls.__version__}"
SDIST = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
)
MADE = {"PKG-INFO", ".gitignore"}  # what hatchling adds
BINARY = (".so", ".pyd", ".dll", ".dylib", ".o", ".a", ".pyc", ".nbi", ".nbc", ".whl")
TELLS = "import json, sys, ensurepip, venv; print(json.dumps([sys.version_info[:3], sys.executable]))"
SMOKE = """
import importlib.metadata, pathlib, subprocess, sys
import littlestone as ls

assert importlib.metadata.version("littlestone") == ls.__version__ == sys.argv[1]
assert pathlib.Path(ls.__file__).is_relative_to(sys.prefix)
table = ls.datasets.messages(rows=300)
model = ls.Model.train(table.examples, table.labels)
assert model.predict(["text WIN to 80085", "can you lend me 20?"]).tolist() == ["spam", "ham"]
ls.save(model, "spam.npz")
assert ls.load("spam.npz").trials == 300

def says(*call, code):
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == code, (call, done)
    return done.stderr if code else done.stdout  # plain Python says on stderr what it compiles

program = str(pathlib.Path(sys.executable).with_name("littlestone"))
assert "Learn from data:" in says(program, "--help", code=0)
assert says(program, "--version", code=0).split() == ["littlestone,", "version", sys.argv[1]]
assert says(program, "predict", "spam.npz", "rows.tsv", code=0).split() == ["spam", "ham"]

pathlib.Path("rows.parquet").write_bytes(b"PAR1")
pathlib.Path("rows.csv.zst").write_bytes(bytes.fromhex("28b52ffd00"))
pathlib.Path("dir").mkdir()
for extra, call in [
    ("sklearn", ("python", "import littlestone.sklearn")),
    ("river", ("python", "import littlestone.river")),
    ("serve", ("python", "from littlestone.service import Client")),
    ("plot", ("python", "import littlestone as ls; ls.play(ls.Winnow(theta=2), ls.teachers.Disjunction(n=9, k=2, "
                        "trials=9)).plot()")),
    ("arrow", ("train", "rows.parquet")),
    ("zstd", ("train", "rows.csv.zst")),
    ("serve", ("serve", "spam.npz", "--data", "dir")),
    ("serve", ("ask", "http://localhost:1", "spam", "win")),
    ("serve", ("key", "dir", "add", "--role", "learn")),
    ("serve", ("journal", "dir", "verify")),
]:
    python = call[0] == "python"
    said = says(*((sys.executable, "-c", call[1]) if python else (program, *call)), code=1)
    assert f"pip install 'littlestone[{extra}]'" in said, (call, said)
    assert python or "Traceback" not in said, said
print("all is well")
"""


def environment(**more):
    """The variables of a command that installs or builds; nothing of this checkout is on its path."""
    kept = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "NUMBA_CACHE_DIR"}}
    return {**kept, "PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def run(*call, **more):
    done = subprocess.run([*map(str, call)], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def pythons():
    """Return the Pythons from 3.11 on that are here, one of each minor version: ours, those on the path, pyenv's."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    shelf = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [Path(sys.executable), *sorted(shelf.glob("3.*/bin/python"))]
    found += [path for folder in folders for path in sorted(folder.glob("python3.*")) if path.name[9:].isdigit()]
    known = {}
    for path in found:
        done = subprocess.run([str(path), "-c", TELLS], capture_output=True, text=True, check=False)
        if done.returncode == 0:  # a name of pyenv's may lead nowhere, and a Python of a system lack venv
            (major, minor, _), program = json.loads(done.stdout)
            if (major, minor) >= (3, 11):
                known.setdefault(minor, program)
    return known


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """An environment with what builds and checks; cffconvert wants old versions that other tools do not."""
    folder = tmp_path_factory.mktemp("tools")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "-q", "build", "twine", "cffconvert", env=environment())
    return folder / "bin"


@pytest.fixture(scope="module")
def sdist(tools, tmp_path_factory):
    out = tmp_path_factory.mktemp("sdist")
    run(tools / "python", "-m", "build", "--sdist", "-o", out, ROOT, env=environment())
    return out / f"{NAME}.tar.gz"


@pytest.fixture(scope="module")
def unpacked(sdist, tmp_path_factory):
    """The archive, unpacked: whatever is made from it needs nothing else."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as opened:
        opened.extractall(folder, filter="data")
    return folder / NAME


def wheel_of(tools, unpacked, out, **more):
    run(tools / "python", "-m", "build", "--wheel", "-o", out, unpacked, env=environment(**more))
    [wheel] = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def pure(tools, unpacked, tmp_path_factory):
    return wheel_of(tools, unpacked, tmp_path_factory.mktemp("pure"), LITTLESTONE_NATIVE="none")


@pytest.fixture(scope="module")
def platform(tools, unpacked, tmp_path_factory):
    return wheel_of(tools, unpacked, tmp_path_factory.mktemp("platform"))


def names_of(archive):
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
    assert all(one.isfile() or one.isdir() for one in members)  # no links
    return {one.name.partition("/")[2] for one in members if one.isfile()}


def test_the_archive_has_what_it_should(sdist):
    names = names_of(sdist)
    assert {f"/{name.partition('/')[0]}" for name in names - MADE} == SDIST
    assert "LICENSE" in names and "src/littlestone/py.typed" in names
    assert not [name for name in names if name.endswith(BINARY) or "_native" in Path(name).name]
    assert not [name for name in names if re.search(r"(^|/)(__pycache__|\.cache|\.venv|dist|[^/]+_cache)/", name)]


def test_the_archive_has_every_file_of_the_repository_and_no_other(sdist):
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not in a repository")
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    wanted = {name for name in listed if f"/{name.partition('/')[0]}" in SDIST and (ROOT / name).is_file()}
    assert names_of(sdist) - MADE == wanted


def test_they_keep_the_rules_of_the_registry(tools, sdist, pure, platform):
    said = run(tools / "twine", "check", "--strict", sdist, pure, platform, env=environment(NO_COLOR="1"))
    assert said.count("PASSED") == 3


def test_the_citation_keeps_its_schema(tools, unpacked):
    assert "valid" in run(tools / "cffconvert", "--validate", "-i", unpacked / "CITATION.cff")


def test_the_archive_has_what_its_tests_need(unpacked):
    """All tests are found in it, and some of each room run."""
    told = {**os.environ, "PYTHONPATH": str(unpacked / "src"), "NUMBA_CACHE_DIR": str(unpacked.parent / "cache")}
    told["LITTLESTONE_NATIVE"] = "none"
    pytest_ = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    found = run(*pytest_, "--collect-only", "tests", cwd=unpacked, env=told)
    assert sum(map(int, re.findall(r"^tests/.*: (\d+)$", found, re.MULTILINE))) > 2000
    some = (
        "tests/core",
        "tests/release",
        "tests/test_coming_from.py",
        "tests/test_pages.py",
        "tests/docs/test_links.py",
    )
    run(*pytest_, "-m", "not slow", *some, cwd=unpacked, env=told)


@pytest.mark.parametrize("minor", sorted(pythons()))
def test_it_runs_in_an_empty_environment_of_every_python(minor, pure, platform, tmp_path):
    """That of this Python gets the wheel with kernels, any other the one of plain Python."""
    wheel = platform if minor == sys.version_info.minor else pure
    run(pythons()[minor], "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", wheel, env=environment())
    assert "No broken requirements" in run(python, "-m", "pip", "check", env=environment())
    (tmp_path / "rows.tsv").write_text("message\ntext WIN to 80085\ncan you lend me 20?\n")
    said = run(python, "-W", "error", "-c", SMOKE, ls.__version__, cwd=tmp_path, env=environment())
    assert said.splitlines()[-1] == "all is well"
