"""Whatever a learner has gone through, to ask for its weights or its reasons gives an answer, or an error of ours."""

import json

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter, LittlestoneError
from littlestone.learners import LEARNERS, Auto, WinnerTakesAll
from littlestone.models.explanation import explain, explain_example
from littlestone.models.pruning import prune

N, NAMES = 5, list("abcde")
X = np.array([[1, 0, 1, 0, 0], [0, 1, 0, 0, 1], [1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 1]])
VARIANTS = {
    "balanced-winnow": [{}, {"negations": True}],
    "perceptron": [{}, {"dtype": "float32"}],
    "kernel-perceptron": [{}, {"kernel": "monotone:1"}, {"kernel": "linear"}],
    "bounded": [{}, {"learner": ls.Winnow(theta=1.0), "max_attributes": 5, "eligible": 2}],
    "directed-drift": [{"mode": "synchronous", "batch": 3}],
}


def named(learner):
    learner.begin(N)
    for x, y in (({"a", "b"}, 1), ({"c"}, 0)):
        learner.learn_one(x, y)


PASTS = {
    "nothing": lambda _: None,
    "begun": lambda it: it.begin(N),
    "begun with labels": lambda it: it.begin(N, labels=("no", "yes")),
    "begun with names": lambda it: it.begin(N, names=NAMES),
    "one class": lambda it: it.learn(X, [1] * 5),
    "the other class": lambda it: it.learn(X, [0] * 5),
    "an empty row": lambda it: it.learn(X[3:4], [1]),
    "a game": lambda it: it.learn(X, [0, 1, 1, 0, 1]),
    "large weights": lambda it: it.learn(X, [0, 1, 1, 0, 1], weight=[1e100] * 5),
    "names": named,
}
STREAM = ls.from_arrays(X.astype(bool), [0, 1, 1, 0, 1])
QUESTIONS = {
    "weights": lambda it: it.weights(),
    "hypothesis": lambda it: it.hypothesis(),
    "activation": lambda it: it.activation(X),
    "explain": lambda it: (str(explain(it)), json.dumps(explain(it).as_dict(), allow_nan=False)),
    "explain, by examples": lambda it: str(explain(it, stream=STREAM)),
    "explain, with names": lambda it: str(explain(it, names=NAMES)),
    "explain_example": lambda it: (str(explain_example(it, X[0])), str(explain_example(it, X[3]))),
    "explain_example, by name": lambda it: str(explain_example(it, {"a": 1, "zebra": 1})),
    "prune below": lambda it: prune(it, below=0.5).learner.weights(),
    "prune by examples": lambda it: prune(it, stream=STREAM).learner.predict(X),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_there_is_an_answer_or_an_error_of_ours(name):
    for params in VARIANTS.get(name, [{}]):
        for past, live in PASTS.items():
            learner = LEARNERS[name](**params)
            try:
                live(learner)
            except LittlestoneError:
                continue
            for question, ask in QUESTIONS.items():
                try:
                    ask(learner)
                except LittlestoneError:
                    pass
                except Exception as error:
                    error.add_note(f"{learner!r}, {past}: {question}")
                    raise


@pytest.mark.parametrize("make", [Auto, WinnerTakesAll])
def test_weights_in_many_classes_before_the_first_trial(make):
    assert make().weights() == {}
    assert make().begin(3).weights() == {0: {}, 1: {}, 2: {}}
    assert list(make().begin(2, names=["rain", "sun"]).weights()) == ["rain", "sun"]
    assert Auto().begin(1, labels=("dry", "wet")).weights() == {0: {"dry": 0.0, "wet": 0.0}}


def test_one_class_is_explained():
    learner = WinnerTakesAll()
    learner.learn_one({"rain"}, "wet")
    assert "Class wet" in str(explain(learner))


def test_a_rule_without_clauses_is_explained_by_examples():
    stream = ls.from_arrays(X.astype(bool), [0] * 5)
    learner = ls.Perceptron(theta=1.0)
    ls.play(learner, stream)
    assert "No 3 attributes or fewer are enough" in str(explain(learner, stream=stream))


def test_weights_that_are_not_finite_are_refused():
    learner = ls.Perceptron()
    learner.learn(X, [0, 1, 1, 0, 1])
    state = learner.state()
    state["weights"][0, 1] = np.inf
    broken = ls.Perceptron.from_state(learner.params(), state)
    with pytest.raises(InvalidParameter, match="explain: expected finite weights, .* from scaled rows"):
        explain(broken)


def test_the_shares_of_a_tiny_row_are_numbers():
    """Its sum is so small that one over it is no float."""
    learner = ls.learners.ModifiedBalancedWinnow(bias=False).begin(2, labels=(0, 1))
    found = ls.explain_example(learner, np.array([0.0, 5e-324]))
    assert [one.value for one in found.contributions] == [1.0]
    assert "nan" not in str(found) and "inf" not in str(found)
