"""Kernel Winnow by sampling: as near to the exact values as its standard errors say; pure; never the empty set."""

from math import log

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import TooLarge
from littlestone.learners import KernelWinnow


def data(n, density, rows, seed=1):
    X = np.random.default_rng(seed).random((rows, n)) < density
    return X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]


def sampled(learner, **settings):
    """The same weights, with a sampler."""
    return KernelWinnow.from_state(learner.params() | {"method": "gibbs"} | settings, learner.state())


@pytest.mark.parametrize("settings", [{}, {"monotone": False}, {"max_size": 2}, {"max_size": 3, "alpha": 1.5}], ids=str)
def test_estimates_are_off_by_what_their_standard_errors_say(settings):
    n = 8 if settings.get("monotone") is False else 16
    X, y = data(n, 0.5, 160)
    exact = KernelWinnow(**settings)
    exact.learn(X[:120], y[:120])
    off = []
    for t, row in enumerate(X[120:]):
        truth, none = exact.estimate(row)
        found, error = sampled(exact, seed=t).estimate(row)
        assert none == 0.0
        assert truth == pytest.approx(log(exact.value(row)))
        assert 0.0 < error < 0.3
        off.append((found - truth) / error)
    assert np.abs(off).max() < 4.5
    assert np.mean(np.square(off)) < 2.0
    assert abs(np.mean(off)) < 0.7


@pytest.mark.parametrize(("n", "density", "median", "most"), [(20, 0.5, 0.05, 0.3), (30, 0.3, 0.04, 0.3)])
def test_the_errors_and_the_signs_are_at_the_scale_that_was_measured(n, density, median, most):
    X, y = data(n, density, 200)
    exact = KernelWinnow()
    off, agree = [], []
    for t in range(0, 200, 5):
        gibbs = sampled(exact.begin(n), seed=t)
        truth, found = exact.estimate(X[t])[0], gibbs.estimate(X[t])[0]
        off.append(abs(found - truth))
        agree.append(gibbs.predict(X[t : t + 1])[0] == exact.predict(X[t : t + 1])[0])
        exact.learn(X[t : t + 5], y[t : t + 5])
    assert np.median(off) < median
    assert np.max(off) < most
    assert np.mean(agree) > 0.9


def test_the_empty_set_is_no_conjunction():
    """It is within all of six disjoint pairs: with the weight 2^60 it would drown the 4,095 sets that count."""
    pairs = np.kron(np.eye(6), np.ones(2)).astype(bool)
    learner = KernelWinnow(theta=3000).begin(12, labels=(0, 1))
    learner.learn(np.repeat(pairs, 20, axis=0), np.ones(120))
    assert learner.promotions == 6 * 10
    everything = np.ones(12, dtype=bool)
    truth = learner.estimate(everything)[0]
    assert truth == pytest.approx(log(6 * 3 * 2**10 + 4095 - 18))
    found, error = sampled(learner).estimate(everything)
    assert abs(found - truth) < 5 * error < 1.0


def test_a_whole_game_makes_about_as_many_mistakes():
    X, y = data(16, 0.5, 250)
    exact, gibbs = KernelWinnow(), KernelWinnow(method="gibbs", sweeps=150)
    exact.learn(X, y)
    gibbs.learn(X, y)
    assert abs(exact.mistakes - gibbs.mistakes) <= 10
    assert gibbs.mistakes <= exact.guarantee.at(k=2).value
    assert gibbs.guarantee is None
    assert gibbs.sets == gibbs.mistakes
    assert gibbs.value(X[0]) > 0  # exact, of its own weights


def test_what_is_drawn_depends_on_seed_and_trial_alone():
    X, y = data(10, 0.5, 60)
    ls.check_learner(KernelWinnow(method="gibbs", sweeps=20, seed=5, max_size=2, monotone=False))
    learners = [KernelWinnow(method="gibbs", sweeps=40, seed=seed) for seed in (0, 0, 1)]
    for learner in learners:
        learner.learn(X, y)
    first, again, other = (learner.activation(X[:20]).tolist() for learner in learners)
    assert first == again
    assert first != other


def test_what_would_take_too_long_is_refused_and_leaves_no_trace():
    X, y = data(10, 0.5, 60)
    learner = KernelWinnow(method="gibbs", sweeps=10**12).begin(10, labels=(0, 1))
    with pytest.raises(TooLarge, match=r"steps.*take fewer sweeps"):
        learner.learn(X, y)
    assert (learner.trials, learner.updates, learner.sets) == (0, 0, 0)
    assert learner.predict(X[:1]).tolist() == KernelWinnow().begin(10, labels=(0, 1)).predict(X[:1]).tolist()


def test_edges_of_the_sampler():
    learner = KernelWinnow(method="gibbs", theta=2**2000, sweeps=20).begin(4, labels=(0, 1))
    X = np.array([[0, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]])
    learner.learn(X, [1, 1, 1])
    assert learner.estimate(X[0]) == (-np.inf, 0.0)
    assert (learner.activation(X) == -np.finfo(float).max).all()
    tie = KernelWinnow(method="gibbs", sweeps=20)  # theta is the value of all attributes together, exactly
    assert tie.begin(300).predict(np.ones((1, 300)))[0] == 1
    assert tie.activation(np.ones((1, 300)))[0] == 0.0
