"""Raw input that is odd: it is read as it is meant, or refused with what was expected, and nothing has changed."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel
from tests.models.test_model import bits, records
from tests.models.test_raw import PEOPLE, numbers, people, spam, zeros

__all__ = ["people", "spam"]  # fixtures


def test_pairs_and_hashed_attributes_take_rows_of_any_form(tmp_path):
    PEOPLE.write(tmp_path / "people.csv")
    rows = [{name: value for name, value in row.items() if name != "buys"} for row in records(PEOPLE, 20)]
    for made in ({"pairs": True}, {"hash_bits": 12}):
        model = ls.Model.train(tmp_path / "people.csv", label="buys", **made)
        said = model.predict(tmp_path / "people.csv").tolist()[:20]
        assert model.predict(rows).tolist() == model.predict(pd.DataFrame(rows)).tolist() == said
        assert [model.predict_one(row) for row in rows] == said
        assert len(model.learn(rows, said)) == 20


def test_a_third_label_is_refused_where_a_threshold_decides(tmp_path):
    model = ls.Model.train(records(PEOPLE), label="buys", threshold=0.9)
    row = {name: value for name, value in records(PEOPLE, 1)[0].items() if name != "buys"}
    before = bits(model)
    with pytest.raises(InvalidLabel, match="expected 'no' or 'yes', between which the model decides by a threshold"):
        model.learn_one(row, "perhaps", new_labels=True)
    assert bits(model) == before
    model.learn_one(row, "yes")
    ls.save(model, tmp_path / "model.npz")
    assert bits(ls.load(tmp_path / "model.npz")) == bits(model)


@pytest.mark.parametrize("made", [{"pairs": True}, {"bins": 4}, {"missing": ["school"]}, {"hash_bits": 8}])
def test_streams_with_other_attributes_are_refused(made, people, tmp_path):
    PEOPLE.write(tmp_path / "people.csv")
    with pytest.raises(InvalidData, match="expected a stream with .* as the model reads, got one with"):
        people.predict(ls.open(tmp_path / "people.csv", label="buys", **made))
    other = ls.Model.train(tmp_path / "people.csv", label="buys", **made)
    with pytest.raises(InvalidData, match="give the file itself"):
        other.predict(ls.open(tmp_path / "people.csv", label="buys"))
    assert len(other.predict(ls.open(tmp_path / "people.csv", label="buys", **made))) == 300


def test_a_stream_of_the_callers_stays_as_it_is(tmp_path):
    path = zeros(tmp_path)
    stream = ls.open(path, label="buys")
    model = ls.Model.train(stream)
    assert not stream.zeros
    model.predict(stream), model.evaluate(stream), model.learn(stream)
    assert not stream.zeros
    assert not stream.met
    again, fresh = (ls.Model.train(one, scale=False) for one in (stream, ls.open(path, label="buys")))
    assert bits(again) == bits(fresh)


def test_labels_of_texts_and_a_file_of_numbers(spam, tmp_path):
    (tmp_path / "rows.svm").write_text("1 1:1\n-1 2:1\n")
    with pytest.raises((InvalidLabel, InvalidData)):
        spam.evaluate(tmp_path / "rows.svm")
    with pytest.raises(InvalidLabel, match="expected a label of 'ham', 'spam', got"):
        spam.learn(tmp_path / "rows.svm")


def test_files_with_labels_apart_and_columns_of_any_name(tmp_path):
    frame = pd.DataFrame(records(PEOPLE))
    labels = frame.pop("buys")
    frame.to_csv(tmp_path / "apart.csv", index=False)
    models = [ls.Model.train(source, labels) for source in (frame, str(tmp_path / "apart.csv"), tmp_path / "apart.csv")]
    assert bits(models[0]) == bits(models[1]) == bits(models[2])
    numbered = pd.DataFrame(records(PEOPLE)).set_axis(range(7), axis=1)
    model = ls.Model.train(numbered, label="6")
    assert model.evaluate(numbered).examples == len(model.learn(numbered)) == 300


@pytest.mark.parametrize(
    ("rows", "labels", "options", "words"),
    [
        (["a b", "c d", "e f"], ["a", float("nan"), "b"], {}, "row 1: expected a label, got nan"),
        (["a b", "c d", "e f"], ["a", 1, "b"], {}, "row 1: expected labels of one kind, got 1 besides 'a'"),
        (["a b", "c d"], [[1], [1, 2]], {}, "a label for each row, got rows of several"),
        ({"a": [1, 2]}, [0, 1], {}, "train: expected rows .* got dict"),
        (5, [0, 1], {}, "train: expected rows .* got int"),
        ([["a", 1], ["b"]], [0, 1], {"columns": ["x", "y"]}, "row 1: expected 2 cells .*got 1"),
        ([["a", 1], ["b", 2]], [0, 1], {"columns": "x,y"}, "row 0: expected 1 cells .*got 2"),
    ],
)
def test_what_is_no_training(rows, labels, options, words):
    with pytest.raises((InvalidData, InvalidLabel), match=words):
        ls.Model.train(rows, labels, **options)


def test_odd_rows_are_refused_or_read_in_littlestones_words(spam):
    with pytest.raises(InvalidData, match="which is no file; for a raw text give a list"):
        spam.predict("x" * 5000)
    assert len(spam.predict(["", None])) == 2
    assert bits(ls.Model.train(["ab cd", None, "x y"], [0, 1, 1])) == bits(
        ls.Model.train(["ab cd", "", "x y"], [0, 1, 1])
    )
    sparse_model = ls.Model.train(np.eye(4, dtype=bool), [0, 1, 0, 1])
    for row in ({2**70: 1.0}, {1: 10**400}):
        with pytest.raises(InvalidData, match="predict: row 0"):
            sparse_model.predict_one(row)
    with pytest.raises(InvalidData):
        sparse_model.predict([sparse.csr_matrix((1, 3)), sparse.csr_matrix((1, 2))])
    assert sparse_model.predict([]).tolist() == []
    assert sparse_model.predict(row for row in np.eye(4)).tolist() == sparse_model.predict(np.eye(4)).tolist()


def test_masked_numbers_are_missing():
    X, y = numbers()
    hidden = np.random.default_rng(1).random(X.shape) < 0.1
    model = ls.Model.train(np.ma.masked_array(X, mask=hidden), y)
    assert bits(model) == bits(ls.Model.train(np.where(hidden, np.nan, X), y))
    masked = np.ma.masked_array(X, mask=hidden)
    assert np.array_equal(model.probabilities(masked), model.probabilities(np.where(hidden, np.nan, X)))
