"""Games that call kernels, each checked three ways; together they call all of them.

``python -m tests.native.games perceptron csv`` plays some, ``python -m tests.native.games`` all, in a process of its
own: Numba compiles for the processor of the extension module, which must be known before it is imported. What was
called is printed as JSON.
"""

# ruff: noqa: T201 - what the tests read

import json
import os
import sys
import warnings
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from littlestone.engine import ahead

if ahead.native is not None:  # it is also imported where nothing was compiled ahead of time, as tests are collected
    os.environ["NUMBA_CPU_NAME"] = json.loads(ahead.native.FACTS)["cpu"]
    os.environ["NUMBA_CPU_FEATURES"] = ""

import numpy as np

import littlestone as ls
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.sets import bits
from littlestone.learners import LEARNERS
from littlestone.learners.regressors import REGRESSORS
from littlestone.models.calibration import Calibration
from littlestone.models.following.known import of_known
from littlestone.models.warming import warm_up
from littlestone.streams.wrappers.pairs import Pairs
from littlestone.theory.drift import simulate
from tests.battery import KINDS, check
from tests.native.three_ways import exported, three_ways

RNG = np.random.default_rng(0)
X = RNG.random((60, 9)) < 0.4
Y = X[:, :2].any(axis=1) ^ (RNG.random(60) < 0.1)
REAL = X * RNG.normal(size=X.shape)
CLASSES = np.array(["a", "b", "c"])[X[:, :2].sum(axis=1)]


def begun(learner):
    return learner.begin(9, labels=(False, True))


def play(make, *, real=True):
    """Learn by blocks and one by one, Boolean rows and others, weighed, too, and ask for all that can be asked."""
    learner = begun(make())
    weights = RNG.random(60) * 2 if real else 1.0 * (RNG.random(60) < 0.8)
    positive = np.abs(REAL) if learner.domain == "non-negative" else REAL
    for rows in [X, positive] if learner.domain in ("any", "non-negative") else [X]:
        learner = begun(make())
        learner.learn(rows, Y)
        learner.learn(rows, Y, weight=weights)
        learner.predict(rows)
        learner.activation(rows)
        learner.hypothesis()
        named = make().begin(9, labels=(False, True), names=[f"x{i}" for i in range(9)])
        for row, label in zip(rows[:12].tolist(), Y.tolist(), strict=False):
            x = {f"x{i}": value for i, value in enumerate(row) if value}
            named.predict_one(x)
            named.learn_one(x, label)


def perceptron():
    for dtype, averaged in product(("float64", "float32"), (False, True)):
        play(lambda: ls.Perceptron(dtype=dtype, averaged=averaged, margin=0.25 * averaged))  # noqa: B023
    calibrated(ls.Perceptron(), REAL, Y)


def winnow():
    for options in ({}, {"averaged": True}, {"demotion": 0.7}, {"dtype": "float32", "w1": 0.3}, {"randomized": True}):
        play(lambda: ls.Winnow(theta=4, alpha=1.5, **options))  # noqa: B023
    names = tuple(f"x{i}" for i in range(9))
    many = ls.Winnow(alpha=1.1, demotion=0.7).begin(9, labels=(False, True), names=names)
    block = replace(ls.Block.from_arrays(X), names=names)
    while "states" in many.state() and many.state()["states"].dtype == np.uint8:  # until 256 weights are not enough
        many.learn(block, RNG.random(60) < 0.5)
    assert many.state()["states"].dtype == np.uint16
    for row, label in zip(X[:12].tolist(), Y.tolist(), strict=False):
        many.predict_one({f"x{i}": 1 for i, on in enumerate(row) if on})
        many.learn_one({f"x{i}": 1 for i, on in enumerate(row) if on}, label)


def auto():
    for rows, labels in ((X, Y), (REAL, Y), (X, CLASSES), (REAL, CLASSES)):
        learner = ls.Auto()
        learner.learn(rows, labels)
        learner.predict(rows)
        learner.activation(rows)
        learner.learn(rows, labels, weight=np.full(60, 0.5))
        learner.said(rows)
        calibrated(ls.Auto(), rows, labels)


def calibrated(learner, rows, labels):
    """Learn probabilities on the way, with weights and without, and one by one; ask for them."""
    block, calibration = ls.from_arrays(rows, labels).block, Calibration.of(learner)
    calibration.learn(learner, block)
    calibration.learn(learner, replace(block, weights=RNG.random(60)))
    calibration.learn_one(learner, np.asarray(rows[0], dtype=float), labels[0])
    calibration.probabilities(learner, block)
    calibration.learn_asked(learner, block)
    calibration.learn_asked(learner, replace(block, weights=RNG.random(60)))


LINES = [(row.tolist(), label) for row, label in zip(REAL.round(3), Y.tolist(), strict=True)]


def read(name, text, **options):
    """Read a file in several ways: whole and by small pieces, by position and with hashed names."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text)
        for more in ({}, {"hash_bits": 8}):
            ls.play(ls.Perceptron(), ls.open(path, **options, **more))


def svmlight():
    lines = [f"{int(y)} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x) if v) + "\n" for x, y in LINES]
    read("some.svm", "".join(lines))


def vw():
    lines = [f"{1 if y else -1} {1 + y} 'tag|a " for _, y in LINES]
    parts = [" ".join(f"w{i}:{v}" for i, v in enumerate(x) if v) + " |b c d:1.5e-3\n" for x, _ in LINES]
    read("some.vw", "".join(map(str.__add__, lines, parts)))


def csv():
    head = ",".join(f"x{i}" for i in range(9)) + ",colour,label\n"
    lines = [",".join(map(str, x)) + f",{'red' if y else 'blue'},{y}\n" for x, y in LINES]
    read("some.csv", head + "".join(lines), label="label")


def jsonl():
    lines = [json.dumps({"label": y, **{f"x{i}": v for i, v in enumerate(x)}}) + "\n" for x, y in LINES]
    read("some.jsonl", "".join(lines), label="label")


def learners():
    """Every learner, and every kind of option that changes what is kept."""
    for kind in LEARNERS.values():
        names = {*kind.parameter_names()}
        play(kind, real=False)
        for option in ({"averaged": True}, {"dtype": "float32"}, {"covariance": "full"}, {"bias": True}):
            if option.keys() <= names:
                play(lambda: kind(**option), real=False)  # noqa: B023


def play_numbers(make):
    """Learn numbers by blocks, with weights and without, of Boolean rows and others, and ask for all there is."""
    weights, y = RNG.random(60) * 2, 1.0 * Y
    if make().measure.range[0] < 0.0:
        y += RNG.normal(size=60)
    for rows in (X, REAL):
        learner = make().begin(9)
        learner.learn(rows[:30], y[:30])
        learner.learn(rows, y, weight=weights)
        learner.learn(np.zeros((3, 9)), [0.0, 1.0, 0.0])
        learner.predict(rows)
        learner.activation(rows)
        learner.hypothesis()
    loss = learner.measure
    loss.slope(learner.predict(X), y)
    loss.predicted(learner.activation(X))
    named = make().begin(9, names=[f"x{i}" for i in range(5)])
    for row, outcome in zip(REAL[:12].tolist(), y.tolist(), strict=False):
        x = {f"x{i}": value for i, value in enumerate(row) if value}
        named.predict_one(x)
        named.learn_one(x, outcome)


def regressors():
    """Every regressor, every loss, and every kind of option that changes what is kept, or how a row is measured."""
    losses = ("absolute", "insensitive:0.1", "huber:0.5", "quantile:0.75", "logistic", "linear-hinge:0.5")
    options = [
        {},
        {"bias": False},
        {"eta": 0.01},
        {"X": 3.0},
        {"covariance": "diagonal"},
        {"variant": "PA-II"},
        {"p": 3},
    ]
    for kind in REGRESSORS.values():
        for option in (*options, *({"loss_function": loss} for loss in losses)):
            if option.keys() <= {*kind.parameter_names()}:
                play_numbers(lambda: kind(**option))  # noqa: B023
    for link in (ls.links.exponential(), ls.links.power(1.5), ls.links.two_sinh(1.5)):
        play_numbers(lambda: ls.MirrorDescent(link=link, eta=0.01))  # noqa: B023
    steep = ls.ExponentiatedGradient(eta=100.0, bias=False).begin(2)  # its total is renewed
    steep.learn(np.eye(2)[[0, 1] * 10], np.arange(20.0))


def battery():
    """Games of the random battery, some of every kind."""
    for kind, number in product(KINDS, range(4)):
        check(kind, number, shrink=False)


def stored():
    """Learners that keep their mistakes: as bits or as lists, Boolean or not, in tables and in maps."""
    for kernel in ("monotone", "conjunctions:2", "polynomial:3", "gaussian:0.5", "linear"):
        play(lambda: ls.learners.KernelPerceptron(kernel), real=False)  # noqa: B023
    sparse = np.zeros((80, 3000), dtype=bool)
    sparse[np.arange(80).repeat(4), RNG.integers(0, 3000, 320)] = True
    learner = ls.learners.KernelPerceptron("monotone").begin(3000)
    for _ in range(3):
        learner.learn(sparse, RNG.random(80) < 0.5)
    learner.from_state(learner.params(), learner.state()).predict(sparse)
    for options in ({"max_size": 2}, {"method": "gibbs", "sweeps": 20}):
        winnow = ls.learners.KernelWinnow(**options)
        winnow.learn(X[:30], Y[:30])
        winnow.predict(X)
    more = RNG.random((60, 14)) < 0.6
    ls.learners.KernelWinnow().learn(more, RNG.random(60) < 0.5)  # a map of more than a hundred sets
    learner = ls.learners.WeightedMajority(policy="always").begin(14)
    for _ in range(40):  # until there are more errors than two bytes hold
        learner.learn(more[:1], [1], weight=[1000.0])
    ls.kernels.Conjunctions().gram(X[:5], X)


def wide():
    """Exponents of two bytes, as after many distinct weights."""
    warm_up("winnow")
    warm_up(ls.Winnow(alpha=1.1, demotion=0.7))


def theory():
    """What other parts of the package ask for: simulations, pruning, pairs of attributes, rules of one's own."""
    for mode in ("single", "asynchronous", "synchronous"):
        simulate(n=9, mode=mode, runs=5, threads=1)
    learner = ls.Perceptron()
    learner.learn(REAL, Y)
    ls.prune(learner, stream=ls.from_arrays(REAL, Y))
    xor = ls.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [0, 1, 1, 0] * 9)
    ls.play(ls.Perceptron(), Pairs(xor))
    ls.play(ls.Perceptron(), Pairs(ls.from_arrays(RNG.random((4, 150)) < 0.5, [0, 1, 0, 1])))
    many = [(f"{i % 2} |a " + " ".join(f"name{i}_{j}:{j}.5" for j in range(40)) + "\n") for i in range(40)]
    read("many.vw", "".join(many))
    play(lambda: ls.OwnRule(rule=ls.rule(lambda m, s, weight, trial: weight / trial, order=1)), real=False)
    bits.carry(RNG.integers(-5, 5, 40), False)
    bits.carry(RNG.integers(-5, 5, 40), True)


def following():
    """Rows of names that a model knows, in any order, with zeros, and with a value that is none."""
    model = ls.Model.train([{"a": 1, "b": 1}, {"b": 1, "c": 1}] * 5, [1, 0] * 5)
    for rows in ([{"c": 1, "a": 1}], [{"c": 0.5, "b": 0, "a": 2}, {}, {"a": 1}], [{"a": 1}, {"a": 1e300}]):
        of_known(rows, model.learner.vocabulary)
        of_known([{f"w{i}": 1 for i in range(99)}], Vocabulary(f"w{i}" for i in reversed(range(99))))


ALL = (
    perceptron,
    winnow,
    auto,
    svmlight,
    vw,
    csv,
    jsonl,
    learners,
    regressors,
    battery,
    stored,
    wide,
    theory,
    following,
)
GAMES = {game.__name__: game for game in ALL}


def expected():
    """All signatures of the module: kernels, and the types of their arrays."""
    from native.signatures import signatures

    found = []
    for name in sorted(exported()):
        module, _, function = name.rpartition(".")
        kernel = getattr(import_module(module), function)
        several = signatures(getattr(kernel, "code", kernel).py_func)
        found += [[name, *array_types(one.arguments)] for one in several]
    return found


def array_types(kinds):
    from numba import types

    for kind in kinds:
        if isinstance(kind, types.Array):
            yield str(kind.dtype)
        elif isinstance(kind, types.BaseTuple):
            yield from array_types(kind)


def main(names):
    warnings.simplefilter("error")
    with three_ways() as seen:
        for name in names or GAMES:
            GAMES[name]()
    called = sorted([name, *types] for name, types in seen.types)
    plain = sorted([name, *types] for name, types in seen.plain)
    print(json.dumps({"called": called, "plain": plain, "expected": expected() if not names else []}))


if __name__ == "__main__":
    main(sys.argv[1:])
