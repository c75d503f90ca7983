"""JSON lines, SNoW's format, formats told from names and first lines, conversions, mutated files, real files."""

import gzip
import io
import random
import shutil

import numpy as np
import pandas as pd
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, LittlestoneError
from littlestone.streams import CsvStream, FrameStream, JsonlStream, ParquetStream, SnowStream, convert
from littlestone.streams.base import format_of
from littlestone.streams.base import open as open_stream
from littlestone.streams.sources.opened import Source
from tests.streams.test_tables import Pipe, rows_of


def jsonl(data, **options):
    return JsonlStream(io.BytesIO(data.encode()), **options)


def snow(data, **options):
    return SnowStream(io.BytesIO(data.encode()), **options)


GOOD_JSON = {
    '{"label": 1, "features": ["a", "b"]}': (1, {"a": 1, "b": 1}),
    '{"label": 1, "features": ["a", 3]}': (1, {"a": 1, "3": 1}),
    '{"features": {"a": 1.5, "b": 0, "c": true, "d": null}, "class": 1}': (1, {"a": 1.5, "c": 1}),
    '{"y": 1, "length": 2, "sender": " mum", "open": false}': (1, {"length": 2, "sender=mum": 1}),
    '{"label": 1, "features": []}': (1, {}),
    '{"label": "1", "features": {"a": "x"}}': (1, {"a=x": 1}),
    ' {"label": true, "features": ["\\u00e9\\ud83d\\ude00"]}\r': (1, {"\u00e9\U0001f600": 1}),
}


@pytest.mark.parametrize("line", GOOD_JSON)
def test_a_line_of_json_that_is_good(line):
    for stream in (jsonl(f"\ufeff\n{line}\n\n"), JsonlStream(Pipe(line.encode()))):
        assert rows_of(stream) == [GOOD_JSON[line]]


BAD_JSON = {
    "{": "expected a JSON object, got '{'",
    "3": "expected a JSON object, got '3'",
    '["a"]': "expected an object with a label.*got a list",
    '{"features": ["a"]}': "expected a label, a text or a number, got none of label, class, target, y",
    '{"label": null, "features": ["a"]}': "expected a label, a text or a number, got None under 'label'",
    '{"label": [1], "a": 1}': "expected a label",
    '{"label": 1e999, "a": 1}': "expected a label.*got inf",
    '{"label": 1, "features": ["a", "a"]}': "expected each attribute once, got 'a' twice",
    '{"label": 1, "a": 1, "a": 2}': "the key 'a' comes twice",
    '{"label": 1, "features": [["a"]]}': "expected names of attributes in the list, got \\['a'\\]",
    '{"label": 1, "a": {"b": 1}}': "attribute 'a': expected a number, a text.* got {'b': 1}",
    '{"label": 1, "a": NaN}': "NaN is no JSON number",
    '{"label": 1, "a": 1e999}': "attribute 'a': expected a finite number of at most 1e100, got inf",
    '{"label": 1, "a": 1' + "0" * 400 + "}": "attribute 'a': expected a finite number",
    '{"label": 1, "a": 1' + "0" * 5000 + "}": "expected a JSON object",
    '{"label": 1, "features": ["a"], "weight": -1}': "expected a weight from 0 to 1e100, got -1",
    '{"label": 1, "features": ["\\ud800"]}': "surrogates not allowed",
    '{"label": "1\\u0000", "a": 1}': "a zero byte",
    "[" * 100000: "nested too deep|expected a JSON object",
    '{"label": 1, "a": "b", "a=b": 2}': "expected each attribute once, got 'a=b' twice",
}


@pytest.mark.parametrize("line", BAD_JSON, ids=range(len(BAD_JSON)))
def test_a_line_of_json_that_is_bad(line):
    data = f'{{"label": 0, "b": 1}}\n{line}\n{{"label": 1, "b": 1}}\n'
    with pytest.raises(InvalidData, match=f":2: .*({BAD_JSON[line]})"):
        list(jsonl(data).blocks())
    stream = jsonl(data, on_error="skip")
    assert rows_of(stream) == [(0, {"b": 1}), (1, {"b": 1})]
    assert stream.skipped == 1


def test_options_of_json_lines():
    data = '{"text": "Free FREE win", "who": "x", "w": 2, "id": 7, "kind": "spam"}\n'
    stream = jsonl(data, label="kind", text="text", ignore=["who"], weight="w", tag="id", labels=("ham", "spam"))
    [block] = stream.blocks()
    assert (block.names, block.weights.tolist(), block.tags) == (("text=free", "text=win"), [2.0], ("7",))
    assert rows_of(jsonl('["a"]\n{"a": 2}\n', unlabelled=True)) == [(None, {"a": 1}), (None, {"a": 2})]
    with pytest.raises(InvalidLabel, match=r":1: expected a label of \(0, 1\), got 'spam'"):
        list(jsonl(data, label="kind", labels=(0, 1)).blocks())


def test_snow_examples():
    stream = snow("7(1.5), 5, 1:\r\n\n0 , 13(-3.2),5(1):\n1:\n")
    assert (stream.labels, stream.n_attributes, stream.names) == ((0, 1), 14, None)
    assert rows_of(stream) == [(1, {5: 1, 7: 1.5}), (0, {5: 1, 13: -3.2}), (1, {})]
    assert rows_of(snow("3, 5:\n5:\n", targets=[3])) == [(1, {5: 1}), (0, {5: 1})]
    assert rows_of(snow("30, 5:\n20:\n10:\n", targets=(10, 20, 30))) == [(30, {5: 1}), (20, {}), (10, {})]
    assert rows_of(snow("5:\n1, 5:\n", unlabelled=True)) == [(None, {5: 1})] * 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1, 5", "expected ids with commas between them and a colon at the end, got '1, 5'"),
        ("1, x:", r"expected an id or id\(strength\), got 'x'"),
        ("1, 5 6:", "expected an id"),
        ("1,,5:", "expected an id"),
        ("1, -5:", "expected an id"),
        ("1, 5(x):", "expected a strength"),
        ("1, 5(1e200):", "expected a strength"),
        ("1, 5(nan):", "expected a strength"),
        ("1, 5, 5:", "expected each id once, got 5 twice"),
        ("1, 99999999999:", "expected an id of at most"),
        ("5:", "expected exactly one target"),
        ("0, 1, 5:", "expected exactly one target"),
    ],
)
def test_snow_examples_that_are_bad(line, message):
    with pytest.raises(InvalidData, match=f":2: {message}"):
        list(snow(f"1, 5:\n{line}\n").blocks())
    stream = snow(f"1, 5:\n{line}\n", on_error="skip")
    assert rows_of(stream) == [(1, {5: 1})]
    assert stream.skipped == 1


FIRST_LINES = {
    '{"label": 1}': "jsonl",
    "1, 5(2), 7:": "snow",
    "13:": "snow",
    "+1 1:0.5 7:1 # comment": "svmlight",
    "# a comment\n\n-1 qid:3 1:1": "svmlight",
    "1": "svmlight",
    "1 |a b c:2": "vw",
    "-1 2.0 'tag|ns b": "vw",
    "| a b": "vw",
    "a,b,y": "csv",
    "a;b": "csv",
    "a\tb, c\ty": "tsv",
    "PAR1xyz": "parquet",
}


@pytest.mark.parametrize("line", FIRST_LINES)
def test_the_format_is_told_by_the_first_line(line):
    for source in (Source(io.BytesIO(f"\ufeff{line}\n".encode())), Source(Pipe(f"{line}\n2".encode()))):
        if line == "PAR1xyz" and source.again:
            continue
        assert format_of(source) == FIRST_LINES[line]
        assert source.open().read().decode().removeprefix("\ufeff").startswith(line)


def test_the_format_is_told_by_the_suffix(tmp_path):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a,y\n1,0\n2,1\n"))
    assert isinstance(open_stream(tmp_path / "x.csv.gz"), CsvStream)
    assert isinstance(open_stream(str(tmp_path / "x.csv.gz"), format="csv"), CsvStream)
    frame = pd.DataFrame({"a": [1, 2], "y": [0, 1]})
    frame.to_parquet(tmp_path / "x.parquet")
    shutil.copy(tmp_path / "x.parquet", tmp_path / "plain")
    for stream in (open_stream(tmp_path / "x.parquet"), open_stream(tmp_path / "plain")):
        assert isinstance(stream, ParquetStream)
        assert rows_of(stream) == [(0, {"a": 1}), (1, {"a": 2})]
    assert isinstance(open_stream(frame), FrameStream)
    for options, message in [
        ({"format": "xls"}, "format must be one of svmlight, vw"),
        ({"colour": 1}, "CsvStream has no option 'colour'; it takes delimiter, quote, header, columns, label"),
        ({"lable": "y"}, "CsvStream has no option 'lable'; .*did you mean label"),
    ]:
        with pytest.raises(InvalidParameter, match=message):
            open_stream(tmp_path / "x.csv.gz", **options)
    with pytest.raises(InvalidData, match="expected a file of examples, got b'hello.*say format="):
        open_stream(io.BytesIO(b"hello world\n"))
    with pytest.raises(InvalidData, match="an empty file"):
        open_stream(io.BytesIO(b""))


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_a_conversion_leaves_a_whole_file(tmp_path, suffix):
    source, target = tmp_path / "x.csv", tmp_path / f"x.jsonl{suffix}"
    source.write_text("a,b,y\nq,1.5,no\nr,2,yes\n")
    assert convert(source, target) == 2
    assert rows_of(open_stream(target)) == rows_of(CsvStream(source)) == [
        ("no", {"a=q": 1, "b": 1.5}), ("yes", {"a=r": 1, "b": 2})]  # fmt: skip
    before = target.read_bytes()
    convert(source, target)
    assert target.read_bytes() == before
    source.write_text("a,b,y\nq,1.5,no\nr,2\n")
    with pytest.raises(InvalidData, match=":3: expected 3 cells"):
        convert(source, target)
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["x.csv", target.name])


def test_conversions_that_cannot_be(tmp_path):
    with pytest.raises(
        InvalidParameter, match=r"expected a format that can be written \(jsonl, svmlight, vw\), got 'csv'"
    ):
        convert(io.BytesIO(b"a,y\n1,0\n"), tmp_path / "x.csv")
    with pytest.raises(InvalidData, match="it cannot be written"):
        convert(io.BytesIO(b"a,y\n1,0\n"), tmp_path / "nowhere" / "x.jsonl")
    with pytest.raises(InvalidParameter, match="expected a path or a file"):
        convert(io.BytesIO(b"a,y\n1,0\n"), 3, to="jsonl")


SEEDS = {
    CsvStream: b'a,b,t,y\nred,1.5,"Free, entry",0\n?,-2e3,"say ""no""",1\nblue,NA,x,1\n',
    JsonlStream: b'{"label": 1, "features": ["a", "b"]}\n{"label": 0, "features": {"a": 1.5}}\n{"y": 1, "c": "x"}\n',
    SnowStream: b"1, 7(1.5), 5:\n0, 13(-3.2), 5:\n1:\n",
}
SPICE = [b'"', b",", b"\n", b"\r", b"\0", b"\xff", b"\xf0\x9f\x98\x80", b"1e999", b"nan", b"-", b"{", b"[", b":", b"(",
         b"\\ud800", b"_", b"\t", b"9" * 30, b"=", b" ", b"null", b"\xef\xbb\xbf", b"#", b"|"]  # fmt: skip


def mutated(data, chance):
    """Return the bytes with some cut out, doubled, changed or added."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(found) + 1)
        to = min(len(found), at + chance.randint(0, 8))
        piece = chance.choice([b"", bytes(found[at:to]) * 2, chance.choice(SPICE), chance.randbytes(2)])
        found[at:to] = piece
    return bytes(found)


def told(stream):
    """Return all blocks of a stream, or what it says against them."""
    try:
        return list(stream.blocks(2))
    except LittlestoneError as error:
        return str(error)


@pytest.mark.parametrize("make", SEEDS)
@pytest.mark.parametrize("count", [1500, pytest.param(70000, marks=pytest.mark.slow)])
def test_mutated_files_are_read_or_refused(make, count):
    """Never a crash: accepted, or refused by the name of the file; and what is refused can be skipped."""
    chance = random.Random(count)
    accepted = refused = 0
    for _ in range(count):
        data = mutated(SEEDS[make], chance)
        file = chance.choice([io.BytesIO, Pipe])
        found = told(make(file(data)))
        if isinstance(found, str):
            assert found.startswith(f"<{file.__name__}>:")
            refused += 1
            continue
        for block in found:
            first, last = block.indptr[0], block.indptr[-1]
            values = None if block.values is None else block.values[first:last]
            again = ls.Block(block.indptr - first, block.indices[first:last], values, n_attributes=block.n_attributes)
            assert np.array_equal(again.indices, block.indices[first:last])
            assert set(block.outcomes.tolist()) <= set(range(len(block.labels)))
        accepted += 1
        skipping = make(file(data), on_error="skip")
        assert len(told(skipping)) == len(found)
        assert skipping.skipped == 0
    assert accepted > count // 100 < refused


@pytest.mark.parametrize("make", SEEDS)
def test_of_mutated_files_the_good_rows_can_be_had(make):
    chance = random.Random(0)
    options = {} if make is SnowStream else {"labels": (0, 1)}
    for _ in range(1500):
        data = mutated(SEEDS[make].replace(b"\n", b"\n\n"), chance)
        stream = make(io.BytesIO(data), on_error="skip", **options)
        found = told(stream)
        if isinstance(found, str):  # the header is wrong
            assert make is CsvStream
        else:
            assert bool(stream.skipped) == isinstance(told(make(io.BytesIO(data), **options)), str)


def test_raw_mushrooms_have_as_many_attributes_a_row_and_are_learned_as_well(data_folder, real_set):
    stream = CsvStream(data_folder / "mushroom_raw.csv.gz", missing=())
    rows = rows_of(stream)
    assert (len(rows), stream.labels) == (8124, ("e", "p"))
    X, _ = real_set("mushroom_train")
    assert {len(row) for _, row in rows} == {22} == set(np.diff(X.indptr).tolist())
    run = ls.play(ls.Perceptron(), stream, trials=6513)
    assert run.mistakes < 90


def test_raw_files_are_learned_well(data_folder):
    """Progressive mistakes of the Perceptron on raw files, beside those on the prepared ones (205 and 4786)."""
    messages = open_stream(data_folder / "sms_spam.tsv.gz", header=["label", "text"], text="text")
    assert (messages.labels, ls.play(ls.Perceptron(), messages).trials) == (("ham", "spam"), 5574)
    assert ls.play(ls.Perceptron(), messages).mistakes < 205
    phrases = open_stream(data_folder / "ppattach_train.csv.gz")
    run = ls.play(ls.Perceptron(), phrases)
    assert (run.trials, phrases.labels) == (20801, ("N", "V"))
    assert run.mistakes < 5000


@pytest.mark.parametrize("bad", ["1,2", "x,2,1", "1,2,maybe", '1,"2'])
def test_a_csv_file_is_closed_when_a_row_is_refused(tmp_path, monkeypatch, bad):
    """Also while somebody keeps the error, and with it the frames that were reading."""
    rows = "".join(f"{i},x{i % 7},{i % 2}\n" for i in range(5000))
    path = tmp_path / "data.csv"
    path.write_text(f"a,b,y\n{rows}{bad}\n{rows}")
    files, plain_open = [], Source.open

    def recorded(source):
        files.append(plain_open(source))
        return files[-1]

    monkeypatch.setattr(Source, "open", recorded)
    stream = ls.open(path, numeric="a", labels=(0, 1))
    with pytest.raises(ls.LittlestoneError) as kept:
        list(stream.blocks(100))
    assert kept.tb is not None and files and all(file.closed for file in files)
