"""A training goes on only with the file that it began with: what was read of it is known again, to the last byte."""

import json
from zlib import crc32

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.models.files import inspect_model, load
from littlestone.models.record import Record, described
from littlestone.models.training import Training
from littlestone.streams import convert
from littlestone.streams.formats import text
from littlestone.streams.sources.pieces import Sum
from tests.cli.test_train import call, report_of
from tests.models.test_model_file import same

ROWS = 12_000
CHANGED = "another file, or it has changed since"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "rows.svm"
    convert(ls.teachers.LabelNoise(ls.teachers.Disjunction(n=30, k=3, trials=ROWS, density=0.2), 0.1), path)
    assert path.stat().st_size > 3 * (1 << 16)  # more than its two ends
    return path


@pytest.fixture
def svm(data, tmp_path):
    path = tmp_path / "rows.svm"
    path.write_bytes(data.read_bytes())
    return path


def alter(path, place):
    """Change the label of one row, in some place, and nothing else."""
    found = bytearray(path.read_bytes())
    at = found.index(b"\n", int(place * len(found))) + 1
    found[at : found.index(b" ", at)] = {b"0": b"1", b"1": b"0"}[bytes(found[at : found.index(b" ", at)])]
    path.write_bytes(found)


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(text, "CHUNK", 1 << 14)


def begun(path, *, summing=True, **plan):
    training = Training(ls.Perceptron(), ls.open(path, labels=(0, 1)), **plan)
    return training, Record.of(training, summing=summing)


def stopped(path, model, examples, **plan):
    """Train, and stop after some examples."""
    training, record = begun(path, **plan)
    for _ in training.steps():
        if training.examples >= examples:
            break
    record.save(training, model)
    return record


def resumed(path, model, **plan):
    training, record = begun(path, **plan)
    assert record.resume(training, model)
    for _ in training.steps():
        pass
    record.save(training, model)


def test_a_change_in_the_middle_is_seen(svm, tmp_path):
    model = tmp_path / "model.npz"
    plan = (svm, "-l", "perceptron", "-m", model, "--checkpoint")
    assert report_of(*plan)["resumed"] is False
    svm.write_bytes(svm.read_bytes())  # a copy is no other file
    assert report_of(*plan)["resumed"] is True
    before = model.read_bytes()
    alter(svm, 0.5)
    said = call("train", *plan, code=2).stderr
    assert CHANGED in said and "remove that file" in said
    assert model.read_bytes() == before


@pytest.mark.usefixtures("small_chunks")
def test_what_was_read_must_be_the_same_and_what_was_not_need_not(svm, tmp_path):
    model, whole = tmp_path / "model.npz", tmp_path / "whole.npz"
    record = stopped(svm, model, ROWS // 2)
    assert 0.45 * svm.stat().st_size < record.read[0] < 0.65 * svm.stat().st_size
    alter(svm, 0.4)
    with pytest.raises(InvalidParameter, match=CHANGED):
        resumed(svm, model)
    alter(svm, 0.4)  # back
    alter(svm, 0.7)
    resumed(svm, model)
    stopped(svm, whole, ROWS + 1)
    assert model.read_bytes() == whole.read_bytes()  # as if it had always been so


@pytest.mark.usefixtures("small_chunks")
def test_in_the_second_pass_all_of_it_was_read(svm, tmp_path):
    model = tmp_path / "model.npz"
    record = stopped(svm, model, ROWS + 1000, passes=2)
    assert record.read == [svm.stat().st_size, crc32(svm.read_bytes())]
    alter(svm, 0.7)
    with pytest.raises(InvalidParameter, match=CHANGED):
        resumed(svm, model, passes=2)


def test_without_checkpoints_size_and_ends_are_compared_and_that_is_said(svm, tmp_path):
    model = tmp_path / "model.npz"
    plan = (svm, "-l", "perceptron", "--passes", 2, "-m", model)
    stream = ls.open(svm)
    training = Training(ls.Perceptron(), stream, passes=2)
    record = Record.of(training)
    next(training.steps())
    record.save(training, model)
    assert described(inspect_model(model)).read is None
    said = call("train", *plan, "--checkpoint").stderr
    assert "it was trained without --checkpoint, so that of the file only the size and both ends were compared" in said
    assert described(inspect_model(model)).read == [svm.stat().st_size, crc32(svm.read_bytes())]
    call("train", *plan[:-1], tmp_path / "whole.npz")
    same(load(model), load(tmp_path / "whole.npz"))


@pytest.mark.parametrize("name", ["rows.svm", "rows.vw", "rows.jsonl", "rows.svm.gz", "rows.svm.xz", "rows.csv"])
def test_sums_are_those_of_the_bytes_on_the_disk(name, svm, tmp_path):
    path = tmp_path / "other" / name
    path.parent.mkdir()
    if name == "rows.csv":
        path.write_text("a,label\n" + "1,0\n2,1\n" * 999 + '3,"1"')
    else:
        convert(svm, path)
    stream = ls.open(path)
    for _ in stream.blocks():
        pass
    assert stream.source.sum == Sum()  # nobody asked
    stream = ls.streams.Pairs(ls.open(path))
    stream.source.summing = True
    for _ in stream.blocks():
        pass
    assert stream.source.sum == Sum(path.stat().st_size, crc32(path.read_bytes()))


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.usefixtures("small_chunks")
def test_sums_do_not_depend_on_threads(suffix, svm, tmp_path):
    path = tmp_path / f"other.svm{suffix}"
    convert(svm, path)
    found = []
    for threads in (1, 2, 4):
        stream = ls.streams.SvmlightStream(path, labels=(0, 1), threads=threads)
        stream.source.summing = True
        sums = [stream.source.sum for _ in stream.blocks(1000)]
        assert all(one == Sum.of(path, one.size) for one in sums)
        found.append(sums)
    assert found[0] == found[1] == found[2]
    assert found[0][-1].size == path.stat().st_size


def test_a_file_that_others_read(tmp_path):
    pq, path, model = pytest.importorskip("pyarrow.parquet"), tmp_path / "rows.parquet", tmp_path / "model.npz"
    import pyarrow as pa

    pq.write_table(pa.table({"a": [1, 0, 1], "label": [1, 0, 1]}), path)
    call("train", path, "-l", "perceptron", "-m", model, "--checkpoint", "-q")
    assert described(inspect_model(model)).read == [path.stat().st_size, crc32(path.read_bytes())]


@pytest.mark.parametrize("read", [[1], [1, 2, 3], ["1", 2], 7, [True, 1]])
def test_a_record_that_is_not_sound(read, tmp_path):
    training = Training(ls.Perceptron(), ls.teachers.Disjunction(n=5, k=1, trials=9))
    record = Record.of(training)
    record.save(training, tmp_path / "model.npz")
    header = inspect_model(tmp_path / "model.npz")
    assert described(header) is not None
    told = json.loads(header["provenance"]["source"])
    told["train"]["read"] = read
    header["provenance"]["source"] = json.dumps(told)
    assert described(header) is None


def test_sums_of_pieces_are_those_of_the_whole():
    pieces = [b"", b"a", b"\0" * 70_000, bytes(range(256)) * 300, b"", b"end"]
    found, data = Sum(), b""
    for piece in pieces:
        found, data = found.then(len(piece), crc32(piece)), data + piece
        assert found == Sum(len(data), crc32(data))
