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


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Models of a text, of a table, and of the three formats of named or numbered attributes."""
    folder = tmp_path_factory.mktemp("trained")
    ls.datasets.messages(rows=300, seed=0).write(folder / "messages.tsv")
    ls.datasets.people(rows=300, seed=0).write(folder / "people.csv")
    (folder / "b.svm").write_text("+1 3:1 17:1\n-1 2:1 3:1\n+1 17:1\n-1 2:1\n")
    (folder / "v.vw").write_text("1 | a b\n0 | b c\n")
    (folder / "j.jsonl").write_text('{"label":1,"features":["a","b"]}\n{"label":0,"features":{"b":2}}\n')
    for file, label in (("messages.tsv", "class"), ("people.csv", "buys")):
        ls.Model.train(folder / file, label=label).save(folder / f"{file[0]}.npz")
    for file in ("b.svm", "v.vw", "j.jsonl"):
        ls.Model.train(folder / file).save(folder / f"{file[0]}.npz")
    return folder


PERSON = {"age": 30, "income": 1.5, "visits": 2, "city": "Rome", "work": None, "contact": "phone"}


def explained(folder, model, example):
    done = call(folder / f"{model}.npz", "--example", example, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_row_of_a_table_as_json_or_as_cells(trained):
    expected = ls.load(trained / "p.npz").explain(PERSON).as_dict()
    assert explained(trained, "p", json.dumps(PERSON)) == json.loads(json.dumps(expected))
    cells = "age=30, income=1.5,visits=2,city=Rome,work=,contact=phone"
    assert explained(trained, "p", cells)["listed"] == explained(trained, "p", json.dumps(PERSON))["listed"]
    comma = explained(trained, "p", cells.replace("Rome", "Rome, too"))
    assert comma["prediction"] == ls.load(trained / "p.npz").predict_one({**PERSON, "city": "Rome, too"})


def test_a_raw_text_is_a_text_whatever_stands_in_it(trained):
    braces = ("{hello} friend", ' {"message": claim', "{", '{"a":' * 100_000)
    for text in ("win=prize, now", "claim it", "[1, 2]", *braces):
        assert explained(trained, "m", text)["prediction"] == ls.load(trained / "m.npz").predict_one(text)


def test_attributes_as_their_file_has_them(trained):
    for line in ("3:1 17:1", "+1 3:1 17:1", "3:1,17:1", "3 17", "3,17", "3:1 17:1 # so"):
        told = explained(trained, "b", line)
        assert [one["attribute"] for one in told["contributions"]] == [17, 3], line
    for line in ("a b:2", "1 | a b:2", "a,b:2"):
        assert explained(trained, "v", line)["listed"] == explained(trained, "v", '{"a": 1, "b": 2}')["listed"]
    for line in ('{"label": 1, "features": {"a": 1}}', '{"features": ["a"]}', '{"a": 1}', "a"):
        assert explained(trained, "j", line)["listed"] == explained(trained, "j", "a")["listed"]


EXAMPLES = {
    "text": ("p", "hello", "--example: expected a value for each of the columns age, income, visits, city"),
    "json": ("p", "hello", """as in '{"age": ..., "income": ..., "visits": ..., ...}' or age=...,income=...,visits="""),
    "missing": ("p", "age=30,income=1,visits=2,city=Rome,work=x", "expected the column 'contact', got 'age'"),
    "empty": ("p", "age=30,income=1,visits=2,city=Rome,work=x", "; where nothing is known say contact="),
    "another": ("m", '{"msg": "x"}', "got 'msg'; where nothing is known say \"message\": null"),
    "cell": ("p", json.dumps({**PERSON, "age": "x"}), "--example: column 'age': expected a number, got 'x'"),
    "column": ("p", json.dumps({**PERSON, "agge": 3}), "--example: expected no column but"),
    "half": ("p", '{"age": 3', "--example: expected an object of columns, as JSON has it"),
    "names": ("j", '{"features": [["a"]]}', 'expected names of attributes, as in {"features": ["sun", "rain"]}, got ['),
    "numbers": ("j", '{"features": ["a", 3, 3.5]}', 'got 3.5; with values say {"features": {"sun": 2}}'),
    "nothing": ("j", '{"features": [null]}', "expected names of attributes"),
    "values": ("j", '{"features": {"a": [1]}}', "--example: expected attributes with numbers for values"),
    "flat": ("j", '{"a": [1]}', "--example: expected attributes with numbers for values"),
    "deep": ("j", '{"a":' * 100_000, '--example: expected an object of columns, as JSON has it, got \'{"a":'),
    "word": ("b", "rain", "such as 1:1 17:0.5, numbered from 1 to 17, got 'rain'"),
    "beyond": ("b", "3:1 99:1", "numbered from 1 to 17, got '99'"),
}  # fmt: skip


@pytest.mark.parametrize("case", EXAMPLES)
def test_examples_that_are_none_say_what_is_accepted(trained, case):
    model, example, words = EXAMPLES[case]
    done = call(trained / f"{model}.npz", "--example", example)
    assert done.exit_code in {1, 2}
    assert words in done.stderr
    for python in ("dict", "list:", "explain:"):
        assert python not in done.stderr
