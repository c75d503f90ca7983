"""littlestone learners: all of them, one of them, as JSON, and wrong calls."""

import json

import pytest
from click.testing import CliRunner

from littlestone.cli import main
from littlestone.learners import LEARNERS
from littlestone.learners.regressors import REGRESSORS


def call(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(main, ["learners", *arguments])


def test_all_learners_have_a_line():
    done = call()
    assert done.exit_code == 0
    shown = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
    assert set(LEARNERS) <= shown
    assert "Multiply the weights it misses, divide those that misled it (Winnow2)." in done.stdout


def test_all_learners_as_json():
    found = json.loads(call("--json").stdout)["learners"]
    assert sorted(one["name"] for one in found) == sorted([*LEARNERS, *REGRESSORS])
    assert (found[0]["name"], found[0]["purpose"]) == ("auto", "auto")
    assert all(one["purpose"] != "others" for one in found)
    assert all(one["summary"].endswith(".") for one in found)


def test_practical_learners_come_before_those_of_the_papers():
    lines = call().stdout.splitlines()
    at = {word: next(i for i, line in enumerate(lines) if line.split()[:1] == [word]) for word in LEARNERS}
    assert lines[0] == "When you do not want to choose" and at["auto"] == 1
    assert at["auto"] < at["arow"] < at["perceptron"] < at["winnow"] < at["winner-takes-all"] < at["bayes-beg"]


@pytest.mark.parametrize("name", ["Balanced_Winnow", "BalancedWinnow", "BALANCED-WINNOW", "balancedwinnow"])
def test_a_name_may_be_spelled_in_many_ways(name):
    assert json.loads(call(name, "--json").stdout)["name"] == "balanced-winnow"


def test_one_learner_says_how_to_use_it_and_what_its_guarantee_assumes():
    shown = call("winnow").stdout
    assert "On the command line: littlestone train FILE -l winnow:alpha=2 -m model.npz" in shown
    assert "In Python: ls.play(ls.Winnow(), ls.open(FILE))" in shown
    assert ">>> import littlestone as ls" in shown
    assert "Guarantee: Kivinen-Warmuth, Winnow, derived; it holds if a disjunction of k attributes" in shown
    told = json.loads(call("balanced-winnow", "--json").stdout)
    assert told["theorem"] is None and told["reference"].startswith("Littlestone")


def test_one_learner_with_its_parameters_and_its_bound():
    done = call("winnow")
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["alpha", "2", "number", ">", "1", "The", "promotion", "factor."] in lines
    assert any(line[:5] == ["demotion", "none", "number", "in", "[0,"] for line in lines)
    assert any(line[:3] == ["averaged", "false", "bool"] for line in lines)  # what the family shares, too
    assert "bounds.winnow_disjunction" in done.stdout
    assert "Values of attributes: non-negative" in done.stdout


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_can_be_described(name):
    told = json.loads(call(name, "--json").stdout)
    assert told["name"] == name
    assert [one["name"] for one in told["parameters"]] == LEARNERS[name].parameter_names()
    assert all(one["takes"] and one["says"] for one in told["parameters"])
    assert told["bound"] or name in ("auto", "quasi-additive")
    done = call(name)
    assert done.exit_code == 0
    assert all(one["name"] in done.stdout for one in told["parameters"])


def test_a_learner_without_parameters_says_so():
    assert "It takes no parameters." in call("sbsb").stdout


def test_an_unknown_name_is_a_wrong_call_with_the_remedy():
    done = call("winow")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "got 'winow'; did you mean winnow" in done.stderr
