"""Labels known at sight, told, or refused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel

X = np.eye(3, dtype=bool)


@pytest.mark.parametrize(
    ("y", "labels"),
    [
        ([True, False, True], (False, True)),
        ([1, 0, 1], (0, 1)),
        ([1, -1, 1], (-1, 1)),
        ([1.0, -1.0, 1.0], (-1.0, 1.0)),
        (np.array([1, 0, 0], dtype=np.int8), (0, 1)),
        (["spam", "ham", "spam"], ("ham", "spam")),
        ([2, 1, 1], (1, 2)),
        ([0, 0, 0], (0, 1)),
        ([-1, -1, -1], (-1, 1)),
        ([True, True, True], (False, True)),
        (np.array(["b", "a", "a"], dtype=object), ("a", "b")),
        (pd.Series(["yes", "no", "no"]), ("no", "yes")),
    ],
)
def test_labels_at_sight(y, labels):
    learner = ls.Perceptron()
    said = learner.learn(X, y)
    assert learner.labels == labels
    assert set(said.tolist()) <= set(labels)
    assert type(learner.labels[0]) is type(labels[0])


@pytest.mark.parametrize(("later", "labels"), [(0, (0, 1)), (-1, (-1, 1))])
def test_only_ones_at_first_leave_the_other_label_open(later, labels):
    learner = ls.Perceptron()
    learner.learn(X, [1, 1, 1])
    learner.learn(X, [1, later, 1])
    assert learner.labels == labels
    one = ls.Perceptron()
    one.learn_one({"a"}, 1)
    one.learn_one({"a"}, later)
    assert one.labels == labels
    with pytest.raises(InvalidLabel, match="third label"):
        learner.learn(X, [0 if later == -1 else -1] * 3)


def kinds(learner):
    """Return the kinds of both labels, which a state keeps."""
    assert [*map(repr, learner.labels)] == [*map(repr, type(learner).from_state({}, learner.state()).labels)]
    return [*map(type, learner.labels)]


@pytest.mark.parametrize("later", [0, -1])
@pytest.mark.parametrize(("one", "other"), [(float, float), (float, int), (int, float), (int, int)])
def test_both_labels_are_numbers_of_one_kind(one, other, later):
    made = [ls.Perceptron() for _ in range(5)]
    made[0].learn(X, [one(1)] * 3)
    made[0].learn(X, [other(later)] * 3)
    made[1].learn(X, [one(1)] * 3)
    made[1].learn(ls.Block.from_arrays(X).labelled([0, 1, 0], (other(later), other(1))))
    made[2].learn_one({"a"}, one(1))
    made[2].learn_one({"a"}, other(later))
    made[3].learn(X, np.array([one(1), other(later), one(1)], dtype=object))
    made[4].learn(ls.Block.from_arrays(X).labelled([0, 1, 0], (other(later), one(1))))
    for learner in made:
        assert learner.labels == (later, 1)
        assert kinds(learner) == [float if float in (one, other) else int] * 2


@pytest.mark.parametrize("labels", [(0, 1.0), (0.0, 1), (1, 2.5), (False, 1), (0.5, 10**400), (0, 1), (-1.0, 1.0)])
def test_labels_that_are_told_stay_as_they_are(labels):
    learner = ls.Perceptron().begin(3, labels=labels)
    assert kinds(learner) == [*map(type, labels)]
    learner.learn(X, [labels[1], labels[0], labels[1]])
    learner.learn(ls.Block.from_arrays(X).labelled([0, 1, 0], labels))
    assert kinds(learner) == [*map(type, labels)]


def test_labels_that_are_told():
    learner = ls.Winnow(theta=1.5).begin(labels=("yes", "no"))
    assert learner.predict_one({"a"}) == "yes"
    assert learner.learn_one({"a"}, "no") == "yes"
    assert learner.predict_one({"a"}) == "no"
    assert learner.labels == ("yes", "no")


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (["spam"] * 3, "the only label so far is 'spam'"),
        ([7, 7, 7], "only label so far is 7"),
        ([0, 1, 2], "WinnerTakesAll"),
        (["a", "b", "c"], "expected two labels, got 3.*WinnerTakesAll"),
        ([0.0, 1.0, np.nan], "row 2, got nan"),
        ([0, 1], r"one label a row \(3\)"),
        ([[0, 1, 1]], "shape"),
    ],
)
def test_labels_that_are_refused(y, words):
    learner = ls.Perceptron()
    with pytest.raises(InvalidLabel, match=words):
        learner.learn(X, y)
    assert learner.trials == 0
    assert learner.labels is None


def test_a_third_label_names_the_row_and_the_remedy():
    learner = ls.Perceptron()
    learner.learn(X, [0, 1, 0])
    with pytest.raises(InvalidLabel, match=r"row 1: expected 0 or 1, got a third label 5; .*WinnerTakesAll"):
        learner.learn(X, [0, 5, 1])
    with pytest.raises(InvalidLabel, match="third label 5"):
        learner.learn_one(np.eye(3)[0], 5)


@pytest.mark.parametrize("labels", [("a",), ("a", "a"), 3, ("a", "b", "c")])
def test_bad_labels_to_begin(labels):
    with pytest.raises(InvalidLabel):
        ls.Perceptron().begin(labels=labels)


def test_labels_cannot_change():
    learner = ls.Perceptron().begin(labels=("ham", "spam"))
    with pytest.raises(InvalidLabel, match="already"):
        learner.begin(labels=("no", "yes"))


def test_streams_bring_their_labels():
    assert ls.from_arrays(X, ["n", "y", "n"]).labels == ("n", "y")
    assert ls.from_arrays(X, ["n", "y", "n"], labels=("y", "n")).labels == ("y", "n")
    stream = ls.from_arrays(X, ["a", "b", "c"])
    assert stream.labels == ("a", "b", "c")
    with pytest.raises(InvalidLabel, match="WinnerTakesAll"):
        ls.play(ls.Perceptron(), stream)
    told = ls.Perceptron().begin(labels=("y", "n"))
    ls.play(told, ls.from_arrays(X, ["n", "y", "n"]))
    assert told.labels == ("y", "n")
    with pytest.raises(InvalidLabel, match="row 2"):
        ls.from_arrays(X, ["n", "y", "maybe"], labels=("n", "y"))


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


@pytest.mark.parametrize(
    "labels", [(0, "yes"), (None, "yes"), {"spam", "ham"}, "ab", (float("nan"), 1), ((1, 2), (3, 4))]
)
def test_labels_that_cannot_be_labels(labels):
    with pytest.raises(InvalidLabel, match="labels"):
        ls.Perceptron().begin(labels=labels)
