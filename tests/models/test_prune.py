"""Pruning: no prediction that was seen changes, pruned is not unseen, and the guarantee is gone."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import Bounded
from littlestone.models.explanation import explain
from littlestone.models.files import load, save
from littlestone.models.pruning import prune

rows = st.lists(st.tuples(st.sets(st.integers(0, 7), max_size=5), st.booleans()), min_size=1, max_size=30)
makers = st.sampled_from([
    lambda: ls.Winnow(theta=4), lambda: ls.Winnow(alpha=1.35, demotion=0.8, theta=3), ls.Perceptron,
    lambda: ls.Perceptron(averaged=True), ls.BalancedWinnow, ls.Elimination,
    lambda: ls.Winnow(theta=4, bias=True, tie=0),
    lambda: Bounded(ls.Winnow(theta=4), max_attributes=6), lambda: Bounded(ls.Perceptron(), eligible=2),
])  # fmt: skip


def arrays(game):
    X = np.array([np.isin(np.arange(8), list(on)) for on, _ in game])
    return X, np.array([int(y) for _, y in game])


@given(rows, rows, makers)
@settings(max_examples=200)
def test_no_prediction_that_was_seen_changes(game, seen, make):
    learner = make().begin(8)
    learner.learn(*arrays(game))
    X, y = arrays(seen)
    before, expected = learner.state(), learner.predict(X).tolist()
    pruning = prune(learner, stream=ls.from_arrays(X, y))
    assert pruning.learner.predict(X).tolist() == expected
    assert pruning.examples == len(X)
    assert pruning.learner.guarantee is None or pruning.learner.pruned == 0
    assert all(np.array_equal(before[key], array) for key, array in learner.state().items())
    again = prune(pruning.learner, stream=ls.from_arrays(X, y))
    assert again.learner.predict(X).tolist() == expected
    assert again.kept <= pruning.kept


@given(rows, rows, makers, st.sampled_from([0.3, 1.0, 1.5, 5.0]))
def test_below_a_level(game, more, make, level):
    """The pruned learner is the old one on rows without what was pruned, and goes on as it would."""
    learner = make().begin(8, labels=(0, 1))
    learner.learn(*arrays(game))
    weights = learner.weights()
    gone = [i for i, w in weights.items() if abs(w) < level and w != 0]
    pruning = prune(learner, below=level)
    assert pruning.dropped == len(gone)
    assert not set(pruning.learner.weights()) & set(gone)
    if isinstance(learner, Bounded):
        return
    X, y = arrays(more)
    left = X.copy()
    left[:, gone] = False
    np.testing.assert_allclose(pruning.learner.activation(X), learner.activation(left), atol=1e-9)
    assert pruning.learner.learn(X, y).tolist() == learner.learn(left, y).tolist()


@pytest.mark.parametrize("named", [False, True])
def test_pruned_is_not_unseen(named, tmp_path):
    """A pruned attribute comes back with weight 0, one that nobody has seen with the initial weight."""
    learner = ls.Winnow(theta=4)
    names = ("good", "bad", "odd", "new")
    X = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0]])
    for _ in range(4):
        if named:
            for row, y in zip(X, (1, 0, 1, 0, 1), strict=True):
                learner.learn_one([names[i] for i in np.flatnonzero(row)], y)
        else:
            learner.learn(X[:, :3], [1, 0, 1, 0, 1])
    key = (lambda i: names[i]) if named else (lambda i: i)
    small = prune(learner, below=3).learner
    assert set(small.weights()) == {key(0)}
    save(small, tmp_path / "small.npz")
    for it in (small, load(tmp_path / "small.npz")):
        rows = [["bad", "odd"], ["bad", "new"]] if named else [X[1].astype(float), np.array([0.0, 1.0, 0.0, 1.0])]
        got = [_sum(it, row, named) for row in rows]
        assert got == [0.0, 1.0]  # the odd and the bad are gone, the new one is new
        if named:
            it.learn_one(["bad", "odd"], 1)
        else:
            it.learn(X[1:2], [1])
        assert _sum(it, rows[0], named) == 0.0  # and stay so
    assert small.guarantee is None
    assert small.pruned == 2


def _sum(learner, row, named):
    block = learner._one(row) if named else row[np.newaxis]
    return learner.activation(block)[0] + learner._machine.theta


@pytest.mark.parametrize("kind", [ls.Perceptron, lambda: ls.Winnow(theta=4), ls.Elimination])
def test_pending_attributes_stay_pending(kind):
    learner = Bounded(kind(), eligible=3).begin(4, labels=(0, 1))
    learner.learn([[1, 1, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], [1, 1, 0, 1])
    pruning = prune(learner, stream=ls.from_arrays([[1, 0, 0, 0]], [1]))
    assert pruning.dropped == pruning.learner.pruned <= 1
    made = pruning.learner._slots
    assert {key: made.seen[slot] for key, slot in made.at.items() if key} == {1: 1, 3: 1}


def test_the_file_is_smaller_and_the_rule_shorter(tmp_path):
    rng = np.random.default_rng(0)
    names = [f"a rather long name {i}" for i in range(500)]
    learner = ls.Winnow(theta=500)
    X = rng.random((2000, 500)) < 0.02
    for row in X:
        on = [names[i] for i in np.flatnonzero(row)]
        learner.learn_one(on, int(row[:3].any()))
    block = ls.Block.from_arrays(X)
    stream = ls.streams.ArrayStream(replace(block, names=tuple(names)).labelled(X[:, :3].any(axis=1).astype(int)))
    pruning = prune(learner, stream=stream)
    assert pruning.kept < 100
    assert "All 2000 predictions are unchanged." in str(pruning)
    save(learner, tmp_path / "large.npz")
    save(pruning.learner, tmp_path / "small.npz")
    sizes = [(tmp_path / name).stat().st_size for name in ("small.npz", "large.npz")]
    assert sizes[0] < sizes[1] * 2 / 3
    told = explain(pruning.learner)
    assert {one.attribute for one in told.supports[:3]} == set(names[:3])
    assert explain(learner).attributes == 500
    assert told.attributes == pruning.kept


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda it: prune(it), "below= or stream="),
        (lambda it: prune(it, below=0), "below must be"),
        (lambda it: prune(it, below=float("nan")), "below must be"),
        (lambda it: prune(it, stream=[[1]]), "expected a Stream"),
        (lambda it: prune(ls.Winnow(), below=1), "learned something"),
        (lambda it: prune("winnow", below=1), "stand alone"),
        (lambda it: prune(ls.NormalizedWinnow().begin(3), below=1), "stand alone"),
        (lambda it: prune(ls.Winnow(negations=True).begin(3), below=1), "stand alone"),
        (lambda it: prune(ls.learners.KernelPerceptron().begin(3), below=1), "stand alone"),
        (lambda it: prune(ls.Winnow(randomized=True).begin(3), below=1), "without coins"),
    ],
)
def test_what_is_refused(call, words):
    learner = ls.Winnow().begin(3)
    with pytest.raises(InvalidParameter, match=words):
        call(learner)


def test_the_command(tmp_path):
    (tmp_path / "data.svm").write_text("+1 1:1 2:1\n-1 2:1 3:1\n+1 1:1\n-1 3:1\n+1 1:1 4:1\n")
    stream = ls.streams.SvmlightStream(str(tmp_path / "data.svm"))
    learner = ls.Winnow()
    for _ in range(3):
        ls.play(learner, stream)
    save(learner, tmp_path / "model.npz")
    call = lambda *words: CliRunner().invoke(main, ["prune", *map(str, words)])  # noqa: E731
    done = call(tmp_path / "model.npz", "-m", tmp_path / "small.npz", "--seen", tmp_path / "data.svm", "--json")
    told = json.loads(done.stdout)
    assert told["examples"] == 5
    assert told["kept"] == len(load(tmp_path / "small.npz").weights())
    assert "attribute error" in told["guarantee"]
    assert "weights dropped" in call(tmp_path / "model.npz", "-m", tmp_path / "s.npz", "--below", 2).output
    wrong = call(tmp_path / "model.npz", "-m", tmp_path / "s.npz")
    assert wrong.exit_code == 2
    assert "--below or --seen" in wrong.output


def table(made):
    return [dict(zip(made.columns, row, strict=True)) for row in made.rows]


@pytest.mark.parametrize(
    ("learner", "how"),
    [
        ("perceptron", {"threshold": 0.8}),
        ("perceptron", {"threshold": 0.02}),
        ("perceptron", {"cost": {"false-positive": 9}}),
        ("balanced-winnow:margin=0.5", {"threshold": 0.6}),
        ("perceptron", {"threshold": 0.0}),
        ("perceptron", {}),
    ],
)
def test_what_a_model_decides_stays_and_not_only_what_its_learner_predicts(learner, how):
    rows = table(ls.datasets.messages(rows=600, seed=1))
    model = ls.Model.train(rows, label="class", text="message", learner=learner, **how)
    before, shares = model.predict(rows).tolist(), model.probabilities(rows)
    pruning = prune(model, stream=ls.open(rows, label="class", text="message"))
    assert pruning.dropped
    assert pruning.model.predict(rows).tolist() == before == model.predict(rows).tolist()
    assert pruning.changed == 0
    assert pruning.moved == np.abs(pruning.model.probabilities(rows) - shares).max() > 0
    assert f"All 600 predictions are unchanged. Probabilities changed by at most {pruning.moved:.4f}" in str(pruning)
    assert pruning.model.learner is pruning.learner is not model.learner


def test_how_many_predictions_change_by_a_level_is_said():
    rows = table(ls.datasets.messages(rows=600, seed=1))
    model = ls.Model.train(rows, label="class", text="message", learner="perceptron", threshold=0.8)
    before = model.predict(rows)
    pruning = prune(model, below=2, stream=ls.open(rows, label="class", text="message"))
    changed = int((pruning.model.predict(rows) != before).sum())
    assert pruning.changed == changed > 0
    assert f"{changed} of 600 predictions changed." in str(pruning)
    assert "Probabilities change where" in str(prune(model, below=2))


def test_numbers_are_scaled_as_the_model_scales_them():
    rows = table(ls.datasets.people(rows=500, seed=0))
    model = ls.Model.train(rows, label="buys", learner="perceptron", threshold=0.7)
    pruning = prune(model, stream=ls.open(rows, label="buys"))
    assert pruning.model.scaling is not None
    assert pruning.model.predict(rows).tolist() == model.predict(rows).tolist()


def test_zeros_are_told_from_missing_numbers(tmp_path):
    rng, path = np.random.default_rng(1), tmp_path / "zeros.csv"
    columns = [np.where(rng.random(120) < 0.5, 0.0, rng.normal(5, 2, 120).round(2)) for _ in range(8)]
    X = np.stack(columns, axis=1)
    labels = np.where(X[:, 0] - X[:, 1] > rng.normal(0, 3, 120), "yes", "no")
    lines = [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), labels.tolist(), strict=True)]
    path.write_text("\n".join([",".join([*(f"x{i}" for i in range(8)), "label"]), *lines]) + "\n")
    model = ls.Model.train(path, label="label", learner="perceptron")
    before = model.predict(path).tolist()
    pruning = prune(model, stream=ls.open(path, label="label"))
    assert "unchanged" in str(pruning) and pruning.dropped
    assert pruning.model.predict(path).tolist() == before
    other = ls.open(path, label="label", categorical="x3")
    with pytest.raises(InvalidData, match="prune: expected a stream whose column 'x3' is read as numeric"):
        prune(model, stream=other)


def test_a_vote_of_experts_is_told_from_many_classes(tmp_path):
    rows = [[1, 0], [0, 1]] * 10
    two, both = ls.Model.train(rows, [1, 0] * 10), ls.MulticlassPerceptron().begin(2)
    three = ls.Model.train([*rows, [1, 1]], [*[1, 0] * 10, 2])
    with pytest.raises(InvalidParameter, match="a vote of experts, .* weight; train Perceptron"):
        prune(two, below=1)
    with pytest.raises(InvalidParameter, match="a weight for each class; train Perceptron"):
        prune(both, below=1)
    with pytest.raises(InvalidParameter, match=r"got Auto\(\) with 3; for many classes there is no pruning"):
        prune(three, below=1)
    two.save(tmp_path / "two.npz")
    done = CliRunner().invoke(main, ["prune", str(tmp_path / "two.npz"), "-m", str(tmp_path / "x"), "--below", "1"])
    assert "no one weight; train with -l perceptron or -l balanced-winnow to prune it" in done.output


def test_badges_come_down_to_their_rule(data_folder):
    stream = ls.streams.SvmlightStream(str(data_folder / "badges.libsvm.gz"))
    learner = ls.Winnow()
    while ls.play(learner, stream).mistakes:
        pass
    pruning = prune(learner, stream=stream)
    assert pruning.examples == 294
    assert pruning.kept <= 40
    assert all(np.array_equal(learner.predict(b), pruning.learner.predict(b)) for b in stream.blocks())
