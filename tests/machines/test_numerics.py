"""Numbers at their limits: averages, exact ties, underflow, sizes, float32. Each of these once went wrong."""

from fractions import Fraction
from time import perf_counter

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import LittlestoneError
from littlestone.core.rows import NOTHING, Rows


def test_large_values_make_no_nan():
    rng = np.random.default_rng(0)
    for size in (1e3, 1e10, 1e100):
        X = rng.choice([0.0, 1.0, size], (60, 4))
        y = rng.integers(0, 2, 60)
        for learner in (
            ls.Winnow(theta=1e4, averaged=True), ls.Winnow(theta=1e4), ls.NormalizedWinnow(theta=0.2, averaged=True),
            ls.Perceptron(averaged=True), ls.PNorm(p=9.0, averaged=True), ls.BalancedWinnow(averaged=True),
            ls.ThresholdedBEG(averaged=True),
        ):  # fmt: skip
            learner.learn(X, y)
            assert np.isfinite(learner.activation(X)).all(), (learner, size)
            assert np.isfinite(learner.hypothesis().w).all(), (learner, size)


def average_of_hypotheses(learner, X, y):
    """Play row by row and average the hypotheses of the same learner without averaging."""
    plain = type(learner)(**{**learner.params(), "averaged": False}).begin(X.shape[1], labels=(0, 1))
    total, said, theta = np.zeros(X.shape[1]), [], None
    for t, (row, label) in enumerate(zip(X, y, strict=True), 1):
        w, theta = plain.hypothesis()
        total += w
        said.append(int(row @ total - t * theta >= 0))
        plain.learn([row], [label])
    return np.array(said), (total + plain.hypothesis().w) / (len(y) + 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.NormalizedWinnow(eta=1.0, theta=0.9, averaged=True),
        lambda: ls.NormalizedWinnow(eta=0.5, theta=0.3, averaged=True),
        lambda: ls.NormalizedWinnow(eta=30.0, theta=0.3, averaged=True),
        lambda: ls.PNorm(p=20.0, theta=0.3, bias=False, averaged=True),
        lambda: ls.PNorm(p=3.0, bias=False, averaged=True),
    ],
)
def test_averages_of_scaled_hypotheses_over_a_long_game(make):
    rng = np.random.default_rng(0)
    X = (rng.random((3000, 12)) < 0.4).astype(float)
    y = (X[:, :2].any(axis=1) ^ (rng.random(3000) < 0.2)).astype(int)
    learner = make().begin(12, labels=(0, 1))
    said = learner.learn(X, y)
    expected, mean = average_of_hypotheses(learner, X, y)
    assert (said != expected).sum() <= 2  # a tie may fall either way
    assert learner.hypothesis().w == pytest.approx(mean, rel=1e-9, abs=1e-12)


def test_averaged_normalized_winnow_that_only_grows():
    X = np.zeros((400, 3))
    X[:, 0] = (np.arange(400) // 20) % 2 == 0
    X[:, 1] = 1 - X[:, 0]
    learner = ls.NormalizedWinnow(beta1=np.e, beta0=1 / np.e, theta=0.9, averaged=True).begin(3, labels=(0, 1))
    learner.learn(X, np.ones(400, dtype=int))
    assert learner.hypothesis().w == pytest.approx([0.502, 0.494, 0.004], abs=1e-3)
    assert learner.hypothesis().w.sum() == pytest.approx(1.0)


def test_exact_ties_with_two_factors_and_large_exponents():
    """343 and 1/7: three demotions undo a promotion, exactly, for ever."""
    learner = ls.Winnow(alpha=343, demotion=Fraction(1, 7), theta=1, w1=1).begin(1, labels=(0, 1))
    said = learner.learn(np.ones((10_000, 1), dtype=bool), np.array([0, 1, 0, 0] * 2500))
    assert said.tolist() == [1, 0, 1, 1] * 2500


def test_a_full_table_forgets_what_is_not_in_use(monkeypatch):
    monkeypatch.setattr("littlestone.machines.power_table.MOST_STATES", 300)
    monkeypatch.setattr("littlestone.machines.exponents.MOST_STATES", 300)
    rng = np.random.default_rng(0)
    X, y = rng.random((3000, 20)) < 0.3, rng.random(3000) < 0.5
    small = ls.Winnow.preset("snow")
    parts = [small.learn(X[at : at + 250], y[at : at + 250]) for at in range(0, 3000, 250)]
    whole = ls.Winnow.preset("snow")
    assert np.concatenate(parts).tolist() == whole.learn(X, y).tolist()
    monkeypatch.undo()
    free = ls.Winnow.preset("snow")
    assert free.learn(X, y).tolist() == np.concatenate(parts).tolist()
    assert len(small.state()["exponents"]) <= 300 < len(free.state()["exponents"])
    assert small.hypothesis().w.tolist() == free.hypothesis().w.tolist()


@pytest.mark.parametrize("kind", [ls.Winnow, ls.BalancedWinnow])
@pytest.mark.parametrize("alpha", [2.0, 1.1, Fraction(4, 3), 1.0 + 1e-9, 1.0 + 2.0**-52])
def test_near_ties_are_decided_as_fractions_decide_them(kind, alpha):
    """Also where weights are differences of nearly equal powers."""
    rng = np.random.default_rng(0)
    for distance in [Fraction(0), *(Fraction(1, 2**bits) for bits in (50, 70, 90, 95, 100, 105, 120))] * 6:
        exponents = np.zeros((7, 2), dtype=np.int64)
        exponents[1:, 0] = rng.choice(np.arange(1, 100), 6, replace=False) * rng.choice([1, 1, -1], 6)
        row, w1, way = rng.permutation(6)[: rng.integers(1, 7)], rng.choice([1.0, 0.1]), int(rng.choice([-1, 1]))
        margin = Fraction(0) if kind is ls.Winnow else Fraction(int(rng.integers(0, 3)), 7)
        weights = kind(alpha=alpha, w1=w1, theta=1, bias=False)._build(None).table.weight
        terms = [weights(*pair) for pair in exponents[1:][row].tolist()]
        positive = bool(rng.integers(2))
        theta = sum(terms) + way * distance * sum(map(abs, terms))
        theta += rng.choice([0, -1 if positive else 1]) * margin  # near to theta itself, or to where the margin ends
        given = {"theta": theta, "w1": w1, "bias": False} | ({} if kind is ls.Winnow else {"margin": margin})
        machine = kind(alpha=alpha, **given)._build(None)
        counts = machine.state()["counts"]
        machine.restore({"states": np.arange(1, 7, dtype=np.uint8), "exponents": exponents, "counts": counts})
        rows, gap = Rows(np.array([0, len(row)]), row.astype(np.uint32), NOTHING), sum(terms) - theta
        predicted, activations = machine.score(rows)
        assert (predicted[0], np.sign(activations[0])) == (gap >= 0, (gap > 0) - (gap < 0))
        assert machine.learn(rows, np.array([positive], dtype=np.uint8), NOTHING).tolist() == [gap >= 0]
        thick = kind is ls.BalancedWinnow and (gap if positive else -gap) <= margin
        assert machine.counts()[0] == ((gap >= 0) != positive or thick)


def test_scores_that_underflow_keep_their_sign():
    X, y = np.array([[-1.0, 0], [0, -1], [-1, 0], [-1, 0]]), [1, 0, 1, 0]
    whole, rowwise = (ls.NormalizedWinnow(eta=1000.0).begin(labels=(0, 1)) for _ in range(2))
    assert whole.learn(X, y).tolist() == [0, 0, 0, 0]
    assert [int(rowwise.learn([row], [label])[0]) for row, label in zip(X, y, strict=True)] == [0, 0, 0, 0]
    steep = ls.PNorm(p=60.0, bias=False).begin(labels=(0, 1))
    steep.learn([[0, 1e6], [1, 0]], [0, 0])
    assert steep.predict([[1, 0]]).tolist() == [0]


def test_normalised_weights_sum_to_one_over_all_that_is_known():
    learner = ls.NormalizedWinnow()
    learner.learn(np.eye(2, 10), [0, 1])
    assert learner.hypothesis().w.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("call", [
    lambda: ls.Winnow(theta=10**400), lambda: ls.Winnow(theta=1e300), lambda: ls.Winnow(w1=1e-300),
    lambda: ls.Winnow(alpha=Fraction(10**400)), lambda: ls.PNorm(eta=1e-300), lambda: ls.Perceptron(w1=1e308),
    lambda: ls.Perceptron(dtype="float32").learn([[1e20, 1]], [1]),
    lambda: ls.Perceptron(dtype="float32").learn_one({"a": 1e20}, 1),
])  # fmt: skip
def test_sizes_beyond_the_floats_are_refused(call):
    with pytest.raises(LittlestoneError, match="1e"):
        call()


def test_float32_stays_finite():
    learner = ls.BalancedWinnow(alpha=2, dtype="float32", bias=False).begin(2, labels=(0, 1))
    learner.learn(np.array([[200.0, 0], [0, 200.0]]), [0, 1])
    assert np.isfinite(learner.activation(np.array([[0.5, 0.5]]))).all()
    steep = ls.PNorm(p=60.0, dtype="float32", averaged=True).begin(2, labels=(0, 1))
    steep.learn([[10, 0], [0, 1]], [0, 0])
    assert np.isfinite(steep.hypothesis().w).all()


def test_a_margin_is_compared_exactly():
    learner = ls.Winnow(theta=2**53 + 2, margin=2**53).begin(1, labels=(0, 1))
    learner.learn([[1]], [0])
    assert learner.updates == 0
    assert ls.Winnow(margin=Fraction(1, 2)).begin(2).learn([[1, 0]], [1]).tolist() == [0]


def test_weights_of_one_are_no_weights():
    learner = ls.Winnow(alpha=1.1, theta=3.3, tie=0).begin(3, labels=(0, 1))
    learner.learn(np.ones((1, 3)), [1], weight=[1.0])
    assert learner.learn(np.ones((1, 3)), [0], weight=[1.0]).tolist() == [0]
    assert "states" in learner.state()


def test_repeated_ties_and_small_rates_are_quick():
    started = perf_counter()
    ls.Winnow(alpha=1.1, theta=3.3).learn(np.ones((20_000, 3)), [1] * 20_000)
    ls.Winnow(alpha=1.001, theta=1000.0).learn(np.ones((8000, 1), dtype=bool), [1] * 8000)
    assert perf_counter() - started < 10


@pytest.mark.parametrize("make", [ls.Perceptron, lambda **o: ls.PNorm(p=3, **o), lambda **o: ls.QuasiAdditive(**o)])
@pytest.mark.parametrize("eta", [0.1, 0.3, 1 / 3, 7.0])
def test_a_rate_changes_no_prediction_from_a_start_of_zero(make, eta):
    """In floats eta = 0.3 changed 124 of 3,000, wherever w.x = 0."""
    rng = np.random.default_rng(0)
    X = rng.random((3000, 60)) < 0.2
    y = X[:, :3].any(axis=1) ^ (rng.random(3000) < 0.1)
    for options in ({}, {"averaged": True}, {"dtype": "float32"}):
        one, other = make(**options), make(eta=eta, **options)
        assert one.learn(X, y).tolist() == other.learn(X, y).tolist()
        assert one.activation(X) * eta == pytest.approx(other.activation(X), rel=1e-12)
        assert one.hypothesis().w * eta == pytest.approx(other.hypothesis().w, rel=1e-12)


def test_thresholds_and_margins_are_counted_in_steps_too():
    rng = np.random.default_rng(1)
    X, y = rng.random((500, 8)) < 0.4, rng.random(500) < 0.5
    plain = ls.Perceptron(theta=3.0, w1=1.0, margin=2.0)
    small = ls.Perceptron(eta=0.1, theta=0.3, w1=0.1, margin=0.2)
    assert plain.learn(X, y).tolist() == small.learn(X, y).tolist()
    assert small.hypothesis().theta == pytest.approx(0.1 * plain.hypothesis().theta)
    assert small.begin().hypothesis().w == pytest.approx(0.1 * plain.hypothesis().w)
    assert ls.Perceptron(eta=0.3, theta=0.1, bias=False).begin(2).hypothesis().theta == 0.1  # a third has no float


def test_the_rate_does_not_turn_the_perceptron():
    assert ls.diagnostics.rotation_invariant(ls.Perceptron(eta=0.1)).holds


@pytest.mark.parametrize(
    "make", [lambda: ls.Winnow(w1=0.3, theta=0.9), lambda: ls.BalancedWinnow(alpha=1.1, margin=0.3)]
)
def test_boolean_rows_are_exact_in_a_mixed_block(make):
    """The exponents stay whole up to the first real row, whatever the blocks; predict is exact on the others."""
    rng = np.random.default_rng(1)
    X = (rng.random((80, 5)) < 0.6).astype(float)
    X[40:] *= rng.choice([0.5, 1.0], (40, 1))
    X[0] = [1, 1, 1, 0, 0]
    y = rng.integers(0, 2, 80)
    whole, rowwise = make().begin(5, labels=(0, 1)), make().begin(5, labels=(0, 1))
    assert whole.learn(X, y).tolist() == [int(rowwise.learn(X[i : i + 1], y[i : i + 1])[0]) for i in range(80)]
    assert np.array_equal(whole.state()["weights"], rowwise.state()["weights"])
    exact = make().begin(5)
    exact.learn(X[:40], y[:40])
    mixed = np.vstack([X[:40], [[0.5] * 5]])
    assert exact.predict(mixed)[:40].tolist() == exact.predict(X[:40]).tolist()
    assert exact.activation(mixed)[:40].tolist() == exact.activation(X[:40]).tolist()
