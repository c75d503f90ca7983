"""CSV by kernels against CSV by the csv module and texts: the same rows and names, and the same complaints."""

import io
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.core.errors import LittlestoneError
from littlestone.streams import CsvStream
from littlestone.streams.formats import csv_rows
from littlestone.streams.formats.columns import numbers
from tests.streams.test_formats import SEEDS, mutated
from tests.streams.test_tables import Pipe

PLAIN = ["", "1", "-2.5", "0", "NA", "red", " red", "True", "false", "1e3", "12345678901234567890", "1e101", "nan"]
CELLS = st.sampled_from([*PLAIN, '"a,b"', '"say ""no"""', '"two\nlines"', '""', '"cr\r\nlf"', '5" pipe', "\u00e9",
                         "1_0", '"x"y', "inf", " 7 ", "\u0663", '"12"', '"1.5"""'])  # fmt: skip
NUMBERS = st.sampled_from(["", "1", "-2.5", "0", "+3", "1e3", "NA", "0.1", "123456789012345678901", ".5", " 7"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n"])


@st.composite
def tables(draw):
    columns = [
        draw(st.sampled_from([NUMBERS, NUMBERS, st.sampled_from(["True", "False", ""]), CELLS])) for _ in range(3)
    ]
    columns.append(st.sampled_from(["yes", "no"]))
    lines = ["a,b,c,class"]
    lines += [",".join(draw(column) for column in columns) for _ in range(draw(st.integers(0, 12)))]
    return "".join(line + draw(ENDS) for line in lines)


def told(data, make=io.BytesIO, rows=5, **options):
    """Return all that a stream says: its blocks, or its refusal."""
    try:
        stream = CsvStream(make(data), **options)
        found = [(stream.labels, stream.n_attributes, stream.names)]
        for block in stream.blocks(rows):
            first, last = block.indptr[0], block.indptr[-1]
            real = np.ones(last - first) if block.values is None else block.values[first:last]
            outcomes, weights = (None if array is None else array.tolist() for array in (block.outcomes, block.weights))
            found.append(((block.indptr - first).tolist(), block.indices[first:last].tolist(), real.tolist(),
                          outcomes, block.labels, block.names, block.start, weights, block.tags))  # fmt: skip
    except LittlestoneError as error:
        return str(error)
    return found, stream.skipped, stream.complaints


def same(data, monkeypatch, **options):
    fast = told(data, **options)
    with monkeypatch.context() as patch:
        patch.setattr(csv_rows, "_tokens", lambda *_: None)
        slow = told(data, **options)
    if isinstance(fast, str) or isinstance(slow, str):
        assert fast == slow
        return
    assert rows_in(fast[0]) == rows_in(slow[0])
    assert fast[1:] == slow[1:]


def rows_in(found):
    """Return the rows whatever blocks they came in, and the names at the end."""
    rows = []
    for indptr, indices, values, outcomes, labels, _, start, weights, tags in found[1:]:
        for r in range(len(indptr) - 1):
            part = slice(indptr[r], indptr[r + 1])
            rows.append((start + r, indices[part], values[part], outcomes and labels[outcomes[r]],
                         weights and weights[r], tags and tags[r]))  # fmt: skip
    return found[0], rows, found[-1][5] if len(found) > 1 else None


OPTIONS = [{}, {"on_error": "skip"}, {"weight": "a"}, {"tag": "b", "on_error": "skip"}, {"unlabelled": True},
           {"categorical": ["a", "b"]}, {"numeric": ["a"], "on_error": "skip"}, {"text": "c"}, {"quote": ""},
           {"missing": ["-2.5", ""]}, {"missing": [], "on_error": "skip"}, {"labels": ("no", "yes")},
           {"labels": ("no", "maybe"), "on_error": "skip"}]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("make", [io.BytesIO, Pipe])
def test_the_kernels_read_what_the_csv_module_reads(options, make):
    @settings(max_examples=30)
    @given(tables(), st.sampled_from([1, 24, 1 << 20]))
    def check(text, size):
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(csv_rows, "BLOCK", size)
            same(text.encode(), monkeypatch, make=make, **options)

    check()


@pytest.mark.parametrize("count", [500, pytest.param(20000, marks=pytest.mark.slow)])
def test_mutated_tables_are_read_alike(count, monkeypatch):
    chance = random.Random(count)
    for _ in range(count):
        data = mutated(SEEDS[CsvStream] * 3, chance)
        same(data, monkeypatch, make=chance.choice([io.BytesIO, Pipe]), on_error=chance.choice(["raise", "skip"]))


def test_sound_blocks_are_read_by_kernels(monkeypatch):
    """The twin is not what reads them."""
    monkeypatch.setattr(csv_rows.csv, "reader", lambda lines, **_: iter([next(lines).rstrip("\n").split(",")]))
    data = 'a,b,class\n1,"x ""y""",yes\r\n,"two\nlines",no\n\n2.5,z,yes\n'.encode()
    found = told(data)
    assert not isinstance(found, str), found
    assert found[0][0][2] == ("a", 'b=x "y"', "b=two\nlines", "b=z")


def test_a_number_may_mean_that_a_value_is_missing():
    missing = frozenset(["-999", None])
    for cells in (["-999", "1"], ["-999", "1", "2"]):
        assert np.isnan(numbers(cells, missing)[0])
    text = b"a,class\n-999,1\n3,0\n"
    assert told(text, missing=["-999"])[0][1][2] == [3.0]


def test_real_tables_are_read_alike(data_folder, monkeypatch):
    import gzip

    for name, options in (("mushroom_raw.csv.gz", {}), ("ppattach_train.csv.gz", {})):
        with gzip.open(data_folder / name) as file:
            same(file.read()[:300_000].rsplit(b"\n", 1)[0] + b"\n", monkeypatch, rows=8192, **options)
