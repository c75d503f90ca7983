"""A refusal leaves no trace: not in the state, not in the sizes, not in the names, though the first rows were sound."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import LittlestoneError
from littlestone.learners import LEARNERS, Auto, KernelPerceptron
from tests.extremes import check_same

N = 8
VARIANTS = {
    "kernel-perceptron": [{"kernel": "monotone"}, {"kernel": "linear"}, {"kernel": "gaussian:1", "budget": 2}],
    "winnow": [{"theta": 2.0}, {"theta": 2.0, "averaged": True}],
    "romma": [{}, {"aggressive": True}],
    "bounded": [{"learner": ls.Winnow(theta=2.0), "max_attributes": N}],
}
BAD = {  # what is wrong with the last of three rows
    "a value": lambda X, y, _: (np.vstack([X[:2], [[0.3] * (N - 1) + [-7.5]]]), y, None),
    "an infinite value": lambda X, y, _: (np.vstack([X[:2], [[np.inf] * N]]), y, None),
    "half a weight": lambda X, y, _: (X, y, [1, 1, 0.5]),
    "a negative weight": lambda X, y, _: (X, y, [1, 1, -1]),
    "a weight that is no number": lambda X, y, _: (X, y, [1, 1, np.nan]),
    "a large weight": lambda X, y, _: (X, y, [1, 1, 1e101]),
    "a label": lambda X, y, many: (X, ["no", "no", "yes"] if many else [*y[:2], 7], None),
}


def traces(learner):
    """Return all that a refusal could have changed."""
    machine = learner._machine
    size = np.array(-1 if machine is None else machine.size)
    words = np.array([] if learner.vocabulary is None else list(learner.vocabulary), dtype=object)
    return {**learner.state(), "machine's size": size, "words": words, "width": np.array(learner._width)}


def begun(kind, params):
    """Yield what a learner may have gone through before: nothing, a beginning, a game of few attributes."""
    yield kind(**params)
    learner = kind(**params)
    fixed = learner._needs_n()
    yield learner.begin(N if fixed else None, labels=(0, 1))
    X = np.eye(3, N if fixed else 2) if learner.domain != "sign" else np.ones((3, N))
    learner = kind(**params)
    learner.learn(X, [0, 1, 0])
    yield learner


@pytest.mark.parametrize("name", LEARNERS)
def test_a_refused_block_leaves_no_trace(name):
    kind, refused = LEARNERS[name], 0
    for params in VARIANTS.get(name, [{}]):
        X = np.ones((3, N)) if kind.domain == "sign" else np.eye(3, N) + np.eye(3, N, 5)
        for what, spoil in BAD.items():
            for learner in begun(kind, params):
                before = traces(learner)
                rows, y, weight = spoil(X, [0, 1, 1], learner.many_classes)
                try:
                    learner.learn(rows, y, weight=weight)
                except LittlestoneError:
                    check_same(before, traces(learner), what)
                    refused += 1
    assert refused >= 3 * 4


@pytest.mark.parametrize("name", [name for name in LEARNERS if LEARNERS[name].many_classes is False])
def test_refused_weights_of_a_block_leave_no_trace(name):
    """A reader's weights are checked as a caller's are."""
    kind = LEARNERS[name]
    for learner in begun(kind, VARIANTS.get(name, [{}])[0]):
        X = np.ones((3, N)) if kind.domain == "sign" else np.eye(3, N)
        block = replace(Block.from_arrays(X).labelled([0, 1, 1]), weights=np.array([1.0, 1.0, 0.5]))
        before, said = traces(learner), []
        for player, weight in ((learner, None), (kind(**learner.params()), block.weights)):
            try:
                player.learn(block, weight=weight)
            except LittlestoneError as refusal:
                said.append(str(refusal))
        assert len(said) in (0, 2) and len(set(said)) <= 1
        if said:
            assert "weight: row 2" in said[0]
            check_same(before, traces(learner), name)


def test_learners_that_count_rows_refuse_weights_of_blocks():
    """A weight of 2.5 in a file was taken for 1."""
    block = replace(Block.from_arrays(np.eye(2)).labelled([0, 1]), weights=np.array([1.0, 2.5]))
    for name in ("naive-bayes", "sbsb", "sasb", "romma", "directed-drift"):
        with pytest.raises(LittlestoneError, match="weight: row 1: expected 0 or 1, for .* got 2.5; repeat the row"):
            LEARNERS[name]().learn(block)


def test_one_refused_example_leaves_no_trace():
    learner = KernelPerceptron("polynomial:3").begin(labels=(0, 1))
    learner.learn_one({"a": 1e100}, 0)
    before = traces(learner)
    with pytest.raises(LittlestoneError, match="in the range of floats"):
        learner.learn_one({"a": 1e100, "b": 1.0, "c": 2.0}, 1)
    check_same(before, traces(learner), "learn_one")


def test_classes_that_are_too_many_for_new_attributes(monkeypatch):
    learner = Auto()
    learner.learn(np.eye(2), [0, 1])
    before = traces(learner)
    monkeypatch.setattr("littlestone.machines.pool_sound.MOST_NUMBERS", 24 * 12 * 2)
    with pytest.raises(LittlestoneError, match="at most"):
        learner.learn(np.eye(4, 10), [0, 1, 2, 3])
    check_same(before, traces(learner), "too many classes")
