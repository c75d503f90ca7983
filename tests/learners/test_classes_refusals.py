"""Many classes: what is refused, with which words, and names on a command line."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.learners import LEARNERS, MulticlassPerceptron, WinnerTakesAll
from tests.learners.test_classes import examples


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"policy": "best"}, "policy must be one of each, top"),
        ({"class_weights": {"a": -1.0}}, "class weight of 'a' must be a number >= 0"),
        ({"class_weights": {"a": float("nan")}}, "class weight of 'a'"),
        ({"class_weights": {"a": 1.0, 2: 1.0}}, "expected strings such as 'a'"),
        ({"class_weights": {None: 1.0}}, "expected bool, int, float or str"),
        ({"class_weights": "even"}, "None, 'balanced' or a dict"),
        ({"learner": 3}, "learner must be Perceptron"),
        ({"learner": "winow"}, "expected the name of a learner, got 'winow'; did you mean winnow"),
        ({"learner": "winnow:beta=2"}, "winnow: no parameter 'beta'; did you mean theta"),
        ({"learner": "winnow:alpha=0.5"}, "alpha must be a number > 1"),
        ({"learner": "normalized-winnow"}, "learner must be Perceptron"),
        ({"learner": "naive-bayes"}, "learner must be Perceptron"),
        ({"learner": "winner-takes-all"}, "learner must be Perceptron"),
        ({"learner": ls.Winnow(randomized=True)}, "not randomised"),
        ({"learner": ls.Perceptron(negations=True)}, "without negations"),
        ({"learner": ls.Perceptron(w1=[1.0, 2.0])}, "one start"),
        ({"learner": ls.Perceptron(dtype="float32")}, "float64"),
        ({"learner": "winnow", "linked": False}, "begin at 0"),
        ({"linked": 1}, "linked must be True or False"),
        ({"calibrated": None}, "calibrated must be True or False"),
        ({"averaged": 2}, "averaged must be True or False"),
    ],
)
def test_wrong_parameters_are_refused(params, match):
    with pytest.raises(InvalidParameter, match=match):
        WinnerTakesAll(**params)


def test_the_multiclass_perceptron_has_no_policy_each():
    with pytest.raises(InvalidParameter, match="policy must be one of top, uniform, proportional"):
        MulticlassPerceptron(policy="each")


@pytest.mark.parametrize(
    ("y", "match"),
    [
        ([1, "a", 2], "expected numbers such as 1, as so far, got 'a'"),
        ([1.0, float("nan"), 2.0], "row 1, got nan"),
        ([1, None, 2], "got None"),
        ([1, (2,), 3], "got \\(2,\\)"),
        ([1, [2], 3], "got something else|got \\[2\\]"),
        ([True, 2, 3], "expected Booleans such as True"),
        ([1, 2], "one label a row"),
    ],
)
def test_wrong_labels_are_refused(y, match):
    learner = WinnerTakesAll()
    told = np.empty(len(y), dtype=object)
    told[:] = y
    with pytest.raises(InvalidLabel, match=match):
        learner.learn(np.eye(3, dtype=bool), np.array(y) if "nan" in match else told)
    assert learner.classes == ()
    assert learner.trials == 0


def test_other_refusals_leave_no_trace():
    X, y = examples(12)
    learner = WinnerTakesAll(class_weights={"red": 2.0})
    learner.learn(X, y)
    before = learner.copy()
    with pytest.raises(InvalidLabel, match="class_weights: .* got 'red'"):
        WinnerTakesAll(class_weights={"red": 2.0}).learn(X, np.arange(len(X)))
    with pytest.raises(InvalidLabel, match="got 5"):
        learner.learn_one({"a"}, 5)
    with pytest.raises(InvalidData, match="expected a value >= 0, got -1"):
        learner.learn(-1.0 * X, np.roll(y, 1))
    with pytest.raises(InvalidLabel, match="expected each class once"):
        learner.begin(labels=["a", "a"])
    bad = ls.Block.from_arrays(X[:1]).labelled([0], ("red", "blue"))
    object.__setattr__(bad, "outcomes", np.array([2]))
    with pytest.raises(InvalidLabel, match="position among 2 labels"):
        learner.learn(bad)
    assert all(np.array_equal(value, learner.state()[key]) for key, value in before.state().items())


def test_a_binary_learner_that_meets_a_third_label_names_this_one():
    with pytest.raises(InvalidLabel, match="WinnerTakesAll"):
        ls.Winnow().learn(np.eye(3, dtype=bool), [0, 1, 2])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("winner-takes-all", "learner=winnow"), WinnerTakesAll("winnow")),
        (("winner-takes-all", "learner=winnow:alpha=3/2:theta=4", "policy=top"), None),
        (("multiclass-perceptron", "averaged=true", "policy=top"), MulticlassPerceptron(averaged=True, policy="top")),
    ],
)
def test_names_on_a_command_line(words, expected):
    from littlestone.cli._settings import made

    learner = made("learner", words[0], LEARNERS, words[1:])
    if expected is None:
        assert (learner._inner.alpha, learner._inner.theta, learner.policy) == (1.5, 4, "top")
    else:
        assert repr(learner) == repr(expected)
