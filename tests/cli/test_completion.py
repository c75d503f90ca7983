"""Completion in a shell: commands, learners with their parameters, streams, theorems; by click's own machinery."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from littlestone.cli import main
from littlestone.learners import LEARNERS
from littlestone.learners.regressors import REGRESSORS
from littlestone.teachers import TEACHERS


def offered(*words):
    """What a shell offers for the last word."""
    *before, last = words
    items = ShellComplete(main, {}, "littlestone", "_LITTLESTONE_COMPLETE").get_completions(list(before), last)
    return [item.value for item in items if item.type == "plain"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["comp"], ["compare"]),
        (["learners", "balanced"], ["balanced-winnow"]),
        (["learners", "Balanced_"], ["balanced-winnow"]),
        (["duel", "winnow:al"], ["winnow:alpha="]),
        (["duel", "winnow:alpha=2,th"], ["winnow:alpha=2,theta="]),
        (["duel", "winnow:alpha=2"], []),
        (["duel", "nobody:a"], []),
        (["duel", "winnow", "hada"], ["hadamard"]),
        (["compare", "tic"], ["tic-tac-toe"]),
        (["compare", "-l", "th"], ["theory", "thresholded-beg"]),
        (["compare", "-l", "auto,th"], ["auto,thresholded-beg"]),
        (["compare", "-l", "auto,winnow:alpha=2,th"],
         ["auto,winnow:alpha=2,thresholded-beg", "auto,winnow:alpha=2,theta="]),
        (["compare", "--hindsight", "gr"], ["greedy"]),
        (["convert", "mo"], ["model-m", "monks"]),
        (["convert", "--to", "s"], ["svmlight"]),
        (["bound", "winnow-d"], ["winnow-disjunction"]),
        (["bound", "winnow:al"], ["winnow:alpha="]),
        (["sample", "--kind", "p"], ["people"]),
    ],
)  # fmt: skip
def test_what_is_offered(words, expected):
    assert offered(*words) == expected


def test_all_names_are_offered_where_nothing_is_typed():
    assert offered("learners", "") == [*LEARNERS, *REGRESSORS]
    assert offered("duel", "winnow", "") == list(TEACHERS)
    assert {f"winnow:{name}=" for name in LEARNERS["winnow"].parameters()} == set(offered("duel", "winnow:"))


def test_files_are_left_to_the_shell():
    items = ShellComplete(main, {}, "littlestone", "_X").get_completions(["compare"], "mail")
    assert [(item.type, item.value) for item in items] == [("file", "mail")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_ask(shell):
    asked = {"COMP_WORDS": "littlestone learners balanced-", "COMP_CWORD": "balanced-" if shell == "fish" else "2"}
    environment = {**os.environ, **asked, "_LITTLESTONE_COMPLETE": f"{shell}_complete"}
    code = "from littlestone.cli import main; main(prog_name='littlestone')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert "balanced-winnow" in done.stdout and "Traceback" not in done.stderr
