"""Kernel Winnow: equal to weights written down, in both exact ways, run by run and row by row; the golden numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.learners import KernelWinnow
from tests import strategies
from tests.naive.kernel_winnow import KernelWinnow as Naive

ALPHAS = st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(4, 3), Fraction(5)])
THETAS = st.sampled_from([None, Fraction(1, 2), Fraction(7), Fraction(50, 3)])


@st.composite
def games(draw):
    """Draw a stream, weights of its examples, and the parameters of the game."""
    stream = draw(strategies.streams(max_n=5))
    times = draw(st.none() | st.lists(st.integers(0, 3), min_size=len(stream.y), max_size=len(stream.y)))
    settings_ = {"alpha": draw(ALPHAS), "theta": draw(THETAS), "monotone": draw(st.booleans()),
                 "max_size": draw(st.none() | st.integers(1, 3))}  # fmt: skip
    return stream, times, settings_


@pytest.mark.parametrize("backend", [None, "map", "local"])
@given(game=games())
@settings(max_examples=150)
def test_equal_to_its_twin_mistake_for_mistake_and_value_for_value(backend, game):
    stream, times, parameters = game
    twin = Naive(stream.n, **parameters)
    expected = twin.learn(stream.X, stream.y.tolist(), times)
    learner = KernelWinnow(**parameters, backend=backend).begin(stream.n, labels=(0, 1))
    edges = [0, *stream.cuts, len(stream.y)]
    said = []
    for at, (X, y) in zip(edges, stream.blocks(), strict=False):
        said += learner.learn(X, y, weight=times and times[at : at + len(y)]).tolist()
    assert said == expected
    for row in np.unique(stream.X, axis=0):
        assert learner.value(row) == twin.value(row)
        assert learner.activation(row[np.newaxis])[0] == pytest.approx(float(twin.value(row) - twin.theta))
    singles = [float(twin.w[(i, 1),]) for i in range(stream.n)]
    assert list(learner.weights().values())[: stream.n] == pytest.approx(singles)


def golden():
    X = np.random.default_rng(0).random((300, 12)) < 0.5
    return X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]


@pytest.mark.parametrize("theta", [None, 2**12])
@pytest.mark.parametrize("backend", ["map", "local"])
def test_the_golden_run(theta, backend):
    X, y = golden()
    learner = KernelWinnow(theta=theta, backend=backend)
    learner.learn(X, y)
    assert learner.mistakes == 33
    assert learner.sets == (328 if backend == "map" else 33)
    assert learner.value(np.ones(12)) == Fraction(157483, 8)


def test_a_game_small_enough_to_follow():
    learner = KernelWinnow().begin(2, labels=(0, 1))
    values = []
    for row, y in [([0, 1], 1), ([1, 0], 0), ([1, 1], 1), ([1, 0], 1), ([1, 1], 0)]:
        values.append(learner.value(np.array(row)))
        learner.learn_one(np.array(row), y)
    assert values == [1, 1, 4, 1, 5]
    assert learner.mistakes == 3
    assert learner.weights() == {0: 1.0, 1: 1.0}
    assert learner.value(np.array([1, 1])) == Fraction(5, 2)
    assert learner.sets == 3


@given(stream=strategies.streams(max_n=4, max_rows=8), repeats=st.lists(st.integers(1, 9), min_size=8, max_size=8),
       alpha=ALPHAS, theta=THETAS, backend=st.sampled_from(["map", "local"]))  # fmt: skip
def test_a_run_of_equal_rows_is_settled_as_step_by_step(stream, repeats, alpha, theta, backend):
    many = np.array(repeats[: len(stream.y)])
    X, y = np.repeat(stream.X, many, axis=0), np.repeat(stream.y, many)
    learner, stepwise = (KernelWinnow(alpha=alpha, theta=theta, backend=backend) for _ in range(2))
    learner.begin(stream.n, labels=(0, 1)), stepwise.begin(stream.n, labels=(0, 1))
    said = learner.learn(X, y).tolist()
    for row, label, expected in zip(X, y, said, strict=True):
        resumed = KernelWinnow.from_state(stepwise.params(), stepwise.state())  # remembers no value
        assert resumed.learn_one(row, label) == stepwise.learn_one(row, label) == expected
    for key, array in learner.state().items():
        assert np.array_equal(array, stepwise.state()[key]), key


def test_long_runs_take_no_time_and_no_room():
    X = np.repeat(np.eye(300, dtype=bool)[:3], 40_000, axis=0)
    learner = KernelWinnow(alpha=Fraction(101, 100), theta=2**300)
    learner.learn(X, np.tile([1], len(X)))
    steps = next(j for j in range(20_000, 30_000) if Fraction(101, 100) ** j >= 2**300)
    assert learner.mistakes == 3 * steps


@pytest.mark.parametrize(("backend", "what"), [("map", "closed sets"), (None, "inside its row")])
def test_a_map_beyond_its_cap_is_refused_and_nothing_has_happened(backend, what):
    X, y = golden()
    learner = KernelWinnow(cap=30, backend=backend)
    learner.learn(X[:10], y[:10])
    before = learner.copy()
    with pytest.raises(ls.errors.TooLarge, match=f"{what}.* cap=30; raise cap, bound max_size, .*method='gibbs'"):
        learner.learn(X[10:], y[10:])
    for key, array in before.state().items():
        assert np.array_equal(array, learner.state()[key]), key
    assert learner.predict(X[:10]).tolist() == before.predict(X[:10]).tolist()
