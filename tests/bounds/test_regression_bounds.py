"""The bounds of gradient descent and its kin hold on arbitrary sequences, and adversaries of the papers reach them."""

from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import Bound, OpenBound, VoidBound
from littlestone.core.errors import InvalidParameter
from tests.bounds.games_of_numbers import (
    N,
    binary_entropy,
    entropy,
    length,
    played,
    simplex_points,
    size,
    spread,
)

CS = (0.05, 0.5, 1.0, 4.0, 50.0)
CLOSE = 1.0 + 1e-9


def lost(rows, outcomes, u):
    return float(np.sum((rows @ u - outcomes) ** 2))


def gradient_descent_holds(rng):
    X, c = float(rng.uniform(0.1, 5.0)), float(rng.choice(CS))
    learner = ls.GradientDescent(X=X, c=c, bias=False)
    rows, outcomes = played(rng, learner, X, length, rng.normal(size=N), int(rng.integers(1, 16)))
    share = X * X / c  # the u that makes the bound smallest solves a ridge regression
    best = np.linalg.solve(rows.T @ rows + share * np.eye(N), rows.T @ outcomes)
    for u in (best, rng.normal(size=N), np.zeros(N)):
        bound = learner.guarantee.at(loss=lost(rows, outcomes, u), norm=length(u))
        assert learner.loss <= bound.value * CLOSE + 1e-9


def exponentiated_gradient_holds(rng):
    X, c = float(rng.uniform(0.1, 5.0)), float(rng.choice(CS))
    learner = ls.ExponentiatedGradient(X=X, c=c, bias=False)
    rows, outcomes = played(rng, learner, X, spread, rng.dirichlet(np.ones(N)), int(rng.integers(1, 16)))
    start = np.full(N, 1.0 / N)
    for u in simplex_points(rng):
        loss, d = lost(rows, outcomes, u), entropy(u, start)
        assert learner.loss <= learner.guarantee.at(loss=loss, divergence=d).value * CLOSE + 1e-9
        assert learner.loss <= learner.guarantee.at(loss=loss).value * CLOSE + 1e-9


def eg_plus_minus_holds(rng):
    X, c, U = float(rng.uniform(0.1, 5.0)), float(rng.choice(CS)), float(rng.uniform(0.1, 4.0))
    learner = ls.EGPlusMinus(X=X, c=c, U=U, bias=False)
    rows, outcomes = played(rng, learner, X, size, U * rng.dirichlet(np.ones(N)), int(rng.integers(1, 16)))
    for u in simplex_points(rng):
        v = U * u * rng.choice([-1.0, 1.0], size=N) * (1.0 if rng.random() < 0.5 else rng.random())
        spare = (U - np.abs(v).sum()) / (2 * N)
        halves = np.concatenate([np.maximum(v, 0.0) + spare, np.maximum(-v, 0.0) + spare]) / U
        loss, d = lost(rows, outcomes, v), entropy(halves, np.full(2 * N, 0.5 / N))
        assert learner.loss <= learner.guarantee.at(loss=loss, divergence=d).value * CLOSE + 1e-9
        assert learner.loss <= learner.guarantee.at(loss=loss).value * CLOSE + 1e-9


def beg_holds(rng):
    X, c, w1 = float(rng.uniform(0.1, 5.0)), float(rng.choice(CS)), float(rng.choice([0.5, 0.1, 0.9]))
    learner = ls.BEGRegression(X=X, c=c, w1=w1, bias=False)
    rows, outcomes = played(rng, learner, X, length, rng.random(N), int(rng.integers(1, 16)))
    for u in (np.ones(N), np.zeros(N), np.eye(N)[0], rng.random(N), rng.random(N)):
        bound = learner.guarantee.at(loss=lost(rows, outcomes, u), divergence=binary_entropy(u, np.full(N, w1)))
        assert learner.loss <= bound.value * CLOSE + 1e-9


HOLD = [gradient_descent_holds, exponentiated_gradient_holds, eg_plus_minus_holds, beg_holds]


@pytest.mark.parametrize("holds", HOLD)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_bound_holds_on_arbitrary_sequences(holds, seed):
    holds(np.random.default_rng(seed))


@pytest.mark.slow
@pytest.mark.parametrize("holds", HOLD)
def test_a_bound_holds_on_ten_thousand_sequences(holds):
    for seed in range(10_000):
        holds(np.random.default_rng(seed))


@pytest.mark.parametrize("loss", [0.0, 0.3, 4.0])
@pytest.mark.parametrize("rows", [1, 5])
def test_gradient_descent_reaches_its_bound_on_the_sequence_of_cesa_bianchi_long_and_warmuth(loss, rows):
    """Orthogonal rows of length X; in each, the outcome is beyond what u says by u's share of its loss."""
    X, U = 2.0, 1.5
    learner = ls.GradientDescent.tuned(X=X, norm=U, loss=loss, bias=False)
    outcomes = np.full(rows, (sqrt(loss) + U * X) / sqrt(rows))
    run = ls.play(learner, ls.from_arrays(X * np.eye(rows), outcomes, task="regression"))
    assert learner.guarantee.value == pytest.approx((sqrt(loss) + X * U) ** 2)
    assert run.loss == pytest.approx(learner.guarantee.value, rel=1e-12)
    assert run.loss_of(np.full(rows, U / sqrt(rows))) == pytest.approx(loss, abs=1e-12)


@pytest.mark.parametrize("c", [0.2, 1.0, 10.0])
def test_multiplicative_bounds_are_reached_by_a_u_that_is_near(c):
    """One trial in which u is right but for p/(1 + c/2): Hoeffding's lemma is an equality but for the fourth order."""
    near = 0.02
    d = binary_entropy([0.5 + near], [0.5])
    for learner, x, u, at in (
        (ls.ExponentiatedGradient(X=2.0, c=c, bias=False), [1.0, -1.0], [0.5 + near, 0.5 - near], {"divergence": d}),
        (ls.EGPlusMinus(X=1.0, c=c, bias=False), [1.0], [2 * near], {"divergence": d}),
        (ls.BEGRegression(X=2.0, c=c, w1=0.5, bias=False), [2.0], [0.5 + near], {"divergence": d}),
    ):
        learner.begin(len(x))
        p, said = float(learner.predict([x])[0]), float(np.dot(u, x))
        y = p - (p - said) * (1.0 + 2.0 / c)  # so that p - y = (1 + c/2) (u.x - y)
        learner.learn([x], [y])
        bound = learner.guarantee.at(loss=(said - y) ** 2, **at).value
        assert 0.999 * bound <= learner.loss <= bound


@pytest.mark.parametrize("bits", [1, 4, 8])
def test_exponentiated_gradient_is_within_a_factor_of_two_on_the_bits_of_the_attributes_numbers(bits):
    """Kivinen and Warmuth's: row t has bit t of each attribute's number as +-1, and the outcome is one attribute's."""
    numbers = np.arange(2**bits)
    rows = 1.0 - 2.0 * ((numbers[np.newaxis] >> np.arange(bits)[:, np.newaxis]) & 1)
    learner = ls.ExponentiatedGradient.tuned(X=2.0, loss=0.0, n=2**bits, bias=False)
    learner.learn(np.tile(rows, (9, 1)), np.ones(9 * bits))
    assert learner.guarantee.value == pytest.approx(2.0 * bits * log(2.0))
    assert 0.5 * learner.guarantee.value < learner.loss <= learner.guarantee.value


def test_eg_plus_minus_and_beg_are_within_a_factor_of_two_of_corners():
    learner = ls.EGPlusMinus.tuned(X=3.0, U=2.0, n=1, bias=False)
    learner.learn(np.full((30, 1), 3.0), np.full(30, 6.0))
    assert 0.5 * learner.guarantee.value < learner.loss <= learner.guarantee.value
    beg = ls.BEGRegression.tuned(X=1.0, divergence=5 * log(2.0), w1=0.5, bias=False)
    beg.learn(np.tile(np.eye(5), (40, 1)), np.ones(200))
    assert 0.5 * beg.guarantee.value < beg.loss <= beg.guarantee.value


# What a guarantee is, and when there is none


def test_tuned_learners_keep_their_promise():
    learners = (
        (ls.GradientDescent.tuned(X=2.0, norm=3.0, loss=4.0), {"X": 2.0, "norm": 3.0, "loss": 4.0}),
        (ls.BEGRegression.tuned(X=2.0, divergence=1.5, loss=4.0), {"X": 2.0, "divergence": 1.5, "loss": 4.0}),
        (ls.ExponentiatedGradient.tuned(X=2.0, loss=4.0, n=9), {"R": 2.0, "n": 10, "loss": 4.0}),
        (ls.ExponentiatedGradient.tuned(X=2.0, loss=4.0, n=9, divergence=1.0),
         {"R": 2.0, "n": 10, "loss": 4.0, "divergence": 1.0}),
        (ls.EGPlusMinus.tuned(X=2.0, U=3.0, loss=4.0, n=9), {"U": 3.0, "X": 2.0, "n": 10, "loss": 4.0}),
    )  # fmt: skip
    for learner, numbers in learners:
        learner.begin(9)
        best = getattr(bounds, learner.guarantee.name)(**numbers)
        assert isinstance(learner.guarantee, Bound) and learner.guarantee.value == pytest.approx(best.value, rel=1e-12)
        again = type(learner).from_state(learner.params(), learner.state())
        assert again.guarantee == learner.guarantee == learner.copy().guarantee
        for c in (0.9, 1.1):  # and no other c is better
            assert best.at(c=learner.c * c).value > best.value
        assert best.needed("c", best.value * 1.0001).value == pytest.approx(learner.c, rel=0.03)


def test_a_divergence_may_be_known_before_the_number_of_attributes():
    learner = ls.ExponentiatedGradient.tuned(X=2.0, loss=4.0, divergence=0.5, bias=False)
    assert learner.guarantee is None
    assert learner.begin(3).guarantee.value == pytest.approx(4.0 + 2.0 * sqrt(4.0) + 1.0)
    for wrong in ({}, {"n": 2, "divergence": 3.0}, {"n": 0}, {"divergence": -1.0}):
        with pytest.raises(InvalidParameter, match="ExponentiatedGradient: "):
            ls.ExponentiatedGradient.tuned(X=2.0, loss=4.0, **wrong)


def test_what_describes_the_target_is_left_open():
    guarantee = ls.GradientDescent(X=2.0, c=0.5).guarantee
    assert isinstance(guarantee, OpenBound) and guarantee.value is None and guarantee.open == ("loss", "norm")
    assert guarantee.claim == "loss <= 1.5 L + 12 D^2" and set(guarantee.arguments) == {"X", "c"}
    assert guarantee.at(loss=2.0, norm=1.0).value == 15.0
    with pytest.raises(InvalidParameter, match=r"expected norm=\.\.\., which describe"):
        guarantee.at(loss=2.0)
    assert guarantee.needed("norm", 15.0, loss=2.0).value == pytest.approx(1.0)
    eg = ls.ExponentiatedGradient(X=1.0, bias=False).begin(20).guarantee
    assert eg.open == ("loss",) and eg.at(loss=1.0).value == pytest.approx(1.5 + 1.5 * log(20))
    assert eg.at(loss=1.0, divergence=2.0).value == pytest.approx(4.5)


@pytest.mark.parametrize(("made", "most"), [
    (ls.GradientDescent, 0.5 / 4.0), (ls.BEGRegression, 2.0 / 4.0), (ls.ExponentiatedGradient, 2.0 / 4.0),
    (ls.EGPlusMinus, 2.0 / 16.0),
])  # fmt: skip
def test_an_eta_that_is_given_says_which_c_it_is(made, most):
    usual = made(X=2.0, c=0.7).begin(5)
    same = made(X=2.0, eta=usual.rate).begin(5)
    assert same.guarantee.arguments["c"] == pytest.approx(0.7)
    assert made(X=2.0, eta=most * 0.999).begin(5).guarantee is not None
    assert made(X=2.0, eta=most * 1.001).begin(5).guarantee is None


def test_there_is_no_guarantee_where_nothing_is_proved():
    assert ls.GradientDescent().guarantee is None and ls.GradientDescent(eta=0.1).guarantee is None
    assert ls.ExponentiatedGradient(X=1.0).guarantee is None  # the number of attributes is not known yet
    assert ls.MirrorDescent(X=1.0).guarantee is None
    assert ls.PNormRegression(X=1.0, loss_function="absolute").begin(3).guarantee is None
    assert ls.GradientDescent(X=1.0, eta=4.0, loss_function="logistic").guarantee is None
    assert ls.VAWForecaster(covariance="diagonal").guarantee is None
    learner = ls.GradientDescent(X=1.0)
    learner.learn([[0.1]], [1.0], weight=[2.0])
    assert learner.guarantee is None


@pytest.mark.filterwarnings("ignore::littlestone.core.errors.DivergenceWarning")
@pytest.mark.parametrize("made", [ls.GradientDescent, ls.BEGRegression, ls.ExponentiatedGradient, ls.EGPlusMinus])
def test_a_row_beyond_what_was_stated_makes_the_guarantee_void(made):
    learner = made(X=2.0, bias=False).begin(2)
    rows = [[1.0, 0.5], [2.0, 0.0], [2.5, 0.0], [9.0, 0.0]]
    run = ls.play(learner, ls.from_arrays(rows, [1.0, 2.0, 3.0, 4.0], task="regression"))
    found = run.guarantee
    assert isinstance(found, VoidBound) and found.value is None and found.trial == 3
    assert str(found).startswith("none from trial 3 on, where a row is larger than X = 2; until then loss <= ")
    assert found.at(loss=1.0) is found and found.needed("loss", 3.0) is None
    record = run.as_dict()
    assert record["bound"] is None and record["assumes"] == "void: in trial 3 a row is larger than X = 2"
    assert "none from trial 3 on" in found._repr_html_() and (found.kind, found.of) == ("upper", "loss")
    assert found.theorem and found.source and found.assumptions and found.name in bounds.THEOREMS and found.arguments
    assert made.from_state(learner.params(), learner.state()).guarantee == found


def test_a_row_that_is_as_large_as_was_stated_is_not_beyond_it():
    learner = ls.GradientDescent(X=sqrt(3.0), bias=False)
    learner.learn([[1.0, 1.0, 1.0]], [1.0])
    assert isinstance(learner.guarantee, OpenBound)


def test_best_bounds_are_limits_where_a_target_loses_nothing():
    assert bounds.gradient_descent(loss=0.0, norm=3.0, X=2.0).value == 36.0
    assert bounds.gradient_descent(loss=5.0, norm=0.0, X=2.0).value == pytest.approx(5.0)
    assert bounds.exponentiated_gradient(loss=0.0, R=2.0, n=8).value == pytest.approx(2.0 * log(8))
    assert bounds.gradient_descent(loss=1e300, norm=1e300, X=1e300).value == inf
    with pytest.raises(InvalidParameter, match="divergence <= ln n"):
        bounds.exponentiated_gradient(R=1.0, n=2, divergence=1.0)


def test_a_card_of_a_regressor_has_its_loss_beside_its_bound():
    learner = ls.GradientDescent(X=2.0, bias=False)
    assert "loss ≤ 2 L + 8 D^2" in learner._repr_html_() or "loss &lt;= 2 L + 8 D^2" in learner._repr_html_()
    learner.learn([[1.0], [2.0]], [1.0, 3.0])
    shown = learner._repr_html_()
    assert f"{learner.loss:,.6g} (square)" in shown and "Mistakes" not in shown and "|u - w1|" in shown
    stated = ls.training.stated_bound
    assert stated(learner) is None and stated(ls.GradientDescent.tuned(X=2.0, norm=1.0)).value == 4.0
    learner.learn([[3.0]], [1.0])
    assert stated(learner) is None and "none from trial 3 on" in learner._repr_html_()
