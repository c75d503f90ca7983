"""Rows as dicts, and JSON lines of them: the same rows as in a file."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.streams import JsonlStream, JsonTableStream, RecordStream
from tests.streams.test_tables import Pipe, csv, rows_of

CELLS = {
    "colour": st.sampled_from(["red", "blue", "a,b", None]),
    "size": st.one_of(st.none(), st.floats(-1e6, 1e6), st.integers(-9, 9)),
    "open": st.booleans(),
    "class": st.sampled_from(["yes", "no"]),
}
ROWS = st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=9)


@given(ROWS, st.integers(1, 9))
def test_dicts_are_read_as_their_file_and_frame(rows, at_once):
    options = {"categorical": "colour", "numeric": "size", "truth": "open", "labels": ("no", "yes")}
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    frame = pd.DataFrame(rows, columns=list(CELLS)).astype({"colour": object, "size": float})
    expected = rows_of(csv(frame.to_csv(index=False), **options), at_once)
    for source in (rows, iter(rows), (row for row in rows), frame, io.BytesIO(lines), Pipe(lines)):
        assert rows_of(ls.open(source, **options), at_once) == expected


def test_numbers_of_any_type_are_the_same():
    for one in (2, 2.0, "2", " 2 ", np.float64(2), np.int32(2), np.float32(2)):
        assert rows_of(RecordStream([{"a": one, "y": 0}, {"a": 3, "y": 1}]))[0] == (0, {"a": 2})
    gone = RecordStream([{"a": None, "y": 0}, {"a": float("nan"), "y": 1}, {"a": "", "y": 1}, {"a": 1, "y": 1}])
    assert [row for _, row in rows_of(gone)] == [{}, {}, {}, {"a": 1}]
    truth = RecordStream([{"a": True, "y": 0}, {"a": np.bool_(False), "y": 1}])
    assert [row for _, row in rows_of(truth)] == [{"a": 1}, {}]


BAD = {
    "another key": ([{"a": 1, "y": 0}, {"a": 1, "yy": 0}], "row 1: expected a value of 'y', got none; say None"),
    "one more key": (
        [{"a": 1, "y": 0}, {"a": 1, "y": 0, "aa": 1}], "row 1: expected the columns of the first row, got 'aa'"),
    "no dict": ([{"a": 1, "y": 0}, 7], "row 1: expected a dict, got 7"),
    "another type": (
        [{"a": 1, "y": 0}, {"a": [1], "y": 0}], r"row 1: column 'a': expected a number.*got \[1\].*ignore="),
    "a large number": ([{"a": 10**200, "y": 0}], "row 0: column 'a': expected a number of at most 1e100"),
    "a number beyond print": ([{"a": 10**9999, "y": 0}], "row 0: column 'a': expected a finite number"),
    "no label": ([{"a": 1, "y": None}], "row 0: column 'y': expected a label, got None"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_row_that_is_wrong_is_named(case):
    rows, said = BAD[case]
    with pytest.raises((InvalidData, InvalidLabel), match=f"list: {said}"):
        list(RecordStream(rows, numeric="a", labels=(0, 1)).blocks())
    skipping = RecordStream([{"a": 5, "y": 1}, *rows], numeric="a", labels=(0, 1), on_error="skip")
    assert rows_of(skipping)[0] == (1, {"a": 5})
    assert skipping.skipped == 1


def test_rows_that_are_none_at_all():
    with pytest.raises(InvalidData, match="list: row 0: expected a dict from names of columns to values, got 'text'"):
        list(ls.open(["text"]).blocks())
    with pytest.raises(InvalidData, match="list: expected rows, got none"):
        list(ls.open([]).blocks())
    assert rows_of(ls.open([], numeric="a", unlabelled=True)) == []
    once = ls.open(iter([{"a": 1, "y": 0}, {"a": 2, "y": 1}]))
    assert len(rows_of(once)) == 2
    with pytest.raises(InvalidData, match="only once"):
        list(once.blocks())


def test_a_column_that_is_left_out_may_hold_anything():
    assert rows_of(RecordStream([{"a": 1, "z": [1], "y": 0}, {"a": 2, "z": {}, "y": 1}], ignore="z"))[0] == (
        0,
        {"a": 1},
    )


def test_json_lines_are_a_table_where_an_option_of_tables_says_so():
    flat = b'{"t": "win $5", "y": 1}\n\n{"t": null, "y": 0}\n'
    reading = csv("t,y\nwin $5,1\nno,0\n", text="t").read_as()
    stream = ls.open(io.BytesIO(flat), **reading | {"format": "jsonl"})
    assert isinstance(stream, JsonTableStream)
    assert rows_of(stream) == [(1, {"t=win": 1, "t=$": 1, "t=5": 1}), (0, {})]
    assert stream.read_as() == reading | {"format": "jsonl"}
    assert isinstance(ls.open(io.BytesIO(flat)), JsonlStream)
    told = flat.replace(b"win $5", b"win it now")
    assert isinstance(ls.open(io.BytesIO(told), text="t"), JsonlStream)
    for source in (io.BytesIO(told), Pipe(told)):
        table = ls.open(source, "jsonl")
        assert (type(table), table.schema()["t"].kind) == (JsonTableStream, "text")
    named = b'{"label": 1, "features": ["t=win"]}\n{"label": 0, "features": []}\n'
    assert rows_of(ls.open(io.BytesIO(named), **reading | {"format": "jsonl", "label": "label"})) == [
        (1, {"t=win": 1}), (0, {})]  # fmt: skip
    for line, said in [
        (b'{"t": 1}', ":2: expected a value of 'y', got none"),
        (b'{"t": 1, "y', ":2: expected a JSON object"),
        (b"null", ":2: expected a dict, got None"),
        (b"\xff", ":2: expected text in UTF-8"),
    ]:
        data = b'{"t": "a b c", "y": 1}\n' + line + b'\n{"t": "d", "y": 0}\n'
        with pytest.raises(InvalidData, match=said):
            list(JsonTableStream(io.BytesIO(data), label="y").blocks())
        skipping = JsonTableStream(io.BytesIO(data), label="y", on_error="skip")
        assert len(rows_of(skipping)) == 2
        assert (skipping.skipped, len(skipping.complaints)) == (1, 1)
