"""One algorithm by two names: EG as mirror descent, and classifiers as descent on the linear hinge, trial for trial."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from tests import strategies
from tests.learners.regressors.comparing import KINKED, NEAR, compare, games, learned, same
from tests.naive import numbers
from tests.naive.exponentiated_gradient import ExponentiatedGradient

forms = st.sampled_from(["dense", "csr"])


@given(games(), st.sampled_from([0.0625, 0.3]), forms)
def test_exponentiated_gradient_is_mirror_descent_by_the_exponential_link(game, eta, form):
    stream, weights, text, loss, bias = game
    mirror = ls.MirrorDescent(link=ls.links.exponential(), eta=eta, loss_function=text, bias=bias)
    said = compare(mirror, ExponentiatedGradient(stream.n + bias, loss=loss, eta=eta), stream, weights, bias=bias)
    if text not in KINKED:
        learner = ls.ExponentiatedGradient(eta=eta, loss_function=text, bias=bias).begin(stream.n)
        same(learned(learner, stream, weights, form), said, NEAR)
        same(learner.hypothesis().w, mirror.hypothesis().w, NEAR)
        assert learner.updates == mirror.updates


@given(games(losses=("square",)), st.sampled_from([0.05, 0.3]))
def test_the_p_norm_with_p_2_is_gradient_descent(game, eta):
    stream, weights, _, _, bias = game
    expected = learned(ls.GradientDescent(eta=eta, bias=bias).begin(stream.n), stream, weights)
    same(learned(ls.PNormRegression(p=2.0, eta=eta, bias=bias).begin(stream.n), stream, weights), expected, NEAR)
    mirror = ls.MirrorDescent(eta=eta, bias=bias).begin(stream.n)
    assert learned(mirror, stream, weights).tolist() == expected.tolist()


def equal(classifier, regressor, stream, theta, *, above=False, weights=None, tolerance=0.0):
    """Play both; they are one: every prediction, update, loss and weight (to the last bit, or to a tolerance)."""
    classifier.begin(stream.n, labels=(0, 1))
    regressor.begin(stream.n)
    said = learned(classifier, stream, weights)
    numbers_said = learned(regressor, stream, weights)
    if tolerance and (np.abs(numbers_said - theta) < NEAR).any():
        return  # rounding may have decided
    assert said.tolist() == [int(p > theta if above else p >= theta) for p in numbers_said]
    counts = (classifier.updates, classifier.promotions, classifier.demotions)
    assert counts == (regressor.updates, regressor.promotions, regressor.demotions)
    wrong = said != stream.y
    assert regressor.loss == pytest.approx(np.abs(numbers_said - theta)[wrong].sum(), rel=1e-9)
    (w, constant, _), (v, other, _) = classifier.coordinates(), regressor.coordinates()
    np.testing.assert_allclose([*w, constant], [*v, other], rtol=tolerance, atol=tolerance)


def binary(stream):
    stream.y = stream.y.astype(float)
    return stream


weights_of_rows = st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=25, max_size=25)


@given(strategies.streams(strategies.ANY), st.sampled_from([1.0, 0.25, 0.3]), st.sampled_from([0.0, 0.5, -1.25]),
       st.booleans(), weights_of_rows)  # fmt: skip
def test_the_perceptron_is_gradient_descent_on_the_linear_hinge(stream, eta, theta, bias, weights):
    loss = ls.losses.linear_hinge(theta)
    equal(ls.Perceptron(eta=eta, theta=theta, bias=bias), ls.GradientDescent(eta=eta, loss_function=loss, bias=bias),
          binary(stream), theta, weights=weights and weights[: len(stream.y)],
          tolerance=1e-9 if eta == 0.3 else 0.0)  # fmt: skip


@given(strategies.streams(strategies.BOOLEAN), st.sampled_from([0.5, 1.0, 2.0, 3.75]), st.booleans())
def test_winnow_is_mirror_descent_by_powers_on_the_linear_hinge(stream, theta, tie):
    """With alpha = 2 all sums are exact: to the last bit."""
    loss = ls.losses.linear_hinge(theta, tie=int(tie))
    regressor = ls.MirrorDescent(link=ls.links.power(2.0), eta=1.0, loss_function=loss, bias=False)
    equal(ls.Winnow(alpha=2.0, theta=theta, tie=int(tie)), regressor, binary(stream), theta, above=not tie)


@given(strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([1.5, 1.1, 3.0]), st.sampled_from([0.7, 2.3]))
def test_winnow_with_another_alpha(stream, alpha, theta):
    loss = ls.losses.linear_hinge(theta)
    regressor = ls.MirrorDescent(link=ls.links.power(alpha), eta=1.0, loss_function=loss, bias=False)
    equal(ls.Winnow(alpha=alpha, theta=theta), regressor, binary(stream), theta, tolerance=1e-9)


@given(strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([2.0, exp(1.0), 1.5]),
       st.sampled_from([0.25, 0.5, 1.0]), st.sampled_from([0.5, 0.25, 0.1]))  # fmt: skip
def test_thresholded_beg_is_beg_on_the_linear_hinge(stream, beta, theta, w1):
    regressor = ls.BEGRegression(eta=log(beta), w1=w1, loss_function=ls.losses.linear_hinge(theta, tie=0), bias=False)
    exact = log(1.0 / beta) == -log(beta)  # else a demotion is off by rounding
    classifier = ls.ThresholdedBEG(beta1=beta, beta0=1.0 / beta, theta=theta, w1=w1)
    equal(classifier, regressor, binary(stream), theta, above=True, tolerance=0.0 if exact else 1e-9)


def test_the_update_of_thresholded_beg_is_equation_6():
    """w' = w b/(1 - w + w b) with b = exp(-eta slope x)."""
    learner = ls.BEGRegression(eta=0.7, w1=0.3, loss_function="linear-hinge:0.2:0", bias=False).begin(2)
    learner.learn([[1.0, 2.0]], [0.0])
    b = np.exp(-0.7 * np.array([1.0, 2.0]))
    np.testing.assert_allclose(learner.hypothesis().w, 0.3 * b / (1 - 0.3 + 0.3 * b), rtol=1e-14)


def test_a_game_of_numbers_is_that_of_a_twin():
    """The loop of twins itself, by hand: w = 0, then 0.5."""

    class Mean:
        loss, w = ("square", None), 0.0

        def predict(self, x):
            return self.w * x[0]

        def learn(self, x, y, p, weight):
            self.w += 0.5 * weight * (y - p) * x[0]

    game = numbers.play(Mean(), [{0: 1}, {0: 2}], [1, 1])
    assert (game.predictions, game.losses) == ([0.0, 1.0], [1.0, 0.0])
