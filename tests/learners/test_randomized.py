"""Randomised predictions: coins that depend on seed and trial alone, chances and bounds as the theorem has them."""

from math import e, log

import numpy as np
import pytest

import littlestone as ls
from littlestone import bounds
from littlestone.core.coins import RESOLUTION, coin
from littlestone.core.errors import InvalidParameter


def make(kind, alpha, n, seed):
    if kind == "winnow":
        theta = alpha * log(alpha) / (alpha * alpha - 1)
        return ls.Winnow(alpha=alpha, theta=theta, w1=1 / n, tie=0, randomized=True, seed=seed)
    return ls.ThresholdedBEG(beta1=alpha, beta0=1 / alpha, randomized=True, seed=seed)


def naive(kind, alpha, X, y):
    """The chances of 1, trial by trial, and the final weights, by the definition; updates do not depend on coins."""
    n = X.shape[1]
    w = np.full(n, 1 / n)
    chances = []
    for x, outcome in zip(X, y, strict=True):
        r = w[x].sum()
        p = min(1.0, r * (1 - 1 / alpha) / (log(alpha) / alpha))
        chances.append(p)
        if (outcome and p < 1.0) or (not outcome and p > 0.0):
            factor = alpha if outcome else 1 / alpha
            w[x] = w[x] * factor if kind == "winnow" else w[x] * factor / (1 - w[x] + w[x] * factor)
    return np.array(chances), w


def data(seed, n=8, k=2, rows=300, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < 0.3
    return X, X[:, :k].any(axis=1) ^ (rng.random(rows) < noise)


@pytest.mark.parametrize("kind", ["winnow", "beg"])
@pytest.mark.parametrize("alpha", [1.3, 2.0, e])
def test_the_chances_are_those_of_the_definition(kind, alpha):
    X, y = data(0)
    chances, w = naive(kind, alpha, X, y)
    said = np.array([make(kind, alpha, 8, seed).learn(X, y) for seed in range(400)])
    learner = make(kind, alpha, 8, 0)
    learner.learn(X, y)
    assert learner.hypothesis().w == pytest.approx(w)
    sure = (chances <= 0.0) | (chances >= 1.0)
    assert np.all(said[:, sure] == (chances[sure] >= 1.0))
    errors = np.sqrt(chances * (1 - chances) / 400)
    assert np.all(np.abs(said.mean(axis=0) - chances) <= 5 * errors + 1e-12)


@pytest.mark.parametrize("kind", ["winnow", "beg"])
def test_expected_mistakes_keep_the_bound(kind):
    """The expectation is computed, not sampled: the hypotheses do not depend on the coins."""
    theorem = bounds.winnow_randomized if kind == "winnow" else bounds.thresholded_beg_randomized
    largest = 0.0
    for seed in range(60):
        alpha = (1.2, 2.0, e, 3.5)[seed % 4]
        X, y = data(seed, noise=0.05 * (seed % 5))
        chances, _ = naive(kind, alpha, X, y)
        expected = np.where(y, 1 - chances, chances).sum()
        for k in (0, 1, 2, 3):
            on = X[:, :k].sum(axis=1)
            errors = int(np.where(y, on == 0, on).sum())
            bound = theorem(n=8, k=k, alpha=alpha, attribute_errors=errors)
            assert bound.of == "expected mistakes"
            largest = max(largest, expected / bound.value)
    assert 0.3 < largest <= 1.0


@pytest.mark.parametrize("kind", ["winnow", "beg"])
def test_half_the_price_of_the_adversary_that_repeats_itself(kind):
    """additions: alpha 1.02, one example again and again, labelled against the deterministic prediction."""
    n, alpha, x = 10, 1.02, np.eye(10, dtype=bool)[:1]
    learner = make(kind, alpha, n, 7).begin(n, labels=(0, 1))
    for _ in range(4000):
        learner.learn(x, [int(learner.activation(x)[0] <= 0.0)])
    assert learner.updates == 4000
    assert 0.45 * 4000 < learner.mistakes < 0.56 * 4000


def test_predict_tosses_the_coin_that_learn_will():
    X, y = data(1)
    learner = make("winnow", 2.0, 8, 5).begin(8, labels=(0, 1))
    assert learner.predict(X).tolist() == learner.predict(X).tolist()
    for row, outcome in zip(X, y, strict=True):
        said = learner.predict(row[np.newaxis])[0]
        assert learner.learn(row[np.newaxis], [int(outcome)])[0] == said
    other = make("winnow", 2.0, 8, 6)
    assert other.learn(X, y).tolist() != make("winnow", 2.0, 8, 5).learn(X, y).tolist()


def test_any_unit_of_the_weights_gives_the_same_game():
    X, y = data(2)
    one = ls.Winnow(randomized=True).begin(8, labels=(0, 1))  # theta n, w1 1
    other = ls.Winnow(theta=1.0, w1=1 / 8, randomized=True).begin(8, labels=(0, 1))
    assert one.learn(X, y.astype(int)).tolist() == other.learn(X, y.astype(int)).tolist()
    assert one.guarantee.value == pytest.approx(other.guarantee.value)
    assert "randomised" in one.guarantee.theorem


def test_tuning_for_known_errors():
    for errors in (0, 10, 1000):
        for randomized in (False, True):
            learner = ls.Winnow.for_disjunctions(100, 4, errors, randomized=randomized)
            theorem = bounds.winnow_randomized if randomized else bounds.winnow_attribute_errors
            others = [theorem(n=100, k=4, alpha=a, w1=0.04, attribute_errors=errors).value
                      for a in np.linspace(1.001, 6.0, 500)]  # fmt: skip
            assert learner.guarantee.value <= min(others) + 1e-6
    assert ls.Winnow.for_disjunctions(100, 4, randomized=True).alpha == pytest.approx(e, abs=1e-4)
    assert ls.ThresholdedBEG.for_disjunctions(100, 4, randomized=True, seed=3).seed == 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ls.Winnow(randomized=True, averaged=True), "neither averaged nor margin"),
        (lambda: ls.ThresholdedBEG(randomized=True, margin=0.1), "neither averaged nor margin"),
        (lambda: ls.Winnow(randomized=True, demotion=0.7), "demotion"),
        (lambda: ls.ThresholdedBEG(beta1=e, beta0=0.0, randomized=True), "beta0 = 1/beta1"),
        (lambda: ls.Winnow(randomized=1), "True or False"),
        (lambda: ls.Winnow(randomized=True, seed=-1), "seed must be"),
        (lambda: ls.Winnow(randomized=True, seed=None), "seed must be"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InvalidParameter, match=words):
        call()


def test_the_first_coin_of_every_seed_is_as_fair_as_any():
    """Mixing 0 gives 0: with nothing added, the first coin of seed 0 would always say 1."""
    first = np.array([coin(seed, 0) / RESOLUTION for seed in range(2000)])
    assert 1e-4 < first[0] < 1 - 1e-4
    assert abs(first.mean() - 0.5) < 5 / np.sqrt(12 * 2000)
    along = np.array([coin(0, trial) / RESOLUTION for trial in range(2000)])
    assert abs(along.mean() - 0.5) < 5 / np.sqrt(12 * 2000)
    assert abs(np.corrcoef(along[:-1], along[1:])[0, 1]) < 5 / np.sqrt(2000)
