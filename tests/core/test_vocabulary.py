"""Vocabularies: names that grow, are written down and come back."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core import errors
from littlestone.core.errors import InvalidData


def test_names_of_numpy_can_be_written_down():
    for names in (list(np.array(["a", "b"])), ["a\0"], [2**70], [True]):
        learner = ls.Perceptron()
        learner.learn_one(names, 1)
        assert ls.Perceptron.from_state(learner.params(), learner.state()).weights() == learner.weights()
    odd = ls.Perceptron()
    odd.learn_one([frozenset({1})], 1)
    with pytest.raises(InvalidData, match="to be written down"):
        odd.state()


def test_a_vocabulary_grows_and_forgets_nothing():
    words = ls.Vocabulary(["b", "a"])
    words.add(["c", "a"])
    assert list(words) == ["b", "a", "c"]
    assert words.unseen({"z", "y", "a"}) == ["y", "z"]
    assert words.unseen([("t", 1), 5, "x"]) == [5, "x", ("t", 1)]
    assert words.column("c") == 2
    assert words.column("q") is None
    assert words.name(0) == "b"
    assert "a" in words
    assert repr(words) == "Vocabulary(3 names)"
    assert list(ls.Vocabulary.from_state(words.state())) == ["b", "a", "c"]
    numbers = ls.Vocabulary([5, 3])
    assert list(ls.Vocabulary.from_state(numbers.state())) == [5, 3]
    assert len(ls.Vocabulary.from_state(ls.Vocabulary().state())) == 0
    mixed = [("a", ("b", 2.5)), 3, "", "a\0", "\ud800", -(2**70), 0.1, None, False, b"\xff"]
    again = list(ls.Vocabulary.from_state(ls.Vocabulary(mixed).state()))
    assert again == mixed
    assert list(map(type, again)) == list(map(type, mixed))
    with pytest.raises(errors.InvalidData, match="to be written down, .* got frozenset"):
        ls.Vocabulary([frozenset({1})]).state()
    copied = words.copy()
    copied.add(["d"])
    assert (len(words), len(copied)) == (3, 4)


def test_names_arrive_in_an_order_of_their_own():
    """Columns do not depend on how a set or a dict happened to be arranged."""
    one, other = ls.Perceptron(), ls.Perceptron()
    one.learn_one(["c", "a", "b"], 1)
    other.learn_one({"b": 1, "c": 1, "a": 1}, 1)
    assert list(one.vocabulary) == list(other.vocabulary) == ["a", "b", "c"]
