"""Training that is killed, interrupted or resumed; and how soon commands start."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

import littlestone as ls
from littlestone.cli._model import Interrupts
from littlestone.models.files import inspect_model, load
from littlestone.models.record import described
from littlestone.streams import write_svmlight
from tests.cli.test_train import call, report_of

COMMAND = [sys.executable, "-m", "littlestone"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Modules are compiled once, as in an installed package."""
    told = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return told | {"PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("pyc"))}


@pytest.fixture(scope="module")
def svm(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "train.svm"
    write_svmlight(ls.teachers.LabelNoise(ls.teachers.Disjunction(n=40, k=5, trials=100_000, density=0.1), 0.05), path)
    return path


PLAN = ("-l", "winnow", "--passes", "48", "--holdout", "7", "--checkpoint", "--every", "1", "-q")


def killed(svm, model, environment, kills, seed, seconds):
    """Train, kill -9, again and again; yield where the model on the disk was after each kill.

    ``seconds`` is what all of it takes, on a machine that may be a fast one.
    """
    rng = random.Random(seed)
    for kill in range(kills):
        before = model.stat().st_mtime_ns if model.exists() else 0
        process = subprocess.Popen([*COMMAND, "train", str(svm), "-m", str(model), *PLAN], env=environment)
        if kill % 2:  # any moment: start-up, reading, saving
            time.sleep(rng.uniform(0.1, 0.6 * seconds))
        else:  # soon after a save
            patience = time.monotonic() + 60.0
            while time.monotonic() < patience and process.poll() is None:
                if model.exists() and model.stat().st_mtime_ns != before:
                    break
                time.sleep(0.001)
            time.sleep(rng.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if model.exists():
            assert load(model).trials > 0
            yield described(inspect_model(model))


@POSIX
@pytest.mark.parametrize("kills", [12, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_goes_on(svm, tmp_path, environment, kills):
    whole, model = tmp_path / "whole.npz", tmp_path / "model.npz"
    begun = time.monotonic()
    subprocess.run([*COMMAND, "train", str(svm), "-m", str(whole), *PLAN], env=environment, check=True)
    records = list(killed(svm, model, environment, kills, kills, time.monotonic() - begun))
    places = [record.here["examples"] for record in records]
    assert places == sorted(places)
    assert len({place for place, record in zip(places, records, strict=True) if not record.finished}) >= 2
    call("train", svm, "-m", model, *PLAN)
    assert model.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.npz", "whole.npz"]  # nothing half-written


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_saves(tmp_path, environment, number):
    model = tmp_path / "model.npz"
    arguments = ["train", "disjunction", "n=100", "trials=200000000", "-m", str(model)]
    process = subprocess.Popen([*COMMAND, *arguments], env=environment, stderr=subprocess.PIPE, text=True)
    while not re.match(r"\S+ +\S+ +16384 ", line := process.stderr.readline()):
        assert line
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 128 + number
    assert "\ninterrupted\n" in said
    assert f"saved to {model}; the same call with --checkpoint goes on" in said
    record = described(inspect_model(model))
    assert not record.finished
    assert load(model).trials == record.here["examples"] >= 16384


def test_the_second_interrupt_stops_at_once(monkeypatch):
    left = []
    monkeypatch.setattr("os._exit", left.append)
    signals = Interrupts()
    assert (signals.came, signals.code) == (None, 0)
    signals(signal.SIGINT, None)
    assert (signals.code, left) == (130, [])
    signals(signal.SIGINT, None)
    assert left == [130]


def test_what_is_resumed_and_what_is_refused(svm, tmp_path):
    model, other = tmp_path / "m.npz", tmp_path / "other.svm"
    first = report_of(svm, "-m", model, "--checkpoint", "-l", "winnow")
    assert (first["resumed"], first["finished"]) == (False, True)
    before = model.read_bytes()
    again = report_of(svm, "-m", model, "--checkpoint", "-l", "winnow")
    assert (again["resumed"], again["mistakes"], again["examples"]) == (True, first["mistakes"], first["examples"])
    assert model.read_bytes() == before
    other.write_bytes(svm.read_bytes() + b"1 1:1\n")
    for arguments, words in (
        ((other, "-l", "winnow"), "another file, or it has changed since"),
        ((svm, "-l", "winnow", "--passes", 2), "with passes 1"),
        ((svm, "-l", "perceptron"), "expected Perceptron"),
        ((svm, "-l", "winnow", "--holdout", 5), "with holdout None"),
        ((svm, "-l", "winnow", "--pairs"), "with asked {}"),
    ):  # fmt: skip
        done = call("train", *arguments, "-m", model, "--checkpoint", code=2)
        assert words in done.stderr and "remove that file" in done.stderr
    ls.model_file.save(ls.Winnow(), model)
    assert "littlestone train left" in call("train", svm, "-m", model, "--checkpoint", "-l", "winnow", code=2).stderr


def test_help_imports_nothing_heavy(environment):
    code = "import sys\nfrom littlestone.cli import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "train" in done.stdout
    assert not {"numpy", "numba", "scipy", "rich"} & set(done.stdout.splitlines()[-1].split())


def test_errors_import_nothing_heavy(environment):
    """Who only catches our errors does not wait for Numba."""
    code = "import sys\nimport littlestone as ls\nls.InvalidData, ls.LittlestoneError\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert not {"numpy", "numba", "scipy"} & set(done.stdout.split())


@POSIX
@pytest.mark.parametrize(("arguments", "limit"), [(["--help"], 0.2), (["train", "FILE", "-q"], 1.5)])
def test_commands_start_soon(tmp_path, environment, arguments, limit):
    import resource

    small = tmp_path / "small.svm"
    small.write_text("1 1:1\n-1 2:1\n" * 100)
    command = [*COMMAND, *(str(small) if word == "FILE" else word for word in arguments)]
    best = float("inf")
    for _ in range(6):  # the first one compiles
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # processor seconds: with one thread they are those of the clock, unless others are busy here
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if best < limit:
            break
    assert best < limit


@POSIX
def test_a_reader_who_has_had_enough(svm, environment, tmp_path):
    call("train", svm, "-m", tmp_path / "m.npz")
    for arguments in (["convert", str(svm), "--to", "jsonl"], ["predict", str(tmp_path / "m.npz"), str(svm), "--json"]):
        process = subprocess.Popen(
            [*COMMAND, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        assert (process.wait(timeout=60), said) == (0, "")


def test_numba_starts_without_linear_algebra_and_finds_it_when_it_is_needed(environment):
    code = """
import sys
from littlestone.cli._model import start
finders = list(sys.meta_path)
start()
assert sys.meta_path == finders
assert "scipy.linalg" not in sys.modules and None not in sys.modules.values()
import numba, numpy as np
assert numba.njit(lambda a, b: np.dot(a, b))(np.ones(3), np.ones(3)) == 3.0
assert numba.njit(lambda a: np.linalg.inv(a))(np.eye(2)).trace() == 2.0
assert "scipy.linalg" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
