"""What is written reads back, in every format and compression; and a file is there whole or not at all."""

import io
from dataclasses import replace

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData
from littlestone.streams import ArrayStream, convert, write_jsonl, write_svmlight, write_vw
from littlestone.streams.base import open as open_stream
from tests.streams.test_tables import rows_of

WRITERS = {"jsonl": write_jsonl, "svmlight": write_svmlight, "vw": write_vw}


def stream(kind):
    """Return rows of three classes with all that the format has a place for."""
    block = ls.Block.from_arrays([[1, 0, 0.1], [0, -2.5e-7, 1], [0, 0, 1e15], [0, 0, 0]])
    block = block.labelled([2, 0, 1, 1], (-1, 3, 7.5))
    if kind != "svmlight":
        weights = ls.Block.from_arrays([[2.0, 1.0, 0.1, 3.0]]).values
        block = replace(block, weights=weights, tags=("one", "", "a/b", "'"), names=("ns^sun", "r\u00e4in", "x=1"))
    return ArrayStream(block)


def told(source):
    """Return the rows of a stream with their weights and tags."""
    blocks = list(source.blocks())
    weights = [w for b in blocks for w in ([1.0] * len(b) if b.weights is None else b.weights.tolist())]
    tags = [tag for b in blocks for tag in b.tags or [""] * len(b)]
    return rows_of(source), weights, tags


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_written_reads_back(kind, suffix, tmp_path):
    rows, path, converted = stream(kind), tmp_path / f"a.{kind}{suffix}", tmp_path / f"b.{kind}{suffix}"
    assert WRITERS[kind](rows, path) == convert(rows, converted) == 4
    options = {"zero_based": False} if kind == "svmlight" else {}
    assert told(open_stream(path, **options)) == told(open_stream(converted, **options)) == told(rows)
    assert path.read_bytes() == converted.read_bytes()
    broken = ArrayStream(replace(rows.block, labels=("no", "yes", "\ud800")))  # no format has a place for it
    for write in (WRITERS[kind], convert):
        with pytest.raises((InvalidData, UnicodeEncodeError)):
            write(broken, path)
    assert path.read_bytes() == converted.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("kind", WRITERS)
def test_a_dash_is_standard_output(kind, capfdbinary):
    file = io.BytesIO()
    WRITERS[kind](stream(kind), file)
    WRITERS[kind](stream(kind), "-")
    assert capfdbinary.readouterr().out == file.getvalue()
