"""What is particular to one learner, and what every learner refuses."""

from fractions import Fraction
from math import e, exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, UnknownSize
from littlestone.learners import LEARNERS, by_name, command_name
from tests import strategies


@given(strategies.streams(max_n=8, max_rows=60, disjunction=True))
def test_winnow_with_a_huge_alpha_is_elimination(stream):
    """theta 1, alpha > n, no noise: prediction for prediction."""
    winnow, elimination = ls.Winnow(alpha=stream.n + 1, theta=1), ls.Elimination()
    assert winnow.learn(stream.X, stream.y).tolist() == elimination.learn(stream.X, stream.y).tolist()


@given(strategies.streams(strategies.ANY, max_rows=40), st.sampled_from([0.3, 1.0]))
def test_normalisation_changes_nothing_at_theta_zero(stream, eta):
    """Normalized Winnow and un-normalised exponentials predict alike (up to sums that are 0 but for rounding)."""
    normalized = ls.NormalizedWinnow(eta=eta).begin(stream.n, labels=(0, 1))
    plain = ls.QuasiAdditive(link=EXP, eta=eta, bias=False).begin(stream.n, labels=(0, 1))
    for row, y in zip(stream.X, stream.y, strict=True):
        activation = plain.activation([row])[0]
        if abs(activation) < 1e-9 * np.exp(np.abs(plain._machine.state()["weights"]).max()):
            return
        assert normalized.learn([row], [y]) == plain.learn([row], [y])


EXP = ls.link(lambda z: exp(z), inverse=np.log)


def test_a_users_link_equals_the_built_in_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 8))
    y = X @ rng.normal(size=8) > 0
    cube = ls.link(lambda z: z * abs(z) ** 2)
    built_in = ls.PNorm(p=4, bias=False)  # theta 0: the scale is idle
    assert ls.QuasiAdditive(link=cube, bias=False).learn(X, y).tolist() == built_in.learn(X, y).tolist()
    identity = ls.link(lambda z: z)
    assert ls.QuasiAdditive(link=identity).learn(X, y).tolist() == ls.Perceptron().learn(X, y).tolist()


def test_a_copy_with_a_users_link_goes_on():
    learner = ls.QuasiAdditive(link=EXP)
    learner.learn([[1, 0], [0, 1]], [0, 1])
    copy = learner.copy()
    assert copy.learn([[1, 1]], [0]).tolist() == learner.learn([[1, 1]], [0]).tolist()


def test_the_perceptron_is_unmoved_by_an_exact_rate():
    rng = np.random.default_rng(0)
    X = rng.random((2000, 50)) < 0.1
    y = X[:, :5].any(axis=1)
    expected = ls.Perceptron().learn(X, y).tolist()
    for eta in (0.5, 2.0, 4.0):
        assert ls.Perceptron(eta=eta).learn(X, y).tolist() == expected


def test_without_a_constant_coordinate_zero_is_never_learned():
    learner = ls.Perceptron(bias=False).begin(3, labels=(0, 1))
    learner.learn(np.zeros((20, 3)), [0] * 20)
    assert learner.mistakes == 20
    learner = ls.Perceptron().begin(3, labels=(0, 1))
    learner.learn(np.zeros((20, 3)), [0] * 20)
    assert learner.mistakes == 1


@pytest.mark.parametrize(
    ("learner", "tie"),
    [(ls.Perceptron(), 1), (ls.Winnow(), 1), (ls.BalancedWinnow(), 1), (ls.PNorm(), 1), (ls.Elimination(), 1),
     (ls.NormalizedWinnow(), 1), (ls.NormalizedWinnow(beta1=2.0, beta0=0.5, theta=0.5), 0), (ls.ThresholdedBEG(), 0),
     (ls.BayesBEG(), 0), (ls.Winnow.for_disjunctions(10, 2), 0)],
)  # fmt: skip
def test_ties_are_as_the_papers_have_them(learner, tie):
    assert learner.tie == tie
    with pytest.raises(AttributeError):
        learner.tie = 1 - tie


def test_a_tie_is_predicted_by_the_tie():
    X = [[1, 1, 1, 0]]
    assert ls.Winnow(theta=3).begin(4).predict(X).tolist() == [1]
    assert ls.Winnow(theta=3, tie=0).begin(4).predict(X).tolist() == [0]
    tenths = [[1, 1, 1]]
    assert ls.Winnow(w1=0.1, theta=0.3).begin(3).activation(tenths).tolist() == [0.0]  # 3 * 1/10 = 3/10, in rationals
    assert ls.Winnow(w1=Fraction(1, 3), theta=1).begin(3).predict(tenths).tolist() == [1]


def test_hypothesis_explains_the_activation():
    rng = np.random.default_rng(1)
    X = rng.random((200, 9)) < 0.4
    y = X[:, :2].any(axis=1)
    makers = [kind for name, kind in LEARNERS.items() if "averaged" in kind.parameter_names()]
    makers.remove(ls.QuasiAdditive)
    for kind in (kind for kind in makers if not hasattr(kind, "hypotheses")):  # those of many classes: test_classes.py
        for options in ({}, {"negations": True}, {"averaged": True}):
            if not options.keys() <= {*kind.parameter_names()}:
                continue
            learner = kind(**options)
            learner.learn(X, y)
            w, theta = learner.hypothesis()
            assert X @ w - theta == pytest.approx(learner.activation(X), abs=1e-9)


def test_weights_by_name_and_negations():
    learner = ls.Winnow(negations=True).begin(3, labels=(0, 1), names=["a", "b", "c"])
    learner.learn_one({"a"}, 0)
    assert list(learner.weights()) == ["a", "b", "c", "not a", "not b", "not c"]
    assert learner.hypothesis().w.shape == (3,)
    learner = ls.Perceptron()
    learner.learn([[1.0, 0.0, 2.0]], [0])
    assert learner.weights() == {0: -1.0, 1: 0.0, 2: -2.0}


def test_a_learner_can_learn_a_negated_literal():
    rng = np.random.default_rng(2)
    X = rng.random((600, 12)) < 0.5
    y = ~X[:, 3]
    plain, negated = ls.Winnow(), ls.Winnow(negations=True)
    plain.learn(X, y)
    negated.learn(X, y)
    assert negated.mistakes <= negated.guarantee.at(k=1).value < plain.mistakes
    real = ls.Perceptron(negations=True)
    real.learn(X * 0.5, y)
    with pytest.raises(InvalidData, match=r"row 0, attribute 1: expected a value in \[0, 1\].*got 2"):
        real.learn([[0, 2] + [0] * 10], [1])


def test_real_values_scale_the_update():
    learner = ls.Winnow(theta=10.0, alpha=4.0).begin(2, labels=(0, 1))
    learner.learn([[0.5, 1.0]], [1])
    assert learner.hypothesis().w.tolist() == [2.0, 4.0]


def test_theta_is_set_once():
    learner = ls.Winnow()
    learner.learn(np.eye(5), [0, 1, 0, 1, 0])
    assert learner.hypothesis().theta == 5.0
    with pytest.raises(InvalidData, match="fixed n=5"):
        learner.learn(np.eye(6), [0] * 6)
    with pytest.raises(InvalidData, match="fixed n=5"):
        learner.predict(np.eye(6))
    with pytest.raises(InvalidParameter, match="fixed at 5"):
        learner.begin(6)
    perceptron = ls.Perceptron()
    perceptron.learn(np.eye(5), [0, 1, 0, 1, 0])
    perceptron.learn(np.eye(6), [0, 1, 0, 1, 0, 1])
    assert perceptron.hypothesis().w.shape == (6,)


@pytest.mark.parametrize(
    "learner",
    [ls.Winnow(), ls.PNorm(), ls.ThresholdedBEG(), ls.BayesBEG(), ls.NormalizedWinnow(theta=0.1),
     ls.Perceptron(negations=True), ls.Perceptron(w1=[1.0, 2.0])],
)  # fmt: skip
def test_who_needs_n_says_so(learner):
    with pytest.raises(UnknownSize, match=r"begin\(n=\.\.\.\)"):
        learner.learn_one({"a": 1}, 1)
    assert learner.vocabulary is None
    assert learner.trials == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ls.Winnow(alpha=1.0), r"Winnow: alpha must be a number > 1, got 1\.0"),
        (lambda: ls.Winnow(alpha=0.5), "alpha"),
        (lambda: ls.Winnow(alpha="2"), "alpha must be a number > 1, got '2'"),
        (lambda: ls.Winnow(alpha=float("nan")), "alpha"),
        (lambda: ls.Winnow(theta=0), "theta must be a number > 0, got 0"),
        (lambda: ls.Winnow(theta=-3), "theta"),
        (lambda: ls.Winnow(demotion=1), "demotion"),
        (lambda: ls.Winnow(demotion=-0.1), "demotion"),
        (lambda: ls.Winnow(w1=0), "w1"),
        (lambda: ls.Winnow(tie=2), "tie"),
        (lambda: ls.Winnow(alpah=2), "no parameter 'alpah'; did you mean alpha. it takes alpha, demotion, theta, w1"),
        (lambda: ls.Winnow(margin=-1), "margin"),
        (lambda: ls.Winnow(averaged=1), "averaged must be True or False"),
        (lambda: ls.Winnow(dtype="float16"), "dtype"),
        (lambda: ls.Winnow.preset("weka"), "snow, lbjava, mallet"),
        (lambda: ls.Winnow.preset("mallet"), "give n"),
        (lambda: ls.Winnow.for_disjunctions(3, 4), "k must"),
        (lambda: ls.Winnow.for_disjunctions(3, 0), "k must"),
        (lambda: ls.Perceptron(eta=0), "eta"),
        (lambda: ls.Perceptron(theta=None), "theta"),
        (lambda: ls.Perceptron(bias=None), "bias"),
        (lambda: ls.Perceptron(w1=[[1.0]]), "w1"),
        (lambda: ls.Perceptron(w1=[1.0, 2.0]).begin(3), r"one number an attribute \(3\), got 2"),
        (lambda: ls.BalancedWinnow(alpha=1), "alpha"),
        (lambda: ls.BalancedWinnow(w1=0), "w1"),
        (lambda: ls.NormalizedWinnow(eta=1.0, beta1=2.0, beta0=0.5), "eta alone"),
        (lambda: ls.NormalizedWinnow(beta1=2.0), "beta1 and beta0 together"),
        (lambda: ls.NormalizedWinnow(beta1=2.0, beta0=1.0), "beta0"),
        (lambda: ls.NormalizedWinnow(eta=0.0), "eta"),
        (lambda: ls.NormalizedWinnow.for_margin(10, 2.0), "gamma"),
        (lambda: ls.NormalizedWinnow.for_margin(10, 0.0), "gamma"),
        (lambda: ls.ThresholdedBEG(beta1=1.0), "beta1"),
        (lambda: ls.ThresholdedBEG(beta1=3.0), "theta=None needs beta0 = 1/beta1"),
        (lambda: ls.ThresholdedBEG(theta=0.0), "theta"),
        (lambda: ls.ThresholdedBEG(w1=1.0), "w1"),
        (lambda: ls.ThresholdedBEG().begin(1), "w1=1/n has no logit at n=1"),
        (lambda: ls.ThresholdedBEG.noise_free(1), "n must be a whole number >= 2"),
        (lambda: ls.BayesBEG(gamma=0.5), "gamma"),
        (lambda: ls.BayesBEG(policy="never"), "'mistakes' or 'always'"),
        (lambda: ls.BayesBEG(theta=0.0), "theta"),
        (lambda: ls.BayesBEG().begin(1), "n >= 2"),
        (lambda: ls.BayesBEG(policy="always", margin=1.0), "margin"),
        (lambda: ls.BayesBEG.theorem3(1), "n must"),
        (lambda: ls.PNorm(p=1.5), "p must"),
        (lambda: ls.Elimination(theta=2), "no parameter 'theta'; it takes bias, averaged"),
        (lambda: ls.QuasiAdditive(link=exp), "link must be a Link"),
        (lambda: ls.Perceptron().begin(n=0), "n must be a whole number >= 1, got 0"),
        (lambda: ls.Perceptron().begin(n=2.5), "n must"),
        (lambda: by_name("winow"), "got 'winow'; did you mean winnow"),
    ],
)
def test_parameters_that_are_refused(call, words):
    with pytest.raises(InvalidParameter, match=words):
        call()


@pytest.mark.parametrize(
    ("learner", "X", "words"),
    [
        (ls.Winnow(), [[1, -1.0]], "Winnow: row 0, attribute 1: expected a value >= 0, got -1"),
        (ls.ThresholdedBEG(), [[1, 0], [-2, 0]], "row 1, attribute 0: expected a value >= 0, got -2"),
        (ls.NormalizedWinnow(beta1=2.0, beta0=0.5), [[-1, 1]], "expected a value >= 0"),
        (ls.BayesBEG(), [[0.5, 1]], r"expected a Boolean value \(0 or 1\), got 0\.5"),
        (ls.Elimination(), [[2, 1]], "expected a Boolean value"),
    ],
)
def test_values_outside_an_algorithms_domain(learner, X, words):
    for call in (lambda: learner.learn(X, [0, 1][: len(X)]), lambda: learner.predict(X)):
        with pytest.raises(InvalidData, match=words):
            call()
    assert learner.trials == 0
    assert learner.n is None
    named = type(learner)(**learner.params()).begin(2, labels=(0, 1))
    bad = next(v for row in X for v in row if v not in (0, 1))
    for call in (lambda: named.learn_one({"a": bad}, 1), lambda: named.predict_one({"a": bad})):
        with pytest.raises(InvalidData, match="attribute 'a': expected a .*value"):
            call()
    assert len(named.vocabulary or ()) == 0


@pytest.mark.parametrize(
    ("x", "words"),
    [("abc", "got str"), (b"abc", "got bytes"), (5, "got int"), (None, "got NoneType"), ({"a": "red"}, "colour=red"),
     ({"a": None}, "expected a number, got None"), ({"a": float("inf")}, "finite"), (["a", "a"], "'a' twice"),
     (np.zeros((2, 2)), "1-D array")],
)  # fmt: skip
def test_what_is_no_example(x, words):
    learner = ls.Perceptron().begin(labels=(0, 1))
    for call in (lambda: learner.learn_one(x, 1), lambda: learner.predict_one(x)):
        with pytest.raises(InvalidData, match=words):
            call()
    assert learner.trials == 0


def test_example_weights_that_are_refused():
    learner = ls.Perceptron().begin(labels=(0, 1))
    for weight in ([1.0], [1.0, -1.0], [1.0, float("nan")], [[1.0, 1.0]]):
        with pytest.raises(InvalidData, match="weight"):
            learner.learn(np.eye(2), [0, 1], weight=weight)
    assert learner.trials == 0


def test_presets_are_what_they_say():
    assert ls.Winnow.preset("snow").params()["demotion"] == 0.8
    assert ls.Winnow.preset("mallet", n=10).theta == 5.0
    assert ls.Winnow.preset("snow").guarantee is None  # n is not known
    assert ls.Winnow.preset("lbjava", n=100, k=2).copy().guarantee.value == 36


def test_repr_shows_what_was_told():
    assert repr(ls.Winnow(alpha=1.5, margin=1.0)) == "Winnow(alpha=1.5, margin=1.0)"
    assert repr(ls.Perceptron()) == "Perceptron()"
    assert [command_name(kind) for kind in (ls.BayesBEG, ls.PNorm, ls.BalancedWinnow)] == [
        "bayes-beg", "p-norm", "balanced-winnow",
    ]  # fmt: skip


def test_more_states_than_the_table_holds_go_on_as_duals(monkeypatch):
    monkeypatch.setattr("littlestone.machines.power_table.MOST_STATES", 12)
    rng = np.random.default_rng(0)
    X = rng.random((400, 20)) < 0.3
    y = rng.random(400) < 0.5
    learner, free = ls.Winnow(alpha=1.3, demotion=0.71, theta=4.1), ls.Winnow(alpha=1.3, demotion=0.71, theta=4.1)
    said = [learner.learn(X[:200], y[:200]), learner.learn(X[200:], y[200:])]
    monkeypatch.undo()
    assert np.concatenate(said).tolist() == free.learn(X, y).tolist()
    assert "weights" in learner.state()
    assert "states" in free.state()
    resumed = ls.Winnow.from_state(learner.params(), learner.state())
    assert resumed.learn(X, y).tolist() == learner.learn(X, y).tolist()


def test_extreme_weights_stay_finite():
    for learner in (ls.BalancedWinnow(alpha=1e9), ls.Winnow(alpha=1e9), ls.NormalizedWinnow(eta=1000.0),
                    ls.PNorm(p=60.0), ls.ThresholdedBEG(beta1=1e9, beta0=1e-9)):  # fmt: skip
        rng = np.random.default_rng(0)
        X = rng.random((3000, 6)) < 0.5
        learner.learn(X, rng.random(3000) < 0.5)
        assert np.isfinite(learner.hypothesis().w).all(), learner
        assert np.isfinite(learner.activation(X)).all(), learner
        real = type(learner)(**learner.params())
        real.learn(X * 1e3 if not isinstance(learner, ls.ThresholdedBEG) else X * 0.5, rng.random(3000) < 0.5)
        assert np.isfinite(real.activation(X)).all(), learner


def test_averaged_prediction_is_steadier_under_noise():
    """At 5% noise the averaged Perceptron makes far fewer mistakes than the last hypothesis."""
    stream = ls.teachers.Disjunction(100, 5, trials=20_000, noise=0.05, seed=1)
    plain, averaged = ls.play_all([ls.Perceptron(), ls.Perceptron(averaged=True)], stream)
    assert plain.updates == averaged.updates
    assert averaged.mistakes < 0.75 * plain.mistakes


def test_for_margin_at_the_largest_margin_is_halving():
    learner = ls.NormalizedWinnow.for_margin(16, 1.0)
    assert learner.guarantee.value == pytest.approx(4.0)
    assert learner.eta == pytest.approx(20.0)
    assert ls.ThresholdedBEG.noise_free(10).beta1 == e
    assert ls.NormalizedWinnow()._rate() == log(1.5)
