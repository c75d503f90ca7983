"""Restarting and Forgetting around learners that have learned already."""

import numpy as np
import pytest

import littlestone as ls
from tests.jumpy import jumpy

__all__ = ["jumpy"]

WINDOW, BEFORE, AFTER = 30, 70, 200
LEARNERS = [ls.Winnow(theta=4), ls.AROW(), ls.Auto(), ls.NaiveBayes(), ls.WinnerTakesAll(),
            ls.Bounded(ls.WinnerTakesAll(), max_attributes=12)]  # fmt: skip


def rows(learner):
    rng = np.random.default_rng(1)
    X = (rng.random((BEFORE + AFTER, 10)) < 0.3).astype(float)
    y = X[:, :3].any(axis=1) ^ (rng.random(len(X)) < 0.05)
    if learner.many_classes:
        return X, np.array(["a", "b", "c"])[y + X[:, 3].astype(int)]
    return X, y.astype(int)


def met(learner):
    """A learner that has learned the first rows, and all rows."""
    X, y = rows(learner)
    learner = learner.copy()
    if learner.needs_n:
        learner.begin(X.shape[1])
    learner.learn(X[:BEFORE], y[:BEFORE])
    return learner, X[BEFORE:], y[BEFORE:]


def counted(learner):
    found = [learner.trials, learner.mistakes, learner.updates, learner.promotions, learner.demotions, learner.labels]
    return found, learner.class_counts() if learner.many_classes else None


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_without_a_change_it_is_the_learner_itself(learner, tmp_path):
    learned, X, y = met(learner)
    found = ls.Restarting.around(learned, delta=1e-9)
    assert counted(found) == counted(learned)
    assert found.copy().learn(X, y).tolist() == learned.copy().learn(X, y).tolist()
    said = found.learn(X[:50], y[:50]).tolist()
    ls.save(found, path := tmp_path / "model.npz")
    again = ls.load(path)
    assert said + again.learn(X[50:], y[50:]).tolist() == learned.learn(X, y).tolist()
    assert again.duels == 0
    assert counted(again) == counted(learned)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_first_one_stays_for_two_windows(learner, tmp_path):
    """The twin keeps all learners, one that begins at each turn."""
    learned, X, y = met(learner)
    found, twins, said = ls.Forgetting.around(learned, window=WINDOW), [learned.copy()], []
    assert counted(found) == counted(learned)
    for t in range(AFTER):
        if t and t % WINDOW == 0:
            twins.append(twins[0].anew())
        present = twins[max(0, t // WINDOW - 1)]
        for twin in twins:
            prediction = twin.learn(X[t : t + 1], y[t : t + 1])
            said += prediction.tolist() if twin is present else []
    parts = []
    for start, stop in ((0, 7), (7, 95), (95, AFTER)):
        parts += found.learn(X[start:stop], y[start:stop]).tolist()
        ls.save(found, path := tmp_path / "model.npz")
        found = ls.load(path)
    assert parts == said
    assert found.trials == BEFORE + AFTER
    assert found.remembered == found.present.trials == AFTER - WINDOW * (AFTER // WINDOW - 1)


@pytest.mark.parametrize("begun", [[-1], [BEFORE + 21], [1, 1], [0.5], [3]])
def test_a_forged_beginning_is_refused(begun):
    learned, X, y = met(ls.AROW())
    found = ls.Forgetting.around(learned, window=WINDOW)
    found.learn(X[:20], y[:20])
    state = found.state() | {"begun": np.array(begun)}
    with pytest.raises(ls.errors.InvalidModel):
        ls.Forgetting.from_state(found.params(), state)


# Counts that are not those of what a learner is made of


def late():
    """One of labels that come later: it has made more mistakes than its learner, which knew more when they came."""
    learner = ls.Delayed(ls.WinnerTakesAll())
    for i in range(6):
        learner.predict_one({"a"}, id=i)
    for i in range(6):
        learner.learn_one(i, "x")
    return learner


@pytest.mark.parametrize("kind", [ls.Restarting, ls.Forgetting])
def test_labels_that_come_later_are_outside(kind, tmp_path):
    learner = late()
    assert learner.mistakes > learner.learner.mistakes
    with pytest.raises(ls.errors.InvalidParameter, match=f"put {kind.__name__} inside it"):
        kind.around(learner)
    ls.save(ls.Delayed(kind.around(learner.learner)), tmp_path / "model.npz")  # as it says


@pytest.mark.parametrize("kind", [ls.Restarting, ls.Forgetting])
def test_one_around_a_learner_that_has_learned_is_no_new_one(kind):
    for learned in (late(), ls.Delayed(late().learner), ls.Delayed(ls.Delayed(late().learner))):
        with pytest.raises(ls.errors.InvalidParameter, match="has learned nothing"):
            kind(learned)


@pytest.mark.parametrize("k", [1, 2])
def test_the_bound_of_forgetting_begins_with_those_that_follow(k):
    """Around one that has learned it holds from k = 2 on; here is why it does not for k = 1."""
    window, learner = 100, ls.Winnow(demotion=0, theta=2).begin(2, labels=(0, 1))
    learner.learn([[0, 1]] * 5 + [[1, 0]] * 3, [1] * 8)
    learner.learn([[0, 1]] * 5, [0] * 5)  # the second attribute is eliminated for good
    found = ls.Forgetting.around(learner, window=window)
    wrong = found.learn([[0, 1]] * (3 * window), [1] * (3 * window)) != 1
    bound = ls.Winnow(demotion=0, theta=2).begin(2).guarantee.at(k=1).value
    assert (wrong[k * window : (k + 1) * window].sum() <= bound) == (k >= 2)


# Two that learn together know the same


def met_in_game(kind, labels, names, n=None):
    learner = kind(ls.Perceptron(), **({"delta": 0.9} if kind is ls.Restarting else {"window": 5}))
    learner.begin(n, labels=labels, names=names)
    for i in range(100):
        learner.learn_one({names[0]: 1.0}, labels[i // 3 % 2])
        if i > 10 and len(learner.players) == 2:
            return learner
    return pytest.fail("never two players")


@pytest.mark.parametrize("kind", [ls.Restarting, ls.Forgetting])
@pytest.mark.parametrize(
    ("other", "told"), [(((1, 0), "ab"), "labels"), (((7, 8), "ab"), "labels"), (((0, 1), "qr"), "names"),
                        (((0, 1), "ab", 2), "n:")], ids=repr,
)  # fmt: skip
@pytest.mark.usefixtures("jumpy")
def test_two_that_know_different_things_are_refused(kind, other, told):
    learner, strange = met_in_game(kind, (0, 1), "ab"), met_in_game(kind, *other)
    second = [*learner.inner][1]
    forged = {k: v for k, v in strange.state().items() if k.startswith(second)}
    state = {k: v for k, v in learner.state().items() if not k.startswith(second)} | forged
    kind.from_state(learner.params(), learner.state())
    with pytest.raises(ls.errors.InvalidModel, match=told):
        kind.from_state(learner.params(), state)
