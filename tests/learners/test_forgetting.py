"""Forgetting: every prediction is that of a learner that has begun at the turn before the last."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.learners import Bounded
from tests.learners.test_composites import same
from tests.learners.test_restarting import INSIDE, LABELS, changing, eliminating, many
from tests.naive.forgetting import predictions

inside = pytest.mark.parametrize("make", INSIDE.values(), ids=INSIDE)


def begun(learner, names=None):
    return learner.begin(6, labels=None if learner.many_classes else LABELS[2], names=names)


@pytest.mark.parametrize("window", [1, 2, 7, 40, 1000])
def test_it_is_its_twin(window):
    X, y = changing(160)
    rows = [{int(i): 1 for i in np.flatnonzero(row)} for row in X]
    learner = begun(ls.Forgetting(ls.Winnow(demotion=0, theta=2), window=window))
    assert learner.learn(X, y).tolist() == predictions(eliminating, rows, y.tolist(), window)


@pytest.mark.parametrize("window", [1, 7, 40])
def test_it_is_its_twin_with_many_classes(window):
    X, y = changing(150, 3)
    y[100:120] = "late"
    learner = ls.Forgetting(ls.MulticlassPerceptron(bias=False, policy="top"), window=window)
    assert learner.learn(X, y).tolist() == predictions(many, X.astype(int).tolist(), y.tolist(), window)


@inside
def test_its_invariant(make):
    """What the present learner has learned, it has learned from the trial that the box says on, and nothing else."""
    learner = begun(ls.Forgetting(make(), window=20))
    X, y = changing(110, 3 if learner.many_classes else 2)
    for t in range(110):
        start = 20 * max(0, t // 20 - 1)
        assert learner.remembered == learner.present.trials == t - start
        assert min(t, 20) <= learner.remembered < 40
        assert (None if learner.successor is None else learner.successor.trials) == (t % 20 if t >= 20 else None)
        if t % 13 == 0:
            known = list(dict.fromkeys(y[:start].tolist())) if learner.many_classes else LABELS[2]
            alone = make().begin(6, labels=known or None)
            alone.learn(X[start:t], y[start:t])
            assert learner.predict(X).tolist() == alone.predict(X).tolist()
            assert learner.activation(X).tolist() == alone.activation(X).tolist()
        learner.learn(X[t : t + 1], y[t : t + 1])


def test_what_was_before_has_no_part_in_it():
    """Two that have learned the opposite of each other are the same two windows later."""
    one, other = (begun(ls.Forgetting(ls.NaiveBayes(), window=30)) for _ in range(2))
    X, y = changing(120)
    one.learn(X[:30], y[:30])
    other.learn(X[:30], y[:30][::-1])
    said = [learner.learn(X[30:], y[30:])[:60].tolist() for learner in (one, other)]
    assert said[0][:30] != said[1][:30]
    assert said[0][30:] == said[1][30:]
    for name, learner in one.inner.items():
        same(learner, other.inner[name])


def test_the_last_w_of_two_cost_no_more_than_the_bound():
    stream = ls.teachers.Shifting(n=100, k=3, every=1000, trials=4000)
    run = ls.play(ls.Forgetting(ls.Winnow(demotion=0), window=500), stream)
    own = ls.Winnow(demotion=0).begin(100).guarantee.at(k=3).value
    made = np.bincount(run.mistake_trials // 500, minlength=8)
    assert (made[1::2] <= own).all()
    assert made.sum() < 0.6 * ls.play(ls.Winnow(demotion=0), stream).mistakes


@inside
@pytest.mark.parametrize("size", [1, 7, 64])
def test_blocks_and_files_change_nothing(make, size, tmp_path):
    whole, parts = (begun(ls.Forgetting(make(), window=30)) for _ in range(2))
    X, y = changing(200, 3 if whole.many_classes else 2)
    expected, said = whole.learn(X, y).tolist(), []
    for at in range(0, 200, size):
        if at % 3 == 0:
            ls.save(parts, tmp_path / "model.npz")
            again = parts.copy(), type(parts).from_state(parts.params(), parts.state()), ls.load(tmp_path / "model.npz")
            for one in again:
                same(one, parts)
            parts = again[-1]
        said += parts.learn(X[at : at + size], y[at : at + size]).tolist()
    assert said == expected
    same(whole, parts)


@inside
def test_one_at_a_time_is_many(make):
    names = [f"a{i}" for i in range(6)]
    many_rows, one = (begun(ls.Forgetting(make(), window=30), names) for _ in range(2))
    X, y = changing(150, 3 if one.many_classes else 2)
    said = many_rows.learn(replace(ls.Block.from_arrays(X), names=tuple(names)), y).tolist()
    for row, label, expected in zip(X, y.tolist(), said, strict=True):
        x = {names[i]: 1 for i in np.flatnonzero(row)}
        assert one.predict_one(x) == expected
        assert one.learn_one(x, label) == expected
    assert one.mistakes == many_rows.mistakes


def test_counts_of_a_run_never_fall():
    learner = ls.Forgetting(ls.Perceptron(), window=50)
    stream = ls.teachers.Disjunction(n=20, k=3, trials=400, noise=0.2)
    run, rest = ls.play(learner, stream), ls.play(learner, stream)
    assert run.updates == run.promotions + run.demotions == run.mistakes
    assert rest.updates == rest.mistakes == learner.mistakes - run.mistakes


def test_the_present_learner_is_asked():
    learner = begun(ls.Forgetting(ls.Auto(), window=25))
    X, y = changing(60, 3)
    learner.learn(X, y)
    assert learner.predict_proba(X).tolist() == learner.present.predict_proba(X).tolist()
    assert (learner.classes, learner.weights()) == (learner.present.classes, learner.present.weights())
    assert str(ls.explain(learner)) == str(ls.explain(learner.present))
    assert learner.guarantee is None
    assert repr(learner) == f"Forgetting(Auto(), window=25, 60 trials, {learner.mistakes} mistakes)"


@pytest.mark.parametrize("make", [ls.WinnerTakesAll, ls.MulticlassPerceptron, ls.Auto])
def test_class_counts_are_of_all_that_were_present(make):
    learner, steps = begun(ls.Forgetting(make(), window=7)), {}
    X, y = changing(60, 3)
    said = []
    for row in range(60):
        present, before = learner.present, learner.present.class_counts()
        said.append(learner.learn_one(X[row].astype(float), y[row]))  # the present one goes on, not a copy of it
        for label, after in present.class_counts().items():
            was = before.get(label)
            moved = np.array(after[2:4]) - (was[2:4] if was else 0)
            steps[label] = steps.get(label, 0) + moved
    for label, counts in learner.class_counts().items():
        mine = y == label
        assert counts[:2] == (mine.sum(), (mine & (np.array(said) != label)).sum())
        assert counts[2:4] == tuple(steps[label])
    assert learner.promotions == sum(counts.promotions for counts in learner.class_counts().values())


@pytest.mark.parametrize("array", ["steps", "classes"])
@pytest.mark.parametrize("value", [-1000, 1000])
def test_forged_counts_are_refused(array, value):
    learner = begun(ls.Forgetting(ls.WinnerTakesAll(), window=20))
    learner.learn(*changing(70, 3))
    state = learner.state()
    state[array].flat[0] = value
    if array == "steps" and value > 0:  # what many classes add up to nobody knows
        type(learner).from_state(learner.params(), state)
        return
    with pytest.raises(InvalidModel, match="Forgetting: steps, classes: expected the counts of 70 trials"):
        type(learner).from_state(learner.params(), state)


def test_a_late_refusal_leaves_no_trace():
    learner = ls.Forgetting(Bounded(ls.Perceptron(), max_attributes=3).begin(labels=(0, 1)), window=20)
    X, y = np.eye(6)[np.arange(60) % 6], np.arange(60) // 7 % 2
    X[50] = 1.0
    before = learner.copy()
    with pytest.raises(ls.InvalidData, match="row 50"):
        learner.learn(X, y)
    same(learner, before)


@pytest.mark.parametrize(
    ("params", "message"),
    [({"learner": ls.Perceptron}, "learned nothing"), ({}, "learner"),
     ({"learner": ls.Winnow(), "window": 0}, "window"), ({"learner": ls.Winnow(), "window": 1.5}, "window"),
     ({"learner": ls.Winnow(), "window": None}, "window")],
)  # fmt: skip
def test_parameters_are_checked(params, message):
    with pytest.raises(InvalidParameter, match=message):
        ls.Forgetting(**params)


@pytest.mark.parametrize(("trials", "forged"), [(70, 40), (70, 71), (10, 9), (25, 26), (60, 59)])
def test_a_forged_state_is_refused(trials, forged):
    learner = begun(ls.Forgetting(ls.Perceptron(), window=20))
    learner.learn(*(part[:trials] for part in changing(70)))
    state = learner.state()
    type(learner).from_state(learner.params(), state)
    state["game"][0] = forged
    with pytest.raises(InvalidModel, match="Forgetting: trials: expected"):
        type(learner).from_state(learner.params(), state)
