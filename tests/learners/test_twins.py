"""Every learner is its naive twin, mistake for mistake, on every kind of stream."""

from fractions import Fraction
from math import e, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from tests import strategies
from tests.naive import loop
from tests.naive.balanced_winnow import BalancedWinnow
from tests.naive.bayes_beg import BayesBEG
from tests.naive.elimination import Elimination
from tests.naive.normalized_winnow import NormalizedWinnow
from tests.naive.p_norm import PNorm
from tests.naive.perceptron import Perceptron
from tests.naive.thresholded_beg import ThresholdedBEG
from tests.naive.winnow import Winnow

NEAR = 1e-9  # a decision closer than this is rounding's, where a twin and its learner both use floats


def compare(learner, twin, stream, *, theta, tie, exact, bias=False, weights=True, form="dense", **options):
    """Play both; predictions must agree up to the first decision that rounding may have made."""
    rows = stream.rows(exact)
    n = stream.n
    if options.pop("negations", False):
        rows = [loop.with_negations(row, n) for row in rows]
        n *= 2
    if bias:
        rows = [loop.with_constant(row, n) for row in rows]
    game = loop.play(twin, rows, stream.y.tolist(), theta=theta, tie=tie, **options)
    learner.begin(stream.n, labels=(0, 1))
    parts = []
    for X, y in stream.blocks():
        given_as = {"dense": X, "csr": sparse.csr_matrix(X), "integers": X.astype(int) if (X % 1 == 0).all() else X}
        parts.append(learner.learn(given_as[form], y))
    said = np.concatenate(parts).tolist()
    unsure = [t for t, gap in enumerate(game.gaps) if gap < NEAR and not exact]
    end = unsure[0] if unsure else len(said)
    assert said[:end] == game.predictions[:end]
    if not unsure:
        assert learner.updates == len(game.updates)
        assert learner.mistakes == int(np.sum(np.array(said) != stream.y))
        if weights and not options.get("averaged"):
            _same_weights(learner, game.weights, bias=bias)


def _same_weights(learner, expected, *, bias):
    w, constant, _ = learner.coordinates()
    got = [*w, constant] if bias else list(w)
    np.testing.assert_allclose(got, [float(x) for x in expected], rtol=1e-9, atol=1e-12)


forms = st.sampled_from(["dense", "csr", "integers"])


@given(strategies.streams(strategies.ANY), forms, st.booleans(), st.sampled_from([0, 1, -2, 0.5]),
       st.sampled_from([0.0, 0.0, 0.5, 1.0]), st.booleans())  # fmt: skip
def test_perceptron(stream, form, bias, theta, margin, averaged):
    learner = ls.Perceptron(theta=theta, bias=bias, margin=margin, averaged=averaged)
    twin = Perceptron(stream.n + bias)
    compare(learner, twin, stream, theta=Fraction(theta), tie=1, exact=True, bias=bias, form=form,
            margin=Fraction(margin) if margin else None, averaged=averaged)  # fmt: skip


@given(strategies.streams(), forms, st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(11, 10), Fraction(30)]),
       st.sampled_from([None, Fraction(0), Fraction(4, 5), Fraction(1, 3)]),
       st.sampled_from([None, Fraction(1), Fraction(5, 2), Fraction(7, 3)]),
       st.booleans(), st.booleans(), st.sampled_from([0, Fraction(1, 2), Fraction(1)]),
       st.sampled_from([0, 1]))  # fmt: skip
@settings(max_examples=300)
def test_winnow_on_boolean_rows_is_exact(stream, form, alpha, demotion, theta, bias, negations, margin, tie):
    learner = ls.Winnow(alpha=float(alpha), demotion=None if demotion is None else float(demotion),
                        theta=None if theta is None else float(theta), bias=bias, negations=negations,
                        margin=float(margin), tie=tie)  # fmt: skip
    n = stream.n * (2 if negations else 1) + bias
    twin = Winnow(n, alpha, 1 / alpha if demotion is None else demotion, Fraction(1))
    compare(learner, twin, stream, theta=Fraction(n) if theta is None else theta, tie=tie, exact=True, bias=bias,
            form=form, margin=margin or None, negations=negations)  # fmt: skip


@given(strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([1.5, 2.0]), st.sampled_from([None, 0.0, 0.8]),
       st.booleans(), st.booleans())  # fmt: skip
def test_winnow_on_real_rows(stream, alpha, demotion, averaged, bias):
    learner = ls.Winnow(alpha=alpha, demotion=demotion, theta=2.3, averaged=averaged, bias=bias)
    twin = Winnow(stream.n + bias, alpha, 1 / alpha if demotion is None else demotion, 1.0)
    compare(learner, twin, stream, theta=2.3, tie=1, exact=False, averaged=averaged, bias=bias)


@given(strategies.streams(), strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([None, 0.0, 0.8]))
def test_winnow_goes_on_when_real_rows_follow_boolean_ones(first, second, demotion):
    n = max(first.n, second.n)
    wide = [np.pad(part.X, ((0, 0), (0, n - part.n))) for part in (first, second)]
    both = strategies.Stream(np.vstack(wide), np.concatenate([first.y, second.y]), [len(first.y)])
    learner = ls.Winnow(alpha=1.5, demotion=demotion, theta=1.9)
    twin = Winnow(n, 1.5, 1 / 1.5 if demotion is None else demotion, 1.0)
    compare(learner, twin, both, theta=1.9, tie=1, exact=False)


@given(strategies.streams(), forms, st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(6, 5)]),
       st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(5, 6)]), st.sampled_from([0, 1, Fraction(5, 6)]),
       st.booleans(), st.booleans())  # fmt: skip
@settings(max_examples=300)
def test_balanced_winnow_on_boolean_rows_is_exact(stream, form, alpha, margin, theta, bias, negations):
    learner = ls.BalancedWinnow(alpha=float(alpha), margin=float(margin), theta=float(theta), bias=bias,
                                negations=negations)  # fmt: skip
    twin = BalancedWinnow(stream.n * (2 if negations else 1) + bias, alpha, Fraction(1))
    compare(learner, twin, stream, theta=Fraction(theta), tie=1, exact=True, bias=bias, form=form, margin=margin,
            negations=negations)  # fmt: skip


@given(strategies.streams(strategies.ANY), st.booleans(), st.booleans())
def test_balanced_winnow_on_real_rows(stream, averaged, bias):
    learner = ls.BalancedWinnow(alpha=1.7, margin=0.3, bias=bias, averaged=averaged)
    twin = BalancedWinnow(stream.n + bias, 1.7, 1.0)
    compare(learner, twin, stream, theta=0.0, tie=1, exact=False, bias=bias, margin=0.3, averaged=averaged)


@given(strategies.streams(strategies.ANY), st.sampled_from([0.0, 0.1, 0.37]), st.sampled_from([0.1, log(2), 3.0, 40.0]),
       st.booleans(), st.booleans())  # fmt: skip
def test_normalized_winnow_in_the_eta_form(stream, theta, eta, averaged, bias):
    learner = ls.NormalizedWinnow(eta=eta, theta=theta, averaged=averaged, bias=bias)
    twin = NormalizedWinnow(stream.n + bias, exp(eta), exp(-eta))
    compare(learner, twin, stream, theta=theta, tie=1, exact=False, averaged=averaged, bias=bias, weights=eta < 3)


@given(strategies.streams(), st.sampled_from([(e, 0.0), (2.0, 0.5), (3.0, 0.1)]), st.sampled_from([0.05, 0.2, 0.41]),
       st.booleans())  # fmt: skip
def test_normalized_winnow_in_the_beta_form(stream, betas, theta, negations):
    learner = ls.NormalizedWinnow(beta1=betas[0], beta0=betas[1], theta=theta, negations=negations)
    twin = NormalizedWinnow(stream.n * (2 if negations else 1), *betas)
    compare(learner, twin, stream, theta=theta, tie=0, exact=False, negations=negations)


@given(strategies.streams(strategies.NON_NEGATIVE, min_n=2), st.sampled_from([(2.0, 0.5), (e, 0.0), (1.3, 1 / 1.3)]),
       st.sampled_from([None, 0.3]), st.booleans())  # fmt: skip
def test_thresholded_beg_in_logits_is_thresholded_beg_in_weights(stream, betas, w1, averaged):
    learner = ls.ThresholdedBEG(beta1=betas[0], beta0=betas[1], w1=w1, averaged=averaged)
    a = betas[0]
    theta = 1 / e if betas[1] == 0.0 else a * log(a) / (a * a - 1)
    twin = ThresholdedBEG(stream.n, *betas, 1 / stream.n if w1 is None else w1)
    compare(learner, twin, stream, theta=theta, tie=0, exact=False, averaged=averaged)


@given(strategies.streams(min_n=2), st.sampled_from([(2.0, 0.5, 0.6), (2.5, 0.0, 0.55)]),
       st.sampled_from(["mistakes", "always"]), st.booleans(), st.booleans())  # fmt: skip
def test_bayes_beg(stream, parameters, policy, averaged, bias):
    beta1, beta0, gamma = parameters
    learner = ls.BayesBEG(beta1=beta1, beta0=beta0, gamma=gamma, policy=policy, averaged=averaged, bias=bias)
    n = stream.n + bias
    twin = BayesBEG(n, beta1, beta0, gamma, 1 / n)
    theta = n * log(gamma / (1 - gamma))
    compare(learner, twin, stream, theta=theta, tie=0, exact=False, always=policy == "always", averaged=averaged,
            bias=bias)  # fmt: skip


@given(strategies.streams(), forms, st.booleans(), st.booleans())
def test_elimination(stream, form, averaged, bias):
    compare(ls.Elimination(averaged=averaged, bias=bias), Elimination(stream.n + bias), stream, theta=1, tie=1,
            exact=True, form=form, averaged=averaged, bias=bias)  # fmt: skip


@given(strategies.streams(strategies.ANY), st.sampled_from([2, 3.0, 7.5, 40.0]), st.sampled_from([0.0, 0.3]),
       st.booleans(), st.booleans())  # fmt: skip
def test_p_norm(stream, p, theta, bias, averaged):
    learner = ls.PNorm(p=p, theta=theta, bias=bias, averaged=averaged)
    compare(learner, PNorm(stream.n + bias, p, 1.0), stream, theta=theta, tie=1, exact=False, bias=bias,
            averaged=averaged)  # fmt: skip


@given(strategies.streams(strategies.ANY), st.data())
def test_example_weights_multiply_the_update(stream, data):
    weight = data.draw(st.lists(st.sampled_from([0, 1, 0.5, 3]), min_size=len(stream.y), max_size=len(stream.y)))
    twin = Perceptron(stream.n + 1)
    rows = [loop.with_constant(row, stream.n) for row in stream.rows(exact=True)]
    game = loop.play(twin, rows, stream.y.tolist(), theta=0, importance=[Fraction(w) for w in weight])
    learner = ls.Perceptron().begin(labels=(0, 1))
    assert learner.learn(stream.X, stream.y, weight=weight).tolist() == game.predictions
    assert learner.updates == len(game.updates)


@given(strategies.streams(max_rows=15), st.sampled_from(["perceptron", "winnow", "balanced-winnow", "elimination"]))
def test_attributes_that_arrive_late_by_name(stream, name):
    """Named examples, each name first seen when it is first on, equal the same stream with all columns known."""
    kind = ls.learners.by_name(name)
    options = {"theta": 1.5} if name == "winnow" else {}
    known, growing = kind(**options), kind(**options)
    expected = known.begin(labels=(0, 1)).learn(stream.X, stream.y).tolist()
    growing.begin(labels=(0, 1))
    for row, y, said in zip(stream.X, stream.y.tolist(), expected, strict=True):
        example = {f"a{i}" for i in np.flatnonzero(row)}
        assert growing.predict_one(example) == said
        assert growing.learn_one(example, y) == said
    by_position = known.weights()
    assert growing.weights() == {f"a{i}": w for i, w in by_position.items() if stream.X[:, i].any()}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@given(stream=strategies.streams(strategies.ANY))
def test_float32_weights_play_the_same_game_on_small_whole_numbers(dtype, stream):
    learner = ls.Perceptron(dtype=dtype)
    compare(learner, Perceptron(stream.n + 1), stream, theta=0, tie=1, exact=True, bias=True)
