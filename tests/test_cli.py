"""The command line: what is printed, where, and with which exit code."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from littlestone import __version__
from littlestone.cli import main


def call(*arguments):
    return CliRunner().invoke(main, list(arguments))


def test_help_and_version():
    assert "compare" in call("--help").output
    assert __version__ in call("--version").output
    assert "disjunction" in call("compare", "--help").output


def test_compare_prints_one_json_object_and_nothing_else():
    done = call("compare", "disjunction", "--learners", "perceptron,winnow,elimination", "--json",
                "-n", "200", "-k", "20", "-t", "1000")  # fmt: skip
    report = json.loads(done.stdout)
    assert done.exit_code == 0
    assert done.stderr == ""
    assert report["stream"] == "disjunction"
    assert report["trials"] == 1000
    found = {learner["name"]: learner for learner in report["learners"]}
    assert found["perceptron"]["mistakes"] == 68
    assert found["elimination"]["mistakes"] == 9
    assert found["elimination"]["bound"] == 180
    assert found["winnow"]["mistakes"] <= found["winnow"]["bound"]
    assert set(found["winnow"]) >= {"name", "mistakes", "updates", "seconds", "bound"}


def test_compare_without_arguments_shows_mistakes_beside_bounds():
    done = call("compare", "-t", "300")
    assert done.exit_code == 0
    for word in ("perceptron", "tuned-winnow", "tuned-bayes-beg", "mistakes", "bound", "Helmbold"):
        assert word in done.output


def test_every_bound_that_is_printed_holds():
    for seed in ("0", "1"):
        report = json.loads(call("compare", "--json", "-n", "60", "-k", "4", "-t", "3000", "--seed", seed).stdout)
        bounded = [learner for learner in report["learners"] if learner["bound"] is not None]
        assert len(bounded) >= 9
        assert all(learner["mistakes"] <= learner["bound"] for learner in bounded)


def test_no_bound_is_printed_under_noise():
    report = json.loads(call("compare", "--json", "--noise", "0.1", "-n", "50", "-t", "200").stdout)
    assert all(learner["bound"] is None and learner["why_not"] for learner in report["learners"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["compare", "nowhere.svm"], 2, "disjunction"),
        (["compare", "--learners", "winow"], 2, "expected one of"),
        (["compare", "--learners", ","], 2, "at least one"),
        (["compare", "--learners", "tuned-perceptron"], 2, "theory has no parameters"),
        (["compare", "-n", "3", "-k", "5"], 1, "k must be"),
        (["compare", "--noise", "2"], 1, "noise must be"),
        (["compare", "--wrong"], 2, "No such option"),
        (["compare", "-n", "many"], 2, "not a valid integer"),
        (["nothing"], 2, "No such command"),
    ],
)
def test_wrong_calls(arguments, code, words):
    done = call(*arguments)
    assert done.exit_code == code
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "littlestone", "compare", "-t", "10", "--json", "-l", "perceptron"],
                          capture_output=True, text=True, check=True, env=os.environ)  # fmt: skip
    assert json.loads(done.stdout)["trials"] == 10
