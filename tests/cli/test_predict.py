"""littlestone predict, evaluate, inspect and convert."""

import gzip
import json

import numpy as np
import pytest

import littlestone as ls
from littlestone.cli.predict import _label_lines
from littlestone.games.evaluation import evaluate
from littlestone.models.files import inspect_model, load, save
from littlestone.streams import CsvStream, SvmlightStream, write_svmlight
from littlestone.streams.base import open as opened
from tests.cli.test_train import call

TRAIN = "id,colour,size,weight,code,class\n" + "".join(
    f"r{i},{'red' if i % 3 else 'blue'},{i % 5},{1 + i % 2},{'A' if i % 7 else i},{'yes' if i % 3 else 'no'}\n"
    for i in range(200)
)


@pytest.fixture
def people(tmp_path):
    """Return a model that learned from a table."""
    path, model = tmp_path / "train.csv", tmp_path / "people.npz"
    path.write_text(TRAIN)
    call("train", path, "--tag", "id", "--weight", "weight", "-m", model, "-q")
    return model


@pytest.fixture
def svm(tmp_path):
    path, model = tmp_path / "train.svm", tmp_path / "m.npz"
    write_svmlight(ls.teachers.Disjunction(n=30, k=3, trials=9000), path)
    call("train", path, "-l", "winnow", "-m", model, "-q", "--trials", 300)
    return path, model


@pytest.mark.parametrize(
    "labels",
    [[1, -1, 1, 1], [1, 1], [], [0, 1, 2, 1], [1.0, 2.5], [True, False], ["x", "y", "x"], ["a\0b", "c"], ["c", "a\0b"],
     ["a\1", "b"], ["b", "a\1"], ["\u00e4", ""]],
)  # fmt: skip
def test_a_line_for_each_label(labels):
    kinds = (object,) if any(isinstance(label, str) for label in labels) else (None, object)
    for kind in kinds:
        array = np.array(labels, dtype=kind)
        assert _label_lines(array) == "".join(f"{label}\n" for label in array.tolist()).encode()


def test_labels_and_scores_are_the_learners(svm):
    path, model = svm
    learner, block = load(model), ls.Block.joined(list(SvmlightStream(path).blocks()))
    assert call("predict", model, path).stdout.split() == [str(label) for label in learner.predict(block)]
    lines = [line.split("\t") for line in call("predict", model, path, "--scores").stdout.splitlines()]
    np.testing.assert_array_equal([float(score) for _, score in lines], learner.activation(block))
    told = [json.loads(line) for line in call("predict", model, path, "--scores", "--json").stdout.splitlines()]
    assert [one["label"] for one in told] == learner.predict(block).tolist()
    assert len(call("predict", model, path, "--trials", 8500).stdout.split()) == 8500


def test_a_file_appears_when_it_is_whole(svm, tmp_path):
    path, model = svm
    out = tmp_path / "out.gz"
    call("predict", model, path, "-o", out)
    assert gzip.decompress(out.read_bytes()).decode() == call("predict", model, path).stdout
    bad, never = tmp_path / "bad.svm", tmp_path / "never"
    bad.write_text("1 1:1\n1 1:q\n")
    assert f"{bad}:2:" in call("predict", model, bad, "-o", never, code=1).stderr
    assert not never.exists()
    done = call("predict", model, bad, "--on-error", "skip")
    assert len(done.stdout.split()) == 1
    assert "skipped = 1 bad lines" in done.stderr


@pytest.mark.parametrize("text", ["5:1\n1:1\n", "7 5:1\n-3 1:1\n", "0 5:1\n0 1:1\n", "1 5:1\n1:1\n", "5:1 40:1\n1:1\n"])
def test_labels_are_not_looked_at(svm, text):
    model = svm[1]
    expected = [str(label) for label in load(model).predict(np.eye(30)[[4, 0]])]
    assert call("predict", model, "-", input=text).stdout.split() == expected


def test_a_table_is_read_as_the_one_before(people, tmp_path):
    reading = inspect_model(people)
    assert json.loads(reading["provenance"]["source"])["train"]["reading"] == {
        "format": "csv", "label": "class", "weight": "weight", "tag": "id", "numeric": ["size"],
        "categorical": ["colour", "code"], "closed": True,
    }  # fmt: skip
    learner = load(people)
    rows = [{"colour=red": 1, "size": 2.0, "code=0": 1}, {"colour=blue": 1, "size": 3.0, "code=7": 1}]
    expected = [f"{learner.predict_one(row)}\tn{i}" for i, row in enumerate(rows)]
    # no label, no weight, another order, and a column of names that looks like numbers
    new = "size,code,colour,id\n2,0,red,n0\n3,7,blue,n1\n"
    assert call("predict", people, "-", input=new).stdout.splitlines() == expected
    path = tmp_path / "new.tsv"
    path.write_text(new.replace(",", "\t"))
    assert call("predict", people, path).stdout.splitlines() == expected
    cells = [(2, "0", "red", "n0"), (3, "7", "blue", "n1")]
    text = "\n".join(json.dumps(dict(zip(("size", "code", "colour", "id"), row, strict=True))) for row in cells)
    assert call("predict", people, "-", "--format", "jsonl", input=text).stdout.splitlines() == expected
    lost = call("predict", people, "-", input="size,id\n1,a\n", code=1)
    assert "expected a column 'colour', got 'size', 'id'; add the column" in lost.stderr
    more = call("predict", people, "-", input="size,code,colour,id,shoe\n2,0,red,n0,9\n", code=1)
    assert "got 'shoe'; leave it out (--ignore shoe)" in more.stderr
    left = call("predict", people, "-", "--ignore", "shoe", input="size,code,colour,id,shoe\n2,0,red,n0,9\n")
    assert left.stdout.splitlines() == expected[:1]


def test_indices_begin_where_they_did(tmp_path):
    train, test, model = tmp_path / "train.svm", tmp_path / "test.svm", tmp_path / "m.npz"
    train.write_text("1 0:1 2:1\n-1 1:1\n" * 20)
    test.write_text("1 2:1\n-1 1:1\n")  # has no index 0, by chance
    call("train", train, "-m", model, "-q")
    assert call("predict", model, test).stdout.split() == ["1", "-1"]
    assert json.loads(call("evaluate", model, test, "--json").stdout)["accuracy"] == 1.0
    assert json.loads(call("evaluate", model, test, "--one-based", "--json").stdout)["accuracy"] < 1.0


def test_names_and_tags_of_vowpal_wabbit(tmp_path):
    train, model = tmp_path / "train.vw", tmp_path / "m.npz"
    train.write_text("1 |word sun\n-1 |word rain:2\n" * 20)
    call("train", train, "-m", model, "-q")
    done = call("predict", model, "-", "--json", input="'a |word sun\n|word snow rain\n1 'c |word sun\n")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == [{"label": 1, "tag": "a"}, {"label": -1}, {"label": 1, "tag": "c"}]


def test_probabilities_where_there_are_some(svm, tmp_path, monkeypatch):
    path, trained = svm
    lines = call("predict", trained, path, "--probabilities", "--json").stdout.splitlines()
    shares = [json.loads(line)["probability"] for line in lines]
    assert [[share["0"], share["1"]] for share in shares] == ls.load(trained).probabilities(path).tolist()
    model = tmp_path / "bare.npz"
    save(ls.load(trained).learner, model)
    assert "was trained without them" in call("predict", model, path, "--probabilities", code=2).stderr
    probabilities = lambda self, X: np.stack([np.full(len(X), 0.75), np.full(len(X), 0.25)], axis=1)  # noqa: E731
    monkeypatch.setattr(ls.Winnow, "predict_proba", probabilities, raising=False)
    line = call("predict", model, path, "--probabilities", "--json").stdout.splitlines()[0]
    assert json.loads(line)["probability"] == {"0": 0.75, "1": 0.25}


def test_evaluate_prints_what_evaluate_finds(svm):
    path, model = svm
    found = ls.load(model).evaluate(path)
    plain = evaluate(ls.load(model).learner, SvmlightStream(path))
    assert (found.confusion == plain.confusion).all()
    report = json.loads(call("evaluate", model, path, "--json").stdout)
    assert {name: report[name] for name in found.as_dict()} == json.loads(json.dumps(found.as_dict()))
    printed = call("evaluate", model, path).stdout
    assert f"accuracy = {found.accuracy:.4f}, AUC = {found.auc:.4f}" in printed
    for count in found.confusion.ravel().tolist():
        assert f"{count:,}" in printed


def test_evaluate_writes_a_page_and_figures_of_probabilities(svm, tmp_path):
    path, model = svm
    page = tmp_path / "page <1>.html"
    bare = tmp_path / "bare.npz"
    save(ls.load(model).learner, bare)
    assert "log loss" not in call("evaluate", bare, path, "--page", page).stdout  # a learner alone has none
    text = page.read_text(encoding="utf-8")
    assert "evaluate" in text and "page &lt;1&gt;.html" in text and text.count("<figure>") == 2
    assert "no such folder" in call("evaluate", model, path, "--page", tmp_path / "none" / "a.html", code=1).stderr
    auto = tmp_path / "auto.npz"
    call("train", path, "--learner", "auto", "-q", "-m", auto)
    report = json.loads(call("evaluate", auto, path, "--json", "--page", page).stdout)
    assert page.read_text(encoding="utf-8").count("<figure>") == 3
    names = ("log_loss", "brier", "calibration_error")
    log_loss, brier, error = (f"{report[name]:.4f}" for name in names)
    printed = call("evaluate", auto, path).stdout
    assert f"log loss = {log_loss}, Brier score = {brier}, calibration error = {error}" in printed
    assert sum(one["examples"] for one in report["reliability"]) == report["examples"]


def test_many_classes(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.npz"
    words = ("wet", "warm", "dark")
    table.write_text("is,season\n" + "".join(f"{words[i % 3]},{('b', 'c', 'a')[i % 3]}\n" for i in range(60)))
    call("train", table, "-l", "winner-takes-all", "-m", model, "-q", "--holdout", 5, "--passes", 2)
    report = json.loads(call("evaluate", model, table, "--json").stdout)
    assert (report["labels"], report["accuracy"]) == (["a", "b", "c"], 1.0)
    assert report["confusion"] == np.diag([20, 20, 20]).tolist()
    assert report["auc"] == 1.0
    line = call("predict", model, "-", "--probabilities", "--json", input="is\nwet\n").stdout
    assert json.loads(line)["label"] == "b"
    other = tmp_path / "other.csv"
    other.write_text("is,season\nwet,b\ndark,d\n")
    printed = call("evaluate", model, other).stdout
    assert "macro" in printed and "mistakes = 1," in printed


def test_one_class_is_known_by_the_model(svm, tmp_path):
    only = tmp_path / "only.svm"
    only.write_text("1 1:1\n1 1:1 2:1\n")
    report = json.loads(call("evaluate", svm[1], only, "--json").stdout)
    assert (report["labels"], report["auc"], report["examples"]) == ([0, 1], None, 2)
    only.write_text("2 1:1\n")
    assert f"{only}:1: expected a label among (0, 1), got 2" in call("evaluate", svm[1], only, code=1).stderr


def test_inspect(svm, people, tmp_path):
    report = json.loads(call("inspect", svm[1], "--json").stdout)
    assert report["learner"] == "winnow"
    assert report["sha256"] == inspect_model(svm[1])["sha256"]
    assert report["bytes"] == svm[1].stat().st_size
    assert report["trained"]["trials"] == 300
    printed = call("inspect", people).stdout
    for words in ("auto", "label=class", "finished", "sha256", "calibrated", "decision"):
        assert words in printed
    bare = tmp_path / "bare.npz"
    save(ls.Winnow(), bare, source="by hand")
    assert "by hand" in call("inspect", bare).stdout
    bare.write_bytes(b"no model")
    assert "bare.npz" in call("inspect", bare, code=1).stderr
    assert "nowhere.npz: No such file" in call("predict", "nowhere.npz", svm[0], code=1).stderr


def test_convert(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "t.vw.gz"
    table.write_text(TRAIN)
    assert "labels that are numbers" in call("convert", table, out, "--ignore", "id", code=1).stderr
    assert not out.exists()
    call("convert", table, tmp_path / "t.jsonl", "--ignore", "id")
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["label"] == "no"
    one, other = CsvStream(table, ignore="id"), opened(tmp_path / "t.jsonl")
    assert sum(map(len, one.blocks())) == sum(map(len, other.blocks())) == 200
    assert call("convert", "monks", "--to", "vw").stdout.count("\n") == 432
    assert "say --to" in call("convert", table, tmp_path / "t.txt", code=2).stderr
    rows = call("convert", "-", "--format", "svmlight", "--to", "vw", "--unlabelled", input="1:1\n2:1\n")
    assert rows.stdout == "| 0\n| 1\n"


def test_a_raw_text_is_told_where_to_go(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ls.datasets.messages(rows=300, seed=0).write("m.tsv")
    model = ls.Model.train("m.tsv", label="class")
    model.save("m.npz")
    way = (
        "for texts, one a line, say --format tsv --columns message; for a single one: littlestone explain m.npz --exam"
    )
    given = call("predict", "m.npz", "claim your cash bonus", code=1)
    assert f"Error: 'claim your cash bonus': expected a file, got a text; {way}" in given.stderr
    piped = call("predict", "m.npz", "-", input="claim your cash bonus\n", code=1)
    assert f"Error: stdin: expected a column 'message', got 'claim your cash bonus'; {way}" in piped.stderr
    lines = ["claim your cash bonus", "see you, at noon"]
    done = call("predict", "m.npz", "-", "--format", "tsv", "--columns", "message", input="\n".join(lines) + "\n")
    assert done.stdout.split() == model.predict(lines).tolist()
