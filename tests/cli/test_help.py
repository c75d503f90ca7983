"""Help by groups, words that are nearly commands, lists of learners, and the page about the command line."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import GROUPS, main
from littlestone.learners.purposes import ALL, MANY_CLASSES, PRACTICAL, THEORY

PAGE = Path(ls.__file__).parents[2] / "docs" / "command-line.md"
COMMANDS = main.list_commands(None)


def call(*arguments):
    return CliRunner().invoke(main, list(arguments))


def test_help_has_a_line_for_each_command_by_what_it_is_for():
    assert sorted(name for names in GROUPS.values() for name in names) == COMMANDS
    alone, asked = call(), call("--help")
    assert alone.exit_code == asked.exit_code == 0
    assert alone.stdout == asked.stdout
    lines = asked.stdout.splitlines()
    for title, names in GROUPS.items():
        at = lines.index(f"{title}:")
        assert [line.split()[0] for line in lines[at + 1 : at + 1 + len(names)]] == list(names)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["trian"], "No such command 'trian': did you mean train?"),
        (["qqqq"], "No such command 'qqqq': littlestone --help lists them"),
        (["learners", "--jsn"], "Did you mean '--json'?"),
        (["compare", "disjunciton"], "did you mean disjunction?"),
        (["compare", "disjunction", "denisty=0.1"], "did you mean density?"),
        (["compare", "-l", "perceptron:etta=2"], "perceptron: no parameter 'etta'; did you mean eta"),
        (["convert", "x.csv", "--format", "svmlihgt"], "got 'svmlihgt'; did you mean svmlight?"),
        (["compare", "--hindsight", "greddy"], "did you mean greedy?"),
        (["duel", "winnow", "hadamrad"], "did you mean hadamard?"),
        (["bound", "winnow-disjunctoin"], "did you mean winnow_disjunction"),
        (["learners", "experts"], "made of other learners"),
    ],
)
def test_words_that_are_nearly_right(arguments, words):
    done = call(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_commands_formats_and_streams_in_any_case():
    assert call("Learners", "WINNOW").exit_code == 0
    done = call("Compare", "Tic_Tac_Toe:marks=x", "-l", "Winnow,TUNED_WINNOW", "--json")
    assert [one["name"] for one in json.loads(done.stdout)["learners"]] == ["Winnow", "TUNED_WINNOW"]
    assert call("duel", "Winnow:alpha=1.5", "Hadamard:d=2,k=1").exit_code == 0


@pytest.fixture(scope="module")
def votes(tmp_path_factory):
    path = tmp_path_factory.mktemp("votes") / "votes.svm"
    path.write_text("".join(f"{'+1' if r % 3 == 0 else '-1'} {1 + r % 3}:1 {5 + r % 4}:1\n" for r in range(60)))
    return path


def players(*arguments):
    return tuple(one["name"] for one in json.loads(call("compare", *arguments, "--json").stdout)["learners"])


def test_a_file_is_played_by_the_practical_learners_and_a_stream_by_those_of_the_theory(votes, tmp_path):
    assert players(str(votes)) == PRACTICAL
    assert players("n=20", "k=2", "-t", "50") == THEORY
    assert players(str(votes), "-l", "Theory") == THEORY
    assert players(str(votes), "-l", "all") == ALL
    assert players(str(votes), "-l", "winnow,practical") == ("winnow", *PRACTICAL)
    three = tmp_path / "three.svm"
    three.write_text("".join(f"{r % 3} {1 + r % 3}:1\n" for r in range(30)))
    assert players(str(three)) == MANY_CLASSES


def test_what_k_and_attribute_errors_mean_is_said_where_they_appear(votes):
    shown = call("compare", str(votes), "-l", "winnow,perceptron").stdout
    assert "(k=" in shown
    assert "k: how many attributes the disjunction has" in shown and "A: its attribute errors, how many" in shown
    shown = call("compare", str(votes), "-l", "scw,arow").stdout
    assert "No bound for scw, arow: no theorem is known" in shown
    assert "k: how many" not in shown


def test_a_learner_that_leaves_is_named_with_the_reason(tmp_path):
    path = tmp_path / "values.svm"
    path.write_text("1 1:-2.5\n-1 2:1\n1 1:3\n-1 2:2\n")
    shown = call("compare", str(path), "-l", "perceptron,winnow,elimination").stdout
    assert "winnow left: " in shown and "elimination left: " in shown


def test_the_page_about_the_command_line_names_all_commands():
    if not PAGE.is_file():
        pytest.skip("the page is not beside the package")
    text = PAGE.read_text()
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == COMMANDS
    for shell in ("bash", "zsh", "fish"):
        assert f"_LITTLESTONE_COMPLETE={shell}_source littlestone" in text
