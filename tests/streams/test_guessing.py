"""What the columns of a table are taken for, headers that are none, intervals, and the schema that tells it."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.streams.base import as_kept
from tests.streams.test_tables import Pipe, csv, piped, rows_of

WORDS = ["see you at noon", "call me back now", "where are you today", "free entry to win", "ok"]

HELLO = "\u4f60\u597d\u5417\u6211\u5f88\u597d"


def column(cells, name="x"):
    return f"{name},y\n" + "".join(f"{cell},{at % 2}\n" for at, cell in enumerate(cells))


def kind(cells, **options):
    return csv(column(cells), **options).schema()["x"].kind


KINDS = {
    "numbers": ([f"{at % 7}.5" for at in range(60)], "number"),
    "numbers with gaps": (["", *range(5, 64)], "number"),
    "0 and 1": ([0, 1] * 30, "Boolean"),
    "truth": (["True", "false"] * 30, "truth"),
    "categories": (["red", "blue", "green"] * 20, "category"),
    "sentences": ([f"{WORDS[at % 5]} {at}" for at in range(60)], "text"),
    "a few sentences": (WORDS, "text"),
    "sentences that come again and again": (WORDS * 20, "category"),
    "names of two words": ([f"Ann{at} Lee{at}" for at in range(60)], "text"),
    "few names of two words": ([f"Ann{at} Lee{at}" for at in range(49)], "category"),
    "codes": ([f"K-{at}" for at in range(60)], "id"),
    "few codes": ([f"K-{at}" for at in range(49)], "category"),
    "codes, some twice": ([f"K-{at % 40}" for at in range(60)], "category"),
    "sentences in a script without spaces": ([HELLO + chr(0x4E00 + at) for at in range(60)], "text"),
    "numbers of rows": (range(60), "id"),
    "numbers of rows, from 1": (range(1, 61), "id"),
    "few numbers of rows": (range(49), "number"),
    "whole numbers that do not count rows": ([*range(59), 7], "number"),
    "real numbers that count rows": ([f"{at}.0" for at in range(60)], "number"),
    "real numbers and many others": ([*(f"{at}.5" for at in range(60)), *"abcdef"], "category"),
    "an odd cell": ([*range(5, 64), "unknown"], "number"),
    "odd cells": ([*range(5, 55), "a", "b"], "id"),
    "codes of digits": (["01234", "1234", "98101"] * 20, "category"),
    "codes of digits, nearly all different": ([f"{at:04}" for at in range(60, 120)], "id"),
    "zeros": (["0", "0.5", "-0", "0e3", "00.5"] * 12, "number"),
}  # fmt: skip


@pytest.mark.parametrize("case", KINDS)
def test_what_a_column_is_taken_for(case):
    cells, expected = KINDS[case]
    found = csv(column(cells)).schema()["x"]
    assert (found.kind, found.guessed) == (expected, True)
    assert piped(column(cells)).schema()["x"].kind == expected
    rows = [{"x": None if cell == "" else cell, "y": at % 2} for at, cell in enumerate(cells)]
    assert ls.open(rows).schema()["x"].kind == expected


def test_a_frame_is_guessed_as_its_file():
    cells = {name: cells for name, (cells, _) in KINDS.items() if len(cells) == 60 and "real" not in name}
    frame = pd.read_csv(io.StringIO(pd.DataFrame({**cells, "y": [0, 1] * 30}).to_csv(index=False)))
    text = csv(frame.to_csv(index=False))
    for table in (frame, pa.Table.from_pandas(frame, preserve_index=False)):
        stream = ls.open(table)
        assert [(one.name, one.kind) for one in stream.schema().columns] == [
            (one.name, one.kind) for one in text.schema().columns
        ]
        assert rows_of(stream) == rows_of(text)
        assert stream.read_as() | {"format": "csv"} == text.read_as()
    assert ls.open(pd.DataFrame({"x": np.arange(60.0), "y": [0, 1] * 30})).schema()["x"].kind == "number"


def test_odd_cells_count_as_missing_and_are_told():
    cells = [*range(5, 128), "unknown", " - "]
    stream = csv(column(cells))
    assert stream.names == ("x",)
    assert [row for _, row in rows_of(stream)[-3:]] == [{"x": 127}, {}, {}]
    found = stream.schema()["x"]
    assert (found.odd, found.missing) == ({"unknown": 1, "-": 1}, 2)
    assert "2 cells of no number ('unknown', '-'), read as missing; say categorical=['x']" in found.note
    again = ls.open(io.BytesIO(b"x,y\n-,1\n3,0\n"), **stream.read_as())
    assert [row for _, row in rows_of(again)] == [{}, {"x": 3}]
    with pytest.raises(InvalidData, match=":2: column 'x': expected a number, got 'nobody'"):
        list(ls.open(io.BytesIO(b"x,y\nnobody,1\n3,0\n"), **stream.read_as()).blocks())


def test_an_odd_cell_behind_the_first_rows():
    text = column([*(at % 99 for at in range(1200)), "unknown"])
    assert csv(text).names == ("x",)
    assert csv(text).schema()["x"].odd == {"unknown": 1}
    with pytest.raises(InvalidData, match=r"expected a number \(as in the first 1,000 rows\), got 'unknown'"):
        list(piped(text).blocks())


def test_roles_that_are_given_win():
    assert kind(range(60), numeric="x") == "number"
    assert kind(range(60), categorical="x") == "category"
    assert kind(WORDS, categorical="x") == "category"
    assert kind(["red", "blue"], text="x") == "text"
    assert kind([0, 1], truth="x") == "truth"
    assert rows_of(csv(column(["1", "False", "", "0"]), truth="x")) == [(0, {"x": 1}), (1, {}), (0, {}), (1, {})]
    with pytest.raises(InvalidData, match=":3: column 'x': expected True or False, got '2'"):
        list(csv(column(["1", "2"]), truth="x").blocks())


HEADLESS = {
    "a label": "ham,one\nspam,two\nham,three\nham,4\n",
    "numbers": "5.1,3.5,a\n4.9,3.0,b\n4.7,3.2,a\n",
    "whole numbers": "7,3,yes\n1,2,no\n3,4,yes\n",
    "a sentence": "\n".join(f"word{at} is what they say here.,{at % 2}" for at in range(9)) + "\n",
}


@pytest.mark.parametrize("case", HEADLESS)
def test_a_first_line_of_data_is_noticed(case):
    text = HEADLESS[case]
    for stream in (csv(text), piped(text)):
        with pytest.raises(
            InvalidData, match=":1: expected the names of the columns, got .*columns=NAMES.*header=True"
        ):
            stream.labels  # noqa: B018
    assert len(rows_of(csv(text, header=True))) == text.count("\n") - 1
    names = "abc"[: text.split("\n")[0].count(",") + 1]
    assert len(rows_of(csv(text, columns=list(names)))) == text.count("\n")


def test_headers_that_may_look_strange():
    for head in ("2019,2020,y", "0,1,2", "How do you like our new shop?,x,y", "a,b,c", "7,3,size"):
        assert csv(f"{head}\n1,2,0\n3,a,1\n").schema().columns[0].name == head.split(",")[0]


def test_a_name_above_numbers_is_one():
    rows = "spam,1\nham,2\nspam,3\n"
    assert csv("spam,length\n" + rows, label="spam").labels == ("ham", "spam")
    with pytest.raises(InvalidData, match="'spam', which stands in 2 of the first 3 rows of that column too"):
        csv("spam,7\n" + rows, label="spam").labels  # noqa: B018


def test_columns_named_by_the_caller():
    data, names = "ham,hi\nspam,win\n", ["class", "message"]
    expected = [("ham", {"message=hi": 1}), ("spam", {"message=win": 1})]
    stream = csv(data, columns=names)
    assert rows_of(stream) == rows_of(csv(data, header=names)) == expected
    assert stream.read_as()["columns"] == names
    assert rows_of(csv("class,message\n" + data, columns=names)) == expected  # it has a header after all
    assert rows_of(csv("a,b\n" + data, columns=names, header=True)) == expected
    kept = _options(stream.read_as())  # a model takes both forms, and columns in any order
    assert rows_of(csv("message,class\nhi,ham\nwin,spam\n", **kept)) == rows_of(csv(data, **kept)) == expected
    assert rows_of(csv("message\nhi\n", **kept, unlabelled=True)) == [(None, {"message=hi": 1})]
    with pytest.raises(InvalidData, match=":1: expected 1 cells, as many as names of columns are given, got 2"):
        csv(data, columns=["class"]).labels  # noqa: B018
    with pytest.raises(InvalidParameter, match="expected a column 'clas' of labels.*did you mean class"):
        csv(data, columns=names, label="clas").labels  # noqa: B018
    with pytest.raises(InvalidParameter, match="expected a column 'mesage', got .*did you mean message"):
        csv(data, columns=names, text="mesage").labels  # noqa: B018


def test_a_model_refuses_columns_it_does_not_know():
    reading = csv("a,b,y\n1,red,0\n2,blue,1\n").read_as()
    assert reading["closed"] is True
    with pytest.raises(InvalidData, match=r"expected no column but 'y', 'a', 'b', got 'c'; leave it out"):
        list(csv("a,b,c,y\n1,red,5,0\n", **_options(reading)).blocks())
    with pytest.raises(InvalidData, match="expected a column 'b', got 'a', 'y'; add the column"):
        list(csv("a,y\n1,0\n", **_options(reading)).blocks())
    kept = csv(column(range(60))).read_as()
    assert kept["ignore"] == ["x"]
    assert len(rows_of(csv("y\n0\n1\n", **_options(kept)))) == 2  # what is left out may be missing


def _options(reading):
    return {name: value for name, value in reading.items() if name != "format"}


def test_a_reading_without_tokens_is_of_an_older_version():
    old = as_kept({"format": "csv", "label": "y", "text": ["x"]})
    new = ls.open(io.BytesIO(b"x,y\nwin $1.50!,1\nno,0\n"), label="y", text="x").read_as()
    file = b"x,y\nwin $1.50!,1\nno,0\n"
    assert rows_of(ls.open(io.BytesIO(file), **old))[0][1] == {"x=win": 1, "x=1": 1, "x=50": 1}
    assert rows_of(ls.open(io.BytesIO(file), **as_kept(new)))[0][1] == {"x=win": 1, "x=$": 1, "x=1.50": 1, "x=!": 1}
    assert as_kept({"format": "csv"}) == {"format": "csv"}


def test_intervals():
    values = [at * 0.25 for at in range(100)]
    text = column([*values, ""])
    stream = csv(text, bins=4)
    names = ("x < 6.25", "x in [6.25, 12.5)", "x in [12.5, 18.75)", "x >= 18.75")
    assert stream.names == names
    expected = [{names[int(value // 6.25)]: 1} for value in values]
    assert [row for _, row in rows_of(stream)] == [row for _, row in rows_of(piped(text, bins=4))] == [*expected, {}]
    quoted = text.replace("x,y", '"x",y', 1).replace("\n0.25,", '\n"0.25",', 1)
    assert rows_of(csv(quoted, bins=4), 7) == rows_of(stream)
    edges = {"x": [6.25, 12.5, 18.75]}
    assert stream.read_as()["bins"] == edges
    assert rows_of(ls.open(io.BytesIO(b"x,y\n-5,0\n6.25,1\n99,1\n"), **stream.read_as())) == [
        (0, {names[0]: 1}), (1, {names[1]: 1}), (1, {names[3]: 1})]  # fmt: skip
    assert next(stream.blocks()).values is None
    assert csv(column([0, 1] * 9), bins=4).names == ("x",)  # Boolean already
    for bins, said in [(1, "bins must be a whole number >= 2"), ({"x": [2, 1]}, "edges that ascend"),
                       ({"x": []}, "expected a list of edges"), ({"z": [1]}, "expected a column 'z'")]:  # fmt: skip
        with pytest.raises(InvalidParameter, match=said):
            csv(text, bins=bins).labels  # noqa: B018
    with pytest.raises(InvalidData, match="'x < 2' has the name of an interval of column 'x'"):
        csv("x,x < 2,y\n1,5,0\n2,6,1\n", bins={"x": [2]}).labels  # noqa: B018


def test_the_schema_is_told_and_warns():
    text = "id,sky,t,w,y\n" + "".join(f"{at},grey,{WORDS[at % 4]} {at},1,{at}\n" for at in range(60))
    schema = csv(text, weight="w").schema()
    told = json.loads(json.dumps(schema.as_dict()))
    assert [(one["name"], one["kind"], one["guessed"]) for one in told["columns"]] == [
        ("id", "id", True), ("sky", "category", True), ("t", "text", True), ("w", "weight", False),
        ("y", "label", True),
    ]  # fmt: skip
    assert "left out: it counts the rows; say numeric=['id']" in told["columns"][0]["note"]
    labels, constant = told["warnings"]
    assert labels.startswith("the label 'y' has 60 different values; is it the wrong column? say label=COLUMN")
    assert labels.endswith("has the file no header? say columns=NAMES")
    assert constant == "column 'sky' has the same value in all rows; say ignore=['sky']"
    lines = str(schema).splitlines()
    assert lines[0] == "<BytesIO>, 60 rows:"
    assert len(lines) == 1 + 5 + 2
    one = csv("a,y\n1,no\n2,no\n", label="y").schema()
    assert "the label 'y' has one value only" in one.warnings[0]
    assert ls.open(io.BytesIO(b"1 3:1\n-1 2:1\n")).schema() is None
    assert ls.open(io.BytesIO(b"a,b,y\n1,1,0\n2,2,1\n"), pairs=True).schema()["a"].kind == "number"


def test_what_the_first_rows_have_in_common_is_said_of_them_only():
    text = column(["grey"] * 1200 + ["blue"])
    assert csv(text).schema().warnings == ("column 'x' has the same value in all of the first 1,000 rows",)
    assert csv(column([""] * 1200 + ["blue"])).schema().warnings == (
        "column 'x' has no value in any of the first 1,000 rows",
    )
    assert csv(column(["grey"] * 999)).schema().warnings[0].endswith("in all rows; say ignore=['x']")


def test_codes_keep_their_zeros():
    stream = csv(column(["01234", "1234", "01234", "98101"] * 20))
    assert stream.names == ("x=01234", "x=1234", "x=98101")
    said = "digits with leading zeros, such as '01234', are codes and no numbers; say numeric=['x'] to read numbers"
    assert stream.schema()["x"].note == said
    assert csv(column(["01234", "1234"] * 20), numeric="x").names == ("x",)
    left_out = csv(column([f"{at:04}" for at in range(60, 120)])).schema()["x"].note
    assert left_out.startswith("left out: nearly every row has a value of its own; digits with leading zeros")
    assert csv(column(["0A", "07", "B", "C"] * 20)).schema()["x"].note == ""
    late = csv(column([*(at % 50 + 7 for at in range(1500)), "007", *"uvwxyz"]))
    assert "x=007" in late.names  # where all rows are looked at


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["$1234.56", "$99.90", "$7"],
            "such as '$1234.56' look like numbers and are read as categories; write 1234.56",
        ),
        (["92%", "7%", "15.5%"], "such as '92%' look like numbers and are read as categories; write 92 to"),
        (["12 EUR", "red", "7%"], None),
        (["10.0.0.1", "10.0.0.2"], None),
        (["2020-01-01", "2020-01-02"], None),
        (["1", "2"], None),
    ],
)
def test_what_looks_like_numbers_and_is_none(cells, said):
    warnings = csv(column(cells * 20)).schema().warnings
    assert [said in one for one in warnings] == [True] if said else not warnings


def test_what_looks_like_numbers_with_commas():
    for cells, said in ((["3,9", "4,25"], "write 3.9 to"), (["1,234", "25,000,000"], "write 1234 to")):
        text = column(cells * 20).replace("x,y", "x;y").replace(",0\n", ";0\n").replace(",1\n", ";1\n")
        (warning,) = csv(text).schema().warnings
        assert said in warning
    many = column([f"${at}.5" for at in range(60)])
    assert "and are left out; write 0.5" in csv(many).schema().warnings[0]
    assert csv(many, categorical="x").schema().warnings == ()


def test_a_wide_table_is_told_in_few_lines():
    names = [f"c{at}" for at in range(99)]
    text = ",".join([*names, "y"]) + "\n" + ",".join(["7"] * 99 + ["0"]) + "\n" + ",".join(["8"] * 99 + ["1"]) + "\n"
    lines = str(csv(text).schema()).splitlines()
    assert len(lines) == 32
    assert lines[-1] == "  and 69 more of kind number, 1 more of kind label"


def test_the_first_rows_are_told_of_a_longer_file():
    text = column([*(f"v{at % 50}" for at in range(1500)), "late"])
    for make in (io.BytesIO, Pipe):
        schema = ls.open(make(text.encode())).schema()
        assert (schema.rows, schema.whole, schema["x"].distinct, schema["x"].exact) == (1000, False, 50, False)
        assert str(schema).splitlines()[0].endswith("from the first 1,000 rows:")


def test_real_messages_need_only_the_names_of_their_columns(data_folder):
    path = data_folder / "sms_spam.tsv.gz"
    with pytest.raises(InvalidData, match="got 'ham', which stands in 848 of the first 1000 rows"):
        ls.open(path).labels  # noqa: B018
    stream = ls.open(path, columns=["class", "message"])
    assert [(one.name, one.kind) for one in stream.schema().columns] == [("class", "label"), ("message", "text")]
    rows = sum(map(len, stream.blocks()))
    learner = ls.Auto()
    ls.play(learner, ls.streams.Part(stream, 0, rows * 4 // 5))
    held_out = next(ls.streams.Part(stream, rows * 4 // 5).blocks(rows))
    wrong = learner.predict(held_out) != np.array(stream.labels)[held_out.outcomes]
    assert wrong.mean() <= 0.012
