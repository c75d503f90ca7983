"""The best weights of a class: no others lose less by more than the gap; solvers that share nothing agree."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, TooLarge
from littlestone.theory.hindsight import box, l1_ball, least_squares, simplex
from littlestone.theory.hindsight import linear as where

U = 1.5
CLASSES = {
    "least squares": least_squares,
    "simplex": simplex,
    "l1 ball": lambda stream, **more: l1_ball(stream, U, **more),
    "box": box,
}
VALUES = st.integers(-3, 3).map(float) | st.floats(-10, 10).map(lambda x: round(x, 3))


@st.composite
def games(draw):
    """Rows, outcomes, and whether there is a constant coordinate."""
    n, rows = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    X = np.array(draw(st.lists(st.lists(VALUES, min_size=n, max_size=n), min_size=rows, max_size=rows)))
    if draw(st.booleans()):
        X[:, draw(st.integers(0, n - 1))] = X[:, 0]  # one repeats another, or the first is what it was
    return X, np.array(draw(st.lists(VALUES, min_size=rows, max_size=rows))), draw(st.booleans())


def extended(X, constant):
    return np.hstack((X, np.ones((len(X), 1)))) if constant else X


def loss(X, y, u):
    return float(((X @ u - y) ** 2).sum())


def within(kind, u):
    """Return the point as one of the class."""
    if kind == "simplex":
        return np.abs(u) / np.abs(u).sum() if np.abs(u).sum() else np.full(len(u), 1 / len(u))
    if kind == "l1 ball":
        return u * min(1.0, U / max(np.abs(u).sum(), 1e-300))
    return np.clip(u, 0, 1) if kind == "box" else u


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=120)
@given(game=games(), seed=st.integers(0, 2**32 - 1))
def test_no_other_weights_of_the_class_lose_less(kind, game, seed):
    X, y, constant = game
    found = CLASSES[kind](ls.from_arrays(X, y, task="regression"), constant=constant)
    Z, scale = extended(X, constant), 1.0 + float((y**2).sum()) + float((X**2).sum())
    u = np.append(found.weights, found.constant) if constant else found.weights
    assert found.trials == len(y) and found.kind == kind and len(found.weights) == X.shape[1]
    assert found.loss == pytest.approx(loss(Z, y, u), rel=1e-9, abs=1e-9)
    assert 0.0 <= found.gap <= 1e-9 * scale and found.lower == max(0.0, found.loss - found.gap)
    assert np.allclose(within(kind, u), u, rtol=0, atol=1e-9)  # it is one of them
    rng = np.random.default_rng(seed)
    corners = [U * sign * row for row in np.eye(len(u)) for sign in (1, -1)]
    others = [*corners, np.zeros(len(u)), np.ones(len(u)), *rng.normal(size=(20, len(u)))]
    near = [u + rng.normal(size=len(u)) * 10.0**-power for power in range(1, 6)]
    for other in [*others, *near]:
        assert loss(Z, y, within(kind, other)) >= found.lower - 1e-9 * scale


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("seed", range(4))
def test_a_general_solver_finds_the_same(kind, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=40)
    Z, start = extended(X, True), np.full(6, 1 / 6)
    limits = {"simplex": (0, None), "box": (0, 1)}.get(kind, (None, None))
    rules = [{"type": "eq", "fun": lambda u: u.sum() - 1}] if kind == "simplex" else []
    if kind == "l1 ball":  # with two weights a coordinate, that are not negative
        Z, start, limits = np.hstack((Z, -Z)), np.zeros(12), (0, None)
        rules = [{"type": "ineq", "fun": lambda u: U - u.sum()}]
    other = minimize(
        lambda u: loss(Z, y, u), start, jac=lambda u: 2 * Z.T @ (Z @ u - y), method="SLSQP",
        bounds=[limits] * len(start), constraints=rules, options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    assert CLASSES[kind](ls.from_arrays(X, y, task="regression")).loss == pytest.approx(other.fun, rel=1e-7)


def test_a_grid_finds_nothing_better():
    X, y = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]]), np.array([0.7, 0.1, 0.9])
    stream, grid = ls.from_arrays(X, y, task="regression"), np.linspace(0, 1, 401)
    first, second = map(np.ravel, np.meshgrid(grid, grid))
    every = ((np.outer(X[:, 0], first) + np.outer(X[:, 1], second) - y[:, np.newaxis]) ** 2).sum(axis=0)
    assert 0 <= every.min() - box(stream, constant=False).loss < 1e-3
    mixed = every[np.isclose(first + second, 1.0)]
    assert 0 <= mixed.min() - simplex(stream, constant=False).loss < 1e-3


@given(games(), st.integers(1, 4))
@settings(max_examples=30)
def test_blocks_and_labels_that_are_numbers_change_nothing(game, size):
    X, y, constant = game
    stream = ls.from_arrays(X, y, task="regression")

    class Small(ls.Stream):
        n_attributes, labels = stream.n_attributes, ()

        def blocks(self, rows=8192):
            return stream.blocks(min(rows, size))

    again = least_squares(Small(), constant=constant)
    assert again.loss == pytest.approx(least_squares(stream, constant=constant).loss, rel=1e-7, abs=1e-7)
    if len(set(y.tolist())) > 1:
        assert least_squares(ls.from_arrays(X, y), constant=constant).loss == pytest.approx(again.loss, abs=1e-7)


def test_columns_of_very_different_sizes_and_years_are_solved_exactly():
    year = np.arange(1900, 2030.0)
    X = np.column_stack([year, year**2, 1e-8 * (year % 7)])
    y = 3.0 - 2.0 * year + 1e-3 * year**2 + 5.0 * (year % 7)
    found = least_squares(ls.from_arrays(X, y, task="regression"))
    assert found.loss < 1e-6 and found.weights[2] == pytest.approx(5e8, rel=1e-6)


def test_the_target_of_a_teacher_is_found():
    stream = ls.teachers.Linear(60, 4, weights="mixture", trials=500)
    for found in (least_squares(stream), simplex(stream), l1_ball(stream, 1.0), box(stream)):
        assert np.allclose(found.weights, stream.target, atol=1e-6)
        assert found.loss < 1e-12 and abs(found.constant) < 1e-6
    run = ls.play(ls.ExponentiatedGradient(), stream)
    assert run.regret(found) == pytest.approx(run.loss)


def test_the_constant_coordinate_is_one_of_the_class():
    stream = ls.from_arrays([[0, 1], [0, 1], [0, 1]], [2.0, 3.0, 4.0], task="regression")
    assert least_squares(stream).constant == pytest.approx(least_squares(stream).weights[1]) == pytest.approx(1.5)
    assert simplex(stream).loss == simplex(stream, constant=False).loss == 14.0  # all weights of 1 predict 1
    assert box(stream).loss == 5.0 and box(stream, constant=False).loss == 14.0
    ball = l1_ball(stream, 3.0)
    assert ball.loss == pytest.approx(2.0) and abs(ball.constant) + ball.weights.sum() == pytest.approx(3.0)
    assert ls.play(ls.GradientDescent(), stream).loss_of(ball) == pytest.approx(2.0)
    assert ball.hypothesis.theta == -ball.constant and ball.as_dict()["U"] == 3.0


def test_an_attribute_that_no_row_has_takes_what_is_left_in_the_simplex():
    stream = ls.from_arrays([[1, 0, 0], [1, 0, 0]], [0.25, 0.25], task="regression")
    assert simplex(stream, constant=False).weights.round(12).tolist() == [0.25, 0.75, 0.0]
    assert simplex(ls.from_arrays([[1], [1]], [0.25, 0.25], task="regression"), constant=False).loss == 1.125


def test_what_is_refused():
    wide = ls.teachers.Linear(n=9000, rows="sparse", active=9, trials=2000)
    with pytest.raises(TooLarge, match="least_squares: expected at most 4,000 attributes that occur, got 7.* hash"):
        least_squares(wide)
    narrow = ls.teachers.Linear.dense(100_000, trials=100)  # as many as that occur
    assert least_squares(narrow).loss < 1e-9
    assert simplex(narrow).weights.sum() + simplex(narrow).constant == pytest.approx(1.0)
    with pytest.raises(InvalidParameter, match="l1_ball: U must be a number > 0, got 0"):
        l1_ball(narrow, 0)
    with pytest.raises(InvalidData, match="expected a Stream, got list; for arrays use from_arrays"):
        box([[1, 2]])
    with pytest.raises(InvalidData, match="read twice"):
        box(ls.open(io.BufferedReader(Pipe(b"1 1:1\n0 2:1\n")), format="svmlight"))
    with pytest.raises(InvalidLabel, match="numbers as outcomes"):
        box(ls.from_arrays([[1], [0]], ["a", "b"]))
    with pytest.raises(InvalidParameter):
        box(narrow, constant="yes")


class Pipe(io.RawIOBase):
    """Bytes that can be read only once."""

    def __init__(self, data):
        self._inner = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._inner.readinto(buffer)

    def seekable(self):
        return False


def test_no_rows_and_no_attributes():
    empty = ls.teachers.Linear(3, trials=0)
    for kind, find in CLASSES.items():
        found = find(empty)
        assert found.loss == 0.0 and found.trials == 0
        assert kind != "simplex" or found.weights.sum() + found.constant == pytest.approx(1.0)
    bare = ls.from_arrays(np.zeros((2, 0)), [1.0, 2.0], task="regression")
    assert least_squares(bare).constant == pytest.approx(1.5) and box(bare, constant=False).loss == 5.0
    with pytest.raises(InvalidData, match="expected attributes, whose weights sum to 1"):
        simplex(bare, constant=False)
    assert where.MOST == 4000
