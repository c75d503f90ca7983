"""Raw input: every kind of rows trains, is predicted and is learned alike; what a model cannot read is refused."""

import io
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner
from scipy import sparse

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.words import Tokeniser
from tests.models.test_model import bits, records

PEOPLE = ls.datasets.people(rows=300)
MESSAGES = ls.datasets.messages(rows=300)
TEXTS = [row["message"] for row in MESSAGES.examples]
COLUMNS = ["age", "income", "visits"]


def numbers(rows=300, seed=0):
    """Columns far from 0 and of very different sizes, as tables have them, and a rule of all."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(rows, 3))
    return Z * [20_000, 1, 0.01] + [50_000, 0, 7], np.where(Z @ [1.0, 1.0, 1.0] > 0, "yes", "no")


def zeros(folder):
    """A table in which 0 is a number like any other, as a file."""
    frame = pd.DataFrame(PEOPLE.rows, columns=PEOPLE.columns)
    frame.loc[::3, "visits"] = 0
    frame.loc[::5, "age"] = 0
    frame.to_csv(folder / "zeros.csv", index=False)
    return folder / "zeros.csv"


@pytest.fixture(scope="module")
def people():
    return ls.Model.train(records(PEOPLE), label="buys")


@pytest.fixture(scope="module")
def spam():
    return ls.Model.train(TEXTS, MESSAGES.labels)


# Streams that are open already


def test_a_stream_gives_the_bits_of_its_file(tmp_path):
    path = zeros(tmp_path)
    model, other = (ls.Model.train(path, label="buys") for _ in range(2))
    stream = ls.open(path, label="buys")
    assert np.array_equal(model.probabilities(ls.open(path, label="buys")), model.probabilities(path))
    assert model.evaluate(stream).log_loss == model.evaluate(path).log_loss
    assert model.learn(ls.open(path, label="buys")).tolist() == other.learn(path).tolist()
    assert bits(model) == bits(other)


def test_a_stream_that_is_read_otherwise_is_refused(spam, tmp_path):
    text = tmp_path / "messages.csv"
    pd.DataFrame({"text": TEXTS, "class": MESSAGES.labels}).to_csv(text, index=False)
    with pytest.raises(InvalidData, match="predict: expected a stream whose column 'text' is read as text, got one"):
        spam.predict(ls.open(zeros(tmp_path), label="buys"))
    with pytest.raises(InvalidData, match="with it as categorical; give the file itself"):
        spam.predict(ls.open(text, label="class", categorical="text"))
    with pytest.raises(InvalidData, match="with the model's tokens"):
        spam.predict(ls.open(text, label="class", text="text", ngrams=2))
    assert np.array_equal(spam.predict(ls.open(text, label="class", text="text")), spam.predict(text))


# Labels


@pytest.mark.parametrize("name", ["y", "class", "target", "label"])
def test_no_column_has_the_labels_where_these_come_apart(name):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(300, 2))
    labels = (points[:, 1] > 0).tolist()
    rows = [{"x": x, name: y} for x, y in points.tolist()]
    model = ls.Model.train(rows, labels)
    assert model.columns == ("x", name)
    assert model.mistakes < 40
    frame = pd.DataFrame(rows)
    assert bits(ls.Model.train(frame, labels)) == bits(model)
    assert model.predict(rows).tolist() == model.predict(frame).tolist()
    assert model.predict_one(rows[0]) == model.predict(rows)[0]


@pytest.mark.parametrize("missing", [float("nan"), None])
def test_a_row_without_a_label_is_refused(people, missing):
    rows = [{"a": 0.5}, {"a": 1.5}, {"a": 2.5}]
    with pytest.raises(InvalidLabel, match="train: row 2: expected a label, got (nan|None); leave the row out"):
        ls.Model.train(rows, [1.0, 0.0, missing])
    before = bits(people)
    with pytest.raises(InvalidLabel, match="learn: row 1: expected a label"):
        people.learn([{name: row[name] for name in people.columns} for row in records(PEOPLE, 2)], ["yes", missing])
    assert bits(people) == before


def test_labels_of_any_form():
    X, y = numbers()
    frame = pd.DataFrame(X, columns=COLUMNS)
    model = ls.Model.train(frame, y)
    for labels in (iter(y.tolist()), pd.DataFrame({"buys": y}), y.tolist(), pd.Series(y)):
        assert bits(ls.Model.train(frame, labels)) == bits(model)
    with pytest.raises(InvalidData, match="got 'buys'; for a column say label='buys'"):
        ls.Model.train(frame, "buys")
    with pytest.raises(InvalidData, match="got 1 labels for 2 rows"):
        ls.Model.train(["one", "two"], ["a"])
    with pytest.raises(InvalidData, match="an array of 2 dimensions"):
        ls.Model.train(frame, np.zeros((300, 2)))


def test_rows_of_one_class_are_learned_and_evaluated(tmp_path):
    """A model knows its labels: a batch need not have all of them."""
    models = {
        "table.csv": ("a,y\n" + "1,p\n2,q\n0,r\n" * 20, "a,y\n1,p\n", "a,y\n1,z\n"),
        "rows.svm": ("1 1:1 2:1\n2 2:1 3:1\n3 1:1 3:1\n" * 20, "3 1:1\n", "4 1:1\n"),
        "binary.svm": ("-1 1:1 2:1\n+1 2:1 3:1\n" * 20, "+1 1:1\n", None),
    }
    for name, (many, one, new) in models.items():
        (tmp_path / name).write_text(many)
        (tmp_path / f"one-{name}").write_text(one)
        model = ls.Model.train(tmp_path / name)
        labels = model.labels
        assert model.evaluate(tmp_path / f"one-{name}").examples == 1
        assert len(model.learn(tmp_path / f"one-{name}")) == 1
        assert model.labels == labels
        if new is not None:
            (tmp_path / f"new-{name}").write_text(new)
            with pytest.raises(InvalidLabel, match="say new_labels=True"):
                model.learn(tmp_path / f"new-{name}")
            model.learn(tmp_path / f"new-{name}", new_labels=True)
            assert len(model.labels) == 4
    assert len(ls.Model.train(records(PEOPLE), label="buys").learn(records(PEOPLE, 1))) == 1


def test_labels_that_were_never_met_are_told_from_mistakes(tmp_path):
    X, y = numbers()
    model = ls.Model.train(X, (y == "yes").astype(int))
    with pytest.raises(InvalidLabel, match="expected labels among 0, 1, got only 'no', 'yes'"):
        model.evaluate(X, y)
    other = np.where(np.arange(300) < 3, 2, (y == "yes").astype(int))
    found = model.evaluate(X, other)
    assert model.unmet(found) == {2: 3}
    ls.save(model, tmp_path / "model.npz")
    frame = pd.DataFrame(X, columns=model.columns).assign(y=other)
    frame.to_csv(tmp_path / "some.csv", index=False)
    done = CliRunner().invoke(
        main, ["evaluate", str(tmp_path / "model.npz"), str(tmp_path / "some.csv"), "--label", "y"]
    )
    assert done.exit_code == 0, done.output
    assert "3 examples have a label that the model has not met, 2\n" in done.output


# Arrays


def test_an_array_is_a_table_of_numbers():
    X, y = numbers()
    model = ls.Model.train(X, y)
    frame = ls.Model.train(pd.DataFrame(X, columns=["x0", "x1", "x2"]), y)
    assert bits(model) == bits(frame)
    assert model.scaling.columns == model.columns == ("x0", "x1", "x2")
    said = model.probabilities(X)
    for raw in (X.tolist(), list(X), pd.DataFrame(X, columns=["x0", "x1", "x2"])):
        assert np.array_equal(model.probabilities(raw), said)
    assert model.probabilities_one(X[0]) == model.probabilities_one({"x0": X[0, 0], "x1": X[0, 1], "x2": X[0, 2]})
    assert bits(ls.Model.train(X.tolist(), y)) == bits(model)
    assert ls.Model.train(X, y, columns=COLUMNS).columns == tuple(COLUMNS)
    assert model.mistakes < ls.Model.train(X, y, scale=False).mistakes


def test_an_array_of_another_width_is_refused():
    X, y = numbers()
    model = ls.Model.train(X, y)
    for other in (X[:, :2], np.hstack((X, X))):
        with pytest.raises(InvalidData, match=r"predict: expected rows of 3 numbers \('x0', 'x1', 'x2'\), got [26]"):
            model.predict(other)
    with pytest.raises(InvalidData, match="row 0: expected a dict, or cells of x0, x1, x2, in this order, got 2 cells"):
        model.predict_one(X[0, :2])


def test_whole_numbers_that_count_the_rows_are_numbers_in_an_array():
    X = np.stack((np.arange(100), np.arange(100) % 7), axis=1)
    assert ls.Model.train(X, X[:, 0] > 50).columns == ("x0", "x1")


def test_boolean_and_sparse_rows_are_taken_as_they_are():
    X = np.random.default_rng(0).random((200, 6)) < 0.3
    y = (X[:, 0] | X[:, 1]).astype(int)
    model = ls.Model.train(X, y)
    assert model.scaling is None
    assert bits(ls.Model.train(sparse.csr_matrix(X.astype(float)), y)) == bits(model)
    said = model.predict(X).tolist()
    assert [model.predict_one(row) for row in sparse.csr_matrix(X.astype(float))[:20]] == said[:20]
    assert [model.predict_one(dict.fromkeys(np.flatnonzero(row).tolist(), 1.0)) for row in X[:20]] == said[:20]
    with pytest.raises(InvalidData, match="the model knows attributes by their positions"):
        model.predict_one({"rain": 1.0})
    with pytest.raises(InvalidParameter, match="leave missing out"):
        ls.Model.train(sparse.csr_matrix(X.astype(float)), y, missing=["?"])
    with pytest.raises(InvalidData, match="predict: row 0: expected numbers or attributes, got a text, 'hello'"):
        model.predict_one("hello")


# Texts, cells and attributes


def test_texts_of_any_form(spam):
    texts, labels = TEXTS, MESSAGES.labels
    forms = [np.array(texts), pd.Series(texts), pa.array(texts), pa.chunked_array([texts]), tuple(texts), iter(texts)]
    for form in forms:
        assert bits(ls.Model.train(form, labels)) == bits(spam), type(form)
    said = spam.predict(texts).tolist()
    for form in (np.array(texts), pd.Series(texts), pl.Series(texts), pa.chunked_array([texts]), iter(texts)):
        assert spam.predict(form).tolist() == said, type(form)


def test_cells_with_names_of_columns_train():
    cells = [list(row[:-1]) for row in PEOPLE.rows]
    rows = [{name: row[name] for name in PEOPLE.columns[:-1]} for row in records(PEOPLE)]
    labels = [row[-1] for row in PEOPLE.rows]
    for form in (cells, tuple(cells), iter(cells)):
        assert bits(ls.Model.train(form, labels, columns=PEOPLE.columns[:-1])) == bits(ls.Model.train(rows, labels))
    with pytest.raises(InvalidData, match="row 0: expected a dict"):
        ls.Model.train(iter([None, *rows[1:]]), labels)


def test_sparse_attributes_by_name_train():
    """Dicts with different keys, sets and lists of names are no tables."""
    split = Tokeniser()
    bags = [dict.fromkeys(split(text), 1.0) for text in TEXTS]
    model = ls.Model.train(bags, MESSAGES.labels)
    for rows in ([set(bag) for bag in bags], [sorted(bag) for bag in bags]):
        other = ls.Model.train(rows, MESSAGES.labels)
        assert other.mistakes < 60
        assert other.predict(rows[:9]).tolist() == other.predict([dict.fromkeys(row, 1.0) for row in rows[:9]]).tolist()
    assert model.predict_one({"claim": 1.0, "cash": 1.0}) == "spam"


def test_a_row_of_a_frame_is_a_row(people):
    frame = pd.DataFrame(records(PEOPLE)).drop(columns="buys")
    said = people.predict(frame).tolist()
    assert [people.predict_one(frame.iloc[row]) for row in range(9)] == said[:9]
    row = records(PEOPLE, 1)[0]
    del row["buys"]
    assert people.probabilities_one({**row, "age": Decimal(72)}) == people.probabilities_one({**row, "age": 72})
    assert people.probabilities_one({**row, "city": pd.NA}) == people.probabilities_one({**row, "city": None})


# Refusals


@pytest.mark.parametrize("call", ["predict", "probabilities"])
def test_one_row_is_no_list_of_rows(spam, people, call):
    for model, row in ((spam, {"text": "claim your cash bonus"}), (people, records(PEOPLE, 1)[0])):
        with pytest.raises(InvalidData, match=rf"{call}: expected rows, got a dict; for one row give a list"):
            getattr(model, call)(row)
    with pytest.raises(InvalidData, match="expected rows, got a dict"):
        spam.learn({"text": "claim"}, ["spam"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda m: m.learn([{"text": "hi"}]),
            "learn: expected a column 'class' of labels, got 'text'; add it",
        ),
        (lambda m: m.predict(pl.DataFrame({"text": ["a"]}).lazy()), r"collect\(\) it first"),
        (lambda m: m.predict(""), "predict: expected the path of a file, or rows, got ''"),
        (
            lambda m: m.predict(pd.DataFrame({"txt": ["a"]})),
            "predict: expected a column 'text', got 'txt'; add",
        ),
        (lambda m: m.predict(5), r"predict: expected rows \(texts, dicts"),
    ],
)
def test_what_is_no_row_of_a_model_of_texts(call, words):
    frame = pd.DataFrame({"text": TEXTS, "class": MESSAGES.labels})
    model = ls.Model.train(frame, label="class", text="text")
    before = bits(model)
    with pytest.raises((InvalidData, InvalidLabel), match=words) as error:
        call(model)
    assert "columns=" not in str(error.value)
    assert bits(model) == before


def test_booleans_are_no_numbers_in_any_form(people):
    row = {**records(PEOPLE, 1)[0], "age": True}
    with pytest.raises(InvalidData, match="column 'age': expected a number, got 'True'"):
        people.predict([row])
    with pytest.raises(InvalidData, match="column 'age': expected numbers, got Booleans"):
        people.predict(pd.DataFrame([row]))


def test_options_and_learners_that_are_none(people):
    with pytest.raises(InvalidParameter, match="one row is explained without label"):
        people.explain(records(PEOPLE, 1)[0], label="yes")
    with pytest.raises(InvalidParameter, match="^train: learner: expected the name of a learner, got 'autoo'"):
        ls.Model.train(records(PEOPLE), label="buys", learner="autoo")
    with pytest.raises(InvalidParameter, match=r"has an evaluate of its own"):
        ls.evaluate(people, ls.open(records(PEOPLE), label="buys"))
    with pytest.raises(InvalidData, match="expected a stream, got 'people.csv'"):
        ls.evaluate(people.learner, "people.csv")


def test_what_cannot_be_is_refused_before_anything_is_learned(monkeypatch):
    X, _ = numbers()
    monkeypatch.setattr(ls.Model, "learn_block", None)
    with pytest.raises(InvalidParameter, match="expected a model of two labels with probabilities, got 3 labels"):
        ls.Model.train(X, np.arange(300) % 3, threshold=0.9)


def test_options_of_a_plot_that_are_none():
    run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=20, k=2, trials=100))
    with pytest.raises(
        InvalidParameter, match=r"plot: expected ax, kind, or a number of the bound \(.*k.*\), got 'color'"
    ):
        run.plot(color="red")
    assert run.plot(k=2).lines


def test_a_model_of_rows_in_memory_reads_a_pipe(people):
    frame = pd.DataFrame(records(PEOPLE))
    pipe = io.BytesIO(frame.to_csv(index=False).encode())
    assert people.predict(pipe).tolist() == people.predict(frame).tolist()
