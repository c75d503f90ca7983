"""Labels that come later."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.learners.delayed import Delayed

NAMES = [f"a{i}" for i in range(6)]
TRIALS = st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.booleans()), max_size=40)


@given(TRIALS)
def test_labels_at_once_are_the_plain_game(trials):
    service, plain = Delayed(ls.Winnow(theta=3)), ls.Winnow(theta=3)
    for number, (x, y) in enumerate(trials):
        said = plain.predict_one(x)
        assert service.predict_one(x, id=number) == said
        assert service.learn_one(number, y) == plain.learn_one(x, y)
    assert (service.trials, service.mistakes, service.waiting) == (plain.trials, plain.mistakes, 0)
    assert service.learner.weights() == plain.weights()


@given(TRIALS, st.integers(0, 5), st.integers(1, 8))
def test_mistakes_are_those_of_the_predictions_that_were_made(trials, delay, limit):
    service = Delayed(ls.Perceptron().begin(labels=(False, True)), limit=limit)
    plain = ls.Perceptron().begin(labels=(False, True))
    waiting, mistakes, dropped, learned = deque(), 0, 0, 0
    for number, (x, y) in enumerate(trials):
        said = service.predict_one(x, id=number)
        assert said == plain.predict_one(x)
        waiting.append((number, x, y, said))
        if len(waiting) > limit:
            waiting.popleft()
            dropped += 1
        if len(waiting) > delay:
            name, asked, truth, said = waiting.popleft()
            assert service.learn_one(name, truth) == said
            plain.learn_one(asked, truth)
            mistakes, learned = mistakes + (said != truth), learned + 1
    assert (service.mistakes, service.dropped, service.trials) == (mistakes, dropped, learned)
    assert service.waiting == len(waiting)
    assert service.learner.weights() == plain.weights()


def test_ids_are_checked():
    service = Delayed(ls.Perceptron(), limit=2)
    service.predict_one(["a"], id=1)
    with pytest.raises(InvalidData, match="id 1: it waits"):
        service.predict_one(["b"], id=1)
    with pytest.raises(InvalidData, match="can be looked up"):
        service.predict_one(["b"], id=[])
    for name in (2, "monday"):
        with pytest.raises(InvalidData, match="never asked"):
            service.learn_one(name, 1)
    with pytest.raises(InvalidData, match="a finite value"):
        service.predict_one({"a": np.nan}, id=3)
    with pytest.raises(InvalidLabel):
        service.learn_one(1, 7)
    assert service.waiting == 1  # a refusal forgets nothing
    service.forget(1)
    with pytest.raises(InvalidData, match="never asked"):
        service.forget(1)
    for name in "abc":
        service.predict_one(["a"], id=name)
    with pytest.raises(InvalidData, match="was dropped .1 were, beyond limit=2."):
        service.learn_one("a", 1)
    assert repr(service) == "Delayed(Perceptron(), 2 waiting, 0 learned, 1 dropped)"
    with pytest.raises(InvalidParameter, match="limit"):
        Delayed(ls.Perceptron(), limit=0)
    with pytest.raises(InvalidParameter, match="expected a learner"):
        Delayed(ls.Perceptron)


def test_examples_are_copied_and_labels_may_come_to_be_known_late():
    service = Delayed(ls.Winnow(theta=2))
    x, row = {"a": 1, "b": 1}, np.array([1.0, 0.0])
    assert service.predict_one(x, id="x") == 1
    x.clear()
    assert service.learn_one("x", -1) == 1  # 0 it could have been, and it is -1
    assert service.mistakes == 1
    assert set(service.learner.weights()) == {"a", "b"}
    arrays = Delayed(ls.Perceptron())
    arrays.predict_one(row, id=0)
    row[:] = [0.0, 1.0]
    arrays.learn_one(0, 0)
    assert arrays.learner.weights() == {0: -1.0, 1: 0.0}
