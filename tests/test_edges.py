"""Corners that are easy to get wrong: each of these once was."""

import pickle
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, LittlestoneError, UnknownSize

EYE = np.eye(3, dtype=bool)


@pytest.mark.parametrize("outcomes", [[0, 1, 0, 1, 1, 0], [0, 1], [0, 2, 1], [-1, 1, 0], [0.5, 1, 0], [[0, 1, 0]]])
@pytest.mark.parametrize("known", [False, True])
def test_outcomes_that_do_not_fit_their_block(outcomes, known):
    learner = ls.Perceptron().begin(labels=(0, 1)) if known else ls.Perceptron()
    block = replace(Block.from_arrays(EYE), outcomes=np.array(outcomes), labels=(0, 1))
    with pytest.raises(InvalidLabel, match="outcomes"):
        learner.learn(block)
    assert learner.trials == learner.updates == 0
    with pytest.raises(InvalidData, match="outcomes"):
        Block.from_arrays(EYE).labelled(outcomes)


@pytest.mark.parametrize("answer", [-1, 5, 0.7, "yes"])
def test_a_teacher_answers_zero_or_one(answer):
    class Odd(ls.Teacher):
        n_attributes = 3

        def trial(self, view):  # noqa: ARG002
            return np.array([1, 0, 0]), answer

    with pytest.raises(InvalidLabel, match="Odd: trial 0: expected 0 or 1"):
        ls.play(ls.Perceptron(), Odd())


def test_one_stays_positive_once_it_was():
    learner = ls.Perceptron()
    learner.learn([[1, 0]], [1])
    for label in (2, -2, "a"):
        with pytest.raises(InvalidLabel, match="for it has learned 1"):
            learner.learn([[0, 1]], [label])
    with pytest.raises(InvalidLabel, match="already"):
        learner.begin(labels=("a", "b"))
    learner.begin(labels=(-1, 1))
    assert learner.labels == (-1, 1)


def test_an_empty_block_tells_nothing():
    learner = ls.Perceptron()
    assert learner.learn(np.zeros((0, 3)), []).size == 0
    assert learner.labels is None
    learner.learn(EYE, ["a", "b", "a"])
    assert learner.labels == ("a", "b")


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


@pytest.mark.parametrize(
    "make", [lambda: ls.Winnow(w1=0.3, theta=0.9), lambda: ls.BalancedWinnow(alpha=1.1, margin=0.3)]
)
def test_boolean_rows_are_exact_in_a_mixed_block(make):
    """The exponents stay whole up to the first real row, whatever the blocks; predict is exact on the others."""
    rng = np.random.default_rng(1)
    X = (rng.random((80, 5)) < 0.6).astype(float)
    X[40:] *= rng.choice([0.5, 1.0], (40, 1))
    X[0] = [1, 1, 1, 0, 0]
    y = rng.integers(0, 2, 80)
    whole, rowwise = make().begin(5, labels=(0, 1)), make().begin(5, labels=(0, 1))
    assert whole.learn(X, y).tolist() == [int(rowwise.learn(X[i : i + 1], y[i : i + 1])[0]) for i in range(80)]
    assert np.array_equal(whole.state()["weights"], rowwise.state()["weights"])
    exact = make().begin(5)
    exact.learn(X[:40], y[:40])
    mixed = np.vstack([X[:40], [[0.5] * 5]])
    assert exact.predict(mixed)[:40].tolist() == exact.predict(X[:40]).tolist()
    assert exact.activation(mixed)[:40].tolist() == exact.activation(X[:40]).tolist()


def test_a_zero_in_a_dict_is_no_value():
    learner = ls.Winnow().begin(3, labels=(0, 1))
    learner.learn_one({"a": 1, "b": 0}, 1)
    assert "states" in learner.state()
    assert ls.Winnow(w1=0.3, theta=0.9).begin(4).predict_one({"x": 1, "y": 1, "z": 1, "q": 0}) == 1


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


def test_a_stream_speaks_for_its_blocks():
    class Plain(ls.Stream):
        n_attributes = 3
        labels = ("no", "yes")
        names = ("a", "b", "c")

        def blocks(self, rows=8192):  # noqa: ARG002
            yield replace(Block.from_csr([0, 1, 2], [0, 1]), outcomes=np.array([1, 0]))

    learner = ls.Winnow()
    ls.play(learner, Plain())
    assert (learner.n, learner.labels, list(learner.weights())) == (3, ("no", "yes"), ["a", "b", "c"])


def test_begin_again():
    learner = ls.Perceptron(negations=True).begin(5).begin(5)
    assert learner.n == 5
    late = ls.Perceptron()
    late.learn([[1, 0, 0, 0, 0]], [1])
    with pytest.raises(InvalidParameter, match="it has 5 attributes already, got n=2"):
        late.begin(2)
    assert late.begin(7).n == 7


@pytest.mark.parametrize(
    "labels", [(0, "yes"), (None, "yes"), {"spam", "ham"}, "ab", (float("nan"), 1), ((1, 2), (3, 4))]
)
def test_labels_that_cannot_be_labels(labels):
    with pytest.raises(InvalidLabel, match="labels"):
        ls.Perceptron().begin(labels=labels)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ls.Perceptron().learn_one([["a"]], 1),
        lambda: ls.Perceptron().learn_one({"a": 10**400}, 0),
        lambda: ls.Perceptron().learn_one({"a": "3"}, 0),
        lambda: ls.Perceptron().learn_one({"a": np.complex128(2)}, 0),
        lambda: ls.Perceptron().learn_one({"a": [1]}, 0),
        lambda: ls.Perceptron().begin(names=[["a"]]),
        lambda: ls.Perceptron().begin(names=3),
        lambda: ls.Perceptron().begin(names=["a", "a"]),
        lambda: ls.Perceptron().learn(np.array([["3", 1]], dtype=object), [1]),
        lambda: ls.Perceptron(eta=np.complex128(1)),
        lambda: ls.Perceptron(w1=["a"]),
        lambda: ls.Perceptron().learn(EYE, [0, 1, 0], weight=["a", "b", "c"]),
        lambda: ls.play(ls.Perceptron(), ls.from_arrays(EYE, [0, 1, 0]), trials=2.5),
        lambda: ls.play(ls.Perceptron(), ls.from_arrays(EYE, [0, 1, 0]), trials=True),
        lambda: ls.play(ls.Perceptron, ls.from_arrays(EYE, [0, 1, 0])),
        lambda: ls.play_all([ls.Perceptron()], EYE),
        lambda: ls.from_arrays(EYE, np.array([0, "yes", 0], dtype=object)),
        lambda: ls.from_arrays(EYE, [0, 0, 0], labels=5),
        lambda: ls.from_arrays(EYE, [0, 0, 0], labels=(0, 0)),
        lambda: ls.from_arrays(EYE, np.array([1j, 2, 3])),
        lambda: ls.Winnow(negations=True).learn(np.zeros((3, 0)), [0, 1, 0]),
        lambda: Block.from_csr([0, 0.7, 1], [5]),
        lambda: Block.from_csr([0, 1], [[5]]),
        lambda: Block.from_csr([0, 1], [5], [[1.0]]),
        lambda: Block.from_csr([0, 1], [5], n_attributes="3"),
        lambda: ls.link(lambda a, b: a + b),
        lambda: ls.Winnow.preset([]),
        lambda: ls.Winnow.preset("snow", n=2, k=5),
        lambda: ls.Perceptron().learn(pd.DataFrame(np.eye(3), columns=["a", "b", "a"]), [1, 0, 1]),
        lambda: ls.Perceptron().learn([[1e200]], [1]),
        lambda: ls.bounds.winnow_attribute_errors(n=5, k=1, attribute_errors=-50),
        lambda: ls.bounds.elimination(n=5, k="a"),
    ],
)
def test_every_refusal_is_ours(call):
    with pytest.raises(LittlestoneError):
        call()


def test_odd_forms_that_are_fine():
    assert ls.Perceptron().learn(sparse.dok_matrix(np.eye(2)), [0, 1]).shape == (2,)
    assert len(Block.from_csr([0, 0, 0], [])) == 2
    assert ls.Winnow(alpha=np.float32(1.5)).begin(3).predict(EYE).tolist() == [0, 0, 0]
    assert ls.Perceptron(dtype=np.float32).params()["dtype"] == "float32"
    assert ls.Winnow(alpha=Fraction(3, 2), theta=Fraction(5, 2)).begin(3).guarantee.at(k=1).value > 0


def test_an_attribute_beyond_n_is_not_predicted_either():
    learner = ls.Winnow().begin(2, labels=(0, 1))
    learner.learn_one(["a", "b"], 1)
    with pytest.raises(InvalidData, match="'c' is one more than the fixed n=2"):
        learner.predict_one(["c"])


def test_messages_name_the_callers_row_and_attribute():
    X = np.ones((10_000, 3))
    X[9000, 1] = -1
    with pytest.raises(InvalidData, match="row 9000, attribute 1: expected a value >= 0"):
        ls.play(ls.Winnow(), ls.from_arrays(X, np.ones(10_000, dtype=int)))
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [-2.0, 0.0]})
    with pytest.raises(InvalidData, match="row 0, attribute 'b': expected a value >= 0"):
        ls.Winnow().learn(frame, [0, 1])
    with pytest.raises(InvalidData, match="row 1, attribute 'a': expected a finite value, got nan"):
        ls.Winnow().learn(frame.replace(1.0, np.nan), [0, 1])
    with pytest.raises(InvalidParameter, match=r"beta0 must be a number in \[0, 1\), got 1\.0"):
        ls.ThresholdedBEG(beta0=1.0)


def test_a_guarantee_is_quick_and_never_raises():
    started = perf_counter()
    assert ls.Winnow(alpha=1.0001).begin(1000).guarantee.at(k=1).value > 69_000
    assert ls.Winnow(alpha=1 + 1e-9).begin(1000).guarantee.at(k=1).value > 6e9
    assert perf_counter() - started < 5
    assert ls.Winnow.preset("snow", k=5).begin(3).guarantee is None


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


def test_a_demotion_factor_of_its_own_stays_quick_under_noise():
    stream = ls.teachers.Disjunction(n=500, k=5, trials=4000, noise=0.1, reading="R1")
    ls.play(ls.Winnow.preset("snow", n=500), stream)  # compiles for more than 256 states
    snow, plain = ls.play_all([ls.Winnow.preset("snow", n=500), ls.Winnow()], stream)
    assert snow.seconds < 20 * plain.seconds + 1.0


@pytest.mark.parametrize("kind", [ls.Winnow, ls.BalancedWinnow, ls.Perceptron, ls.BayesBEG])
def test_learners_can_be_pickled(kind):
    learner = kind().begin(3)
    learner.learn(EYE, [0, 1, 0])
    again = pickle.loads(pickle.dumps(learner))
    assert again.learn(EYE, [1, 1, 0]).tolist() == learner.learn(EYE, [1, 1, 0]).tolist()


def test_names_of_numpy_can_be_written_down():
    for names in (list(np.array(["a", "b"])), ["a\0"], [2**70], [True]):
        learner = ls.Perceptron()
        learner.learn_one(names, 1)
        assert ls.Perceptron.from_state(learner.params(), learner.state()).weights() == learner.weights()
    odd = ls.Perceptron()
    odd.learn_one([frozenset({1})], 1)
    with pytest.raises(InvalidData, match="to be written down"):
        odd.state()


def test_a_block_made_by_hand_is_checked():
    for arrays in (([0, 2], [400_000_000, 0]), ([0, 2000], [1, 2]), ([0, 1], [3])):
        indptr, indices = np.array(arrays[0]), np.array(arrays[1], dtype=np.uint32)
        if arrays[0][-1] == len(arrays[1]):
            assert Block(indptr, indices).width == max(arrays[1]) + 1
        else:
            with pytest.raises(InvalidData, match="indptr"):
                Block(indptr, indices)
    with pytest.raises(InvalidData, match="values"):
        Block(np.array([0, 2]), np.array([0, 1], dtype=np.uint32), np.array([1.0]))


def test_a_remembered_example_is_never_a_stale_one():
    learner = ls.Perceptron().begin(labels=(0, 1))
    example = {"a": 1.0, "b": 2.0}
    learner.learn_one(example, 0)
    example["b"] = 5.0
    learner.learn_one(example, 1)
    assert learner.weights() == {"a": 0.0, "b": 3.0}
    names = ["a", "c"]
    learner.predict_one(names)
    names.append("b")
    learner.learn_one(names, 0)
    assert learner.weights() == {"a": -1.0, "b": 2.0, "c": -1.0}
    with pytest.raises(InvalidData, match="'a' twice"):
        learner.predict_one(["a", "a"])
    learner.learn_one({"a": 1}, 1)
    with pytest.raises(InvalidData, match="expected a number"):
        learner.learn_one({"a": np.ones(2)}, 1)


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
    X = Block.from_csr([0, 1, 3], [2, 0, 4])
    whole.learn(X, [0, 1])
    rows.learn(X[:1], [0])
    rows.learn(X[1:], [1])
    assert {key: array.tolist() for key, array in whole.state().items()} == {
        key: array.tolist() for key, array in rows.state().items()
    }
