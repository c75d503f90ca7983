"""The command line: what is printed, where, and with which exit code."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone import __version__, bounds
from littlestone.cli import main
from littlestone.teachers import TEACHERS


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


def test_with_noise_the_theorem_about_attribute_errors_still_holds():
    report = json.loads(call("compare", "--json", "--noise", "0.05", "-n", "50", "-k", "3", "-t", "2000").stdout)
    found = {learner["name"]: learner for learner in report["learners"]}
    stream = ls.teachers.LabelNoise(ls.teachers.Disjunction(50, 3, trials=2000), 0.05)
    errors = ls.hindsight.attribute_errors(stream, [0, 1, 2]).attribute_errors
    assert report["hindsight"]["attribute_errors"] <= errors
    told = found["thresholded-beg"]
    k, least = told["comparator"]["k"], told["comparator"]["attribute_errors"]
    assert told["theorem"] == "Helmbold et al., Theorem 5"
    assert told["bound"] == pytest.approx(bounds.thresholded_beg(n=50, k=k, attribute_errors=least).value)
    assert told["ratio"] == pytest.approx(told["mistakes"] / told["bound"])
    assert found["winnow"]["theorem"] == "Auer-Warmuth, Winnow"
    assert "2.2" in found["perceptron"]["theorem"]
    for name in ("elimination", "tuned-bayes-beg", "tuned-normalized-winnow"):
        assert found[name]["bound"] is None
        assert "allows no attribute errors" in found[name]["why_not"]
    assert "no theorem" in found["balanced-winnow"]["why_not"]
    bounded = [learner for learner in report["learners"] if learner["bound"] is not None]
    assert len(bounded) >= 6
    assert all(learner["mistakes"] <= learner["bound"] for learner in bounded)


def test_exact_hindsight_is_never_worse():
    arguments = (
        "compare",
        "--json",
        "--noise",
        "0.1",
        "-n",
        "15",
        "-k",
        "3",
        "-t",
        "500",
        "-l",
        "winnow,thresholded-beg",
    )
    reports = {how: json.loads(call(*arguments, "--hindsight", how).stdout) for how in ("greedy", "exact", "none")}
    best = reports["exact"]["hindsight"]
    assert best["lower"] == best["attribute_errors"] <= reports["greedy"]["hindsight"]["attribute_errors"]
    for one, other in zip(reports["exact"]["learners"], reports["greedy"]["learners"], strict=True):
        assert one["mistakes"] <= one["bound"] <= other["bound"]
    assert reports["none"]["hindsight"] is None
    assert all(learner["bound"] is None for learner in reports["none"]["learners"])
    assert all("--hindsight none" in learner["why_not"] for learner in reports["none"]["learners"])


@pytest.mark.parametrize("name", [name for name, kind in TEACHERS.items() if issubclass(kind, ls.Stream)])
def test_every_stream_can_be_compared_on(name):
    told = ["n=6"] if name in ("decision-list", "kernel-trap") else ["n=30", "trials=400"]
    report = json.loads(call("compare", name, *told, "--json").stdout)
    for learner in report["learners"]:
        assert (learner["bound"] is None) == (learner["why_not"] is not None)
        assert learner["bound"] is None or learner["mistakes"] <= learner["bound"]
    assert name.split("-")[0] in call("compare", name, *told, "-l", "winnow").stdout.lower()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["compare", "nowhere.svm"], 2, "disjunction"),
        (["compare", "--learners", "winow"], 2, "did you mean winnow"),
        (["compare", "--learners", ","], 2, "at least one"),
        (["compare", "--learners", "tuned-perceptron"], 2, "theory recommends no parameters"),
        (["compare", "-n", "3", "-k", "5"], 2, "k must be"),
        (["compare", "--noise", "2"], 2, "rate must be"),
        (["compare", "n=10", "n=20"], 2, "once"),
        (["compare", "-n", "1", "-k", "1"], 2, "tuned-normalized-winnow"),
        (["compare", "-l", "randomized-perceptron"], 2, "no randomised"),
        (["compare", "--time-limit", "0", "--hindsight", "exact"], 2, "x>0"),
        (["duel", "winnow", "disjunction", "n=1000000000000"], 2, "in memory"),
        (["duel", "winnow", "hadamard", "d=3", "k=1000000000000"], 2, "in memory"),
        (["duel", "winnow", "greedy", "target=0.5"], 2, "by position"),
        (["bound", "--target", "3"], 2, "NAME"),
        (["compare", "hadamard"], 2, "or one of disjunction"),
        (["compare", "disjunction", "m=3"], 2, "KEY=VALUE"),
        (["compare", "dnf", "--density", "x"], 2, "not a valid float"),
        (["compare", "--hindsight", "magic"], 2, "greedy"),
        (["compare", "--time-limit", "3"], 2, "--hindsight exact"),
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


@pytest.mark.parametrize(("page", "least"), [("README.md", 4), ("docs/command-line.md", 15), ("docs/theory.md", 2)])
def test_every_command_of_a_page_works(page, least, tmp_path, monkeypatch):
    path = Path(ls.__file__).parents[2] / page
    if not path.is_file():
        pytest.skip("the pages are not beside the package")
    lines = [shlex.split(line, comments=True) for line in path.read_text().splitlines() if line[:11] == "littlestone"]
    commands = [words[1:] for words in lines if words[0] == "littlestone"]
    assert len(commands) >= least
    monkeypatch.chdir(tmp_path)
    for command in commands:
        done = call(*command)
        assert done.exit_code == 0, (command, done.output)
        assert done.output or "-o" in command


def test_coins_and_expected_errors():
    names = "randomized-winnow,tuned-randomized-thresholded-beg,tuned-winnow"
    arguments = ("compare", "-n", "50", "-k", "3", "-t", "500", "--noise", "0.1", "--errors", "60", "-l", names)
    found = {one["name"]: one for one in json.loads(call(*arguments, "--json").stdout)["learners"]}
    assert found["randomized-winnow"]["of"] == found["tuned-randomized-thresholded-beg"]["of"] == "expected mistakes"
    assert found["tuned-winnow"]["of"] == "mistakes"
    assert "expected mistakes" in " ".join(call(*arguments).stdout.split())


def test_attribute_noise():
    arguments = ("compare", "-n", "50", "-k", "3", "-t", "500", "--attribute-noise", "0.01", "-l", "winnow", "--json")
    report = json.loads(call(*arguments).stdout)
    assert "AttributeNoise" in report["settings"]["made"]
    assert report["learners"][0]["mistakes"] <= report["learners"][0]["bound"]


def test_a_huge_bound_leaves_room_for_the_rest():
    report = json.loads(call("compare", "kernel-trap", "n=1200", "sets=5", "-l", "kernel-perceptron", "--json").stdout)
    assert report["learners"][0]["bound"] is None
    assert "beyond the floats" in report["learners"][0]["why_not"]
    shown = call("compare", "kernel-trap", "n=320", "-l", "perceptron,kernel-perceptron").stdout.splitlines()
    by_name = {line.split()[0]: line.split()[1:3] for line in shown if "perceptron" in line}
    assert by_name == {"perceptron": ["19", "325"], "kernel-perceptron": ["2", "1.07e+97"]}


def test_output_at_many_widths():
    for width in ("40", "60", "80", "200"):
        done = CliRunner(env={"COLUMNS": width}).invoke(main, ["compare", "-t", "50", "-n", "20", "-l", "winnow"])
        assert "Kivinen-Warmuth" in done.stdout or "Auer-Warmuth" in done.stdout


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "littlestone", "compare", "-t", "10", "--json", "-l", "perceptron"],
                          capture_output=True, text=True, check=True, env=os.environ)  # fmt: skip
    assert json.loads(done.stdout)["trials"] == 10


@pytest.fixture
def votes(tmp_path):
    """A small file in which attribute 3 is the label, but for every seventh row."""
    rows = [f"{'+1' if (r % 3 == 0) != (r % 7 == 0) else '-1'} {1 + r % 2}:1{' 3:1' if r % 3 == 0 else ''}\n"
            for r in range(210)]  # fmt: skip
    path = tmp_path / "votes.svm"
    path.write_text("".join(rows))
    return path


def test_compare_on_a_file(votes):
    report = json.loads(call("compare", str(votes), "-l", "perceptron,winnow", "--json").stdout)
    assert (report["stream"], report["trials"], report["attributes"]) == (str(votes), 210, 3)
    stream = ls.streams.SvmlightStream(votes)
    for learner, made in zip(report["learners"], (ls.Perceptron(), ls.Winnow()), strict=True):
        assert learner["mistakes"] == ls.play(made, stream).mistakes <= learner["bound"]
    shown = call("compare", str(votes), "-l", "perceptron,winnow", "-t", "100").stdout
    assert "100 trials" in shown


def test_compare_with_permutations_and_tuning(votes):
    arguments = ("compare", str(votes), "-l", "perceptron,winnow:alpha=1.1:alpha=2", "-p", "4", "--tune", "0.1")
    report = json.loads(call(*arguments, "--json").stdout)
    assert (report["permutations"], report["tuning"], report["trials"]) == (4, 21, 189)
    found = {learner["name"]: learner for learner in report["learners"]}
    winnow = found["winnow:alpha=1.1:alpha=2"]
    assert sum(winnow["chosen"].values()) == 5
    assert winnow["mean"] == sum(winnow["permuted"]) / 4
    best, other = sorted(report["learners"], key=lambda learner: learner["mean"])
    assert report["best"] == best["name"]
    assert best["difference"] is None
    assert other["difference"]["mean"] == pytest.approx(other["mean"] - best["mean"])
    shown = call(*arguments).stdout
    assert "chosen by the first 21 rows" in shown and "4 permutations" in shown


def test_compare_reads_stdin_and_says_who_cannot_play(votes):
    def piped(*more):
        given = [sys.executable, "-m", "littlestone", "compare", "-", "-l", "perceptron,winnow,tuned-winnow", "--json"]
        done = subprocess.run([*given, *more], input=votes.read_bytes(), capture_output=True, check=True)
        return json.loads(done.stdout)["learners"]

    found = piped()
    assert found[0]["mistakes"] == ls.play(ls.Perceptron(), ls.streams.SvmlightStream(votes)).mistakes
    assert all("--attributes N" in learner["refused"] for learner in found[1:])
    assert all(learner["refused"] is None for learner in piped("--attributes", "3"))


def test_compare_writes_a_page(votes, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "page.html"
    done = call("compare", str(votes), "-l", "perceptron,winnow", "-p", "2", "--page", str(out), "--on-error", "skip")
    assert done.exit_code == 0
    text = out.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert f"littlestone compare {votes} --learners perceptron,winnow --permutations 2 --page {out}" in text
    assert call("compare", str(votes), "--page", str(tmp_path / "no" / "where.html")).exit_code == 1


def test_bad_lines_of_a_compared_file(votes):
    votes.write_text(votes.read_text() + "+1 1:x\n")
    done = call("compare", str(votes), "-l", "perceptron")
    assert done.exit_code == 1 and "votes.svm:211" in done.stderr
    done = call("compare", str(votes), "-l", "perceptron", "--on-error", "skip")
    assert done.exit_code == 0 and "1 bad lines were skipped" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["-l", "winnow:alpha=2:alpha=3"], 2, "--tune"),
        (["-l", "winnow:alpha=2:alpha=2", "--tune", "5"], 2, "twice"),
        (["-l", "perceptron", "--tune", "half"], 2, "fraction"),
        (["-l", "perceptron", "--tune", "210"], 1, "210 rows for tuning"),
        (["-l", "perceptron", "--noise", "0.1"], 2, "is for streams that are computed"),
        (["-l", "perceptron", "n=3"], 2, "built-in"),
        (["-l", "elimination", "--labels", "1,2"], 1, "expected a label"),
        (["-p", "-1"], 2, "x>=0"),
    ],
)
def test_wrong_calls_with_a_file(votes, arguments, code, words):
    done = call("compare", str(votes), *arguments)
    assert (done.exit_code, done.stdout) == (code, "")
    assert words in done.stderr


def test_options_of_files_are_not_for_computed_streams():
    done = call("compare", "monks", "--label", "x")
    assert done.exit_code == 2 and "--label is for files" in done.stderr
    report = json.loads(call("compare", "tic-tac-toe", "-p", "2", "--seed", "3", "-l", "winnow", "--json").stdout)
    assert len(report["learners"][0]["permuted"]) == 2


def test_a_parameter_may_be_none_on_the_command_line():
    shown = call("compare", "disjunction", "n=20", "k=2", "trials=100", "-l", "alma:p=none,alma", "--json")
    assert [row["learner"] for row in json.loads(shown.stdout)["learners"]] == ["ALMA(p=None)", "ALMA()"]
