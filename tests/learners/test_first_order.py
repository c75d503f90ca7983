"""First-order learners beyond the family: each is its naive twin."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.engine.learning import steps
from littlestone.learners import (
    ALMA,
    OGD,
    ROMMA,
    ModifiedBalancedWinnow,
    PassiveAggressive,
    ShiftingWinnow,
    VotedPerceptron,
)
from tests import strategies
from tests.naive import (
    alma,
    modified_balanced_winnow,
    ogd,
    passive_aggressive,
    romma,
    shifting_winnow,
    voted_perceptron,
)
from tests.naive.loop import with_constant

NEAR = 1e-9  # a decision closer than this is rounding's


def compare(learner, twin, stream, *, exact, bias=True, weights=True, counted=True):
    """Play both; predictions must agree up to the first decision that rounding may have made."""
    learner.begin(stream.n, labels=(0, 1))
    said = np.concatenate([learner.learn(sparse.csr_matrix(X), y) for X, y in stream.blocks()])
    updates = 0
    for row, y, predicted in zip(stream.rows(exact), stream.y.tolist(), said.tolist(), strict=True):
        full = with_constant(row, stream.n) if bias else row
        before = list(twin.weights())
        score, updated = twin.trial(full, y)
        updates += updated
        size = float(sum(abs(before[i] * x) for i, x in full.items()))
        if weights and size and abs(score) <= NEAR * size:
            return
        assert predicted == (score >= 0)
    if counted:  # where a loss of 0 is a loss of 1e-16 to the learner, there are more updates, of no consequence
        assert learner.updates == updates
    w, constant, _ = learner.coordinates()
    expected = np.array([float(x) for x in twin.weights()])
    np.testing.assert_allclose([*w, constant] if bias else w, expected, rtol=1e-7, atol=1e-7 * abs(expected).max())


@given(strategies.streams(strategies.ANY), st.sampled_from(["PA", "PA-I", "PA-II"]), st.booleans(),
       st.sampled_from([Fraction(1), Fraction(1, 10), Fraction(3)]))  # fmt: skip
def test_passive_aggressive(stream, variant, bias, C):
    twin = passive_aggressive.PassiveAggressive(stream.n + bias, variant, C)
    learner = PassiveAggressive(variant=variant, C=float(C), bias=bias)
    compare(learner, twin, stream, exact=True, bias=bias, counted=False)


@given(strategies.streams(strategies.ANY, max_rows=15), st.booleans(), st.booleans())
def test_romma(stream, aggressive, bias):
    twin = romma.ROMMA(stream.n + bias, aggressive)
    compare(ROMMA(aggressive=aggressive, bias=bias), twin, stream, exact=True, bias=bias, counted=False)


@pytest.mark.parametrize("aggressive", [False, True])
@pytest.mark.parametrize("boolean", [False, True])
def test_romma_knows_how_long_it_is_where_nothing_separates_the_rows(aggressive, boolean):
    """Else it takes for opposite what is not, and learns no more."""
    rng = np.random.default_rng(0)
    learner = ROMMA(aggressive=aggressive, bias=False).begin(5, labels=(0, 1))
    for _ in range(10):
        X = rng.normal(size=(1000, 5))
        learner.learn(np.sign(X) if boolean else X, rng.integers(0, 2, 1000))
        scalars, w = learner.state()["scalars"], learner.state()["vectors"][0]
        assert scalars[steps.SQUARE] == pytest.approx(np.sum((w * scalars[steps.SCALE]) ** 2), rel=1e-5)
    assert learner.updates > 0.8 * learner.mistakes


@given(strategies.streams(strategies.ANY), st.sampled_from(["hinge", "logistic"]), st.sampled_from([1.0, 0.3]),
       st.sampled_from([None, 0.5, 2.0]), st.booleans())  # fmt: skip
def test_ogd(stream, loss, eta, radius, bias):
    twin = ogd.OGD(stream.n + bias, loss, eta, radius)
    learner = OGD(loss=loss, eta=eta, radius=radius, bias=bias)
    compare(learner, twin, stream, exact=False, bias=bias, counted=loss == "logistic")


@given(strategies.streams(strategies.ANY, max_rows=60), st.sampled_from([2, 2.5, 5.0, 28.0]),
       st.sampled_from([0.9, 0.5, 1.0]), st.sampled_from([None, 3.0]), st.booleans())  # fmt: skip
def test_alma(stream, p, alpha, B, bias):
    twin = alma.ALMA(stream.n + bias, p, alpha, 1 / alpha if B is None else B, 1.3)
    compare(ALMA(p=p, alpha=alpha, B=B, C=1.3, bias=bias), twin, stream, exact=False, bias=bias, counted=False)


@pytest.mark.parametrize("p", [2, 5, 100])
@pytest.mark.parametrize("C", [1e-100, 1e-3, 1e5, 1e100])
def test_alma_with_steps_of_every_size(p, C):
    """The powers of duals that begin far from 1 are floats all the same."""
    rng = np.random.default_rng(0)
    stream = strategies.Stream((rng.random((60, 3)) < 0.5).astype(float), rng.integers(0, 2, 60), [5])
    learner, twin = ALMA(p=p, C=C), alma.ALMA(4, p, 0.9, 1 / 0.9, C)
    compare(learner, twin, stream, exact=False)
    w, constant, _ = learner.coordinates()
    assert w.any() or constant


@given(strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 0.3, 1.0]))
def test_modified_balanced_winnow(stream, theta, margin):
    twin = modified_balanced_winnow.ModifiedBalancedWinnow(stream.n + 1, 1.5, 0.5, theta, margin)
    compare(ModifiedBalancedWinnow(theta=theta, margin=margin), twin, stream, exact=False, counted=False)


@given(strategies.streams(strategies.NON_NEGATIVE), st.sampled_from([(2.0, None), (3.0, 0.8)]),
       st.sampled_from([0.5, 2.5]), st.sampled_from([0.2, 1.0]))  # fmt: skip
def test_shifting_winnow(stream, factors, theta, floor):
    alpha, demotion = factors
    twin = shifting_winnow.ShiftingWinnow(
        stream.n, alpha, 1 / alpha if demotion is None else demotion, theta, 1.0, floor
    )
    learner = ShiftingWinnow(alpha=alpha, demotion=demotion, theta=theta, floor=floor)
    compare(learner, twin, stream, exact=False, bias=False)


@given(strategies.streams(strategies.ANY, max_rows=40), st.booleans())
def test_voted_perceptron(stream, bias):
    """Sums of quarters are exact: no decision is rounding's."""
    twin = voted_perceptron.VotedPerceptron(stream.n + bias)
    learner = VotedPerceptron(bias=bias)
    compare(learner, twin, stream, exact=True, bias=bias, weights=False)
    assert learner.hypothesis() is None
    assert learner.state()["survived"].tolist() == twin.survived


@given(strategies.streams(strategies.ANY, max_rows=30))
def test_the_hypotheses_after_each_trial_vote_once(stream):
    """So that what Freund and Schapire prove of equal votes holds of it."""
    learner, perceptron = (kind().begin(stream.n, labels=(0, 1)) for kind in (VotedPerceptron, ls.Perceptron))
    votes = np.zeros(len(stream.y))
    for x, y in zip(stream.X, stream.y, strict=True):
        learner.learn(x[np.newaxis], [y])
        perceptron.learn(x[np.newaxis], [y])
        votes += np.where(perceptron.predict(stream.X) == 1, 1, -1)
    assert learner.activation(stream.X) == pytest.approx(votes / len(stream.y))


TWINS = {
    "PA-I": (PassiveAggressive, lambda n: passive_aggressive.PassiveAggressive(n + 1, "PA-I", 1.0)),
    "ROMMA": (ROMMA, lambda n: romma.ROMMA(n + 1, aggressive=False)),
    "aggressive ROMMA": (lambda: ROMMA(aggressive=True), lambda n: romma.ROMMA(n + 1, aggressive=True)),
    "OGD": (lambda: OGD(radius=3.0), lambda n: ogd.OGD(n + 1, "hinge", 1.0, 3.0)),
    "ALMA": (lambda: ALMA(p=6), lambda n: alma.ALMA(n + 1, 6, 0.9, 1 / 0.9, 2**0.5)),
    "MBW": (ModifiedBalancedWinnow,
            lambda n: modified_balanced_winnow.ModifiedBalancedWinnow(n + 1, 1.5, 0.5, 1.0, 1.0)),
    "voted": (VotedPerceptron, lambda n: voted_perceptron.VotedPerceptron(n + 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("data", ["sms_spam", "rcv1_small"])
def test_real_rows(name, data, real_set):
    X, y = real_set(data)
    X = X[:150]
    X = X[:, np.flatnonzero(X.getnnz(axis=0))].toarray()
    make, twin = TWINS[name]
    stream = strategies.Stream(X, (y[:150] > 0).astype(int), [7, 100])
    compare(make(), twin(stream.n), stream, exact=False, weights=name != "voted", counted=False)


@pytest.mark.parametrize("name", [*TWINS, "floored"])
@given(stream=strategies.streams(strategies.NON_NEGATIVE, max_rows=15))
def test_attributes_that_arrive_late_by_name(name, stream):
    make = TWINS[name][0] if name in TWINS else lambda: ShiftingWinnow(theta=1.5, floor=0.1)
    known, growing = (make().begin(labels=(0, 1)) for _ in range(2))
    expected = known.learn(stream.X, stream.y).tolist()
    for row, y, said in zip(stream.X, stream.y.tolist(), expected, strict=True):
        example = {f"a{i}": float(row[i]) for i in np.flatnonzero(row)}
        assert growing.predict_one(example) == said
        assert growing.learn_one(example, y) == said
    late = growing.weights()
    for i, w in known.weights().items():
        assert late.get(f"a{i}", w) == pytest.approx(w, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("make", "match"), [
    (lambda: PassiveAggressive(variant="PA-III"), "one of PA, PA-I, PA-II, got 'PA-III'"),
    (lambda: PassiveAggressive(C=0), "C must be a number > 0, got 0"),
    (lambda: ALMA(p=1.5), r"p must be a number in \[2, 100\], got 1.5"),
    (lambda: ALMA(alpha=0.0), r"alpha must be a number in \(0, 1\]"),
    (lambda: OGD(loss="squared"), "one of hinge, logistic"),
    (lambda: OGD(radius=-1.0), "radius must be"),
    (lambda: ModifiedBalancedWinnow(beta=1.5), "beta must be"),
    (lambda: ShiftingWinnow(floor=2.0), "floor must be at most w1=1.0, got 2.0"),
    (lambda: ShiftingWinnow.for_shifts(n=3, k=4, added=1), "k must be a whole number"),
    (lambda: bounds.shifting_winnow(n=10, k=1, theta=1.0, floor=0.1), "expected n floor < theta"),
])  # fmt: skip
def test_parameters_that_are_refused(make, match):
    with pytest.raises(InvalidParameter, match=match):
        make()


def test_romma_takes_no_weights_but_0_and_1():
    learner = ROMMA().begin(2, labels=(0, 1))
    learner.learn([[1, 0], [0, 1]], [0, 0], weight=[1, 0])
    assert learner.updates == 1
    with pytest.raises(InvalidData, match="row 1: expected 0 or 1, .* got 0.5"):
        learner.learn([[1, 0], [0, 1]], [0, 0], weight=[1, 0.5])
    assert learner.trials == 2


def test_example_weights_multiply_the_step():
    for make in (OGD, ALMA, VotedPerceptron):
        once, half = make(bias=False).begin(2, labels=(0, 1)), make(bias=False).begin(2, labels=(0, 1))
        once.learn([[3, 4]], [0])
        half.learn([[3, 4]], [0], weight=[0.5])
        # ALMA's first step, sqrt(2) long, leaves the ball; half of it does not.
        share = np.sqrt(0.5) if make is ALMA else 0.5
        assert half.coordinates()[0] == pytest.approx(once.coordinates()[0] * share)


@pytest.mark.parametrize("variant", ["PA", "PA-I"])
@given(stream=strategies.streams(strategies.ANY, max_rows=30), data=st.data())
def test_a_weight_of_passive_aggressive_is_a_repetition(variant, stream, data):
    times = data.draw(st.lists(st.integers(0, 4), min_size=len(stream.y), max_size=len(stream.y)))
    weighted, repeated = (PassiveAggressive(variant=variant, C=0.05).begin(stream.n, labels=(0, 1)) for _ in range(2))
    weighted.learn(stream.X, stream.y, weight=times)
    repeated.learn(np.repeat(stream.X, times, axis=0), np.repeat(stream.y, times))
    w, constant, _ = repeated.coordinates()
    assert [*weighted.coordinates()[0], weighted.coordinates()[1]] == pytest.approx([*w, constant], rel=1e-6, abs=1e-9)


WEIGHED = [
    PassiveAggressive(variant="PA"), PassiveAggressive(variant="PA-II"), OGD(eta=1e100), OGD(eta=1e100, radius=1e100),
    OGD(loss="logistic", eta=1e100, radius=1e-100), ALMA(p=100, C=1e100), ModifiedBalancedWinnow(), ShiftingWinnow(),
]  # fmt: skip


@pytest.mark.parametrize("made", WEIGHED, ids=repr)
def test_no_weights_of_examples_lead_out_of_the_floats(made):
    rng = np.random.default_rng(0)
    learner = made.copy().begin(4, labels=(0, 1))
    X = (rng.random((600, 4)) < 0.5) * 10.0 ** rng.uniform(-100, 100, (600, 4))
    for weight in ([3.0, 5.0], [0.0, 1e-100, 0.5, 1e100]):
        learner.learn(X, rng.integers(0, 2, 600), weight=rng.choice(weight, 600))
        assert np.isfinite(learner.activation(X)).all()
        assert np.isfinite([*learner.hypothesis().w, learner.hypothesis().theta]).all()


@pytest.mark.parametrize("make", [PassiveAggressive, lambda: PassiveAggressive(variant="PA"), ROMMA, OGD, ALMA,
                                  lambda: ROMMA(aggressive=True), lambda: ALMA(p=28), lambda: OGD(radius=1e-9),
                                  ModifiedBalancedWinnow, ShiftingWinnow, VotedPerceptron])  # fmt: skip
def test_no_game_leaves_the_floats(make):
    """Labels that nothing explains, for long, and values of every size."""
    rng = np.random.default_rng(0)
    for low, high in ((0, 0), (-100, 100)):
        learner = make().begin(5, labels=(0, 1))
        X = (rng.random((4000, 5)) < 0.5) * 10.0 ** rng.uniform(low, high, (4000, 5))
        learner.learn(X, rng.integers(0, 2, 4000))
        assert np.isfinite(learner.activation(X)).all()
        assert np.isfinite(list(learner.weights().values())).all()
        assert np.isfinite(learner.state().get("scalars", np.zeros(1))).all()
        assert ((learner.activation(X) >= 0) == learner.predict(X)).all()
