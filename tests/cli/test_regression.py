"""Numbers on the command line: trained, predicted, evaluated, explained, inspected, followed; and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import littlestone as ls
from littlestone.learners.regressors import REGRESSORS
from littlestone.models.recipe import USUAL
from tests.cli.test_completion import offered
from tests.cli.test_train import call
from tests.models.test_regression import prices

SAID = "outcomes are numbers: regression; --task classification takes them as labels\n"


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    return written(tmp_path_factory.mktemp("houses") / "houses.csv", prices(600))


@pytest.fixture(scope="module")
def model(houses):
    path = houses.with_name("model.npz")
    call("train", houses, "-l", "gradient-descent", "--label", "price", "-m", path, "-q")
    return path


def written(path, rows):
    import pandas as pd

    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def test_train_tells_errors_and_saves(houses, tmp_path):
    done = call("train", houses, "--task", "regression", "--label", "price", "-m", tmp_path / "m.npz", "--split", "0.2")
    assert "RMSE     last" in done.stderr
    assert SAID not in done.stderr
    assert "mistakes" not in done.stderr
    assert "MAE = " in done.stderr
    assert "R2 = 0.99" in done.stderr
    report = json.loads(call("train", houses, "--label", "price", "--json", "--split", "0.2").stdout)
    assert report["task"] == "regression"
    assert report["learner"] == USUAL["regression"]
    assert report["split"]["r2"] > 0.99
    assert report["mae"] < report["rmse"]
    assert report["outcome_scale"] is None  # it finds the units itself
    assert "mistakes" not in report
    model = ls.load(tmp_path / "m.npz")
    assert model.paid.examples == 480
    assert report["rmse"] == model.paid.rmse
    report = json.loads(call("train", houses, "--label", "price", "--json", "-l", "gradient-descent").stdout)
    assert report["outcome_scale"]["deviation"] > 100_000


def test_what_is_recognised_is_said(houses, tmp_path):
    assert SAID in call("train", houses, "--label", "price").stderr
    assert SAID not in call("train", houses, "--label", "price", "-l", "gradient-descent").stderr
    assert SAID not in call("train", houses, "--label", "rooms").stderr  # of five whole numbers
    labels = call("train", written(tmp_path / "few.csv", prices(12)), "--label", "price", "--task", "classification")
    assert "mistakes = " in labels.stderr
    svm = tmp_path / "prices.svm"
    svm.write_text("".join(f"{at / 8} 1:{at}\n" for at in range(40)))
    assert SAID in call("train", svm).stderr
    assert SAID not in call("train", svm, "--labels", ",".join(str(at / 8) for at in range(40))).stderr


def test_predict_and_evaluate(houses, model, tmp_path):
    lines = call("predict", model, houses).stdout.splitlines()
    assert [*map(float, lines)] == ls.load(model).predict(str(houses)).tolist()
    first = json.loads(call("predict", model, houses, "--json", "-t", "1").stdout)
    assert first == {"prediction": float(lines[0])}
    report = json.loads(call("evaluate", model, houses, "--json").stdout)
    assert report["examples"] == 600
    assert report["r2"] > 0.99
    assert [*report["quantiles"]] == ["0.05", "0.25", "0.5", "0.75", "0.95"]
    text = call("evaluate", model, houses).stdout
    assert f"MAE = {report['mae']:.6g}, RMSE = {report['rmse']:.6g}, R2 = {report['r2']:.6g}" in text
    unlabelled = written(
        tmp_path / "new.csv", [{k: v for k, v in row.items() if k != "price"} for row in prices(600)[:3]]
    )
    assert call("predict", model, unlabelled).stdout.splitlines() == lines[:3]


def test_explain_and_inspect(model, houses):
    told = call("explain", model).stdout
    assert "raises it by:\n  size" in told
    assert "in the outcome's unit" in told
    one = json.loads(call("explain", model, "--example", "size=100,rooms=3,town=Rome", "--json").stdout)
    assert one["constant"] + sum(part["brings"] for part in one["listed"]) == pytest.approx(one["prediction"])
    row = json.loads(call("explain", model, "--data", houses, "--example", "3", "--json").stdout)
    assert row["prediction"] == pytest.approx(ls.load(model).predict(prices(600)[:3])[2])
    shown = call("inspect", model).stdout
    assert "labels       none: it predicts numbers\n" in shown
    assert "outcomes     scaled\n" in shown
    assert "mistakes" not in shown


def test_attributes_by_number_are_explained(tmp_path):
    svm = tmp_path / "prices.svm"
    svm.write_text("".join(f"{10 + 2 * (at % 5)} 1:{at % 5} 3:1\n" for at in range(200)))
    call("train", svm, "--task", "regression", "-m", tmp_path / "m.npz", "-q")
    told = json.loads(call("explain", tmp_path / "m.npz", "--example", "1:4 3:1", "--json").stdout)
    assert told["prediction"] == pytest.approx(18.0, abs=0.5)
    assert {part["attribute"] for part in told["listed"]} == {1, 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-l", "winnow", "--task", "regression"], f"--task: expected 'classification'.*-l {USUAL['regression']}"),
        (["-l", "gradient-descent", "--task", "classification"], "--task: expected 'regression'.*-l auto"),
        (["--task", "regression", "--threshold", "0.5"], "--threshold: expected a model of labels"),
        (["--task", "regression", "--cost", "false-positive=2"], "--cost: expected a model of labels"),
        (["--task", "regression", "--precision", "0.9"], "--precision: expected a model of labels"),
        (["--task", "regression", "--changes"], "--changes: expected a model of labels"),
        (["--task", "regression", "-k", "2"], "-k: expected a model of labels"),
    ],
)
def test_options_of_labels_are_refused(houses, words, said):
    import re

    assert re.search(said, call("train", houses, "--label", "price", *words, code=2).stderr)


def test_a_classifier_of_numbers_hears_of_regressors(houses):
    done = call("train", houses, "--label", "price", "-l", "winnow", code=1)
    assert "for numbers take a regressor, such as GradientDescent() (-l gradient-descent)" in done.stderr
    done = call("train", houses, "--label", "town", "-l", "gradient-descent", code=1)
    assert "houses.csv:2: column 'town': expected a number as outcome" in done.stderr
    assert "--task classification" in done.stderr


def test_models_of_numbers_have_no_probabilities(model, houses, tmp_path):
    for words in (["predict", model, houses, "--probabilities"], ["predict", model, houses, "--scores"]):
        assert "which predicts numbers; leave it out" in call(*words, code=2).stderr
    assert "--page: expected" in call("evaluate", model, houses, "--page", tmp_path / "p.html", code=2).stderr
    assert "every weight moves them" in call("prune", model, "--below", "1", "-m", tmp_path / "p.npz", code=2).stderr
    done = call("serve", model, "--data", tmp_path / "svc", code=1)
    assert "predicts numbers and is not served yet" in done.stderr
    assert not (tmp_path / "svc").exists()


@pytest.mark.parametrize("odd", ["cheap", "nan", "inf", "", "1e200"])
def test_bad_outcomes_name_the_line(odd, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(f"x,price\n1,2.5\n2,{odd}\n3,4.5\n")
    done = call("train", path, "--task", "regression", code=1)
    assert "bad.csv:3: column 'price': expected" in done.stderr
    done = call("train", path, "--task", "regression", "--on-error", "skip")
    assert "skipped = 1 bad lines" in done.stderr
    assert "number of examples = 2" in done.stderr


def test_empty_files(tmp_path):
    (tmp_path / "empty.csv").write_text("x,price\n")
    done = call("train", tmp_path / "empty.csv", "--task", "regression", code=1)
    assert "expected at least one example" in done.stderr
    (tmp_path / "none.csv").write_text("")
    assert "an empty file" in call("train", tmp_path / "none.csv", "--task", "regression", code=1).stderr


def test_a_killed_training_goes_on_to_the_same_bytes(tmp_path):
    path = written(tmp_path / "houses.csv", prices(30_000))
    words = [str(path), "--task", "regression", "--label", "price", "--passes", "8", "-q", "--checkpoint", "--every"]
    call("train", *words, "1000", "-m", tmp_path / "whole.npz")
    command = [sys.executable, "-m", "littlestone", "train", *words, "1000", "-m", str(tmp_path / "model.npz")]
    process = subprocess.Popen(command, env=os.environ | {"LITTLESTONE_NATIVE": "none"})
    while not (tmp_path / "model.npz").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    call("train", *words, "1000", "-m", tmp_path / "model.npz")
    assert (tmp_path / "model.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_rate_that_diverges_is_told(houses):
    done = call("train", houses, "--label", "price", "-l", "gradient-descent", "--set", "eta=5")
    assert "\nwarning: GradientDescent: eta=5 is too large: in trial 3, " in done.stderr
    assert "the largest safe eta" in done.stderr
    assert "nan" not in done.stderr


def test_going_on_with_a_model(houses, model, tmp_path):
    call("train", houses, "-i", model, "-m", tmp_path / "more.npz", "-q")
    assert ls.load(tmp_path / "more.npz").trials == 1200
    assert ls.load(tmp_path / "more.npz").task == "regression"


def test_learners_are_listed_and_completed():
    listed = call("learners").stdout
    assert "Regressors: they predict numbers\n" in listed
    assert all(f"  {name} " in listed for name in REGRESSORS)
    assert json.loads(call("learners", "gradient-descent", "--json").stdout)["purpose"] == "regression"
    assert "gradient-descent" in offered("train", "-l", "grad")
    assert "gradient-descent:eta=" in offered("train", "-l", "gradient-descent:et")
    assert call("train", "--help").stdout.count("--task") >= 2


def test_follow_learns_late_outcomes(model, tmp_path):
    path, lines = tmp_path / "live.npz", tmp_path / "live.jsonl"
    path.write_bytes(model.read_bytes())
    rows = prices(20, seed=3)
    bare = [{k: v for k, v in row.items() if k != "price"} for row in rows]
    said = [row | {"id": f"now{at}"} for at, row in enumerate(rows[:5])]
    said += [row | {"id": at} for at, row in enumerate(bare)]
    said += [{"id": at, "label": rows[at]["price"]} for at in range(19)] + [{"id": 19, "label": "cheap"}]
    lines.write_text("".join(json.dumps(one) + "\n" for one in said))
    done = call("follow", path, lines, "--end")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 25
    assert all(isinstance(answer["prediction"], float) for answer in answers)
    assert "expected a number as outcome, got 'cheap'" in done.stderr
    assert "25 answered" in done.stderr
    assert "24 learned; MAE " in done.stderr
    assert ls.load(path).trials == ls.load(model).trials + 24
    with lines.open("a") as more:
        more.write(json.dumps({"id": 19, "label": -1}) + "\n")
    done = call("follow", path, lines, "--end")
    assert "25 learned" in done.stderr
    assert "expected 'warn'" in call("follow", path, lines, "--end", "--on-change", "restart", code=2).stderr


def test_follow_is_the_same_however_lines_come(model):
    rows = [row | {"id": at} for at, row in enumerate(prices(50, seed=4))]
    whole, one = ls.load(model), ls.load(model)
    events = list(ls.follow(whole, rows))
    parts = [event for row in rows for event in ls.follow(one, [row])]
    predictions = [event.prediction for event in events if isinstance(event, ls.following.Answer)]
    assert predictions == [event.prediction for event in parts if isinstance(event, ls.following.Answer)]
    assert events[-1].learned == parts[-1].learned == 50
    assert events[-1].mae == parts[-1].mae > 0.0
    assert events[-1].error is None
    assert whole.learner.weights() == one.learner.weights()
    assert whole.paid == one.paid


def test_follow_begins_a_regressor(tmp_path):
    lines = tmp_path / "lines.vw"
    lines.write_text("".join(f"{2.5 + at % 3} | a{at % 3}\n" for at in range(200)))
    done = call("follow", tmp_path / "m.npz", lines, "--end", "--format", "vw", "-l", "gradient-descent")
    assert json.loads(done.stdout.splitlines()[-1])["prediction"] == pytest.approx(3.5, abs=0.5)
    assert ls.load(tmp_path / "m.npz").task == "regression"
