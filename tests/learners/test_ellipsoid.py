"""The ellipsoid method as an on-line learner: its cuts, its invariant, its bound, and what Hadamard does to it."""

from decimal import Decimal, localcontext
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge, UnknownSize
from littlestone.learners import Ellipsoid
from littlestone.teachers import DecisionList, Disjunction, Hadamard
from littlestone.theory.diagnostics import additive, rotation_invariant
from tests import strategies
from tests.naive import ellipsoid as naive
from tests.naive import loop

KINDS = {
    "central": {}, "deep": {"deep": True}, "fixed": {"bias": False, "theta": 0.2},
    "fixed and deep": {"bias": False, "theta": 0.2, "deep": True}, "no constant": {"bias": False},
    "both": {"theta": -0.3}, "both and deep": {"theta": 0.1, "deep": True},
}  # fmt: skip
kinds = pytest.mark.parametrize("kind", KINDS)


def region(learner):
    """The centre and P."""
    machine = learner._machine
    return machine.centre, machine.root @ machine.root.T


def test_the_first_cut():
    learner = Ellipsoid()
    learner.learn(np.array([[1, 1, 0]], dtype=bool), [0])
    x = np.array([1, 1, 0, 1])
    c, P = region(learner)
    assert c == pytest.approx(-x / (5 * sqrt(3)), abs=1e-15)
    assert pytest.approx(16 / 15 * (np.eye(4) - 2 / 5 * np.outer(x, x) / 3), abs=1e-15) == P
    w, theta = learner.hypothesis()
    assert [*w, -theta] == c.tolist()


@pytest.mark.parametrize("n", [1, 2, 10, 40])
def test_a_cut_shrinks_the_volume_by_the_ratio_in_the_bound(n):
    rng = np.random.default_rng(n)
    X = rng.integers(-3, 4, size=(60, n))
    central, deep = Ellipsoid().begin(n, labels=(0, 1)), Ellipsoid(deep=True).begin(n, labels=(0, 1))
    m = n + 1
    ratio = log(m / (m + 1)) + (m - 1) / 2 * log(m * m / (m * m - 1))
    assert ratio < -1 / (2 * (m + 1))
    for x in X:
        for learner in (central, deep):
            before = np.linalg.slogdet(learner._machine.root)[1]
            learner.learn(x[np.newaxis], 1 - learner.predict(x[np.newaxis]))
            after = np.linalg.slogdet(learner._machine.root)[1]
            if learner is central:
                assert after - before == pytest.approx(ratio, abs=1e-9)
            else:
                assert after - before <= ratio + 1e-9
    assert central.updates == central.mistakes == 60


@given(strategies.streams(strategies.ANY, max_n=5), st.sampled_from(sorted(KINDS)))
def test_it_is_its_twin(stream, kind):
    told = KINDS[kind]
    learner = Ellipsoid(**told)
    n = stream.n + learner.bias
    assume(n >= 2)
    rows = [{i: Decimal(x) for i, x in row.items()} for row in stream.rows()]
    rows = [loop.with_constant(row, stream.n) for row in rows] if learner.bias else rows
    with localcontext(prec=60):
        theta = Decimal(learner.theta)
        game = loop.play(naive.Ellipsoid(n, theta, learner.deep), rows, stream.y.tolist(), theta=theta)
    learner.begin(stream.n, labels=(0, 1))
    said = np.concatenate([learner.learn(X, y) for X, y in stream.blocks()]).tolist()
    unsure = [t for t, gap in enumerate(game.gaps) if gap < 1e-9]
    end = unsure[0] if unsure else len(said)
    assert said[:end] == game.predictions[:end]
    if not unsure:
        w, constant = learner._machine.weights(stream.n)
        expected = [float(c) for c in game.weights]
        got = [*w, constant] if learner.bias else list(w)
        np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-7 * max(map(abs, expected)))


@kinds
@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("d", range(1, 8))
def test_hadamard_makes_it_err_in_every_trial(kind, k, d):
    teacher = Hadamard(d, k)
    assert ls.play(Ellipsoid(**KINDS[kind]), teacher).mistakes == teacher.n_attributes - k + 1 == 2**d


@kinds
@pytest.mark.parametrize("order", [12, 20, 24])
def test_so_do_paleys_matrices(kind, order):
    assert ls.play(Ellipsoid(**KINDS[kind]), Hadamard(order=order, k=2)).mistakes == order


@pytest.mark.slow
@kinds
@pytest.mark.parametrize("d", [8, 9])
def test_hadamard_at_large(kind, d):
    for k in (1, 5):
        assert ls.play(Ellipsoid(**KINDS[kind]), Hadamard(d, k)).mistakes == 2**d


@kinds
def test_additive_and_rotation_invariant(kind):
    assert additive(Ellipsoid(**KINDS[kind]))
    assert rotation_invariant(Ellipsoid(**KINDS[kind]))


@given(strategies.streams(disjunction=True, max_rows=60), st.booleans())
def test_the_target_stays_inside_and_the_bound_holds(stream, deep):
    assume(stream.k)
    learner = Ellipsoid(deep=deep).begin(stream.n, labels=(0, 1))
    target = next(candidates(stream))
    for X, y in stream.blocks():
        learner.learn(X, y)
        assert learner.contains(target) <= 1.0 + 1e-9
    assert learner.mistakes <= learner.guarantee.at(k=stream.k).value


def candidates(stream):
    """Yield the disjunctions that fit the stream, of as many attributes as its own."""
    for bits in range(2**stream.n):
        target = np.array([bool(bits >> i & 1) for i in range(stream.n)])
        if target.sum() == stream.k and np.array_equal(stream.X[:, target].any(axis=1), stream.y == 1):
            yield target


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(("n", "k"), [(10, 2), (40, 4)])
def test_far_below_the_bound_on_random_rows(n, k, deep):
    learner = Ellipsoid(deep=deep)
    for block in Disjunction(n, k, trials=2000, reading="R2", seed=1).blocks(50):
        learner.learn(block)
        assert 0.0 <= learner.contains(np.arange(k)) <= 1.0
    bound = learner.guarantee.at(k=k)
    assert bound == bounds.ellipsoid(n=n, k=k)
    assert n <= learner.mistakes < bound.value / 10


def test_a_fixed_threshold_keeps_a_target_that_fits_the_first_ball():
    learner = Ellipsoid(bias=False, theta=0.25, deep=True)  # 1/(2 sqrt k)
    for block in Disjunction(30, 4, trials=3000, reading="R2").blocks(50):
        learner.learn(block)
        assert learner.contains([0, 1, 2, 3]) <= 1.0 + 1e-9
    assert learner.guarantee is None


@pytest.mark.parametrize(("n", "k", "central", "deep"), [
    (20, 3, 43, 38), (50, 3, 114, 95), pytest.param(100, 5, 317, 261, marks=pytest.mark.slow),
])  # fmt: skip
def test_dense_random_rows(n, k, central, deep):
    """Numbers of one stream each, found by other code; ours are within their spread, a tenth."""
    streams = [Disjunction(n, k, trials=20_000, reading="R2", seed=seed) for seed in range(4)]
    for told, expected in (({}, central), ({"deep": True}, deep)):
        mistakes = [ls.play(Ellipsoid(**told), stream).mistakes for stream in streams]
        assert np.mean(mistakes) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(("make", "told", "mistakes"), [
    (Disjunction.figure1, {"reading": "R1"}, [325, 332]), (Disjunction.figure1, {"reading": "R2"}, [1677, 1653]),
    (Disjunction.figure1, {"reading": "R3"}, [131, 121]), (Disjunction.figure2, {}, [396, 387]),
])  # fmt: skip
def test_the_streams_of_the_figures(make, told, mistakes):
    """To the mistake as an independent program that keeps P itself."""
    assert [ls.play(Ellipsoid(), make(**told, seed=seed)).mistakes for seed in (0, 1)] == mistakes


@pytest.mark.parametrize(("n", "mistakes"), [(8, 80), (9, 118), (10, 177), (11, 207)])
def test_decision_lists_until_it_is_right(n, mistakes):
    learner, blocks, before = Ellipsoid(), list(DecisionList(n).blocks()), -1
    while learner.mistakes > before:
        before = learner.mistakes
        for block in blocks:
            learner.learn(block)
    assert learner.mistakes == mistakes


@kinds
@pytest.mark.parametrize("n", [2, 5])
def test_noise_does_no_harm_to_the_numbers(kind, n):
    """Thousands of contradictory rows, and one row with every answer wrong: finite, in range, and still resumable."""
    rng = np.random.default_rng(n)
    learner = Ellipsoid(**KINDS[kind]).begin(n, labels=(0, 1))
    learner.learn(rng.normal(size=(4000, n)), rng.integers(2, size=4000))
    for x in np.ones((300, 1, n)):
        learner.learn(x, 1 - learner.predict(x))
    c, P = region(learner)
    assert np.isfinite(c).all() and np.isfinite(P).all() and (np.diag(P) > 0).all()
    again = Ellipsoid.from_state(learner.params(), learner.state())
    X, y = rng.normal(size=(50, n)), rng.integers(2, size=50)
    assert again.learn(X, y).tolist() == learner.learn(X, y).tolist()
    assert again.hypothesis().theta == learner.hypothesis().theta


def test_the_unit_changes_without_a_trace():
    """Wrong answers far apart in scale: numbers that would leave the range of floats, had they one unit for ever."""
    learner = Ellipsoid().begin(1, labels=(0, 1))
    for t in range(3000):
        x = np.array([[1.0 + t % 2]])
        learner.learn(x, 1 - learner.predict(x))
    assert learner._machine._exponent != 0
    assert 2.0**-210 < np.abs(learner._machine.root).max() < 2.0**210


@kinds
def test_predictions_do_not_depend_on_the_unit(kind, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), rng.integers(2, size=400)
    learner, other = Ellipsoid(**KINDS[kind]), Ellipsoid(**KINDS[kind])
    said = learner.learn(X, y).tolist()
    monkeypatch.setattr("littlestone.machines.region.FAR", 2)
    assert other.learn(X, y).tolist() == said
    exponent = other._machine._exponent
    assert learner._machine._exponent == 0 != exponent
    for mine, theirs in zip(learner.hypothesis(), other.hypothesis(), strict=True):
        assert np.array_equal(mine, np.ldexp(theirs, exponent))


def test_huge_and_tiny_values():
    X = np.array([[1e100, -1e100], [1e-100, 1e-90], [0.0, 0.0], [1e-300, 0.0]])
    learner = Ellipsoid(bias=False).begin(2, labels=(0, 1))
    for _ in range(20):
        learner.learn(X, 1 - learner.predict(X))
    assert np.isfinite(learner.activation(X)).all()


def test_an_empty_row_rules_nothing_out_without_a_constant():
    zero = np.zeros((1, 3), dtype=bool)
    blind, seeing = Ellipsoid(bias=False), Ellipsoid()
    for learner, updates in ((blind, 0), (seeing, 1)):
        assert learner.learn(zero, [0]).tolist() == [1]
        assert learner.updates == updates
    assert (blind.predict(zero)[0], seeing.predict(zero)[0]) == (1, 0)


def test_a_weight_of_nothing_is_no_cut_and_others_are_alike():
    X = np.eye(3, dtype=bool)
    learner, plain = Ellipsoid(), Ellipsoid()
    learner.learn(X, [0, 0, 1], weight=[0.0, 3.0, 0.5])
    plain.learn(X[1:], [0, 1])
    assert learner.hypothesis().w.tolist() == plain.hypothesis().w.tolist()


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: Ellipsoid(bias=False).begin(1), InvalidParameter, "at least 2 coordinates"),
    (lambda: Ellipsoid().begin(20_000), TooLarge, r"3\.0 GiB.*Perceptron"),
    (lambda: Ellipsoid().learn_one({"a": 1}, 1), UnknownSize, "begin"),
    (lambda: Ellipsoid().hypothesis(), UnknownSize, "begin"),
    (lambda: Ellipsoid(deep=1), InvalidParameter, "deep must be True or False"),
    (lambda: Ellipsoid(theta=np.nan), InvalidParameter, "theta"),
    (lambda: Ellipsoid(bias=False).begin(3).contains([0]), InvalidParameter, "x=0 is taken for positive"),
    (lambda: Ellipsoid().begin(3).contains([3]), InvalidData, "below n=3"),
    (lambda: Ellipsoid().begin(3).contains([1, 1]), InvalidData, "different"),
    (lambda: Ellipsoid().begin(3).learn([[np.nan, 0, 1]], [1]), InvalidData, "finite"),
])  # fmt: skip
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("settings", [{"theta": 0.2, "deep": True}, {"theta": 0.2}, {"theta": -0.3}, {}])
def test_the_hypothesis_predicts_as_the_learner_does_under_noise(settings):
    rng = np.random.default_rng(0)
    X = rng.random((8000, 12)) < 0.3
    y = X[:, :3].any(axis=1) ^ (rng.random(8000) < 0.2)
    learner = Ellipsoid(**settings)
    learner.learn(X, y)
    Z = rng.random((500, 12)) < 0.3
    w, theta = learner.hypothesis()
    said = np.array([sum(w[np.flatnonzero(z)].tolist()) >= theta for z in Z])
    assert np.array_equal(learner.predict(Z).astype(bool), said)
