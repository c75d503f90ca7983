"""Copies and pickles of everything that learns or predicts: independent, and they go on as the original does."""

import copy
import pickle

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners import LEARNERS
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.experts import Experts
from tests.thread_battery import MORE, data, named

X, Y = data()
BLOCK, DICTS = named(X, Y)
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "old pickle": lambda one: pickle.loads(pickle.dumps(one, protocol=2)),
}
copied = pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)


@copied
@pytest.mark.parametrize("make", [*LEARNERS.values(), *MORE.values()], ids=[*LEARNERS, *MORE])
def test_learners_and_predictors(make, how):
    learner = make().begin(len(X[0]), labels=(0, 1))
    learner.learn(BLOCK[:20])
    twin, predictor = how(learner), how(ls.freeze(learner))
    before = learner.predict(BLOCK).tolist()
    assert twin.learn(BLOCK).tolist() == learner.copy().learn(BLOCK).tolist()
    assert twin.learn_one(DICTS[3], 1) in (0, 1)
    assert learner.predict(BLOCK).tolist() == before == predictor.predict(BLOCK).tolist()
    assert (learner.trials, twin.trials, predictor.trials) == (20, 61, 20)


@copied
def test_what_is_made_of_learners(how):
    experts = Experts([ls.Perceptron(), ls.Winnow(theta=2)], randomized=True, seed=3)
    calibrated = Calibrated(ls.Perceptron(averaged=True))
    for service in (experts, calibrated):
        service.learn(X[:20], Y[:20])
        twin = how(service)
        assert twin.learn(X[20:], Y[20:]).tolist() == service.learn(X[20:], Y[20:]).tolist()
        assert twin.predict(X).tolist() == service.predict(X).tolist()
    assert calibrated.predict_proba(X).tolist() == how(calibrated).predict_proba(X).tolist()
    hedge = ls.Hedge(3)
    hedge.learn([[0.0, 1.0, 0.5]])
    twin = how(hedge)
    twin.learn([[1.0, 0.0, 0.0]])
    assert (hedge.trials, twin.trials, hedge.losses.tolist()) == (1, 2, [0.0, 1.0, 0.5])


@copied
def test_services_whose_labels_come_later(how):
    service = ls.Delayed(ls.Winnow(theta=2), limit=30)
    for i, x in enumerate(DICTS):
        service.predict_one(x, id=i)
    service.learn_one(20, 1)
    twin = how(service)
    assert repr(twin) == repr(service)
    assert [twin.learn_one(i, int(Y[i])) for i in range(21, 40)] == [
        service.learn_one(i, int(Y[i])) for i in range(21, 40)
    ]
    assert (twin.trials, twin.mistakes, twin.waiting) == (service.trials, service.mistakes, service.waiting)
    twin.learn_one(10, 0)
    assert service.waiting == twin.waiting + 1
    assert service.learner.trials == twin.learner.trials - 1


@pytest.mark.parametrize("how", list(COPIES.values())[1:], ids=list(COPIES)[1:])
def test_facades(how):
    """But for shallow copies, which share what was learned, as those of the hosts' own models do."""
    river, sklearn = pytest.importorskip("littlestone.river"), pytest.importorskip("littlestone.sklearn")
    model = river.WinnowClassifier(n=len(X[0]))
    for x, y in zip(DICTS, Y.tolist(), strict=True):
        model.learn_one(x, y)
    twin = how(model)
    assert [twin.predict_one(x) for x in DICTS] == [model.predict_one(x) for x in DICTS]
    twin.learn_one(DICTS[0], 1)
    assert twin.learner_.trials == 41
    classifier = sklearn.PerceptronClassifier().fit(X, Y)
    twin = how(classifier)
    assert np.array_equal(twin.partial_fit(X, Y).predict(X), copy.deepcopy(classifier).partial_fit(X, Y).predict(X))


def test_what_was_given_is_not_what_is_kept():
    service, value = ls.Delayed(ls.Perceptron().begin(labels=(0, 1))), np.array(1.0)
    service.predict_one({"a": value}, id=1)
    value[...] = 7.0
    service.learn_one(1, 0)
    assert service.learner.weights() == {"a": -1.0}


EYE = np.eye(3, dtype=bool)


@pytest.mark.parametrize("kind", [ls.Winnow, ls.BalancedWinnow, ls.Perceptron, ls.BayesBEG])
def test_learners_can_be_pickled(kind):
    learner = kind().begin(3)
    learner.learn(EYE, [0, 1, 0])
    again = pickle.loads(pickle.dumps(learner))
    assert again.learn(EYE, [1, 1, 0]).tolist() == learner.learn(EYE, [1, 1, 0]).tolist()
