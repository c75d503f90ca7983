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
        (["learners", "winnow:alhpa=2"], "winnow: no parameter 'alhpa'; did you mean alpha?"),
        (["bound", "winow:alpha=3/2", "n=100", "k=3"], "got 'winow:alpha=3/2'; did you mean winnow"),
        (["bound", "winow", "n=100"], "of a theorem or of a learner, got 'winow'; did you mean winnow"),
    ],
)
def test_words_that_are_nearly_right(arguments, words):
    done = call(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "disjuntion", "n=20"], "did you mean disjunction?"),
        (["train", "disjuntion:n=20"], "did you mean disjunction?"),
        (["train", "peple.csv"], "did you mean people.csv?"),
        (["train", "sub/messags.tsv"], f"did you mean {Path('sub') / 'messages.tsv'}?"),
        (["compare", "peple.csv"], "did you mean people.csv?"),
        (["predict", "modl.npz", "people.csv"], "modl.npz: No such file or directory; did you mean model.npz?"),
        (["train", "nowhere/at/all.csv"], "got the name of a file that is not there\n"),
    ],
)
def test_files_and_streams_that_are_nearly_right(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("people.csv", "model.npz", "sub/messages.tsv"):
        (tmp_path / name).touch()
    done = call(*arguments)
    assert done.exit_code in {1, 2}
    assert words in done.stderr


def test_a_file_takes_no_settings(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,0\n2,1\n")
    done = call("train", str(tmp_path / "t.csv"), "n=3", "k=2")
    assert done.exit_code == 2
    assert "only for a built-in stream" in done.stderr and "got a file and n=3 k=2" in done.stderr


def test_a_learner_with_parameters_is_described_with_them():
    told = json.loads(call("learners", "Winnow:alpha=1.5,theta=20", "--json").stdout)
    assert told["name"] == "winnow"
    assert told["given"] == {"alpha": 1.5, "theta": 20}
    assert told["command"] == "littlestone train FILE -l winnow:alpha=1.5,theta=20 -m model.npz"
    assert told["python"] == "ls.play(ls.Winnow(alpha=1.5, theta=20), ls.open(FILE))"
    assert "Here: alpha = 1.5, theta = 20" in call("learners", "winnow:alpha=1.5,theta=20").stdout
    assert json.loads(call("learners", "winnow", "--json").stdout)["given"] == {}


def test_why_there_is_no_bound_names_no_function(tmp_path):
    ls.datasets.people(rows=50, seed=0).write(tmp_path / "people.csv")
    done = call("compare", str(tmp_path / "people.csv"), "--label", "buys", "-l", "perceptron")
    assert "No bound for perceptron: row 2, attribute 'age': expected 0 or 1" in done.stdout
    assert "--bins N makes Boolean attributes of numbers" in done.stdout


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
