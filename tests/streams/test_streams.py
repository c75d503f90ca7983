"""What holds for every stream, whatever it is read from: its blocks, its fingerprint, what it says of bad rows."""

import io
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.streams import FrameStream, Hashed, Pairs, Part, convert, from_arrays
from littlestone.streams.base import ReadStream, Stream, complete_blocks
from littlestone.streams.formats.scanned import ScannedStream
from littlestone.streams.formats.text import TextStream
from littlestone.streams.sources.pieces import Sum
from littlestone.teachers import AttributeNoise, Disjunction, LabelNoise

ROWS = 700
X = np.random.default_rng(5).integers(0, 3, (ROWS, 6)) / 2
Y = (X[:, 0] + X[:, 2] > 1).astype(int)
TABLE = [f"{a},{b},{'rs'[int(b)]},{y}" for (a, b, *_), y in zip(X.tolist(), Y.tolist(), strict=True)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rows in every format."""
    folder = tmp_path_factory.mktemp("files")
    arrays = from_arrays(X, Y)
    for name in ("rows.svm", "rows.vw", "rows.jsonl", "rows.svm.gz"):
        convert(arrays, folder / name)
    (folder / "rows.csv").write_text("\n".join(["a,b,c,label", *TABLE, ""]))
    (folder / "quoted.csv").write_text("\n".join(["a,b,c,label", *TABLE, '1,0,"r""s",1', ""]))
    (folder / "rows.snow").write_text("".join(f"{y}, {2 + 3 * y}, 7(0.5):\n" for y in Y.tolist()))
    return folder


def every_stream(files):
    """Yield streams of every format, and wrapped ones."""
    yield from_arrays(X, Y)
    yield from_arrays(X > 0, Y)
    yield Disjunction(n=20, k=3, trials=ROWS)
    for path in sorted(files.iterdir()):
        yield ls.open(path)
    frame = pytest.importorskip("pandas").read_csv(files / "rows.csv")
    yield FrameStream(frame)
    pytest.importorskip("pyarrow")
    frame.to_parquet(io_file := io.BytesIO())
    yield ls.open(io_file, "parquet")
    for name in ("rows.svm", "rows.vw", "rows.csv"):
        yield Pairs(ls.open(files / name))
        yield Hashed(ls.open(files / name), bits=3)
        yield Hashed(Pairs(ls.open(files / name)), bits=4)
        yield Part(ls.open(files / name), 33, 500)
    yield LabelNoise(ls.open(files / "rows.svm"), 0.1)
    yield AttributeNoise(from_arrays(X > 0, Y), 0.1)


@pytest.mark.parametrize("rows", [8192, 97, 1])
def test_arrays_end_where_the_last_row_does(files, rows):
    for stream in every_stream(files):
        wanted = 0
        for block in stream.blocks(rows):
            assert len(block.indices) == block.indptr[-1], stream
            assert block.values is None or len(block.values) == len(block.indices), stream
            assert 0 <= block.indptr[0] <= block.indptr[-1]
            assert block.start == wanted or isinstance(stream, Part)
            wanted += len(block)
            on = [block.row(r)[0] for r in range(len(block))]
            assert np.array_equal(np.concatenate(on), block.indices[block.indptr[0] :])


def test_rows_cut_out_of_others_share_their_arrays():
    block = from_arrays(X, Y).block
    part = block[100:200]
    assert np.shares_memory(part.indices, block.indices)
    assert np.shares_memory(part.indptr, block.indptr)
    assert part.indptr[0] == block.indptr[100] > 0
    assert len(part.indices) == len(part.values) == block.indptr[200]
    assert len(block[:0].indices) == 0


def test_spare_room_behind_the_rows_is_cut_off():
    indptr, room = np.array([0, 1, 2]), np.array([4, 7, 9, 9], dtype=np.uint32)
    block = Block(indptr, room, np.array([0.5, 2.0, 9.0, 9.0]), checked=True)
    assert block.indices.tolist() == [4, 7]
    assert block.values.tolist() == [0.5, 2.0]
    assert np.shares_memory(block.indices, room)
    assert replace(block, indptr=indptr[:2]).indices.tolist() == [4]


def test_blocks_put_together_are_the_stream(files):
    for stream in every_stream(files):
        some = list(stream.blocks(97))
        starts = np.cumsum([0, *(len(block.indices) - block.indptr[0] for block in some)])
        indices = np.concatenate([block.indices[block.indptr[0] :] for block in some])
        whole = Block.joined(some)
        assert np.array_equal(indices, whole.indices)
        assert starts[-1] == len(whole.indices)


def test_a_file_is_known_by_its_size_and_ends_however_it_is_read(files, tmp_path):
    path = files / "rows.svm"
    stream = ls.open(path)
    known = stream.fingerprint()
    assert known == Hashed(Pairs(ls.open(path)), bits=4).fingerprint() == Part(stream, 3).fingerprint()
    assert known == LabelNoise(ls.open(path), 0.1).fingerprint()
    other = tmp_path / "other.svm"
    other.write_bytes(path.read_bytes())
    assert ls.open(other).fingerprint() == known
    other.write_bytes(path.read_bytes() + b"1 1:1\n")
    assert ls.open(other).fingerprint() != known
    other.write_bytes(b"0" + path.read_bytes()[1:-4] + b" 2\n\n")
    assert ls.open(other).fingerprint() != known


def test_what_is_no_file_has_its_repr_or_nothing(files):
    stream = Disjunction(n=20, k=3, trials=ROWS)
    assert stream.source is None
    assert stream.fingerprint() == repr(stream)
    assert ls.open(io.BytesIO(b"1 1:1\n0 2:1\n")).fingerprint() is None
    assert ls.open(files / "rows.csv").source.path == files / "rows.csv"


def test_what_was_read_of_a_file_is_known_to_the_last_byte(files):
    stream = ls.open(files / "rows.svm")
    stream.source.summing = True
    for _ in stream.blocks():
        pass
    size = (files / "rows.svm").stat().st_size
    assert stream.source.sum == Sum.of(files / "rows.svm", size)
    assert stream.source.begins_as(stream.source.sum)
    assert not stream.source.begins_as(Sum(size, stream.source.sum.crc ^ 1))
    assert not stream.source.begins_as(Sum(size + 1, stream.source.sum.crc))


def test_complete_blocks_say_what_the_stream_says():
    class Silent(Stream):
        n_attributes, labels, names = 4, ("a", "b"), ("w", "x", "y", "z")

        def blocks(self, rows=8192):
            del rows
            yield Block(np.array([0, 1]), np.array([2], dtype=np.uint32), outcomes=np.array([1]), checked=True)
            yield replace(next(iter(from_arrays(X, Y).blocks())), names=("p", "q", "r", "s", "t", "u"))

    first, second = complete_blocks(Silent())
    assert (first.n_attributes, first.labels, first.names) == (4, ("a", "b"), ("w", "x", "y", "z"))
    assert (second.n_attributes, second.labels, second.names) == (6, (0, 1), ("p", "q", "r", "s", "t", "u"))
    first, _ = complete_blocks(Silent(), sized=False)
    assert first.n_attributes is None
    with pytest.raises(InvalidData, match="expected a Stream, got list; for arrays use from_arrays"):
        complete_blocks([])


BAD = {  # format: a sound row, one that is not, options
    "svmlight": (b"1 1:1\n", b"1 1:x\n", {"labels": (0, 1)}),
    "vw": (b"1 | a\n", b"1 | a:x\n", {"labels": (0, 1)}),
    "csv": (b"1,1\n", b"1,2,3\n", {"label": "label"}),
    "jsonl": (b'{"label": 1, "a": 2}\n', b"{\n", {}),
    "snow": (b"1, 5:\n", b"1, 5\n", {}),
}


@pytest.mark.parametrize("kind", BAD)
def test_all_formats_skip_and_complain_alike(kind):
    sound, bad, options = BAD[kind]
    head = b"a,label\n" if kind == "csv" else b""
    data = head + sound + 7 * bad + sound.replace(b"1", b"0", 1)
    stream = ls.open(io.BytesIO(data), kind, on_error="skip", **options)
    assert isinstance(stream, ReadStream)
    assert isinstance(stream, TextStream) != isinstance(stream, ScannedStream)
    for _ in range(2):  # each pass counts anew
        assert sum(map(len, stream.blocks())) == 2
        assert stream.skipped == 7
        assert len(stream.complaints) == 5
        assert all("expected" in words for words in stream.complaints)
    assert Part(stream).skipped == 7
    assert Part(stream).complaints == stream.complaints
    with pytest.raises(InvalidParameter, match=r"on_error must be 'raise' or 'skip', got 'ignore'"):
        ls.open(io.BytesIO(data), kind, on_error="ignore")
    with pytest.raises(InvalidParameter, match="unlabelled must be True or False, got 'no'"):
        ls.open(io.BytesIO(data), kind, unlabelled="no")
