"""What a guarantee assumes stands beside its number, and there is no number before the target is described."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import Bound, OpenBound
from littlestone.cli import main
from littlestone.core.errors import InvalidParameter
from littlestone.learners import LEARNERS

MANY = ls.teachers.Disjunction(n=30, k=10, trials=2000, reading="R2")


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.Winnow()])
def test_no_run_seems_to_break_a_guarantee(learner):
    """It was printed for k = 1 without saying so, and a target of ten attributes costs more."""
    learner = learner.copy()
    run = ls.play(learner, ls.teachers.Disjunction(n=30, k=10, trials=20_000, reading="R2"))
    assert run.guarantee.value is None
    assert run.guarantee.at(k=1).value < run.mistakes <= run.guarantee.at(k=10).value
    assert " k + " in str(run.guarantee)
    assert "if a disjunction of k attributes gives the labels; " in str(run.guarantee)
    assert f"; {run.guarantee.at(k=1).value:g} for k = 1 (" in str(run.guarantee)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_number_is_given_only_where_it_holds(name):
    learner = LEARNERS[name]().begin(30, labels=(0, 1))
    small = {
        "kernel-winnow": 100,
        "direct-bayes": 100,
        "weighted-majority": 100,
        "volumetric-center": 100,
        "box-winnow": 5,
    }
    ls.play(learner, MANY, trials=small.get(name))
    guarantee = learner.guarantee
    if guarantee is None:
        return
    assert guarantee.value is None or learner.mistakes <= guarantee.value
    if isinstance(guarantee, OpenBound):
        assert learner.mistakes <= guarantee.at(**{"k": {"k": 10}, "errors": {"errors": 0}}[guarantee.free]).value
        assert f"for {guarantee.free} = " in str(guarantee) and guarantee.free not in guarantee.arguments


def test_whoever_describes_the_target_gets_the_number():
    tuned = ls.Winnow.for_disjunctions(n=100, k=3).begin(100)
    assert isinstance(tuned.guarantee, Bound)
    assert "if a disjunction of k = 3 attributes gives the labels" in str(tuned.guarantee)
    noisy = tuned.guarantee.at(attribute_errors=7)
    assert noisy.assumes == "a disjunction of k = 3 attributes has at most 7 attribute errors"


def test_an_open_bound_says_what_is_missing():
    guarantee = ls.Winnow().begin(16).guarantee
    with pytest.raises(InvalidParameter, match="k="):
        guarantee.at(attribute_errors=3)
    assert guarantee.at(k=2, attribute_errors=3).value == bounds.winnow_disjunction(n=16, k=2, attribute_errors=3).value


@pytest.mark.parametrize(
    ("bound", "claim"),
    [
        (bounds.winnow_disjunction(n=1024, k=1), "mistakes <= 30 k + 1"),
        (bounds.perceptron_disjunction(k=1, X=30), "mistakes <= 124 k + 31"),
        (bounds.elimination(n=10, k=1), "mistakes <= 10 - k"),
        (bounds.ellipsoid(n=10, k=1), "mistakes <= a number that grows with k"),
    ],
)
def test_lines_are_told_as_lines(bound, claim):
    assert OpenBound(bound, "k").claim == claim


def table(*arguments):
    played = ["disjunction", "n=100", "k=10", "trials=2000", "-l", "winnow"]
    done = CliRunner().invoke(main, ["train", *played, *arguments])
    assert done.exit_code == 0, done.output
    return done


def test_the_table_has_a_bound_if_a_target_is_stated():
    assert "bound" not in table("-P", "1000").stderr
    stated = table("-P", "1000", "-k", "10").stderr
    assert "bound k=10" in stated
    assert "\nbound = 211 mistakes if a disjunction of k = 10 attributes gives the labels (" in stated
    assert [line.split()[-1] for line in stated.splitlines() if line[:2] == "0."] == ["211", "211"]


def test_a_target_that_the_mistakes_refute_is_called_refuted():
    said = table("-P", "1000", "-k", "1").stderr
    assert [line.split()[-1] for line in said.splitlines() if line[:2] == "0."] == ["-", "-"]
    assert "\nbound = 22 mistakes if a disjunction of k = 1 attributes gives the labels; more were made" in said


def test_json_has_no_bound_without_a_target():
    report = json.loads(table("--json").stdout)
    assert report["bound"] is None and report["assumes"] == "a disjunction of k attributes gives the labels"
    report = json.loads(table("--json", "-k", "10").stdout)
    assert report["bound"] == 211 and report["assumes"] == "a disjunction of k = 10 attributes gives the labels"


def test_a_contest_says_what_each_bound_assumes():
    entries = ls.contest([ls.Winnow(), ls.NaiveBayes()], ls.teachers.Disjunction(n=20, k=2, trials=300)).as_dict()
    winnow, bayes = entries["learners"]
    assert winnow["assumes"] == "a disjunction of k = 2 attributes gives the labels" and bayes["assumes"] is None


def test_noise_is_no_excuse():
    """With labels that follow nothing, no closed guarantee of a learner is exceeded either."""
    rng = np.random.default_rng(0)
    learner = ls.WeightedMajority().begin(6, labels=(0, 1))
    learner.learn(rng.random((200, 6)) < 0.5, rng.integers(0, 2, 200))
    assert learner.guarantee.value is None
    assert learner.guarantee.at(errors=0).value < learner.mistakes
