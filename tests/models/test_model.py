"""Model: raw input in every form gives the same bits; files, resuming, decisions, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidModel, InvalidParameter
from littlestone.models.decision import Decision
from littlestone.models.scaling import Scaling

ROWS = ls.datasets.people(rows=400)
MESSAGES = ls.datasets.messages(rows=400)


def records(table, rows=None):
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows[:rows]]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    pd.DataFrame(ROWS.rows, columns=ROWS.columns).to_csv(folder / "people.csv", index=False)
    with (folder / "people.jsonl").open("w") as file:
        file.writelines(json.dumps(row) + "\n" for row in records(ROWS))
    with (folder / "messages.tsv").open("w") as file:
        file.writelines(f"{label}\t{text}\n" for label, text in MESSAGES.rows)
    return folder


def bits(model):
    parts = [model.learner.state()]
    parts += [] if model.scaling is None else [model.scaling.state()]
    parts += [] if model.calibration is None else [model.calibration.state()]
    return [(name, array.tobytes()) for part in parts for name, array in sorted(part.items())]


@pytest.fixture(scope="module")
def people(files):
    return ls.Model.train(files / "people.csv", label="buys")


@pytest.fixture(scope="module")
def spam(files):
    return ls.Model.train(str(files / "messages.tsv"), columns=["class", "message"], label="class")


def test_the_same_rows_in_every_form_train_the_same_model(files, people):
    frame = pd.read_csv(files / "people.csv")
    for raw in (frame, records(ROWS)):
        other = ls.Model.train(raw, label="buys")
        assert bits(other) == bits(people), type(raw)
    assert people.scaling is not None
    assert set(people.scaling.columns) == {"age", "income", "visits"}


def test_the_same_rows_in_every_form_are_predicted_alike(files, people):
    frame, rows = pd.read_csv(files / "people.csv")[:40], records(ROWS, 40)
    unlabelled = [{name: value for name, value in row.items() if name != "buys"} for row in rows]
    expected = people.probabilities(frame).tobytes()
    cells = [list(row.values()) for row in unlabelled]
    for raw in (frame.drop(columns="buys"), rows, unlabelled, cells):
        assert people.probabilities(raw).tobytes() == expected
    assert people.probabilities(files / "people.jsonl")[:40].tobytes() == expected
    assert [people.predict_one(row) for row in unlabelled] == people.predict(frame).tolist()
    one = people.probabilities_one(unlabelled[3])
    assert list(one.values()) == people.probabilities(frame)[3].tolist()
    assert list(one) == list(people.labels)


def test_cells_come_in_the_order_of_the_columns(tmp_path):
    path = tmp_path / "mixed.csv"
    rows = [("red" if i % 3 else "blue", i % 7 + 0.5, i % 2 == 0, "yes" if i % 3 else "no") for i in range(90)]
    path.write_text("colour,size,old,label\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    model = ls.Model.train(path)
    assert model.columns == ("colour", "size", "old")
    cells, dicts = [["blue", 3.5, True]], [{"old": True, "colour": "blue", "size": 3.5}]
    assert model.probabilities(cells).tobytes() == model.probabilities(dicts).tobytes()
    model.save(tmp_path / "m.npz")
    assert ls.load(tmp_path / "m.npz").probabilities(cells).tobytes() == model.probabilities(dicts).tobytes()


def test_learning_goes_on_alike_from_every_form(files, people):
    frame, rows = pd.read_csv(files / "people.csv")[:60], records(ROWS, 60)
    apart = [{name: value for name, value in row.items() if name != "buys"} for row in rows]
    y = [row["buys"] for row in rows]
    models = [people.copy() for _ in range(4)]
    said = [
        models[0].learn(frame).tolist(),
        models[1].learn(apart, y).tolist(),
        [models[2].learn_one(row, label) for row, label in zip(apart, y, strict=True)],
        [label for start in range(0, 60, 7) for label in models[3].learn(rows[start : start + 7]).tolist()],
    ]
    assert said[0] == said[1] == said[2] == said[3]
    assert all(bits(model) == bits(models[0]) for model in models)


def test_texts_dicts_and_files_are_one(files, spam):
    texts = [text for _, text in MESSAGES.rows[:30]]
    (files / "new.tsv").write_text("".join(f"{text}\n" for text in ("message", *texts)))
    expected = spam.probabilities(texts).tobytes()
    assert spam.probabilities([{"message": text} for text in texts]).tobytes() == expected
    assert spam.probabilities(pd.DataFrame({"message": texts})).tobytes() == expected
    given = CliRunner().invoke(main, ["predict", str(saved(spam, files)), str(files / "messages.tsv"), "-t", "30"])
    assert given.stdout.split() == spam.predict(texts).tolist()


def saved(model, folder):
    model.save(folder / "model.npz")
    return folder / "model.npz"


def test_a_model_by_command_line_and_one_in_python_are_the_same_file(files, tmp_path, monkeypatch):
    monkeypatch.chdir(files)
    done = CliRunner().invoke(main, ["train", "people.csv", "--label", "buys", "-m", str(tmp_path / "a.npz"), "-q"])
    assert done.exit_code == 0, done.output
    ls.save(ls.Model.train("people.csv", label="buys"), tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    words = [
        "train",
        "messages.tsv",
        "--columns",
        "class,message",
        "--label",
        "class",
        "-m",
        str(tmp_path / "c.npz"),
        "-q",
    ]
    assert CliRunner().invoke(main, words).exit_code == 0
    model = ls.Model.train("messages.tsv", columns=["class", "message"], label="class")
    model.save(tmp_path / "d.npz")
    assert (tmp_path / "c.npz").read_bytes() == (tmp_path / "d.npz").read_bytes()


def test_resuming_gives_the_bits_of_no_interruption(people, tmp_path):
    rows = records(ROWS, 120)
    whole = people.copy()
    whole.learn(rows)
    part = people.copy()
    part.learn(rows[:50])
    ls.save(part, tmp_path / "part.npz")
    again = ls.load(tmp_path / "part.npz")
    again.learn(rows[50:])
    assert bits(again) == bits(whole)
    ls.save(again, tmp_path / "a.npz")
    ls.save(whole, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_learner_alone_loads_as_the_learner_it_is(tmp_path):
    ls.save(ls.Winnow(alpha=1.5), tmp_path / "winnow.npz")
    assert repr(ls.load(tmp_path / "winnow.npz")) == "Winnow(alpha=1.5)"


@pytest.mark.parametrize(
    ("raw", "kind", "words"),
    [
        ("a text", InvalidData, "no file; check the path"),
        (["a text"], InvalidData, "row 0: expected a dict of the columns .*, got a text"),
        ([{"age": 3, "buys": "yes"}], InvalidData, "expected a column 'income'"),
        ([{**records(ROWS)[0], "shoe": 4}], InvalidData, "'shoe'"),
        ([{**records(ROWS)[0], "age": "old"}], InvalidData, "'age': expected a number, got 'old'"),
        ([{**records(ROWS)[0], "age": float("inf")}], InvalidData, "'age': expected a finite number"),
        ([[1, 2]], InvalidData, "row 0: expected a dict, or cells of age, income, visits, city, work, contact.*got 2"),
        (pd.DataFrame({"message": ["hello"], "buys": ["yes"]}), InvalidData, "expected a column"),
        (7, InvalidData, "expected rows .*, got int"),
    ],
)
def test_a_model_of_a_table_refuses(people, raw, kind, words):
    before = bits(people)
    for call in (people.predict, people.probabilities, people.learn):
        with pytest.raises(kind, match=words):
            call(raw)
    assert bits(people) == before


def test_a_missing_number_is_at_the_mean_and_nan_is_missing(people):
    row = {**records(ROWS)[0], "age": None}
    assert people.probabilities_one(row) == people.probabilities_one({**row, "age": float("nan")})
    assert people.probabilities_one(row) == people.probabilities_one({**row, "age": people.scaling["age"].mean})


def test_another_label_is_refused(people):
    before = bits(people)
    row = {name: value for name, value in records(ROWS)[0].items() if name != "buys"}
    auto = people.copy()
    with pytest.raises(
        InvalidLabel, match="row 0: expected a label of 'no', 'yes', got 'perhaps'; say new_labels=True"
    ):
        auto.learn_one(row, "perhaps")
    assert bits(auto) == before
    auto.learn_one(row, "perhaps", new_labels=True)  # Auto takes new classes
    assert auto.labels == ("no", "yes", "perhaps")
    two = ls.Model.train(records(ROWS), label="buys", learner="arow")
    with pytest.raises(InvalidLabel, match="perhaps"):
        two.learn_one(row, "perhaps", new_labels=True)
    with pytest.raises(InvalidData, match="got 1 labels for more rows"):
        people.learn([row, row], ["yes"])
    with pytest.raises(InvalidData, match="got 3 labels for 2 rows"):
        people.learn([row, row], ["yes", "no", "no"])
    assert bits(people) == before


def test_a_model_of_texts_refuses_what_is_none(spam):
    with pytest.raises(InvalidData, match="expected a column 'message'"):
        spam.predict(pd.DataFrame({"size": [1.0]}))
    with pytest.raises(InvalidData, match=r"for a raw text give a list, predict\(\[text\]\), or use predict_one"):
        spam.predict("WINNER!! call now")


def test_decisions_follow_threshold_cost_and_precision(people):
    frame = pd.DataFrame(ROWS.rows, columns=ROWS.columns)
    positive = people.probabilities(frame)[:, 1]
    careful = people.copy()
    careful.decision = Decision.by_cost({"false-positive": 9})
    assert careful.decision.threshold == 0.9
    assert (careful.predict(frame) == np.where(positive >= 0.9, "yes", "no")).all()
    assert careful.evaluate(frame).confusion[0, 1] <= people.evaluate(frame).confusion[0, 1]
    truth = frame["buys"] == "yes"
    chosen = Decision.for_precision(0.97, positive, truth)
    said = positive >= chosen.threshold
    assert (said & truth).sum() / said.sum() >= 0.97
    lower = positive[positive < chosen.threshold]
    for threshold in np.unique(lower):  # no lower one would do
        said = positive >= threshold
        assert (said & truth).sum() / said.sum() < 0.97
    with pytest.raises(InvalidParameter, match="expected a threshold with a precision"):
        Decision.for_precision(1.0, [0.9, 0.5], [0, 1])
    with pytest.raises(InvalidParameter, match="did you mean false-positive"):
        Decision.by_cost({"false-positiv": 3})
    for wrong in (-0.1, 1.5, "much"):
        with pytest.raises(InvalidParameter, match="from 0 to 1"):
            Decision(wrong)
    with pytest.raises(InvalidParameter, match="two labels"):
        ls.Model.train(np.eye(3), ["a", "b", "c"], threshold=0.9)


def test_scaling_is_by_the_rows_before_and_does_not_depend_on_blocks():
    rng = np.random.default_rng(3)
    X = rng.normal(1e6, 3.0, (200, 2))
    stream = ls.open(pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "label": rng.integers(0, 2, 200)}), zeros=True)
    whole = Scaling(["a", "b"])
    values = np.concatenate([whole.learned(block).values for block in stream.blocks()])
    values = np.concatenate((np.zeros(4), values)).reshape(-1, 2)  # of the first two rows nothing is left
    for at in (2, 3, 17, 199):
        before = X[:at]
        expected = np.clip((X[at] - before.mean(axis=0)) / before.std(axis=0), -10, 10)
        np.testing.assert_allclose(values[at], expected, rtol=1e-6)
    for size in (1, 7, 64):
        other = Scaling(["a", "b"])
        parts = [other.learned(part).values for block in stream.blocks() for part in block.split(size)]
        assert np.concatenate(parts).tobytes() == values[2:].tobytes()
        assert [array.tobytes() for array in other.state().values()] == [a.tobytes() for a in whole.state().values()]


def test_zeros_are_values_and_boolean_columns_are_not_scaled(tmp_path):
    path = tmp_path / "zeros.csv"
    path.write_text(
        "size,flag,label\n" + "".join(f"{i % 5},{i % 2},{'yes' if i % 5 > 2 else 'no'}\n" for i in range(200))
    )
    model = ls.Model.train(path)
    assert model.scaling.columns == ("size",)
    mean, deviation = model.scaling["size"]
    assert (mean, round(deviation, 6)) == (2.0, round(float(np.std(np.arange(5))), 6))
    assert model.predict([{"size": 0, "flag": 1}, {"size": 4, "flag": 0}]).tolist() == ["no", "yes"]
    plain = ls.Model.train(path, scale=False)
    assert plain.scaling is None


def test_forged_models_are_refused(people, tmp_path):
    from littlestone.models import files, saving

    learner, rest, header = files.load_all(saved(people, tmp_path))

    def write(about=None, **arrays):
        changed = files.Rest({**rest.about, **(about or {})}, {**rest.arrays, **arrays})
        files.save(learner, tmp_path / "forged.npz", source=header["provenance"]["source"], rest=changed)
        with pytest.raises(InvalidModel, match="forged.npz"):
            saving.load(tmp_path / "forged.npz")

    write({"scaled": ["age"]})
    write({"scaled": ["age", "age", "income"]})
    write({"decision": {"threshold": 2.0, "because": ""}})
    write({"decision": {"threshold": None, "because": "", "more": 1}})
    write({"columns": [3]})
    write({"calibrated": "yes"})
    write({"more": 1})
    write(theta=np.array([1.0, np.nan, 0.0]))
    write(precision=-np.eye(3))
    write(scaled=np.array([1, 2], dtype=np.int64))
    write(sums=rest.arrays["sums"] * np.array([[1.0], [1.0], [-1.0]]))
    write(extra=np.zeros(3))
