"""Attributes that come late: predicted as they are learned, whatever the blocks, and at no more cost."""

from time import perf_counter

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.core.errors import InvalidData, UnknownSize


@pytest.mark.parametrize("w1", [[1.0, 2.0, 3.0], [5.0]])
def test_the_constant_coordinate_starts_at_zero(w1):
    w, theta = ls.Perceptron(w1=w1).begin(len(w1)).hypothesis()
    assert w.tolist() == w1
    assert theta == 0.0


@pytest.mark.parametrize("make", [lambda: ls.NormalizedWinnow(beta1=2.0, beta0=0.5), ls.NormalizedWinnow, ls.PNorm])
def test_the_first_prediction_is_the_one_that_learn_makes(make):
    for row in ([[1.0, 0.0]], [[0.0, 0.0]], [[0.5, 2.0]]):
        assert make().predict(row).tolist() == make().learn(row, [1]).tolist()
    if make is not ls.PNorm:
        fresh = make().begin(labels=(0, 1))
        assert fresh.predict_one({"a": 1}) == fresh.learn_one({"a": 1}, 0)


@pytest.mark.parametrize("kind", [ls.Elimination, ls.ThresholdedBEG, ls.Winnow, ls.Perceptron])
def test_unseen_names_with_negations_are_predicted_as_they_are_learned(kind):
    rng = np.random.default_rng(0)
    learner = kind(negations=True).begin(12, labels=(0, 1))
    for _ in range(60):
        example = [f"a{i}" for i in rng.permutation(12)[: rng.integers(0, 4)]]
        assert learner.predict_one(example) == learner.learn_one(example, int(rng.integers(0, 2)))


def test_late_attributes_do_not_depend_on_blocks():
    rng = np.random.default_rng(3)
    X = np.zeros((100, 40))
    for i in range(100):
        X[i, rng.integers(0, min(40, 3 + i // 2), 4)] = rng.choice([-1.0, 1.0], 4)
    y = rng.integers(0, 2, 100)
    for options in ({}, {"averaged": True}, {"margin": 0.05}):
        for kind in (ls.NormalizedWinnow, ls.PNorm, ls.BalancedWinnow):
            one, whole = kind(**options), kind(**options)
            assert [int(one.learn(X[i : i + 1], y[i : i + 1])[0]) for i in range(100)] == whole.learn(X, y).tolist()
    with pytest.raises(UnknownSize):
        ls.NormalizedWinnow(averaged=True).learn_one({"a": 1}, 1)


def test_a_huge_declared_width_costs_nothing():
    wide = sparse.csr_matrix((np.ones(2), np.array([0, 5]), np.array([0, 1, 2])), shape=(2, 4_000_000_000))
    for learner in (ls.Perceptron(), ls.PNorm(), ls.Winnow()):
        learner.learn(wide, [1, 0])
        assert learner.predict(wide).shape == (2,)
        with pytest.raises(InvalidData, match="at most 268435456"):
            learner.hypothesis()
    with pytest.raises(InvalidData, match="at most 268435456"):
        ls.NormalizedWinnow(theta=0.1).learn(wide, [1, 0])


@pytest.mark.parametrize("make", [ls.NormalizedWinnow, lambda: ls.PNorm(p=4.0), ls.Perceptron])
def test_new_names_cost_no_more_when_many_are_known(make):
    def best(known):
        learner = make().begin(labels=(0, 1), names=range(known))
        times = []
        for start in range(known, known + 400, 40):
            started = perf_counter()
            for name in range(start, start + 40):
                learner.learn_one([name, 0], name % 2)
            times.append(perf_counter() - started)
        return min(times)

    assert best(100_000) < 4 * best(1_000)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("new", [[[0, 0, 1]], [[1, 0, 1]], [[1, 1, 0]], [[0, 0, 0.5]], [[0, 0, 0]]])
def test_new_attributes_count_where_all_others_are_eliminated(new, bias):
    """While the sum of all weights is 0, what nobody has seen still begins with a weight."""
    learner = ls.NormalizedWinnow(beta1=1.5, beta0=0.0, bias=bias)
    learner.learn([[1, 1]], [0])
    assert list(learner.weights().values()) == [0.0, 0.0]
    assert learner.predict([[1, 1], [0, 1]]).tolist() == [0, 0]
    foretold, activation, before = learner.predict(new), learner.activation(new), learner.copy()
    assert foretold.tolist() == (activation > 0.0).tolist() == learner.learn(new, [1]).tolist() == [int(new[0][2] > 0)]
    before.learn(np.array(new) * 0, [0])  # now they are heard of, and that is all
    found = before.hypothesis()
    assert (np.array(new) @ found.w > found.theta).tolist() == before.predict(new).tolist() == foretold.tolist()


def test_new_names_count_where_all_others_are_eliminated():
    learner = ls.NormalizedWinnow(beta1=1.5, beta0=0.0)
    learner.learn_one({"a", "b"}, 0)
    assert [learner.predict_one(x) for x in ({"a"}, {"a": 1, "c": 1}, {"c"}, {"c": 0})] == [0, 1, 1, 0]
    assert learner.learn_one({"a", "c"}, 1) == 1


def test_attributes_that_come_later_count_as_if_they_had_always_been_there():
    whole, rows = (ls.NormalizedWinnow(beta1=2.0, beta0=0.5).begin(labels=(0, 1)) for _ in range(2))
    X = ls.Block.from_csr([0, 1, 3], [2, 0, 4])
    whole.learn(X, [0, 1])
    rows.learn(X[:1], [0])
    rows.learn(X[1:], [1])
    assert {key: array.tolist() for key, array in whole.state().items()} == {
        key: array.tolist() for key, array in rows.state().items()
    }
