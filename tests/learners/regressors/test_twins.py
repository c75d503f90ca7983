"""Every regressor is its naive twin, number for number, on every kind of stream, for every loss."""

from fractions import Fraction
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from tests import strategies
from tests.learners.regressors.comparing import KINKED, NUMBERS, WEIGHTS, compare, games, learned, same
from tests.naive import numbers
from tests.naive.adagrad_regression import AdagradRegression
from tests.naive.beg_regression import BEGRegression
from tests.naive.exponentiated_gradient import EGPlusMinus, ExponentiatedGradient
from tests.naive.gradient_descent import GradientDescent
from tests.naive.normalized_gradient import NormalizedGradient
from tests.naive.p_norm_regression import PNormRegression
from tests.naive.passive_aggressive_regression import PassiveAggressiveRegression
from tests.naive.vaw_forecaster import Diagonal, Exact, LeastSquares

forms = st.sampled_from(["dense", "csr"])
# eta, c and X as they are given: a rate of its own, a stated largest row, and the largest so far
rates = st.sampled_from([(0.0625, 1.0, None), (0.3, 1.0, None), (None, 1.0, 3.0), (None, 1.0, None), (None, 0.2, None)])


def given_so(rate, share):
    """The parameters of a learner and of its twin; ``share`` is eta X^2 as a function of c."""
    eta, c, X = rate
    return {"eta": eta, "c": c, "X": X}, {"eta": eta, "X": X, "share": share(c)}


def additive(c):
    return c / (2 * (1 + c))


def multiplicative(c):
    return 2 * c / (2 + c)


@given(games(), rates, forms)
def test_gradient_descent(game, rate, form):
    stream, weights, text, loss, bias = game
    ours, theirs = given_so(rate, additive)
    learner = ls.GradientDescent(loss_function=text, bias=bias, **ours)
    twin = GradientDescent(stream.n + bias, loss=loss, **theirs)
    compare(learner, twin, stream, weights, bias=bias, form=form)


@given(games(losses=KINKED), st.sampled_from([0.25, 1.0]), forms)
def test_gradient_descent_is_exact_where_floats_are(game, eta, form):
    stream, weights, text, loss, bias = game
    learner = ls.GradientDescent(eta=eta, loss_function=text, bias=bias)
    twin = GradientDescent(stream.n + bias, loss=loss, eta=eta)
    compare(learner, twin, stream, weights, bias=bias, exact=True, form=form)


@given(games(), rates, forms)
def test_exponentiated_gradient(game, rate, form):
    stream, weights, text, loss, bias = game
    ours, theirs = given_so(rate, multiplicative)
    learner = ls.ExponentiatedGradient(loss_function=text, bias=bias, **ours)
    twin = ExponentiatedGradient(stream.n + bias, loss=loss, **theirs)
    compare(learner, twin, stream, weights, bias=bias, form=form)


@given(games(), rates, st.sampled_from([0.5, 1.0, 3.0]), forms)
def test_eg_plus_minus(game, rate, U, form):
    stream, weights, text, loss, bias = game
    ours, theirs = given_so(rate, lambda c: multiplicative(c) / (2 * U) ** 2)
    learner = ls.EGPlusMinus(U=U, loss_function=text, bias=bias, **ours)
    twin = EGPlusMinus(stream.n + bias, U=U, loss=loss, **theirs)
    compare(learner, twin, stream, weights, bias=bias, form=form)


@given(games(), rates, st.sampled_from([None, 0.1, 0.5, 0.9]), forms)
def test_beg_regression(game, rate, w1, form):
    stream, weights, text, loss, bias = game
    ours, theirs = given_so(rate, multiplicative)
    learner = ls.BEGRegression(w1=w1, loss_function=text, bias=bias, **ours)
    first = w1 or min(1 / stream.n, 0.5)
    twin = BEGRegression(stream.n + bias, loss=loss, start=log(first / (1 - first)), **theirs)
    compare(learner, twin, stream, weights, bias=bias, form=form)


@given(games(), rates, st.sampled_from([None, 2.0, 3.0, 4.5]), forms)
def test_p_norm_regression(game, rate, p, form):
    stream, weights, text, loss, bias = game
    ours, theirs = given_so(rate, additive)
    learner = ls.PNormRegression(p=p, loss_function=text, bias=bias, **ours)
    twin = PNormRegression(stream.n + bias, p=p or max(2.0, 2 * log(stream.n)), loss=loss, **theirs)
    compare(learner, twin, stream, weights, bias=bias, form=form, tolerance=1e-7)  # powers near 0 lose digits


class Cubic(GradientDescent):
    """Mirror descent with a link of one's own."""

    def link(self, z):
        return {i: v * v * v for i, v in z.items()}


CUBIC = ls.link(lambda z: z * z * z)


@given(games(), st.sampled_from([0.0, 0.5, 1.0]), forms)
def test_mirror_descent_with_its_own_link(game, start, form):
    stream, weights, text, loss, bias = game
    learner = ls.MirrorDescent(link=CUBIC, eta=0.01, start=start, loss_function=text, bias=bias)
    twin = Cubic(stream.n + bias, eta=0.01, start=start, loss=loss)
    compare(learner, twin, stream, weights, bias=bias, form=form)


@given(games(), st.sampled_from([0.05, 0.5, 2.0]), forms)
def test_normalized_gradient(game, eta, form):
    stream, weights, text, loss, bias = game
    learner = ls.NormalizedGradient(eta=eta, loss_function=text, bias=bias)
    twin = NormalizedGradient(stream.n + bias, eta=eta, loss=loss)
    compare(learner, twin, stream, weights, bias=bias, form=form, tolerance=1e-7)


@given(games(), st.lists(st.sampled_from([0.001, 0.5, 1.0, 64.0, 1e6]), min_size=7, max_size=7))
def test_units_do_not_matter_to_the_normalized_gradient(game, units):
    stream, weights, text, _, bias = game
    plain, scaled = (ls.NormalizedGradient(loss_function=text, bias=bias).begin(stream.n) for _ in range(2))
    expected = learned(plain, stream, weights)
    stream.X = stream.X * np.array(units)[: stream.n]
    if text not in KINKED:
        same(learned(scaled, stream, weights), expected, 1e-7)


@given(games(), st.sampled_from([0.05, 0.5, 2.0]), st.sampled_from([0.0, 0.5]), forms)
def test_adagrad_regression(game, eta, delta, form):
    stream, weights, text, loss, bias = game
    learner = ls.AdagradRegression(eta=eta, delta=delta, loss_function=text, bias=bias)
    twin = AdagradRegression(stream.n + bias, eta=eta, delta=delta, loss=loss)
    compare(learner, twin, stream, weights, bias=bias, form=form, tolerance=1e-7)


@given(games(losses=("square",)), st.sampled_from([0.0, 0.1, 1.0]), st.sampled_from(["PA", "PA-I", "PA-II"]),
       st.sampled_from([0.01, 0.3, 5.0]), forms)  # fmt: skip
def test_passive_aggressive_regression(game, epsilon, variant, C, form):
    stream, weights, _, _, bias = game
    learner = ls.PassiveAggressiveRegression(epsilon=epsilon, variant=variant, C=C, bias=bias)
    twin = PassiveAggressiveRegression(stream.n + bias, epsilon=epsilon, variant=variant, C=C)
    compare(learner, twin, stream, weights, bias=bias, form=form)


REGRESSORS = {True: ls.VAWForecaster, False: ls.RidgeRegression}


@given(games(losses=("square",)), st.booleans(), st.sampled_from([0.01, 1.0, 5.0]), forms)
def test_least_squares(game, foresees, a, form):
    stream, weights, _, _, bias = game
    for covariance, kind in (("full", LeastSquares), ("diagonal", Diagonal)):
        learner = REGRESSORS[foresees](a=a, covariance=covariance, bias=bias)
        compare(learner, kind(stream.n + bias, a=a, foresees=foresees), stream, weights, bias=bias, form=form)


@given(strategies.streams(st.sampled_from([0, 1, 1e-4, -1e4, 1e6, 1 + 1e-6, -1]), max_n=4, max_rows=12), st.data(),
       st.booleans(), st.sampled_from([2.0**-20, 2.0**-10]))  # fmt: skip
def test_least_squares_of_ill_conditioned_rows(stream, data, foresees, a):
    """A has a condition number up to 1e18, where solving A w = b has no digit in floats: five digits are right."""
    rows = len(stream.X)
    stream.y = np.array(data.draw(st.lists(NUMBERS, min_size=rows, max_size=rows)))
    weights = data.draw(st.none() | st.lists(WEIGHTS, min_size=rows, max_size=rows))
    twin = Exact(stream.n, a=a, foresees=foresees)
    game = numbers.play(twin, stream.rows(exact=True), [Fraction(y) for y in stream.y.tolist()],
                        None if weights is None else [Fraction(w) for w in weights])  # fmt: skip
    said = learned(REGRESSORS[foresees](a=a, bias=False).begin(stream.n), stream, weights)
    same(said, [float(p) for p in game.predictions], 1e-5)
