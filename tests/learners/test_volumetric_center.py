"""Vaidya's volumetric centre as an on-line learner."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge, UnknownSize
from littlestone.learners import VolumetricCenter
from littlestone.teachers import Disjunction, Hadamard
from littlestone.theory.diagnostics import additive, rotation_invariant
from tests import strategies
from tests.naive import loop
from tests.naive import volumetric_center as naive

KINDS = {"central": {}, "shallow": {"shallow": 4.0}, "drops many": {"drop": 0.3}, "drops none": {"drop": 0}}
kinds = pytest.mark.parametrize("kind", KINDS)


@settings(max_examples=50)
@given(strategies.streams(strategies.ANY, max_n=4), st.sampled_from(sorted(KINDS)), st.booleans())
def test_it_is_its_twin(stream, kind, bias):
    n = stream.n + bias
    assume(n >= 2)
    rows = stream.rows()
    rows = [loop.with_constant(row, stream.n) for row in rows] if bias else rows
    game = loop.play(naive.VolumetricCenter(n, **KINDS[kind]), rows, stream.y.tolist(), theta=0.0)
    learner = VolumetricCenter(bias=bias, **KINDS[kind]).begin(stream.n, labels=(0, 1))
    said = np.concatenate([learner.learn(X, y) for X, y in stream.blocks()]).tolist()
    unsure = [t for t, gap in enumerate(game.gaps) if gap < 1e-6]
    end = unsure[0] if unsure else len(said)
    assert said[:end] == game.predictions[:end]
    if not unsure:
        np.testing.assert_allclose(learner._machine.centre, game.weights, atol=1e-6 * np.abs(game.weights).max())


@kinds
def test_the_centre_is_where_the_leverages_balance(kind):
    """The gradient of F vanishes: the rows over their slacks, weighted by leverage, add up to nothing."""
    learner = VolumetricCenter(**KINDS[kind])
    ls.play(learner, Disjunction(12, 3, trials=400, reading="R2"))
    A, b = learner._machine.rows
    scaled = A / (A @ learner._machine.centre - b)[:, np.newaxis]
    H = scaled.T @ scaled
    leverages = np.einsum("ij,ji->i", scaled, np.linalg.solve(H, scaled.T))
    assert leverages.sum() == pytest.approx(13)
    if kind in {"central", "shallow"}:
        assert leverages.min() >= 0.02
    gradient = leverages @ scaled
    assert gradient @ np.linalg.solve(H, gradient) < 1e-4
    assert len(b) >= 2 * 13


@pytest.mark.parametrize("d", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["central", "shallow"])
def test_hadamard_makes_it_err_in_every_trial_too(kind, d):
    """No theorem says so: the learner is not additive."""
    teacher, learner = Hadamard(d), VolumetricCenter(**KINDS[kind])
    assert ls.play(learner, teacher).mistakes == 2**d
    assert learner.contains(teacher.target) <= 1.0


def test_neither_additive_nor_rotation_invariant():
    assert additive(VolumetricCenter()).size > 0.01
    assert rotation_invariant(VolumetricCenter()).size > 0.01


@kinds
def test_the_target_stays_inside(kind):
    learner = VolumetricCenter(**KINDS[kind])
    for block in Disjunction(15, 3, trials=600, reading="R2", seed=2).blocks(20):
        learner.learn(block)
        assert learner.contains([0, 1, 2]) <= 1.0 + 1e-9
    assert learner.mistakes >= 15
    assert learner.guarantee is None


@pytest.mark.parametrize(("n", "mistakes"), [(20, 34), pytest.param(50, 106, marks=pytest.mark.slow)])
def test_dense_random_rows(n, mistakes):
    """Numbers of one stream each, found by other code; ours are within their spread, a tenth."""
    streams = [Disjunction(n, 3, trials=20_000, reading="R2", seed=seed) for seed in range(4)]
    assert np.mean([ls.play(VolumetricCenter(), s).mistakes for s in streams]) == pytest.approx(mistakes, rel=0.1)


@kinds
def test_noise_does_no_harm_to_the_numbers(kind):
    rng = np.random.default_rng(0)
    rows = 150 if kind == "drops none" else 1000
    learner = VolumetricCenter(**KINDS[kind]).begin(2, labels=(0, 1))
    learner.learn(rng.normal(size=(rows, 2)), rng.integers(2, size=rows))
    for x in np.ones((100, 1, 2)):
        learner.learn(x, 1 - learner.predict(x))
    A, b = learner._machine.rows
    slacks = A @ learner._machine.centre - b
    assert slacks.min() > 1e-7 * slacks.max()  # thinner, and H is singular for floats
    assert learner.updates < learner.mistakes
    again = VolumetricCenter.from_state(learner.params(), learner.state())
    X, y = rng.normal(size=(50, 2)), rng.integers(2, size=50)
    assert again.learn(X, y).tolist() == learner.learn(X, y).tolist()


def test_a_weight_of_nothing_is_no_cut_and_an_empty_row_none_without_a_constant():
    learner = VolumetricCenter(bias=False)
    learner.learn(np.array([[1, 0], [0, 0]], dtype=bool), [0, 0], weight=[0.0, 1.0])
    assert (learner.mistakes, learner.updates) == (2, 0)


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: VolumetricCenter(bias=False).begin(1), InvalidParameter, "at least 2 coordinates"),
    (lambda: VolumetricCenter().begin(1000), TooLarge, "Ellipsoid"),
    (lambda: VolumetricCenter().learn_one({"a": 1}, 1), UnknownSize, "begin"),
    (lambda: VolumetricCenter(drop=0.5), InvalidParameter, r"drop must be a number in \[0, 0.5\)"),
    (lambda: VolumetricCenter(shallow=0), InvalidParameter, "shallow"),
    (lambda: VolumetricCenter(bias=2), InvalidParameter, "bias"),
    (lambda: VolumetricCenter().begin(3).contains([0.5]), InvalidData, "below n=3"),
    (lambda: VolumetricCenter().begin(3).learn([[np.inf, 0, 1]], [1]), InvalidData, "finite"),
])  # fmt: skip
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
