"""One dict at a time: compiled code reads it, and nothing but the cost may be different."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from threading import Thread
from time import thread_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.engine import dicts
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents

NAMES = [f"w{i}" for i in range(9)]
LEARNERS = {
    "Perceptron": lambda: ls.Perceptron(),
    "Perceptron, averaged": lambda: ls.Perceptron(averaged=True, margin=0.5),
    "Perceptron, float32": lambda: ls.Perceptron(dtype="float32", bias=False),
    "Winnow": lambda: ls.Winnow(theta=4),
    "Winnow, thick": lambda: ls.Winnow(alpha=1.5, theta=3, margin=1, averaged=True),
    "Elimination": lambda: ls.Elimination(),
    "BalancedWinnow": lambda: ls.BalancedWinnow(alpha=1.3),
    "NormalizedWinnow": lambda: ls.NormalizedWinnow(),
    "ThresholdedBEG": lambda: ls.ThresholdedBEG(),
    "PNorm": lambda: ls.PNorm(p=4),
    "QuasiAdditive": lambda: ls.QuasiAdditive(link=ls.link(lambda z: z * z * z), theta=1.0),
}
WHOLE = st.sampled_from([1, 1, 1, True, np.True_, 1.0])
REAL = st.one_of(WHOLE, st.sampled_from([0, 0.0, -0.0, False, 2, 0.5, 0.1, np.float64(0.3), 3.25, 1e-300]))
usable = pytest.mark.skipif(not dicts.USABLE, reason="there is no extension module")


SAID = """
import littlestone as ls
from littlestone.engine import dicts
learner = ls.Winnow(theta=2).begin(labels=(0, 1))
print(dicts.USABLE, [learner.learn_one({"a": 1, f"b{i % 3}": 1}, i % 2) for i in range(9)])
"""


@pytest.mark.parametrize("switched_off", ["LITTLESTONE_NATIVE=none", "NUMBA_DISABLE_JIT=1", "NUMBA_BOUNDSCHECK=1"])
def test_where_nothing_is_compiled_ahead_of_time_dicts_go_the_ordinary_way(switched_off):
    learner = ls.Winnow(theta=2).begin(labels=(0, 1))
    said = [learner.learn_one({"a": 1, f"b{i % 3}": 1}, i % 2) for i in range(9)]
    name, _, value = switched_off.partition("=")
    told = {**os.environ, name: value}
    done = subprocess.run([sys.executable, "-c", SAID], capture_output=True, text=True, check=True, env=told)
    assert done.stdout.strip() == f"False {said}"


def begun(make):
    return make().begin(len(NAMES), labels=(False, True), names=NAMES)


def same(one, other):
    ours, theirs = one.state(), other.state()
    ours["game"][2] = theirs["game"][2] = 0  # how wide an array was
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        assert value.dtype == theirs[key].dtype
        assert value.tobytes() == theirs[key].tobytes(), key


def examples(values):
    row = st.dictionaries(st.sampled_from(NAMES), values)
    return st.lists(st.tuples(row, st.booleans()), min_size=1, max_size=30)


@pytest.mark.parametrize("name", LEARNERS)
@given(data=st.data())
@settings(max_examples=25)
def test_the_state_is_that_of_a_block_bit_by_bit(name, data):
    one, other, short = begun(LEARNERS[name]), begun(LEARNERS[name]), []
    boolean = one.domain == "Boolean" or data.draw(st.booleans())
    rows = data.draw(examples(WHOLE if boolean else REAL))
    one._learn_named = lambda x, y: short.append(x) or type(one)._learn_named(one, x, y)
    said, again = [], []
    for x, y in rows:
        again.append(one.predict_one(x))
        said.append(one.learn_one(x, y))
    matrix = np.array([[float(x.get(name, 0.0)) for name in NAMES] for x, _ in rows])
    block = replace(Block.from_arrays(matrix), names=tuple(NAMES))
    assert other.learn(block, np.array([y for _, y in rows])).tolist() == said == again
    del one._learn_named
    same(one, other)
    if dicts.USABLE and name == "Perceptron":
        assert not [x for x in short if all(type(value) in {int, float, bool, np.float64} for value in x.values())]


def both(make, monkeypatch, x, y=True, first=None):
    """Return what comes of an example by compiled code and by the long way: a prediction or an error, and weights."""
    outcomes = []
    for quick in (dicts.USABLE, False):
        for machine in (Duals, Exponents):
            monkeypatch.setattr(machine, "quick", quick)
        learner = make()
        learner.learn_one({"a": 1, "b": 0.5, 3: 1, ("t", 1): 1} if first is None else first, False)
        given = x() if callable(x) else x
        try:
            found = learner.predict_one(given), learner.learn_one(given, y)
        except InvalidData as error:
            found = str(error)
        outcomes.append((found, learner.weights(), learner.trials))
    monkeypatch.undo()
    return outcomes


class Text(str):
    __slots__ = ()


@usable
@pytest.mark.parametrize("make", [ls.Perceptron, lambda: ls.Winnow(theta=3)], ids=["Perceptron", "Winnow"])
@pytest.mark.parametrize(
    "x",
    [
        *({"a": value, "b": 1} for value in (
            2**80, 10**400, -(10**400), -1, -1.0, 1e100, 1e101, float("nan"), float("inf"), "1", None, 1j, [1], b"1",
            Fraction(1, 2), Decimal("0.5"), np.float32(0.1), np.int64(3), np.False_, np.array([1.0]), np.array([1, 2]),
        )),
        {}, {"a": 0}, {"a": 0.0, "b": -0.0}, {3: 1}, {3: 2.5, "a": 1}, {3.0: 1}, {("t", 1): 1}, {True: 1},
        {np.str_("a"): 1}, {Text("a"): 1}, {"new": 1}, {"a": 1, "new": 0.5}, {None: 1}, {np.int64(3): 1},
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_taken_and_refused_is_the_same(make, x, monkeypatch):
    quick, slow = both(make, monkeypatch, x)
    assert quick == slow


MANY = {f"m{i}": 1 for i in range(2000)}


@usable
@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129, 2000])  # how it is sorted, and where it is kept, changes
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("make", [ls.Perceptron, lambda: ls.Winnow(theta=3)], ids=["Perceptron", "Winnow"])
def test_rows_of_any_length(make, size, order, monkeypatch):
    value = 1 if make is not ls.Perceptron else 0.25
    x = dict.fromkeys(list(MANY)[:size][::order], value)
    quick, slow = both(make, monkeypatch, x, first=MANY)
    assert quick == slow
    learner = make()
    learner.learn_one(MANY, False)
    assert learner._machine.predict_one(x, learner.vocabulary.columns) >= 0  # it was read by the module
    unknown = {**x, "nobody": 1}
    assert learner._machine.predict_one(unknown, learner.vocabulary.columns) == dicts.LONG_WAY
    quick, slow = both(make, monkeypatch, unknown, first=MANY)
    assert quick == slow


class Meddler:
    """A name that equals a string, and does something else whenever it is asked whether it does."""

    def __init__(self, name, act):
        self.name, self.act = name, act

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        if other == self.name:
            self.act()
            return True
        return self is other

    def __repr__(self):
        return self.name


def added(example):
    example.update(MANY)


def emptied(example):
    example.clear()


def replaced(example):
    example.clear()
    example.update({f"m{i}": 0.5 for i in range(2)})


def failing(example):
    raise ArithmeticError(str(len(example)))


@usable
@pytest.mark.parametrize("act", [added, emptied, replaced, failing])
@pytest.mark.parametrize("size", [2, 200])
def test_a_dict_that_changes_while_it_is_read_is_read_again_the_long_way(act, size):
    """Nothing is read or written beyond it; it crashed where nobody counted."""
    armed, example = [], {}
    learner = ls.Perceptron()
    learner.learn_one({**MANY, Meddler("a", lambda: armed and act(example)): 1}, True)
    columns = learner.vocabulary.columns
    for ask in (learner._machine.predict_one, lambda x, columns: learner._machine.learn_one(x, columns, 0)):
        example.clear()
        example.update({f"m{i}": 1.0 for i in range(size // 2)} | {"a": 1.0})
        example.update({f"m{i}": 1.0 for i in range(size // 2, size)})
        armed.append(True)
        before = pickle.dumps(learner.weights()["m0"])
        assert ask(example, columns) == dicts.LONG_WAY
        assert pickle.dumps(learner.weights()["m0"]) == before
        armed.clear()


@usable
def test_subclasses_of_dicts_and_of_numbers_are_not_read_by_the_module():
    class Odd(dict):
        def items(self):
            return [("a", 5.0)]

        values = __iter__ = None

    class Half(float):
        def __float__(self):
            return 0.5

    learner = ls.Perceptron()
    learner.learn_one({"a": 1, "b": 0.5}, True)
    columns = learner.vocabulary.columns
    for x in (Odd(a=1), {"a": Half(2.0)}, {"a": np.float32(1)}, {"a": np.int64(1)}, {Text("a"): 1}, {"a": 2**63}):
        assert learner._machine.predict_one(x, columns) == dicts.LONG_WAY
    for x in ({"a": True}, {"a": -(2**53)}, {"a": np.float64(0.1)}, {"b": -0.0}, {}):
        assert learner._machine.predict_one(x, columns) >= 0
    assert learner._machine.predict_one({"a": 1}, Odd(columns)) == dicts.LONG_WAY


@usable
def test_a_refusal_leaves_no_trace_and_no_error_behind():
    learner = ls.Perceptron()
    learner.learn_one({"a": 1, "b": 0.5}, True)
    before = pickle.dumps(learner)
    for wrong in (float("nan"), "1", 10**400, None):
        with pytest.raises(InvalidData):
            learner.learn_one({"a": 0.25, "b": wrong}, True)
        assert not learner._machine.learn_one({"a": 1, "b": wrong}, learner.vocabulary.columns, 1) >= 0
        assert pickle.dumps(learner) == before
    assert learner.learn_one({"a": 1}, True) is True


@usable
def test_nothing_is_held_on_to():
    learner = ls.Perceptron()
    x = {"".join(["n", str(i)]): 1000.5 + i for i in range(20)}
    learner.learn_one(x, True)
    learner.learn_one(x, False)
    things = [*x, *x.values(), x, learner.vocabulary.columns]
    before = [sys.getrefcount(thing) for thing in things]
    for i in range(200):
        learner.predict_one(x)
        learner.learn_one(x, i % 2 == 0)
    assert [sys.getrefcount(thing) for thing in things] == before


def test_kinds_of_dicts_and_other_examples():
    from collections import Counter, OrderedDict, defaultdict

    first = ls.Perceptron()
    first.learn_one({"a": 1, "b": 2, "c": 1}, True)
    for kind in (dict, Counter, OrderedDict, lambda x: defaultdict(int, x)):
        one, other = first.copy(), first.copy()
        x = kind({"b": 3, "a": 1})
        assert one.learn_one(x, False) == other.learn_one({"b": 3, "a": 1}, False)
        same(one, other)
    for x in ({"a", "c"}, ["c", "a"], ("a", "c"), frozenset("ac")):
        one, other = first.copy(), first.copy()
        assert one.predict_one(x) == other.predict_one({"a": 1, "c": 1})
        assert one.learn_one(x, False) == other.learn_one({"a": 1, "c": 1}, False)
        same(one, other)


def test_labels_and_negations_take_their_ways():
    learner = ls.Perceptron()
    assert learner.learn_one({"a": 1}, 1) == 1
    assert learner.learn_one({"a": 1}, -1) == 1  # settles that the other label is -1
    assert learner.learn_one({"a": 1}, -1) == -1
    with pytest.raises(ls.errors.InvalidLabel, match="third label 3"):
        learner.learn_one({"a": 1}, 3)
    one, other = (ls.Winnow(negations=True).begin(3, names=["a", "b", "c"]) for _ in range(2))
    for x, y in [({"a": 1}, True), ({"b": 1, "c": 1}, False), ({"a": 1, "c": 1}, True)]:
        assert one.predict_one(x) == one.learn_one(x, y)
        matrix = np.array([[float(name in x) for name in "abc"]])
        other.learn(replace(Block.from_arrays(matrix), names=("a", "b", "c")), np.array([y]))
    same(one, other)


def test_threads_may_predict_together():
    rng = np.random.default_rng(0)
    rows = [{NAMES[i]: float(rng.random()) for i in rng.permutation(9)[:5]} for _ in range(200)]
    learner = begun(ls.Perceptron)
    for x in rows:
        learner.learn_one(x, bool(rng.random() < 0.5))
    expected, predictor, found = [learner.predict_one(x) for x in rows], ls.freeze(learner), {}
    threads = [Thread(target=lambda i=i: found.update({i: [predictor.predict_one(x) for x in rows]})) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == expected for i in range(4))


def test_the_cost_does_not_depend_on_the_names_ever_seen():
    rows = [{f"w{i}": 1 for i in range(j, 1000, 40)} for j in range(40)]
    learners = [ls.Perceptron().begin(names=[f"w{i}" for i in range(n)], labels=(False, True)) for n in (10**3, 10**5)]
    best = [np.inf, np.inf]
    for _ in range(20):
        for at, learner in enumerate(learners):
            start = thread_time()
            for i, x in enumerate(rows):
                learner.predict_one(x)
                learner.learn_one(x, i % 2 == 0)
            best[at] = min(best[at], thread_time() - start)
    assert best[1] < 3 * best[0]
