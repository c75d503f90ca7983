"""Finite numbers of any size: no learner hangs, none comes to NaN, and blocks and rows agree to the last bit."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.learners import ALMA, LEARNERS, ROMMA, KernelPerceptron
from littlestone.learners.regressors import REGRESSORS
from littlestone.parts import links
from tests import extremes
from tests.naive import romma

LARGE, SMALL = 1e100, 1e-100
FAMILY = [{}, {"averaged": True}, {"margin": 0.5}, {"averaged": True, "margin": LARGE}]
OPTIONS = {  # what besides the defaults; each of the family's also with other options, and in 32 bits
    "perceptron": [{}, {"eta": LARGE, "bias": False}, {"eta": SMALL, "theta": -LARGE, "w1": LARGE}],
    "winnow": [{"theta": 1.0}, {"alpha": LARGE, "theta": SMALL, "w1": LARGE}, {"demotion": 0.0, "theta": 2.0}],
    "balanced-winnow": [{}, {"alpha": LARGE, "w1": LARGE}],
    "normalized-winnow": [{}, {"eta": LARGE, "theta": 0.3}, {"beta1": 2.0, "beta0": 0.0, "theta": 0.3}],
    "thresholded-beg": [{"w1": 0.5}, {"beta1": LARGE, "beta0": 0.0, "theta": 1.0, "w1": SMALL}],
    "p-norm": [{"p": 100.0}, {"p": 3.0, "eta": LARGE, "theta": 1.0}, {"p": 1e50, "eta": SMALL}],
    "quasi-additive": [
        {"link": links.p_norm(3.0), "start": 1.0, "theta": 1.0}, {"link": links.exponential(), "theta": 0.2},
        {"link": links.two_sinh(1.5), "eta": LARGE}, {"link": links.bayes(2.0, 0.5, 0.75)},
    ],
    "elimination": [{}, {"bias": True}],
    "kernel-perceptron": [{"kernel": "monotone"}, {"kernel": "linear"}, {"kernel": "gaussian:0.5", "budget": 2}],
    "winner-takes-all": [
        {"learner": ls.Perceptron(eta=LARGE), "policy": policy, "class_weights": {0: LARGE}, "averaged": averaged}
        for policy in ("each", "proportional") for averaged in (True, False)
    ],
    "alma": [{"p": p, "bias": bias} for p in (2, 3, 100) for bias in (True, False)],
    "romma": [{"aggressive": aggressive, "bias": bias} for aggressive in (True, False) for bias in (True, False)],
    "ogd": [{"bias": False}, {"loss": "logistic", "eta": LARGE}, {"radius": SMALL}, {"radius": LARGE, "eta": LARGE}],
    "passive-aggressive": [{"variant": "PA"}, {"variant": "PA-I", "C": LARGE}, {"variant": "PA-II", "C": SMALL}],
    "adagrad": [{"eta": LARGE}, {"loss": "logistic", "eta": SMALL}],
    "arow": [{"r": SMALL}, {"covariance": "full"}],
    "scw": [{"C": LARGE}, {"variant": "II", "C": SMALL}],
    "ellipsoid": [{}, {"bias": False, "deep": True, "theta": LARGE}],
    "modified-balanced-winnow": [{}, {"alpha": LARGE, "bias": False}],
    "shifting-winnow": [{"theta": 1.0, "floor": 0.1}, {"alpha": LARGE, "theta": 1.0, "floor": SMALL, "w1": LARGE}],
    "growing-winnow": [{"alpha": LARGE, "theta": SMALL, "budget": 3}],
    "bounded": [{"learner": ls.QuasiAdditive(eta=LARGE), "max_attributes": 6}],
}  # fmt: skip
SHORT = {"weighted-majority", "direct-bayes", "kernel-winnow", "box-winnow", "ellipsoid", "volumetric-center", "sbsb"}


def variants(name):
    """Yield parameters for a learner."""
    own = OPTIONS.get(name, [{}])
    if "dtype" not in LEARNERS[name].parameter_names():
        yield from own
        return
    for params in own:
        yield from ({**params, **family} for family in FAMILY)
        if all(not isinstance(value, float) or not value or 1e-30 <= value <= 1e30 for value in params.values()):
            yield from ({**params, "dtype": "float32", "averaged": averaged} for averaged in (False, True))


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.slow)])
def test_no_learner_comes_to_nan_and_rows_agree_with_blocks(name, count):
    learned = 0
    for params in variants(name):
        eliminates = name == "elimination" or 0.0 in (params.get("demotion"), params.get("beta0"))
        for game in range(count):
            try:
                learned += extremes.play(
                    lambda: LEARNERS[name](**params),  # noqa: B023 - it is called here
                    f"{name}{game}", eliminates=eliminates, long=name not in SHORT,
                )  # fmt: skip
            except BaseException as error:
                error.add_note(f"{LEARNERS[name].__name__}({params}), game {game}")
                raise
    assert learned


LOSSES = ("square", "absolute", "insensitive:0.5", "huber:2", "quantile:0.9", "logistic", "linear-hinge:0.5")
ENDS = {
    "eta": (LARGE, SMALL), "c": (LARGE, SMALL), "X": (LARGE, SMALL), "U": (LARGE, SMALL), "p": (100.0, 1e50, 2.0),
    "w1": (SMALL, 0.5), "a": (LARGE, SMALL), "covariance": ("diagonal",), "variant": ("PA", "PA-II"),
    "C": (LARGE, SMALL), "epsilon": (0.0, LARGE), "delta": (LARGE, SMALL), "bias": (False,),
    "link": (links.exponential(), links.power(1.5), links.two_sinh(3.0), links.sigmoid()),
}  # fmt: skip


def regressors():
    """Yield regressors, with parameters at the ends of the floats."""
    for name, kind in REGRESSORS.items():
        names = {*kind.parameter_names()}
        for loss in LOSSES if "loss_function" in names else LOSSES[:1]:
            more = {"loss_function": loss} if "loss_function" in names else {}
            yield name, more
            yield from ((name, {option: end, **more}) for option in ENDS if option in names for end in ENDS[option])


@pytest.mark.filterwarnings("ignore::littlestone.core.errors.DivergenceWarning")
@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", REGRESSORS)
def test_no_regressor_comes_to_nan_and_rows_agree_with_blocks(name, count):
    for params in (params for one, params in regressors() if one == name):
        for game in range(count):
            try:
                assert extremes.play(lambda: REGRESSORS[name](**params), f"{name}{params}{game}", long=count > 2)  # noqa: B023
            except BaseException as error:
                error.add_note(f"{REGRESSORS[name].__name__}({params}), game {game}")
                raise


def test_romma_where_a_short_row_makes_a_long_hypothesis():
    """It went round for ever: |w|^2 had left the floats."""
    X, y = [[1e100, 1e-50, 0], [0, 0, -1e100], [0, 0, 0], [0, 0, 1e-100]], [0, 0, 1, 0]
    learner, twin = ROMMA(bias=False).begin(3, labels=(0, 1)), romma.ROMMA(3, aggressive=False)
    learner.learn(X, y)
    for row, label in zip(X, y, strict=True):
        twin.trial({i: Fraction(value) for i, value in enumerate(row) if value}, label)
    assert learner.hypothesis().w == pytest.approx([float(w) for w in twin.weights()], rel=1e-12)


@pytest.mark.parametrize("aggressive", [False, True])
def test_romma_is_what_exact_numbers_say_where_rows_are_of_very_different_sizes(aggressive):
    rng, longer = np.random.default_rng(0), 0
    for _ in range(60):
        sizes = 2.0 ** rng.integers(-330, 331, 3)
        X, y = sizes[:, np.newaxis] * [[1, 0], [-1, 1], [1, 2]] * rng.choice([-1, 1]), rng.integers(0, 2, 3)
        learner, twin = ROMMA(aggressive=aggressive, bias=False).begin(2, labels=(0, 1)), romma.ROMMA(2, aggressive)
        learner.learn(X, y)
        for row, label in zip(X, y, strict=True):
            _, updated = twin.trial({int(i): Fraction(row[i]) for i in np.flatnonzero(row)}, label)
            longer += updated and sizes.max() > 2.0**301 * sizes[-1]
        expected = [float(w) for w in twin.weights()]
        assert learner.hypothesis().w == pytest.approx(expected, rel=1e-9, abs=1e-9 * max(map(abs, expected)))
    assert longer > 10  # where the step is made by the long way


@pytest.mark.parametrize(("p", "weight"), [(2, 1.0), (100, 1e-308)])
def test_alma_where_steps_cancel_and_next_to_nothing_is_left(p, weight):
    rows = [[0], [5e-324], [1e-308], [1e100]]
    for X, y in itertools.product(itertools.permutations(rows), itertools.product((0, 1), repeat=4)):
        learner = ALMA(p=p)
        learner.learn(X, y, weight=[weight, weight, 1.0, 1.0])
        assert np.isfinite(learner.activation(rows)).all(), (X, y)


def test_p_norms_of_duals_that_are_next_to_nothing():
    learner = ls.PNorm(p=100, bias=False).begin(2, labels=(0, 1))
    learner.learn([[5e-324, 0]], [0])
    assert learner.predict([[1, 1], [0, 1]]).tolist() == [0, 1]
    assert np.isfinite(learner.activation([[1, 1], [0, 1]])).all()


def test_weights_in_32_bits_are_held():
    learner = ls.Perceptron(dtype="float32", averaged=True).begin(1, labels=(0, 1))
    learner.learn([[1], [1], [1], [1]], [0, 1, 1, 0], weight=[1e100] * 4)
    assert np.isfinite(learner.state()["weights"]).all()
    assert np.isfinite(learner.activation([[1]])).all()
    with pytest.raises(InvalidParameter, match="from 1e-30 to 1e30 with float32"):
        ls.Perceptron(dtype="float32", w1=[1.0, 1e40])
    with pytest.raises(InvalidParameter, match="from 1e-30 to 1e30 with float32"):
        ls.Perceptron(dtype="float32", eta=10**40)


def test_a_link_that_has_no_number_for_a_large_dual():
    sigmoid = ls.link(lambda z: math.exp(z) / (1.0 + math.exp(z)))
    learner = ls.QuasiAdditive(link=sigmoid, theta=1e6).begin(2, labels=(0, 1))
    learner.learn([[1e4, 0]], [1])
    assert learner.state()["weights"][:, 0].tolist() == [1.0, 625.0]  # not inf / inf at 10,000
    learner.learn([[1e100, 1e100]], [0])
    assert learner.hypothesis().w.tolist() == [0.0, 0.0]
    with pytest.raises(InvalidParameter, match="start: .* has no number at 1000"):
        ls.QuasiAdditive(link=sigmoid, start=1000.0)


@pytest.mark.parametrize("link", [links.p_norm(3.0), links.exponential()], ids=["p_norm", "exponential"])
def test_weights_that_are_divided_by_a_sum_of_all_count_those_to_come(link):
    def learner():
        return ls.QuasiAdditive(link=link, start=1.0, theta=1.0)

    X, y = np.eye(3), [0, 1, 0]
    whole, rowwise = learner(), learner()
    said = whole.learn(X, y).tolist()
    assert said == [int(rowwise.learn(X[i : i + 1], y[i : i + 1])[0]) for i in range(3)]
    assert whole.activation(X).tolist() == rowwise.activation(X).tolist()
    assert whole.weights() == rowwise.weights()
    assert learner().activation(X).tolist() == [learner().activation(X[i : i + 1])[0] for i in range(3)]


def test_what_is_weighed_by_a_sum_of_all_needs_their_number():
    with pytest.raises(ls.errors.UnknownSize):
        ls.QuasiAdditive(link=links.exponential(), theta=0.5).learn_one({"a": 1}, 1)
    ls.QuasiAdditive(link=links.exponential()).learn_one({"a": 1}, 1)  # with theta 0 the scale decides nothing
    ls.QuasiAdditive(link=links.p_norm(3.0), theta=0.5).learn_one({"a": 1}, 1)  # nor does what weighs 0


def test_kernel_sums_beyond_the_floats_are_refused_and_forgotten():
    learner = KernelPerceptron("polynomial:3").begin(labels=(0, 1))
    learner.learn([[1.0]], [0])
    before = learner.state()
    with pytest.raises(ls.errors.InvalidData, match="in the range of floats"):
        learner.learn([[0, 1e100], [0, 1e100]], [1, 1])
    extremes.check_same(before, learner.state(), "a refusal")
