"""Any learner, oddly called: nothing at all, begun twice, huge numbers; what is refused, and with which words."""

from fractions import Fraction
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, LittlestoneError

EYE = np.eye(3, dtype=bool)


def test_an_empty_block_tells_nothing():
    learner = ls.Perceptron()
    assert learner.learn(np.zeros((0, 3)), []).size == 0
    assert learner.labels is None
    learner.learn(EYE, ["a", "b", "a"])
    assert learner.labels == ("a", "b")


def test_begin_again():
    learner = ls.Perceptron(negations=True).begin(5).begin(5)
    assert learner.n == 5
    late = ls.Perceptron()
    late.learn([[1, 0, 0, 0, 0]], [1])
    with pytest.raises(InvalidParameter, match="it has 5 attributes already, got n=2"):
        late.begin(2)
    assert late.begin(7).n == 7


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


def test_a_demotion_factor_of_its_own_stays_quick_under_noise():
    stream = ls.teachers.Disjunction(n=500, k=5, trials=4000, noise=0.1, reading="R1")
    ls.play(ls.Winnow.preset("snow", n=500), stream)  # compiles for more than 256 states
    snow, plain = ls.play_all([ls.Winnow.preset("snow", n=500), ls.Winnow()], stream)
    assert snow.seconds < 20 * plain.seconds + 1.0
