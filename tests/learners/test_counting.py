"""Naive Bayes, SBSB and SASB: equal to exact twins, to Bayes' integral, and to what was measured before."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, log
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, UnknownSize
from littlestone.engine.learning import counts as engine
from littlestone.learners import SASB, SBSB, NaiveBayes
from littlestone.machines.counting import distinct, listed
from tests import strategies
from tests.naive import naive_bayes, sasb, sbsb

PAIRS = {
    "naive Bayes": (NaiveBayes, naive_bayes.NaiveBayes),
    "mistake-driven naive Bayes": (
        lambda: NaiveBayes(policy="mistakes"),
        lambda n: naive_bayes.NaiveBayes(n, always=False),
    ),
    "SBSB": (SBSB, sbsb.SBSB),
    "SASB": (SASB, sasb.SASB),
}
each = pytest.mark.parametrize("name", PAIRS)


@each
@settings(max_examples=200)
@given(stream=strategies.streams(max_rows=40))
def test_every_prediction_and_every_tie_is_the_twins(name, stream):
    make, twin = PAIRS[name][0](), PAIRS[name][1](stream.n)
    learner = make.begin(stream.n, labels=(0, 1))
    rows = [tuple(map(int, row)) for row in stream.X]
    gaps, expected = [], []
    for row, y in zip(rows, stream.y.tolist(), strict=True):
        zero, one = twin.scores(row)
        gaps.append((one > zero) - (one < zero))
        assert np.sign(learner.activation([row])[0]) == gaps[-1]
        # Whole numbers alone decide as they do, near-tie or not.
        assert learner._machine._sign(np.flatnonzero(row)) == gaps[-1]
        expected.append(twin.trial(row, y))
        assert learner.learn_one(np.array(row), y) == expected[-1] == (gaps[-1] > 0)
    again = PAIRS[name][0]().begin(stream.n, labels=(0, 1))
    assert np.concatenate([again.learn(*block) for block in stream.blocks()]).tolist() == expected
    for key, value in again.state().items():
        assert np.array_equal(value, learner.state()[key])


@each
@given(stream=strategies.streams(max_rows=40), data=st.data())
def test_a_state_goes_on_bit_for_bit(name, stream, data):
    cut = data.draw(st.integers(0, len(stream.X)))
    learner = PAIRS[name][0]().begin(stream.n, labels=(0, 1))
    learner.learn(stream.X[:cut], stream.y[:cut])
    again = type(learner).from_state(learner.params(), learner.state())
    for player in (learner, again, learner.copy()):
        player.learn(stream.X[cut:], stream.y[cut:])
    assert np.array_equal(learner.activation(stream.X), again.activation(stream.X))
    assert learner.hypothesis().theta == again.hypothesis().theta


@each
def test_long_games_stay_exact(name):
    """600 trials later the scores are still those of rationals, to the last digits."""
    rng = np.random.default_rng(5)
    X = (rng.random((600, 6)) < [0.02, 0.1, 0.3, 0.5, 0.9, 1.0]).astype(int)
    y = ((X[:, 1] | X[:, 2]) ^ (rng.random(600) < 0.1)).tolist()
    learner, twin = PAIRS[name][0](), PAIRS[name][1](6)
    assert learner.learn(X, y).tolist() == [twin.trial(row, label) for row, label in zip(X.tolist(), y, strict=True)]
    for row in product((0, 1), repeat=6):
        zero, one = twin.scores(row)
        if "Bayes" in name:
            gap = log(one / zero)
        else:  # divided by (t + 2) and the sum of all 1/C(t, s_i), which makes them posterior probabilities
            gap = float((one - zero) / ((twin.t + 2) * sum(Fraction(1, comb(twin.t, s)) for s in twin.s)))
        assert learner.activation([row])[0] == pytest.approx(gap, rel=1e-10, abs=1e-12)


def test_sbsb_is_the_bayes_integral():
    rng = np.random.default_rng(0)
    ties = 0
    for _ in range(160):
        n, agrees, rate = int(rng.integers(1, 5)), rng.random(), rng.random()
        learner, examples = SBSB().begin(n, labels=(0, 1)), []
        for _ in range(15):
            y = int(rng.random() < rate)
            x = rng.integers(0, 2, n)
            x[0] = y if rng.random() < agrees else 1 - y
            one, zero = (sbsb.probability([*examples, (x.tolist(), label)], n) for label in (1, 0))
            ties += one == zero
            assert learner.learn_one(x, y) == (one > zero)
            examples.append((x.tolist(), y))
    assert ties > 100


@pytest.mark.parametrize("k", range(1, 7))
def test_with_the_counts_of_the_population_naive_bayes_makes_no_mistake_on_disjunctions(k):
    """Domingos and Pazzani: uniform rows, n = 6, every disjunction of k attributes; here with the counts themselves."""
    rows = list(product((0, 1), repeat=6))
    for target in combinations(range(6), k):
        labels = [int(any(row[i] for i in target)) for row in rows]
        ones = {y: [row for row, label in zip(rows, labels, strict=True) if label == y] for y in (0, 1)}
        share = {y: [Fraction(sum(row[i] for row in of), len(of)) for i in range(6)] for y, of in ones.items()}
        for row, label in zip(rows, labels, strict=True):
            zero, one = (
                Fraction(len(ones[y]), 64)
                * np.prod([share[y][i] if row[i] else 1 - share[y][i] for i in range(6)], dtype=object)
                for y in (0, 1)
            )
            assert int(one > zero) == label


def test_many_uniform_rows_come_near_the_population():
    X = np.array(list(product((0, 1), repeat=6)))
    for k in (1, 3, 6):
        y = X[:, :k].any(axis=1)
        learner = NaiveBayes()
        learner.learn(np.tile(X, (2000, 1)), np.tile(y, 2000))
        assert np.array_equal(learner.predict(X), y)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.data())
def test_a_list_of_counts_is_what_a_list_made_anew_would_be(start, data):
    values = np.array(start)
    places, counted = np.zeros_like(values), np.zeros((4, len(values)), dtype=np.int64)
    ends = listed(values, places, counted)
    moves = data.draw(st.lists(st.tuples(st.integers(0, len(values) - 1), st.sampled_from([-1, 1])), max_size=60))
    for i, way in moves:
        places[i] = engine._shift(places[i], way, counted, ends)
        values[i] += way
    assert np.array_equal(counted[engine.COUNT, places], values)
    assert distinct(counted, ends) == [
        (int(v), int(c)) for v, c in zip(*np.unique(values, return_counts=True), strict=True)
    ]
    at, before = ends[engine.LEAST], engine.NONE
    while at != engine.NONE:
        assert counted[engine.SMALLER, at] == before
        before, at = at, counted[engine.LARGER, at]
    assert before == ends[engine.MOST]


def disjunctions(copies=0, noise=0.0, runs=3):
    """The data of the comparison: n = 200, k = 3, density .1, 2,000 trials; copies of one irrelevant attribute."""
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        X = rng.random((2000, 200)) < 0.1
        y = X[:, :3].any(axis=1)
        yield np.hstack([X] + [X[:, 3:4]] * copies), y ^ (rng.random(2000) < noise)


def mean_mistakes(make, **data):
    return np.mean([np.sum(make().learn(X, y) != y) for X, y in disjunctions(**data)])


@pytest.mark.parametrize(("make", "data", "measured"), [
    (NaiveBayes, {}, 69.0),
    (lambda: NaiveBayes(policy="mistakes"), {}, 135.0),
    (NaiveBayes, {"copies": 100}, 260.7),
    (lambda: NaiveBayes(policy="mistakes"), {"copies": 100}, 173.0),
    (NaiveBayes, {"noise": 0.05}, 185.0),
])  # fmt: skip
def test_the_comparison_of_naive_bayes(make, data, measured):
    assert mean_mistakes(make, **data) == pytest.approx(measured, rel=0.15)


@pytest.mark.parametrize(("k", "agrees", "measured"), [(1, 0.99, (105, 219, 102)), (5, 0.9, (998, 204, 84))])
def test_singly_variant_learners_where_one_attribute_tells_the_label_and_where_five_do(k, agrees, measured):
    """n = 20: SBSB, SASB and the majority of the k; of five, SBSB can use but one."""
    found = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y, X = rng.random(10_000) < 0.5, rng.random((10_000, 20)) < 0.5
        X[:, :k] = y[:, np.newaxis] ^ (rng.random((10_000, k)) >= agrees)
        majority = X[:, :k].sum(axis=1) > k / 2
        found.append([np.sum(said != y) for said in (SBSB().learn(X, y), SASB().learn(X, y), majority)])
    assert np.mean(found, axis=0) == pytest.approx(measured, rel=0.15)


def test_sasb_learns_disjunctions():
    assert 49 <= mean_mistakes(SASB) <= 58 < mean_mistakes(SBSB) / 5


def test_redundant_attributes_mislead_naive_bayes_and_not_winnow():
    plain, copied = ([mean_mistakes(kind, copies=c) for kind in (NaiveBayes, ls.Winnow)] for c in (0, 100))
    assert copied[0] > 2 * plain[0] and copied[1] < 1.5 * plain[1]


@pytest.mark.parametrize("learner", [NaiveBayes(), SBSB(), SASB()], ids=repr)
def test_what_is_refused(learner):
    with pytest.raises(UnknownSize, match="begin"):
        learner.copy().learn_one({"a"}, 1)
    learner.begin(3, labels=(0, 1))
    before = learner.copy()
    for call, error, words in (
        (lambda: learner.learn([[0.5, 0, 0]], [1]), InvalidData, "Boolean"),
        (lambda: learner.learn([[1, 0, 0, 1]], [1]), InvalidData, "fixed n=3"),
        (lambda: learner.learn([[1, 0, 0], [1, 1, 0]], [1, 0], weight=[1, 0.5]), InvalidData, "row 1: expected 0 or 1"),
        (lambda: learner.learn([[1, 0, 0]], [1], weight=[1, 1]), InvalidData, "one number a row"),
    ):
        with pytest.raises(error, match=words):
            call()
        assert {k: v.tolist() for k, v in learner.state().items()} == {k: v.tolist() for k, v in before.state().items()}
    assert learner.guarantee is None and learner.tie == 0


@pytest.mark.parametrize("learner", [NaiveBayes(policy="mistakes"), SASB()], ids=repr)
def test_ties_without_end_cost_little(learner):
    """One positive and one negative row of equal size: every row of other attributes is a tie, and stays one."""
    n = 100_000
    start = sparse.csr_matrix((np.ones(6), ([0, 0, 0, 1, 1, 1], range(6))), (2, n))
    learner.begin(n, labels=(0, 1)).learn(start, [1, 0])
    assert learner.mistakes == 2
    others = sparse.csr_matrix((np.ones(2000), (range(2000), range(6, 2006))), (2000, n))
    began = perf_counter()
    assert not learner.learn(others, [0] * 2000).any()
    assert perf_counter() - began < 2.0
    assert not learner.activation(others).any()


def test_a_row_of_weight_0_is_predicted_and_not_counted():
    X, y = [[1, 0], [0, 1], [1, 1]], [1, 0, 1]
    for make in (NaiveBayes, SBSB):
        weighted, less = make().begin(2, labels=(0, 1)), make().begin(2, labels=(0, 1))
        weighted.learn(X, y, weight=[1, 0, 1])
        less.learn([X[0], X[2]], [y[0], y[2]])
        assert weighted.trials == 3 and weighted.updates == less.updates == 2
        assert weighted.weights() == less.weights()


def test_policies():
    with pytest.raises(InvalidParameter, match="policy"):
        NaiveBayes(policy="never")
    with pytest.raises(InvalidParameter, match="it takes none"):
        SBSB(policy="always")
    assert repr(NaiveBayes(policy="mistakes")) == "NaiveBayes(policy='mistakes')"
    X, y = next(disjunctions())
    assert NaiveBayes().learn(X, y).size == SBSB().learn(X, y).size
    learner = SASB()
    learner.learn(X, y)
    assert learner.updates == learner.mistakes == learner.promotions + learner.demotions
