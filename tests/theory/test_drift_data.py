"""Directed Drift's data: samples of the positive half-space, vectors that are consistent with examples."""

from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.bounds.drift_chain import central
from littlestone.core.errors import InvalidData, InvalidLabel, TooLarge
from littlestone.theory import drift
from littlestone.theory.drift.sampling import reflected


@pytest.mark.parametrize("n", range(1, 9))
def test_samples_have_the_right_law(n):
    """The reflection of all vertices, mixed with orthogonal ones, gives every vertex of the half-space alike."""
    law = np.zeros(2**n)
    every = np.array(list(product((False, True), repeat=n)))
    powers = 2 ** np.arange(n)
    np.add.at(law, reflected(every) @ powers, 2.0**-n)
    positive = 2 * every.sum(axis=1) >= n
    uniform = np.zeros(2**n)
    uniform[every[positive] @ powers] = 1 / positive.sum()
    assert np.abs(law - uniform).sum() / 2 == pytest.approx(float(drift.reflection_bias(n)), abs=1e-15)
    if n % 2 == 0:
        c, ties = central(n), every[2 * every.sum(axis=1) == n] @ powers
        law /= 1 + c
        law[ties] += c / (1 + c) / len(ties)
        np.testing.assert_allclose(law, uniform, atol=1e-15)
    target = np.where(np.arange(n) % 3 == 1, -1, 1)
    for way in ("uniform", "reflected"):
        size = 40_000
        u = drift.sample(n, size, seed=n, target=target, sampling=way)
        counts = np.bincount((u * target > 0) @ powers, minlength=2**n)
        expected = uniform.copy()
        if way == "reflected" and n % 2 == 0:
            expected *= 1 + central(n)
            expected[ties] /= 2
        on = expected > 0
        assert counts[~on].sum() == 0
        chi = ((counts[on] - size * expected[on]) ** 2 / (size * expected[on])).sum()
        assert chi < on.sum() + 5 * sqrt(2 * on.sum())


def test_samples_are_their_seed_and_can_be_packed():
    u = drift.sample(130, 5, seed=3)
    assert np.array_equal(u, drift.sample(130, 5, seed=np.random.default_rng(3)))
    assert not np.array_equal(u, drift.sample(130, 5, seed=4))
    words = drift.pack(u)
    assert words.shape == (5, 3) and words.dtype == np.uint64
    for row, packed in zip(u, words, strict=True):
        whole = sum(int(word) << (64 * i) for i, word in enumerate(packed))
        assert whole == sum(1 << j for j in range(130) if row[j] > 0)
    assert np.array_equal(drift.pack(u > 0), words)
    assert drift.sample(4, 0, seed=0).shape == (0, 4)
    assert drift.sample(2000, 100, seed=0).sum(axis=1).min() >= 0


@given(st.integers(1, 7), st.integers(0, 9), st.integers(0, 10**6))
def test_consistent_vectors_are_counted_and_found(n, rows, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.choice([-1, 1], (rows, n)), rng.choice([-1, 1], rows)
    u = X * y[:, np.newaxis]
    consistent = [w for w in product((-1, 1), repeat=n) if all(u @ w >= 0)]
    assert drift.count_consistent(X, y) == drift.count_consistent(u) == len(consistent)
    assert drift.count_consistent((X > 0).astype(int), y > 0) == len(consistent)
    answer = drift.consistent_vector(X, y)
    assert answer.outcome == ("found" if consistent else "none")
    assert answer.w is None or tuple(answer.w) in consistent
    right = [w for w in consistent if np.array_equal(X @ w >= 0, y > 0)]  # what a learner would predict
    assert drift.count_consistent(X, y, strict=True) == len(right)
    answer = drift.consistent_vector(X, y, strict=True)
    assert answer.outcome == ("found" if right else "none")
    assert answer.w is None or tuple(answer.w) in right
    assert answer.w is not None or not drift.search(X, y, passes=5).converged


def test_integer_programming_finds_the_target():
    target = drift.sample(41, 1, seed=1)[0]
    X = np.random.default_rng(2).choice([-1, 1], (164, 41))
    y = np.where(X @ target >= 0, 1, -1)
    assert np.array_equal(drift.consistent_vector(X, y).w, target)
    y[:20] *= -1
    assert drift.consistent_vector(X, y).outcome == "none"
    target = drift.sample(151, 1, seed=1)[0]
    late = drift.consistent_vector(drift.sample(151, 453, seed=2, target=target), time_limit=1e-6)
    assert (late.w, late.outcome) == (None, "undecided") and "ime limit" in late.why


def test_lyuu_and_rivin():
    ratio, x = drift.annealed_constant()
    assert (round(ratio, 5), round(x, 4)) == (1.44797, 0.1512)
    for n, expected in ((11, 0.52), (15, 0.52), (19, 0.63)):
        samples = 60
        error = 5 * sqrt(2 * expected * (1 - expected) / samples)  # both are estimates
        assert drift.consistent_fraction(n, 1.45, samples, seed=n) == pytest.approx(expected, abs=error)
        assert drift.consistent_fraction(n, 2.5, samples, seed=n) >= 0.9


def test_the_expected_number_of_consistent_vectors():
    rng = np.random.default_rng(0)
    for n, T in ((8, 0), (8, 4), (9, 10), (13, 16)):
        counts = [drift.count_consistent(drift.sample(n, T, seed=rng)) for _ in range(400)]
        error = 5 * np.std(counts) / sqrt(len(counts))
        assert np.mean(counts) == pytest.approx(drift.expected_consistent(n, T), abs=error + 1e-9)
    assert drift.expected_consistent(3000, 0) == inf
    n = 1001  # from above the annealed constant on, only the target is left; below, very many others
    assert drift.expected_consistent(n, int(1.6 * n)) < 1.001
    assert drift.expected_consistent(n, int(1.3 * n)) > 1e6


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[1, 2]], "row 0, column 1: expected -1 or .1, or 0 or 1, got 2"),
        ([[1, -1], [0, 1]], "row 1, column 0: expected -1 or .1, as before, got 0"),
        ([[1.0, np.nan]], "got nan; make signs"),
        ([1, -1], "rows of n >= 1 numbers"),
        ([["a"]], "rows of n >= 1 numbers"),
        (np.zeros((3, 0)), "shape .3, 0."),
        ([[1, 1], [1]], "rows of one length"),
    ],
)
def test_examples_that_are_not_signs(X, words):
    for call in (drift.count_consistent, drift.consistent_vector, drift.pack):
        with pytest.raises(InvalidData, match=words):
            call(X)


def test_more_that_is_refused():
    with pytest.raises(InvalidLabel, match="a label for each of 2 rows"):
        drift.count_consistent([[1], [1]], [1])
    with pytest.raises(InvalidData, match="y, row 1, column 0"):
        drift.count_consistent([[1], [1]], [1, 3])
    with pytest.raises(InvalidData, match="target of n=3 coordinates, got 2"):
        drift.sample(3, 1, seed=0, target=[1, 1])
    with pytest.raises(TooLarge, match="expected n <= 24, got 25; consistent_vector finds one"):
        drift.count_consistent(np.ones((1, 25)))
