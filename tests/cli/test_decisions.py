"""littlestone train: thresholds, costs, a precision, a part held back, predictions in a file."""

import json
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.models.decision import Decision
from littlestone.models.files import inspect_model
from littlestone.models.record import Record, described
from littlestone.models.training import Schedule, Training


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("decisions")
    ls.datasets.messages(rows=1000, seed=3).write(path / "messages.tsv")
    ls.datasets.people(rows=1000, seed=3).write(path / "people.csv")
    (path / "three.csv").write_text("size,class\n" + "1,a\n2,b\n3,c\n" * 20)
    return path


@pytest.fixture
def here(beside, tmp_path):
    """Where to save; the sample files are in the working directory."""
    del beside
    return tmp_path


@pytest.fixture
def beside(folder, monkeypatch):
    """Work beside the sample files."""
    monkeypatch.chdir(folder)


MESSAGES = ("messages.tsv", "--label", "class")


def call(*words, code=0):
    done = CliRunner().invoke(main, ["train", *map(str, words)])
    assert done.exit_code == code, (words, done.output, done.exception)
    assert "Traceback" not in done.output
    return done


def report(*words):
    return json.loads(call(*words, "--json").stdout)


def examples():
    table = ls.datasets.messages(rows=1000, seed=3)
    return table.examples, table.labels


def learned(trials=None, **how):
    return ls.Model.train("messages.tsv", label="class", trials=trials, **how)


def same(one, other):
    """Tell whether two models decide alike; what their files say of the training may differ."""
    rows = examples()[0]
    assert np.array_equal(one.probabilities(rows), other.probabilities(rows))
    assert one.predict(rows).tolist() == other.predict(rows).tolist()


# Thresholds and costs


@pytest.mark.parametrize(
    ("words", "how"),
    [
        (["--threshold", "0.9"], {"threshold": 0.9}),
        (["--cost", "false-positive=10"], {"cost": {"false-positive": 10}}),
        (["--cost", "false-positive=1", "--cost", "false_negative=3"], {"cost": {"false-negative": 3}}),
    ],
)
def test_a_threshold_is_that_of_python(here, words, how):
    made = report(*MESSAGES, *words, "-m", here / "m.npz")
    model, expected = ls.load(here / "m.npz"), learned(**how)
    assert made["decision"]["threshold"] == expected.decision.threshold
    same(model, expected)
    shares = model.probabilities(examples()[0])[:, 1]
    assert (model.predict(examples()[0]) == "spam").tolist() == (shares >= expected.decision.threshold).tolist()


WRONG = {
    "threshold": (["--threshold", "1.5"], "--threshold: expected a probability, from 0 to 1, got 1.5"),
    "kind": (["--cost", "fp=10"], "--cost: expected false-positive or false-negative, got 'fp'"),
    "nearly": (["--cost", "false-positiv=10"], "did you mean false-positive"),
    "number": (["--cost", "10"], "--cost: expected false-positive=NUMBER or false-negative=NUMBER, got '10'"),
    "word": (["--cost", "false-positive=x"], "expected false-positive=NUMBER"),
    "minus": (["--cost", "false-positive=-1"], "--cost: false-positive: expected a number >= 0, got -1"),
    "nothing": (["--precision", "0"], "--precision: expected a share above 0, at most 1, got 0"),
    "both": (["--precision", "0.9", "--threshold", "0.0"], "expected one of --threshold, --cost and --precision"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_values_are_refused_before_the_first_row(here, monkeypatch, name):
    words, problem = WRONG[name]
    monkeypatch.setattr(Training, "steps", None)  # nothing is to be trained
    done = call(*MESSAGES, *words, "-m", here / "m.npz", code=2)
    assert problem in done.stderr
    assert not (here / "m.npz").exists()


@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize("words", [("--threshold", "0.9"), ("--cost", "false-positive=2"), ("--precision", "0.9")])
def test_more_than_two_labels_are_refused_before_the_first_row(monkeypatch, words):
    monkeypatch.setattr(Training, "steps", None)
    done = call("three.csv", *words, code=1)
    assert f"Error: {words[0]}: three.csv: expected two labels, got 3: 'a', 'b', 'c'" in done.stderr


def test_a_learner_alone_has_no_probabilities_to_decide_by(here):
    ls.save(ls.Perceptron().begin(3), here / "bare.npz")
    done = call("people.csv", "-i", here / "bare.npz", "--threshold", "0.9", code=2)
    assert "--threshold: expected a model with probabilities, got" in done.stderr


def test_a_model_that_was_trained_is_never_lost(here):
    """Of a pipe the labels are known late, and a precision may be out of reach: then there is no threshold."""
    table = b"size,class\n" + b"1,a\n2,b\n" * 500 + b"3,c\n" * 20
    words = ("train", "-", "--format", "csv", "--threshold", "0.9", "-m", str(here / "p.npz"), "-q")
    command = [sys.executable, "-m", "littlestone", *words]
    piped = subprocess.run(command, input=table, capture_output=True, timeout=60, check=False)
    assert piped.returncode == 1
    assert b"--threshold: expected a model of two labels with probabilities, got 3 labels" in piped.stderr
    assert f"{here / 'p.npz'} is saved without a threshold" in piped.stderr.decode()
    assert ls.load(here / "p.npz").labels == ("a", "b", "c")

    (here / "noise.csv").write_text("size,class\n" + "1,yes\n2,no\n" * 100 + "1,no\n" * 50)
    done = call(here / "noise.csv", "--precision", "0.9", "-m", here / "n.npz", code=1)
    assert "--precision: expected a threshold with a precision of 0.9 on the 50 rows that were not" in done.stderr
    assert "finished run" in done.stderr
    assert ls.load(here / "n.npz").decision == Decision()


# A precision


def test_a_precision_is_that_of_the_rows_held_back(here):
    made = report(*MESSAGES, "--precision", "0.97", "-m", here / "m.npz")
    rows, labels = examples()
    model = ls.load(here / "m.npz")
    assert made["examples"] == 800
    shares = learned(trials=800).probabilities(rows[800:])[:, 1]
    expected = Decision.for_precision(0.97, shares, [label == "spam" for label in labels[800:]])
    assert model.decision == expected
    predicted = model.predict(rows[800:]) == "spam"
    right = np.array(labels[800:])[predicted] == "spam"
    assert right.mean() >= 0.97
    assert f"precision {right.mean():.4f} on 200 rows" in expected.because
    assert made["split"]["examples"] == 200
    assert made["split"]["mistakes"] == int((model.predict(rows[800:]) != labels[800:]).sum())
    assert report(*MESSAGES, "--precision", "0.97", "--split", "0.4")["examples"] == 600


@pytest.mark.usefixtures("beside")
def test_what_few_rows_say_is_said_to_be_little():
    done = call(*MESSAGES, "--precision", "1", "--split", "0.02")
    assert "warning: --precision: of the 20 examples held back only" in done.stderr
    assert "hold more back (--split), or ask for less" in done.stderr
    assert "so that it may be far off" in done.stderr
    many = call(*MESSAGES, "--precision", "0.9")
    assert "warning" not in many.stderr and "far off" not in many.stderr
    assert "--precision: the last 20% of the examples are held back" in many.stderr
    assert call(*MESSAGES, "--precision", "1", "--split", "0.02", "-q").output == ""
    assert call(*MESSAGES, "--precision", "0.9", "-q").output == ""
    assert "on 1 row that was not" in Decision.for_precision(1.0, [0.9], [1]).because


# A part held back


@pytest.mark.parametrize("more", [(), ("--trials", "700")])
def test_a_split_is_the_last_fifth(here, more):
    made = report(*MESSAGES, "--split", "0.2", "-m", here / "m.npz", *more)
    number = 700 if more else 1000
    rows, labels = (part[:number] for part in examples())
    cut = number - number // 5
    assert (made["examples"], made["split"]["examples"]) == (cut, number // 5)
    model = learned(trials=cut)
    mistakes = int((model.predict(rows[cut:]) != labels[cut:]).sum())
    assert made["split"]["mistakes"] == mistakes
    assert made["split"]["error"] == pytest.approx(mistakes / (number // 5))
    shares = model.probabilities(rows[cut:])
    truth = [shares[row, model.labels.index(label)] for row, label in enumerate(labels[cut:])]
    assert made["split"]["log_loss"] == pytest.approx(-np.mean(np.log(truth)))
    same(ls.load(here / "m.npz"), model)


# Predictions


def told(path):
    return path.read_text().splitlines()


def test_predictions_are_those_made_before_each_row_was_learned(here):
    made = report(*MESSAGES, "-p", here / "p.txt")
    stream = ls.open("messages.tsv", label="class")
    model = ls.Model.begun("auto", stream)
    expected = np.concatenate([model.learn_block(block) for block in stream.blocks()]).tolist()
    assert told(here / "p.txt") == expected
    assert made["mistakes"] == sum(one != other for one, other in zip(expected, examples()[1], strict=True))


def test_predictions_of_passes_trials_and_what_is_not_held_back(here):
    both = (*MESSAGES, "-l", "perceptron")
    made = report(*both, "-p", here / "two.txt", "--passes", "2")
    report(*both, "-p", here / "one.txt")
    lines, labels = told(here / "two.txt"), examples()[1]
    assert lines[:1000] == told(here / "one.txt")
    assert made["mistakes"] == sum(one != other for one, other in zip(lines, labels * 2, strict=True))
    report(*both, "-p", here / "few.txt", "--trials", "300")
    assert told(here / "few.txt") == lines[:300]
    back = report(*both, "-p", here / "back.txt", "--split", "0.1")
    assert told(here / "back.txt") == lines[: back["learned"]] and back["learned"] == 900


def test_predictions_of_examples_held_out_are_refused(here):
    """Nothing would say which examples have no line."""
    done = call(*MESSAGES, "-p", here / "p.txt", "--holdout", "10", code=2)
    assert "-p: expected a prediction for each example, got --holdout 10" in done.stderr
    assert "hold the last ones back instead (--split 0.1), or leave --holdout out" in done.stderr
    assert not (here / "p.txt").exists()


BESIDES = {
    "-m": "which is where the model is to be saved (-m)", "FILE": "which is to be read (FILE)",
    "--validate": "which is to be read (--validate)", "-i": "which is the model to continue from (-i)",
}  # fmt: skip


@pytest.mark.parametrize("option", BESIDES)
def test_predictions_are_not_written_over_another_file(here, monkeypatch, option):
    path = here / "rows.csv"
    path.write_text("size,class\n" + "1,a\n2,b\n" * 20)
    call(path, "-l", "perceptron", "-m", here / "m.npz")
    other = {"FILE": path, "--validate": path}.get(option, here / "m.npz")
    before = other.read_bytes()
    monkeypatch.chdir(here)
    monkeypatch.setattr(Training, "steps", None)  # nothing is to be trained
    more = () if option == "FILE" else (option, other)
    (here / "link").symlink_to(other)
    for name in (other.name, "link", here / "." / other.name):
        done = call(path if option == "FILE" else "disjunction", *more, "-p", name, code=2)
        assert f"-p: expected a file for the predictions alone, got {name}, {BESIDES[option]}; give" in done.stderr
    assert other.read_bytes() == before


@pytest.mark.parametrize("option", ["FILE", "--validate"])
def test_a_model_is_not_saved_over_what_is_read(here, option):
    path = here / "rows.csv"
    path.write_text("size,class\n" + "1,a\n2,b\n" * 20)
    words = (path,) if option == "FILE" else ("disjunction", "n=1", "trials=9", option, path)
    done = call(*words, "-m", path, code=2)
    assert f"-m: expected a file for the model, got {path}, which is to be read ({option}); give another" in done.stderr
    assert path.read_text().startswith("size,class")
    call(path, "-m", here / "m.npz")
    call(path, "-i", here / "m.npz", "-m", here / "m.npz")  # it may go on in its place


def test_the_model_and_predictions_that_are_not_there_yet_are_two_files(here, monkeypatch):
    monkeypatch.chdir(here)
    done = call("disjunction", "trials=100", "-m", "same", "-p", here / "same", code=2)
    assert "(-m); give another name" in done.stderr and not (here / "same").exists()
    call("disjunction", "trials=100", "-p", "disjunction", "-q")  # a built-in stream is no file
    assert len(told(here / "disjunction")) == 100


def stopped(path, rows):
    """Leave a model of the first rows, as --checkpoint does when it is stopped."""
    stream = ls.open("messages.tsv", label="class")
    training = Training(ls.Model.begun("perceptron", stream), stream)
    record = Record.of(training, asked={"label": "class"}, summing=True)
    for _ in training.steps(Schedule(rows)):
        if training.examples >= rows:
            break
    record.save(training, path)


def test_predictions_of_a_training_that_goes_on(here):
    words = (*MESSAGES, "-l", "perceptron", "--checkpoint", "-m", here / "m.npz")
    stopped(here / "m.npz", 400)
    (here / "p.txt").write_text("ham\n" * 400)
    refused = call(*words, "-p", here / "p.txt", code=2)
    assert f"-p: {here / 'p.txt'} is there, and would be written over" in refused.stderr
    assert len(told(here / "p.txt")) == 400
    assert report(*words, "-p", here / "rest.txt")["resumed"]
    report(*MESSAGES, "-l", "perceptron", "-p", here / "whole.txt")
    assert told(here / "rest.txt") == told(here / "whole.txt")[400:]
    assert "nothing was done" in call(*words, "-p", here / "rest.txt").stderr
    assert len(told(here / "rest.txt")) == 600


def test_a_threshold_comes_at_last_where_a_training_stopped_before_it(here):
    words = (*MESSAGES, "-l", "perceptron", "--checkpoint", "-m", here / "m.npz")
    report(*words)
    assert ls.load(here / "m.npz").decision == Decision()
    assert report(*words, "--threshold", "0.9")["decision"]["threshold"] == 0.9
    assert ls.load(here / "m.npz").decision.threshold == 0.9
    assert described(inspect_model(here / "m.npz")).finished
    assert "nothing was done" in call(*words, "--threshold", "0.9").stderr


ASKED = {  # each after the one before it
    "threshold": ["--threshold", "0.7"], "precision": ["--precision", "0.99"], "less": ["--precision", "0.6"],
    "cost": ["--cost", "false-positive=3"], "none": [],
}  # fmt: skip


def test_another_decision_of_a_finished_training_is_made(here):
    both = (*MESSAGES, "-l", "perceptron", "--split", "0.2")
    words = (*both, "--checkpoint", "-m", here / "m.npz")
    for name, asked in ASKED.items():
        report(*both, *asked, "-m", here / f"{name}.npz")
        first, again = call(*words, *asked), call(*words, *asked)
        assert ls.load(here / "m.npz").decision == ls.load(here / f"{name}.npz").decision, name
        assert "nothing was done" not in first.stderr and "nothing was done" in again.stderr
    assert ls.load(here / "less.npz").decision != ls.load(here / "precision.npz").decision


def test_a_finished_training_keeps_its_threshold_where_another_cannot_be(here):
    (here / "noise.csv").write_text("size,class\n" + "1,yes\n2,no\n" * 100 + "1,no\n" * 50)
    words = (here / "noise.csv", "--split", "0.2", "--checkpoint", "-m", here / "n.npz")
    call(*words, "--threshold", "0.7")
    before = (here / "n.npz").read_bytes()
    done = call(*words, "--precision", "0.9", code=1)
    assert "--precision: expected a threshold with" in done.stderr
    assert f"{here / 'n.npz'} is left as it was" in done.stderr
    assert (here / "n.npz").read_bytes() == before


def test_the_threshold_of_the_model_that_a_training_began_with_stays(here):
    call(*MESSAGES, "--threshold", "0.8", "-m", here / "first.npz")
    words = (*MESSAGES, "-i", here / "first.npz", "--checkpoint", "-m", here / "m.npz")
    for _ in range(2):
        assert report(*words)["decision"]["threshold"] == 0.8
    call(*words, "--threshold", "0.6")
    assert report(*words)["decision"]["threshold"] == 0.8


@pytest.mark.usefixtures("beside")
def test_numbers_that_cannot_be_scaled_are_named():
    """Pairs and hashed attributes are no columns."""
    words = ("people.csv", "--label", "buys", "-l", "arow")
    for option in (("--pairs",), ("--hash-bits", 12)):
        assert "are no columns: age, income, visits\n" in call(*words, *option).stderr
        assert "not scaled" not in call(*words, *option, "--no-scale").stderr
        assert "not scaled" not in call(*words, *option, "-l", "winnow:theta=4").stderr
    assert "not scaled" not in call(*words).stderr
