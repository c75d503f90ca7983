"""The random battery against every learner; as a slow test with bounds checked, where a planted overflow is found."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners import LEARNERS
from tests import battery
from tests.jumpy import jumpy  # noqa: F401 - a fixture

GAMES = 12  # of each kind: 528 together


@pytest.mark.usefixtures("jumpy")
@pytest.mark.parametrize("kind", battery.KINDS)
def test_random_games(kind):
    tally = Counter()
    for number in range(GAMES):
        battery.check(kind, number, tally)
    assert tally["refused"] < 0.5 * tally["learn"] or kind == "delayed"


def test_every_option_of_every_learner_is_drawn():
    for command, kind in LEARNERS.items():
        assert {*battery.OPTIONS[battery.NAMES[command]]} == {*kind.parameter_names()}


class Restless(ls.Perceptron):
    """Learns when it is only asked."""

    def predict(self, X):
        return self.learn(X, np.ones(len(ls.Block.from_arrays(X)), dtype=int))


class Trusting(ls.Perceptron):
    """Keeps the names of examples that it refuses."""

    def learn_one(self, x, y):
        if isinstance(x, dict) and self._vocabulary is not None:
            self._vocabulary.add(x)
        return super().learn_one(x, y)


class Forgetful(ls.Perceptron):
    """Does not write its weights down."""

    def state(self):
        return {key: np.zeros_like(value) if key == "weights" else value for key, value in super().state().items()}


class Blockwise(ls.Perceptron):
    """Learns a row of a larger block twice."""

    def learn(self, X, y=None, *, weight=None):
        said = super().learn(X, y, weight=weight)
        return super().learn(X, y, weight=weight) if len(said) > 3 else said


@pytest.mark.parametrize("broken", [Restless, Trusting, Forgetful, Blockwise])
def test_the_battery_finds_out(broken, monkeypatch):
    """A find says how to have it again, and is a program that is smaller than the game."""
    monkeypatch.setattr(ls.learners, "Perceptron", broken, raising=False)
    with pytest.raises(battery.Find) as found:
        _games(60)
    assert "python -m tests.battery perceptron" in str(found.value)
    assert "a = ls.learners.Perceptron(" in str(found.value)


def _games(count):
    for number in range(count):
        battery.check("perceptron", number)


BOUNDED = """
import sys
import numpy as np
from littlestone.engine.learning import counts
from tests import battery

try:  # an attribute that has no place in the list
    counts._shift(7, 1, np.zeros((4, 1), np.int64), np.zeros(4, np.int64))
    sys.exit("no bounds were checked")
except IndexError:
    pass
sys.exit(battery.main(["50000", "1000"]))
"""


@pytest.mark.slow
def test_many_games_with_bounds_checked(tmp_path):
    """In a cache of its own. A crash or a hang is told with the game in which it happened."""
    now = tmp_path / "now"
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path), "BATTERY_NOW": str(now)}
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", BOUNDED], env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    where = now.read_text() if now.exists() else "before the first game"
    assert done.returncode == 0, f"exit {done.returncode}, {where}\n{done.stdout[-8000:]}\n{done.stderr[-4000:]}"
