"""Second-order learners are their papers' boxes, row by row, and keep what was proved of them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.games.checks import _same
from littlestone.learners.adagrad import Adagrad
from littlestone.learners.arow import AROW
from littlestone.learners.confidence_weighted import ConfidenceWeighted
from littlestone.learners.narow import NAROW
from littlestone.learners.nherd import NHERD
from littlestone.learners.scw import SCW
from littlestone.learners.second_order_perceptron import SecondOrderPerceptron
from littlestone.machines import moments
from tests import naive, strategies
from tests.naive import adagrad, arow, confidence_weighted, narow, nherd, scw, second_order_perceptron  # noqa: F401

NEAR = 1e-7  # a decision closer than this is rounding's
ALL = {
    "second-order Perceptron": (SecondOrderPerceptron, naive.second_order_perceptron.SecondOrderPerceptron, {"a": 0.7}),
    "CW": (ConfidenceWeighted, naive.confidence_weighted.ConfidenceWeighted, {"eta": 0.8, "variant": "stdev"}),
    "CW, variance": (
        ConfidenceWeighted, naive.confidence_weighted.ConfidenceWeighted, {"eta": 0.8, "variant": "variance"}
    ),
    "AROW": (AROW, naive.arow.AROW, {"r": 0.6}),
    "NAROW": (NAROW, naive.narow.NAROW, {"b": 1.3}),
    "NHERD": (NHERD, naive.nherd.NHERD, {"C": 0.4}),
    "SCW-I": (SCW, naive.scw.SCW, {"C": 0.3, "eta": 0.9, "variant": "I"}),
    "SCW-II": (SCW, naive.scw.SCW, {"C": 0.3, "eta": 0.9, "variant": "II"}),
}  # fmt: skip


def compare(learner, twin, X, y, blocks, form=np.asarray):
    """Play both: the same predictions and updates up to a decision that may be rounding's, and the same weights."""
    learner.begin(X.shape[1], labels=(0, 1))
    said = np.concatenate([learner.learn(form(X[a:b]), y[a:b]) for a, b in blocks]).tolist()
    updates = 0
    for t, x in enumerate(np.hstack([X, np.ones((len(X), 1))]) if learner.bias else X):
        score = twin.score(x)
        if abs(score) < NEAR and updates:
            return
        assert said[t] == int(score >= 0.0)
        slack = twin.learn(x, 1 if y[t] else -1)
        if abs(slack) < NEAR:
            return
        updates += slack > 0.0 and x.any()
    assert learner.updates == updates
    if learner.params().get("loss") != "logistic":
        assert updates == learner.promotions + learner.demotions
    w, constant, _ = learner.coordinates()
    np.testing.assert_allclose([*w, constant] if learner.bias else w, twin.weights(), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=60)
@given(stream=strategies.streams(strategies.ANY, max_n=5), boolean=st.booleans(), bias=st.booleans(),
       covariance=st.sampled_from(["diagonal", "full"]), csr=st.booleans())  # fmt: skip
def test_every_learner_is_its_box(name, stream, boolean, bias, covariance, csr):
    kind, twin, parameters = ALL[name]
    X = np.sign(np.abs(stream.X)) if boolean else stream.X
    box = twin(stream.n + bias, diagonal=covariance == "diagonal", **parameters)
    edges = [0, *stream.cuts, len(X)]
    learner = kind(bias=bias, covariance=covariance, **parameters)
    compare(learner, box, X, stream.y, pairwise(edges), sparse.csr_matrix if csr else np.asarray)


@settings(max_examples=60)
@given(stream=strategies.streams(strategies.ANY), bias=st.booleans(), delta=st.sampled_from([0.0, 0.5]),
       loss=st.sampled_from(["hinge", "logistic"]))  # fmt: skip
def test_adagrad_is_its_box(stream, bias, delta, loss):
    parameters = {"eta": 0.4, "delta": delta, "loss": loss}
    compare(Adagrad(bias=bias, **parameters), naive.adagrad.Adagrad(stream.n + bias, **parameters), stream.X, stream.y,
            [(0, len(stream.y))])  # fmt: skip


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize("name", ALL)
def test_long_games_of_real_rows(name, covariance):
    kind, twin, parameters = ALL[name]
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 8)) * (rng.random((400, 8)) < 0.5) * np.geomspace(0.1, 10.0, 8)
    y = (X @ rng.normal(size=8) > 0.2) ^ (rng.random(400) < 0.02)
    learner = kind(covariance=covariance, **parameters)
    compare(learner, twin(9, diagonal=covariance == "diagonal", **parameters), X, y, [(0, 3), (3, 400)])
    assert 0 < learner.mistakes < 200
    assert learner.mistakes <= learner.updates


@given(strategies.streams(strategies.ANY, max_n=4), st.data(), st.sampled_from(["diagonal", "full"]))
def test_weights_of_rows_multiply_what_the_second_order_perceptron_adds(stream, data, covariance):
    weights = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=len(stream.y),
                                          max_size=len(stream.y))))  # fmt: skip
    learner = SecondOrderPerceptron(a=0.7, covariance=covariance).begin(stream.n, labels=(0, 1))
    twin = naive.second_order_perceptron.SecondOrderPerceptron(stream.n + 1, a=0.7, diagonal=covariance == "diagonal")
    for x, y, weight in zip(np.hstack([stream.X, np.ones((len(stream.y), 1))]), stream.y, weights, strict=True):
        score = twin.score(x)
        if abs(score) < NEAR and learner.updates:
            return
        assert learner.learn(x[np.newaxis, :-1], [y], weight=[weight])[0] == (score >= 0.0)
        if (score >= 0.0) != (y == 1):
            twin.v, twin.A = twin.v + (2 * y - 1) * weight * x, twin.A + weight * twin.outer(x)
    w, constant, _ = learner.coordinates()
    np.testing.assert_allclose([*w, constant], twin.weights(), rtol=1e-6, atol=1e-8)


WEIGHED = {  # what a row of weight w has instead of the parameter
    "CW": (ConfidenceWeighted, naive.confidence_weighted.ConfidenceWeighted, {"eta": 0.8, "variant": "stdev"}, {}),
    "AROW": (AROW, naive.arow.AROW, {"r": 0.6}, {"r": lambda r, w: r / w}),
    "NHERD": (NHERD, naive.nherd.NHERD, {"C": 0.4}, {"C": lambda C, w: C * w}),
    "SCW-I": (SCW, naive.scw.SCW, {"C": 0.3, "eta": 0.9, "variant": "I"}, {"C": lambda C, w: C * w}),
    "SCW-II": (SCW, naive.scw.SCW, {"C": 0.3, "eta": 0.9, "variant": "II"}, {"C": lambda C, w: C * w}),
}  # fmt: skip


@pytest.mark.parametrize("name", WEIGHED)
@given(stream=strategies.streams(strategies.ANY, max_n=4), data=st.data(), full=st.booleans())
def test_the_weight_of_a_row_is_what_its_loss_costs(name, stream, data, full):
    kind, box, parameters, changed = WEIGHED[name]
    sizes = st.sampled_from([0.0, 0.5, 1.0, 100.0])
    weights = data.draw(st.lists(sizes, min_size=len(stream.y), max_size=len(stream.y)))
    learner = kind(covariance="full" if full else "diagonal", **parameters).begin(stream.n, labels=(0, 1))
    twin = box(stream.n + 1, diagonal=not full, **parameters)
    for x, y, weight in zip(np.hstack([stream.X, np.ones((len(stream.y), 1))]), stream.y, weights, strict=True):
        score = twin.score(x)
        if abs(score) < NEAR and learner.updates:
            return
        assert learner.learn(x[np.newaxis, :-1], [y], weight=[weight])[0] == (score >= 0.0)
        if weight:
            for parameter, change in changed.items():
                setattr(twin, parameter, change(parameters[parameter], weight))
            if abs(twin.learn(x, 2 * y - 1)) < NEAR:
                return
    w, constant, _ = learner.coordinates()
    np.testing.assert_allclose([*w, constant], twin.weights(), rtol=1e-6, atol=1e-8)


SOLVED = {
    "CW": (ConfidenceWeighted(eta=0.8), lambda m, v, after, left: after - np.sqrt(left)),
    "CW, variance": (ConfidenceWeighted(eta=0.8, variant="variance"), lambda m, v, after, left: after - left),
    # alpha = (after - m)/v is what a loss costs: 2C times the loss
    "SCW-II": (
        SCW(C=0.3, eta=0.8, variant="II"), lambda m, v, after, left: after + (after - m) / v / 0.6 - np.sqrt(left)
    ),
}  # fmt: skip
PHI = 0.8416212335729143  # the 0.8-quantile


@pytest.mark.parametrize("name", SOLVED)
def test_an_update_solves_the_problem_that_it_was_derived_from(name):
    """With m in units of phi: the constraint holds with equality after an update."""
    made, constraint = SOLVED[name]
    learner = type(made)(**(made.params() | {"covariance": "full", "bias": False})).begin(4, labels=(-1, 1))
    rng = np.random.default_rng(3)
    for _ in range(200):
        x = rng.normal(size=4)
        y = 1 if rng.random() < 0.5 else -1

        def seen(x=x, y=y):
            root = learner.state().get("factor", np.eye(4))
            root = root if len(root) else np.eye(4)
            return y * float(learner.activation([x])[0]) / PHI, float(np.sum((root.T @ x) ** 2))

        (m, v), before = seen(), learner.updates
        learner.learn([x], [y])
        if learner.updates > before:
            assert constraint(m, v, *seen()) == pytest.approx(0.0, abs=1e-9)
    assert learner.updates > 20


def replayed(learner, X, y):
    """Learn row by row; return the mistakes, the updates, and the weights before each trial (the constant's last)."""
    learner.begin(X.shape[1], labels=(0, 1))
    wrong, updated, weights = [], [], []
    for row, label in zip(X, y, strict=True):
        before, (w, constant, _) = learner.updates, learner.coordinates()
        weights.append([*w, constant])
        wrong.append(learner.learn(row[np.newaxis], [label])[0] != label)
        updated.append(learner.updates > before)
    return np.array(wrong), np.array(updated), np.array(weights)


comparators = st.lists(st.sampled_from([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]), min_size=8, max_size=8)
games = strategies.streams(strategies.ANY, max_rows=60)


@given(games, comparators, st.sampled_from([0.1, 1.0, 4.0]), st.sampled_from([0.2, 1.0]), st.booleans())
def test_second_order_perceptron_keeps_theorem_3_1_for_every_comparator(stream, u, a, gamma, full):
    learner = SecondOrderPerceptron(a=a, covariance="full" if full else "diagonal")
    wrong, _, _ = replayed(learner, stream.X, stream.y)
    Z, u = np.hstack([stream.X, np.ones((len(stream.X), 1))])[wrong], np.array(u[: stream.n + 1])
    margins = np.where(stream.y[wrong] == 1, 1.0, -1.0) * (Z @ u)
    loss = np.maximum(gamma - margins, 0.0).sum()
    eigenvalues = np.linalg.eigvalsh(Z.T @ Z).clip(0.0) if full else (Z**2).sum(axis=0)
    energy = np.sum(margins**2) if full else np.sum((Z * u) ** 2)
    bound = bounds.second_order_perceptron(
        a=a, norm=np.linalg.norm(u), energy=energy, spread=np.log1p(eigenvalues / a).sum(), loss=loss, gamma=gamma
    )
    assert learner.mistakes == wrong.sum() <= bound.value + 1e-9


@given(strategies.streams(max_n=9, max_rows=80, disjunction=True), st.sampled_from(["diagonal", "full"]))
def test_the_guarantee_of_the_second_order_perceptron_on_disjunctions(stream, covariance):
    learner = SecondOrderPerceptron(covariance=covariance).begin(stream.n, labels=(0, 1))
    learner.learn(stream.X, stream.y)
    X = int(stream.X.sum(axis=1).max())
    assert learner.mistakes <= learner.guarantee.at(k=stream.k, X=X).value <= learner.guarantee.at(k=stream.k).value
    assert SecondOrderPerceptron(bias=False).begin(3).guarantee is None


@given(games, comparators, st.sampled_from([0.1, 1.0, 4.0]))
def test_arow_keeps_theorem_2_for_every_comparator(stream, u, r):
    learner = AROW(r=r, covariance="full")
    wrong, updated, _ = replayed(learner, stream.X, stream.y)
    Z, u = np.hstack([stream.X, np.ones((len(stream.X), 1))])[updated], np.array(u[: stream.n + 1])
    margins = np.where(stream.y[updated] == 1, 1.0, -1.0) * (Z @ u)
    bound = bounds.arow(
        r=r, norm=np.linalg.norm(u), energy=np.sum(margins**2),
        spread=np.log1p(np.linalg.eigvalsh(Z.T @ Z).clip(0.0) / r).sum(),
        updates=int(np.sum(updated & ~wrong)), loss=np.maximum(1.0 - margins, 0.0).sum(),
    )  # fmt: skip
    assert learner.mistakes <= bound.value + 1e-9
    assert learner.guarantee is None


@given(games, comparators, st.sampled_from([0.2, 1.0, 5.0]))
def test_narow_keeps_its_bound_for_every_comparator(stream, u, b):
    learner = NAROW(b=b, covariance="full")
    wrong, updated, _ = replayed(learner, stream.X, stream.y)
    Z, u = np.hstack([stream.X, np.ones((len(stream.X), 1))])[updated], np.array(u[: stream.n + 1])
    A, energy = np.eye(len(u)), 0.0
    for z in Z:
        c = max(b - 1.0 / (z @ np.linalg.solve(A, z)), 0.0)
        A, energy = A + c * np.outer(z, z), energy + c * (u @ z) ** 2
    margins = np.where(stream.y[updated] == 1, 1.0, -1.0) * (Z @ u)
    loss = np.maximum(1.0 - margins, 0.0).sum()
    numbers = {"b": b, "norm": np.linalg.norm(u), "energy": energy, "updates": int(np.sum(updated & ~wrong))}
    assert learner.mistakes <= bounds.narow(loss=loss, **numbers).value + 1e-9


@given(games, comparators, st.sampled_from([0.1, 1.0]), st.sampled_from([0.0, 0.5]),
       st.sampled_from(["hinge", "logistic"]))  # fmt: skip
def test_adagrad_keeps_theorem_5_for_every_comparator(stream, u, eta, delta, loss):
    learner = Adagrad(eta=eta, delta=delta, loss=loss)
    _, updated, weights = replayed(learner, stream.X, stream.y)
    Z, u = np.hstack([stream.X, np.ones((len(stream.X), 1))])[updated], np.array(u[: stream.n + 1])
    signs = np.where(stream.y[updated] == 1, 1.0, -1.0)
    margins, theorem, losses = signs * (Z @ u), bounds.adagrad, np.maximum(1.0 - signs * (Z @ u), 0.0)
    if loss == "logistic":
        own = signs * (Z * weights[updated]).sum(axis=1)
        Z, theorem, losses = Z / (1.0 + np.exp(own))[:, np.newaxis], bounds.adagrad_logistic, np.log1p(np.exp(-margins))
    bound = theorem(
        eta=eta, delta=delta, norm=np.linalg.norm(u), lengths=np.sqrt((Z**2).sum(axis=0)).sum(),
        distance=np.abs(u - weights[updated]).max(initial=0.0), loss=losses.sum(),
    )  # fmt: skip
    assert learner.mistakes <= bound.value + 1e-9


SETTINGS = [
    Adagrad(),
    Adagrad(loss="logistic"),
    *(kind(covariance=c, **p) for kind, _, p in ALL.values() for c in ("diagonal", "full")),
]


@pytest.mark.parametrize("made", SETTINGS, ids=repr)
def test_names_that_come_late_and_extreme_values(made):
    def fresh():
        return type(made)(**made.params())

    rng = np.random.default_rng(0)
    X = rng.random((60, 12)) < np.linspace(0.05, 0.6, 12)
    y = X[:, :2].any(axis=1).astype(int)
    known, growing = fresh().begin(labels=(0, 1)), fresh().begin(labels=(0, 1))
    expected = known.learn(X, y).tolist()
    rows = [[f"{i:02}" for i in np.flatnonzero(row)] for row in X]
    assert [growing.learn_one(row, label) for row, label in zip(rows, y.tolist(), strict=True)] == expected
    by_name = growing.weights()
    assert by_name == pytest.approx({f"{i:02}": w for i, w in known.weights().items() if X[:, i].any()}, rel=1e-9)
    for size in (1e100, 1e-100, 1e8):
        wild = fresh().begin(labels=(0, 1))
        wild.learn(X * size * rng.choice([-1.0, 1.0], X.shape), y, weight=rng.choice([0.0, 1.0, 3.0], 60))
        wild.learn(np.tile(X[:1] * size, (200, 1)), np.arange(200) % 2)
        wild.learn(X, y)
        assert np.isfinite(wild.activation(X)).all()
        assert all(np.isfinite(array).all() for array in wild.state().values() if array.dtype.kind == "f")


def test_no_row_moves_what_has_nothing():
    for made in SETTINGS:
        learner = type(made)(**(made.params() | {"bias": False})).begin(3, labels=(0, 1))
        learner.learn(np.zeros((3, 3)), [0, 1, 0])
        assert (learner.updates, learner.mistakes, learner.weights()) == (0, 2, {0: 0.0, 1: 0.0, 2: 0.0})


def test_what_is_refused():
    for kind, text in ((AROW, "AROW: covariance must be 'diagonal' or 'full', got 'half'"),
                       (SCW, "SCW: covariance must be")):  # fmt: skip
        with pytest.raises(InvalidParameter, match=text):
            kind(covariance="half")
    for call, text in ((lambda: AROW(r=0), "r must be a number > 0"), (lambda: NAROW(b=-1), "b must be a number > 0"),
                       (lambda: NHERD(C=0), "C must be"), (lambda: SCW(C=0), "C must be"),
                       (lambda: SCW(eta=0.5), r"eta must be a number in \(0.5, 1\)"),
                       (lambda: ConfidenceWeighted(eta=1), "eta must be"), (lambda: SCW(variant="III"), "'I' or 'II'"),
                       (lambda: ConfidenceWeighted(variant="x"), "'stdev' or 'variance'"),
                       (lambda: SecondOrderPerceptron(a=0), "a must be"), (lambda: Adagrad(eta=0), "eta must be"),
                       (lambda: Adagrad(delta=-1), "delta must be"), (lambda: Adagrad(loss="x"), "loss")):  # fmt: skip
        with pytest.raises(InvalidParameter, match=text):
            call()


def test_a_full_covariance_has_a_largest_size(monkeypatch):
    monkeypatch.setattr(moments, "MOST_COORDINATES", 5)
    expected = "AROW: expected at most 5 coordinates for a full covariance, got 6, .* set covariance='diagonal'"
    with pytest.raises(TooLarge, match=expected):
        AROW(covariance="full").begin(5)
    learner = AROW(covariance="full").begin(labels=(0, 1))
    learner.learn(np.eye(4), [0, 1, 0, 1])
    before = learner.copy()
    with pytest.raises(TooLarge, match=expected):
        learner.learn(np.eye(5), [0, 1, 0, 1, 1])
    _same(learner, before, "a refusal")
    assert AROW().begin(5).learn(np.eye(5), [0, 1, 0, 1, 1]).size == 5


BLOCKS = [
    *SETTINGS,
    ls.PassiveAggressive(),
    ls.ALMA(),
    ls.ALMA(p=5),
    ls.ROMMA(),
    ls.OGD(),
    ls.VotedPerceptron(),
    ls.ModifiedBalancedWinnow(),
    ls.ShiftingWinnow(theta=2, floor=0.1),
]


@pytest.mark.parametrize("made", BLOCKS, ids=repr)
def test_a_row_of_ones_is_summed_alike_among_rows_with_values(made):
    """A block of zeros and ones has no values, one with another number in it has: to the last bit it is the same."""
    rng = np.random.default_rng(7)
    X = (rng.random((120, 9)) < 0.6).astype(float)
    X[::3] *= rng.choice([0.25, 0.3, 1.7], (40, 9))
    y = rng.integers(0, 2, 120)
    whole, single = (type(made)(**made.params()).begin(9, labels=(0, 1)) for _ in range(2))
    assert whole.learn(X, y).tolist() == [single.learn(X[t : t + 1], y[t : t + 1])[0] for t in range(120)]
    assert whole.weights() == single.weights()
    assert whole.activation(X).tolist() == [whole.activation(X[t : t + 1])[0] for t in range(120)]
