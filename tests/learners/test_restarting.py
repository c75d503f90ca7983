"""Restarting: as its box says, whatever blocks rows come in; what a duel costs, and what restarts save."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.learners import Bounded, restarting
from tests.jumpy import jumpy  # noqa: F401 - a fixture
from tests.learners.test_composites import same
from tests.naive import loop
from tests.naive.multiclass_perceptron import MulticlassPerceptron
from tests.naive.perceptron import Perceptron
from tests.naive.restarting import Restarting
from tests.naive.winnow import Winnow

LABELS = {2: ("no", "yes"), 3: ("a", "b", "c")}
INSIDE = {
    "winnow": lambda: ls.Winnow(demotion=0, theta=2),
    "perceptron": lambda: ls.Perceptron(averaged=True, negations=True),
    "theorem": lambda: ls.Winnow.for_disjunctions(n=6, k=2),
    "bounded": lambda: Bounded(ls.Winnow(theta=2), max_attributes=8),
    "naive bayes": ls.NaiveBayes,
    "drift": ls.DirectedDrift,
    "kernel": lambda: ls.KernelPerceptron("monotone", budget=5),
    "experts": lambda: ls.Experts([ls.Perceptron(), ls.KernelWinnow(theta=1, max_size=2)], randomized=True),
    "calibrated": lambda: ls.Calibrated(ls.Perceptron()),
    "delayed": lambda: ls.Delayed(ls.AROW()),
    "another": lambda: ls.Restarting(ls.Perceptron()),
    "forgetting": lambda: ls.Forgetting(ls.Perceptron(), window=9),
    "classes": ls.WinnerTakesAll,
    "many": ls.MulticlassPerceptron,
    "auto": ls.Auto,
}
inside = pytest.mark.parametrize("make", INSIDE.values(), ids=INSIDE)


def changing(rows, classes=2, *, every=60, seed=0):
    """Rows whose first attributes give the label, in another way again and again, with some noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, 6)) < 0.4
    codes = (X[:, 0] | X[:, 1]).astype(int) + (classes > 2) * (X[:, 2] & X[:, 0])
    codes = (codes + np.arange(rows) // every + (rng.random(rows) < 0.05)) % classes
    return X, np.array(LABELS[classes])[codes]


# As its box says


class Slow:
    """A twin that is played one trial at a time."""

    def __init__(self, twin, theta):
        self.twin, self.theta = twin, Fraction(theta)

    def learn(self, x, y):
        return LABELS[2][loop.play(self.twin, [x], [y == "yes"], theta=self.theta).predictions[0]]


def eliminating(known=()):
    del known
    return Slow(Winnow(12, Fraction(2), Fraction(0), Fraction(1)), 2)


def additive(known=()):
    del known
    return Slow(Perceptron(12), 1)


def many(known):
    twin = MulticlassPerceptron(6, policy="top")
    for kept in (twin.M, twin.sums):
        kept.update({label: [Fraction(0)] * 6 for label in known})
    return twin


def shifting(*phases):
    """Rows of which two attributes give the label: phases of so many rows, which two, and how much noise."""
    rng, parts = np.random.default_rng(1), []
    for rows, first, noise in phases:
        X = rng.random((rows, 12)) < 0.25
        parts.append((X, (X[:, first] | X[:, first + 1]) ^ (rng.random(rows) < noise)))
    X, y = (np.concatenate(each) for each in zip(*parts, strict=True))
    return X, np.array(LABELS[2])[y.astype(int)], [{int(i): 1 for i in np.flatnonzero(row)} for row in X]


CHANGES = {
    "targets": [(700, at, 0.0) for at in (0, 4, 8, 2)],
    "bursts": [(500, 0, 0.0), (150, 0, 0.5), (600, 0, 0.0), (150, 0, 0.5), (500, 4, 0.0), (300, 6, 0.3)],
}


PAIRS = {
    "winnow": (lambda: ls.Winnow(demotion=0, theta=2), eliminating),
    "perceptron": (lambda: ls.Perceptron(theta=1, bias=False), additive),
}


@pytest.mark.parametrize(
    ("name", "changes", "delta", "expected"),
    [("winnow", "targets", 0.01, (3, 3, 3)), ("winnow", "bursts", 0.4, (1, 0, 0)),
     ("perceptron", "targets", 0.4, (0, 0, 0)), ("perceptron", "bursts", 0.01, (3, 1, 0)),
     ("perceptron", "bursts", 0.4, (3, 2, 0))],
)  # fmt: skip
def test_it_is_its_twin(name, changes, delta, expected):
    """Duels that are decided, that are ended by another change in favour of either, and one that goes on."""
    make, slow = PAIRS[name]
    X, y, rows = shifting(*CHANGES[changes])
    learner, twin = ls.Restarting(make().begin(12, labels=LABELS[2]), delta=delta), Restarting(slow, delta)
    assert learner.learn(X, y).tolist() == [twin.learn(row, label) for row, label in zip(rows, y.tolist(), strict=True)]
    assert (learner.duels, learner.restarts) == (twin.duels, twin.restarts)
    assert (learner.challenger is None) == (twin.challenger is None)
    assert (twin.duels, twin.restarts, twin.decisions) == expected


def test_it_is_its_twin_with_many_classes():
    """A class that comes late is known to all challengers after it."""
    X, y = changing(4000, 3, every=2000)
    y = np.where((X[:, 3] & X[:, 4]) & (np.arange(4000) > 1500), "late", y)
    y[2500:2900] = np.random.default_rng(0).choice(LABELS[3], 400)
    learner, twin = ls.Restarting(ls.MulticlassPerceptron(bias=False, policy="top"), delta=0.2), Restarting(many, 0.2)
    said = [twin.learn(row, label) for row, label in zip(X.astype(int).tolist(), y.tolist(), strict=True)]
    assert learner.learn(X, y).tolist() == said
    assert (learner.duels, learner.restarts) == (twin.duels, twin.restarts)
    assert twin.duels > 0


# What it is good for, and what it costs


def test_a_target_that_changes_once():
    stream = ls.teachers.Shifting(n=200, k=3, every=5000, trials=10_000)
    alone, learner = ls.Winnow(demotion=0), ls.Restarting(ls.Winnow(demotion=0))
    lost, mistakes = ls.play(alone, stream).mistakes, ls.play(learner, stream).mistakes
    assert (learner.duels, learner.restarts, learner.challenger) == (1, 1, None)
    assert mistakes < 0.1 * lost
    guarantee = learner.guarantee
    assert mistakes <= guarantee.value
    own = ls.Winnow(demotion=0).begin(200).guarantee.at(k=3).value
    assert guarantee.arguments["errors"] <= own
    assert guarantee.arguments["alone"] <= 2 * own + 100, "until the change was noticed, and after the duel"


@pytest.mark.usefixtures("jumpy")
@inside
def test_a_duel_costs_no_more_than_its_bound(make):
    learner = ls.Restarting(make(), delta=0.9)
    learner.begin(6, labels=None if learner.many_classes else LABELS[2])
    X, y = changing(400)
    for at in range(0, 400, 25):
        learner.learn(X[at : at + 25], y[at : at + 25])
        assert learner.mistakes <= learner.guarantee.value
    assert learner.guarantee == bounds.duels(**learner.guarantee.arguments)
    assert learner.duels > 20
    assert 0 < learner.restarts < learner.duels


def test_without_a_change_it_is_the_learner():
    stream = ls.teachers.Disjunction(n=100, k=3, trials=5000, noise=0.1)
    learner, alone = ls.Restarting(ls.Perceptron()), ls.Perceptron()
    run, plain = ls.play(learner, stream), ls.play(alone, stream)
    assert (learner.duels, run.mistake_trials.tolist()) == (0, plain.mistake_trials.tolist())
    assert (run.updates, run.promotions, run.demotions) == (plain.updates, plain.promotions, plain.demotions)
    same(learner.champion, alone)


# Blocks, names, labels and files change nothing


@pytest.mark.usefixtures("jumpy")
@inside
@pytest.mark.parametrize("size", [1, 7, 64])
def test_blocks_and_files_change_nothing(make, size, tmp_path, monkeypatch):
    monkeypatch.setattr(restarting, "AHEAD", 50)
    whole, parts = ls.Restarting(make(), delta=0.9), ls.Restarting(make(), delta=0.9)
    X, y = changing(200, 3 if whole.many_classes else 2)
    if not whole.many_classes:
        whole.begin(6, labels=LABELS[2])
        parts.begin(6, labels=LABELS[2])
    expected, said, dueling = whole.learn(X, y).tolist(), [], 0
    for at in range(0, 200, size):
        if at % 3 == 0:
            dueling += parts.challenger is not None
            ls.save(parts, tmp_path / "model.npz")
            again = parts.copy(), type(parts).from_state(parts.params(), parts.state()), ls.load(tmp_path / "model.npz")
            for one in again:
                same(one, parts)
            parts = again[-1]
        said += parts.learn(X[at : at + size], y[at : at + size]).tolist()
    assert said == expected
    same(whole, parts)
    assert dueling
    assert whole.duels > 5


@pytest.mark.usefixtures("jumpy")
@inside
def test_one_at_a_time_is_many(make):
    many, one = ls.Restarting(make(), delta=0.9), ls.Restarting(make(), delta=0.9)
    X, y = changing(150, 3 if many.many_classes else 2)
    names = [f"a{i}" for i in range(6)]
    for learner in (many, one):
        learner.begin(6, labels=None if learner.many_classes else LABELS[2], names=names)
    said = many.learn(replace(ls.Block.from_arrays(X), names=tuple(names)), y).tolist()
    for row, label, expected in zip(X, y.tolist(), said, strict=True):
        x = {names[i]: 1 for i in np.flatnonzero(row)}
        assert one.predict_one(x) == expected
        assert one.learn_one(x, label) == expected
    assert (one.duels, one.restarts, one.mistakes) == (many.duels, many.restarts, many.mistakes)
    assert many.duels > 5


@pytest.mark.usefixtures("jumpy")
def test_labels_that_are_not_settled_when_a_duel_begins():
    """A challenger knows of the labels what the champion does, no more."""
    for negative in (0, -1):
        learner, plain = ls.Restarting(ls.Perceptron(bias=False, theta=9)), ls.Perceptron(bias=False, theta=9)
        for y in [1] * 12 + [negative, 1] * 3:
            learner.learn([[1, 0]], [y])
            plain.learn([[1, 0]], [y])
            assert learner.labels == plain.labels
        assert learner.labels == (negative, 1)
        assert learner.duels


@pytest.mark.parametrize("names", [None, ["b", "a", "c", "d", "e", "f"]])
@inside
def test_who_begins_anew_knows_what_there_is_to_know(make, names):
    """Labels, names and n, and the promise of a theorem."""
    learner = make()
    learner.begin(6, labels=["x", "y", "z"] if learner.many_classes else LABELS[2], names=names)
    begun, anew = learner.copy(), learner.anew()
    for one in (anew, begun.anew()):
        same(one, begun)
    X, y = changing(40)
    rows = replace(ls.Block.from_arrays(X), names=None if names is None else tuple(names))
    learner.learn(rows, np.where(y == "no", "x", "z") if learner.many_classes else y)
    again = learner.anew()
    assert (again.trials, again.labels, again.n) == (0, begun.labels, 6)
    assert [*(again.vocabulary or ())] == [*(begun.vocabulary or ())]
    assert again.promise == begun.promise
    assert again.predict(rows).tolist() == begun.predict(rows).tolist()


@pytest.mark.usefixtures("jumpy")
def test_both_labels_in_one_call_are_known_to_all_of_it():
    """Though neither is known at sight, and one comes only after a duel has begun."""
    X, y = np.ones((40, 2)), np.array(["no"] * 30 + ["yes"] * 10)
    learner = ls.Restarting(ls.Perceptron())
    assert learner.learn(X, y).tolist() == ls.Restarting(ls.Perceptron().begin(labels=LABELS[2])).learn(X, y).tolist()


@pytest.mark.usefixtures("jumpy")
def test_weights_of_examples_count():
    X, y = changing(120)
    weight = np.arange(120) % 3
    whole, parts = (ls.Restarting(ls.Perceptron().begin(labels=LABELS[2])) for _ in range(2))
    said = whole.learn(X, y, weight=weight).tolist()
    brought = replace(ls.Block.from_arrays(X), weights=weight.astype(float))
    assert [one for r in range(120) for one in parts.learn(brought[r : r + 1], y[r : r + 1]).tolist()] == said
    same(whole, parts)
    assert whole.learn(X, y).tolist() != parts.learn(X, y, weight=weight).tolist()


# What it is asked


@pytest.mark.usefixtures("jumpy")
def test_who_predicts_is_asked():
    learner = ls.Restarting(ls.WinnerTakesAll(), delta=0.5)
    X, y = changing(300, 3)
    leaders = set()
    for row in range(300):
        learner.learn(X[row : row + 1], y[row : row + 1])
        who = learner.speaker
        leaders.add("champion" if who is learner.champion else "challenger")
        assert who in (learner.champion, learner.challenger)
    assert leaders == {"champion", "challenger"}
    assert learner.predict_proba(X).tolist() == who.predict_proba(X).tolist()
    assert learner.predict_proba_one(X[0].astype(float)) == who.predict_proba_one(X[0].astype(float))
    assert (learner.classes, learner.weights()) == (who.classes, who.weights())
    assert str(ls.explain(learner)) == str(ls.explain(who))
    assert str(ls.explain_example(learner, X[0])) == str(ls.explain_example(who, X[0]))
    assert not hasattr(ls.Restarting(ls.Perceptron()), "predict_proba")
    with pytest.raises(AttributeError, match="'Restarting' object has no attribute 'tested_rows'"):
        learner.tested_rows  # noqa: B018


def test_explanations_of_what_has_none_say_so():
    learner = ls.Restarting(ls.Experts([ls.Perceptron(), ls.Winnow()]))
    with pytest.raises(InvalidParameter, match=r"made of learners \(pool\.0, pool\.1\)"):
        ls.explain(learner)


# Refusals


@pytest.mark.parametrize(
    ("params", "message"),
    [({"learner": ls.Perceptron}, "learned nothing"), ({"learner": "winnow"}, "learned nothing"), ({}, "learner"),
     ({"learner": ls.Perceptron(), "delta": 0}, "delta"), ({"learner": ls.Perceptron(), "delta": 1}, "delta"),
     ({"learner": ls.Perceptron(), "delta": "x"}, "delta")],
)  # fmt: skip
def test_parameters_are_checked(params, message):
    with pytest.raises(InvalidParameter, match=message):
        ls.Restarting(**params)


def test_a_learner_that_has_learned_is_refused():
    learner = ls.Perceptron()
    learner.learn([[1]], [1])
    with pytest.raises(InvalidParameter, match="learned nothing"):
        ls.Restarting(learner)


@pytest.mark.usefixtures("jumpy")
def test_a_late_refusal_leaves_no_trace():
    learner = ls.Restarting(Bounded(ls.Perceptron(), max_attributes=3).begin(labels=(0, 1)), delta=0.9)
    X, y = np.eye(6)[np.arange(60) % 6], np.arange(60) // 7 % 2
    X[50] = 1.0
    before = learner.copy()
    for refused in (X, ls.Block.from_arrays(X)):
        with pytest.raises(ls.InvalidData, match="row 50"):
            learner.learn(refused, y)
        same(learner, before)
    learner.learn(X[:50], y[:50])
    before = learner.copy()
    with pytest.raises(ls.InvalidData):
        learner.learn_one(X[50], 1)
    same(learner, before)
    assert learner.duels


@pytest.mark.usefixtures("jumpy")
@pytest.mark.parametrize(
    ("array", "at", "value"),
    [("duel", 0, 0), ("duel", 0, 2), ("duel", 1, 1000), ("duel", 2, -1), ("duel", 3, 1000), ("duel", 4, 0),
     ("duel", 5, 1000), ("duel", 6, 1000), ("watch", (0, 0), 3), ("steps", 0, -1),
     ("steps", 1, 1000), ("steps", 2, -1000)],
)  # fmt: skip
def test_a_forged_state_is_refused(array, at, value):
    learner = ls.Restarting(ls.Perceptron().begin(labels=LABELS[2]), delta=0.9)
    X, y = changing(60)
    learner.learn(X, y)
    while learner.challenger is None or not all(learner.state()["duel"][[1, 2]]):
        learner.learn(X[:1], y[:1])
        X, y = np.roll(X, 1, axis=0), np.roll(y, 1)
    state = learner.state()
    type(learner).from_state(learner.params(), state)
    state[array][at] = value
    with pytest.raises(InvalidModel, match="Restarting: (duel|watch|steps, classes): expected"):
        type(learner).from_state(learner.params(), state)
