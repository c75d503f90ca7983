"""The regressors in scikit-learn: its own suite, and what it does not ask."""

import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")

import pandas as pd
import polars as pl
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import littlestone as ls
import littlestone.sklearn as facade
from littlestone.core.errors import InvalidParameter
from littlestone.learners.regressors import REGRESSORS
from littlestone.models.facade import called
from littlestone.sklearn import GradientDescentRegressor

KINDS = [getattr(facade, called(learner)) for learner in REGRESSORS.values()]
QUICK = {"AutoRegressor", "ExponentiatedGradientRegressor", "GradientDescentRegressor"}
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def rows(trials=60, n=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((trials, n)) * (rng.random((trials, n)) < 0.5)
    return X, X[:, 0] / 2 + X[:, 1] / 4 + 0.1 * rng.random(trials)


@parametrize_with_checks(
    [kind() for kind in KINDS if kind.__name__ in QUICK],
    expected_failed_checks=lambda estimator: facade.EXCUSED.get(type(estimator).__name__, {}),
)
def test_scikit_learns_own_suite(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [kind() for kind in KINDS if kind.__name__ not in QUICK],
    expected_failed_checks=lambda estimator: facade.EXCUSED.get(type(estimator).__name__, {}),
)
def test_scikit_learns_own_suite_on_the_others(estimator, check):
    check(estimator)


def test_names_lose_the_word_that_says_what_they_are():
    assert called(ls.GradientDescent) == "GradientDescentRegressor"
    assert called(REGRESSORS["beg-regression"]) == "BEGRegressor"
    assert called(ls.Winnow) == "WinnowClassifier"
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS)
    assert not any("RegressionRegressor" in name or "RegressorRegressor" in name for name in facade.__all__)
    for wrong in ("WinnowRegressor", "GradientDescentClassifier", "Regressor", "BEGRegressionRegressor"):
        with pytest.raises(AttributeError):
            getattr(facade, wrong)


@each
def test_the_signature_is_the_learners(kind):
    learner = kind._learner
    shown = {name: p.default for name, p in inspect.signature(kind).parameters.items()}
    assert [name for name in shown if name != "max_iter"] == learner.parameter_names()
    assert kind().get_params() == shown
    assert kind.__doc__.splitlines()[0] == learner.__doc__.splitlines()[0]
    assert all(name in kind.__doc__ for name in shown)
    assert kind.__name__ in facade.__all__
    with pytest.raises(TypeError, match="no parameter 'zeta'"):
        kind(zeta=1)


@each
def test_dense_sparse_frame_and_the_learner_itself_agree(kind):
    X, y = rows()
    model, learner = kind().fit(X, y), kind._learner().begin(X.shape[1])
    learner.learn(X, y)
    assert np.array_equal(model.predict(X), learner.predict(X))
    assert model.loss_ == learner.loss == model.run_.loss
    frame = pd.DataFrame(X, columns=[f"w{i}" for i in range(X.shape[1])])
    for given in (sparse.csr_matrix(X), sparse.csc_array(X), pl.from_pandas(frame), frame):
        again = clone(model).fit(given, y)
        assert np.array_equal(again.predict(given), model.predict(X))
    assert again.feature_names_in_.tolist() == frame.columns.tolist()
    if learner.hypothesis() is None:
        assert not hasattr(model, "coef_")
    else:
        assert np.array_equal(model.coef_, learner.hypothesis().w)
        assert model.intercept_ == -learner.hypothesis().theta


@each
def test_parts_in_order_are_one_pass_and_fit_forgets(kind):
    X, y = rows()
    whole, parts = kind().fit(X, y), kind()
    for at in range(0, 60, 20):
        parts.partial_fit(X[at : at + 20], y[at : at + 20])
    assert np.array_equal(whole.predict(X), parts.predict(X))
    assert parts.loss_ == whole.loss_
    assert not hasattr(parts, "run_")
    again = pickle.loads(pickle.dumps(whole))
    assert again.run_.stream is None and whole.run_.stream is not None
    assert np.array_equal(again.partial_fit(X, y).predict(X), whole.partial_fit(X, y).predict(X))
    assert np.array_equal(parts.fit(X, y).predict(X), kind().fit(X, y).predict(X))


def test_theory_comes_along():
    X, y = rows()
    model = GradientDescentRegressor(X=3.0).fit(X, y)
    run = ls.play(ls.GradientDescent(X=3.0).begin(8), _stream(X, y))
    assert model.guarantee_ == model.learner_.guarantee
    assert model.run_.regret(np.zeros(8)) == run.regret(np.zeros(8))


def _stream(X, y):
    from littlestone.core.block import Block
    from littlestone.streams import ArrayStream

    return ArrayStream(Block.from_arrays(X).numbered(y))


def test_more_passes_searches_and_pipelines():
    X, y = load_diabetes(return_X_y=True)
    piped = make_pipeline(StandardScaler(), GradientDescentRegressor(max_iter=20, c=0.1))
    assert cross_val_score(piped, X, y, cv=3).mean() > 0.3
    search = GridSearchCV(piped, {"gradientdescentregressor__c": [0.1, 1.0]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"gradientdescentregressor__c"}
    model = search.best_estimator_[-1]
    assert model.n_iter_ == 20 and model.learner_.trials == 20 * len(X) and model.run_.trials == len(X)
    for wrong in (0, 1.5, "many"):
        with pytest.raises(InvalidParameter, match="max_iter must be a whole number >= 1"):
            GradientDescentRegressor(max_iter=wrong).fit(X, y)


@pytest.mark.parametrize("y", [["a", "b"], [1.0, np.nan], [1.0, np.inf], [1.0, 1e200], [1.0], [[1.0, 2.0], [2.0, 3.0]]])
def test_outcomes_are_finite_numbers(y):
    fresh = GradientDescentRegressor()
    with pytest.raises(ValueError, match="."):
        fresh.partial_fit([[1.0], [2.0]], y)
    assert not hasattr(fresh, "learner_")


def test_a_learner_or_its_name():
    X, y = rows()
    named = facade.regressor("GradientDescent:eta=0.1")
    assert isinstance(named, GradientDescentRegressor) and named.eta == 0.1
    learner = ls.GradientDescent(eta=0.1)
    given = facade.regressor(learner)
    assert np.array_equal(clone(given).fit(X, y).predict(X), named.fit(X, y).predict(X))
    assert learner.trials == 0
    for wrong, said in (
        (3, "such as 'gradient-descent:eta=0.1', got 3"),
        ("gradient-descend", "did you mean gradient-descent"),
        ("gradient-descent:etaa=2", "did you mean eta"),
        ("gradient-descent:eta=0", "eta must be a number > 0"),
    ):
        with pytest.raises(InvalidParameter, match=said):
            facade.regressor(wrong)


@pytest.mark.parametrize("display", ["diagram", "text"])
def test_estimators_are_displayed_without_warnings(display):
    with config_context(display=display):
        for estimator in [*(kind() for kind in KINDS), GradientDescentRegressor().fit(*rows())]:
            bundle = estimator._repr_mimebundle_()
            assert type(estimator).__name__ in bundle["text/plain"]
            assert ("text/html" in bundle) == (display == "diagram")
