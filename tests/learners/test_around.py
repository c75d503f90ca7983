"""Restarting and Forgetting around learners that have learned already."""

import numpy as np
import pytest

import littlestone as ls

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
