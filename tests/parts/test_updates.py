"""Rules of learning: each stands in its learner's file, and a user's own runs the same way."""

import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.learners import OwnRule
from littlestone.learners.arow import arow
from littlestone.learners.confidence_weighted import confident_by_deviation, confident_by_variance
from littlestone.learners.narow import narow
from littlestone.learners.nherd import nherd
from littlestone.learners.scw import scw_1, scw_2
from littlestone.learners.second_order_perceptron import second_order_perceptron

RULES = [arow, nherd, narow, confident_by_deviation, confident_by_variance, scw_1, scw_2, second_order_perceptron]


@ls.rule
def decorated(m, v, weight):
    return (1.0 - m) / (v + 1.0 / weight), weight


def plain(m, square, weight, trial):  # noqa: ARG001 - so many are given
    return min((1.0 - m) / square, weight)


def data(form, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((200, 9)) < 0.4
    y = X[:, :3].any(axis=1) ^ (rng.random(200) < 0.1)
    return (X * rng.normal(size=X.shape) if form == "values" else X), y, rng.choice([0.0, 1.0, 2.5], 200)


def same(one, other):
    """The same state, bit for bit."""
    assert one.state().keys() == other.state().keys()
    for name, array in one.state().items():
        assert array.tobytes() == other.state()[name].tobytes(), name


@pytest.mark.parametrize("form", ["ones", "values"])
@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize("bias", [True, False])
def test_an_own_rule_of_the_second_order_is_the_learner_with_that_rule(form, covariance, bias):
    X, y, weight = data(form)
    mine, built_in = (kind(bias=bias, covariance=covariance) for kind in (OwnRule, ls.AROW))
    written = OwnRule(rule=decorated, bias=bias, covariance=covariance)
    for learner in (mine, built_in, written):
        learner.learn(X, y, weight=weight)
    same(mine, built_in)
    same(written, built_in)


@pytest.mark.parametrize("form", ["ones", "values"])
@pytest.mark.parametrize("bias", [True, False])
def test_an_own_rule_of_the_first_order_is_the_learner_with_that_rule(form, bias):
    X, y, weight = data(form)
    X = X[X.any(axis=1)]
    y, weight = y[: len(X)], weight[: len(X)]
    mine, built_in = OwnRule(rule=ls.rule(plain, order=1), bias=bias), ls.PassiveAggressive(C=1.0, bias=bias)
    for learner in (mine, built_in):
        learner.learn(X, y, weight=weight)
    same(mine, built_in)


def test_a_rule_is_asked_when_it_says():
    """On a tie the prediction is 1: only of a negative example is it a mistake."""
    X, asked = [[1, 0], [0, 1], [1, 0]], {}
    for when in ("mistake", "margin", "always"):
        rule = ls.rule(lambda m, square, weight, trial: 0.0 * m + 2.0, order=1, when=when)
        learner = OwnRule(rule=rule, bias=False)
        learner.learn(X, [1, 0, 1])
        asked[when] = learner.updates, learner.weights()
    assert asked == {"mistake": (1, {0: 0.0, 1: -2.0}), "margin": (2, {0: 2.0, 1: -2.0}),
                     "always": (3, {0: 4.0, 1: -2.0})}  # fmt: skip


def test_no_number_is_no_update_and_nothing_leaves_the_floats():
    X, y, _ = data("values")
    for order, function in ((2, lambda m, v, weight: (math.nan, 1.0)), (1, lambda m, s, weight, trial: math.nan)):
        learner = OwnRule(rule=ls.rule(function, order=order))
        learner.learn(X, y)
        assert learner.updates == 0
    wild = OwnRule(rule=ls.rule(lambda m, v, weight: (1e300, -1.0)))
    wild.learn(X, y)
    assert np.isfinite(wild.hypothesis().w).all()
    assert (wild.state()["moments"][1] == 1.0).all()  # a covariance does not grow
    long = OwnRule(rule=ls.rule(lambda m, s, weight, trial: math.inf, order=1))
    long.learn(X, y)
    assert np.isfinite(long.hypothesis().w).all()


@pytest.mark.parametrize(
    "learner",
    [ls.AROW(), ls.SCW(covariance="full"), ls.PassiveAggressive(), ls.ROMMA(), ls.Auto(), OwnRule(rule=decorated),
     OwnRule(rule=ls.rule(plain, order=1))],
    ids=str,
)  # fmt: skip
def test_no_address_is_in_a_pickle_or_in_a_state(learner):
    X, y, _ = data("ones")
    learner.learn(X, y)
    packed = pickle.dumps(learner)
    for rule in (*RULES, decorated, learner.params().get("rule") or arow):
        assert rule.address.to_bytes(8, "little") not in packed
        assert all(rule.address not in array.astype(object).ravel() for array in learner.state().values())
    twin = pickle.loads(packed)
    assert twin.learn(X, y).tolist() == learner.learn(X, y).tolist()
    same(twin, learner)


def test_a_rule_is_pickled_by_its_name():
    for rule in (*RULES, decorated):
        assert pickle.loads(pickle.dumps(rule)) is rule
        assert len(pickle.dumps(rule)) < 150
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(ls.rule(lambda m, v, weight: (0.0, 0.0)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ls.rule(lambda m, v, weight: (0.0, 0.0), order=3), "order must be 1 or 2"),
        (lambda: ls.rule(lambda m, v, weight: (0.0, 0.0), when="never"), "when must be one of mistake, margin, always"),
        (lambda: ls.rule(7), r"expected a function \(m, v, weight\)"),
        (lambda: ls.rule(lambda m, v: (0.0, 0.0)), r"expected \(m, v, weight\) -> \(alpha, c\), got TypeError"),
        (lambda: ls.rule(lambda m, v, weight: 1.0), r"expected \(m, v, weight\) -> \(alpha, c\)"),
        (lambda: ls.rule(lambda m, v, weight: (1.0, 2.0, 3.0)), r"got \(1.0, 2.0, 3.0\)"),
        (lambda: ls.rule(lambda m, s, weight, trial: float(str(m)), order=1), "Numba cannot compile it"),
        (lambda: OwnRule(rule=plain), "make one with littlestone.rule"),
        (lambda: OwnRule(rule=ls.rule(plain, order=1), covariance="full"), "has no covariance"),
    ],
)
def test_what_is_no_rule_is_refused(make, message):
    with pytest.raises(InvalidParameter, match=message):
        make()


def run(code, **environment):
    settings = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_own_rules_play_the_same_game_without_a_compiler():
    code = """
import littlestone as ls, numpy as np
X = np.random.default_rng(0).random((60, 5)) < 0.4
y = X[:, :2].any(axis=1)
for order, f in ((2, lambda m, v, weight: ((1 - m) / (v + 1), 1.0)), (1, lambda m, s, weight, trial: 1 / trial)):
    learner = ls.OwnRule(rule=ls.rule(f, order=order))
    learner.learn(X, y)
    print(learner.mistakes, learner.updates, learner.weights())
"""
    assert run(code) == run(code, NUMBA_DISABLE_JIT="1")


def test_a_second_process_compiles_no_rule(tmp_path):
    code = """
import littlestone as ls
from littlestone.engine import compiling
from littlestone.learners.arow import arow
from littlestone.learners.passive_aggressive import passive_aggressive
ls.AROW().learn([[1, 0], [0, 1]], [0, 1]), ls.PassiveAggressive().learn([[1, 0], [0, 1]], [0, 1])
print(compiling._COMPILED[arow].cache_hits, sum(passive_aggressive.code.dispatcher.stats.cache_hits.values()))
"""
    told = {"NUMBA_CACHE_DIR": str(tmp_path), "LITTLESTONE_NATIVE": "none"}
    assert run(code, **told).split() == ["0", "0"]
    assert run(code, **told).split() == ["1", "1"]


PROBE = """
from littlestone.engine.compiling import Addressed
from littlestone.engine.learning import rules

def doubled(m, v, weight, a, b):
    return {factor} * m, v

rule = Addressed(doubled, 5, 2)
"""


def test_a_change_of_a_rule_is_noticed(tmp_path):
    """The cache's stamp is that of the engine and that of the rule's own file."""
    found = []
    for factor in (2.0, 3.0):
        (tmp_path / "probe.py").write_text(PROBE.format(factor=factor))
        code = (
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
            "from probe import rule, rules\nprint(rules.step(rule.address, 0.0, 0.0, 1.5, 1.0, 1.0))"
        )
        found.append(run(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1").strip())
    assert found == ["(True, 3.0, 1.0)", "(True, 4.5, 1.0)"]
