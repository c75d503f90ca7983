"""What is made of learners in the hands of scikit-learn and river."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter

RNG = np.random.default_rng(4)
X = RNG.random((200, 8)) < 0.4
Y = np.where(X[:, :2].any(axis=1) ^ (RNG.random(200) < 0.05), "spam", "ham")
MADE = {
    "experts": lambda: ls.Experts([ls.Perceptron(), ls.learners.AROW(), ls.Perceptron(averaged=True)]),
    "calibrated": lambda: ls.Calibrated(ls.Perceptron(averaged=True)),
    "delayed": lambda: ls.Delayed(ls.Perceptron()),
    "calibrated experts": lambda: ls.Calibrated(ls.Experts([ls.Winnow(), ls.learners.Bounded(ls.Perceptron())])),
    "restarting": lambda: ls.Restarting(ls.learners.AROW()),
    "forgetting": lambda: ls.Forgetting(ls.learners.AROW(), window=70),
    "plain": lambda: ls.Winnow.for_disjunctions(n=8, k=2),
}
made = pytest.mark.parametrize("make", MADE.values(), ids=MADE)
SOUND = ("passed", "skipped")


# scikit-learn


@made
def test_an_estimator_of_scikit_learn(make):
    facade = pytest.importorskip("littlestone.sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    model = facade.classifier(make()).fit(X, Y)
    alone = make().begin(8, labels=(0, 1))
    alone.learn(X, (Y == "spam").astype(int))
    assert (model.learner.trials, model.learner_.trials, model.run_.mistakes) == (0, 200, alone.mistakes)
    assert model.predict(X).tolist() == [("ham", "spam")[code] for code in alone.predict(X)]
    assert ((model.decision_function(X) > 0) == (model.predict(X) == "spam")).all()
    shares = model.predict_proba(X)
    assert model.classes_[shares.argmax(axis=1)].tolist() == model.predict(X).tolist()
    again = clone(model).set_params(max_iter=2)
    assert again.learner is not model.learner
    assert not hasattr(again, "learner_")
    parts = clone(model).partial_fit(X[:90], Y[:90], classes=["ham", "spam"]).partial_fit(X[90:], Y[90:])
    for other in (parts, pickle.loads(pickle.dumps(model)), clone(model).fit(X, Y), copy.deepcopy(model).fit(X, Y)):
        assert other.predict(X).tolist() == model.predict(X).tolist()
        assert other.predict_proba(X).tolist() == shares.tolist()
        assert repr(other.learner_) == repr(model.learner_)
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.7


def test_scikit_learns_own_suite_on_what_is_made_of_learners():
    facade = pytest.importorskip("littlestone.sklearn")
    from sklearn.utils.estimator_checks import check_estimator

    excused = {"check_parameters_default_constructible": "its parameter is a learner, which has no default"}
    for name in ("experts", "calibrated", "delayed", "restarting", "forgetting"):
        model = facade.classifier(MADE[name]())
        found = check_estimator(model, expected_failed_checks=excused, on_skip=None)
        assert {check["check_name"] for check in found if check["status"] not in SOUND} <= set(excused), name


def test_many_classes_of_scikit_learn():
    facade = pytest.importorskip("littlestone.sklearn")
    three = np.array(["a", "b", "c"])[X[:, 0].astype(int) + (X[:, 1] & X[:, 0])]
    model = facade.classifier(ls.Delayed(ls.MulticlassPerceptron())).fit(X, three)
    plain = facade.MulticlassPerceptronClassifier().fit(X, three)
    assert model.predict(X).tolist() == plain.predict(X).tolist()
    assert model.predict_proba(X).tolist() == plain.predict_proba(X).tolist()
    assert model.decision_function(X).shape == (200, 3)


# river


@made
def test_a_model_of_river(make):
    facade = pytest.importorskip("littlestone.river")
    rows = [{f"a{i}": int(value) for i, value in enumerate(row)} for row in X]
    model = facade.classifier(make())
    model = type(model)(make(), n=8, labels=("ham", "spam"))
    alone = make().begin(8, labels=(False, True))
    for x, y in zip(rows, Y.tolist(), strict=True):
        assert model.predict_one(x) == ("ham", "spam")[alone.predict_one(x)]
        model.learn_one(x, y)
        alone.learn_one(x, y == "spam")
    assert (model.learner.trials, model.learner_.trials, model.learner_.mistakes) == (0, 200, alone.mistakes)
    shares = model.predict_proba_one(rows[0])
    assert set(shares) == {"ham", "spam"}
    assert sum(shares.values()) == pytest.approx(1.0)
    assert max(shares, key=shares.get) == model.predict_one(rows[0])
    assert model.clone().learner_.trials == 0
    frame = pd.DataFrame(rows)
    many = model.clone()
    many.learn_many(frame, pd.Series(Y))
    assert many.predict_many(frame).tolist() == [model.predict_one(x) for x in rows]
    assert set(model.weights) == {f"a{i}" for i in range(8)}
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert [other.predict_one(x) for x in rows] == [model.predict_one(x) for x in rows]


def test_rivers_own_checks_on_what_is_made_of_learners():
    facade = pytest.importorskip("littlestone.river")
    from river import checks

    for name in ("experts", "calibrated", "delayed", "restarting", "forgetting"):
        model = facade.classifier(MADE[name]())
        for check in checks.yield_checks(model):
            check(model.clone())


def test_many_classes_of_river():
    facade = pytest.importorskip("littlestone.river")
    model, plain = facade.classifier(ls.Delayed(ls.WinnerTakesAll())), facade.WinnerTakesAllClassifier()
    for row, y in zip(X, ["a", "b", "c", "a"] * 50, strict=True):
        x = {f"a{i}": int(value) for i, value in enumerate(row)}
        assert model.predict_one(x) == plain.predict_one(x)
        assert model.predict_proba_one(x) == plain.predict_proba_one(x)
        model.learn_one(x, y)
        plain.learn_one(x, y)


@pytest.mark.parametrize("host", ["sklearn", "river"])
def test_bounded_learners_of_many_classes_are_given_whole(host):
    facade = pytest.importorskip(f"littlestone.{host}")
    bounded = ls.Bounded(ls.WinnerTakesAll(), max_attributes=10)
    with pytest.raises(InvalidParameter, match=r"of two labels, got Bounded\(.*: classifier\(Bounded\("):
        facade.BoundedClassifier(learner=ls.WinnerTakesAll()).fit(np.eye(3), [0, 1, 0])
    model = facade.classifier(bounded)
    if host == "sklearn":
        assert model.fit(np.eye(3), ["a", "b", "c"]).predict(np.eye(3)).tolist() == ["a", "b", "c"]
        return
    for _ in range(3):
        for label in "abc":
            model.learn_one({f"is {label}": 1.0}, label)
    assert [model.predict_one({f"is {label}": 1.0}) for label in "abc"] == ["a", "b", "c"]
    assert sum(model.predict_proba_one({"is a": 1.0}).values()) == pytest.approx(1.0)
