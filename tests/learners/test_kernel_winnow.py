"""Kernel Winnow: equal to weights written down, in both exact ways, run by run and row by row; the golden numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.rational import conjunctions
from littlestone.learners import KernelWinnow
from littlestone.machines.sets.closures import Subsets, extent_value
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
    steps, rest = divmod(learner.mistakes, 3)
    assert rest == 0
    assert Fraction(101, 100) ** (steps - 1) < 2**300 <= Fraction(101, 100) ** steps


@pytest.mark.parametrize("tiny", [20, 310, 400])
def test_a_step_that_no_float_can_hold(tiny):
    learner = KernelWinnow(alpha=1 + Fraction(1, 10**tiny), theta=2).begin(2, labels=(0, 1))
    assert learner.learn(np.eye(2, dtype=bool).repeat(4, axis=0), [1] * 8).tolist() == [0] * 8
    assert learner.value(np.ones(2)) == 1 + 2 * learner.alpha**4


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


def retold(learner, **changes):
    """The same weights, other parameters."""
    return KernelWinnow.from_state(learner.params() | changes, learner.state())


@given(seed=st.integers(0, 10**6), n=st.integers(5, 40), ones=st.integers(2, 6), alpha=ALPHAS)
@settings(max_examples=25)
def test_map_local_and_extents_give_the_same_numbers(seed, n, ones, alpha):
    rng = np.random.default_rng(seed)
    X = rng.random((80, n)) < ones / n
    y = rng.random(80) < 0.5
    learner, local = KernelWinnow(alpha=alpha, theta=n), KernelWinnow(alpha=alpha, theta=n, backend="local")
    assert learner.learn(X, y).tolist() == local.learn(X, y).tolist()
    assert learner.predict(X).tolist() == local.predict(X).tolist() == (learner.activation(X) >= 0).tolist()
    lattice, machine = Subsets(n, smallest=1), learner._machine
    pairs = [(element, alpha**net) for element, net in machine.nets.items()]
    for row in X[:5]:
        z = machine.element(np.flatnonzero(row), np.zeros(0))
        assert learner.value(row) == local.value(row) == extent_value(lattice, z, pairs)


def test_a_value_that_equals_theta_is_seen_through_the_floats():
    X, y = golden()
    learner = KernelWinnow(backend="map")
    learner.learn(X, y)
    for row in X[:40]:
        value = learner.value(row)
        for off, said in ((0, True), (Fraction(1, 10**30), False), (-Fraction(1, 10**30), True)):
            if value + off > 0:
                near = retold(learner, theta=value + off)
                assert near.predict(row[np.newaxis])[0] == said
                activation = near.activation(row[np.newaxis])[0]
                assert activation == pytest.approx(float(-off), rel=1e-9)
                assert np.sign(activation) == -np.sign(off)


@pytest.mark.parametrize(("n", "density", "seed"), [(20, 0.5, 1), (50, 0.2, 1), (100, 0.2, 1), (100, 0.1, 1)])
def test_two_terms_are_learned_within_the_bound(n, density, seed):
    X = np.random.default_rng(seed).random((600, n)) < density
    learner = KernelWinnow()
    learner.learn(X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3])
    assert learner.mistakes <= learner.guarantee.at(k=2).value <= 2 + 6 * (1 + n)
    assert learner.sets > learner.mistakes


@given(data=st.data(), alpha=ALPHAS, theta=THETAS, monotone=st.booleans(), max_size=st.none() | st.integers(1, 3))
def test_mistakes_on_a_dnf_are_within_the_bound(data, alpha, theta, monotone, max_size):
    stream = data.draw(strategies.streams(max_n=6))
    literal = st.tuples(st.integers(0, stream.n - 1), st.just(1) if monotone else st.booleans())
    term = st.frozensets(literal, min_size=1, max_size=max_size or 4)
    terms = data.draw(st.lists(term, min_size=1, max_size=3, unique=True))
    y = [int(any(all(row[i] == value for i, value in term) for term in terms)) for row in stream.X]
    learner = KernelWinnow(alpha=alpha, theta=theta, monotone=monotone, max_size=max_size)
    learner.begin(stream.n, labels=(0, 1)).learn(stream.X, y)
    assume(conjunctions(stream.n, literals=2 - monotone, max_size=max_size) >= len(terms))
    assert learner.mistakes <= learner.guarantee.at(k=len(terms)).value


@pytest.mark.parametrize("wrong", [
    {"alpha": 1}, {"alpha": float("nan")}, {"theta": 0}, {"theta": -3}, {"theta": float("inf")}, {"theta": "n"},
    {"monotone": 2}, {"max_size": 0}, {"method": "mcmc"}, {"method": "gibbs", "max_size": 1}, {"cap": 0},
    {"backend": "table"}, {"sweeps": 3}, {"seed": -1},
])  # fmt: skip
def test_parameters_out_of_range_are_refused(wrong):
    with pytest.raises(ls.InvalidParameter, match=f"KernelWinnow: .*{list(wrong)[-1]}"):
        KernelWinnow(**wrong)


def test_bad_rows_weights_and_sizes_are_refused():
    learner = KernelWinnow()
    with pytest.raises(ls.InvalidData, match="Boolean"):
        learner.learn(np.full((1, 3), 0.5), [1])
    with pytest.raises(ls.InvalidData, match="whole number"):
        learner.learn(np.eye(3), [1, 0, 1], weight=[1, 0.5, 1])
    with pytest.raises(ls.errors.TooLarge, match="literals"):
        KernelWinnow(monotone=False).begin(6000)
    with pytest.raises(ls.errors.UnknownSize):
        learner.value({"a"})
    with pytest.raises(ls.InvalidParameter, match="size"):
        learner.begin(3).heaviest(size=4)
    with pytest.raises(ls.InvalidParameter, match="size must be .* <= 3"):
        KernelWinnow(monotone=False).begin(3).heaviest(size=4)


def test_a_refusal_undoes_the_parts_of_a_block_with_negations(monkeypatch):
    monkeypatch.setattr("littlestone.core.rows.NEGATED_AT_ONCE", 24)
    monkeypatch.setattr("littlestone.learners.kernel_winnow.NEGATED_AT_ONCE", 24)
    X, y = golden()
    learner = KernelWinnow(monotone=False, cap=60, backend="map")
    learner.learn(X[:3], y[:3])
    before = learner.state()
    with pytest.raises(ls.errors.TooLarge):
        learner.learn(X[3:], y[3:])
    for key, array in learner.state().items():
        assert np.array_equal(array, before[key]), key


def test_the_rule_it_has_come_to_believe():
    rows = [{"a", "b"}, {"c"}, {"a", "d"}, {"b", "d"}, {"a", "b", "c"}, {"a"}, {"b"}]
    learner = KernelWinnow(theta=3).begin(4, labels=(0, 1))
    for _ in range(20):
        for row in rows:
            learner.learn_one(row, int({"a", "b"} <= row or "c" in row))
    assert learner.rule() == "c or a & b"
    assert [literals for literals, _ in learner.heaviest(2)] == [("c",), ("a", "b")]
    singles, pairs = dict(learner.heaviest(size=1)), dict(learner.heaviest(size=2))
    assert next(iter(pairs)) == ("a", "b")
    assert {name: float(weight) for (name,), weight in singles.items()} == learner.weights()
    assert learner.value({"a", "b"}) == singles["a",] + singles["b",] + pairs["a", "b"]


def test_negated_literals_are_named():
    X = np.random.default_rng(3).random((400, 5)) < 0.5
    learner = KernelWinnow(monotone=False)
    learner.learn(X, X[:, 0] & ~X[:, 1] | X[:, 2] & X[:, 3])
    assert {literals for literals, _ in learner.heaviest(2, size=2)} == {(0, "not 1"), (2, 3)}
    assert set(learner.rule(2, size=2).split(" or ")) == {"x0 & not x1", "x2 & x3"}
