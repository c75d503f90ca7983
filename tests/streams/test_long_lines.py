"""Long lines, wide tables and many names are read, and refused, in time that grows with their length and no faster."""

import io
import json
from contextlib import suppress
from time import process_time

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.streams.base import open as open_stream

MANY = 40_000
NAMES = [f"name{i}" for i in range(MANY)]
SECONDS = 3.0  # of the processor; what took MANY * MANY steps took 10 and more


@pytest.fixture(autouse=True)
def _soon():
    list(open_stream(io.BytesIO(b"1 | a\n-1 | b\n")).blocks())  # what is compiled or imported is not counted
    ls.Winnow(theta=2).learn_one({"a"}, 1)
    started = process_time()
    yield
    assert process_time() - started < SECONDS


def read(data, format=None, **options):  # noqa: A002
    return list(open_stream(io.BytesIO(data), format, **options).blocks())


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_name_twice_in_one_example(kind):
    learner = ls.Winnow(theta=2)
    for call in (lambda x: learner.learn_one(x, 1), learner.predict_one):
        with pytest.raises(InvalidData, match="at most once, got 'name39999' twice"):
            call(kind([*NAMES, NAMES[-1]]))
    with pytest.raises(InvalidData) as told:
        learner.learn_one(kind([*NAMES, []]), 1)
    assert len(str(told.value)) < 200


def test_a_name_twice_when_a_learner_begins():
    with pytest.raises(InvalidData, match="each name once, got 'name39999' twice"):
        ls.Winnow().begin(MANY + 1, names=[*NAMES, NAMES[-1]])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"label": 1, "features": [*NAMES, NAMES[-1]]}, "'name39999' twice"),
        ({"label": 1, "features": [*range(MANY), "39999"]}, "'39999' twice"),
        ({"label": 1, **dict.fromkeys(NAMES, 1), "a=b": 1, "a": "b"}, "'a=b' twice"),
        ({"label": 1, "features": ["a" * MANY, "a" * MANY]}, r"'a{50,60}\.\.\. twice"),
    ],
)  # fmt: skip
def test_a_name_twice_in_a_line_of_json(line, told):
    with pytest.raises(InvalidData, match=f":1: expected each attribute once, got {told}"):
        read(json.dumps(line).encode(), "jsonl")


def test_a_key_twice_in_a_line_of_json():
    keys = ",".join(f'"{name}":1' for name in [*NAMES, NAMES[-1]])
    with pytest.raises(InvalidData, match="the key 'name39999' comes twice"):
        read(f'{{"label":1,{keys}}}\n'.encode(), "jsonl")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (", ".join(map(str, [*range(1, MANY), MANY - 1])) + ":", "each id once, got 39999 twice"),
        (", ".join(f"{i}(2)" for i in [*range(1, MANY), MANY - 1]) + ":", "each id once, got 39999 twice"),
        ("1" + " " * MANY + "x:", "an id or id"),
        ("1, 2(" + " " * MANY + ":", "an id or id"),
        ("1, 2(" + "1" * MANY + "x):", "a strength"),
        ("1, 2(" + " " * MANY + "x" + " " * MANY + "):", "a number of at most 1e100, got 'x'"),
    ],
)  # fmt: skip
def test_a_long_line_of_snow(line, told):
    with pytest.raises(InvalidData, match=f":1: expected .*{told}"):
        read(line.encode() + b"\n", "snow")


@pytest.mark.parametrize("line", ["1" + " " * MANY + "x", "1 , " * 1000 + "x", "1 (2) , " * 1000 + "x"])
def test_a_first_line_that_is_nearly_snow(line):
    with suppress(InvalidData):  # it is no file of examples, or a header and no more
        read(line.encode() + b"\n")


def test_a_first_line_of_snow_with_blanks():
    (block,) = read(b" 1 , 7 ( 1.5 ) ,5 : \n0,5:\n")
    assert (block.indices.tolist(), block.values.tolist()) == ([5, 7, 5], [1.0, 1.5, 1.0])


def test_a_column_twice_in_a_header():
    header = ",".join([*NAMES, NAMES[-1], "label"])
    with pytest.raises(InvalidData, match="each column name once, got 'name39999' twice"):
        read(f"{header}\n{'1,' * (MANY + 1)}1\n".encode(), "csv")


def test_a_column_twice_in_a_frame():
    frame = pytest.importorskip("pandas").DataFrame(np.ones((1, MANY + 1)), columns=[*NAMES, NAMES[-1]])
    with pytest.raises(InvalidData, match="each column name once, got 'name39999' twice"):
        ls.Winnow().learn(frame, [1])


def test_a_header_of_equals_signs():
    (block,) = read(("=" * MANY + ",b,label\n1,x,1\n2,y,0\n").encode(), "csv")
    assert block.names[0] == "=" * MANY
    with pytest.raises(InvalidData, match=r"column 'b=+\.\.\. has the name of a value of column 'b'"):
        read(("b" + "=" * MANY + ",b,label\n1,x,1\n2,y,0\n").encode(), "csv")


def test_a_wide_table_that_is_read_as_one_before():
    names = NAMES[: MANY // 4]
    table = f"{','.join(names)},label\n{'1,' * len(names)}1\n{'2,' * len(names)}0\n".encode()
    (block,) = read(table, "csv", numeric=names)
    assert len(block.indices) == 2 * len(names)


def test_many_labels():
    labels = tuple(f"c{i}" for i in range(MANY // 4))
    lines = "".join(f'{{"label":"{label}","a":1}}\n' for label in labels).encode()
    blocks = read(lines, "jsonl")
    assert sum(map(len, blocks)) == len(labels) == len(blocks[-1].labels)
    with pytest.raises(InvalidLabel, match="'c7', ...\\), got 'x'") as told:
        read(b'{"label":"x","a":1}\n', "jsonl", labels=labels)
    assert len(str(told.value)) < 200


def test_many_labels_in_memory():
    labels = [f"c{i}" for i in range(MANY // 4)]
    rows = np.ones((len(labels), 1))
    stream = ls.from_arrays(rows, labels[::-1], labels=tuple(labels))
    assert stream.block.outcomes.tolist() == list(range(len(labels)))[::-1]
    with pytest.raises(InvalidLabel, match="row 0: expected one of .*\\.\\.\\., got .*'x'") as told:
        ls.from_arrays(rows[:1], ["x"], labels=tuple(labels))
    assert len(str(told.value)) < 200
    with pytest.raises(InvalidLabel, match="each class once, got 'c0' twice"):
        ls.WinnerTakesAll().begin(labels=[*labels, "c0"])
