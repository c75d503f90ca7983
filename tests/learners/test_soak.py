"""A trial costs the same, and takes no more memory, however many there have been: soaks, and what must fail them."""

from mmap import mmap

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners import LEARNERS
from tests import soak

FEW = ["Perceptron()", "Winnow()", "BalancedWinnow()", "AROW()"]


def test_every_learner_is_soaked_or_has_a_reason_not_to_be():
    soaked = {type(soak.made(name)).__name__ for name in soak.SOAKED}
    known = {kind.__name__ for kind in LEARNERS.values()} | {"Experts"}
    assert soaked | soak.STORING.keys() == known
    assert not soaked & soak.STORING.keys()


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("way", soak.WAYS)
def test_a_short_soak(name, way):
    trials = 3_000 if way == "examples" else 30_000
    found = soak.soak(name, way, trials)
    assert (found.fault, found.trials) == ("", trials)


class Slowing(ls.Perceptron):
    """Looks through all that it has seen before every block."""

    def learn(self, X, y=None, *, weight=None):
        sum(range(10 * self.trials))
        return super().learn(X, y, weight=weight)


class Hoarding(ls.Perceptron):
    """Keeps something of every trial."""

    def learn(self, X, y=None, *, weight=None):
        more = np.frombuffer(mmap(-1, 1 << 20), np.uint8)  # fresh memory, never what the process has left over
        more[:] = 1
        self.hoard = [*getattr(self, "hoard", ()), more]
        return super().learn(X, y, weight=weight)


@pytest.mark.parametrize(("learner", "word"), [(Slowing, "times as slow"), (Hoarding, "MB more")])
def test_a_soak_finds_out(learner, word):
    assert word in soak.soak(learner.__name__, "blocks", 50_000, learner()).fault


@pytest.mark.slow
@pytest.mark.parametrize("way", soak.WAYS)
@pytest.mark.parametrize("name", soak.SOAKED)
def test_a_million_trials(name, way):
    trials = soak.TRIALS // soak.WAYS[way]
    found = soak.soak(name, way, trials)
    assert (found.fault, found.trials) == ("", trials)
