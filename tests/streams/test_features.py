"""N-grams, and attributes made on the fly through one door: `open` and the command line."""

import io
import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidParameter
from littlestone.streams import CsvStream, JsonlStream
from littlestone.streams.base import open as open_stream
from littlestone.streams.base import options_of
from littlestone.streams.wrappers.hashed import Hashed
from littlestone.streams.wrappers.pairs import Pairs
from tests.naive import hashing as naive
from tests.streams.test_tables import rows_of

TABLE = 'text,n,label\n"good movie",1,yes\n"bad movie",2,no\n"not good, not bad",3,no\n"very good movie",1,yes\n'


@given(st.lists(st.sampled_from(["a", "b", "it's", "4u"]), max_size=6), st.integers(1, 5))
def test_ngrams_are_the_runs_of_words(words, n):
    runs = {"_".join(words[i : i + k]) for k in range(1, n + 1) for i in range(len(words) - k + 1)}
    table = 'text,label\n"' + " ".join(words) + '",1\nother,0\n'
    flat = json.dumps({"text": " ".join(words), "label": 1}) + "\n" + json.dumps({"text": "other", "label": 0}) + "\n"
    for make, data in ((CsvStream, table), (JsonlStream, flat)):
        stream = make(io.BytesIO(data.encode()), text="text", ngrams=n, categorical=()) if make is CsvStream else make(
            io.BytesIO(data.encode()), text="text", ngrams=n)  # fmt: skip
        assert rows_of(stream)[0] == (1, {f"text={run}": 1 for run in runs})


def test_one_door():
    data = TABLE.encode()
    options = {"text": "text", "ngrams": 2, "pairs": ("text", "n"), "hash_bits": 20}
    stream = open_stream(io.BytesIO(data), **options)
    by_hand = Hashed(Pairs(CsvStream(io.BytesIO(data), text="text", ngrams=2), between=("text", "n")), bits=20)
    assert rows_of(stream, 1) == rows_of(by_hand)
    assert stream.read_as() == {
        "format": "csv", "label": "label", "text": ["text"], "numeric": ["n"], "tokens": "words", "ngrams": 2,
        "closed": True, "pairs": ["text", "n"], "absent": True, "hash_bits": 20,
    }  # fmt: skip
    assert set(stream.read_as()) - {"format"} <= set(options_of("csv"))
    again = open_stream(io.BytesIO(b'text,n\n"good movie",1\n'), **stream.read_as(), unlabelled=True)
    assert rows_of(again)[0][1] == rows_of(stream)[0][1]
    plain = open_stream(io.BytesIO(data), pairs=False, hash_bits=None)
    assert isinstance(plain, CsvStream)
    lines = JsonlStream(io.BytesIO(b'{"label": 1, "t": "a b"}\n{"label": 0, "t": "a"}'), text="t", ngrams=2)
    assert lines.read_as() == {"format": "jsonl", "text": ["t"], "tokens": "words", "ngrams": 2}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "text", "ngrams": 0}, "ngrams must be a whole number >= 1"),
        ({"ngrams": 2}, "ngrams=2 needs a column of text, got none"),
        ({"pairs": ("n", "colour")}, "expected a namespace or a column of the stream, got 'colour'"),
        ({"pairs": "n"}, "between must be two namespaces or columns"),
        ({"pairs": ("n", "text"), "absent": 1}, "absent must be"),
        ({"hash_bits": 0}, "bits must be a whole number >= 1 and <= 30"),
        ({"colour": 1}, "has no option 'colour'; it takes .*pairs, absent, hash_bits"),
    ],
)
def test_what_cannot_be_opened(options, message):
    with pytest.raises(InvalidParameter, match=message):
        next(open_stream(io.BytesIO(TABLE.encode()), **options).blocks())


def test_a_small_file_may_lack_a_namespace():
    rows = open_stream(io.BytesIO(b"1 |a x\n0 |a y\n"), pairs=("a", "b"), absent=True)
    assert [row for _, row in rows_of(rows)] == [{"a^x": 1}, {"a^y": 1}]


def called(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_the_command_line(tmp_path):
    table, new, model = tmp_path / "t.csv", tmp_path / "new.csv", tmp_path / "m.npz"
    head, rows = TABLE.split("\n", 1)
    table.write_text(f"{head}\n{rows * 20}")
    new.write_text('text,n\n"very good movie",1\n"bad movie",2\n')
    for words, options in (
        (["--ngrams", 2], {"ngrams": 2}),
        (["--pairs"], {"pairs": True}),
        (["--pairs-between", "text,n"], {"pairs": ("text", "n")}),
        (["--ngrams", 2, "--pairs", "--hash-bits", 12], {"ngrams": 2, "pairs": True, "hash_bits": 12}),
    ):
        found = called("train", table, "--text", "text", *words, "-m", model, "--json")
        assert found.exit_code == 0, found.output
        report = json.loads(found.stdout)
        assert report["attributes"] == open_stream(table, text="text", **options).n_attributes
        assert (report["hashed"] is not None) == ("--hash-bits" in words)
        predicted = called("predict", model, new)  # read as the table was
        assert predicted.stdout.split() == ["yes", "no"]
    said = called("train", table, "--text", "text", "--hash-bits", 2).stderr
    names = ["n", *(f"text={word}" for word in ("good", "movie", "bad", "not", "very"))]
    collisions = len(names) - len({naive.hashed(name) >> 62 for name in names})
    assert f"collisions = {collisions} (of {len(names)} hashed attributes" in said
    grown = called("train", table, "--text", "text", "--ignore", "n", "--grow", "-m", model)
    assert grown.exit_code == 0, grown.output
    assert isinstance(ls.load(model).learner, ls.GrowingWinnow)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hash-bits", 31], "bits must be a whole number >= 1 and <= 30"),
        (["--text", "text", "--ngrams", 0], "ngrams must be a whole number"),
        (["--pairs-between", "n"], "--pairs-between: expected two columns or namespaces"),
        (["--pairs-between", "n,colour"], "expected a namespace or a column of the stream, got 'colour'"),
        (["--grow", "-l", "winnow"], "--grow: expected -l growing-winnow or none"),
    ],
)
def test_wrong_calls(words, message, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    found = called("train", tmp_path / "t.csv", *words)
    assert found.exit_code == 2
    assert message in found.stderr
