"""Hashed attributes: as a twin hashes them, from every reader, in blocks of any size; and their collisions."""

import io
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.engine.text import hashing as engine
from littlestone.streams import CsvStream, JsonlStream, SvmlightStream, VWStream
from littlestone.streams.base import open as open_stream
from littlestone.streams.wrappers.hashed import Hashed, Seen, hashed_column
from tests.naive import hashing as naive
from tests.streams.test_tables import rows_of

NAMES = ["a", "b", "w^sun", "w^r\u00e4in", "7", "07", "123456", "x=1", "\U0001f600", "a-very-long-name-of-an-attribute"]
VALUES = st.one_of(st.just(1.0), st.sampled_from([-1.0, 0.1, 0.2, 0.7, 3.0]))
ROWS = st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8), min_size=1, max_size=8)


class Plain(ls.Stream):
    """A stream that does not hash by itself."""

    def __init__(self, stream):
        self.stream, self.labels = stream, stream.labels

    def blocks(self, rows=8192):
        return self.stream.blocks(rows)


def vw(rows, **options):
    lines = [f"{r % 2} | " + " ".join(f"{name}:{value!r}" for name, value in row.items()) for r, row in enumerate(rows)]
    return VWStream(io.BytesIO("\n".join(lines).encode()), **options)


def jsonl(rows):
    lines = [json.dumps({"label": r % 2, "features": row}) for r, row in enumerate(rows)]
    return JsonlStream(io.BytesIO("\n".join(lines).encode()))


def csv(rows):
    lines = [",".join([*NAMES, "label"])]
    lines += [",".join([*(repr(row.get(name, "")).strip("'") for name in NAMES), str(r % 2)])
              for r, row in enumerate(rows)]  # fmt: skip
    return CsvStream(io.BytesIO("\n".join(lines).encode()), numeric=NAMES)


def shown(stream, rows):
    return [row for _, row in rows_of(stream, rows)]


@given(ROWS, st.integers(1, 12), st.integers(1, 9))
def test_every_reader_hashes_as_the_twin_does(rows, bits, size):
    expected = [naive.folded(row, bits) for row in rows]
    names = {name for row in rows for name in row}
    columns = {column for row in rows for name in row for column in [naive.hashed(name) >> 64 - bits]}
    for stream in (vw(rows, names=True), Plain(vw(rows, names=True)), jsonl(rows), csv(rows)):
        hashed = Hashed(stream, bits=bits)
        assert shown(hashed, size) == expected
        assert (hashed.attributes, hashed.columns) == (len(names), len(columns))
        assert hashed.collisions == len(names) - len(columns)
        assert hashed.n_attributes == 2**bits
        assert {block.n_attributes for block in hashed.blocks()} == {2**bits}


@given(st.lists(st.dictionaries(st.integers(0, 2000), VALUES, min_size=1), min_size=1, max_size=5), st.integers(1, 30))
def test_numbers_are_hashed_as_their_digits(rows, bits):
    lines = [f"{r % 2} " + " ".join(f"{i}:{row[i]!r}" for i in sorted(row)) for r, row in enumerate(rows)]
    svmlight = SvmlightStream(io.BytesIO("\n".join(lines).encode()), zero_based=True)
    expected = [naive.folded(row, bits) for row in rows]
    text = [{str(i): value for i, value in row.items()} for row in rows]
    for stream in (svmlight, vw(text, names=False), Plain(vw(text, names=False)), vw(text, names=True), jsonl(text)):
        assert shown(Hashed(stream, bits=bits), 2) == expected


def test_one_name_is_one_column_however_it_comes():
    for name in (*NAMES, 0, 10, 2**32 - 2):
        assert hashed_column(name, 20) == naive.hashed(name) >> 44
    assert len({hashed_column(str(i), 30) for i in range(3000)}) == 3000


def test_a_name_that_comes_twice_in_vw_text_is_added_up_before():
    data = b"1 | a a\n0 | a:1 a:-1 b\n1 | a\n"
    for stream in (VWStream(io.BytesIO(data)), Plain(VWStream(io.BytesIO(data)))):
        assert [list(row.values()) for row in shown(Hashed(stream, bits=9), 5)] == [[2.0], [1.0], [1.0]]


def test_long_rows_and_many_names():
    rng = np.random.default_rng(0)
    rows = [{f"n{i}": 1.0 for i in rng.integers(0, 20000, 300)} for _ in range(60)]
    hashed = Hashed(vw(rows), bits=14)
    assert shown(hashed, 7) == [naive.folded(row, 14) for row in rows]
    names = {name for row in rows for name in row}
    assert hashed.attributes == len(names) > 10000
    assert hashed.columns == len({naive.hashed(name) >> 50 for name in names})
    again = pickle.loads(pickle.dumps(hashed._seen))
    again.add(np.array([0, 5, 5], dtype=np.uint64))
    assert len(again) == len(names) + 2


@pytest.mark.parametrize("size", [12, 13, 14, 64, 65, 200])
def test_rows_of_any_length_are_in_order(size):
    rng = np.random.default_rng(size)
    rows = [
        {
            f"n{i}": value
            for i, value in zip(rng.permutation(5000)[:size].tolist(), rng.random(size).tolist(), strict=True)
        }
        for _ in range(20)
    ]
    assert shown(Hashed(vw(rows), bits=6), 7) == [naive.folded(row, 6) for row in rows]


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("step", [1, 1 << 20, (1 << 64) // 100])
def test_hashes_that_lie_close_together_are_sorted_too(real, step):
    rng = np.random.default_rng(0)
    hashes = (rng.integers(0, 60, 90).astype(np.uint64) + np.uint64(1)) * np.uint64(step)  # some come more than once
    values, sums = rng.random(90), {}
    for h, value in zip(hashes.tolist(), values.tolist(), strict=True):
        sums[h] = sums.get(h, 0.0) + (value if real else 1.0)
    indptr, indices = np.array([0, 90]), np.empty(90, dtype=np.uint32)
    found, ones = engine.fold(indptr, hashes, values, real, 30, indices)
    assert hashes[:found].tolist() == sorted(sums)
    assert not ones
    columns = {}
    for h in sorted(sums):
        columns[h >> 34] = columns.get(h >> 34, 0.0) + sums[h]
    assert indices[: indptr[1]].tolist() == list(columns)
    assert values[: indptr[1]].tolist() == list(columns.values())


def test_nothing_is_lost_by_a_wrapper():
    data = b"1 2 'one | a b\nbad line\n-1 | b\n0 'x | c\n"
    stream = Hashed(VWStream(io.BytesIO(data), on_error="skip", labels=(-1, 0, 1)), bits=10)
    [block] = stream.blocks()
    assert (block.tags, block.weights.tolist(), block.labels) == (("one", "", "x"), [2.0, 1.0, 1.0], (-1, 0, 1))
    assert (stream.labels, stream.skipped, len(stream.complaints), stream.names) == ((-1, 0, 1), 1, 1, None)
    assert repr(stream) == "Hashed(VWStream('<BytesIO>'), bits=10)"


@pytest.mark.parametrize("bits", [0, 31, -1, 2.5, "8", True, None])
def test_bits_that_cannot_be(bits):
    for call in (lambda: Hashed(vw([{}]), bits=bits), lambda: hashed_column("a", bits)):
        with pytest.raises(InvalidParameter, match="bits must be a whole number >= 1 and <= 30"):
            call()


def test_sums_that_are_too_large():
    rows = [{"a": 1.0}, dict.fromkeys(NAMES, 9e99)]
    with pytest.raises(InvalidData, match="row 1, attribute 0 after hashing: expected values that add up to at most"):
        list(Hashed(jsonl(rows), bits=1).blocks())


def test_learning_from_hashed_attributes(data_folder):
    path = data_folder / "sms_spam.libsvm.gz"
    plain, hashed = (ls.play(ls.Perceptron(), stream).mistakes
                     for stream in (open_stream(path), Hashed(open_stream(path), bits=22)))  # fmt: skip
    assert abs(hashed - plain) < 0.1 * plain
    few = Hashed(open_stream(path), bits=3)
    ls.play(ls.Perceptron(), few)
    assert (few.columns, few.collisions) == (8, few.attributes - 8)
    assert len(Seen()) == 0
