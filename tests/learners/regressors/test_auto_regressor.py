"""AutoRegressor: equal to its naive twin, its bounds on any sequence, and what no unit, block or row changes."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.engine.learning import averaging, forecasts
from littlestone.machines.sound import Unsound
from tests.naive import auto_regressor as naive

ARRAYS = ("numbers", "factor", "moments", "mixed", "totals")


def rows(seed, trials=60, n=5, kind="real"):
    rng = np.random.default_rng(seed)
    X = {"real": rng.normal(size=(trials, n)), "sparse": rng.random((trials, n)) < 0.3,
         "mixed": rng.normal(size=(trials, n)) * (rng.random((trials, n)) < 0.5)}[kind].astype(float)  # fmt: skip
    return X, 40 + X @ rng.normal(size=n) * 3 + rng.normal(size=trials)


@pytest.mark.parametrize("kind", ["real", "sparse", "mixed"])
@pytest.mark.parametrize("Y", [None, 60.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_equal_to_its_naive_twin(kind, Y, weighted):
    for seed in range(3):
        X, y = rows(seed, kind=kind)
        weights = np.random.default_rng(9).integers(0, 3, 60) / 2.0 if weighted else None
        learner, twin = ls.AutoRegressor(Y=Y), naive.AutoRegressor(5, Y=Y)
        said = learner.learn(X, y, weight=weights)
        expected = [
            twin.trial(x, t, 1.0 if weights is None else weights[i]) for i, (x, t) in enumerate(zip(X, y, strict=True))
        ]
        assert np.allclose(said, expected, rtol=1e-6, atol=1e-6)
        assert np.allclose([e.loss for e in learner.experts], twin.losses + twin.paid_by_all, rtol=1e-6)


def test_least_squares_leave_where_attributes_are_many_as_in_the_twin():
    X, y = rows(1, trials=40, n=130, kind="mixed")
    X[:25, forecasts.FEW :] = 0.0
    learner, twin = ls.AutoRegressor(), naive.AutoRegressor(130)
    assert np.allclose(learner.learn(X, y), [twin.trial(x, t) for x, t in zip(X, y, strict=True)], rtol=1e-6)
    assert [e.name.split("(")[0] for e in learner.experts if e.loss == np.inf] == ["least squares"] * 4
    assert sum(e.share for e in learner.experts) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["real", "sparse"])
@pytest.mark.parametrize("n", [5, 130])
def test_no_block_and_no_order_of_asking_changes_anything(kind, n):
    X, y = rows(2, n=n, kind=kind)
    X[:30, 80:] = 0.0  # what comes later is in no block before
    whole = ls.AutoRegressor()
    said = whole.learn(X, y)
    for step in (1, 7, 30):
        parts, found = ls.AutoRegressor(), []
        for at in range(0, 60, step):
            few = n if at + step > 30 else min(n, 80)  # rows of fewer columns come first
            asked = parts.predict(X[at : at + 1, :few])
            found += parts.learn(X[at : at + step, :few], y[at : at + step]).tolist()
            assert asked[0] == found[at]
        assert found == said.tolist()
        ours, theirs = parts.state(), whole.state()
        assert all(np.array_equal(ours[name], theirs[name]) for name in ARRAYS)


def test_names_may_come_when_they_come():
    X, y = rows(3, kind="sparse")
    one, position = ls.AutoRegressor(), ls.AutoRegressor()
    for x, outcome in zip(X, y, strict=True):
        named = {f"a{i}": float(v) for i, v in enumerate(x) if v} | ({"late": 2.0} if one.trials > 40 else {})
        before = one.predict_one(named)
        assert one.learn_one(named, outcome) == before
    assert one.trials == 60 and len(one.weights()) == 6
    position.learn(X, y)
    assert one.loss != position.loss


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_its_bounds_hold_on_any_sequence(data):
    n = data.draw(st.integers(1, 4))
    numbers = st.floats(-1e3, 1e3, allow_subnormal=False) | st.sampled_from([0.0, 1.0, -1.0, 1e-3])
    trials = data.draw(st.lists(st.tuples(st.lists(numbers, min_size=n, max_size=n), numbers), min_size=1, max_size=30))
    X, y = np.array([x for x, _ in trials]), np.array([t for _, t in trials])
    for Y in (None, max(float(np.abs(y).max()), 1e-3)):
        learner = ls.AutoRegressor(Y=Y)
        p = learner.learn(X, y)
        bound = learner.guarantee
        assert learner.loss <= bound.value * (1 + 1e-9) + 1e-9
        assert p[0] == 0.0 and ((p[1:] >= y.min() - 1e-9) & (p[1:] <= y.max() + 1e-9)).all()
        width = float(np.ptp(y))
        best = learner.best.loss
        added = 8 * Y**2 * log(12) if Y else 4 * width**2 * log(12) + 2 * width**2
        assert bound.value == pytest.approx(best + added, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    ("unit", "shift", "of"), [(1e-6, 0.0, 1.0), (1e6, 0.0, 1e-3), (1.0, 1e4, 1e3), (7.0, -5.0, 1.0)]
)
def test_no_unit_matters(unit, shift, of):
    X, y = rows(4)
    plain, other = ls.AutoRegressor(), ls.AutoRegressor()
    said = plain.learn(X, y)
    found = other.learn(X * unit, of * (y + shift))
    assert np.allclose(found[1:], of * (said[1:] + shift), rtol=1e-6, atol=of * (1e-5 + 1e-9 * abs(shift)))


def test_a_state_goes_on_where_it_was():
    X, y = rows(5, trials=90)
    learner = ls.AutoRegressor(Y=70.0)
    learner.learn(X[:50], y[:50])
    again = ls.AutoRegressor.from_state(learner.params(), learner.state())
    learner.machine.check(learner.machine.state())
    assert np.array_equal(again.learn(X[50:], y[50:]), learner.learn(X[50:], y[50:]))
    assert again.loss == learner.loss and again.experts == learner.experts and again.guarantee == learner.guarantee
    for name, broken in (
        ("totals", np.zeros(3)),
        ("factor", np.zeros((4, 2, 2))),
        ("mixed", np.full((13, 11), np.nan)),
    ):
        with pytest.raises(Unsound):
            learner.machine.check(learner.machine.state() | {name: broken})


def test_extremes_are_borne():
    learner = ls.AutoRegressor()
    rng = np.random.default_rng(0)
    for size in (1e100, 1e-100, 1.0, 1e-300, 0.0):
        X = rng.normal(size=(20, 4)) / 10 * size
        p = learner.learn(X, rng.normal(size=20) / 10 * size)
        assert np.isfinite(p).all() and np.isfinite(learner.predict(X)).all()
    heavy = ls.AutoRegressor()
    assert np.isfinite(heavy.learn(X, rng.normal(size=20), weight=np.full(20, 1e100))).all()
    for name in ARRAYS:
        assert np.isfinite(learner.state()[name]).all()


def test_the_guarantee_is_void_beyond_y_and_with_weights():
    X, y = rows(6)
    learner = ls.AutoRegressor(Y=10.0)
    assert learner.guarantee is None
    learner.learn(X, y)
    first = 1 + int(np.flatnonzero(np.abs(y) > 10)[0])
    assert learner.seen.beyond_Y == first
    assert isinstance(learner.guarantee, bounds.VoidBound) and learner.guarantee.trial == first
    weighted = ls.AutoRegressor()
    weighted.learn(X, y, weight=np.full(60, 2.0))
    assert weighted.guarantee is None
    for wrong in (0, -1.0, "much"):
        with pytest.raises(InvalidParameter, match="Y must be a number > 0"):
            ls.AutoRegressor(Y=wrong)
    with pytest.raises(InvalidLabel):
        learner.learn(X[:1], ["spam"])


def test_it_follows_what_drifts_and_series():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 6))
    U = rng.normal(size=6) + np.cumsum(0.05 * rng.normal(size=(3000, 6)), axis=0)
    run = ls.AutoRegressor()
    p = run.learn(X, y := (X * U).sum(axis=1))
    assert np.sqrt(np.mean((p - y)[1500:] ** 2)) < 0.3 * y.std()
    series = np.sin(np.arange(500) / 5) * 10 + 50
    p = ls.AutoRegressor().learn(np.zeros((500, 1)), series)
    assert np.sqrt(np.mean((p - series)[250:] ** 2)) < 0.1


def test_weights_are_those_of_the_best_expert_that_has_some():
    X, y = rows(7, trials=300)
    w = np.linalg.lstsq(np.c_[X, np.ones(300)], y, rcond=None)[0]
    learner = ls.AutoRegressor()
    learner.learn(X, y)
    assert np.allclose(list(learner.weights().values()), w[:-1], atol=0.1)
    assert learner.machine.weights(5)[1] == pytest.approx(w[-1], abs=0.1)
    assert learner.hypothesis() is None
    assert averaging.EXPERTS == len(learner.experts) == 12


def test_what_extremes_lead_to_is_sound():
    learner, rng = ls.AutoRegressor(), np.random.default_rng(0)
    for size in (1.0, 1e100, 1e-300, 1e50):
        learner.learn(rng.uniform(-1, 1, (20, 4)) * size, rng.uniform(-1, 1, 20) * min(size, 1e99))
        learner.machine.check(learner.machine.state())
