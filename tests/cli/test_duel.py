"""littlestone duel: what is printed, where, and with which exit code."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from littlestone.bounds import perceptron_disjunction, winnow_disjunction
from littlestone.cli import main
from littlestone.learners import LEARNERS
from littlestone.teachers import TEACHERS


def call(*arguments):
    return CliRunner().invoke(main, ["duel", *arguments])


def report(*arguments):
    done = call(*arguments, "--json")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_the_perceptron_against_hadamard():
    found = report("perceptron", "hadamard", "d=4", "k=1")
    assert (found["mistakes"], found["trials"], found["additive_at_least"]) == (16, 16, 16)
    assert found["mistakes"] <= found["bound"] <= perceptron_disjunction(k=1, X=16).value
    assert "transcript" not in found


def test_the_kernel_perceptron_in_its_trap():
    found = report("kernel-perceptron", "kernel-trap", "n=240", "sets=3000", "--set", "kernel=monotone")
    assert (found["trials"], found["mistakes"], found["kernel_perceptron_at_least"]) == (3002, 2274, 2274)
    settings = ["theta=-7/2", "eta=1/2"]
    given = [word for setting in settings for word in ("--set", setting)]
    found = report("kernel-perceptron", "kernel-trap", "n=320", "sets=50", *settings, "-s", "kernel=monotone", *given)
    assert found["mistakes"] == found["trials"] == 8 + 1 + 50
    shown = call("perceptron", "kernel-trap", "n=80").stdout.splitlines()
    assert shown[-1] == "kernel    the kernel Perceptron that this traps makes 10 mistakes"


def test_winnow_against_greedy():
    found = report("winnow", "greedy", "n=256", "target=0,1,2,3", "--set", "alpha=1.5", "-s", "theta=256")
    assert (found["mistakes"], round(found["bound"])) == (125, 133)
    assert found["bound"] <= winnow_disjunction(n=256, k=4, alpha=1.5).value == 142
    assert found["learner"] == "Winnow(alpha=1.5, theta=256)"


def test_a_single_attribute_may_be_the_target():
    assert report("winnow", "greedy", "n=8", "target=3")["teacher"].startswith("Greedy([3], n=8")


def test_a_teacher_that_draws():
    found = report("elimination", "disjunction", "n=200", "k=20", "trials=1000", "reading=R1")
    assert (found["mistakes"], found["bound"], found["trials"]) == (78, 180, 1000)


@pytest.mark.parametrize(("arguments", "why"), [
    (["elimination", "disjunction", "n=20", "k=2", "trials=200", "noise=0.2"], "no attribute errors"),
    (["normalized-winnow", "threshold", "n=20", "k=3", "r=2", "trials=50"], "no theorem"),
    (["quasi-additive", "disjunction", "n=20", "k=2", "trials=50"], "no theorem"),
    (["elimination", "greedy", "n=8", "attribute_errors=1", "trials=50"], "no attribute errors"),
    (["normalized-winnow", "disjunction", "n=20", "k=10", "trials=50", "reading=R1"], "no"),
])  # fmt: skip
def test_why_there_is_no_bound(arguments, why):
    found = report(*arguments)
    assert found["bound"] is None
    assert why in found["why_not"]
    assert why in call(*arguments).stdout


def test_attribute_errors_are_in_the_bound():
    clean, noisy = (report("thresholded-beg", "greedy", "n=16", f"attribute_errors={a}") for a in (0, 5))
    assert clean["mistakes"] < noisy["mistakes"] <= noisy["bound"]
    assert clean["bound"] < noisy["bound"]


def test_one_line_a_trial():
    lines = call("perceptron", "hadamard", "d=2", "-v").stdout.splitlines()
    assert lines[:4] == ["1  0000  0 1 *", "2  1010  1 0 *", "3  0011  0 1 *", "4  1001  1 0 *"]
    assert "Perceptron() against Hadamard(order=4, k=1)" in lines[4]
    wide = call("elimination", "disjunction", "n=100", "k=1", "density=0.01", "trials=3", "-v").stdout.splitlines()
    assert len(wide) == 3 + 4
    on = np.flatnonzero(np.random.default_rng(0).random(100) < 0.01)
    assert wide[0].split()[1] == ",".join(map(str, on))


def test_json_has_the_trials_if_asked():
    found = report("perceptron", "hadamard", "d=1", "--verbose")
    assert found["transcript"] == [
        {"row": [], "outcome": 0, "prediction": 1}, {"row": [0], "outcome": 1, "prediction": 0},
    ]  # fmt: skip


@pytest.mark.parametrize("teacher", TEACHERS)
def test_every_teacher_can_be_played(teacher):
    fixed = {"hadamard": ["d=2"], "decision-list": ["n=4"], "kernel-trap": ["n=80"], "greedy": ["n=8"]}
    settings = fixed.get(teacher, ["trials=20"])
    assert report("perceptron", teacher, *settings)["trials"] > 0


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_can_play(learner):
    assert report(learner, "disjunction", "n=16", "k=2", "trials=20")["trials"] == 20


@pytest.mark.parametrize(("arguments", "words"), [
    (["nobody", "hadamard"], "littlestone learners lists them"),
    (["winnow", "nobody"], "disjunction, threshold"),
    (["winnow", "hadamard", "dd=3"], "d, k, order"),
    (["winnow", "hadamard", "d"], "d, k, order"),
    (["winnow", "hadamard", "d=x"], "d, k, order"),
    (["winnow", "greedy", "target=9", "n=4"], "target, n, attribute_errors"),
    (["winnow", "kernel-trap", "n=80", "sets=3000"], "361 reed-solomon sets of 4 of 80 attributes"),
    (["winnow", "kernel-trap", "n=400", "size=20"], "sizes to 19 are possible"),
    (["winnow", "kernel-trap", "theta=many"], "theta must be a finite number, got 'many'"),
    (["winnow", "kernel-trap-sample", "sets=0"], "sets must be at least 1"),
    (["winnow", "hadamard", "d=2", "--set", "beta=2"], "no parameter 'beta'; did you mean theta?"),
    (["winnow", "hadamard", "d=2", "--set", "alpha=0.5"], "got 0.5; littlestone learners winnow lists its parameters"),
    (["winnow", "hadamard", "d=2", "--set", "alpha=1/0"], "got '1/0'; littlestone learners winnow"),
])  # fmt: skip
def test_wrong_calls_are_one_line_and_exit_with_two(arguments, words):
    done = call(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
