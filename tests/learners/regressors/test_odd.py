"""Regressors, oddly called: rates that diverge, parameters that are none, the sizes of rows and outcomes, no rows."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import DivergenceWarning, InvalidParameter
from littlestone.learners.regressors import REGRESSORS
from tests.learners.regressors.comparing import games, learned
from tests.learners.regressors.kinds import KINDS

STEEP = np.array([[3.0, 4.0], [-3.0, 4.0]] * 400)
DIVERGING = {
    "gradient descent": lambda eta: ls.GradientDescent(eta=eta, bias=False),
    "by X": lambda eta: ls.GradientDescent(X=0.5 / eta**0.5, bias=False),
    "p-norm": lambda eta: ls.PNormRegression(p=2.0, eta=eta, bias=False),
    "mirror descent": lambda eta: ls.MirrorDescent(eta=eta, bias=False),
}


@pytest.mark.parametrize("make", DIVERGING.values(), ids=DIVERGING)
def test_a_rate_that_diverges_is_warned_of_once_with_the_largest_safe_one(make):
    """Rows are of length 5: eta = 1/25 is the largest that leaves no error of a row larger than it was."""
    learner, y = make(0.05), [1.0, 2.0] * 400
    with pytest.warns(DivergenceWarning, match=r"eta=0\.05.* is too large: in trial 1, .* safe eta .* is 0\.04 "):
        learner.learn(STEEP[:10], y[:10])
    learner.learn(STEEP, y)  # a second warning would be an error
    learner.learn_one(STEEP[0], 1.0)
    assert np.isfinite(learner.predict(STEEP)).all()
    assert np.isfinite(learner.loss)
    safe = make(0.04 * (1 - 1e-9))
    safe.learn(STEEP, y)
    assert np.abs(safe.predict(STEEP[:2])).max() < 10.0


def test_a_larger_row_later_is_the_trial_that_is_named():
    learner = ls.GradientDescent(eta=0.5, bias=False)
    learner.learn([[1.0], [1.0]], [1.0, 1.0])
    with pytest.warns(DivergenceWarning, match=r"in trial 4, .* is 0\.1111 \(None follows the rows\)"):
        learner.learn([[0.0], [2.0], [3.0]], [1.0, 1.0, 7.0])
    stated = ls.GradientDescent(X=1.0, bias=False)
    with pytest.warns(
        DivergenceWarning, match=r"eta=0\.25, which X=1 gives, is too large.*X=3 is as large as they were"
    ):
        stated.learn([[3.0]], [1.0])


@pytest.mark.parametrize("make", [
    lambda: ls.GradientDescent(), lambda: ls.BEGRegression(eta=50.0), lambda: ls.ExponentiatedGradient(eta=50.0),
    lambda: ls.EGPlusMinus(eta=50.0), lambda: ls.NormalizedGradient(eta=50.0), lambda: ls.AdagradRegression(eta=50.0),
    lambda: ls.MirrorDescent(link=ls.links.sigmoid(), eta=50.0),
    lambda: ls.GradientDescent(eta=50.0, loss_function="huber"),
])  # fmt: skip
def test_where_weights_or_slopes_have_an_end_nothing_is_warned_of(make):
    learner = make().begin(2)
    learner.learn(STEEP, [1.0, 2.0] * 400)
    assert np.isfinite(learner.predict(STEEP)).all()
    assert np.isfinite(learner.loss)


@given(games(losses=("square",)), st.sampled_from([0.5, 30.0, 1e100]), st.sampled_from(["dense", "csr"]))
def test_a_rate_however_large_comes_to_no_nan(game, eta, form):
    stream, weights, _, _, bias = game
    for kind in (ls.GradientDescent, ls.ExponentiatedGradient, ls.EGPlusMinus, ls.BEGRegression, ls.PNormRegression):
        learner = kind(eta=eta, bias=bias).begin(stream.n)
        assert np.isfinite(learned(learner, stream, weights, form)).all()
        assert np.isfinite(learner.loss)


WRONG = {
    "U": (0, -1, np.nan, np.inf, "two", None), "eta": (0, -0.5, np.nan, np.inf, "x"), "c": (0, -1, None), "X": (0, -2),
    "Y": (0, -1, np.nan, "two"),
    "w1": (0, 1, -0.5, 2), "p": (1.5, 0, np.nan), "a": (0, -1, None), "C": (0, -1), "epsilon": (-0.1, np.nan),
    "delta": (-1,), "variant": ("PA-III", 1), "covariance": ("none", None),
    "loss_function": ("hinge", "huber", "huber:0", "huber:x", "square:1", "quantile:1", "quantile:0", "insensitive:-1",
                      "linear-hinge:0:2", 3, None), "link": ("identity", 3),
}  # fmt: skip


@pytest.mark.parametrize("name", REGRESSORS)
def test_wrong_parameters_are_refused_by_name(name):
    kind, tried = REGRESSORS[name], 0
    for parameter in WRONG.keys() & {*kind.parameter_names()}:
        for value in WRONG[parameter]:
            if (parameter, value) == ("loss_function", "huber"):
                continue  # its number has a default
            with pytest.raises(InvalidParameter, match=parameter):
                kind(**{parameter: value})
            tried += 1
    assert tried >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_at_all(kind):
    learner = KINDS[kind]()
    assert learner.learn(np.zeros((0, 3)), []).tolist() == []
    assert (learner.loss, learner.trials, learner.labels) == (0.0, 0, ())
    begun = KINDS[kind]().begin(3)
    said = begun.learn(np.zeros((4, 3)), [1.0, -1.0, 2.0, 0.0])
    assert np.isfinite(said).all()
    assert np.isfinite(begun.predict(np.eye(3))).all()
    for missing in ("mistakes", "tie"):
        assert not hasattr(begun, missing)
    bare = {"bias": False} if "bias" in type(begun).parameter_names() else {}
    empty = type(begun)(**{**begun.params(), **bare}).begin(3)
    if empty.hypothesis() is None:  # of one that averages others, a row without attributes moves their mean
        return
    before = empty.hypothesis().w.tolist()
    empty.learn(np.zeros((4, 3)), [1.0, -1.0, 2.0, 0.0])
    assert empty.hypothesis().w.tolist() == before  # a row without attributes teaches nothing


@pytest.mark.parametrize("kind", KINDS)
def test_large_rows_and_outcomes_are_numbers_still(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DivergenceWarning)
        for size, outcome in (
            (1e100, 1.0),
            (1.0, 1e100),
            (1e100, 1e100),
            (1e-100, 1e100),
            (1e-300, 1.0),
            (1e100, 1e-300),
        ):
            learner = KINDS[kind]().begin(3)
            rows = np.array([[1.0, 0, -1], [0, 1, 1], [1, 1, 1], [0, 0, 1]]) * size
            for _ in range(5):
                said = learner.learn(rows, np.array([1.0, -1.0, 0.5, 1.0]) * outcome)
                assert np.isfinite(said).all(), (size, outcome)
            assert np.isfinite(learner.predict(rows)).all() and np.isfinite(learner.loss), (size, outcome)


def test_what_was_seen_counts_trials_from_1():
    learner = ls.GradientDescent(X=2.0, bias=False).begin(2)
    learner.learn([[1.0, 1.0], [2.0, 0.0]], [1.0, 1.0])
    assert (learner.seen.largest, learner.seen.beyond_X) == (4.0, None)
    learner.learn([[0.0, 1.0], [2.0, 0.5], [2.0, 2.0]], [1.0, 1.0, 0.0])
    assert (learner.seen.largest, learner.seen.beyond_X) == (8.0, 4)
    measured = {
        "exponentiated-gradient": 9.0, "eg-plus-minus": 4.0, "beg-regression": 5.0, "gradient-descent": 5.0,
        "p-norm-regression": 2.0 * 9.0 ** (2 / 3),
    }  # fmt: skip
    for name, size in measured.items():
        kind = REGRESSORS[name]
        one = kind(bias=False, **({"p": 3.0} if name == "p-norm-regression" else {})).begin(3)
        one.learn([[2.0, 0.0, -1.0]], [0.0])
        assert one.seen.largest == pytest.approx(size), name


def test_a_row_of_no_spread_does_not_move_the_mixture():
    """Though a step along it is as long as can be: all weights are multiplied alike."""
    for eta in (None, 1.0, 1e100):
        learner = ls.ExponentiatedGradient(eta=eta, bias=False).begin(3)
        learner.learn([[1, 1, 1], [1, 1, 1]] * 50, [-5.0, 1e6] * 50)
        np.testing.assert_allclose(learner.hypothesis().w, [1 / 3] * 3, rtol=1e-12)
        assert learner.predict([[0, 3.0, 0]])[0] == pytest.approx(1.0)


AROUND = {
    "Bounded": lambda inner: ls.Bounded(inner, max_attributes=9),
    "Calibrated": ls.learners.Calibrated,
    "Delayed": ls.learners.Delayed,
    "Experts": lambda inner: ls.learners.Experts([ls.Winnow(), inner]),
    "Forgetting": lambda inner: ls.learners.Forgetting(inner, window=9),
    "Restarting": ls.learners.Restarting,
    "WinnerTakesAll": ls.WinnerTakesAll,
    "additive": ls.diagnostics.additive,
    "worst_case": lambda inner: ls.worst_case(inner, n=3, k=1),
}


@pytest.mark.parametrize("name", AROUND)
def test_what_is_about_labels_takes_no_regressor(name):
    with pytest.raises(InvalidParameter, match=r"labels, such as Winnow\(\), got GradientDescent\(\)"):
        AROUND[name](ls.GradientDescent())
