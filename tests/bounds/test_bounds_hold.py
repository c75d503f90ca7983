"""Upper bounds hold: with noise, for every comparator, against opponents."""

from fractions import Fraction
from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from tests import strategies
from tests.naive import weighted_majority


@pytest.mark.parametrize(("n", "mistakes"), [(10, 3), (100, 6), (1000, 10)])
def test_one_attribute_alone_is_promoted_as_often_as_theorem_3s_ledger_says(n, mistakes):
    learner = ls.BayesBEG.theorem3(n).begin(n, labels=(0, 1))
    learner.learn(np.tile(np.eye(n)[:1], (50, 1)), [1] * 50)
    assert learner.mistakes == mistakes == bounds.theorem3_ledger(n).cap


def attribute_errors(stream, target, on_trials=slice(None)):
    on = (stream.X[on_trials][:, target] > 0).sum(axis=1)
    return int(np.where(stream.y[on_trials] == 1, on == 0, on).sum())


NOISY = {
    "Winnow": lambda n, k, a: (ls.Winnow(), bounds.winnow_disjunction(n=n, k=k, attribute_errors=a)),
    "Winnow, its own demotion": lambda n, k, a: (
        ls.Winnow(alpha=1.5, demotion=0.3, theta=2.5, w1=0.5),
        bounds.winnow_disjunction(n=n, k=k, alpha=1.5, demotion=0.3, theta=2.5, w1=0.5, attribute_errors=a)),
    "Winnow, theta below w1": lambda n, k, a: (
        ls.Winnow(alpha=2, theta=0.5), bounds.winnow_disjunction(n=n, k=k, theta=0.5, attribute_errors=a)),
    "Winnow by divergence": lambda n, k, a: (
        ls.Winnow(alpha=1.5, demotion=0.3, theta=2.5, w1=0.5),
        bounds.winnow_attribute_errors(n=n, k=k, alpha=1.5, demotion=0.3, theta=2.5, w1=0.5, attribute_errors=a)),
    "Winnow by divergence, theta n": lambda n, k, a: (
        ls.Winnow(tie=0), bounds.winnow_attribute_errors(n=n, k=k, theta=n, w1=1, attribute_errors=a)),
    "Winnow by divergence, demotion": lambda n, k, a: (
        ls.Winnow(alpha=3, demotion=0.9, theta=2 * 3 * log(3) / 8, w1=1.0),
        bounds.winnow_attribute_errors(n=n, k=k, alpha=3, demotion=0.9, theta=2 * 3 * log(3) / 8, w1=1.0,
                                       attribute_errors=a)),
    "Bayes-BEG": lambda n, k, a: (
        ls.BayesBEG.theorem4(n), bounds.bayes_beg_theorem4_sharper(n=n, k=k, attribute_errors=a)),
    "Normalized Winnow": lambda n, k, a: (
        ls.NormalizedWinnow(beta1=2.0, beta0=0.4, theta=0.5 / k),
        bounds.normalized_winnow_disjunction(n=n, k=k, beta1=2.0, beta0=0.4, theta=0.5 / k, attribute_errors=a)),
}  # fmt: skip


@pytest.mark.parametrize("name", NOISY)
@given(strategies.streams(min_n=2, max_n=6, max_rows=80), st.data())
def test_attribute_errors_on_the_mistakes_bound_the_mistakes(name, stream, data):
    """For every comparator, also on labels that no disjunction explains; errors counted on mistakes only."""
    target = data.draw(st.lists(st.integers(0, stream.n - 1), min_size=1, max_size=stream.n, unique=True))
    learner = NOISY[name](stream.n, len(target), 0)[0].begin(stream.n, labels=(0, 1))
    wrong = played(learner, stream)
    errors = attribute_errors(stream, target, wrong)
    bound = NOISY[name](stream.n, len(target), errors)[1]
    assert learner.mistakes == wrong.sum() <= bound.value + 1e-9


def played(learner, stream):
    """Learn a stream one row at a time and return the trials with a mistake."""
    wrong = np.zeros(len(stream.y), dtype=bool)
    for t in range(len(stream.y)):
        before = learner.mistakes
        learner.learn(stream.X[t : t + 1], stream.y[t : t + 1])
        wrong[t] = learner.mistakes > before
    return wrong


@pytest.mark.parametrize("name", NOISY)
def test_an_opponent_with_a_budget_of_attribute_errors_stays_within_the_bound(name):
    """Present rows on which the hypothesis errs, with labels against the target as long as the budget lasts."""
    rng = np.random.default_rng(5)
    n, k, budget = 10, 2, 12
    learner, bound = NOISY[name](n, k, budget)
    learner = learner.begin(n, labels=(0, 1))
    spent = 0
    for _ in range(400):
        X = np.vstack([rng.random((40, n)) < rng.random(), np.eye(n), np.ones((1, n))])
        on = X[:, :k].sum(axis=1)
        y = 1 - learner.predict(X)
        cost = np.where(y == 1, on == 0, on)
        fair = np.flatnonzero(cost <= (budget - spent if rng.random() < 0.3 else 0))
        if len(fair):
            row = fair[:1]
            spent += int(cost[row[0]])
            learner.learn(X[row], y[row])
    assert spent == budget
    assert 0 < learner.mistakes <= bound.value


@given(strategies.streams(min_n=2, max_n=9, max_rows=60, disjunction=True))
def test_sharper_forms_hold_without_noise(stream):
    for learner, theorem in ((ls.BayesBEG.theorem3(stream.n), bounds.bayes_beg_theorem3_sharper),
                             (ls.BayesBEG.theorem4(stream.n), bounds.bayes_beg_theorem4_sharper),
                             (ls.ThresholdedBEG.noise_free(stream.n), bounds.thresholded_beg_corollary1),
                             (ls.Elimination(), bounds.elimination),
                             (ls.Winnow(), bounds.winnow_theorem2)):  # fmt: skip
        player = learner.begin(stream.n, labels=(0, 1))
        player.learn(stream.X, stream.y)
        assert player.mistakes <= theorem(n=stream.n, k=stream.k).value


@given(st.integers(1, 6), st.sampled_from([2.0, 2.5, 4.0]), st.floats(0.01, 5), st.integers(0, 2**32 - 1))
def test_losses_bound_the_mistakes_of_any_comparator(n, p, gamma, seed):
    """Labels are arbitrary; u is arbitrary; p-norm, and the Perceptron at p = 2."""
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=n), rng.normal(size=(80, n))
    y = np.where(rng.random(80) < 0.2, -1, 1) * np.sign(X @ u).astype(int)
    learner = ls.PNorm(p=p, bias=False).begin(labels=(-1, 1))
    stream = strategies.Stream(X, y, [])
    wrong = played(learner, stream)
    short = np.maximum(gamma - y * (X @ u), 0.0)
    norm, radius = np.linalg.norm(u, p / (p - 1)), np.linalg.norm(X, p, axis=1).max()
    bound = bounds.p_norm_losses(p=p, radius=radius, norm=norm, gamma=gamma, loss=short[wrong].sum())
    assert learner.mistakes <= bound.value * (1 + 1e-9)
    if p == 2.0:
        numbers = {"radius": radius, "norm": norm, "gamma": gamma}
        sharper = bounds.perceptron_mistake_losses(**numbers, losses=(short[wrong] ** 2).sum())
        assert learner.mistakes <= sharper.value * (1 + 1e-9)
        assert sharper.value <= bounds.perceptron_losses(**numbers, losses=(short**2).sum()).value


def test_theorem_2_1_is_tight():
    """Unit vectors, all negative, ties predicted 1: n mistakes."""
    for n in (1, 4, 9):
        learner = ls.Perceptron(bias=False).begin(n, labels=(-1, 1))
        learner.learn(np.eye(n), [-1] * n)
        for theorem in (bounds.perceptron_margin, bounds.perceptron_convergence, bounds.kernel_perceptron_margin):
            assert learner.mistakes == n == theorem(radius=1.0, norm=sqrt(n), gamma=1.0).value


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_normalized_winnow_keeps_the_entropy_form(n, seed):
    rng = np.random.default_rng(seed)
    u = rng.random(n) ** 3 + 1e-3
    X = rng.uniform(-1, 1, (80, n))
    X = X[np.abs(X @ u) > 0.05]
    assume(len(X) > 0)
    radius, norm, gamma = float(np.abs(X).max()), float(u.sum()), float(np.abs(X @ u).min())
    learner = ls.NormalizedWinnow.for_margin(n, gamma, radius=radius, norm=norm).begin(labels=(-1, 1))
    learner.learn(np.tile(X, (5, 1)), np.tile(np.sign(X @ u), 5).astype(int))
    entropy = float(-(u / norm) @ np.log(u / norm))
    for bound in (bounds.normalized_winnow_optimal(n=n, gamma=gamma, radius=radius, norm=norm, entropy=entropy),
                  learner.guarantee.at(entropy=entropy)):  # fmt: skip
        assert learner.mistakes <= bound.value + 1e-9 and bound.value <= learner.guarantee.value


@given(
    strategies.streams(min_n=1, max_n=4, max_rows=40), st.sampled_from([Fraction(1, 2), Fraction(1, 5), Fraction(0)])
)
def test_weighted_majority_over_disjunctions(stream, beta):
    every = [set(c) for size in range(stream.n + 1) for c in combinations(range(stream.n), size)]
    experts = [lambda row, d=d: int(not d.isdisjoint(row)) for d in every]
    if beta == 0:  # halving needs an expert without an error
        stream.y = np.array([experts[-1](row) for row in stream.rows()])
    wrong, errors = weighted_majority.play(experts, stream.rows(), stream.y, beta)
    numbers = {"beta": beta, "errors": min(errors)}
    mistakes = sum(share >= Fraction(1, 2) for share in wrong)  # ties lost
    assert mistakes <= bounds.weighted_majority(experts=len(experts), **numbers).value + 1e-9
    assert mistakes <= bounds.direct_weighted_majority(n=stream.n, **numbers).value + 1e-9
    assert float(sum(wrong)) <= bounds.weighted_majority_randomized(experts=len(experts), **numbers).value + 1e-9
