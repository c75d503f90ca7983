"""littlestone train: what is learned, counted, printed and saved."""

import gzip
import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.models.files import inspect_model, load, save
from littlestone.models.record import described
from littlestone.models.training import Schedule, Training
from littlestone.streams import write_svmlight
from tests.learners.test_real_data import EXACT
from tests.models.test_model_file import same

STREAM = {"n": 60, "k": 4, "trials": 20_000}
HEAD = """\
average  since         example        example        current        current  current
loss     last          counter         weight          label        predict features  mistakes    updates
"""


def call(*arguments, code=0, **more):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments], **more)
    assert done.exit_code == code, (arguments, done.output)
    assert "Traceback" not in done.output
    return done


def report_of(*arguments, **more):
    done = call("train", *arguments, "--json", **more)
    assert not done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def svm(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "train.svm"
    write_svmlight(ls.teachers.LabelNoise(ls.teachers.Disjunction(**STREAM), 0.05), path)
    return path


def rows(text):
    return [line.split() for line in text.splitlines() if line[:1].isdigit()]


@pytest.mark.parametrize("due", ["2.0", "1000", "1.5"])
@pytest.mark.parametrize("learner", ["winnow", "balanced-winnow", "perceptron"])
def test_lines_are_exact_at_every_count(svm, due, learner):
    schedule = Schedule.of(due)
    settings = ("--set", "margin=0.5") if learner == "balanced-winnow" else ()  # more updates than mistakes
    done = call("train", svm, "-l", learner, "-P", due, *settings)
    assert not done.stdout
    assert done.stderr.startswith(HEAD)
    bounds = [line[9] for line in rows(call("train", svm, "-l", learner, "-P", due, *settings, "-k", 4).stderr)]
    player = ls.learners.by_name(learner)(**({"margin": 0.5} if settings else {}))
    run = ls.play(player, ls.streams.SvmlightStream(svm), record=True)
    curve, truth = run.curve(), run.transcript.outcomes
    counter, lines = 0, rows(done.stderr)
    for line, bound in zip(lines, bounds, strict=True):
        before, counter = counter, schedule.after(counter)
        mistakes = curve[counter - 1]
        since = mistakes - (curve[before - 1] if before else 0)
        assert line[:2] == [f"{mistakes / counter:.6f}", f"{since / (counter - before):.6f}"]
        assert line[2:4] == [str(counter), f"{counter}.0"]
        predicted = run.transcript.predictions[counter - 1]
        assert [float(line[4]), float(line[5])] == [truth[counter - 1], predicted]
        again = type(player)(**player.params())
        ls.play(again, ls.streams.SvmlightStream(svm), trials=counter)
        assert [int(word) for word in line[7:9]] == [again.mistakes, again.updates]
        assert len(line) == 9 and (bound == "-" or int(bound) >= again.mistakes)
    assert schedule.after(counter) > STREAM["trials"]
    assert f"mistakes = {run.mistakes:,}\nupdates = {run.updates:,}\n" in done.stderr
    assert "not saved" in done.stderr


def test_what_is_reported_is_what_play_says(svm, tmp_path):
    model = tmp_path / "m.npz"
    report = report_of(svm, "-l", "winnow", "--set", "alpha=1.5", "--set", "theta=30", "-m", model)
    run = ls.play(learner := ls.Winnow(alpha=1.5, theta=30), ls.streams.SvmlightStream(svm))
    for name in ("mistakes", "updates", "promotions", "demotions"):
        assert report[name] == getattr(run, name)
    assert (report["examples"], report["learned"], report["passes"], report["finished"]) == (20_000, 20_000, 1, True)
    assert report["error"] == run.mistakes / 20_000
    same(load(model), learner)
    assert call("train", svm, "-l", "winnow", "-q").output == ""


def test_a_pass_more_is_a_pass_more(svm, tmp_path):
    both, once, twice = (tmp_path / f"{name}.npz" for name in ("both", "once", "twice"))
    report = report_of(svm, "-l", "perceptron", "--passes", 2, "-m", both)
    first = report_of(svm, "-l", "perceptron", "-m", once)
    second = report_of(svm, "-i", once, "-m", twice)
    assert report["mistakes"] == first["mistakes"] + second["mistakes"]
    assert second["learned"] == 20_000
    same(load(both), load(twice))
    assert report_of(svm, "-l", "perceptron", "--trials", 500)["mistakes"] == ls.play(
        ls.Perceptron(), ls.streams.SvmlightStream(svm), trials=500
    ).mistakes  # fmt: skip


@pytest.mark.parametrize("period", [2, 10, 999])
def test_what_is_held_out_is_never_learned(svm, tmp_path, period):
    model = tmp_path / "m.npz"
    report = report_of(svm, "--holdout", period, "-m", model, "-l", "winnow")
    block = ls.Block.joined(list(ls.streams.SvmlightStream(svm).blocks()))
    out = np.arange(1, 20_001) % period == 0
    learner = ls.Winnow().begin(60)
    learner.learn(block.taken(np.flatnonzero(~out)))
    same(load(model), learner)
    assert report["mistakes"] == learner.mistakes
    assert report["holdout"]["examples"] == 20_000 // period
    done = call("train", svm, "--holdout", period, "-l", "winnow", "-P", "777")
    held = [line for line in rows(done.stderr) if line[-1] == "h"]
    assert held
    assert f"average loss = {report['holdout']['error']:.6f} h" in done.stderr
    assert f"average loss = {report['error']:.6f} (progressive" in done.stderr


def test_hold_out_figures_depend_on_nothing_else(svm):
    class Blocks(ls.Stream):
        labels, n_attributes = (0, 1), 60

        def __init__(self, rows):
            self.rows = rows

        def blocks(self, rows=8192):
            return ls.streams.SvmlightStream(svm).blocks(min(rows, self.rows))

    found = set()
    for size in (1, 1000, 8192):
        for due in (None, Schedule(300)):
            training = Training(ls.Winnow(), Blocks(size), holdout=10, passes=1, trials=5000)
            assert sum(training.steps(due)) == (0 if due is None else 5000 // 300)
            found.add((training.mistakes, training.held, training.held_mistakes, training.features))
    assert len(found) == 1


def test_validation_of_another_file(svm, tmp_path):
    other = tmp_path / "other.svm"
    write_svmlight(ls.teachers.Disjunction(**{**STREAM, "trials": 300}, seed=5), other)
    model = tmp_path / "m.npz"
    report = report_of(svm, "-m", model, "--validate", other)
    evaluated = json.loads(call("evaluate", model, other, "--json").stdout)
    assert report["validation"]["mistakes"] == evaluated["mistakes"]
    assert "(validation: 300" in call("train", svm, "--validate", other).stderr


def test_bad_lines_are_counted(tmp_path):
    path = tmp_path / "bad.svm"
    path.write_text("1 1:1\n-1 2:x\n-1 2:1\nwhat\n1 3:1\n")
    report = report_of(path, "--on-error", "skip")
    assert (report["examples"], report["skipped"]) == (3, 2)
    assert report["complaints"][0].startswith(f"{path}:2: expected")
    assert f"skipped = 2 bad lines\n  {path}:2:" in call("train", path, "--on-error", "skip").stderr
    done = call("train", path, code=1)
    assert done.stderr.splitlines()[-1].startswith(f"Error: {path}:2: expected")


@pytest.mark.parametrize("name", ["badges", "tic-tac-toe", "vote", "monks1_train"])
def test_the_mistakes_on_real_data(data_folder, name):
    path = data_folder / f"{name}.libsvm.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not in LITTLESTONE_DATA")
    n = ls.streams.SvmlightStream(path).n_attributes
    settings = ("--set", "alpha=3/2", "--set", f"theta={n}/2")
    calls = (("-l", "perceptron"), ("-l", "winnow"), ("-l", "winnow", *settings))
    assert tuple(report_of(path, *told)["mistakes"] for told in calls) == EXACT[name]


@contextmanager
def pipe(data):
    """Give the name of a pipe through which some bytes come, once."""
    reading, writing = os.pipe()

    def write():
        with os.fdopen(writing, "wb") as file, suppress(BrokenPipeError):
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield f"/dev/fd/{reading}"
    finally:
        os.close(reading)
        writer.join()


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="pipes have no names here")
def test_pipes(svm):
    text = svm.read_bytes()
    expected = report_of(svm, "-l", "winnow")["mistakes"]
    theta = ("--set", "theta=60", "--format", "svmlight")
    for data, told in ((text, ("--attributes", 60)), (gzip.compress(text), ("-n", 60)), (text, theta)):
        with pipe(data) as name:
            assert report_of(name, "-l", "winnow", *told)["mistakes"] == expected
    table = b"colour,size,class\n" + b"red,1,yes\nblue,0,no\n" * 200
    with pipe(table) as name:
        assert report_of(name, "-l", "winnow", "-n", 3)["mistakes"] == 1
    assert report_of("-", "-n", 60, input=text)["examples"] == 20_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["-l", "winnow"],
            "rows are read, and Winnow() needs to know; give --attributes N, or --set the parameters",
        ),
        (["--passes", "2"], "can be read only once"),
        (["--checkpoint", "-m", "model.npz"], "a pipe cannot be taken up where it stopped"),
    ],
)
def test_what_a_pipe_cannot_do(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(ls.Perceptron(), "model.npz")
    command = [sys.executable, "-m", "littlestone", "train", "-", *arguments]
    done = subprocess.run(command, input="1 1:1\n0 2:1\n", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]


CALLS = {
    "learner": (["-l", "winow"], 2, "did you mean winnow"),
    "parameter": (["-l", "winnow", "--set", "alfa=2"], 2, "no parameter 'alfa'; did you mean alpha?"),
    "value": (["-l", "winnow", "--set", "alpha=0"], 2, "alpha must be"),
    "option": (["--label", "y"], 2, "--label: expected files that have it, such as tables, got svmlight; leave it out"),
    "hashing": (["--hash-bits", "99"], 2, "Error: --hash-bits must be a whole number >= 1 and <= 30, got 99"),
    "attributes": (["-n", "0"], 2, "Error: --attributes must be a whole number >= 1, got 0"),
    "schema": (["--schema"], 2, "train.svm, whose attributes have no columns"),
    "checkpoint": (["--checkpoint"], 2, "-m"),
    "due": (["-P", "often"], 2, "every how many"),
    "labels": (["--labels", "1,1"], 2, "must be different"),
    "passes": (["--passes", "0"], 2, "x>=1"),
    "folder": (["-m", "no/such/folder/m.npz"], 1, "no such folder"),
    "initial": (["-i", "no-model.npz"], 1, "no-model.npz"),
    "both": (["-i", "no-model.npz", "-l", "winnow"], 2, "leave -l and --set out"),
    "validate": (["--validate", "no-file.svm"], 1, "no-file.svm: expected a file"),
    "settings": (["n=3"], 2, "only for a built-in stream"),
    "format": (["--format", "csv"], 1, "train.svm"),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_calls(svm, name):
    arguments, code, words = CALLS[name]
    done = call("train", svm, *arguments, code=code)
    assert words in done.stderr
    assert not done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere.svm"], 1, "nowhere.svm: expected a file, - for stdin, or one of disjunction"),
        (["disjunction", "--label", "y"], 2, "expected a file for --label"),
        (["disjunction", "m=3"], 2, "KEY=VALUE"),
        (["disjunction", "n=0"], 2, "n must be"),
    ],
)
def test_wrong_sources(arguments, code, words):
    done = call("train", *arguments, code=code, input="1 1:1\n0 2:1\n")
    assert words in done.stderr


TABLE = {
    "bins": (["--bins", "0"], "Error: --bins must be a whole number >= 2 and <= 1000, got 0"),
    "ngrams": (["--ngrams", "0"], "Error: --ngrams must be a whole number >= 1 and <= 16, got 0"),
    "characters": (["--characters", "100"], "Error: --characters must be a whole number >= 2 and <= 16, got 100"),
    "no text": (["--ngrams", "2"], "Error: --ngrams 2 needs a column of text, got none; say --text COLUMN"),
    "roles": (["--ignore", "y"], "Error: expected one role for each column, got several for 'y'"),
    "delimiter": (["--delimiter", "ab"], "Error: --delimiter must be one character, got 'ab'"),
    "pairs": (["--pairs-between", "a,zork"], "Error: --pairs-between: expected a namespace or a column"),
}


@pytest.mark.parametrize("name", TABLE)
def test_options_of_tables_are_called_as_they_are_here(tmp_path, name):
    arguments, words = TABLE[name]
    (tmp_path / "t.csv").write_text("a,b,y\n1,x,0\n2,z,1\n")
    done = call("train", tmp_path / "t.csv", "--label", "y", *arguments, code=2)
    assert words in done.stderr


def test_values_that_a_learner_does_not_take_are_of_the_file(tmp_path):
    path = tmp_path / "negative.svm"
    path.write_text("1 1:1\n0 2:-1\n")
    done = call("train", path, "-l", "winnow", code=1)
    assert f"Error: {path}: Winnow: row 1, attribute 1: expected" in done.stderr
    many = tmp_path / "many.svm"
    many.write_text("1 1:1\n2 2:1\n3 1:1\n")
    assert f"Error: {many}: " in call("train", many, "-l", "perceptron", code=1).stderr


def test_a_built_in_stream(tmp_path):
    model = tmp_path / "m.npz"
    report = report_of("disjunction", "n=50", "k=3", "trials=2000", "-l", "elimination", "-m", model)
    run = ls.play(ls.Elimination(), ls.teachers.Disjunction(n=50, k=3, trials=2000))
    assert report["mistakes"] == run.mistakes
    assert (report["bound"], report["theorem"]) == (None, run.guarantee.theorem)
    assert report["assumes"] == "a disjunction of k attributes gives the labels"
    stated = report_of("disjunction", "n=50", "k=3", "trials=2000", "-l", "elimination", "-k", 3)
    assert (stated["bound"], stated["assumes"]) == (47, "a disjunction of k = 3 attributes gives the labels")
    assert report_of("disjunction", "-n", 50, "k=3", "trials=2000", "-l", "elimination")["mistakes"] == run.mistakes
    record = described(inspect_model(model))
    assert record.finished and record.file.startswith("Disjunction(n=50")


def test_a_file_wins_over_a_built_in_stream(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "monks").write_text("1 1:1\n0 2:1\n")
    assert report_of("monks")["examples"] == 2


def test_schedules():
    with pytest.raises(ls.InvalidParameter, match="factor"):
        Schedule.of("1.0")
    for step in (1, 7, 1.1, 2.0, 3.7):
        schedule, counts = Schedule(step), [0]
        while counts[-1] < 500:
            counts.append(schedule.after(counts[-1]))
        for count in range(500):  # the next one of all, whoever asks
            assert schedule.after(count) == min(due for due in counts if due > count)


def test_help_has_examples():
    for command in ("train", "predict", "evaluate", "inspect", "convert"):
        assert f"littlestone {command} " in call(command, "--help").output


def test_a_bounded_learner_from_the_command_line(tmp_path):
    path, model = tmp_path / "a.svm", tmp_path / "m.npz"
    path.write_text("".join(f"{2 * (i % 2) - 1} {1 + i % 2}:1 {3 + i}:1\n" for i in range(500)))
    call = ["train", str(path), "-q", "-l", "winnow", "--set", "theta=2", "-m", str(model)]
    result = CliRunner().invoke(main, [*call, "--max-attributes", "20", "--eligible", "3"])
    assert result.exit_code == 0, result.output
    learner = ls.load(model).learner
    assert repr(learner) == "Bounded(learner=Winnow(theta=2), max_attributes=20, eligible=3)"
    assert learner.held <= 20
