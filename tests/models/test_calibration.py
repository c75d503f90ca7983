"""Calibration: probabilities on-line, against plain Python, in any blocks, written down, and after refusals."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidModel, LittlestoneError
from littlestone.learners import LEARNERS
from littlestone.models.asked import learn_asked
from littlestone.models.calibration import Calibration
from tests.naive.calibration import Naive, NaiveOfActivations, looked_at

RNG = np.random.default_rng(0)
X = RNG.random((400, 10)) < 0.3
NOISY = (X[:, :2].any(axis=1) ^ (RNG.random(400) < 0.15)).astype(int)
THREE = np.where(RNG.random(400) < 0.15, RNG.integers(0, 3, 400), X[:, :2].sum(axis=1))
WEIGHTS = RNG.integers(0, 3, 400) * 0.75


def block(y=NOISY, weights=None, rows=X, labels=None):
    made = ls.Block.from_arrays(rows).labelled(y, labels or tuple(range(int(max(y)) + 1)))
    return made if weights is None else replace(made, weights=weights)


def begun(learner, labels=2):
    return learner.begin(10, labels=tuple(range(labels)))


def learned(learner, rows, sizes=(400,)):
    calibration, at = Calibration.of(learner), 0
    for size in sizes:
        calibration.learn(learner, rows[at : at + size])
        at += size
    return calibration


def same(one, other):
    return all(np.array_equal(part, other.state()[name]) for name, part in one.state().items())


# Against plain Python


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weights"])
@pytest.mark.parametrize(
    ("make", "y"), [(ls.learners.AROW, NOISY), (ls.MulticlassPerceptron, THREE)], ids=["two labels", "three classes"]
)
def test_the_naive_twin_agrees(make, y, weights):
    naive, classes = NaiveOfActivations(), int(y.max()) + 1
    learner, rows = begun(make(), classes), block(y, weights)
    calibration = learned(learner, rows)
    twin = begun(make(), classes)

    def scores(at):
        a = twin.activation(X[at : at + 1])[0]
        return a.tolist() if np.ndim(a) else [-float(a), float(a)]

    for at in range(400):
        if looked_at(at):
            naive.look(scores(at), int(y[at]), 1.0 if weights is None else float(weights[at]))
        twin.learn(rows[at : at + 1])
    assert calibration.theta == pytest.approx(naive.theta, abs=1e-9)
    assert calibration.precision == pytest.approx(np.array(naive.P), abs=1e-9)
    found = calibration.probabilities(learner, rows)
    for at in range(400):
        p = naive.asked(scores(at))
        if int(np.argmax(p)) == int(learner.predict(X[at : at + 1])[0]):
            assert found[at].tolist() == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize("y", [NOISY, THREE], ids=["two labels", "three classes"])
def test_the_naive_twin_agrees_on_what_auto_says(y):
    classes, naive = int(y.max()) + 1, Naive((1.0, 1.0, 0.0), (0.3, 0.3, 1.0))
    learner, rows = begun(ls.Auto(), classes), block(y, WEIGHTS)
    calibration = learned(learner, rows)
    _, said, known = begun(ls.Auto(), classes).learn_heard(rows)
    for one, number, outcome, weight in zip(said, known, y, WEIGHTS, strict=True):
        naive.row(one[:, :number].tolist(), int(outcome), float(weight))
    assert calibration.theta == pytest.approx(naive.theta, abs=1e-9)
    assert calibration.precision == pytest.approx(np.array(naive.P), abs=1e-9)


# In any blocks


MADE = {
    **{name: LEARNERS[name] for name in ("auto", "perceptron", "winnow", "arow", "multiclass-perceptron", "ogd")},
    **{name: LEARNERS[name] for name in ("normalized-winnow", "directed-drift", "kernel-perceptron", "naive-bayes")},
    "averaged": lambda: ls.Perceptron(averaged=True),
    "experts": lambda: ls.Experts([ls.Perceptron(), ls.Winnow()]),
    "bounded": lambda: ls.learners.Bounded(ls.Perceptron(), max_attributes=8),
    "negations": lambda: ls.Winnow(negations=True),
}


COUNTED = {"directed-drift", "kernel-perceptron", "naive-bayes"}  # which take a row or leave it


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_the_bits_do_not_depend_on_blocks(make):
    rows = block()
    whole = begun(make())
    calibration = learned(whole, rows)
    assert calibration.of_auto or calibration.seen == 128 + 64 + 36
    for sizes in ((1, 127, 2, 100, 170), (200, 200)):
        other = begun(make())
        assert same(calibration, learned(other, rows, sizes))
        assert other.mistakes == whole.mistakes
    alone = begun(make())
    alone.learn(rows)
    assert whole.mistakes == alone.mistakes
    assert np.array_equal(whole.activation(X), alone.activation(X))


@pytest.mark.parametrize("name", ["auto", "perceptron", "winnow", "multiclass-perceptron", "normalized-winnow"])
def test_one_by_one_with_names_gives_the_same_bits(name):
    names = tuple(f"x{i}" for i in range(10))
    one, many = (LEARNERS[name]().begin(10, labels=(0, 1), names=names) for _ in range(2))
    rows = replace(block(), names=names)
    calibration = learned(many, rows)
    single = Calibration.of(one)
    for row, y in zip(X, NOISY.tolist(), strict=True):
        looked = looked_at(one.trials)
        assert (single.next_look(one) == one.trials) == (looked or name == "auto")
        single.learn_one(one, {names[i]: 1 for i in np.flatnonzero(row)}, y)
    assert same(single, calibration)
    x = {"x0": 1, "x7": 1, "unseen": 0}
    shares = single.probabilities_one(one, x)
    assert shares == calibration.probabilities_one(many, x)
    assert max(shares, key=shares.get) == one.predict_one(x)


@pytest.mark.parametrize("make", [ls.Auto, ls.Perceptron], ids=["auto", "perceptron"])
def test_a_state_goes_on(make):
    rows, learner = block(), begun(make())
    calibration = learned(learner, rows, (150,))
    again, twin = Calibration.from_state(calibration.state()), learner.copy()
    pickled = pickle.loads(pickle.dumps(calibration))
    calibration.learn(learner, rows[150:])
    again.learn(twin.copy(), rows[150:])
    assert same(again, calibration)
    pickled.learn(twin, rows[150:])
    assert np.array_equal(pickled.probabilities(twin, rows), calibration.probabilities(learner, rows))
    before = calibration.copy()
    calibration.probabilities(learner, rows)
    assert same(calibration, before)


# Refusals


@pytest.mark.parametrize("make", [ls.Auto, ls.Perceptron, ls.KernelPerceptron, ls.MulticlassPerceptron])
def test_a_refusal_in_the_middle_leaves_no_trace(make):
    learner, rows = begun(make()), block()
    calibration = learned(learner, rows, (60,))
    state, before = pickle.dumps(learner.state()), calibration.copy()
    values = X[60:160].astype(float)
    values[50, 3] = 0.5 if learner.domain == "Boolean" else 1e200
    wide = np.hstack((X[60:160], np.ones((100, 1))))
    for bad, error in ((values, InvalidData), (wide, InvalidData)):
        with pytest.raises(error):
            calibration.learn(learner, block(NOISY[60:160], rows=bad))
    with pytest.raises(InvalidLabel):
        calibration.learn(learner, block(NOISY[60:160], rows=X[60:160], labels=("ham", "spam")))
    assert pickle.dumps(learner.state()) == state
    assert same(calibration, before)


def test_a_learner_that_refuses_late_leaves_no_trace():
    learner = ls.KernelWinnow(cap=40).begin(10, labels=(0, 1))
    calibration = Calibration.of(learner)
    with pytest.raises(LittlestoneError) as said:
        calibration.learn(learner, block())
    with pytest.raises(LittlestoneError) as alone:
        learner.copy().learn(block())
    assert str(said.value) == str(alone.value)  # the row is counted from the first of the block
    assert (learner.trials, calibration.seen) == (0, 0)
    assert same(calibration, Calibration())


# What they are worth


@pytest.mark.parametrize("name", LEARNERS)
def test_probabilities_never_contradict_predictions(name):
    learner = begun(LEARNERS[name]())
    rows = block(rows=X[:150], y=NOISY[:150])
    calibration = learned(learner, rows, (150,))
    for _ in range(2):
        shares = calibration.probabilities(learner, rows)
        assert shares.sum(axis=1) == pytest.approx(1.0)
        assert np.array(learner.labels)[shares.argmax(axis=1)].tolist() == learner.predict(rows).tolist()
        calibration.theta[:] = -1.0, 1.0, 3.0  # whatever they are
    if not calibration.of_auto:
        score = learner.activation(rows)
        score = score[:, 1] - score[:, 0] if score.ndim == 2 else score
        order = np.argsort(score, kind="stable")
        assert (np.diff(shares[order, 1]) >= -1e-11).all()


@pytest.mark.parametrize("make", [ls.Perceptron, ls.learners.AROW, ls.BalancedWinnow, ls.MulticlassPerceptron, ls.Auto])
def test_calibration_improves_the_log_loss(make):
    stream = ls.teachers.Disjunction(n=30, k=3, trials=3000, noise=0.2, seed=1)
    rows = ls.Block.joined(list(stream.blocks()))
    learner = make().begin(30, labels=(0, 1))
    calibration = Calibration.of(learner)
    calibration.learn(learner, rows[:2000])
    rest = rows[2000:]
    score = learner.activation(rest)
    raw = 1.0 / (1.0 + np.exp(-(score[:, 1] - score[:, 0] if score.ndim == 2 else score)))
    y = learner.outcomes(rest)

    def loss(p):
        return -np.log(np.maximum(np.where(y == 1, p, 1.0 - p), 1e-12)).mean()

    assert loss(calibration.probabilities(learner, rest)[:, 1]) < min(loss(raw), np.log(2))


# Written down


def forged(name, at, value):
    def change(state):
        state[name][at] = value
        return state

    return change


@pytest.mark.parametrize(
    "change",
    [
        forged("theta", 0, np.nan), forged("theta", 2, np.inf), forged("theta", 1, 1e7),
        forged("precision", (0, 0), 0.0), forged("precision", (1, 1), -1.0), forged("precision", (0, 1), 1e9),
        forged("precision", (2, 2), np.nan), forged("sizes", 0, 0.5), forged("sizes", 0, 2.0), forged("sizes", 1, -1.0),
        forged("sizes", 1, np.inf), forged("sizes", 2, -1.0), forged("sizes", 2, 1.5),
        lambda state: state | {"theta": np.zeros(2)}, lambda state: state | {"precision": np.eye(2)},
        lambda state: state | {"sizes": np.zeros((3, 1))}, lambda state: state | {"theta": np.zeros(3, dtype="<f4")},
        lambda state: state | {"theta": np.array(["a", "b", "c"])},
    ],
)  # fmt: skip
def test_forged_states_are_refused(change):
    state = learned(begun(ls.Perceptron()), block()).state()
    Calibration.from_state(state)
    with pytest.raises(InvalidModel, match="calibration: expected"):
        Calibration.from_state(change(state))


@pytest.mark.parametrize("made", [lambda one: one, ls.Delayed, ls.Restarting], ids=["", "delayed", "restarting"])
@pytest.mark.parametrize("name", LEARNERS)
def test_each_row_is_counted_once(name, made):
    """However rows come: one by one, and a few at once, asked about and not."""
    learner = made(LEARNERS[name]())
    rows = X[:12].astype(float)
    y = np.arange(12) % (3 if learner.many_classes else 2)
    learner.begin(10, labels=tuple(range(int(y.max()) + 1)))
    calibration, given = Calibration.of(learner), block(y, rows=rows)
    for at in range(4):
        calibration.learn(learner, given[at : at + 1])
        assert learner.trials == at + 1
    for at in range(4, 8):
        calibration.learn_asked(learner, given[at : at + 1])
        assert learner.trials == at + 1
    calibration.learn(learner, given[8:10])
    calibration.learn_asked(learner, given[10:])
    assert learner.trials == 12
    if hasattr(learner, "tested_rows"):
        assert len(learner.tested_rows) == 2  # of the whole block, not of its last row


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
@pytest.mark.parametrize("name", MADE)
def test_what_is_asked_while_learning_is_what_is_said_before_each_row(name, weighted):
    """In blocks of any size, to the last bit; and what is learned is what is learned without asking."""
    make, weights = MADE[name], (WEIGHTS > 0).astype(float) if name in COUNTED else WEIGHTS
    rows, step = block(weights=weights if weighted else None), begun(make())
    by_step, said, shares = Calibration.of(step), [], []
    for at in range(400):
        shares.append(by_step.probabilities(step, rows[at : at + 1])[0])
        said += by_step.learn(step, rows[at : at + 1]).tolist()
    for sizes in ((400,), (1, 127, 2, 100, 170)):
        learner, at, asked, answers = begun(make()), 0, [], []
        calibration = Calibration.of(learner)
        for size in sizes:
            predictions, some = calibration.learn_asked(learner, rows[at : at + size])
            asked, answers, at = [*asked, *some], answers + predictions.tolist(), at + size
        assert answers == said and same(calibration, by_step)
        assert np.array_equal(asked, shares)


@pytest.mark.parametrize("name", LEARNERS)
def test_no_rows_are_learned_and_asked(name):
    learner = LEARNERS[name]().begin(10, labels=(0, 1))
    calibration, given = Calibration.of(learner), block([0, 1], rows=X[:2].astype(float))
    calibration.learn(learner, given)
    before = calibration.state()
    predictions, shares = calibration.learn_asked(learner, given[:0])
    assert (len(predictions), shares.shape[0], learner.trials) == (0, 0, 2)
    assert all(np.array_equal(part, before[k]) for k, part in calibration.state().items())


@pytest.mark.parametrize("learner", [ls.Auto(), ls.Perceptron(), ls.Calibrated(ls.Perceptron()), ls.WinnerTakesAll()])
@pytest.mark.parametrize("calibrated", [False, True])
def test_a_model_learns_no_rows(learner, calibrated):
    model = ls.Model(learner.copy(), {"format": "jsonl"}, calibration=Calibration.of(learner) if calibrated else None)
    model.learn_block(block([0, 1], rows=X[:2].astype(float)))
    decided, shares = learn_asked(model, block([0, 1], rows=X[:2].astype(float))[:0])
    assert len(decided) == 0
    assert shares is None or shares.shape == (0, 2)
    assert model.learner.trials == 2


def test_rows_are_counted_once_where_nobody_refuses_late(monkeypatch):
    """One whose tested rows are those of the whole block learns that block, and not its pieces before."""
    monkeypatch.setattr(ls.Delayed, "refuses_late", False)
    learner = ls.Delayed(ls.DirectedDrift()).begin(10, labels=(0, 1))
    Calibration().learn(learner, block(NOISY[:6], rows=X[:6].astype(float)))
    assert (learner.trials, len(learner.tested_rows)) == (6, 6)
