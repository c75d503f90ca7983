"""littlestone explain: a model from a file, in words and as JSON, and wrong calls."""

import json

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.models.files import save


def call(*arguments):
    return CliRunner().invoke(main, ["explain", *map(str, arguments)])


@pytest.fixture
def model(tmp_path):
    data, path = tmp_path / "data.svm", tmp_path / "model.npz"
    data.write_text("+1 1:1 2:1\n-1 2:1 3:1\n+1 1:1\n-1 3:1\n")
    learner = ls.Winnow()
    ls.play(learner, ls.streams.SvmlightStream(str(data)))
    save(learner, path)
    (tmp_path / "names.txt").write_text("rain\nwind\nsun\n")
    (tmp_path / "short.txt").write_text("rain\n")
    return tmp_path


def test_the_command(model):
    done = call(model / "model.npz", "--names-from", model / "names.txt", "--data", model / "data.svm", "--json")
    told = json.loads(done.stdout)
    assert told["for"][0] == {"attribute": "rain", "weight": 4.0, "net": 2, "promotions": 2, "demotions": 0, "on": 2}
    assert told["clauses"]["listed"][0]["attributes"] == ["rain"]
    assert told["clauses"]["listed"][0]["holds"] == 2
    plain = call(model / "model.npz", "--data", model / "data.svm").output
    assert "which leads to this very model" in plain
    assert "numbered from 1" in plain
    assert [one["attribute"] for one in json.loads(call(model / "model.npz", "--json").stdout)["for"]] == [1]
    row = json.loads(call(model / "model.npz", "--data", model / "data.svm", "--example", 2, "--json").stdout)
    assert (row["prediction"], row["total"]) == (-1, 1.5)
    named = call(model / "model.npz", "--names-from", model / "names.txt", "--example", "rain, sun:2", "--json")
    assert json.loads(named.stdout)["total"] == 5.0
    assert json.loads(call(model / "model.npz", "--example", "1,3:2", "--json").stdout)["total"] == 5.0


def test_the_page_has_the_command_that_made_it(model):
    page = model / "page 1.html"
    assert call(model / "model.npz", "--top", 3, "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert f"littlestone explain {model / 'model.npz'} --top 3 --html" in text and "page 1.html" in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--names-from", "short.txt"], 1, "each of the model's 3 attributes, got 1 lines"),
        (["--names-from", "none.txt"], 1, "none.txt"),
        (["--example", "fog", "--names-from", "names.txt"], 1, "got 'fog'"),
        (["--example", "fog"], 1, "got 'fog'"),
        (["--example", "0"], 1, "got '0'"),
        (["--example", "5", "--data", "data.svm"], 2, "a row from 1 to 4"),
        (["--example", "x", "--data", "data.svm"], 2, "the number of a row"),
        (["--top", "0"], 2, "--top"),
    ],
)
def test_wrong_calls(model, monkeypatch, arguments, code, words):
    monkeypatch.chdir(model)
    done = call("model.npz", *arguments)
    assert done.exit_code == code
    assert words in done.output
