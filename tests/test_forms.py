"""One example in all its forms: dict, set, list, tuple, array, block. They predict and learn alike."""

from collections import Counter, OrderedDict, UserDict
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.learners import LEARNERS

NAMES = ("a", "b", "c", "d")
MORE = {
    f"{kind.__name__}, {told}": lambda kind=kind, told=told: kind(**told)
    for kind, told in [
        (ls.Perceptron, {"negations": True, "bias": False}),
        (ls.Perceptron, {"negations": True, "averaged": True, "margin": 0.5}),
        (ls.Winnow, {"negations": True}),
        (ls.BalancedWinnow, {"negations": True}),
        (ls.Elimination, {"negations": True}),
        (ls.KernelWinnow, {"monotone": False}),
        (ls.KernelPerceptron, {"kernel": "linear", "theta": 1}),
        (ls.Bounded, {"eligible": 2}),
    ]
}
FORMS = {
    "dict": lambda on: dict.fromkeys(on, 1),
    "dict with zeros": lambda on: {name: float(name in on) for name in NAMES[::-1]},
    "Counter": Counter,
    "OrderedDict": lambda on: OrderedDict.fromkeys(on, True),
    "UserDict": lambda on: UserDict(dict.fromkeys(on, np.int8(1))),
    "mapping proxy": lambda on: MappingProxyType(dict.fromkeys(on, 1.0)),
    "set": set,
    "frozenset": frozenset,
    "list": list,
    "tuple": tuple,
}
GAME = [("a", 1), ("", 0), ("bc", 0), ("", 1), ("ad", 1), ("", 0), ("abcd", 0), ("b", 1)]


def row(on):
    return np.array([name in on for name in NAMES])


@pytest.mark.parametrize("make", [*LEARNERS.values(), *MORE.values()], ids=[*LEARNERS, *MORE])
@pytest.mark.parametrize("begun", [{"names": NAMES}, {}], ids=["names known", "no name known"])
def test_all_forms_are_one_example(make, begun):
    def fresh(**told):
        return make().begin(len(NAMES), labels=(0, 1), **told)

    def answers(learner, given):
        said = [learner.predict_one(given("")), learner.predict_one(given("a"))]  # before anything was learned
        for on, y in GAME:
            said += [learner.predict_one(given(on)), learner.learn_one(given(on), y)]
        return said

    expected = answers(fresh(), row)
    for name, form in FORMS.items():
        assert answers(fresh(**begun), form) == expected, name
    blocks = [fresh(**begun), fresh()]
    rows = np.array([row(on) for on, _ in GAME])
    for at, learner in enumerate(blocks):
        block = Block.from_arrays(rows)
        block = block if at else replace(block, names=NAMES)
        assert learner.learn(block, [y for _, y in GAME]).tolist() == expected[3::2]


class Held(Mapping):
    """A mapping whose copies share what it holds."""

    def __init__(self, held):
        self.held = held

    def __getitem__(self, name):
        return self.held[name]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


@pytest.mark.parametrize("make", [lambda: ls.KernelPerceptron("linear"), ls.AROW, ls.Perceptron])
def test_an_example_that_changes_is_read_anew(make):
    learner = make().begin(2, labels=(0, 1), names="ab")
    learner.learn(replace(Block.from_arrays([[3.0, 0.0], [0.0, 2.0]]), names=("a", "b")), [0, 1])
    value, held, names = np.array(1.0), {"a": 1.0}, ["a"]
    for x, change in (
        ({"a": value}, lambda: value.fill(-8.0)),
        (Held(held), lambda: held.update(a=-8.0)),
        (names, lambda: names.__setitem__(0, "b")),
    ):
        before = learner.activation_one(x)
        change()
        assert learner.activation_one(x) != before
        now = {"b": 1} if x is names else {"a": -8.0}
        assert learner.activation_one(x) == learner.activation_one(now)


@pytest.mark.parametrize("kind", [ls.Perceptron, ls.Winnow, ls.AROW, ls.NaiveBayes, ls.WinnerTakesAll])
def test_names_that_somebody_adds_have_weights(kind):
    """The vocabulary is the learner's own; who adds names to it does what begin(names=...) does."""
    learner, plain = (kind().begin(9000, labels=(0, 1), names="ab") for _ in range(2))
    more = [f"x{i}" for i in range(8000)]
    learner.vocabulary.add(more)
    plain.begin(names=more)
    for one in (learner, plain):
        one.learn_one({"a": 1}, 1)
    assert learner.predict_one({"x7999": 1}) == plain.predict_one({"x7999": 1})
    for one in (learner, plain):
        for i in range(7000, 8000):
            one.learn_one({f"x{i}": 1, "a": 1}, i % 2)
    assert learner.weights() == plain.weights()


def test_rows_without_names_may_come_first():
    learner = ls.Perceptron().begin(labels=(0, 1))
    empty = replace(Block.from_csr([0, 0], []), names=())
    learner.learn(empty, [1])
    assert learner.learn_one({"a"}, 0) in (0, 1)
    assert list(learner.weights()) == ["a"]
