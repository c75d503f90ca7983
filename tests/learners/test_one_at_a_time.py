"""One dict at a time: compiled code reads it, and nothing but the cost may be different."""

import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from threading import Thread
from time import thread_time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData
from littlestone.engine import cpython, dicts
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
usable = pytest.mark.skipif(not dicts.USABLE, reason="compiling is switched off")


def interpreters():
    """Every Python that is installed here, by its version."""
    places = [*Path.home().glob(".pyenv/versions/3*/bin/python"), Path(sys.executable)]
    places += [Path(found) for minor in range(9, 20) if (found := shutil.which(f"python3.{minor}"))]
    found = {}
    for place in places:
        code = "import sys; print(sys.implementation.name, *sys.version_info[:2])"
        done = subprocess.run([place, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0:  # a shim may stand for nothing
            name, *version = done.stdout.split()
            found.setdefault((name, *map(int, version)), place)
    return found


def test_dicts_are_as_they_are_known_to_be_in_every_python_that_is_installed():
    """The file that knows them needs nothing else, so that any Python can be asked."""
    tested = 0
    for (name, *version), place in interpreters().items():
        if name == "cpython" and tuple(version) in cpython.KNOWN:
            code = f"import runpy; it = runpy.run_path({cpython.__file__!r}); print(it['is_known'](), it['holds']())"
            done = subprocess.run([place, "-c", code], capture_output=True, text=True, check=False)
            assert done.stdout.split() == ["True", "True"], (place, done.stderr)
            tested += 1
    assert tested >= 1


def test_a_python_that_nobody_knows_takes_the_ordinary_way(monkeypatch):
    assert cpython.is_known() == (sys.implementation.name == "cpython" and sys.version_info[:2] in cpython.KNOWN)
    for wrong in ({"KNOWN": frozenset()}, {"sys": SimpleNamespace(**vars(sys) | {"_is_gil_enabled": lambda: False})}):
        with monkeypatch.context() as changed:
            for name, value in wrong.items():
                changed.setattr(cpython, name, value)
            assert not cpython.is_known()
    code = """
from littlestone.engine import cpython
cpython.KNOWN = frozenset()
import littlestone as ls
from littlestone.engine import cpython, dicts
learner = ls.Winnow(theta=2).begin(labels=(0, 1))
print(dicts.USABLE, [learner.learn_one({"a": 1, f"b{i % 3}": 1}, i % 2) for i in range(9)])
"""
    learner = ls.Winnow(theta=2).begin(labels=(0, 1))
    said = [learner.learn_one({"a": 1, f"b{i % 3}": 1}, i % 2) for i in range(9)]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"False {said}"


@pytest.mark.parametrize("at", ["KIND_AT", "REAL_AT"])
def test_an_object_that_is_otherwise_is_noticed(at, monkeypatch):
    assert cpython.holds()
    monkeypatch.setattr(cpython, at, 0)
    assert not cpython.holds()


def begun(make):
    return make().begin(len(NAMES), labels=(False, True), names=NAMES)


def same(one, other):
    ours, theirs = one.state(), other.state()
    ours["game"][2] = theirs["game"][2] = 0  # how wide an array was
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


def both(make, monkeypatch, x, y=True):
    """Return what comes of an example by compiled code and by the long way: a prediction or an error, and a pickle."""
    outcomes = []
    for quick in (dicts.USABLE, False):
        for machine in (Duals, Exponents):
            monkeypatch.setattr(machine, "quick", quick)
        learner = make()
        learner.learn_one({"a": 1, "b": 0.5, 3: 1, ("t", 1): 1}, False)
        try:
            found = learner.predict_one(x), learner.learn_one(x, y)
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
