"""The theorem is a test: on streams that meet its assumptions, mistakes never exceed the bound."""

from math import e, inf, log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidParameter
from tests import strategies

MAKERS = {
    "Perceptron": lambda n, k: ls.Perceptron(),
    "PNorm": lambda n, k: ls.PNorm(),
    "PNorm, p=3": lambda n, k: ls.PNorm(p=3),
    "Winnow": lambda n, k: ls.Winnow(),
    "Winnow, 3/2 and n/k": lambda n, k: ls.Winnow(alpha=1.5, theta=n / max(k, 1)),
    "Winnow, its own demotion": lambda n, k: ls.Winnow(alpha=1.35, demotion=0.8, theta=4.0, w1=0.2),
    "Winnow, eliminating": lambda n, k: ls.Winnow(alpha=3, demotion=0, theta=2.5),
    "Winnow, theta below w1": lambda n, k: ls.Winnow(alpha=2, theta=0.5),
    "Winnow, constant coordinate": lambda n, k: ls.Winnow(bias=True),
    "Winnow tuned": lambda n, k: ls.Winnow.for_disjunctions(n, max(k, 1)),
    "Winnow as SNoW": lambda n, k: ls.Winnow.preset("snow", n=n),
    "Winnow as LBJava": lambda n, k: ls.Winnow.preset("lbjava", n=n),
    "Winnow as Mallet": lambda n, k: ls.Winnow.preset("mallet", n=n),
    "NormalizedWinnow tuned": lambda n, k: ls.NormalizedWinnow.for_disjunctions(n, max(k, 1)),
    "ThresholdedBEG": lambda n, k: ls.ThresholdedBEG(),
    "ThresholdedBEG, w1": lambda n, k: ls.ThresholdedBEG(w1=0.3),
    "ThresholdedBEG tuned": lambda n, k: ls.ThresholdedBEG.for_disjunctions(n, max(k, 1)),
    "ThresholdedBEG noise-free": lambda n, k: ls.ThresholdedBEG.noise_free(n),
    "BayesBEG, Theorem 3": lambda n, k: ls.BayesBEG.theorem3(n),
    "BayesBEG, Theorem 4": lambda n, k: ls.BayesBEG.theorem4(n),
    "Elimination": lambda n, k: ls.Elimination(),
}


@pytest.mark.parametrize("name", MAKERS)
@given(strategies.streams(min_n=2, max_n=9, max_rows=60, disjunction=True))
def test_mistakes_on_disjunctions_stay_within_the_guarantee(name, stream):
    assume(stream.k >= 1)
    learner = MAKERS[name](stream.n, stream.k).begin(stream.n, labels=(0, 1))
    learner.learn(stream.X, stream.y)
    assert learner.mistakes <= learner.guarantee.at(k=stream.k).value


@pytest.mark.parametrize("name", MAKERS)
def test_a_greedy_opponent_does_not_break_the_guarantee(name):
    """Present, again and again, a row on which the current hypothesis errs."""
    rng = np.random.default_rng(3)
    n, k = 12, 2
    learner = MAKERS[name](n, k).begin(n, labels=(0, 1))
    for _ in range(400):
        X = np.vstack([rng.random((60, n)) < rng.random(), np.eye(n), np.ones((1, n))])
        y = X[:, :k].any(axis=1)
        wrong = np.flatnonzero(learner.predict(X) != y)
        if len(wrong) == 0:
            continue
        learner.learn(X[wrong[:1]], y[wrong[:1]].astype(int))
    assert 0 < learner.mistakes <= learner.guarantee.at(k=k).value


@pytest.mark.parametrize(
    "make",
    [
        lambda n, k, a: ls.ThresholdedBEG(),
        lambda n, k, a: ls.ThresholdedBEG.for_disjunctions(n, k, a),
        lambda n, k, a: ls.Winnow.for_disjunctions(n, k, a),
        lambda n, k, a: ls.Winnow(theta=2 * log(2) / 3, w1=1 / n, tie=0),
    ],
)
@given(strategies.streams(min_n=2, max_n=6, max_rows=60), st.data())
def test_attribute_errors_of_any_disjunction_bound_the_mistakes(make, stream, data):
    """For every comparator, also on labels that no disjunction explains."""
    target = data.draw(st.lists(st.integers(0, stream.n - 1), min_size=1, max_size=stream.n, unique=True))
    on = (stream.X[:, target] > 0).sum(axis=1)
    errors = int(np.where(stream.y == 1, on == 0, on).sum())
    learner = make(stream.n, len(target), errors).begin(stream.n, labels=(0, 1))
    learner.learn(stream.X, stream.y)
    bound = learner.guarantee.at(k=len(target), attribute_errors=errors)
    assert learner.mistakes <= bound.value + 1e-9


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=150)
def test_normalized_winnow_keeps_the_margin_bound(n, seed):
    rng = np.random.default_rng(seed)
    u = rng.random(n)
    X = rng.uniform(-1, 1, (80, n))
    margins = X @ u
    keep = np.abs(margins) > 0.05
    X, margins = X[keep], margins[keep]
    assume(len(X) > 0)
    radius, norm, gamma = float(np.abs(X).max()), float(u.sum()), float(np.abs(margins).min())
    learner = ls.NormalizedWinnow.for_margin(n, gamma, radius=radius, norm=norm).begin(labels=(-1, 1))
    learner.learn(np.tile(X, (5, 1)), np.tile(np.sign(margins), 5).astype(int))
    assert learner.mistakes <= learner.guarantee.value


@given(st.integers(1, 6), st.sampled_from([2.0, 3.0, 8.0]), st.integers(0, 2**32 - 1))
def test_p_norm_keeps_the_margin_bound(n, p, seed):
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=n), rng.normal(size=(60, n))
    margins = X @ u
    learner = ls.PNorm(p=p, bias=False).begin(labels=(-1, 1))
    learner.learn(np.tile(X, (4, 1)), np.tile(np.sign(margins), 4).astype(int))
    norm = np.linalg.norm(u, p / (p - 1))
    radius = np.linalg.norm(X, p, axis=1).max()
    assert learner.mistakes <= bounds.p_norm_margin(p=p, radius=radius, norm=norm, gamma=np.abs(margins).min()).value


def test_theorem_3_1_without_its_guard_is_false():
    """n = 2, u = (1, 0), x = (0.1, -1), eta = 1: one mistake, where the printed formula says -2.08."""
    learner = ls.NormalizedWinnow(eta=1.0).begin(2, labels=(-1, 1))
    learner.learn([[0.1, -1.0]], [1])
    assert learner.mistakes == 1
    assert bounds.normalized_winnow_margin(n=2, gamma=0.1, eta=1.0).value == inf


def test_numbers_of_the_papers():
    assert bounds.winnow_disjunction(n=200, k=20, alpha=1.5, theta=10).value == 359  # M < 360
    assert bounds.winnow_disjunction(n=400, k=20, alpha=1.5, theta=20).value == 459
    assert bounds.bayes_beg_theorem3(n=50, k=1).value == pytest.approx(21.36)
    assert bounds.bayes_beg_theorem3(n=100, k=1).value == pytest.approx(23.84)
    assert bounds.perceptron_disjunction(k=20, X=200).value == 81 * 201
    assert bounds.normalized_winnow_margin(n=16, gamma=1.0, eta=20.0).value == pytest.approx(4.0)  # halving
    alpha = ls.Winnow.for_disjunctions(100, 3).alpha
    assert alpha == pytest.approx(3.5911, abs=1e-4)
    assert (alpha + 1) / log(alpha) == pytest.approx(3.5911, abs=1e-4)


@pytest.mark.parametrize("n", [2, 3, 10, 1000, 10**6])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_sharper_corollary_is_below_the_paper(n, k):
    assert bounds.thresholded_beg_noise_free(n=n, k=k).value <= 2 * e * log(2) + 2.72 * k * log(n)


def test_parameters_that_theory_chooses_are_the_best_ones():
    for errors in (0, 5, 1000):
        learner = ls.Winnow.for_disjunctions(100, 4, errors)
        others = [bounds.winnow_attribute_errors(n=100, k=4, alpha=a, w1=0.04, attribute_errors=errors).value
                  for a in np.linspace(1.001, 6.0, 500)]  # fmt: skip
        assert learner.guarantee.value <= min(others) + 1e-6


def test_a_bound_says_what_it_is():
    bound = ls.Winnow().begin(50).guarantee.at(k=1)
    assert (bound.kind, bound.arguments["n"], bound.arguments["k"]) == ("upper", 50, 1)
    assert "disjunction" in bound.assumptions
    assert "1995" in bound.source
    assert str(bound).startswith("mistakes <= ")
    with pytest.raises(InvalidParameter, match="gamma.*it takes n, k"):
        bound.at(gamma=1)
    assert set(bounds.THEOREMS) >= {"elimination", "winnow_disjunction", "thresholded_beg"}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bounds.elimination(n=3, k=4), "0 <= k <= n"),
        (lambda: bounds.winnow_disjunction(n=3, k=1, alpha=1), "alpha > 1"),
        (lambda: bounds.winnow_disjunction(n=3, k=1, demotion=1), "demotion < 1"),
        (lambda: bounds.winnow_disjunction(n=3, k=1, theta=0), "theta > 0"),
        (lambda: bounds.bayes_beg_theorem3(n=1, k=1), "n >= 2"),
        (lambda: bounds.perceptron_margin(radius=1, norm=1, gamma=0), "gamma > 0"),
        (lambda: bounds.optimal_eta(gamma=2.0), "no margin is larger"),
        (lambda: bounds.p_norm_margin(p=1.5, radius=1, norm=1, gamma=1), "p >= 2"),
        (lambda: bounds.elimination(n=3), "missing a required argument"),
    ],
)
def test_numbers_outside_a_theorem_are_refused(call, words):
    with pytest.raises(InvalidParameter, match=words):
        call()


def test_no_guarantee_is_claimed_where_none_is_known():
    for learner in (
        ls.Winnow(margin=1.0), ls.Winnow(averaged=True), ls.BalancedWinnow(), ls.Perceptron(theta=1.0),
        ls.Perceptron(w1=2.0), ls.Perceptron(bias=False), ls.NormalizedWinnow(), ls.BayesBEG(policy="always"),
        ls.BayesBEG(gamma=0.7), ls.ThresholdedBEG(theta=1.0), ls.PNorm(theta=1.0),
    ):  # fmt: skip
        assert learner.begin(10).guarantee is None, learner
    assert ls.Winnow().guarantee is None  # n is not known


def test_no_guarantee_after_example_weights():
    learner = ls.Winnow()
    X, y = np.tile(np.eye(4, dtype=bool), (200, 1)), np.tile([1, 0, 0, 0], 200)
    learner.learn(X, y, weight=np.full(800, 0.01))
    assert learner.mistakes > ls.Winnow().begin(4).guarantee.at(k=1).value
    assert learner.guarantee is None
    assert ls.Winnow.from_state(learner.params(), learner.state()).guarantee is None
    with pytest.raises(InvalidParameter, match="float32"):
        ls.Perceptron(eta=1e-50, dtype="float32")


def test_a_tiny_threshold_is_not_a_balanced_one():
    learner = ls.Winnow(alpha=1e15, theta=1e-20, w1=1e-15)
    learner.learn(np.eye(2, dtype=bool), [0, 0])
    assert learner.mistakes <= learner.guarantee.at(k=0).value


def test_whole_bounds_are_whole():
    assert bounds.direct_weighted_majority(n=51, beta=0).value == 51
    stream = ls.from_arrays(np.eye(3, dtype=bool), [0, 0, 0], labels=(0, 1))
    run = ls.play(ls.Winnow(demotion=0, theta=0.7, w1=0.7), stream)
    assert run.mistakes == 3 <= ls.hindsight.tightest(run, ls.hindsight.comparators(stream)).bound.value
