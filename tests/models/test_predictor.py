"""Predictors, and kernels that are compiled beforehand."""

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.learners import LEARNERS
from littlestone.models.predictor import Predictor, freeze
from littlestone.models.warming import USUAL, warm_up


def data(rows=400, n=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < 0.3
    return X, X[:, :2].any(axis=1) ^ (rng.random(rows) < 0.05)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_predictor_stays_as_it_is(name):
    X, y = data(80)
    learner = LEARNERS[name]().begin(12)
    learner.learn(X, y)
    predictor, before = freeze(learner), learner.copy()
    learner.learn(X, ~y)
    assert predictor.predict(X).tolist() == before.predict(X).tolist()
    assert predictor.activation(X).tolist() == before.activation(X).tolist()
    assert [predictor.predict_one(row) for row in X[:20]] == before.predict(X[:20]).tolist()
    assert (predictor.labels, predictor.trials) == (before.labels, 80)
    assert repr(learner) in repr(predictor)
    assert not hasattr(predictor, "learn")


def test_only_learners_are_frozen():
    with pytest.raises(InvalidParameter, match="expected a learner"):
        Predictor(3)


def test_names_that_come_later_are_unknown_to_it():
    learner = ls.Winnow(theta=2)
    learner.learn_one(["a", "b"], 0)
    predictor = freeze(learner)
    for i in range(1000):
        learner.learn_one(["c", f"new{i}"], i % 2)
    unseen = ls.Winnow(theta=2)
    unseen.learn_one(["a", "b"], 0)
    assert predictor.predict_one(["a", "c", "new7"]) == unseen.predict_one(["a", "c", "new7"])
    assert "c" not in predictor._learner.vocabulary


@pytest.mark.parametrize(
    "learner",
    [
        ls.Winnow(alpha=1.1, theta=2), ls.Perceptron(averaged=True), ls.NormalizedWinnow(), ls.KernelPerceptron(),
        ls.KernelPerceptron("conjunctions:2", theta=3), ls.KernelPerceptron("monotone:2", theta=1, budget=30),
        ls.KernelWinnow(), ls.GrowingWinnow(), ls.NaiveBayes(),
    ],
    ids=repr,
)  # fmt: skip
def test_threads_ask_while_another_learns(learner):
    """Every thread gets the answers of the moment at which its predictor was frozen."""
    X, y = data(300)
    learner = learner.copy().begin(12)
    learner.learn(X[:60], y[:60])
    current = [(freeze(learner), learner.copy())]
    stop = threading.Event()

    def ask(seed):
        rng, rounds = np.random.default_rng(seed), 0
        while not stop.is_set() or rounds < 5:
            predictor, twin = current[-1]
            # rows of very different widths, so that tables made for one do not do for another
            part = X[rng.permutation(len(X))[: rng.integers(1, 40)]] & (rng.random(12) < rng.random())
            with lock:
                expected = twin.activation(part).tolist()
            assert predictor.activation(part).tolist() == expected
            assert predictor.predict_one(part[0]) == predictor.predict(part[:1])[0]
            rounds += 1
        return rounds

    lock = threading.Lock()
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, seed) for seed in range(4)]
        for at in range(60, 300, 20):
            learner.learn(X[at : at + 20], y[at : at + 20])
            with lock:
                current.append((freeze(learner), learner.copy()))
        stop.set()
        assert all(done.result() >= 5 for done in asked)


WARMED = """
import importlib, pkgutil, sys
import numpy as np
import littlestone as ls
from littlestone import engine
from littlestone.engine.compiling import Kernel
from littlestone.learners import LEARNERS
from littlestone.models.warming import USUAL, warm_up

names = [found.name for found in pkgutil.walk_packages(engine.__path__, "littlestone.engine.")]
modules = [importlib.import_module(name) for name in names]
kernels = {kernel for module in modules for kernel in vars(module).values() if isinstance(kernel, Kernel)}

def versions():
    return {str(kernel.py_func): len(kernel.signatures) for kernel in kernels if kernel.signatures}

assert not versions()
rng = np.random.default_rng(0)
X = rng.random((300, 9)) < 0.3
y = X[:, :2].any(axis=1) ^ (rng.random(300) < 0.05)
X.flags.writeable = False
told = [*LEARNERS, ls.Winnow(averaged=True), ls.Perceptron(dtype="float32", w1=np.zeros(9))]
for one in USUAL if sys.argv[1] == "usual" else told:
    warm_up(None if sys.argv[1] == "usual" else one)
    warm = versions()
    make = (lambda: type(one)(**one.params())) if isinstance(one, ls.Learner) else LEARNERS[one]
    learner, named = make().begin(9), make().begin(9, labels=(0, 1))
    learner.learn(X, y)
    learner.learn(X[::-1], y[::-1], weight=np.ones(300))
    learner.predict(X[:, ::-1])
    learner.activation(X)
    learner.predict_one(X[0])
    if not isinstance(one, ls.Perceptron):
        named.learn_one({"a": 1, "b": 1}, 1)
        named.predict_one({"a", "c"})
    if make().domain in ("any", "non-negative"):
        real = make().begin(9)
        real.learn(X * rng.random(X.shape), y)
        real.predict(X * 0.3)
    assert versions() == warm, (one, set(versions().items()) ^ set(warm.items()))
if sys.argv[1] == "all":
    warm_up(ls.Winnow(alpha=1.1, demotion=0.7))
    warm = versions()
    many = ls.Winnow(alpha=1.1, demotion=0.7).begin(40)
    many.learn(rng.random((3000, 40)) < 0.3, rng.random(3000) < 0.5)
    assert many.state()["states"].dtype == np.uint16  # more than 256 distinct weights
    assert versions() == warm
print(len(versions()))
"""


@pytest.mark.parametrize("told", ["usual", pytest.param("all", marks=pytest.mark.slow)])  # all are compiled
def test_after_warming_up_nothing_is_compiled(told):
    """In a process of its own, where nothing else has compiled anything."""
    no_module = {**os.environ, "LITTLESTONE_NATIVE": "none"}
    call = [sys.executable, "-c", WARMED, told]
    run = subprocess.run(call, capture_output=True, text=True, check=False, env=no_module)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 5


def test_what_can_be_warmed_up():
    warm_up([ls.Perceptron, "winnow", ls.PNorm(p=3)])
    assert set(USUAL) <= set(LEARNERS)
    with pytest.raises(InvalidParameter, match="its class or its name"):
        warm_up([3])
    with pytest.raises(InvalidParameter, match="expected the name of a learner"):
        warm_up("os")


# Frozen models

MESSAGES = [{"message": "win a prize", "class": "spam"}, {"message": "lunch at noon", "class": "ham"}] * 20
TABLE = [{"size": i * 0.5, "colour": ("red", "blue")[i % 2], "kind": ("a", "b", "c")[i % 3]} for i in range(60)]


@pytest.mark.parametrize(
    ("rows", "label", "options"),
    [(MESSAGES, "class", {"text": "message"}), (TABLE, "kind", {}), (TABLE, "colour", {"learner": "perceptron"}),
     (TABLE, "colour", {"threshold": 0.9})],
    ids=["text", "three classes", "perceptron", "threshold"],
)  # fmt: skip
def test_a_frozen_model_stays_as_it_is(rows, label, options):
    model = ls.Model.train(rows, label=label, **options)
    raw = [{name: value for name, value in row.items() if name != label} for row in rows[:6]]
    frozen, before = freeze(model), model.copy()
    others = dict(zip(model.labels, (*model.labels[1:], model.labels[0]), strict=True))
    model.learn([{**row, label: others[row[label]]} for row in rows])
    assert not np.array_equal(model.probabilities(raw), before.probabilities(raw))
    assert frozen.predict(raw).tolist() == before.predict(raw).tolist()
    assert np.array_equal(frozen.probabilities(raw), before.probabilities(raw))
    assert frozen.predict_one(raw[1]) == before.predict_one(raw[1])
    assert frozen.probabilities_one(raw[1]) == before.probabilities_one(raw[1])
    assert str(frozen.explain(raw[0])) == str(before.explain(raw[0]))
    assert str(frozen.explain()) == str(before.explain())
    assert (frozen.labels, frozen.trials) == (before.labels, len(rows))
    assert repr(before) in repr(frozen)
    again = pickle.loads(pickle.dumps(frozen))
    assert np.array_equal(again.probabilities(raw), before.probabilities(raw))


def test_what_is_frozen_does_not_learn():
    for frozen in (freeze(ls.Model.train(MESSAGES, label="class", text="message")), freeze(ls.Winnow())):
        for name in ("learn", "learn_one", "learn_block"):
            with pytest.raises(AttributeError, match="it is frozen: let the original learn, and freeze it again"):
                getattr(frozen, name)
    with pytest.raises(InvalidParameter, match="expected a learner or a model"):
        freeze("winnow")
    with pytest.raises(InvalidParameter, match="a Model has them for every learner"):
        freeze(ls.Winnow().begin(3)).predict_proba([[0, 1, 1]])


def test_threads_ask_a_frozen_model_while_the_model_learns():
    model = ls.Model.train(TABLE, label="kind", learner="multiclass-perceptron")
    raw = [{"size": row["size"], "colour": row["colour"]} for row in TABLE[:7]]
    frozen = freeze(model)
    expected = frozen.probabilities(raw).tolist(), frozen.predict(raw).tolist(), frozen.probabilities_one(raw[2])

    def ask(_):
        found = [
            (frozen.probabilities(raw).tolist(), frozen.predict(raw).tolist(), frozen.probabilities_one(raw[2]))
            for _ in range(4)
        ]
        return all(one == expected for one in found)

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, i) for i in range(8)]
        for at in range(0, 60, 20):
            model.learn(TABLE[at : at + 20])
        assert all(one.result() for one in asked)
