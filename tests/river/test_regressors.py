"""The regressors in river: its own suite, and what it does not ask."""

import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("river", reason="river is not installed: pip install littlestone[river]")

import pandas as pd
import polars as pl
from river import checks, datasets, evaluate, metrics, preprocessing

import littlestone as ls
import littlestone.river as facade
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, UnknownSize
from littlestone.learners.regressors import REGRESSORS
from littlestone.models.facade import called
from littlestone.river import GradientDescentRegressor

KINDS = [getattr(facade, called(learner)) for learner in REGRESSORS.values()]
QUICK = {"AutoRegressor", "EGPlusMinusRegressor", "GradientDescentRegressor"}
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def suite():
    """Yield every check of river's suite with every regressor."""
    for kind in KINDS:
        for params in kind._unit_test_params():
            model = kind(**params)
            for i, check in enumerate(checks.yield_checks(model)):
                slow = kind.__name__ not in QUICK or check.__name__ == "check_bounded_memory_growth"
                yield pytest.param(model, check, id=f"{kind.__name__}-{i}-{check.__name__}",
                                   marks=[pytest.mark.slow] if slow else [])  # fmt: skip


@pytest.mark.parametrize(("model", "check"), list(suite()))
def test_rivers_own_suite(model, check):
    assert not model._unit_test_skips()
    check(model.clone())


def made(kind):
    return kind(**next(kind._unit_test_params()))


def stream(rows=60, n=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)).round(2)
    return X, X[:, 0] / 2 + X[:, 1] / 4


def test_every_regressor_has_its_model():
    assert {kind.__name__ for kind in KINDS} | {"LearnerRegressor", "regressor"} <= set(facade.__all__)


@each
def test_parameters_are_the_learners(kind):
    shown = {name: p.default for name, p in inspect.signature(kind).parameters.items()}
    assert [name for name in shown if name != "n"] == kind._kind.parameter_names()
    with pytest.raises(TypeError, match="no parameter 'zeta'"):
        kind(zeta=1)


@each
@pytest.mark.parametrize("frames", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_one_by_one_frames_and_the_learner_itself_agree(kind, frames):
    X, y = stream()
    names = [f"w{i}" for i in range(X.shape[1])]
    one, many = made(kind), made(kind)
    learner = kind._kind(**{name: getattr(one, name) for name in kind._kind.parameter_names()}).begin(one.n)
    for row, outcome in zip(X, y, strict=True):
        x = dict(zip(names, row.tolist(), strict=True))
        before = one.predict_one(x)
        assert learner.learn_one(x, float(outcome)) == before
        one.learn_one(x, float(outcome))
    for at in (0, 30):
        many.learn_many(frames({name: X[at : at + 30, i] for i, name in enumerate(names)}), y[at : at + 30])
    assert one.loss == many.loss == learner.loss
    frame = frames({name: X[:, i] for i, name in enumerate(names)})
    said = many.predict_many(frame)
    assert isinstance(said, type(frame[names[0]]))
    assert said.to_list() == [one.predict_one(dict(zip(names, row, strict=True))) for row in X]
    again = pickle.loads(pickle.dumps(one))
    assert again.predict_one({"w1": 0.5}) == one.predict_one({"w1": 0.5})
    assert one.guarantee == learner.guarantee


@pytest.mark.parametrize(
    ("x", "y", "error"),
    [
        ({"new": 1}, "spam", InvalidLabel),
        ({"new": 1}, float("nan"), InvalidLabel),
        ({"new": 1}, None, InvalidLabel),
        ({"new": "red"}, 1.0, InvalidData),
        ({"new": float("nan")}, 1.0, InvalidData),
        ("text", 1.0, InvalidData),
    ],
)
def test_a_refusal_leaves_no_trace(x, y, error):
    model = GradientDescentRegressor()
    model.learn_one({"a": 1, "b": 0.5}, 2.0)
    before = pickle.dumps(model)
    with pytest.raises(error):
        model.learn_one(x, y)
    if isinstance(x, dict):
        with pytest.raises(error):
            model.learn_many(pd.DataFrame([x]), [y])
    assert pickle.dumps(model) == before


def test_n_is_asked_for_where_it_matters():
    model = facade.EGPlusMinusRegressor()
    frame = pd.DataFrame({"a": [1.0]})
    for call in (
        lambda: model.learn_one({"a": 1}, 1.0), lambda: model.predict_one({"a": 1}),
        lambda: model.learn_many(frame, [1.0]), lambda: model.predict_many(frame),
    ):  # fmt: skip
        with pytest.raises(UnknownSize, match="EGPlusMinusRegressor: the number of attributes is needed .* give n="):
            call()
    model = facade.EGPlusMinusRegressor(n=1)
    model.learn_one({"a": 1}, 1.0)
    with pytest.raises(InvalidData, match="one more than the fixed n=1"):
        model.learn_one({"b": 1}, 1.0)


def test_pipelines_and_progressive_validation():
    model = preprocessing.StandardScaler() | GradientDescentRegressor(c=0.1)
    assert evaluate.progressive_val_score(datasets.TrumpApproval(), model, metrics.MAE()).get() < 3.0
    assert set(model["GradientDescentRegressor"].weights) == set(next(iter(datasets.TrumpApproval()))[0])


def test_a_learner_or_its_name():
    named = facade.regressor("gradient-descent:eta=0.1")
    assert type(named) is GradientDescentRegressor and named.eta == 0.1
    learner = ls.GradientDescent(eta=0.1)
    given = facade.regressor(learner)
    for model in (named, given):
        model.learn_one({"a": 1}, 1.0)
    assert given.predict_one({"a": 1}) == named.predict_one({"a": 1}) and learner.trials == 0
    assert repr(given.clone().learner) == repr(learner)
    with pytest.raises(InvalidParameter, match="did you mean gradient-descent"):
        facade.regressor("gradient-descend")
