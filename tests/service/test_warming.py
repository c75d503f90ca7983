"""Models are warmed up before they are served, also those that are made later; the worker gives signs of life then."""

import os
import subprocess
import sys
import time

import pytest

from littlestone.learners import AROW, Winnow
from littlestone.service import warming
from littlestone.service.wire import Clone, Create, Download, Made, Upload
from tests.service.desks import begun

COUNTED = """
import sys, tempfile
from numba.core.dispatcher import Dispatcher
from littlestone.service.desk import Desk
from littlestone.service.wire import Create, Explain, Learn, Made, Predict
calls, compiles = [], Dispatcher.compile
def counted(self, sig):
    calls.append(self.py_func.__qualname__)
    return compiles(self, sig)
Dispatcher.compile = counted
with Desk(tempfile.mkdtemp()) as desk:
    for learner in sys.argv[1:]:
        assert desk.handle([Create(learner, learner, labels=["no", "yes"], attributes=20)]) == [Made(learner, 0)]
        before = len(calls)
        rows = [{"a": 1.0, "b": 0.5}, {"c": 1}]
        desk.handle([Learn(learner, rows[:1], ["yes"]), Predict(learner, rows), Learn(learner, rows, ["yes", "no"])])
        assert calls[before:] == [], (learner, calls[before:])
print(len(calls) > 0)
"""


@pytest.mark.slow
def test_the_first_request_compiles_nothing():
    """Without kernels that were compiled before."""
    settings = {**os.environ, "LITTLESTONE_NATIVE": "none"}
    command = [sys.executable, "-c", COUNTED, "winnow", "arow", "perceptron", "multiclass-perceptron", "auto"]
    found = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert found.stdout == "True\n", found.stderr[-2000:]


def test_whatever_is_made_is_warmed_up_before_it_is_served(tmp_path, monkeypatch):
    with begun(tmp_path) as desk:
        seen = []
        monkeypatch.setattr(
            "littlestone.service.beginning.warmed", lambda learner, _: seen.append((type(learner), len(desk.served)))
        )
        [file] = desk.handle([Download("m")])
        made = desk.handle(
            [Create("w", "winnow", labels=[0, 1], attributes=9), Upload("up", file.data), Clone("m", "c")]
        )
        assert made == [Made("w", 0), Made("up", 0), Made("c", 0)]
        assert seen == [(Winnow, 1), (AROW, 2), (AROW, 3)]


def test_signs_of_life_are_given_meanwhile_and_not_for_ever(monkeypatch):
    signs = []
    monkeypatch.setattr(warming, "BEAT", 0.01)
    monkeypatch.setattr(warming, "warm_up", lambda _: time.sleep(0.2))
    warming.warmed(Winnow(), lambda: signs.append(1))
    count = len(signs)
    assert count > 5
    time.sleep(0.05)
    assert len(signs) == count
    monkeypatch.setattr(warming, "LONGEST", 0.05)
    warming.warmed(Winnow(), lambda: signs.append(1))
    assert len(signs) - count <= 6
