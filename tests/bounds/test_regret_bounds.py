"""Bounds for other losses, of p-norms and of least squares hold on arbitrary sequences; the formulas' limits."""

from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import OpenBound
from tests.bounds.games_of_numbers import N, length, played, simplex_points, spread

CLOSE = 1.0 + 1e-9
CONVEX = ("absolute", "insensitive:0.3", "huber:0.5", "quantile:0.8", "linear-hinge:0.2")


def lost(measure, rows, outcomes, u):
    return float(np.sum(measure.of_scores(rows @ u, outcomes)))


def some_u(rng, rows, outcomes):
    """Yield targets, that of least squares among them."""
    yield np.linalg.solve(rows.T @ rows + 1e-3 * np.eye(N), rows.T @ outcomes)
    yield np.zeros(N)
    yield from rng.normal(size=(4, N)) * rng.exponential(1.0, size=(4, 1))


def convex_descent_holds(rng):
    name, X = str(rng.choice(CONVEX)), float(rng.uniform(0.1, 5.0))
    eta = float(rng.choice([0.01, 0.1, 1.0])) if rng.random() < 0.5 else None
    learner = ls.GradientDescent(X=X, eta=eta, loss_function=name, bias=False)
    rows, outcomes = played(
        rng, learner, X, length, rng.normal(size=N), int(rng.integers(1, 16)), binary="hinge" in name
    )
    for u in some_u(rng, rows, outcomes):
        bound = learner.guarantee.at(norm=length(u))
        assert bound.of == "regret" and bound.arguments["trials"] == learner.trials
        assert learner.loss - lost(learner.measure, rows, outcomes, u) <= bound.value * CLOSE + 1e-9


def convex_mixture_holds(rng):
    name, X = str(rng.choice(CONVEX)), float(rng.uniform(0.1, 5.0))
    eta = float(rng.choice([0.01, 0.1, 1.0])) if rng.random() < 0.5 else None
    learner = ls.ExponentiatedGradient(X=X, eta=eta, loss_function=name, bias=False)
    u = rng.dirichlet(np.ones(N))
    rows, outcomes = played(rng, learner, X, spread, u, int(rng.integers(1, 16)), binary="hinge" in name)
    for u in simplex_points(rng):
        assert learner.loss - lost(learner.measure, rows, outcomes, u) <= learner.guarantee.value * CLOSE + 1e-9


def logistic_descent_holds(rng):
    X = float(rng.uniform(0.1, 5.0))
    eta = float(rng.choice([0.01, 1.0, 3.9])) / X**2 if rng.random() < 0.5 else None
    learner = ls.GradientDescent(X=X, eta=eta, loss_function="logistic", bias=False)
    rows, outcomes = played(rng, learner, X, length, rng.normal(size=N), int(rng.integers(1, 16)), clip=(0.0, 1.0))
    for u in some_u(rng, rows, outcomes):
        bound = learner.guarantee.at(loss=lost(learner.measure, rows, outcomes, u), norm=length(u))
        assert learner.loss <= bound.value * CLOSE + 1e-9


def logistic_mixture_holds(rng):
    X = float(rng.uniform(0.1, 5.0))
    eta = float(rng.choice([0.01, 1.0, 15.9])) / X**2 if rng.random() < 0.5 else None
    learner = ls.ExponentiatedGradient(X=X, eta=eta, loss_function="logistic", bias=False)
    rows, outcomes = played(
        rng, learner, X, spread, rng.dirichlet(np.ones(N)), int(rng.integers(1, 16)), clip=(0.0, 1.0)
    )
    for u in simplex_points(rng):
        bound = learner.guarantee.at(loss=lost(learner.measure, rows, outcomes, u))
        assert learner.loss <= bound.value * CLOSE + 1e-9


def p_norm_holds(rng):
    X, c, p = float(rng.uniform(0.1, 5.0)), float(rng.choice([0.1, 1.0, 10.0])), float(rng.choice([2.0, 3.0, 6.0]))
    learner = ls.PNormRegression(X=X, c=c, p=p, bias=False)

    def norm(x):
        return sqrt(p - 1.0) * float(np.sum(np.abs(x) ** p) ** (1.0 / p))

    rows, outcomes = played(rng, learner, X * (1.0 - 1e-12), norm, rng.normal(size=N), int(rng.integers(1, 16)))
    q = p / (p - 1.0)
    for u in some_u(rng, rows, outcomes):
        size = float(np.sum(np.abs(u) ** q) ** (1.0 / q))
        bound = learner.guarantee.at(loss=lost(learner.measure, rows, outcomes, u), norm=size)
        assert learner.loss <= bound.value * CLOSE + 1e-9


def least(rows, outcomes, a):
    """Return the u with the least a |u|^2 + loss, and that."""
    u = np.linalg.solve(rows.T @ rows + a * np.eye(N), rows.T @ outcomes)
    return u, float(np.sum((rows @ u - outcomes) ** 2) + a * (u @ u))


def forecaster_holds(rng):
    X, a = float(rng.uniform(0.1, 5.0)), float(rng.choice([0.1, 1.0, 10.0]))
    learner = ls.VAWForecaster(a=a, bias=False)
    rows, outcomes = played(rng, learner, X, length, rng.normal(size=N), int(rng.integers(1, 16)))
    u, best = least(rows, outcomes, a)
    bound = learner.guarantee.at(norm=length(u))
    assert isinstance(learner.guarantee, OpenBound)
    assert learner.loss - (best - a * (u @ u)) <= bound.value * CLOSE + 1e-9
    Y = float(np.max(np.abs(outcomes[rows.any(axis=1)]), initial=0.0))  # a row without values costs all the same
    assert bound.arguments["Y"] == Y
    before = bounds.vaw_regret(n=N, trials=len(rows), X=X, Y=Y, norm=length(u), a=a)
    assert bound.value <= before.value * CLOSE
    volume = np.linalg.slogdet(np.eye(N) + rows.T @ rows / a)[1]
    assert bound.arguments["volume"] == pytest.approx(volume, rel=1e-7, abs=1e-9)


def ridge_holds(rng):
    X, a = float(rng.uniform(0.1, 5.0)), float(rng.choice([0.1, 1.0, 10.0]))
    learner, predictions = ls.RidgeRegression(a=a, bias=False), []
    rows, outcomes = played(rng, learner, X, length, rng.normal(size=N), int(rng.integers(1, 16)), said=predictions)
    u, best = least(rows, outcomes, a)
    loss, norm = best - a * (u @ u), length(u)
    assert learner.loss <= bounds.ridge_loss(loss=max(loss, 0.0), norm=norm, X=X, a=a).value * CLOSE + 1e-9
    Y = float(np.abs(outcomes).max())
    for p, residual in ((np.array(predictions), None), (np.clip(predictions, -Y, Y), 2.0 * Y)):
        errors = np.abs(p - outcomes)
        bound = bounds.ridge_regret(
            n=N, trials=len(rows), X=X, residual=float(errors.max()) if residual is None else residual, norm=norm, a=a
        )
        assert float(errors @ errors) - loss <= bound.value * CLOSE + 1e-9


def adagrad_holds(rng):
    eta, delta, name = (
        float(rng.choice([0.1, 1.0])),
        float(rng.choice([0.0, 0.5])),
        str(rng.choice(["square", *CONVEX])),
    )
    learner = ls.AdagradRegression(eta=eta, delta=delta, loss_function=name, bias=False)
    weights, predictions = [], []
    rows, outcomes = played(
        rng, learner, 2.0, length, rng.normal(size=N), int(rng.integers(1, 16)), said=predictions, weights=weights,
        binary="hinge" in name,
    )  # fmt: skip
    g = learner.measure.slope(predictions, outcomes)
    lengths = float(np.sqrt(np.sum((g[:, np.newaxis] * rows) ** 2, axis=0)).sum())
    for u in some_u(rng, rows, outcomes):
        distance = float(np.abs(np.array(weights) - u).max())
        bound = bounds.adagrad_regret(eta=eta, lengths=lengths, distance=distance, delta=delta, norm=length(u))
        assert learner.loss - lost(learner.measure, rows, outcomes, u) <= bound.value * CLOSE + 1e-9


HOLD = [convex_descent_holds, convex_mixture_holds, logistic_descent_holds, logistic_mixture_holds, p_norm_holds,
        forecaster_holds, ridge_holds, adagrad_holds]  # fmt: skip


@pytest.mark.parametrize("holds", HOLD)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_bound_holds_on_arbitrary_sequences(holds, seed):
    holds(np.random.default_rng(seed))


@pytest.mark.slow
@pytest.mark.parametrize("holds", HOLD)
def test_a_bound_holds_on_ten_thousand_sequences(holds):
    for seed in range(10_000):
        holds(np.random.default_rng(seed))


def test_guarantees_of_other_losses_count_the_trials():
    learner = ls.GradientDescent(X=2.0, eta=0.5, loss_function="quantile:0.75", bias=False)
    assert learner.guarantee.claim == "regret <= D^2"
    learner.learn([[1.0], [2.0]], [1.0, 2.0])
    assert learner.guarantee.claim == "regret <= D^2 + 1.125"
    assert learner.guarantee.at(norm=3.0, eta=None).value == pytest.approx(3.0 * 0.75 * 2.0 * sqrt(2.0))
    mixture = ls.ExponentiatedGradient(X=2.0, eta=0.5, loss_function="absolute").begin(4)
    assert mixture.guarantee.value == pytest.approx(2.0 * log(5))


def test_the_best_rates_are_the_best():
    for made, at in (
        (bounds.gd_regret(trials=50, norm=2.0, X=3.0, slope=0.5), 2.0 / (1.5 * sqrt(50.0))),
        (bounds.eg_regret(trials=50, R=3.0, n=9, slope=0.5), sqrt(8.0 * log(9) / 50.0) / 1.5),
        (bounds.gd_logistic(loss=3.0, norm=2.0, X=3.0), 4.0 * 4.5 / (9.0 * (4.5 + sqrt(4.5**2 + 3.0 * 4.5)))),
    ):
        assert made.at(eta=at).value == pytest.approx(made.value)
        for factor in (0.97, 1.03):
            assert made.at(eta=at * factor).value > made.value
        assert made.needed("eta", made.value * 1.001).value == pytest.approx(at, rel=0.1)
    assert bounds.gd_logistic(loss=1.0, norm=1.0, X=2.0, eta=1.0).value == inf
    assert bounds.eg_logistic(loss=0.0, R=4.0, n=2).value == pytest.approx(4.0 * log(2))
    assert bounds.vaw_regret(n=2, trials=0, X=1.0, Y=1.0, norm=2.0, a=3.0).value == 12.0


def test_least_squares_pay_on_each_row_what_the_rows_before_left():
    """Orthogonal rows of length X with outcomes Y: the forecaster's regret comes to a share of the bound."""
    X, Y, a = 1.0, 1.0, 0.1
    learner = ls.VAWForecaster(a=a, bias=False)
    rows, outcomes = (
        np.tile(np.eye(N), (50, 1)),
        np.tile(np.ones(N), 50) * np.random.default_rng(0).choice([-Y, Y], 50 * N),
    )
    learner.learn(rows, outcomes)
    u, best = least(rows, outcomes, a)
    bound = bounds.vaw_regret(n=N, trials=len(rows), X=X, Y=Y, norm=length(u), a=a).value
    assert 0.5 * bound <= learner.loss - (best - a * (u @ u)) <= bound
