"""What a model remembers of how its file was read, and what commands make of it."""

import json

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.models.training import stated_bound


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def invoke(*words, code=0):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code == code, result.output
        return result

    return invoke


def test_zero_based_files_are_pruned_and_explained_as_they_were_learned(call, tmp_path):
    (tmp_path / "z.svm").write_text("1 0:1 2:1\n-1 1:1\n1 0:1\n-1 1:1 2:1\n" * 5)
    (tmp_path / "z2.svm").write_text("1 2:1\n-1 1:1\n1 1:1 2:1\n")  # has no index 0 that would show it
    call("train", "z.svm", "-l", "winnow", "-m", "z.npz", "-q")
    before = call("predict", "z.npz", "z2.svm", "--scores").stdout
    call("prune", "z.npz", "-m", "p.npz", "--seen", "z2.svm")
    assert [line.split()[0] for line in call("predict", "p.npz", "z2.svm", "--scores").stdout.splitlines()] == [
        line.split()[0] for line in before.splitlines()
    ]
    told = json.loads(call("explain", "z.npz", "--data", "z2.svm", "--example", "3", "--json").stdout)
    assert {one["attribute"] for one in told["listed"]} == {1, 2}
    assert "numbered from 0, as in its file" in call("explain", "z.npz").stdout


def test_a_pruned_model_reads_tables_as_the_model_did(call, tmp_path):
    (tmp_path / "a.csv").write_text("umbrella,sky\nno,sun\nyes,rain\nno,cloud\nyes,rain\n")
    call("train", "a.csv", "--label", "umbrella", "-l", "perceptron", "-m", "a.npz", "-q")
    call("prune", "a.npz", "-m", "b.npz", "--seen", "a.csv")
    assert call("predict", "b.npz", "a.csv").stdout == call("predict", "a.npz", "a.csv").stdout
    told = json.loads(call("explain", "a.npz", "--data", "a.csv", "--example", "2", "--json").stdout)
    assert {one["attribute"] for one in told["listed"]} == {"sky=rain"}


def test_names_that_a_winnow_has_not_met_do_not_stop_it(call, tmp_path):
    (tmp_path / "a.csv").write_text("sky,umbrella\nsun,no\nrain,yes\n")
    (tmp_path / "b.csv").write_text("sky,umbrella\nhail,no\nrain,yes\n")
    call("train", "a.csv", "-l", "winnow", "-m", "a.npz", "-q")
    assert call("predict", "a.npz", "b.csv").stdout.split() == ["no", "yes"]
    call("evaluate", "a.npz", "b.csv")


def test_two_classes_of_many(call, tmp_path):
    (tmp_path / "two.svm").write_text("1 1:1\n2 2:1\n" * 10)
    (tmp_path / "three.svm").write_text("1 1:1\n3 3:1\n" * 10)
    call("train", "two.svm", "-l", "winner-takes-all", "-m", "m.npz", "-q")
    rows = map(json.loads, call("predict", "m.npz", "two.svm", "--probabilities", "--json").stdout.splitlines())
    assert all(max(row["probability"], key=row["probability"].get) == str(row["label"]) for row in rows)
    call("train", "three.svm", "-i", "m.npz", "-m", "n.npz", "-q")
    assert set(ls.load(tmp_path / "n.npz").labels) == {1, 2, 3}


def test_nothing_is_learned_from_nothing(call, tmp_path):
    (tmp_path / "empty.svm").write_text("# only this\n")
    assert "at least one example" in call("train", "empty.svm", "-m", "m.npz", "-q", code=1).output
    assert not (tmp_path / "m.npz").exists()


def test_no_bound_speaks_of_more_attributes_than_there_are():
    learner = ls.Winnow()
    learner.learn([[1, 1]] * 200, [1, 0] * 100)
    assert stated_bound(learner, 2).value < learner.mistakes
    assert stated_bound(learner, 3) is None
