"""littlestone learners: all of them, one of them, as JSON, and wrong calls."""

import json

import pytest
from click.testing import CliRunner

from littlestone.cli import main
from littlestone.learners import LEARNERS


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
    assert [one["name"] for one in found] == list(LEARNERS)
    assert all(one["summary"].endswith(".") for one in found)


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
