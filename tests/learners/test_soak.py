"""A trial costs the same, and takes no more memory, however many there have been: soaks, and what must fail them."""

from mmap import mmap
from time import process_time

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners import LEARNERS
from littlestone.learners.regressors import REGRESSORS
from littlestone.machines.power_table import Table
from tests import soak

FEW = ["Perceptron()", "Winnow()", "BalancedWinnow()", "AROW()", "ExponentiatedGradient()", "NormalizedGradient()"]


def test_every_learner_is_soaked_or_has_a_reason_not_to_be():
    soaked = {type(soak.made(name)).__name__ for name in soak.SOAKED}
    known = {kind.__name__ for kind in (*LEARNERS.values(), *REGRESSORS.values())}
    known |= {"Experts", "Restarting", "Forgetting"}
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


def settled(name, way, warm, trials=20_000):
    """Return a learner after so many trials, and the CPU time of its next ones, in microseconds a trial."""
    teacher = soak.Teacher()
    lesson = {"blocks": teacher.block, "see-saw": teacher.see_saw}[way]
    learner = soak.made(name).begin(soak.N, labels=(0, 1))
    for turn in range(warm // soak.ROWS):
        learner.learn(*lesson(turn))
    begun = process_time()
    for turn in range(trials // soak.ROWS):
        learner.learn(*lesson(turn))
    return learner, (process_time() - begun) / trials * 1e6


def test_near_ties_are_decided_in_the_kernel(monkeypatch):
    """All but those that are ties, or closer than twice the digits of a float can tell."""
    asked = []
    sign = Table.sign
    monkeypatch.setattr(Table, "sign", lambda *given: asked.append(given) or sign(*given))
    settled("Winnow(alpha=1.01, theta=1)", "see-saw", 0, 12_000)  # weights sink to some 1e-26
    assert not asked  # before, when the kernel did not decide them, 1,046 times
    settled("Winnow(alpha=1.1, theta=1)", "see-saw", 0, 20_000)
    assert asked  # weights that sink below 1e-29 are beyond it


def test_experts_are_copied_without_a_walk_through_their_tables():
    _, slow = settled("Experts([Perceptron(), Winnow(), AROW()])", "see-saw", 30_000)
    assert slow < 20.0  # it is some 3 microseconds, and was 50


def test_the_weights_of_experts_do_not_grow_with_their_errors():
    learner = soak.made("Experts([Perceptron(), Winnow()])")
    behind, powers = learner._weighed(np.array([[0], [10**9]]))
    assert len(powers) < 2000
    assert powers[behind].ravel().tolist() == [1.0, 0.0]
    learner = ls.learners.Experts([ls.Perceptron()], beta=0.75)
    for far in (1, 5, 100, 10**4, 10**7):  # in one piece, and grown
        learner._weighed(np.array([[0], [far]]))
        fresh = ls.learners.Experts([ls.Perceptron()], beta=0.75)
        for one in (learner, fresh):
            behind, powers = one._weighed(np.array([[0], [far]]))
            assert powers[behind[1, 0]] == np.multiply.accumulate(np.append(1.0, np.full(min(far, 3000), 0.75)))[-1]


def test_a_randomized_winnow_is_as_fast_with_weights_that_are_no_normal_floats():
    """The best of several rounds, in turns: what else the machine does slows both of them."""
    young, old = (settled("Winnow(randomized=True)", "blocks", warm, 1000)[0] for warm in (60_000, 600_000))
    weights = np.array(list(old.weights().values()))
    assert ((weights > 0.0) & (weights < 1e-307)).any()
    teacher, times = soak.Teacher(), {young: [], old: []}
    for _ in range(8):
        lessons = [teacher.block(turn) for turn in range(10)]
        for learner, taken in times.items():
            begun = process_time()
            for lesson in lessons:
                learner.learn(*lesson)
            taken.append(process_time() - begun)
    assert min(times[old]) < 1.4 * min(times[young])  # before, 2.1 times as slow
