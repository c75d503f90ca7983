"""The game: one loop, streams and teachers, runs."""

import ast
import dataclasses
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter

X = np.random.default_rng(5).random((300, 10)) < 0.3
Y = X[:, :2].any(axis=1)
LEARNING = ("learn", "learn_one")


class Contrary(ls.Teacher):
    """Calls whatever the learner says wrong, on one attribute at a time."""

    n_attributes = 4

    def begin(self, view):
        self.asked = 0
        assert view.trials == 0
        assert view.hypothesis() is not None

    def trial(self, view):
        if self.asked == 10:
            return None
        row = np.eye(4)[self.asked % 4]
        self.asked += 1
        said = view.predict(row)
        assert said == int(view.activation(row) >= 0)
        return row, 1 - said


def test_a_run_says_what_happened():
    learner = ls.Winnow()
    run = ls.play(learner, ls.from_arrays(X, Y), record=True)
    assert (run.trials, run.mistakes, run.updates) == (300, learner.mistakes, learner.updates)
    assert run.promotions + run.demotions == run.updates
    assert len(run.mistake_trials) == run.mistakes == run.curve()[-1]
    assert (run.transcript.predictions != Y).nonzero()[0].tolist() == run.mistake_trials.tolist()
    assert (run.transcript.outcomes == Y).all()
    assert run.seconds > 0
    assert run.guarantee.at(k=2).value >= run.mistakes
    assert run.learner == "Winnow()"
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.mistakes = 0


def test_counts_are_those_of_this_game():
    learner, stream = ls.Perceptron(), ls.from_arrays(X, Y)
    first, second = ls.play(learner, stream), ls.play(learner, stream)
    assert first.mistakes + second.mistakes == learner.mistakes
    assert second.trials == 300
    assert second.transcript is None


def test_limited_trials_play_a_prefix():
    for trials in (0, 1, 17, 300, 1000):
        run = ls.play(ls.Perceptron(), ls.from_arrays(X, Y), trials=trials)
        assert run.trials == min(trials, 300)
        assert run.curve().tolist() == ls.play(ls.Perceptron(), ls.from_arrays(X, Y)).curve()[:trials].tolist()
    with pytest.raises(InvalidParameter, match="trials"):
        ls.play(ls.Perceptron(), ls.from_arrays(X, Y), trials=-1)


def test_a_limited_game_asks_a_teacher_for_no_more():
    teacher = Contrary()
    assert ls.play(ls.Perceptron(), teacher, trials=3).trials == 3
    assert teacher.asked == 3


@pytest.mark.parametrize("kind", [ls.Perceptron, ls.Winnow, ls.BayesBEG, ls.PNorm])
def test_a_teacher_that_adapts_makes_every_trial_a_mistake(kind):
    run = ls.play(kind(), Contrary(), record=True)
    assert run.trials == run.mistakes == 10
    assert len(run.transcript.blocks) == 10
    again = ls.play(kind().begin(4, labels=(0, 1)), _Replayed(run.transcript))
    assert again.mistakes == 10


class _Replayed(ls.Stream):
    def __init__(self, transcript):
        self.transcript = transcript

    def blocks(self, rows=8192):  # noqa: ARG002
        yield from self.transcript.blocks


def test_several_learners_hear_the_stream_once():
    class Counting(ls.teachers.Disjunction):
        reads = 0

        def blocks(self, rows=8192):
            self.reads += 1
            yield from super().blocks(rows)

    stream = Counting(20, 2, trials=100)
    together = ls.play_all([ls.Perceptron(), ls.Winnow(), ls.Elimination()], stream)
    assert stream.reads == 1
    alone = [ls.play(learner, stream) for learner in (ls.Perceptron(), ls.Winnow(), ls.Elimination())]
    assert [run.mistakes for run in together] == [run.mistakes for run in alone]


def test_on_block_is_called_after_each_block():
    seen = []
    ls.play(ls.Perceptron(), ls.teachers.Disjunction(10, 2, trials=20_000), on_block=lambda it: seen.append(it.trials))
    assert seen == [8192, 16384, 20000]


def test_what_is_no_opponent():
    with pytest.raises(InvalidData, match="from_arrays"):
        ls.play(ls.Perceptron(), X)


def test_a_stream_does_not_depend_on_the_size_of_its_blocks():
    stream = ls.teachers.Disjunction(30, 3, trials=500, noise=0.1, seed=4)
    whole = next(stream.blocks(500))
    parts = list(stream.blocks(77))
    assert np.concatenate([part.indices for part in parts]).tolist() == whole.indices.tolist()
    assert np.concatenate([part.outcomes for part in parts]).tolist() == whole.outcomes.tolist()
    clean = next(ls.teachers.Disjunction(30, 3, trials=500, seed=4).blocks(500))
    assert clean.indices.tolist() == whole.indices.tolist()
    assert 20 < (clean.outcomes != whole.outcomes).sum() < 90


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"n": 0}, "n must"), ({"k": 11}, "k must"), ({"trials": -1}, "trials"), ({"density": 1.5}, "density"),
     ({"noise": -0.1}, "noise"), ({"seed": -1}, "seed"), ({"n": 2.5}, "n must")],
)  # fmt: skip
def test_bad_settings_of_a_disjunction(settings, words):
    with pytest.raises(InvalidParameter, match=words):
        ls.teachers.Disjunction(**{"n": 10, "k": 2, **settings})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: ls.play_all([(w := ls.Winnow()), w], s), "twice"),
        (lambda s: ls.play_all(ls.Winnow(), s), "list of learners"),
        (lambda s: ls.play_all(None, s), "list of learners"),
        (lambda s: ls.play_all([ls.Winnow()], ls.teachers.Hadamard(3)), "for one learner, a Teacher"),
        (lambda s: ls.play(ls.Winnow(), s, on_block="a"), "on_block"),
        (lambda s: list(s.blocks(0)), "rows must be"),
    ],
)
def test_wrong_games(call, words):
    with pytest.raises(ValueError, match=words):
        call(ls.from_arrays([[1, 0], [0, 1]], [1, 0]))


def test_a_stream_speaks_for_its_blocks():
    class Plain(ls.Stream):
        n_attributes = 3
        labels = ("no", "yes")
        names = ("a", "b", "c")

        def blocks(self, rows=8192):  # noqa: ARG002
            yield replace(Block.from_csr([0, 1, 2], [0, 1]), outcomes=np.array([1, 0]))

    learner = ls.Winnow()
    ls.play(learner, Plain())
    assert (learner.n, learner.labels, list(learner.weights())) == (3, ("no", "yes"), ["a", "b", "c"])


def test_there_is_one_loop_in_which_learners_learn():
    """Games, training and on-line to batch: `learn` is called in a loop in one place only."""
    root = Path(ls.__file__).parent
    files = [root / "games/game.py", root / "theory/online_to_batch.py", root / "models/training.py"]
    found = [
        (file.name, call.lineno)
        for file in files
        for loop in ast.walk(ast.parse(file.read_text()))
        if isinstance(loop, ast.For | ast.While | ast.ListComp | ast.GeneratorExp)
        for call in ast.walk(loop)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in LEARNING
    ]
    assert {name for name, _ in found} == {"game.py"}
    assert len(set(found)) == 1


def test_a_block_without_rows_is_no_turn():
    class Gaps(ls.Stream):
        labels, n_attributes = (0, 1), 3

        def blocks(self, rows=8192):
            del rows
            whole = ls.from_arrays([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 1]).block
            yield from (whole[:0], whole[:2], whole[2:2], whole[2:])

    run = ls.play(ls.Winnow(), Gaps(), record=True)
    assert (run.trials, run.mistakes, run.mistake_trials.tolist()) == (3, 3, [0, 1, 2])
    assert run.transcript.predictions.tolist() == [0, 1, 0]
