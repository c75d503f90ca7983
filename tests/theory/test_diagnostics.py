"""Additive? Rotation invariant? With evidence."""

from math import log, sqrt

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.theory.diagnostics import additive, rotation_invariant

ADDITIVE = [
    ls.Perceptron(), ls.Perceptron(theta=0.5, bias=False), ls.Perceptron(w1=2.0), ls.Perceptron(averaged=True),
    ls.PNorm(p=2), ls.QuasiAdditive(),
]  # fmt: skip
OTHERS = [ls.Winnow(), ls.ThresholdedBEG(), ls.NormalizedWinnow(), ls.BalancedWinnow(), ls.PNorm(p=3)]


@pytest.mark.parametrize("learner", ADDITIVE, ids=repr)
def test_additive_learners(learner):
    assert additive(learner)
    assert learner.trials == 0


@pytest.mark.parametrize("learner", [*OTHERS, ls.Elimination(), ls.BayesBEG()], ids=repr)
def test_learners_that_are_not_additive(learner):
    found = additive(learner)
    assert not found
    assert found.trial is not None and found.size > 0.01
    assert "not additive: trial" in str(found)


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.Perceptron(theta=0.5, bias=False), ls.PNorm(p=2)], ids=repr)
def test_rotation_invariant_learners(learner):
    assert rotation_invariant(learner)
    signed = np.eye(16)[np.random.default_rng(0).permutation(16)] * np.where(np.arange(16) % 2, 1.0, -1.0)
    assert rotation_invariant(learner, rotation=signed)


@pytest.mark.parametrize("learner", OTHERS, ids=repr)
def test_learners_that_are_not_rotation_invariant(learner):
    found = rotation_invariant(learner)
    assert not found
    assert 0.0 < found.size <= 1.0
    assert "not rotation invariant" in str(found)


def test_a_start_that_is_not_zero_is_not_rotated():
    assert not rotation_invariant(ls.Perceptron(w1=2.0))


def test_winnow_is_not_additive_the_example_corrected():
    X, y = [[1, 1, 0], [1, 0, 1]], [1, 1]
    for theta, w3 in ((3, [2, 2, 1]), (4, [4, 2, 2])):
        learner = ls.Winnow(theta=theta)
        learner.learn(X, y)
        assert learner.hypothesis().w.tolist() == w3
    assert additive(ls.Winnow(theta=3), X, y)
    found = additive(ls.Winnow(theta=4), X, y)
    assert found.size * np.linalg.norm([3, 1, 1]) == pytest.approx(1 / sqrt(3))


@pytest.mark.parametrize(("theta", "first"), [(1.5, 2), (1.2, 0)])
def test_the_rotation_example(theta, first):
    """Both rotated trials are mistakes only where theta > sqrt 2; below it the first prediction differs already."""
    r, A = 4.0, np.array([[1.0, 1.0], [-1.0, 1.0]]) / sqrt(2)
    learner = ls.QuasiAdditive(link=ls.links.power(2.0), theta=theta, bias=False)
    X, y = np.array([[1.0, 0.0], [0.0, 1.0], [r, -r]]), [1, 1, 0]
    found = rotation_invariant(learner, X, y, rotation=A.T)
    assert not found and found.trial == first
    if theta > sqrt(2):
        rotated = learner.copy().begin(2, labels=(0, 1))
        rotated.learn(X[:2] @ A, y[:2])
        assert sorted(rotated.hypothesis().w.tolist()) == pytest.approx([1.0, 2 ** sqrt(2)])
        assert 2 ** sqrt(2) == pytest.approx(np.exp(log(2) * sqrt(2)))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: additive("winnow"), InvalidParameter, "expected a learner"),
        (lambda: rotation_invariant(ls.Elimination()), InvalidParameter, "Boolean rows alone"),
        (lambda: rotation_invariant(ls.Perceptron(), rotation=np.ones((16, 16))), InvalidParameter, "orthogonal"),
        (lambda: rotation_invariant(ls.Perceptron(), rotation=np.eye(3)), InvalidParameter, "orthogonal"),
        (lambda: additive(ls.Perceptron(), [[1, 0]], [2]), InvalidData, "0 or 1"),
        (lambda: additive(ls.Perceptron(), [[1, 0]], [1, 0]), InvalidData, "as many"),
        (lambda: additive(ls.Perceptron(), y=[1]), InvalidData, "X as well"),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()
