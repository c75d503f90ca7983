"""Least squares by factors: after long games, on rows that nearly depend on each other, and in whatever order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from tests.naive.vaw_forecaster import LeastSquares


def game(seed, rows, n, spread):
    """Return rows whose covariance has eigenvalues from 1 down to ``spread`` squared, and outcomes of them."""
    rng = np.random.default_rng(seed)
    turned = np.linalg.qr(rng.normal(size=(n, n)))[0]
    X = rng.normal(size=(rows, n)) * np.geomspace(1.0, spread, n) @ turned
    return X, X @ rng.normal(size=n) + 0.1 * rng.normal(size=rows)


@pytest.mark.parametrize("kind", [ls.VAWForecaster, ls.RidgeRegression])
@pytest.mark.parametrize(("spread", "tolerance"), [(1.0, 1e-11), (1e-3, 1e-9), (1e-6, 1e-7)])
def test_after_a_long_game_the_weights_are_those_of_one_solution(kind, spread, tolerance):
    """Solved by orthogonal factors, not by A, whose condition number is that of the rows squared: up to 1e12."""
    X, y = game(0, 3000, 20, spread)
    learner = kind(a=1e-6, bias=False)
    learner.learn(X, y)
    rows, outcomes = np.vstack([X, 1e-3 * np.eye(20)]), np.append(y, np.zeros(20))
    expected = np.linalg.lstsq(rows, outcomes, rcond=None)[0]
    w = learner.hypothesis().w
    assert np.abs(rows @ (w - expected)).max() < tolerance


def test_what_bounds_ask_for_is_kept():
    X, y = game(1, 200, 6, 0.1)
    for kind in (ls.VAWForecaster, ls.RidgeRegression):
        learner = kind(a=0.5)
        learner.learn(X, y, weight=np.full(200, 2.0))
        rows = np.hstack([np.ones((200, 1)), X])
        _, expected = np.linalg.slogdet(np.eye(7) + 2.0 * rows.T @ rows / 0.5)
        assert learner.machine.log_det == pytest.approx(expected, rel=1e-12)
        assert learner.machine.largest == np.abs(y).max()


@given(st.integers(0, 2**32), st.integers(1, 6), st.booleans(), st.booleans())
def test_the_order_of_attributes_does_not_matter_but_for_rounding(seed, n, foresees, bias):
    rng = np.random.default_rng(seed)
    X, y, order = rng.normal(size=(30, n)) * (rng.random((30, n)) < 0.6), rng.normal(size=30), rng.permutation(n)
    one, other = (({True: ls.VAWForecaster, False: ls.RidgeRegression})[foresees](bias=bias) for _ in range(2))
    np.testing.assert_allclose(one.learn(X, y), other.learn(X[:, order], y), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(one.hypothesis().w[order], other.hypothesis().w, rtol=1e-9, atol=1e-12)


@given(st.integers(0, 2**32), st.booleans())
def test_attributes_that_come_later_vary_as_if_they_had_been_there(seed, foresees):
    """By names, one after the other, in a game that grows; the twin knows all from the beginning."""
    rng = np.random.default_rng(seed)
    learner = (ls.VAWForecaster if foresees else ls.RidgeRegression)(a=0.7)
    twin, columns = LeastSquares(13, a=0.7, foresees=foresees), {"": 12}
    for t in range(25):
        some = rng.choice(min(2 + t // 2, 12), size=2, replace=False)
        x = {f"n{i}": float(rng.integers(1, 4)) for i in some}
        y = float(rng.normal())
        row = {columns.setdefault(name, len(columns) - 1): value for name, value in x.items()} | {12: 1.0}
        expected = twin.predict(row)
        assert learner.predict_one(x) == pytest.approx(expected, rel=1e-8, abs=1e-10)
        assert learner.learn_one(x, y) == pytest.approx(expected, rel=1e-8, abs=1e-10)
        twin.learn(row, y, expected, 1.0)


def test_a_diagonal_covariance_is_a_full_one_where_rows_have_one_attribute():
    rng = np.random.default_rng(3)
    X, y = np.eye(5)[rng.integers(0, 5, 60)] * rng.normal(size=(60, 1)), rng.normal(size=60)
    for kind in (ls.VAWForecaster, ls.RidgeRegression):
        full, diagonal = (kind(covariance=covariance, bias=False).learn(X, y) for covariance in ("full", "diagonal"))
        np.testing.assert_allclose(full, diagonal, rtol=1e-12, atol=1e-14)


def test_a_diagonal_trial_costs_its_attributes():
    """A million attributes, of which each row has a few: there is no time for all of them."""
    rng = np.random.default_rng(0)
    indices = np.sort(rng.choice(10**6, size=(3000, 5)), axis=1)
    block = ls.Block.from_csr(np.arange(0, 15_001, 5), indices.ravel()).numbered(rng.normal(size=3000))
    for kind in (ls.VAWForecaster, ls.RidgeRegression):
        learner = kind(covariance="diagonal")
        learner.learn(block)
        assert learner.trials == 3000
