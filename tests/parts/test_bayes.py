"""The models behind Bayes-BEG and Normalized Winnow, in rationals: Lemma 1, Theorems 1 and 2, and the learners."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.parts.bayes import ModelM, ProductModel, product_form, surjections
from tests.naive import vector_labels

HALF = Fraction(1, 2)
NOISE = [(Fraction(2), HALF), (Fraction(3), Fraction(1, 3)), (Fraction(5, 2), Fraction(0)), (Fraction(3, 2), HALF)]


def draw(rng, n):
    return tuple(rng.integers(0, 2, n).tolist())


def fraction(rng, most=6):
    return Fraction(int(rng.integers(1, most)), most)


def test_the_model_is_normalised_and_the_paper_s():
    rng = np.random.default_rng(0)
    for _ in range(200):
        beta1, beta0, gamma = 1 + fraction(rng) * int(rng.integers(1, 9)), fraction(rng) - Fraction(1, 6), fraction(rng)
        model, chance = ModelM(beta1, beta0, gamma), vector_labels.model_m(beta1, beta0, gamma)
        for x, d in product((0, 1), repeat=2):
            assert model.probability(0, x, d) + model.probability(1, x, d) == 1
            assert all(model.probability(y, x, d) == chance((y,), (x,), (d,)) for y in (0, 1))


def test_lemma_1_theorems_1_and_2_and_the_bayes_prediction():
    """400 trials: the posterior factorises, (6) moves it, (7) is (8), and Theorem 2 decides as they do."""
    rng = np.random.default_rng(1)
    ties = 0
    for game in range(80):
        n = 5 if game == 0 else 4 if game % 8 == 0 else int(rng.integers(1, 4))
        beta1, beta0 = NOISE[int(rng.integers(len(NOISE)))]
        gamma = fraction(rng)
        model, chance = ModelM(beta1, beta0, gamma), vector_labels.model_m(beta1, beta0, gamma)
        w = first = tuple(fraction(rng) for _ in range(n))
        trials = []
        for _ in range(5):
            x = draw(rng, n)
            found = model.posterior(first, trials)
            assert found == product_form(w) == vector_labels.posterior(product_form(first), chance, trials)
            loss = vector_labels.losses(found, chance, x, n)
            assert loss == [model.expected_loss(found, x, guess) for guess in (0, 1)]
            assert loss == [1 - model.label_probability(found, x, guess) for guess in (0, 1)]
            one, zero = model.sides(w, x)
            assert [zero, one] == [(1 - loss[y]) * (beta1 - beta0) ** sum(x) for y in (0, 1)]
            assert model.predict(w, x) == model.prediction(found, x) == int(loss[1] < loss[0])
            ties += loss[0] == loss[1]
            bit = int(rng.integers(2))
            labels = (bit,) * n if rng.random() < 0.7 else draw(rng, n)
            w = model.update(w, x, labels)
            trials.append((x, labels))
    assert ties > 0


def test_a_bit_is_a_vector_label():
    model, w = ModelM(2, HALF, 0.6), (HALF, Fraction(1, 3))
    assert model.update(w, (1, 1), 1) == model.update(w, np.array([1, 1]), np.array([1, 1]))
    assert model.posterior(w, [((1, 0), 0)]) == model.posterior(w, [((1, 0), (0, 0))])


def test_a_vector_label_of_the_product_model():
    """The vector (0, 0) was taken for true, and promoted."""
    half = Fraction(1, 2)
    model = ProductModel(3, half)
    for y in (0, 1):
        assert model.update((half, half), (1, 0), (y, y)) == model.update((half, half), (1, 0), y)
    assert model.update((half, half), (1, 0), (0, 0)) == (Fraction(1, 3), Fraction(2, 3))


def test_the_trace():
    model, w = ModelM(2, HALF, Fraction(3, 5)), (HALF, HALF)
    for x, y, after in (
        ((1, 0), 1, (Fraction(2, 3), HALF)), ((1, 1), 0, (HALF, Fraction(1, 3))), ((0, 1), 1, (HALF, HALF)),
    ):  # fmt: skip
        w = model.update(w, x, y)
        assert w == after


@pytest.mark.parametrize("policy", ["always", "mistakes"])
def test_bayes_beg_predicts_as_the_model_does(policy):
    rng = np.random.default_rng(2)
    decided = 0
    for _ in range(40):
        n = int(rng.integers(2, 6))
        beta1, beta0 = NOISE[int(rng.integers(len(NOISE)))]
        gamma, w1 = Fraction(int(rng.integers(11, 20)), 20), fraction(rng)
        model, w = ModelM(beta1, beta0, gamma), (w1,) * n
        learner = ls.BayesBEG(beta1=float(beta1), beta0=float(beta0), gamma=float(gamma), w1=float(w1), policy=policy)
        learner.begin(n, labels=(0, 1))
        for _ in range(20):
            x, y = draw(rng, n), int(rng.integers(2))
            one, zero = model.sides(w, x)
            said = learner.learn_one(np.array(x), y)
            if one == zero:
                break  # only rounding knows what the learner made of it
            assert said == model.predict(w, x)
            decided += 1
            if policy == "always" or said != y:
                w = model.update(w, x, y)
    assert decided > 360


def test_normalized_winnow_is_bayes_rule_in_the_product_model():
    """The posterior is an n-fold product of its weights, and w.x > theta the L^n-Bayes prediction."""
    rng = np.random.default_rng(3)
    ties = checks = 0
    for game in range(100):
        n = 4 if game % 50 == 0 else int(rng.integers(1, 4))
        beta1, beta0 = NOISE[int(rng.integers(len(NOISE)))]
        model, chance = ProductModel(beta1, beta0), vector_labels.product_model(beta1, beta0)
        shares = rng.integers(1, 4, n).tolist()
        w = first = tuple(Fraction(s, sum(shares)) for s in shares)
        prior = {v: prod(first[i] for i in v) for v in product(range(n), repeat=n)}
        trials = []
        for _ in range(5):
            x, y = draw(rng, n), int(rng.integers(2))
            found = model.posterior(first, trials)
            assert found == {v: prod(w[i] for i in v) for v in prior}
            assert found == vector_labels.posterior(prior, chance, trials)
            loss = vector_labels.losses(found, chance, x, n)
            score = sum(p for p, on in zip(w, x, strict=True) if on)
            assert model.predict(w, x) == model.prediction(found, x) == int(loss[1] < loss[0])
            assert (loss[1] == loss[0]) == (score == model.theta)
            ties += loss[0] == loss[1]
            checks += 1
            if beta0 == 0 and y == 0 and all(on or not p for p, on in zip(w, x, strict=True)):
                break  # such a trial cannot happen in the model
            w = model.update(w, x, y)
            trials.append((x, (y,) * n))
    assert ties > 5 and checks >= 392


def test_the_learner_normalized_winnow_predicts_as_its_model_does():
    rng = np.random.default_rng(4)
    decided = 0
    for _ in range(40):
        n = int(rng.integers(2, 7))
        beta1, beta0 = Fraction(7, 3), Fraction(1, 5)
        model, w = ProductModel(beta1, beta0), (Fraction(1, n),) * n
        learner = ls.NormalizedWinnow(beta1=float(beta1), beta0=float(beta0), theta=float(model.theta))
        learner.begin(n, labels=(0, 1))
        for _ in range(15):
            x, y = draw(rng, n), int(rng.integers(2))
            if sum(p for p, on in zip(w, x, strict=True) if on) == model.theta:
                continue
            said = learner.learn_one(np.array(x), y)
            assert said == model.predict(w, x)
            decided += 1
            if said != y:
                w = model.update(w, x, y)
    assert decided > 392


@pytest.mark.parametrize("beta1", [Fraction(3, 2), Fraction(2), Fraction(7)])
def test_theta_is_one_half_where_the_betas_are_inverse(beta1):
    assert ProductModel(beta1, 1 / beta1).theta == HALF


@pytest.mark.parametrize("n", range(1, 6))
def test_vectors_that_stand_for_a_disjunction_are_surjections(n):
    found = Counter(frozenset(v) for v in product(range(n), repeat=n))
    assert all(times == surjections(n, len(d)) for d, times in found.items())
    assert len(found) == 2**n - 1


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: ModelM(1, 0, 0.5), InvalidParameter, "beta1 must be a number > 1, got 1"),
    (lambda: ModelM(2, 1, 0.5), InvalidParameter, "beta0 must be"),
    (lambda: ModelM(2, 0.5, 1), InvalidParameter, "gamma must be"),
    (lambda: ModelM(float("inf"), 0.5, 0.5), InvalidParameter, "beta1"),
    (lambda: ModelM(np.float32("inf"), 0.5, 0.5), InvalidParameter, "beta1"),
    (lambda: ProductModel("x", 0.5), InvalidParameter, "beta1"),
    (lambda: ProductModel(True, 0.5), InvalidParameter, "beta1"),
    (lambda: ModelM(2, 0.5, 0.6).update((0.5, 1.5), (1, 0), 1), InvalidParameter, r"w\[1\] must be in \[0, 1\]"),
    (lambda: ModelM(2, 0.5, 0.6).update((), (), 1), InvalidParameter, "got none"),
    (lambda: ModelM(2, 0.5, 0.6).update((0.5,), (1, 0), 1), InvalidData, "x: expected 1 bits"),
    (lambda: ModelM(2, 0.5, 0.6).update((0.5,), (2,), 1), InvalidData, "x: expected 1 bits"),
    (lambda: ModelM(2, 0.5, 0.6).update((0.5,), (1,), (1, 0)), InvalidData, "y: expected 1 bits"),
    (lambda: ModelM(2, 0, 0.6).update((1,), (1,), 0), InvalidData, "probability 0"),
    (lambda: ModelM(2, 0, 0.6).posterior((1,), [((1,), 0)]), InvalidData, "probability 0"),
    (lambda: ProductModel(2, 0).update((1,), (1,), 0), InvalidData, "probability 0"),
    (lambda: ProductModel(2, 0.5).update((0.5, 0.5), (1, 0), (0, 1)), InvalidData, r"labels that agree, got \(0, 1\)"),
    (lambda: ProductModel(2, 0.5).posterior((0.5, 0.25), []), InvalidParameter, "sum to 1, got 3/4"),
    (lambda: ModelM(2, 0.5, 0.6).posterior([0.1] * 17, []), TooLarge, "n=17.*the product form: update"),
    (lambda: ProductModel(2, 0.5).posterior([Fraction(1, 7)] * 7, []), TooLarge, "the product form: update"),
    (lambda: product_form([0.1] * 30), TooLarge, "the weights themselves"),
    (lambda: ModelM(2, 0.5, 0.6).expected_loss(product_form([0.1] * 9), [1] * 9, 1), TooLarge, "by \\(8\\)"),
])  # fmt: skip
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
