"""CSV, Parquet, frames and JSON lines: the same data are the same stream; bad data are refused where they stand."""

import io
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.streams import CsvStream, FrameStream, JsonlStream, ParquetStream, write_jsonl


def rows_of(stream, rows=8192):
    """Return every example of a stream: its label, and its attributes by name."""
    found = []
    for block in stream.blocks(rows):
        names = block.names if block.names is not None else range(block.width)
        for r in range(len(block)):
            indices, values = block.row(r)
            label = None if block.outcomes is None else block.labels[block.outcomes[r]]
            numbers = np.ones(len(indices)) if values is None else values
            found.append((label, {names[i]: v for i, v in zip(indices.tolist(), numbers.tolist(), strict=True)}))
    return found


def csv(data, **options):
    return CsvStream(io.BytesIO(data.encode()), **options)


class Pipe(io.BytesIO):
    """Bytes that can be read only once."""

    def seekable(self):
        return False


def piped(data, make=CsvStream, **options):
    return make(Pipe(data.encode()), **options)


CELLS = {
    "colour": st.sampled_from(["red", "blue", "a,b", 'say "no"', "two\nlines", None]),
    "size": st.one_of(st.none(), st.floats(-1e6, 1e6).map(lambda x: x + 0.0)),
    "count": st.integers(-9, 9),
    "open": st.booleans(),
    "class": st.sampled_from(["yes", "no"]),
}
FRAMES = st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=12).map(
    lambda rows: pd.DataFrame(
        {name: [row[name] for row in rows] for name in CELLS}).astype({"size": float, "colour": object}
    )
)  # fmt: skip


@given(FRAMES, st.integers(1, 13))
def test_one_table_is_one_stream_in_every_form(frame, rows):
    # A column of all-missing text would be a column of numbers in CSV, which has no types.
    options = {"categorical": ["colour"], "labels": ("no", "yes")}
    text = frame.to_csv(index=False)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    arrow = arrow.set_column(0, "colour", arrow["colour"].cast("string"))
    file = io.BytesIO()
    pq.write_table(arrow, file)
    streams = [
        csv(text, **options),
        piped(text, **options),
        FrameStream(frame, **options),
        FrameStream(pl.from_arrow(arrow), **options),
        FrameStream(arrow, **options),
        ParquetStream(file, **options),
    ]
    expected = rows_of(streams[0])
    assert [label for label, _ in expected] == frame["class"].tolist()
    for stream in streams[2:]:
        assert stream.names == streams[0].names
    for stream in streams[1:]:
        assert rows_of(stream, rows) == expected
    written = io.BytesIO()
    assert write_jsonl(FrameStream(frame, **options), written) == len(frame)
    assert rows_of(JsonlStream(io.BytesIO(written.getvalue()), labels=("no", "yes")), rows) == expected


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_columns_do_not_depend_on_the_size_of_blocks(rows):
    text = "a,b,y\nx,1,0\ny,2,1\n?,0,0\nx,,1\nz,3,1\n"
    for stream in (csv(text), piped(text)):
        names = ("b", "a=x", "a=y", "a=z")
        assert stream.names in {names, None}
        blocks = list(stream.blocks(rows))
        assert blocks[-1].names == names
        assert [block.start for block in blocks] == list(range(0, 5, rows))
        indices = np.concatenate([block.indices[block.indptr[0] : block.indptr[-1]] for block in blocks])
        assert indices.tolist() == [0, 1, 0, 2, 1, 0, 3]


GOOD = {
    "a byte order mark, CRLF and no last line end": ("\ufeffa,y\r\n1,0\r\n2,1", {}, [(0, {"a": 1}), (1, {"a": 2})]),
    "quotes, commas and line ends in a cell": (
        'a,y\n"x, ""y""\n z",0\nw,1\n', {}, [(0, {'a=x, "y"\n z': 1}), (1, {"a=w": 1})]),
    "semicolons": ("a;y\n1;0\n2;1\n", {}, [(0, {"a": 1}), (1, {"a": 2})]),
    "spaces around cells": ("a , y\n x, 0\nx ,1\n", {}, [(0, {"a=x": 1}), (1, {"a=x": 1})]),
    "empty lines": ("a,y\n\n1,0\n\n\n2,1\n\n", {}, [(0, {"a": 1}), (1, {"a": 2})]),
    "missing values": ("a,b,y\n?,NA,0\n,nan,1\n3,q,1\n", {}, [(0, {}), (1, {}), (1, {"a": 3, "b=q": 1})]),
    "what is missing can be said": (
        "a,y\n?,0\n-,1\n", {"missing": ["-"]}, [(0, {"a=?": 1}), (1, {})]),
    "zeros are absent": ("a,b,y\n0,1,0\n0.0,2,1\n", {}, [(0, {"b": 1}), (1, {"b": 2})]),
    "truth": ("a,y\nTrue,0\nFALSE,1\n,1\n", {}, [(0, {"a": 1}), (1, {}), (1, {})]),
    "the label by its name": ("y,a\n0,5\n1,6\n", {}, [(0, {"a": 5}), (1, {"a": 6})]),
    "the label by its place": ("a,b\n5,0\n6,1\n", {}, [(0, {"a": 5}), (1, {"a": 6})]),
    "the label as it is told": ("a,b\n0,5\n1,6\n", {"label": "a"}, [(0, {"b": 5}), (1, {"b": 6})]),
    "labels with signs": ("a,y\n1,-1\n2,+1\n", {}, [(-1, {"a": 1}), (1, {"a": 2})]),
    "labels of truth": ("a,y\n1,true\n2,False\n", {}, [(True, {"a": 1}), (False, {"a": 2})]),
    "labels told as numbers": ("a,y\n1,1.0\n2,0\n", {"labels": (1, 0)}, [(1, {"a": 1}), (0, {"a": 2})]),
    "three labels": ("a,y\n1,c\n2,a\n3,b\n", {}, [("c", {"a": 1}), ("a", {"a": 2}), ("b", {"a": 3})]),
    "no labels": ("a,b\n5,0\n6,1\n", {"unlabelled": True}, [(None, {"a": 5}), (None, {"a": 6, "b": 1})]),
    "labels that are not wanted": ("a,y\n5,q\n6,\n", {"unlabelled": True}, [(None, {"a": 5}), (None, {"a": 6})]),
    "bags of words": (
        "t,y\nFree entry FREE,1\ndon't,0\n,0\n", {"text": "t"},
        [(1, {"t=free": 1, "t=entry": 1}), (0, {"t=don't": 1}), (0, {})]),
    "columns left out": ("a,b,y\nq,5,0\nr,6,1\n", {"ignore": "a"}, [(0, {"b": 5}), (1, {"b": 6})]),
    "numbers as categories": ("a,y\n1,0\n2,1\n", {"categorical": ["a"]}, [(0, {"a=1": 1}), (1, {"a=2": 1})]),
    "no header": ("q,5,0\nr,6,1\n", {"header": False}, [(0, {"1=q": 1, "2": 5}), (1, {"1=r": 1, "2": 6})]),
    "names for the columns": (
        "0,q\n1,r\n", {"header": ["label", "t"], "text": "t"}, [(0, {"t=q": 1}), (1, {"t=r": 1})]),
}  # fmt: skip


@pytest.mark.parametrize("case", GOOD)
def test_a_table_that_is_good(case):
    text, options, expected = GOOD[case]
    for stream in (csv(text, **options), piped(text, **options)):
        for rows in (1, 100) if stream.again else (100,):
            assert rows_of(stream, rows) == expected


CELL = st.sampled_from(
    ["a", "b", "", " ", '"q"', '"x,y"', '"p\nq"', '"r\r\ns"', "1", "\u00e9", '"un', 'm"id', "\r", "\0"]
)
LINE = st.lists(CELL, min_size=1, max_size=3).map(",".join)


@given(st.lists(LINE, max_size=9), st.sampled_from(["\n", "\r\n"]), st.integers(1, 40), st.integers(1, 5))
def test_rows_do_not_depend_on_where_blocks_of_bytes_end(lines, end, size, rows):
    data = end.join(["u,v,y", *lines, "a,b,1", ""])
    options = {"on_error": "skip", "labels": ("1", "a"), "categorical": ["u", "v"], "missing": ["-"]}
    whole = csv(data, **options)
    expected, said = rows_of(whole), refusal(csv(data, **options | {"on_error": "raise"}))
    assert (said is None) == (whole.skipped == 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("littlestone.streams.formats.csv_rows.BLOCK", size)
        pieces = csv(data, **options)
        assert rows_of(pieces, rows) == expected
        assert pieces.skipped == whole.skipped
        assert refusal(csv(data, **options | {"on_error": "raise"}), rows) == said


def refusal(stream, rows=8192):
    try:
        list(stream.blocks(rows))
    except (InvalidData, InvalidLabel) as error:
        return str(error)


@given(st.lists(st.lists(st.sampled_from(["a", "b c", "\u00e9", ""]), min_size=2, max_size=2), min_size=1, max_size=9))
def test_quotes_that_are_not_needed_change_nothing(table):
    plain = "".join(f"{u},{v},{at % 2}\n" for at, (u, v) in enumerate(table))
    quoted = "".join(f'"{u}","{v}","{at % 2}"\n' for at, (u, v) in enumerate(table))
    assert rows_of(csv("u,v,y\n" + plain)) == rows_of(csv("u,v,y\n" + quoted))


def test_a_tab_separated_file_has_no_quotes(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text('t\ty\n"so, he said\t0\nit\'s "it"\t1\n')
    expected = [(0, {"t=so": 1, "t=he": 1, "t=said": 1}), (1, {"t=it's": 1, "t=it": 1})]
    assert rows_of(CsvStream(path, text="t")) == expected
    assert rows_of(ls.streams.open(path, text="t")) == expected


BAD = {
    "too few cells": ("a,b,y\n1,2,0\n1,1\n", {}, ":3: expected 3 cells, as the header has, got 2"),
    "too many cells": ("a,y\n1,0,1\n", {}, ":2: expected 2 cells"),
    "a line after a cell of two lines": ('a,y\n"p\nq",0\nr\n', {}, ":4: expected 2 cells"),
    "a quote left open": ('a,y\n1,0\n"x,1\n2,3\n', {}, ":3: expected a row of CSV.*unexpected end of data"),
    "a quote in the middle": ('a,y\n"x"y,1\n', {}, ":2: expected a row of CSV.*double the quotes"),
    "a carriage return alone": ("a,y\n1\r2,0\n", {}, ":2: expected a row of CSV.*carriage return"),
    "infinity": ("a,y\n1,0\ninf,1\n", {}, ":3: column 'a': expected a finite number, got 'inf'"),
    "too large": ("a,y\n1,0\n1e101,1\n", {}, ":3: column 'a': expected a number of at most 1e100"),
    "no number": ("a,y\n1,0\nx,1\n", {"numeric": ["a"]}, ":3: column 'a': expected a number, got 'x'; correct"),
    "an underscore": ("a,y\n1_0,0\n", {"numeric": ["a"]}, ":2: column 'a': expected a number, got '1_0'"),
    "no label": ("a,y\n1,0\n2,\n", {}, ":3: column 'y': expected a label, got ''.*unlabelled=True"),
    "another label": ("a,y\n1,0\n2,7\n", {"labels": (0, 1)}, r":3: column 'y': expected a label of \(0, 1\), got '7'"),
    "a weight below 0": ("a,w,y\n1,-1,0\n", {"weight": "w"}, ":2: column 'w': expected a weight >= 0, got '-1'"),
    "a name twice": ("a,a,y\n1,2,0\n", {}, "expected each column name once, got 'a' twice"),
    "a name like a value": ("a,a=b,y\nb,2,0\n", {}, "'a=b' has the name of a value of column 'a'"),
    "a zero byte": ("a,y\n1,0\nx\0,1\n", {}, ":3: expected text in UTF-8"),
    "nothing": ("", {}, "expected a header and rows, got an empty file"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_table_that_is_bad_is_refused_where_it_is(case):
    text, options, message = BAD[case]
    for stream in (csv(text, **options), piped(text, **options)):
        with pytest.raises((InvalidData, InvalidLabel), match=message):
            list(stream.blocks())


@pytest.mark.parametrize("case", [case for case, (_, _, message) in BAD.items() if message.startswith(":")])
def test_what_is_skipped_is_counted(case):
    text, options, message = BAD[case]
    good = rows_of(csv("\n".join(text.split("\n")[:1]) + "\n" + GOOD_ROW[text.split("\n")[0]], **options))
    stream = csv(text + GOOD_ROW[text.split("\n")[0]], on_error="skip", **options)
    if case in {"a quote left open", "a line after a cell of two lines"}:
        assert len(rows_of(stream)) + stream.skipped in {2, 3}
        return
    assert rows_of(stream)[-1] == good[0]
    assert (stream.skipped, len(stream.complaints)) == (1, 1)
    assert re.search(message, stream.complaints[0])


GOOD_ROW = {"a,b,y": "7,8,1\n", "a,y": "7,1\n", "a,w,y": "7,1,1\n"}


def test_kinds_are_decided_by_the_whole_file_or_by_the_first_rows_of_a_pipe():
    later = [f"c{i}" for i in range(9)]
    text = "x,y\n" + "".join(f"{x},{i % 2}\n" for i, x in enumerate([*range(500), *range(500), *later]))
    stream = csv(text)
    assert stream.names[:2] == ("x=0", "x=1")
    assert stream.n_attributes == 509
    with pytest.raises(InvalidData, match=r":1002: column 'x': expected a number \(as in the first 1,000 rows\), "
                                          r"got 'c0'; say categorical=\['x'\]"):  # fmt: skip
        list(piped(text).blocks())
    assert rows_of(piped(text, categorical=["x"])) == rows_of(stream)
    skipping = piped(text, on_error="skip")
    assert len(rows_of(skipping)) == 1000
    assert skipping.skipped == 9


def test_bytes_that_are_not_utf8_are_refused_by_row():
    data = b"a,y\nx,0\n\xff\xfe,1\nz,1\n"
    with pytest.raises(InvalidData, match=":3: expected text in UTF-8"):
        list(CsvStream(io.BytesIO(data)).blocks())
    stream = CsvStream(io.BytesIO(data), on_error="skip")
    assert rows_of(stream) == [(0, {"a=x": 1}), (1, {"a=z": 1})]
    assert stream.skipped == 1
    with pytest.raises(InvalidData, match="got UTF-16"):
        list(CsvStream(io.BytesIO("a,y\n1,0\n".encode("utf-16"))).blocks())


def test_a_pipe_is_read_once_and_grows():
    stream = piped("a,y\np,0\nq,1\nr,1\n")
    assert (stream.names, stream.n_attributes, stream.labels) == (None, None, (0, 1))
    assert [block.names for block in stream.blocks(2)] == [("a=p", "a=q", "a=r")] * 2
    with pytest.raises(InvalidData, match="only once"):
        list(stream.blocks())


def test_weights_and_tags_go_with_their_rows():
    stream = csv("id,w,a,y\nr1,0.5,1,0\nr2,2,3,1\n", weight="w", tag="id")
    one, two = stream.blocks(1)
    assert (one.weights.tolist(), one.tags, two.weights.tolist(), two.tags) == ([0.5], ("r1",), [2.0], ("r2",))
    written = io.BytesIO()
    write_jsonl(stream, written)
    again = next(JsonlStream(io.BytesIO(written.getvalue())).blocks())
    assert (again.weights.tolist(), again.tags) == ([0.5, 2.0], ("r1", "r2"))


def test_options_that_cannot_be_meant():
    for options, message in [
        ({"label": "z"}, "expected a column 'z' of labels, got 'a', 'y'"),
        ({"ignore": ["z"]}, "expected a column 'z', got 'a', 'y'"),
        ({"text": "a", "numeric": ["a"]}, "expected one role for each column, got several for 'a'"),
        ({"label": "a", "ignore": "a"}, "expected one role"),
        ({"ignore": "y"}, "labels are taken from column 'y', which has another role"),
        ({"on_error": "ignore"}, "on_error must be 'raise' or 'skip'"),
        ({"delimiter": ",,"}, "delimiter must be one character"),
        ({"labels": (1,)}, "expected a tuple of different labels"),
    ]:
        with pytest.raises((InvalidParameter, InvalidLabel), match=message):
            csv("a,y\n1,0\n", **options).labels  # noqa: B018


def test_a_label_alone_needs_its_other():
    with pytest.raises(InvalidLabel, match="expected two labels, got only 'spam'; say labels="):
        list(csv("a,y\n1,spam\n").blocks())
    assert csv("a,y\n1,spam\n", labels=("ham", "spam")).labels == ("ham", "spam")


def test_columns_of_other_types_are_named():
    frame = pd.DataFrame({"when": pd.to_datetime(["2020-01-01"]), "y": [1]})
    arrow = pa.table({"when": [[1, 2]], "y": [1]})
    for table in (frame, pl.from_pandas(frame), arrow):
        with pytest.raises(InvalidData, match=r"column 'when': expected numbers, Booleans or text.*ignore=\['when'\]"):
            list(FrameStream(table).blocks())
        assert rows_of(FrameStream(table, ignore="when")) == [(1, {})]
    with pytest.raises(InvalidData, match="DataFrame: row 1: column 'a': expected a finite number, got inf"):
        list(FrameStream(pd.DataFrame({"a": [1.0, np.inf], "y": [0, 1]})).blocks())
    with pytest.raises(InvalidLabel, match="row 1: column 'y': expected a label, got nan|got None"):
        list(FrameStream(pd.DataFrame({"a": [1.0, 2.0], "y": [0, np.nan]})).blocks())


def test_a_broken_parquet_file_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + bytes(100))
    with pytest.raises(InvalidData, match=r"x.parquet: expected a Parquet file"):
        ParquetStream(path)
    with pytest.raises(InvalidData, match="expected a Parquet file"):
        ParquetStream(tmp_path / "none.parquet")
    with pytest.raises(InvalidParameter, match="got stdin"):
        ParquetStream("-")
