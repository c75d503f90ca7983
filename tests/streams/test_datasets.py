"""Sets whose rows are computed: the same as the files that everybody has, and playable in arrival order."""

import json
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.learners import KernelWinnow
from littlestone.streams.datasets import LINES, SQUARES, monks, tic_tac_toe

LETTERS = {"x": "x", "o": "o", "b": "blank"}


def rows_of(data):
    """The rows with their labels, in no order."""
    return sorted((tuple(row), label) for row, label in zip(data.X.tolist(), data.y.tolist(), strict=True))


def from_file(X, y, order):
    """The rows of a file with its columns in this order."""
    dense = X.toarray()[:, order].astype(bool).tolist()
    return sorted((tuple(row), int(label > 0)) for row, label in zip(dense, y, strict=True))


def test_tic_tac_toe_is_the_endgame_set(real_set):
    """The file has its squares in the same order, and b, o, x for each."""
    order = [3 * square + mark for square in range(9) for mark in (2, 1, 0)]
    assert rows_of(tic_tac_toe()) == from_file(*real_set("tic-tac-toe"), order)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_the_monks_problems_are_their_test_sets(problem, real_set):
    assert rows_of(monks(problem)) == from_file(*real_set(f"monks{problem}_test"), range(17))


def test_counts_of_tic_tac_toe():
    data = tic_tac_toe()
    assert data.X.shape == (958, 27)
    assert int(data.y.sum()) == 626
    marks = {mark: data.X[:, i::3] for i, mark in enumerate("xob")}
    lines = {mark: marks[mark][:, np.array(LINES)].all(axis=2).any(axis=1) for mark in "xo"}
    assert (lines["x"] == data.y).all()
    assert (~lines["x"] & ~lines["o"]).sum() == 16
    assert set((marks["x"].sum(axis=1) - marks["o"].sum(axis=1)).tolist()) == {0, 1}
    assert (sum(marks[mark].astype(int) for mark in "xob") == 1).all()


def test_the_lines_are_those_of_the_board():
    """Three squares that add up to 15 in a magic square are a line, and nothing else is."""
    magic = (2, 7, 6, 9, 5, 1, 4, 3, 8)
    assert sorted(LINES) == [three for three in combinations(range(9), 3) if sum(magic[i] for i in three) == 15]


@pytest.mark.parametrize(("problem", "positive"), [(1, 216), (2, 142), (3, 228)])
def test_counts_of_the_monks(problem, positive):
    data = monks(problem)
    assert data.X.shape == (432, 17)
    assert len(np.unique(data.X, axis=0)) == 432
    assert (data.X.sum(axis=1) == 6).all()
    assert int(data.y.sum()) == positive


@pytest.mark.parametrize("make", [tic_tac_toe, monks])
def test_the_seed_gives_the_order_and_nothing_else(make):
    assert (make(seed=3).X == make(seed=3).X).all()
    assert (make(seed=3).X != make(seed=4).X).any()
    assert rows_of(make(seed=3)) == rows_of(make(seed=None))
    codes = [tuple(1 - row) for row in make(seed=None).X.astype(int)]
    assert codes == sorted(codes)


@pytest.mark.parametrize("marks", ["x", "xo", "bx"])
def test_marks_choose_columns(marks):
    whole, part = tic_tac_toe(seed=1), tic_tac_toe(marks=marks, seed=1)
    names = [f"{square}={LETTERS[mark]}" for square in SQUARES for mark in "xob" if mark in marks]
    assert list(part.names) == names
    assert (whole.X[:, [whole.names.index(name) for name in names]] == part.X).all()
    assert (part.y == whole.y).all()


def test_they_are_streams_and_arrays():
    data = monks(3)
    run = ls.play(ls.Winnow(), data)
    learner = ls.Winnow()
    learner.learn(data.X, data.y)
    assert learner.mistakes == run.mistakes
    assert run.trials == len(data) == 432
    played = ls.Perceptron()
    ls.play(played, data)
    assert list(played.vocabulary)[:2] == ["a1=1", "a1=2"]
    assert eval(repr(data), {"monks": monks}).X.tolist() == data.X.tolist()


@pytest.mark.parametrize(
    "call",
    [
        lambda: monks(0),
        lambda: monks(4),
        lambda: monks(2.0),
        lambda: monks("1"),
        lambda: monks(seed=-1),
        lambda: tic_tac_toe(seed=1.5),
        lambda: tic_tac_toe(marks=""),
        lambda: tic_tac_toe(marks="xx"),
        lambda: tic_tac_toe(marks="xy"),
        lambda: tic_tac_toe(marks=None),
    ],
)
def test_bad_calls(call):
    with pytest.raises(ls.InvalidParameter, match="must be"):
        call()


@pytest.mark.parametrize(("stream", "trials"), [(["tic-tac-toe"], 958), (["monks", "problem=2", "--seed", "5"], 432)])
def test_on_the_command_line(stream, trials):
    report = json.loads(CliRunner().invoke(main, ["compare", *stream, "-l", "winnow,perceptron", "--json"]).stdout)
    assert report["trials"] == trials
    assert all(learner["mistakes"] <= learner["bound"] for learner in report["learners"])
    refused = CliRunner().invoke(main, ["compare", "monks", "problem=4"])
    assert refused.exit_code == 2
    assert "problem must be a whole number >= 1 and <= 3" in refused.stderr


LINEAR = (
    lambda: ls.Perceptron(),
    lambda: ls.Perceptron(averaged=True),
    lambda: ls.Perceptron(averaged=True, negations=True),
    lambda: ls.BalancedWinnow(),
    lambda: ls.Winnow(),
    lambda: ls.Winnow(alpha=1.1, theta=13.5),
    lambda: ls.Winnow(alpha=1.1, theta=27, negations=True),
    lambda: ls.PNorm(),
    lambda: ls.NaiveBayes(),
)


@pytest.mark.parametrize("seed", range(3))
def test_on_tic_tac_toe_conjunctions_make_fewer_mistakes_than_linear_learners(seed):
    data = tic_tac_toe(seed=seed)
    linear = [run.mistakes for run in ls.play_all([make() for make in LINEAR], data)]
    assert 0.24 < linear[0] / len(data) < 0.29
    assert ls.play(KernelWinnow(max_size=3), data).mistakes < 0.8 * min(linear)
    assert ls.play(KernelWinnow(max_size=3, alpha=8), data).mistakes < 0.4 * min(linear)


def weights(learner, names, largest):
    """The weights of all conjunctions up to a size: the value of what is on, less the weights of its parts."""
    found = {}
    for size in range(1, largest + 1):
        for chosen in combinations(names, size):
            parts = (part for less in range(1, size) for part in combinations(chosen, less))
            found[chosen] = learner.value(list(chosen)) - sum(found[part] for part in parts)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_eight_lines_are_the_heaviest_conjunctions(seed):
    data = tic_tac_toe(marks="x", seed=seed)
    learner = KernelWinnow(max_size=3)
    assert ls.play(learner, data).mistakes <= ls.bounds.kernel_winnow_dnf(n=9, k=8, max_size=3).value
    weight = weights(learner, data.names, 3)
    lines = {tuple(f"{SQUARES[i]}=x" for i in line) for line in LINES}
    assert min(weight[line] for line in lines) > max(weight[other] for other in set(weight) - lines)
    assert ls.play(learner, data).mistakes == 0


def test_the_terms_of_the_first_monks_problem_are_the_heaviest_conjunctions():
    data = monks(1)
    learner = KernelWinnow(max_size=2)
    ls.play(learner, data)
    assert ls.play(learner, data).mistakes == 0
    weight = weights(learner, data.names, 2)
    heaviest = sorted(weight, key=weight.__getitem__, reverse=True)
    assert heaviest[0] == ("a5=1",)
    others = [chosen for chosen in heaviest if "a5=1" not in chosen]  # with a5=1, which settles it, all are true
    assert sorted(others[:3]) == [(f"a1={value}", f"a2={value}") for value in (1, 2, 3)]
