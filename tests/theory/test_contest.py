"""Contests: the same rows for all, permutations, tuning rows apart, and learners that leave alone."""

import io
from importlib import import_module

import numpy as np
import pytest
from scipy import stats

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.streams import Part
from littlestone.streams.base import open as opened
from littlestone.theory.contests import Difference, Sample, contest
from littlestone.theory.contests._games import Permuted

ROWS = ls.teachers.Disjunction(n=40, k=3, trials=700, noise=0.05)


def shuffled(seed, game):
    """The rows in the order of a permutation, made the long way."""
    X, y = [], []
    for block in ROWS.blocks():
        for r in range(len(block)):
            row = np.zeros(40)
            row[block.row(r)[0]] = 1
            X.append(row)
            y.append(block.outcomes[r])
    order = np.random.default_rng([seed, game]).permutation(len(y))
    return ls.from_arrays(np.array(X)[order], np.array(y)[order])


def test_the_first_game_is_that_of_play_and_the_others_are_those_of_the_permuted_rows():
    found = contest({"p": ls.Perceptron(), "w": ls.Winnow()}, ROWS, permutations=3, seed=5)
    for name, make in (("p", ls.Perceptron), ("w", ls.Winnow)):
        games = [ROWS, *(shuffled(5, game) for game in (1, 2, 3))]
        for run, game in zip(found[name].runs, games, strict=True):
            alone = ls.play(make(), game)
            assert (run.mistakes, run.updates, run.promotions) == (alone.mistakes, alone.updates, alone.promotions)
            assert run.mistake_trials.tolist() == alone.mistake_trials.tolist()
            assert (run.trials, run.guarantee) == (alone.trials, alone.guarantee)


def test_orders_do_not_depend_on_how_many_there_are_or_who_plays():
    few = contest([ls.Winnow()], ROWS, permutations=2, seed=1)
    many = contest([ls.Perceptron(), ls.Winnow()], ROWS, permutations=5, seed=1)
    assert many["Winnow()"].counts[:2].tolist() == few["Winnow()"].counts.tolist()
    other = contest([ls.Winnow()], ROWS, permutations=2, seed=2)
    assert other["Winnow()"].counts.tolist() != few["Winnow()"].counts.tolist()
    assert other["Winnow()"].mistakes == few["Winnow()"].mistakes


def test_learners_that_were_given_stay_fresh():
    learner = ls.Winnow()
    contest([learner], ROWS, permutations=1)
    assert learner.trials == 0


@pytest.mark.parametrize("rows", [1, 7, 8192])
def test_permuted_rows_are_all_there_whatever_the_size_of_blocks(rows):
    block = next(iter(ls.from_arrays([[0, 2.5, 0], [1, 0, 1], [0, 0, 0], [4, 1, 1]], [0, 1, 1, 0]).blocks()))
    order = np.array([3, 0, 2, 1])
    parts = list(Permuted(block, order).blocks(rows))
    assert max(map(len, parts)) <= rows
    told = [
        (part.row(r)[0].tolist(), part.row(r)[1].tolist(), int(part.outcomes[r]))
        for part in parts
        for r in range(len(part))
    ]
    assert told == [
        ([0, 1, 2], [4, 1, 1], 0), ([1], [2.5], 0), ([], [], 1), ([0, 2], [1, 1], 1),
    ]  # fmt: skip


def test_means_spreads_and_intervals_are_scipys():
    numbers = np.array([31, 28, 35, 30, 29, 33])
    found = Sample.of(numbers)
    assert found.spread == pytest.approx(numbers.std(ddof=1))
    expected = stats.t.interval(0.95, 5, loc=numbers.mean(), scale=stats.sem(numbers))
    assert (found.low, found.high) == pytest.approx(expected)
    assert Sample.of([4]) == Sample(4.0)
    other = np.array([29, 28, 30, 31, 25, 30])
    apart = Difference.of(numbers, other)
    assert apart.sample == Sample.of(numbers - other)
    assert (apart.more, apart.fewer) == (4, 1)
    assert apart.p == pytest.approx(stats.binomtest(1, 5).pvalue)
    assert Difference.of([3, 3], [3, 3]).p == 1.0


def test_the_best_has_no_difference_and_the_others_are_paired_with_it():
    found = contest({"p": ls.Perceptron(), "w": ls.Winnow()}, ROWS, permutations=6)
    best, other = sorted(found.entries, key=lambda entry: entry.counts.mean())
    assert found.best is best
    assert found.difference(best) is None
    assert found.difference(other) == Difference.of(other.counts, best.counts)


def test_tuning_rows_choose_and_are_not_scored():
    alphas = (1.05, 1.5, 3.0)
    several = [ls.Winnow(alpha=alpha) for alpha in alphas]
    found = contest({"w": several, "p": ls.Perceptron()}, ROWS, permutations=2, tuning=150)
    assert (found.tuning, found.trials) == (150, 550)
    for game, stream in enumerate([ROWS, shuffled(0, 1), shuffled(0, 2)]):
        on_prefix = [ls.play(ls.Winnow(alpha=alpha), Part(stream, 0, 150)).mistakes for alpha in alphas]
        chosen = alphas[int(np.argmin(on_prefix))]
        assert found["w"].settings[game] == repr(ls.Winnow(alpha=chosen))
        assert found["w"].runs[game].mistakes == ls.play(ls.Winnow(alpha=chosen), Part(stream, 150)).mistakes
        assert found["p"].runs[game].mistakes == ls.play(ls.Perceptron(), Part(stream, 150)).mistakes
    assert sum(found["w"].chosen.values()) == 3
    assert contest({"w": several}, ROWS, tuning=150 / 700).tuning == 150


def test_bounds_hold_for_every_game():
    found = contest([ls.Perceptron(), ls.Winnow(), ls.ThresholdedBEG()], ROWS, permutations=5)
    for entry in found.entries:
        assert max(run.mistakes for run in entry.runs) <= entry.verdict.bound.value
    assert found.hindsight.attribute_errors > 0


@pytest.mark.parametrize("permutations", [0, 2])
def test_a_learner_that_refuses_leaves_alone(permutations):
    rows = np.vstack([np.eye(4), -np.eye(4)])
    stream = ls.from_arrays(rows, [1, 0] * 4)
    found = contest([ls.Winnow(), ls.Perceptron(), ls.Elimination()], stream, permutations=permutations)
    assert found["Perceptron()"].mistakes == ls.play(ls.Perceptron(), stream).mistakes
    assert "expected" in found["Winnow()"].refused
    assert found["Winnow()"].runs == ()
    assert found["Winnow()"].sample is None
    assert found.difference(found["Winnow()"]) is None
    assert "Boolean" in found["Elimination()"].verdict.why_not
    assert found.best.name == "Perceptron()"


def test_a_learner_may_leave_in_a_later_block_and_nobody_else_notices():
    late = np.ones((9000, 2))
    late[8500, 1] = -1.0
    stream = ls.from_arrays(late, np.arange(9000) % 2)
    found = contest([ls.Winnow(), ls.Perceptron()], stream)
    assert "8500" in found["Winnow()"].refused
    assert found["Perceptron()"].runs[0].mistake_trials.tolist() == (
        ls.play(ls.Perceptron(), stream).mistake_trials.tolist()
    )


def test_an_alternative_that_refuses_is_not_chosen():
    stream = ls.from_arrays(np.array([[0.5, 1], [1, 0.2]] * 20), [1, 0] * 20)
    found = contest({"one": [ls.Elimination(), ls.Perceptron()]}, stream, tuning=10)
    assert found["one"].chosen == {"Perceptron()": 1}


def test_many_classes_are_a_reason_for_each_learner_of_two():
    stream = ls.from_arrays(np.eye(3), [0, 1, 2])
    with pytest.raises(InvalidData, match=r"no learner took the rows; Perceptron\(\), Winnow\(\): .*got 3"):
        contest([ls.Perceptron(), ls.Winnow()], stream)


def test_a_pipe_is_read_once():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    text = b"".join(b"+1 1:1 2:1\n" if r % 3 else b"-1 2:1 3:1\n" for r in range(300))
    found = contest([ls.Perceptron(), ls.Winnow()], opened(Pipe(text), "svmlight"))
    assert "is not known" in found["Winnow()"].refused
    assert "pipe" in found["Perceptron()"].verdict.why_not
    found = contest([ls.Perceptron(), ls.Winnow()], opened(Pipe(text), "svmlight"), permutations=2, tuning=0.1)
    assert found["Winnow()"].runs[0].guarantee is not None
    assert (found.attributes, found.trials, found.labels) == (3, 270, {-1: 90, 1: 180})
    with pytest.raises(InvalidParameter, match="number of rows"):
        contest([ls.Perceptron()], opened(Pipe(text), "svmlight"), tuning=0.1)
    assert contest([ls.Perceptron()], opened(Pipe(text), "svmlight"), tuning=30).trials == 270


def test_curves_end_in_the_counts():
    found = contest([ls.Perceptron()], ROWS, permutations=4)
    mean, spread = found.curve(found.best)
    assert len(found.points) <= 200
    assert (found.points[0], found.points[-1]) == (1, 700)
    assert mean[-1] == found.best.sample.mean
    assert spread[-1] == pytest.approx(found.best.sample.spread)
    run = found.best.runs[2]
    assert found.best.curves(found.points)[1].tolist() == run.curve()[found.points - 1].tolist()


def test_only_the_first_rows():
    found = contest([ls.Perceptron()], ROWS, trials=100, permutations=1)
    assert found.trials == 100
    assert found.best.mistakes == ls.play(ls.Perceptron(), ROWS, trials=100).mistakes


def test_beyond_the_memory_nothing_is_played():
    with pytest.raises(TooLarge, match=r"1,000 bytes.*permutations=0"):
        contest([ls.Perceptron()], ROWS, permutations=1, memory=1000)
    assert contest([ls.Perceptron()], ROWS, memory=1000).trials == 700


def test_too_many_rows_for_a_search_are_said(monkeypatch):
    monkeypatch.setattr(import_module("littlestone.theory.contests.contest"), "MOST_NONZEROS", 10)
    assert "takes long" in contest([ls.Perceptron()], ROWS).best.verdict.why_not
    assert contest([ls.Perceptron()], ROWS, hindsight="greedy").best.verdict.bound is not None
    assert "hindsight='none'" in contest([ls.Perceptron()], ROWS, hindsight="none").best.verdict.why_not


@pytest.mark.parametrize(
    ("learners", "options", "words"),
    [
        ([], {}, "by name, or a list"),
        ([ls.Winnow(), ls.Winnow()], {}, "twice"),
        ({"w": []}, {}, "list of alternatives"),
        ({"w": [ls.Winnow(), ls.Winnow(alpha=3)]}, {}, "tuning="),
        ([ls.Perceptron().begin(3)], {"permutations": -1}, "permutations"),
        ([ls.Perceptron()], {"tuning": -1}, "fraction"),
        ([ls.Perceptron()], {"tuning": 1.5}, "tuning"),
        ([ls.Perceptron()], {"seed": 0.5}, "seed"),
        ([ls.Perceptron()], {"hindsight": "magic"}, "hindsight must be"),
    ],
)
def test_wrong_calls(learners, options, words):
    with pytest.raises(InvalidParameter, match=words):
        contest(learners, ROWS, **options)


def test_what_is_no_contest():
    learned = ls.Perceptron()
    learned.learn([[1, 0]], [1])
    with pytest.raises(InvalidParameter, match="fresh"):
        contest([learned], ROWS)
    with pytest.raises(InvalidData, match="from_arrays"):
        contest([ls.Perceptron()], [[1, 0]])
    with pytest.raises(InvalidData, match="700 rows for tuning"):
        contest([ls.Perceptron()], ROWS, tuning=700)
    with pytest.raises(InvalidData, match="expected examples"):
        contest([ls.Perceptron()], ls.from_arrays(np.zeros((0, 2)), np.zeros(0, dtype=int), labels=(0, 1)))


@pytest.mark.parametrize(
    ("name", "mistakes"), [("vote", [45, 34]), ("mushroom_train", [55, 61]), ("kr-vs-kp", [429, 603])]
)
def test_real_files_in_their_own_order(data_folder, name, mistakes):
    path = data_folder / f"{name}.libsvm.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not in LITTLESTONE_DATA")
    found = contest([ls.Perceptron(), ls.Winnow(alpha=2)], opened(path), permutations=2)
    assert [entry.mistakes for entry in found.entries] == mistakes
    assert all(max(run.mistakes for run in entry.runs) <= entry.verdict.bound.value for entry in found.entries)


def test_learners_may_be_named():
    named = contest(["Perceptron", "winnow:alpha=1.5"], ROWS)
    made = contest({"Perceptron": ls.Perceptron(), "winnow:alpha=1.5": ls.Winnow(alpha=1.5)}, ROWS)
    assert [(one.name, one.mistakes) for one in named.entries] == [(one.name, one.mistakes) for one in made.entries]
    tuned = contest({"mine": ["winnow:alpha=1.1", "winnow:alpha=2"]}, ROWS, tuning=100)
    assert set(tuned["mine"].settings) <= {"Winnow(alpha=1.1)", "Winnow()", "Winnow(alpha=2)"}
    assert contest("winnow", ROWS).best.name == "winnow"
    with pytest.raises(InvalidParameter, match="^contest: learner: .*got 'winow'; did you mean winnow"):
        contest(["winow"], ROWS)
    with pytest.raises(InvalidParameter, match="^contest: winnow: no parameter 'alpah'; did you mean alpha"):
        contest({"mine": "winnow:alpah=2"}, ROWS)
